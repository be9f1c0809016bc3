#include "api/endpoints/engine/computer_moves.h"

#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/common.h"
#include "api/endpoints/engine/search_payer.h"
#include "api/endpoints/games/plans.h"
#include "api/endpoints/games/seek.h"
#include "api/game/offer_actions.h"
#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/live/fetch.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/net/offload.h"
#include "api/text/move_text.h"
#include "engine/engine.h"

_Static_assert((int)OPPONENT_LEVELS == (int)ENGINE_LEVELS, "every level can be played");

enum {
    WORSE = -100, /* hundredths of a man at which it accepts a draw */
    LATER_US =
        5000000 /* after which a daemon without thinkers, or room for a search, looks again */
};

/* A search, and what it has found. It is the thinker's while it is under way. */
struct thinking {
    struct db_due due;
    struct job *job;
    int32_t line, ply; /* the position that is searched */
    bool found;

    /* What is searched. */
    const struct rules_game *game;
    struct rules_state *state;
    struct rules_history history;
    unsigned level;
    uint64_t seed;

    /* What was found. */
    enum engine_answer answer;
    const char *move;
    int32_t score; /* for the side to move */

    atomic_bool *cancel;
    struct thinking *next; /* of those that are under way */
};

/* ---- those that are under way ---- */

static void take_out(struct loop *loop, const struct thinking *thinking)
{
    struct thinking *first = thinking_of(loop), **at = &first;

    while (*at != thinking)
        at = &(*at)->next;
    *at = thinking->next;
    loop->own[PART_thinking] = first;
}

static bool is_there(const struct thinking *thinking, const struct db_game *row)
{
    return row->status == STATUS_ACTIVE && row->line == thinking->line && row->ply == thinking->ply;
}

/* What another loop or daemon wrote is not known yet: then it may be in vain. */
void thinking_heard(struct loop *loop, const struct table *table, bool written)
{
    for (struct thinking *thinking = thinking_of(loop); thinking != NULL; thinking = thinking->next)
        if (memcmp(&thinking->due.id, &table->row.id, sizeof(table->row.id)) == 0 &&
            !(written && is_there(thinking, &table->row)))
            atomic_store(thinking->cancel, true);
}

void thinking_stop(struct loop *loop)
{
    for (struct thinking *thinking = thinking_of(loop); thinking != NULL; thinking = thinking->next)
        atomic_store(thinking->cancel, true);
}

bool thinking_idle(const struct loop *loop)
{
    return thinking_of(loop) == NULL;
}

/* ---- searching ---- */

/* On a thinker's thread. */
static void search(struct request *request, void *args, struct thought *thought)
{
    struct thinking *thinking = args;
    struct engine_task task = {thinking->game, thinking->state, thinking->history,
                               &thought->cancel};
    struct engine_choice choice;

    thinking->answer =
        engine_choose(thought->engine, &task, thinking->level, thinking->seed, &choice);
    thinking->found = thinking->answer != ENGINE_CANCELLED;
    thinking->score = choice.line.score;
    thought->nodes += choice.nodes;
    if (thinking->answer == ENGINE_MOVES)
        thinking->move = move_text(&request->arena, thinking->game, thinking->state, choice.move);
}

/* A promise that was refused a thinker comes again when its lease is over. */
static void on_searched(struct request *request, void *args)
{
    struct thinking *thinking = args;

    take_out(request->loop, thinking);
    if (request->reply.status != 0)
        return;
    request->arrived = request->loop->now;
    job_submit(thinking->job, thinking->due.id);
}

/* The keys of the positions before the present one, as far back as one can be repeated. */
static enum step copy_history(struct job *job, struct rules_history *history)
{
    const struct table *table = job->table;
    size_t span = table->game->span(table->state), past = (size_t)table->row.ply;
    size_t n = span < past ? span : past;
    uint64_t *keys;
    enum step step = needs_keys(job, table->row.ply - (int32_t)n);

    if (step != STEP_GO)
        return step;
    keys = arena_alloc(&job->request->arena, (n + 1) * sizeof(*keys));
    memcpy(keys, table->keys + table->nkeys - 1 - n, n * sizeof(*keys));
    *history = (struct rules_history){keys, n};
    return STEP_GO;
}

