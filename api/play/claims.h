/*
 * claims.h - the use case of a claim: somebody says that the game is over.
 *
 *     timeout      the time of the other side has run out. Each turn at a game settles its clock
 *                  first (settle.h), so a claim only finds out that it has, or how much is left.
 *     impasse      the side to move wins by points, in games that know a declaration: the same as
 *                  "win" in place of a move
 *     repetition   the position stands on the board too often. Every game ends by that itself, so a
 *                  claim is told how often it has been there, unless the option is off.
 *
 * A claim of what has ended the game already is answered with the game.
 */
#ifndef PLYD_API_PLAY_CLAIMS_H
#define PLYD_API_PLAY_CLAIMS_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

enum claim { CLAIM_TIMEOUT, CLAIM_IMPASSE, CLAIM_REPETITION };

struct claim_args {
    struct guard guard;
    enum claim kind;
};

/* The words of the kinds, in their order; it ends with NULL. */
extern const char *const claims_words[];

/* Does what `args` ask for in a game, and answers. `args` must live as long as the request. */
void claims_make(struct request *request, db_id id, struct claim_args *args);

#endif
