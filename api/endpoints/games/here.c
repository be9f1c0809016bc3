/*
 * here.c - which players have their game before them.
 *
 * Whoever says so hears who else has said so within the last minute, and nobody else does. So
 * either both know of each other, or neither does. It is in no log and changes no version. Players
 * of whom one has blocked the other are away to each other, as anybody may be.
 */
#include <stdint.h>

#include "api/endpoints/games/hearing.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "db/db.h"

enum { LASTS_S = 60 };

struct here_args {
    struct request *request;
    bool leaves;
    int64_t now;
    unsigned own;                /* the asker's seats, as bits */
    struct hearing to_me, by_me; /* of the other player */
};

/* Whether one of the two players has blocked the other. */
static bool is_apart(const struct here_args *args)
{
    return args->to_me.is_unheard || args->by_me.is_unheard;
}

static bool is_here(const struct here_args *args, const struct db_here *here, int seat)
{
    return (args->own & seat_bit(seat)) != 0 ||
           (!is_apart(args) && here->at[seat - 1] > args->now - LASTS_S * INT64_C(1000000));
}

static void show_here(void *context, const struct db_here *here)
{
    const struct here_args *args = context;
    struct request *request = args->request;
    struct json json;
    struct out text;

    reply_private(request);
    if (args->leaves) {
        reply_empty(request, 204);
        return;
    }
    out_init(&text, &request->arena);
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_key(&json, "here");
    json_open(&json, '[');
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if (is_here(args, here, seat)) {
            json_int(&json, seat);
            out_add(&text, arena_format(&request->arena, "seat %d is here\n", seat));
        }
    json_close(&json, ']');
    json_member_int(&json, "lasts_s", LASTS_S);
    json_close(&json, '}');
    out_add(&json.out, "\n");
    if (request->form == FORM_TEXT)
        reply_text(request, 200, text.text);
    else
        reply_json(request, 200, &json);
}

/* Both are asked, so the answer takes as long whoever has blocked whom. A game's token alone does
 * not say who plays: nobody has blocked the holder of one. */
static enum step know_blocks(struct op *op, unsigned seats)
{
    struct here_args *args = op->args;
    int mine = use_case_seat(&op->live->row, seats);
    const struct db_seat *own = &op->live->row.seat[mine - 1];
    const struct db_seat *other = &op->live->row.seat[(int)rules_other((unsigned)mine) - 1];
    enum step step;

    if (args->leaves || !own->has_player || !other->has_player)
        return STEP_GO;
    step = hearing_know(op, &args->to_me, other->player, own->player);
    return step == STEP_GO ? hearing_know(op, &args->by_me, own->player, other->player) : step;
}

static enum step step_here(struct op *op)
{
    struct here_args *args = op->args;
    unsigned seats;
    enum step step = use_case_may_act(op, &guard_none, &seats);

    if (step == STEP_GO)
        step = op_need_confirmed(op);
    if (step == STEP_GO)
        step = know_blocks(op, seats);
    if (step != STEP_GO)
        return step;
    args->now = op->now;
    args->own = seats;
    /* What nobody is told is not kept: with the player who leaves, their blocks go. */
    db_set_here(db_of(op->request), op->live->row.id, seats,
                args->leaves || is_apart(args) ? 0 : op->now,
                ASK(here, args->request, show_here, args));
    return STEP_OVER;
}

static void submit_here(struct request *request, bool leaves)
{
    struct here_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    args->request = request;
    args->leaves = leaves;
    if (input_no_query(request) && (leaves || input_no_body(request)) && input_id(request, &id))
        op_submit(op_new(request, step_here, args), id);
}

void handle_put_here(struct request *request)
{
    submit_here(request, false);
}

void handle_delete_here(struct request *request)
{
    submit_here(request, true);
}
