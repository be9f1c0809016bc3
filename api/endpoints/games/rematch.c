/*
 * rematch.c - the next game of the same players.
 *
 * A game that was finished is followed by one with the sides swapped.
 *
 * The next game has the same players, tokens, names and engines, the same options, start, clock
 * and terms. A seat whose player has left is open in it. There is one next game, whoever asks for
 * it and how often: its id follows from that of the old one. It is made first, then the old game
 * points to it. If the daemon dies in between, whoever asks again finds it there.
 *
 * Of two players, nobody begins a game for the other one. What they ask for is a challenge, and the
 * old game learns of it when it is accepted: by whoever joins, or asks for a rematch, too. Whoever
 * has blocked them hears of it nowhere, as of any challenge. One that was called off is followed by
 * a further one, whose id follows from its own: so these are a chain, of which all but the last one
 * were called off.
 *
 * The old game keeps its next one for good, also if its end is taken back.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/duty/heartbeat.h"
#include "api/endpoints/games/challenge.h"
#include "api/endpoints/games/create.h"
#include "api/endpoints/games/origin.h"
#include "api/endpoints/games/seats.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/ids.h"
#include "api/game/rights.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/idempotency.h"
#include "api/live/op.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"

enum { CHAIN_MAX = 8 }; /* games that are asked for as rematches of one */

/* The last game of the chain that was read. */
struct link {
    int number; /* in the chain, from 1 on; 0: none was read */
    db_id id;
    enum { LINK_CALLED_OFF, LINK_MISSING, LINK_WAITS, LINK_BEGUN } state;
    int kept;             /* the seat of a challenge that waits */
    bool looked, is_told; /* for the request's key; it has made this game */
    struct origin origin; /* of one that has begun */
};

struct rematch {
    struct request *request;
    const struct guard *guard;
    db_id old;
    struct link link;
    bool counted; /* among the games that the asker has made */
    bool asks;    /* the next game is a challenge */
    struct idempotency *idempotency;
    struct creation *next;
    struct sitter accepts; /* who takes the seat that was kept for them */
    uint8_t token[DB_HASH_BYTES];
    unsigned status; /* of the answer */
};

/* ---- the answer ---- */

/* The token of a seat plays the next game too. What says who a player is need not be told. */
static const char *own_token(struct request *request, const struct game_view *view)
{
    return view->seats == 0 || request->player != NULL ? NULL : request_token(request);
}

/* A step at the next game. */
static enum step step_show(struct op *op)
{
    const struct rematch *rematch = op->args;
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    const char *token;
    char id[IDS_TEXT];
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    if (use_case_hides(op))
        return use_case_refuse(op, PROBLEM_NO_SUCH_GAME, NULL);
    ids_text(view.row->id, id);
    reply_header(request, "ETag", reply_etag(&request->arena, view.row->version));
    reply_header(request, "Location", arena_format(&request->arena, "/v1/games/%s", id));
    token = own_token(request, &view);
    reply_made(request, rematch->status,
               token == NULL ? use_case_document(op, &view, NULL)
                             : view_with_game(&request->arena,
                                              use_case_token_document(request, &view, token, 0)));
    return STEP_OVER;
}

static enum step show_game(struct rematch *rematch, db_id game, unsigned status)
{
    rematch->status = status;
    op_submit(op_new(rematch->request, step_show, rematch), game);
    return STEP_OVER;
}

/* Whoever accepts has not made the game. */
static enum step show_linked(struct op *op)
{
    const struct db_game *row = &op->live->row;

    return show_game(op->args, row->next, row_has_two_players(row) ? 200 : 201);
}

/* ---- the chain ---- */

static void know_link(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct link *link = &((struct rematch *)context)->link;

    link->state = LINK_MISSING;
    if (reply->outcome == DB_NOT_FOUND)
        return;
    link->kept = row_challenge_seat(game);
    if (link->kept == 0)
        link->state = LINK_BEGUN;
    else
        link->state = game->status == STATUS_OPEN ? LINK_WAITS : LINK_CALLED_OFF;
}

