/*
 * stuck.h - why a man may not move at all.
 *
 * A client that lets people pick a man, and has no legal move of it, asks with that one click.
 * Pure; any thread may call this.
 */
#ifndef PLYD_API_TEXT_STUCK_H
#define PLYD_API_TEXT_STUCK_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "rules/rules.h"

/* Judges the click on a man (a square, or what drops it from a hand) with each square as the next
 * one, and tells of the move that is nearest to a legal one: *text is that move, in the arena, and
 * *why its refusal. False: a legal move begins with this click, none does with any other square
 * either, or there are too many moves to look. */
bool stuck_explain(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, const char *click, const char **text,
                   struct rules_refusal *why);

#endif
