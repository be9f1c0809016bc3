/*
 * rulebooks.h - the rules of the games as documents, which are part of the program: those of
 * rules/, in Markdown. They are in English; other languages have a short form that is made of their
 * laws (text/lang.h).
 */
#ifndef PLYD_API_VIEW_RULEBOOKS_H
#define PLYD_API_VIEW_RULEBOOKS_H

#include "api/text/arena.h"
#include "rules/rules.h"

struct lang;

/* The rules of a game in English (also NULL), as a static text; NULL if the game has none. In
 * another language, the rules in short: the start, the sentence of each numbered rule, and how a
 * game can end. That text is in the arena. */
const char *view_rules(struct arena *arena, const struct lang *lang, const struct rules_game *game);

#endif
