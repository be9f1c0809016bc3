/*
 * game_link.h - links to games at an application that has pages of its own: a pattern such as
 * https://app.example/g/{game}, in which a game's id takes the place of {game}.
 */
#ifndef PLYD_API_GAME_GAME_LINK_H
#define PLYD_API_GAME_GAME_LINK_H

#include "api/text/arena.h"
#include "db/db.h"

/* What is wrong with a pattern, as a sentence; NULL: nothing. */
const char *game_link_fault(const char *pattern);

/* The link to a game. In the arena. */
const char *game_link(struct arena *arena, const char *pattern, db_id game);

#endif
