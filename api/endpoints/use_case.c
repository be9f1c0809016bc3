#include "api/endpoints/use_case.h"

#include <string.h>

#include "api/duty/heartbeat.h"
#include "api/endpoints/engine/search_payer.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/live/fetch.h"
#include "api/live/idempotency.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/thinkers.h"
#include "api/view/game.h"
#include "api/view/view.h"

/* ---- who asks ---- */

struct game_view use_case_view(const struct op *op)
{
    const struct live_game *live = op->live;

    return (struct game_view){.row = &live->row,
                              .game = live->game,
                              .state = live->state,
                              .clock = live->clock,
                              .offers = live_offers(live),
                              .seats = auth_seats(op->request, &live->row),
                              .hints = thinkers_anywhere(),
                              .now = op->now,
                              .gaps = op->gaps,
                              .lang = op->request->lang};
}

int use_case_seat(const struct db_game *row, unsigned seats)
{
    if (seats == SEATS_BOTH)
        return row->to_move;
    return seats == seat_bit(1) ? 1 : 2;
}

bool use_case_hides(const struct op *op)
{
    return !auth_sees(op->request, &op->live->row);
}

enum step use_case_refuse(struct op *op, enum problem problem, const char *detail)
{
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    if (problem == PROBLEM_NO_SUCH_GAME)
        reply_problem(op->request, problem, NULL); /* nothing shows that there is a game */
    else
        refuse_game(op->request, &view, problem, detail);
    return STEP_OVER;
}

enum step use_case_fail(struct op *op)
{
    reply_problem(op->request, PROBLEM_INTERNAL, NULL);
    return STEP_OVER;
}

/* Refuses somebody who plays no seat. Of a private game they are told that it does not exist. */
static enum step refuse_stranger(struct op *op)
{
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    if (use_case_hides(op))
        reply_problem(op->request, PROBLEM_NO_SUCH_GAME, NULL);
    else if (auth_is_challenged(op->request, &op->live->row))
        return use_case_refuse(
            op, PROBLEM_NOT_YOUR_SEAT,
            "That seat is kept for you: accept the challenge by POST "
            "/v1/games/{id}/join, or decline it by POST /v1/games/{id}/decline.");
    else
        auth_require_seats(op->request, &op->live->row);
    return STEP_OVER;
}

enum step use_case_refuse_version(struct op *op)
{
    return use_case_refuse(op, PROBLEM_VERSION_MISMATCH,
                           arena_format(&op->request->arena,
                                        "The game has changed since: its version is \"%d\" now.",
                                        op->live->row.version));
}

/* A stranger is refused first: a problem about the version or the line would tell of a private game
 * that it exists. */
enum step use_case_may_act(struct op *op, const struct guard *guard, unsigned *seats)
{
    const struct db_game *row = &op->live->row;

    *seats = auth_seats(op->request, row);
    if (*seats == 0)
        return refuse_stranger(op);
    if (op_tells_first(op))
        return STEP_OVER;
    if (!guard_holds(guard, row))
        return use_case_refuse_version(op);
    if (guard->line != MAY_ANY && guard->line != row->line)
        return use_case_refuse(
            op, PROBLEM_STALE_PLY,
            arena_format(&op->request->arena,
                         "The game is on line %d, not %d. A line begins with the "
                         "move after an undo.",
                         row->line, guard->line));
    return row->clock == NULL ? STEP_GO : heartbeat_need(op, op->now - HEARTBEAT_OUTAGE_US);
}

/* ---- of seats alone ---- */

struct as_seat {
    void (*then)(struct request *request, void *args);
    void *args;
};

static enum step step_as_seat(struct op *op)
{
    const struct as_seat *as_seat = op->args;
    unsigned seats;
    enum step step = use_case_may_act(op, &guard_none, &seats);

    if (step == STEP_GO)
        step = op_need_confirmed(op);
    if (step != STEP_GO)
        return step;
    as_seat->then(op->request, as_seat->args);
    return STEP_OVER;
}

void use_case_as_seat(struct request *request, void (*then)(struct request *request, void *args),
                      void *args)
{
    struct as_seat *as_seat = arena_alloc(&request->arena, sizeof(*as_seat));
    db_id id;

    *as_seat = (struct as_seat){then, args};
    if (input_id(request, &id))
        op_submit(op_new(request, step_as_seat, as_seat), id);
}

void use_case_submit(struct request *request, db_id id, enum step (*step)(struct op *op),
                     enum step (*again)(struct op *op), void *args)
{
    struct idempotency *idempotency;
    struct op *op;

    if (!idempotency_read(request, again == NULL, &idempotency))
        return;
    op = op_new(request, step, args);
    op->idempotency = idempotency;
    op->again = again;
    op_submit(op, id);
}