static void copy_state(struct thinking *thinking, struct arena *arena,
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

static enum step begin(struct job *job)
{
    struct thinking *thinking = job->args;
    struct request *request = job->request;
    const struct db_game *row = &job->table->row;
    enum step step = copy_history(job, &thinking->history);

    if (step != STEP_GO)
        return step;
    thinking->line = row->line;
    thinking->ply = row->ply;
    thinking->game = job->table->game;
    copy_state(thinking, &request->arena, job->table->state);
    thinking->level = opponent_level(thinker_of(row)->engine);
    thinking->seed = opponent_seed(row);
    request->client = causes_client(row);
    thinking->next = thinking_of(request->loop);
    request->loop->own[PART_thinking] = thinking;
    thinking->cancel = offload_think(request, search, on_searched, thinking);
    return STEP_OVER;
}

/* ---- acting ---- */

static enum step settle(struct job *job, int64_t at)
{
    const struct thinking *thinking = job->args;

    due_settle(job->request, &thinking->due, at);
    return STEP_OVER;
}

static void on_written(struct job *job)
{
    play_count_moves(job);
    settle(job, DB_NEVER);
}

/* The opponent has claimed its win by the rules in place of a move (rules_game.declare). */
static void declare(struct course *course)
{
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (course->game->declare(&course->state, &outcome, &why))
        course_stop(course, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason),
                    EVENT_DECLARED, course->row.to_move);
}

/* Where an undo has gone back to its turn, the move that it made there is still on the line. As it
 * would make the same one again, it goes on along that line, and what was undone behind it can
 * still be redone. */
static bool has_made_it(const struct job *job)
{
    const struct thinking *thinking = job->args;
    const struct line_moves *moves = &job->moves;

    return moves->count == 1 && moves->moves[0].ply == job->table->row.ply + 1 &&
           strcmp(moves->moves[0].move, thinking->move) == 0;
}

static enum step move(struct job *job, struct course *course)
{
    const struct thinking *thinking = job->args;
    const struct db_game *row = &job->table->row;
    enum step step = row->ply < row->tip ? jump_need_on(job, row->ply + 1) : STEP_GO;
    struct rules_refusal why;
    int32_t from;

    if (step != STEP_GO)
        return step;
    if (row->ply < row->tip && has_made_it(job))
        return jump_on(course, job, row->ply + 1) ? STEP_GO : play_fail(job);
    switch (course_play(course, thinking->move, &why, &from)) {
    case COURSE_NEEDS_KEYS:
        return needs_keys(job, from);
    case COURSE_REFUSED:
        return play_fail(job);
    case COURSE_PLAYED:
        break;
    }
    return plan_answer(job, course);
}

/* Whether it accepts a draw: it stands worse, as far as it sees. */
static bool stands_worse(const struct thinking *thinking, bool to_move)
{
    return (to_move ? thinking->score : -thinking->score) <= WORSE;
}

/* Moves, or answers an offer; a move ends the offer, too. */
static enum step act(struct job *job)
{
    const struct thinking *thinking = job->args;
    struct course *course = play_course(job);
    const struct offer *asked = opponent_asked(&course->row, &course->offers);
    bool to_move = opponent_is_due(&course->row);
    enum step step = STEP_GO;

    if (thinking->answer == ENGINE_OVER)
        return settle(job, DB_NEVER);
    if (to_move && thinking->answer == ENGINE_DECLARES)
        declare(course);
    else if (asked != NULL && stands_worse(thinking, to_move))
        deals_accept(course, asked->id);
    else if (to_move)
        step = move(job, course);
    else if (asked != NULL)
        deals_decline(course, asked->id);
    return step == STEP_GO ? play_write_then(job, course, on_written) : step;
}

/* ---- keeping a promise ---- */

/* Until when the clock stands still by agreement; 0: it does not. */
static int64_t paused_until(const struct job *job)
{
    const struct clock *clock = job->table->clock;

    return clock != NULL && clock->state.paused_until > job->now ? clock->state.paused_until : 0;
}

static bool is_wanted(const struct job *job)
{
    const struct table *table = job->table;

    return opponent_is_due(&table->row) || opponent_asked(&table->row, table_offers(table)) != NULL;
}

static enum step step_think(struct job *job)
{
    const struct thinking *thinking = job->args;
    const struct loop *loop = job->request->loop;
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    if (!is_wanted(job))
        return settle(job, DB_NEVER);
    if (paused_until(job) != 0)
        return settle(job, paused_until(job));
    if (thinking->found && is_there(thinking, &job->table->row))
        return act(job);
    if (loop->draining)
        return settle(job, job->now);
    if (!thinkers_have_room(thinkers_of(loop), causes_client(&job->table->row)))
        return settle(job, job->now + LATER_US);
    return begin(job);
}

void thinking_keep(struct request *request, const struct db_due *due)
{
    struct thinking *thinking = arena_zero(&request->arena, sizeof(*thinking));

    thinking->due = *due;
    thinking->job = job_new(request, step_think, thinking);
    job_submit(thinking->job, due->id);
}
