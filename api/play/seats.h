/*
 * seats.h - taking a seat, giving up, and calling a game off.
 */
#ifndef PLYD_API_PLAY_SEATS_H
#define PLYD_API_PLAY_SEATS_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

struct seat_args {
    struct guard guard;
    const char *seat; /* its number or its name; NULL: whichever fits */
    const char *name; /* of who sits down, or NULL */
};
void seats_join(struct request *request, db_id id, struct seat_args *args);
void seats_resign(struct request *request, db_id id, struct seat_args *args);
void seats_abort(struct request *request, db_id id, struct seat_args *args);

#endif
