/*
 * game_page.h - where people find a game: at the application that the operator names with --links,
 * or else on the daemon's own page.
 */
#ifndef PLYD_API_ENDPOINTS_GAME_PAGE_H
#define PLYD_API_ENDPOINTS_GAME_PAGE_H

#include "api/http/request.h"
#include "db/db.h"

/* The whole address, in the request's arena. The loop's thread alone calls this. */
const char *game_page_url(struct request *request, db_id game);

#endif
