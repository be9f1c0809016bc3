#include "api/endpoints/engine/computer_moves.h"

#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/engine/search_payer.h"
#include "api/endpoints/games/goto_ply.h"
#include "api/endpoints/games/plans.h"
#include "api/endpoints/games/timeout.h"
#include "api/endpoints/use_case.h"
#include "api/game/offer_actions.h"
#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/live/fetch.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/loop/thinkers.h"
#include "api/loop/workers.h"
#include "api/net/offload.h"
#include "api/text/move_text.h"
#include "engine/engine.h"

_Static_assert((int)OPPONENT_LEVELS == (int)ENGINE_LEVELS, "every level can be played");

enum {
    WORSE = -100, /* hundredths of a man at which it accepts a draw */

    /* After which it looks again for room for a search, and for a short one. */
    LATER_US = 5000000,
    SOON_US = 1000000
};

/* A search, and what it has found. It is the thinker's while it is under way. */
struct computer_moves {
    struct db_due due;
    struct op *op;
    int32_t line, ply; /* the position that is searched */
    bool found;

    /* What is searched. */
    const struct rules_game *game;
    struct rules_state *state;
    struct rules_history history;
    unsigned level;
    uint64_t seed;
    int64_t us_max; /* of a processor that the clock has for it; 0: there is no clock */

    /* What was found. */
    enum engine_answer answer;
    const char *move;
    int32_t score; /* for the side to move */
    int64_t us;    /* of a processor that it took */

    atomic_bool *cancel;
    struct computer_moves *next; /* of those that are under way */
};

/* ---- those that are under way ---- */

static void take_thinking_out(struct loop *loop, const struct computer_moves *thinking)
{
    struct computer_moves *first = computer_moves_of(loop), **at = &first;

    while (*at != thinking)
        at = &(*at)->next;
    *at = thinking->next;
    loop->own[PART_computer_moves] = first;
}

static bool is_there(const struct computer_moves *thinking, const struct db_game *row)
{
    return row->status == STATUS_ACTIVE && row->line == thinking->line && row->ply == thinking->ply;
}

/* What another loop or daemon wrote is not known yet: then it may be in vain. */
void computer_moves_heard(struct loop *loop, const struct live_game *live, bool written)
{
    for (struct computer_moves *thinking = computer_moves_of(loop); thinking != NULL;
         thinking = thinking->next)
        if (memcmp(&thinking->due.id, &live->row.id, sizeof(live->row.id)) == 0 &&
            !(written && is_there(thinking, &live->row)))
            atomic_store(thinking->cancel, true);
}

static void computer_moves_stop(struct loop *loop)
{
    for (struct computer_moves *thinking = computer_moves_of(loop); thinking != NULL;
         thinking = thinking->next)
        atomic_store(thinking->cancel, true);
}

static bool computer_moves_idle(const struct loop *loop)
{
    return computer_moves_of(loop) == NULL;
}

/* ---- searching ---- */

/* Then there is no move to be found any more: its time is over. */
static bool has_spent_all(const struct computer_moves *thinking)
{
    return thinking->us_max != 0 && thinking->us >= thinking->us_max;
}

/* On a thinker's thread. */
static void search_computer_move(struct request *request, void *args, struct thought *thought)
{
    struct computer_moves *thinking = args;
    struct engine_task task = {thinking->game, thinking->state, thinking->history, &thought->cancel,
                               (uint32_t)thinking->ply};
    int64_t began = workers_cpu_us();
    struct engine_choice choice;

    if (thinking->us_max != 0)
        atomic_store(&thought->until, began + thinking->us_max);
    thinking->answer =
        engine_choose(thought->engine, &task, thinking->level, thinking->seed, &choice);
    thinking->us = workers_cpu_us() - began;
    thinking->found = thinking->answer != ENGINE_CANCELLED || has_spent_all(thinking);
    thinking->score = choice.line.score;
    thought->nodes += choice.nodes;
    if (thinking->answer == ENGINE_MOVES)
        thinking->move = move_text(&request->arena, thinking->game, thinking->state, choice.move);
}

