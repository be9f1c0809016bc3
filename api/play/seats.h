/*
 * seats.h - the use cases around seats: taking one, giving up, calling a game off.
 *
 * Whoever takes a seat gets a token for it, which is shown in that answer and never again. Nobody
 * needs a token to join; whoever knows the id of a game with an open seat was invited.
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