static enum step read_next_link(struct op *op)
{
    struct rematch *rematch = op->args;
    db_id next = ids_next(rematch->link.number == 0 ? rematch->old : rematch->link.id);

    rematch->link = (struct link){.number = rematch->link.number + 1, .id = next};
    db_get_game(db_of(op->request), next, ASK_STEP_ALSO(game, op, ASK_MISSING, know_link, rematch));
    return STEP_LATER;
}

static void know_mark(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct op *op = context;
    struct link *link = &((struct rematch *)op->args)->link;

    link->looked = true;
    if (reply->outcome == DB_NOT_FOUND)
        return;
    link->is_told = idempotency_is_same(op->idempotency, answer);
    if (!link->is_told)
        reply_problem(op->request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
}

/* Whether the request has made this game of the chain. A challenge has its mark; what it made at
 * once has none, since the old game has that. */
static enum step look_for_mark(struct op *op, const struct link *link)
{
    if (op->idempotency == NULL || link->looked || link->state == LINK_MISSING)
        return STEP_GO;
    db_get_answer(db_of(op->request), link->id, op->idempotency->key,
                  ASK_STEP_ALSO(answer, op, ASK_MISSING, know_mark, op));
    return STEP_LATER;
}

/* Reads the chain up to the game that was not called off, or that the request has made. */
static enum step walk(struct op *op)
{
    const struct link *link = &((struct rematch *)op->args)->link;
    enum step step;

    if (link->number == 0)
        return read_next_link(op);
    step = look_for_mark(op, link);
    if (step != STEP_GO || link->is_told || link->state != LINK_CALLED_OFF ||
        link->number == CHAIN_MAX)
        return step;
    return read_next_link(op);
}

static void submit_rematch(struct rematch *rematch);

/* ---- the next game ---- */

/* The same sitter, as texts of the request. Nobody plays a seat without a token and a player. */
static struct db_seat copy_seat(struct arena *arena, const struct db_seat *old)
{
    struct db_seat seat = *old;

    seat.has_invitation = false;
    if (seat.state == SEAT_TAKEN && !seat.has_token && !seat.has_player)
        seat = (struct db_seat){.state = SEAT_OPEN};
    if (seat.name != NULL)
        seat.name = arena_copy(arena, seat.name, strlen(seat.name));
    if (seat.engine != NULL)
        seat.engine = arena_copy(arena, seat.engine, strlen(seat.engine));
    return seat;
}

static const struct clock_terms *copy_terms(struct arena *arena, const struct clock *clock)
{
    struct clock_terms *terms = arena_alloc(arena, sizeof(*terms));

    if (clock == NULL)
        return NULL;
    *terms = clock->terms;
    return terms;
}

static struct creation *next_creation(struct op *op)
{
    struct request *request = op->request;
    struct arena *arena = &request->arena;
    struct creation *creation = arena_zero(arena, sizeof(*creation));
    const struct db_game *old = &op->live->row;
    struct db_game *row = &creation->draft.row;
    char id[IDS_TEXT];

    creation->request = request;
    draft_new(&creation->draft, arena, NULL, op->now);
    setup_inherit(creation, op->live->game, old->options, old->start);
    creation->clock = copy_terms(arena, op->live->clock);
    ids_text(old->id, id);
    creation->origin = arena_format(arena, "{\"rematch_of\":\"%s\"}", id);
    row->id = ((const struct rematch *)op->args)->link.id;
    randombytes_buf(&row->seed, sizeof(row->seed));
    row->undo = old->undo;
    row->visibility = old->visibility;
    for (int i = 0; i < DB_SEATS; i++)
        row->seat[i] = copy_seat(arena, &old->seat[DB_SEATS - 1 - i]);
    return creation;
}

/* Keeps the seat of the other player, of whom nothing is told until they take it. */
static void keep_seat(struct creation *creation, const struct db_game *old, int seat)
{
    creation->challenged_seat = seat;
    creation->challenged = old->seat[DB_SEATS - seat].player;
    creation->challenger = old->seat[seat - 1].player;
    creation->challenge_us = CHALLENGE_US;
    creation->draft.row.seat[seat - 1] = (struct db_seat){.state = SEAT_CHALLENGED};
}

/* It may be there already: the other side asks at the same moment, or somebody did before, and the
 * daemon died. */
static void on_next_stored(void *context, bool made)
{
    struct rematch *rematch = context;

    if (made && rematch->asks) {
        show_game(rematch, rematch->link.id, 201);
        return;
    }
    if (made)
        rematch->link = (struct link){.number = rematch->link.number,
                                      .id = rematch->link.id,
                                      .state = LINK_BEGUN,
                                      .looked = true,
                                      .origin = {.is_known = true}};
    else
        rematch->link.number = 0;
    submit_rematch(rematch);
}

static void store_next(void *context)
{
    struct rematch *rematch = context;

    if (!create_quietly(rematch->next))
        return;
    if (rematch->asks)
        rematch->next->create.answer = idempotency_mark(rematch->idempotency);
    create_store_then(rematch->next, on_next_stored, rematch);
}

/* The op is over meanwhile: the old game does not change. */
static enum step make_next(struct op *op, int seat)
{
    struct rematch *rematch = op->args;
    const struct db_game *row = &op->live->row;

    if (!rematch->counted && !admission_may_make(op->request))
        return STEP_OVER;
    rematch->counted = true;
    rematch->next = next_creation(op);
    rematch->idempotency = op->idempotency;
    rematch->asks = row_has_two_players(row);
    if (rematch->asks) {
        keep_seat(rematch->next, row, seat);
        challenge_weigh(rematch->next, store_next, rematch);
    } else {
        store_next(rematch);
    }
    return STEP_OVER;
}

/* ---- accepting ---- */

static void on_accepted(struct op *op)
{
    struct rematch *rematch = op->args;

    rematch->link.state = LINK_BEGUN;
    submit_rematch(rematch);
}

/* At the next game. It may be answered by now, or called off. */
static enum step step_accept(struct op *op)
{
    struct rematch *rematch = op->args;
    const struct db_game *row = &op->live->row;
    int seat = rematch->link.kept;
    struct draft *draft;

    if (row->status != STATUS_OPEN || row_challenge_seat(row) != seat) {
        rematch->link.number = 0;
        submit_rematch(rematch);
        return STEP_OVER;
    }
    if (!row_is_reserved(&row->seat[seat - 1], op->now))
        return use_case_refuse(op, PROBLEM_INVITATION_VOID, NULL);
    draft = use_case_draft(op);
    draft->follows = true;
    seats_sit(draft, seat, &rematch->accepts);
    return use_case_write_then(op, draft, on_accepted);
}

/* Whoever asks, by whichever token, takes the seat that is kept for the player of their old one. */
static enum step accept(struct op *op, const struct db_seat *old)
{
    struct rematch *rematch = op->args;

    memcpy(rematch->token, old->token, sizeof(rematch->token));
    rematch->accepts = (struct sitter){
        .name = old->name == NULL ? NULL
                                  : arena_copy(&op->request->arena, old->name, strlen(old->name)),
        .has_player = true,
        .has_hooks = true, /* that is found out with the first event */
        .player = old->player,
        .token = old->has_token ? rematch->token : NULL};
    op_submit(op_new(op->request, step_accept, rematch), rematch->link.id);
    return STEP_OVER;
}

/* ---- the old game ---- */

/* The old game points to the next one, as the deed of a seat. */
static struct draft *link_next(struct op *op, db_id next, int seat)
{
    struct draft *draft = use_case_draft(op);
    char id[IDS_TEXT];

    draft->row.has_next = true;
    draft->row.next = next;
    ids_text(next, id);
    draft_data(draft, draft_event(draft, EVENT_REMATCH, seat),
               arena_format(draft->arena, "\"game\":\"%s\"", id));
    return draft;
}

static void on_linked(struct op *op)
{
    show_linked(op);
}

/* Sides are swapped: who has accepted had the seat that their challenger has in the next game. */
static int seat_of_deed(const struct origin *origin, int asker)
{
    return origin->challenger != 0 ? origin->challenger : asker;
}

static enum step follow(struct op *op, int asker)
{
    struct link *link = &((struct rematch *)op->args)->link;
    enum step step = origin_know(op, &link->origin, link->id);

    if (step != STEP_GO)
        return step;
    return use_case_write_then(op, link_next(op, link->id, seat_of_deed(&link->origin, asker)),
                               on_linked);
}

static enum step go_on(struct op *op, int seat)
{
    struct rematch *rematch = op->args;

    switch (rematch->link.state) {
    case LINK_MISSING:
        return make_next(op, seat);
    case LINK_WAITS:
        return rematch->link.kept == seat ? show_game(rematch, rematch->link.id, 200)
                                          : accept(op, &op->live->row.seat[seat - 1]);
    case LINK_BEGUN:
        return follow(op, seat);
    case LINK_CALLED_OFF:
        break;
    }
    return use_case_refuse(op, PROBLEM_TOO_MANY_CHALLENGES,
                           "A game has so many rematches at most that were called off.");
}

/* Whoever asks with a key may have made a game of the chain before, whatever has become of both. */
static enum step step_rematch(struct op *op)
{
    struct rematch *rematch = op->args;
    const struct db_game *row = &op->live->row;
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, rematch->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_rematch(row, seats);
    if (op->idempotency != NULL || (!row->has_next && why == PROBLEM_NONE))
        step = walk(op);
    if (step != STEP_GO)
        return step;
    if (rematch->link.is_told) {
        reply_replayed(op->request);
        return show_game(rematch, rematch->link.id, 201);
    }
    if (row->has_next)
        return show_game(rematch, row->next, 200);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    return go_on(op, (seats & seat_bit(1)) != 0 ? 1 : 2);
}

/* The request has done it before. */
static enum step retries_rematch(struct op *op)
{
    reply_replayed(op->request);
    return show_linked(op);
}

static void submit_rematch(struct rematch *rematch)
{
    use_case_submit(rematch->request, rematch->old, step_rematch, retries_rematch, rematch);
}

/* Makes or finds the next game, and answers with it. `guard` must live as long as the request. */
static void rematch_begin(struct request *request, db_id id, const struct guard *guard)
{
    struct rematch *rematch = arena_zero(&request->arena, sizeof(*rematch));

    *rematch = (struct rematch){.request = request, .guard = guard, .old = id};
    submit_rematch(rematch);
}

/* ---- due work ---- */

struct keeping {
    const struct db_due *due;
    struct origin origin;
};

static enum step step_keep_old(struct op *op)
{
    const struct keeping *keeping = op->args;
    const struct db_game *row = &op->live->row;
    enum step step;

    if (row->has_next)
        step = op_need_confirmed(op);
    else
        step = row->clock == NULL ? STEP_GO : heartbeat_need(op, op->now - HEARTBEAT_OUTAGE_US);
    if (step != STEP_GO)
        return step;
    if (!row->has_next)
        return use_case_write_first(
            op, link_next(op, keeping->due->id, seat_of_deed(&keeping->origin, 0)));
    due_settle(op->request, keeping->due, DB_NEVER);
    return STEP_OVER;
}

/* At the next game, which was accepted. */
static enum step step_keep(struct op *op)
{
    struct keeping *keeping = op->args;
    enum step step = origin_know(op, &keeping->origin, keeping->due->id);

    if (step == STEP_GO)
        op_submit(op_new(op->request, step_keep_old, keeping), keeping->origin.game);
    return step == STEP_GO ? STEP_OVER : step;
}

void rematch_keep(struct request *request, const struct db_due *due)
{
    struct keeping *keeping = arena_zero(&request->arena, sizeof(*keeping));

    keeping->due = due;
    op_submit(op_new(request, step_keep, keeping), due->id);
}

/* ---- requests ---- */

void handle_rematch(struct request *request)
{
    guard_bare(request, rematch_begin);
}