/* If there is no room for the search, the due work is tried again at the next look. */
static void on_searched(struct request *request, void *args)
{
    struct computer_moves *thinking = args;

    take_thinking_out(request->loop, thinking);
    if (request->reply.status != 0)
        return;
    request->arrived = request->loop->now;
    op_submit(thinking->op, thinking->due.id);
}

/* The keys of the positions before the present one. */
static enum step copy_history(struct op *op, struct rules_history *history)
{
    const struct live_game *live = op->live;
    size_t n = opponent_past(live->game, live->state, (size_t)live->row.ply);
    uint64_t *keys;
    enum step step = fetch_keys(op, live->row.ply - (int32_t)n);

    if (step != STEP_GO)
        return step;
    keys = arena_alloc(&op->request->arena, (n + 1) * sizeof(*keys));
    memcpy(keys, live->keys + live->nkeys - 1 - n, n * sizeof(*keys));
    *history = (struct rules_history){keys, n};
    return STEP_GO;
}

static void copy_state(struct computer_moves *thinking, struct arena *arena,
                       const struct rules_state *state)
{
    thinking->state = arena_alloc(arena, offsetof(struct rules_state, w) + state->bytes);
    rules_copy(state, thinking->state);
}

/* The seat of the opponent. */
static const struct db_seat *thinker_of(const struct db_game *row)
{
    return &row->seat[opponent_thinks(&row->seat[0]) ? 0 : 1];
}

static enum step begin_computer_move(struct op *op)
{
    struct computer_moves *thinking = op->args;
    struct request *request = op->request;
    const struct db_game *row = &op->live->row;
    enum step step = copy_history(op, &thinking->history);

    if (step != STEP_GO)
        return step;
    thinking->line = row->line;
    thinking->ply = row->ply;
    thinking->game = op->live->game;
    copy_state(thinking, &request->arena, op->live->state);
    thinking->level = opponent_level(thinker_of(row)->engine);
    thinking->seed = opponent_seed(row);
    thinking->us_max = op->live->clock != NULL && opponent_is_due(row)
                           ? clock_budget(op->live->clock, row->to_move)
                           : 0;
    request->client = search_payer_client(row);
    thinking->next = computer_moves_of(request->loop);
    request->loop->own[PART_computer_moves] = thinking;
    thinking->cancel = offload_think(request, engine_nodes(thinking->level), search_computer_move,
                                     on_searched, thinking);
    return STEP_OVER;
}

/* ---- acting ---- */

static enum step settle_computer_move(struct op *op, int64_t at)
{
    const struct computer_moves *thinking = op->args;

    due_settle(op->request, &thinking->due, at);
    return STEP_OVER;
}

static void on_computer_written(struct op *op)
{
    use_case_count_moves(op);
    settle_computer_move(op, DB_NEVER);
}

/* The opponent has claimed its win by the rules in place of a move (rules_game.declare). */
static void declare_computer_move(struct draft *draft)
{
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (draft->game->declare(&draft->state, &outcome, &why))
        draft_stop(draft, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason),
                   EVENT_DECLARED, draft->row.to_move);
}

/* Where an undo has gone back to its turn, the move that it made there is still on the line. As it
 * would make the same one again, it goes on along that line, and what was undone behind it can
 * still be redone. */
static bool has_made_it(const struct op *op)
{
    const struct computer_moves *thinking = op->args;
    const struct line_moves *moves = &op->moves;

    return moves->count == 1 && moves->moves[0].ply == op->live->row.ply + 1 &&
           strcmp(moves->moves[0].move, thinking->move) == 0;
}

static enum step move(struct op *op, struct draft *draft)
{
    const struct computer_moves *thinking = op->args;
    const struct db_game *row = &op->live->row;
    enum step step = row->ply < row->tip ? goto_need_on(op, row->ply + 1) : STEP_GO;
    struct rules_refusal why;
    int32_t from;

