/*
 * moves.h - moves as JSON: those that were played, and those that are legal.
 */
#ifndef PLYD_API_VIEW_MOVES_H
#define PLYD_API_VIEW_MOVES_H

#include "api/game/draft.h"
#include "api/text/json.h"
#include "api/view/view.h"

/* Writes the members of a move that was played. */
void view_move(struct json *json, const struct draft_move *move);

/* Writes what it did to the board, as elements of an open array. */
void view_effects(struct json *json, const struct draft_move *move);

/* Writes a man as members: its letter and the seat that it belongs to. */
void view_man(struct json *json, const struct rules_game *game, struct rules_man man);

/* Whether the legal moves of a position are few enough to be listed (MOVE_TEXT_LEGAL_MAX). */
bool view_can_list(struct arena *arena, const struct game_view *view);

/* Writes the legal moves as members, with their number: as a list of those whose text begins with
 * `from` (NULL: all), or all of them as a tree of clicks. A game that is over has none. */
void view_legal_moves(struct json *json, const struct game_view *view, const char *from);
void view_legal_tree(struct json *json, const struct game_view *view);

#endif