/* ---- the last move ---- */

rules_move use_case_last_move(const struct live_game *live, const char *before, const char *text)
{
    struct rules_state state;
    struct rules_refusal why;
    rules_move move;

    if (text == NULL || !rules_load(live->game, &live->options, before, &state, &why) ||
        !live->game->read_move(&state, text, &move, &why))
        return (rules_move){{0, 0}};
    return move;
}

enum step use_case_know_last_move(struct op *op)
{
    struct live_game *live = op->live;
    const struct db_game *row = &live->row;
    const char *position = row->start;

    /* Only a game that was just read from the database does not know its last move. */
    if (live->game->pretty == NULL || row->ply == 0 ||
        !rules_same_move(live->last, (rules_move){{0, 0}}))
        return STEP_GO;
    if (row->ply > 1) {
        enum step step = fetch_moves(op, row->line, row->ply - 1, row->ply - 1);

        if (step != STEP_GO)
            return step;
        position = op->moves.count == 1 ? op->moves.moves[0].position : row->start;
    }
    live->last = use_case_last_move(live, position, row->last_move);
    return STEP_GO;
}

/* ---- drafts ---- */

struct draft *use_case_draft(struct op *op)
{
    return use_case_draft_at(op, op->now);
}

struct draft *use_case_draft_at(struct op *op, int64_t now)
{
    struct arena *arena = &op->request->arena;
    struct draft *draft = arena_alloc(arena, sizeof(*draft));
    const struct live_game *live = op->live;

    draft_new(draft, arena, live->game, now);
    draft->row = live->row;
    draft->kept_to_ply = live->row.ply;
    rules_copy(live->state, &draft->state);
    draft->last = live->last;
    draft->keys_from = live->keys_from;
    draft->nkeys = draft->old_keys = live->nkeys;
    draft->keys_size = live->keys_size;
    /* The draft may add keys in the room behind the live game's own: the live game does not count
     * them until the draft is written, and the next op begins at the same place. */
    draft->keys = live->keys;
    draft_take(draft, live->clock, live_offers(live), op->gaps);
    draft_credit(draft);
    draft->seats = auth_seats(op->request, &draft->row);
    return draft;
}

struct game_view use_case_draft_view(const struct request *request, struct draft *draft,
                                     unsigned seats)
{
    draft_store(draft);
    return (struct game_view){.row = &draft->row,
                              .game = draft->game,
                              .state = &draft->state,
                              .clock = draft->clock,
                              .offers = &draft->offers,
                              .seats = seats,
                              .hints = thinkers_anywhere(),
                              .now = draft->now,
                              .gaps = draft->gaps,
                              .lang = request->lang};
}

static void tell_element(void *context, const struct draft_move *move)
{
    struct json *list = context;

    json_open(list, '{');
    view_played_move(list, move);
    json_close(list, '}');
}

static void tell_members(void *context, const struct draft_move *move)
{
    view_played_move(context, move);
}

void use_case_tell_moves(struct draft *draft, bool single, struct json *moves)
{
    draft->played = single ? tell_members : tell_element;
    draft->context = moves;
}

/* Adds such a list as a member. Without any elements nothing is added. */
static void play_add_list(struct json *json, const char *key, const struct json *list)
{
    if (list->out.len == 0)
        return;
    json_key(json, key);
    json_raw(json, arena_format(json->out.arena, "[%s]", list->out.text));
}

void use_case_add_game(struct json *json, const struct op *op, const struct game_view *view)
{
    view_game_member(json, view, op->request->choice);
}

const char *use_case_document(const struct op *op, const struct game_view *view,
                              const struct json *answers)
{
    struct arena *arena = &op->request->arena;
    struct json json;

    if (op->request->form == FORM_TEXT)
        return view_game_text(arena, view);
    json_init(&json, arena);
    json_open(&json, '{');
    view_game(&json, view, op->request->choice);
    if (answers != NULL)
        play_add_list(&json, "answers", answers);
    view_game_member(&json, view, op->request->choice);
    json_finish(&json);
    return json.out.text;
}

const char *use_case_token_document(struct request *request, const struct game_view *view,
                                    const char *token, int seat)
{
    struct arena *arena = &request->arena;
    struct json json;

    if (request->form == FORM_TEXT)
        return *token == '\0' ? view_game_text(arena, view) : view_token_text(arena, view, token);
    json_init(&json, arena);
    json_open(&json, '{');
    view_kept_game(&json, view, request->choice);
    json_member(&json, "token", token);
    if (seat != 0)
        json_member_int(&json, "seat", seat);
    json_finish(&json);
    return json.out.text;
}

