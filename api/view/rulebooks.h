/*
 * rulebooks.h - the rules of the games as documents, which the program carries.
 */
#ifndef PLYD_API_VIEW_RULEBOOKS_H
#define PLYD_API_VIEW_RULEBOOKS_H

#include "rules/rules.h"

/* The rules of a game as Markdown. Static; NULL if the game has none. */
const char *view_rulebook(const struct rules_game *game);

#endif
