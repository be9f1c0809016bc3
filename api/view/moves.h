/*
 * moves.h - moves as JSON: those that were played, and those that may be.
 */
#ifndef PLYD_API_VIEW_MOVES_H
#define PLYD_API_VIEW_MOVES_H

#include "api/game/course.h"
#include "api/text/json.h"
#include "api/view/view.h"

/* A move that was played: its members, without the game. */
void view_move(struct json *json, const struct course_move *move);

/* What it did, as elements of an array. */
void view_effects(struct json *json, const struct course_move *move);

/* A man as members: its letter and the seat that it belongs to. */
void view_man(struct json *json, const struct rules_game *game, struct rules_man man);

/* The legal moves that begin with the text `from` (NULL: all), and all of them as a tree of clicks:
 * the members of an object. A game that is over has none. */
void view_legal_moves(struct json *json, const struct game_view *view, const char *from);
void view_legal_tree(struct json *json, const struct game_view *view);

#endif
