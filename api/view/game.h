/*
 * game.h - a game as JSON: its members, what the reader may do in it, and what ?include= adds.
 */
#ifndef PLYD_API_VIEW_GAME_H
#define PLYD_API_VIEW_GAME_H

#include "api/text/json.h"
#include "api/view/view.h"

/* The names of a game's members, and of what ?include= may add, in the order of the bits of a
 * view_choice. Each list ends with NULL. */
extern const char *const view_members[];
extern const char *const view_extra_members[];

/* Writes the members of a game into an open object: all of them with `you`, or those that `choice`
 * leaves, and what it adds. `choice` NULL: all, and nothing is added. */
void view_game(struct json *json, const struct game_view *view, const struct view_choice *choice);

/* Whether that shows `unread`, which has to be counted for it. */
bool view_wants_unread(const struct view_choice *choice);

/* The same as a line of its own. In an answer that begins so, with what stands beside the game on
 * the second line, view_with_game() adds the game as the member `game` and makes it one line; it
 * leaves any other as it is. So the game is stored once where the answer shows a token. */
void view_kept_game(struct json *json, const struct game_view *view,
                    const struct view_choice *choice);
const char *view_with_game(struct arena *arena, const char *answer);

/* Adds the game as the member `game`, which every answer about a change has. */
void view_game_member(struct json *json, const struct game_view *view,
                      const struct view_choice *choice);

/* Writes the member `you`: the seats that the reader plays and what they may do now. Nothing, if
 * they play no seat. */
void view_you(struct json *json, const struct game_view *view);

/* Writes what ?include= adds. Where the legal moves are too many to be listed (view_can_list()),
 * `legal_omitted` stands in their place: this may be the answer to a move that was played, which
 * cannot be refused any more. */
void view_extras(struct json *json, const struct game_view *view, const struct view_choice *choice);

/* The clock of a game, or NULL, and the offers that are open. What a newer program has written, and
 * this one cannot read, is not there. */
const struct clock *view_clock(struct arena *arena, const struct game_view *view);
const struct offers *view_offers(struct arena *arena, const struct game_view *view);

/* Writes the value of `to_move`: null once the game is over. */
void view_to_move(struct json *json, const struct db_game *row);

/* Writes the value of `outcome` of a game that is finished. */
void view_outcome(struct json *json, const struct db_game *row);

/* The value of `check`: whether the side to move is in check. */
bool view_check(const struct rules_game *game, const struct rules_state *state);

#endif
