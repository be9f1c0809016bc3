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
 * The old game keeps its next one for good, also if its end is taken back.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/games/create.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/ids.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"

struct rematch {
    const struct guard *guard;
    bool counted; /* among the games that the asker has made */
    bool made;    /* the next game is stored */
    struct creation *next;
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

static enum step show_rematch(struct op *op, unsigned status)
{
    struct rematch *rematch = op->args;

    rematch->status = status;
    op_submit(op_new(op->request, step_show, rematch), op->live->row.next);
    return STEP_OVER;
}

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
    row->id = ids_next(old->id);
    randombytes_buf(&row->seed, sizeof(row->seed));
    row->undo = old->undo;
    row->visibility = old->visibility;
    for (int i = 0; i < DB_SEATS; i++)
        row->seat[i] = copy_seat(arena, &old->seat[DB_SEATS - 1 - i]);
    return creation;
}

/* It may be there already: the other side asks at the same moment, or somebody did before, and the
 * daemon died. */
static void rematch_made(void *context, const struct db_reply *reply)
{
    struct op *op = context;
    struct rematch *rematch = op->args;

    op->request->made = reply->outcome == DB_OK;
    if (op->request->made)
        due_stored(op->request->loop, rematch->next->create.dues, rematch->next->create.ndues,
                   op->now);
    rematch->made = true;
}

static enum step make_rematch(struct op *op)
{
    struct rematch *rematch = op->args;

    if (!rematch->counted && !admission_may_make(op->request))
        return STEP_OVER;
    rematch->counted = true;
    rematch->next = next_creation(op);
    if (!create_quietly(rematch->next))
        return STEP_OVER;
    db_create(db_of(op->request), &rematch->next->create,
              ASK_STEP_ALSO(done, op, ASK_CONFLICT, rematch_made, op));
    return STEP_LATER;
}

/* ---- the old game ---- */

static void on_linked(struct op *op)
{
    show_rematch(op, 201);
}

static enum step link_next(struct op *op, unsigned seats)
{
    struct draft *draft = use_case_draft(op);
    int seat = (seats & seat_bit(1)) != 0 ? 1 : 2;
    char id[IDS_TEXT];

    draft->row.has_next = true;
    draft->row.next = ids_next(draft->row.id);
    ids_text(draft->row.next, id);
    draft_data(draft, draft_event(draft, EVENT_REMATCH, seat),
               arena_format(draft->arena, "\"game\":\"%s\"", id));
    return use_case_write_then(op, draft, on_linked);
}

static enum step step_rematch(struct op *op)
{
    const struct rematch *rematch = op->args;
    const struct db_game *row = &op->live->row;
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, rematch->guard, &seats);

    if (step != STEP_GO)
        return step;
    if (row->has_next)
        return show_rematch(op, 200);
    why = may_not_rematch(row, seats);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    return rematch->made ? link_next(op, seats) : make_rematch(op);
}

/* The request has done it before. */
static enum step retries_rematch(struct op *op)
{
    reply_replayed(op->request);
    return show_rematch(op, 201);
}

/* Makes or finds the next game, and answers with it. `guard` must live as long as the request. */
static void rematch_begin(struct request *request, db_id id, const struct guard *guard)
{
    struct rematch *rematch = arena_zero(&request->arena, sizeof(*rematch));

    rematch->guard = guard;
    use_case_submit(request, id, step_rematch, retries_rematch, rematch);
}

/* ---- requests ---- */

void handle_rematch(struct request *request)
{
    guard_bare(request, rematch_begin);
}
