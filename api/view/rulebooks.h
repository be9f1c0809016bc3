/*
 * rulebooks.h - the rules of the games as documents, which are part of the program: those of
 * rules/, in Markdown.
 */
#ifndef PLYD_API_VIEW_RULEBOOKS_H
#define PLYD_API_VIEW_RULEBOOKS_H

#include "rules/rules.h"

/* The rules of a game. The text is static. NULL: the game has none. */
const char *view_rulebook(const struct rules_game *game);

#endif
