/*
 * positions.h - the games that reached a position: noted when a game ends, counted for a reader.
 *
 * An index of positions is written when a game is over, and costs no move anything: the write that
 * ends a public game, or one that is in a collection, makes a promise (DUE_POSITIONS), and so does
 * adding a game to a collection. Whoever keeps it notes the keys of the positions of the first
 * POSITIONS_PLIES plies, which stand in the log: nothing is replayed. They are noted in scopes:
 * that of each player in whose collections the game is, and for a public game one that follows from
 * the position, so that no shard has all of these. Games that go on are in no scope.
 *
 * Positions that the symmetries of their game turn into each other are one (rules_orbit()). What is
 * stored is the key of all of them, and the move as it is played in the one that stands for them.
 * An answer turns moves back, so they are those of the position that was asked for.
 *
 * Whatever changes what is legal or who wins tells positions apart: each option of a game goes into
 * its keys (rules_options_key()). If keys come to mean something else, DB_POSITIONS_MADE is raised:
 * then what older programs have noted is deleted and noted anew (duty/upkeep.c).
 */
#ifndef PLYD_API_ENDPOINTS_LIBRARY_POSITIONS_H
#define PLYD_API_ENDPOINTS_LIBRARY_POSITIONS_H

#include "api/http/request.h"
#include "db/db.h"
#include "rules/rules.h"

enum { POSITIONS_PLIES = 80, POSITIONS_GAMES = 20 /* that an answer names */ };

/* The key under which a position of games with these options is found; never 0. */
int64_t positions_key(const struct rules_game *game, const struct rules_options *options,
                      const struct rules_state *state);

/* Answers with the games that reached a position: of the collections of the player who asks, or
 * public ones. */
struct positions_wish {
    const struct rules_game *game;
    const struct rules_options *options; /* resolved */
    const struct rules_state *state;
    bool mine;
};
void positions_explore(struct request *request, const struct positions_wish *wish);

#endif
