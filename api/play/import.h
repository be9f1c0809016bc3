/*
 * import.h - a new game from a record.
 */
#ifndef PLYD_API_PLAY_IMPORT_H
#define PLYD_API_PLAY_IMPORT_H

#include "api/http/request.h"

/* Reads the body, creates the game and answers. */
void import_game(struct request *request);

#endif
