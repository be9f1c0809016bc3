/*
 * row.h - what the stored row of a game means to the rules.
 *
 * A row (struct db_game) holds texts and numbers. Here they become a game of the registry, options
 * and a position, and a row is put back on an earlier ply. The words for its numbers are in
 * words.h.
 */
#ifndef PLYD_API_GAME_ROW_H
#define PLYD_API_GAME_ROW_H

#include "db/db.h"
#include "rules/rules.h"

/* Whether the numbers and words in a row have a meaning for this program: its game, the version of
 * the rules, the states of the game and of its seats, their opponents. A newer program may have
 * written others. Such a game is refused and left as it is. */
bool row_is_known(const struct db_game *row);

/* Reads the game of a row, its options and its position; options->position becomes NULL. NULL: the
 * row is not known, or one of them cannot be read. */
const struct rules_game *row_position(const struct db_game *row, struct rules_options *options,
                                      struct rules_state *state);

/* Puts the row at a ply of its line, to which `move` led (NULL: ply is 0). The row then points to
 * the texts of `move`. The side to move and how the game stands there are left to the caller. */
void row_set_move(struct db_game *row, int32_t ply, const struct db_event *move);

/* The seats that a player holds, or that are kept for them and they are told of, as bits
 * (words.h). */
unsigned row_seats_of(const struct db_game *row, db_id player);

/* Whether two different players hold its seats. */
bool row_has_two_players(const struct db_game *row);

/* Whether a person may still take a seat, be it that of a challenge. */
bool row_has_open_seat(const struct db_game *row);

/* Whether a seat is kept for whoever has its invitation. */
bool row_is_reserved(const struct db_seat *seat, int64_t now);

/* ---- challenges ----
 * A seat may be kept for a player who was challenged. Until they take it, the two whom it is about
 * see the game, and nobody else, whatever its visibility is. */

/* Keeps a seat for a player. `tells`: they are told of it, and find it in their lists; else it is
 * as if they never answered. */
void row_challenge(struct db_seat *seat, db_id player, int64_t until, bool tells);

/* The player for whom a seat is kept, or was when the game was called off. */
db_id row_challenged(const struct db_seat *seat);

/* The seat that is so; 0: there is none. And whether it is this player's. */
int row_challenge_seat(const struct db_game *row);
bool row_challenges(const struct db_game *row, db_id player);

/* Whether it is shown to anybody in lists; and whether strangers must not even learn that there is
 * such a game. */
bool row_is_public(const struct db_game *row);
bool row_hides(const struct db_game *row);

#endif
