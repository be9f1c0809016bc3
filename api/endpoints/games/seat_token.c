/*
 * seat_token.c - replacing the token of a seat.
 *
 * The old token ends at once. So nobody may lose the new one with an answer that never arrives: the
 * request needs an Idempotency-Key, and the new token follows from that key and the old token
 * (idempotency_derive()). The same request again finds that the seat has just that token, and is
 * told it again.
 *
 * A player or an account asks by a token that stays, so the same request could come after another
 * one has replaced the new token, too. It finds the mark that it has left, and changes nothing: a
 * token that has ended does not come back.
 */
#include <stdlib.h>
#include <string.h>

#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/op.h"
#include "api/text/arena.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"

struct replacement {
    const struct guard *guard;
    bool has_key;
    char token[AUTH_TOKEN_TEXT]; /* the new one, and its hash */
    uint8_t hash[DB_HASH_BYTES];
};

/* The seats that have the new token already. */
static unsigned replaced_seats(const struct op *op)
{
    const struct replacement *replacement = op->args;
    unsigned seats = 0;

    for (int i = 0; i < DB_SEATS && replacement->has_key; i++) {
        const struct db_seat *seat = &op->live->row.seat[i];

        if (seat->has_token && auth_token_fits(replacement->token, seat->token))
            seats |= seat_bit(i + 1);
    }
    return seats;
}

static enum step tell_again(struct op *op, unsigned seats)
{
    const struct replacement *replacement = op->args;
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    view.seats = seats;
    reply_replayed(request);
    reply_header(request, "ETag", reply_etag(&request->arena, view.row->version));
    reply_made(request, 200,
               view_with_game(&request->arena,
                              use_case_token_document(request, &view, replacement->token, 0)));
    return STEP_OVER;
}

/* The request has done it before. */
static enum step retries_replace(struct op *op)
{
    unsigned seats = replaced_seats(op);

    return seats != 0 ? tell_again(op, seats)
                      : use_case_refuse(op, PROBLEM_IDEMPOTENCY_KEY_REUSED,
                                        "The token of that request was replaced since.");
}

static enum step replace_seat_token(struct op *op, unsigned seats)
{
    const struct replacement *replacement = op->args;
    struct draft *draft = use_case_draft(op);
    struct game_view view;

    for (int seat = 1; seat <= DB_SEATS; seat++) {
        struct db_seat *held = &draft->row.seat[seat - 1];

        if ((seats & seat_bit(seat)) == 0)
            continue;
        held->has_token = true;
        memcpy(held->token, replacement->hash, DB_HASH_BYTES);
        draft_data(draft, draft_event(draft, EVENT_SEAT, seat), "\"token\":true");
    }
    draft->joins = true;
    view = use_case_draft_view(op->request, draft, seats);
    return use_case_write(op, draft, 200,
                          use_case_token_document(op->request, &view, replacement->token, 0));
}

static enum step step_replace(struct op *op)
{
    const struct replacement *replacement = op->args;
    unsigned seats = replaced_seats(op);
    enum step step;

    if (seats != 0)
        return tell_again(op, seats);
    step = use_case_may_act(op, replacement->guard, &seats);
    if (step != STEP_GO)
        return step;
    if (!replacement->has_key) {
        reply_problem_at(op->request, PROBLEM_IDEMPOTENCY_KEY_MISSING, "Idempotency-Key", NULL);
        return STEP_OVER;
    }
    return replace_seat_token(op, seats);
}

/* Gives all seats that the asker plays a new token, and answers with it. `guard` must live as long
 * as the request. */
static void token_replace(struct request *request, db_id id, const struct guard *guard)
{
    struct replacement *replacement = arena_zero(&request->arena, sizeof(*replacement));
    uint8_t random[AUTH_RANDOM_BYTES];
    struct idempotency *key;
    struct op *op = op_new(request, step_replace, replacement);

    if (!idempotency_read_long(request, &key))
        return;
    replacement->guard = guard;
    replacement->has_key = key != NULL && request_token(request) != NULL;
    if (replacement->has_key) {
        idempotency_derive(key, random, sizeof(random));
        auth_token_of(random, replacement->token, replacement->hash);
    }
    op->idempotency = key;
    op->again = retries_replace;
    op_submit(op, id);
}

/* ---- requests ---- */

void handle_replace_token(struct request *request)
{
    guard_bare(request, token_replace);
}