    if (step != STEP_GO)
        return step;
    if (row->ply < row->tip && has_made_it(op))
        return goto_on(draft, op, row->ply + 1) ? STEP_GO : use_case_fail(op);
    switch (draft_play(draft, thinking->move, &why, &from)) {
    case DRAFT_NEEDS_KEYS:
        return fetch_keys(op, from);
    case DRAFT_REFUSED:
        return use_case_fail(op);
    case DRAFT_PLAYED:
        break;
    }
    return plan_answer(op, draft);
}

/* Whether it accepts a draw: it stands worse, as far as it sees. */
static bool stands_worse(const struct computer_moves *thinking, bool to_move)
{
    return (to_move ? thinking->score : -thinking->score) <= WORSE;
}

/* Charges the clock for the search. False: that took longer than there was time. */
static bool is_in_time(const struct computer_moves *thinking, struct draft *draft)
{
    return draft->clock == NULL ||
           clock_think(draft->clock, draft->row.to_move, thinking->us, draft->now);
}

/* Moves, or answers an offer; a move ends the offer, too. Where time was added, or the database's
 * clock has gone back, a search that had spent all is made anew. */
static enum step act(struct op *op)
{
    const struct computer_moves *thinking = op->args;
    struct draft *draft = use_case_draft(op);
    const struct offer *asked = opponent_asked(&draft->row, &draft->offers);
    bool to_move = opponent_is_due(&draft->row);
    enum step step = STEP_GO;

    if (thinking->answer == ENGINE_OVER)
        return settle_computer_move(op, DB_NEVER);
    if (to_move && !is_in_time(thinking, draft))
        timeout_stop(draft);
    else if (thinking->answer == ENGINE_CANCELLED)
        return begin_computer_move(op);
    else if (to_move && thinking->answer == ENGINE_DECLARES)
        declare_computer_move(draft);
    else if (asked != NULL && stands_worse(thinking, to_move))
        offer_actions_accept(draft, asked->id);
    else if (to_move)
        step = move(op, draft);
    else if (asked != NULL)
        offer_actions_decline(draft, asked->id);
    return step == STEP_GO ? use_case_write_then(op, draft, on_computer_written) : step;
}

/* ---- due work ---- */

/* Until when the clock stands still by agreement; 0: it does not. */
static int64_t paused_until(const struct op *op)
{
    const struct clock *clock = op->live->clock;

    return clock != NULL && clock->state.paused_until > op->now ? clock->state.paused_until : 0;
}

static uint64_t nodes_for(const struct db_game *row)
{
    return engine_nodes(opponent_level(thinker_of(row)->engine));
}

static bool has_computer_room(const struct op *op)
{
    const struct db_game *row = &op->live->row;

    return thinkers_have_room(thinkers_of(op->request->loop), search_payer_client(row),
                              nodes_for(row));
}

static enum step wait_for_room(struct op *op)
{
    bool is_short = nodes_for(&op->live->row) <= THINKERS_SHORT_NODES;

    return settle_computer_move(op, op->now + (is_short ? SOON_US : LATER_US));
}

static bool is_computer_wanted(const struct op *op)
{
    const struct live_game *live = op->live;

    return opponent_is_due(&live->row) || opponent_asked(&live->row, live_offers(live)) != NULL;
}

static enum step step_think(struct op *op)
{
    const struct computer_moves *thinking = op->args;
    const struct loop *loop = op->request->loop;
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    if (!is_computer_wanted(op))
        return settle_computer_move(op, DB_NEVER);
    if (paused_until(op) != 0)
        return settle_computer_move(op, paused_until(op));
    if (thinking->found && is_there(thinking, &op->live->row))
        return act(op);
    if (loop->draining)
        return settle_computer_move(op, op->now);
    return has_computer_room(op) ? begin_computer_move(op) : wait_for_room(op);
}

void computer_moves_keep(struct request *request, const struct db_due *due)
{
    struct computer_moves *thinking = arena_zero(&request->arena, sizeof(*thinking));

    thinking->due = *due;
    thinking->op = op_new(request, step_think, thinking);
    op_submit(thinking->op, due->id);
}

const struct part computer_moves_part = {.drain = computer_moves_stop,
                                         .is_idle = computer_moves_idle};