const char *use_case_moves_document(const struct op *op, const struct game_view *view, bool single,
                                    const struct json *moves, const struct json *answers)
{
    struct arena *arena = &op->request->arena;
    struct json json;

    if (op->request->form == FORM_TEXT)
        return view_game_text(arena, view);
    json_init(&json, arena);
    json_open(&json, '{');
    if (single)
        json_raw(&json, moves->out.text);
    else
        play_add_list(&json, "moves", moves);
    play_add_list(&json, "answers", answers);
    use_case_add_game(&json, op, view);
    json_finish(&json);
    return json.out.text;
}

size_t use_case_game_number(const struct rules_game *game)
{
    for (size_t i = 0; i < rules_games(); i++)
        if (rules_game(i) == game)
            return i;
    return 0;
}

/* ---- writing ---- */

/* The answer to a write. All of it is known before the write, so nothing can fail after it: what
 * was committed is also answered. */
struct prepared {
    const char *document;
    unsigned status;
    const char *etag;
};

void use_case_count_moves(struct op *op)
{
    struct metrics *metrics = &op->request->loop->metrics;
    uint64_t moves = 0;

    for (size_t i = 0; i < op->write.count; i++)
        moves += op->write.events[i].kind == EVENT_MOVE;
    metrics_add(&metrics->moves[use_case_game_number(op->live->game)], moves);
}

static void on_op_written(struct op *op)
{
    const struct prepared *prepared = op->prepared;

    use_case_count_moves(op);
    reply_header(op->request, "ETag", prepared->etag);
    reply_made(op->request, prepared->status,
               view_with_game(&op->request->arena, prepared->document));
}

static struct prepared *prepare_op(struct op *op, const struct draft *draft, unsigned status,
                                   const char *document)
{
    struct prepared *prepared = arena_zero(&op->request->arena, sizeof(*prepared));

    prepared->document = document;
    prepared->status = status;
    prepared->etag = reply_etag(&op->request->arena, draft->row.version);
    return prepared;
}

/* The state is copied as far as it is in use: a game's state is much smaller than the largest one.
 */
static void fill_write(struct op *op, struct draft *draft)
{
    size_t size = offsetof(struct rules_state, w) + draft->state.bytes;
    struct rules_state *state = arena_alloc(draft->arena, size);

    draft_store(draft);
    search_payer_note(op->request, &op->live->row, draft);
    memcpy(state, &draft->state, size);
    op->write = (struct live_write){.after = draft->row,
                                    .state = state,
                                    .last = draft->last,
                                    .events = draft->events,
                                    .count = draft->nevents,
                                    .keys_kept_to_ply = draft->kept_to_ply,
                                    .joins = draft->joins,
                                    .dues = draft->dues,
                                    .ndues = draft->ndues,
                                    .new_keys = draft->keys + draft->old_keys,
                                    .nnew_keys = draft->nkeys - draft->old_keys};
}

/* A write would find out by its guard that the copy is stale. Here only a look can. */
static enum step answer_dry_run(struct op *op, const char *document)
{
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    reply_made(op->request, 200, document);
    return STEP_OVER;
}

enum step use_case_write(struct op *op, struct draft *draft, unsigned status, const char *document)
{
    struct prepared *prepared;

    if (draft->dry_run)
        return answer_dry_run(op, document);
    prepared = prepare_op(op, draft, status, document);
    op->prepared = prepared;
    op->written = on_op_written;
    fill_write(op, draft);
    op->write.answer = op->again != NULL ? idempotency_mark(op->idempotency)
                                         : idempotency_seal(op->request, op->idempotency, status,
                                                            prepared->etag, "", document);
    return op_append(op);
}

enum step use_case_write_then(struct op *op, struct draft *draft, void (*written)(struct op *op))
{
    fill_write(op, draft);
    op->written = written;
    op->write.answer = idempotency_mark(op->idempotency);
    return op_append(op);
}

enum step use_case_write_first(struct op *op, struct draft *draft)
{
    fill_write(op, draft);
    op->write.answer = NULL;
    op->goes_on = true;
    return op_append(op);
}

enum step use_case_write_game(struct op *op, struct draft *draft)
{
    struct game_view view = use_case_draft_view(op->request, draft, draft->seats);

    return use_case_write(op, draft, 200, use_case_document(op, &view, NULL));
}

enum step use_case_answer_game(struct op *op)
{
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    reply_header(op->request, "ETag", reply_etag(&op->request->arena, view.row->version));
    reply_made(op->request, 200, use_case_document(op, &view, NULL));
    return STEP_OVER;
}

enum step use_case_end(struct op *op, struct draft *draft, int status, int winner,
                       const char *reason, int kind, int seat)
{
    draft_stop(draft, status, winner, reason, kind, seat);
    return use_case_write_game(op, draft);
}
