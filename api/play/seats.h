/*
 * seats.h - the use cases around seats: taking one, giving up, calling a game off.
 *
 * No token is needed to join: anybody who knows the id of a game with an open seat was invited. The
 * answer to a join has a token of its own for the seat, of which only a hash is kept.
 */
#ifndef PLYD_API_PLAY_SEATS_H
#define PLYD_API_PLAY_SEATS_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

struct seat_args {
    struct guard guard;
    const char *seat; /* its number or its name; NULL: whichever fits */
    const char *name; /* of the player who joins; NULL: none was given */
};

/* Each does what `args` ask for in a game, and answers. `args` must live as long as the request. */
void seats_join(struct request *request, db_id id, struct seat_args *args);
void seats_resign(struct request *request, db_id id, struct seat_args *args);
void seats_abort(struct request *request, db_id id, struct seat_args *args);

#endif
