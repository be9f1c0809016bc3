/*
 * game.h - a game as JSON.
 */
#ifndef PLYD_API_VIEW_GAME_H
#define PLYD_API_VIEW_GAME_H

#include "api/text/json.h"
#include "api/view/view.h"

/* The names of a game's members, and of what ?include= may ask for; each list ends with NULL. */
extern const char *const view_members[];
extern const char *const view_extra_members[];

/* The members of a game, for use inside an object. NULL: all of them, and nothing beside. */
void view_game(struct json *json, const struct game_view *view, const struct view_choice *choice);

/* What the reader plays and what they may do: a member, unless they play no seat. */
void view_you(struct json *json, const struct game_view *view);

/* Only what ?include= adds. More than VIEW_LEGAL_MAX legal moves are left out without a word, since
 * a move that was played cannot be refused for it. */
void view_extras(struct json *json, const struct game_view *view, const struct view_choice *choice);

/* The values of `to_move` and `outcome`. */
void view_to_move(struct json *json, const struct db_game *row);
void view_outcome(struct json *json, const struct db_game *row);

#endif
