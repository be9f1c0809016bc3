/*
 * invite.h - invitations: an open seat is kept for whoever has a code.
 *
 * Somebody who plays a seat makes the code and sends it to a friend. It is shown once, and only its
 * hash is stored, with the seat. Whoever joins with it takes the seat, and that ends it. Until it
 * expires nobody else can take the seat; afterwards anybody may join as if there had been no
 * invitation. A newer one for the same seat replaces it. It lets nobody see the game.
 *
 * The answer shows an address for the friend, with the code behind a '#': browsers keep that part
 * to themselves, so the code stands in no log.
 */
#ifndef PLYD_API_PLAY_INVITE_H
#define PLYD_API_PLAY_INVITE_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

struct invite_args {
    struct guard guard;
    const char *seat; /* its number or its name; NULL: the one that is open */
    int64_t span_us;  /* how long it is valid */
};

/* Makes an invitation, or withdraws the one of a seat, and answers. `args` must live as long as the
 * request. */
void invite_make(struct request *request, db_id id, struct invite_args *args);
void invite_withdraw(struct request *request, db_id id, struct invite_args *args);

#endif
