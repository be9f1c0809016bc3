#include "api/endpoints/common.h"

#include <string.h>

#include "api/duty/heartbeat.h"
#include "api/endpoints/engine/search_payer.h"
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
#include "api/view/game_text.h"
#include "api/view/moves.h"

/* ---- who asks ---- */

struct game_view play_view(const struct job *job)
{
    const struct table *table = job->table;

    return (struct game_view){.row = &table->row,
                              .game = table->game,
                              .state = table->state,
                              .clock = table->clock,
                              .offers = table_offers(table),
                              .seats = auth_seats(job->request, &table->row),
                              .hints = thinkers_anywhere(),
                              .now = job->now,
                              .gaps = job->gaps,
                              .lang = job->request->lang};
}

int play_seat(const struct db_game *row, unsigned seats)
{
    if (seats == SEATS_BOTH)
        return row->to_move;
    return seats == seat_bit(1) ? 1 : 2;
}

bool play_hides(const struct table *table, unsigned seats)
{
    return table->row.visibility == VISIBILITY_PRIVATE && seats == 0;
}

enum step play_refuse(struct job *job, enum problem problem, const char *detail)
{
    struct game_view view = play_view(job);
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    if (problem == PROBLEM_NO_SUCH_GAME)
        reply_problem(job->request, problem, NULL); /* nothing shows that there is a game */
    else
        refuse_game(job->request, &view, problem, detail);
    return STEP_OVER;
}

enum step play_fail(struct job *job)
{
    reply_problem(job->request, PROBLEM_INTERNAL, NULL);
    return STEP_OVER;
}

/* Refuses somebody who plays no seat. Of a private game they are told that it does not exist. */
static enum step refuse_stranger(struct job *job)
{
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    if (play_hides(job->table, 0))
        reply_problem(job->request, PROBLEM_NO_SUCH_GAME, NULL);
    else
        auth_require_seats(job->request, &job->table->row);
    return STEP_OVER;
}

enum step play_refuse_version(struct job *job)
{
    return play_refuse(job, PROBLEM_VERSION_MISMATCH,
                       arena_format(&job->request->arena,
                                    "The game has changed since: its version is \"%d\" now.",
                                    job->table->row.version));
}

/* A stranger is refused first: a problem about the version or the line would tell of a private game
 * that it exists. */
enum step play_may_act(struct job *job, const struct guard *guard, unsigned *seats)
{
    const struct db_game *row = &job->table->row;

    *seats = auth_seats(job->request, row);
    if (*seats == 0)
        return refuse_stranger(job);
    if (!guard_holds(guard, row))
        return play_refuse_version(job);
    if (guard->line != MAY_ANY && guard->line != row->line)
        return play_refuse(job, PROBLEM_STALE_PLY,
                           arena_format(&job->request->arena,
                                        "The game is on line %d, not %d. A line begins with the "
                                        "move after an undo.",
                                        row->line, guard->line));
    return row->clock == NULL ? STEP_GO : pulse_need(job, job->now - PULSE_OUTAGE_US);
}

void play_submit(struct request *request, db_id id, enum step (*step)(struct job *job),
                 enum step (*again)(struct job *job), void *args)
{
    struct idempotency *idempotency;
    struct job *job;

    if (!idempotency_read(request, again == NULL, &idempotency))
        return;
    job = job_new(request, step, args);
    job->idempotency = idempotency;
    job->again = again;
    job_submit(job, id);
}

/* ---- the last move ---- */

rules_move play_last_move(const struct table *table, const char *before, const char *text)
{
    struct rules_state state;
    struct rules_refusal why;
    rules_move move;

    if (text == NULL || !rules_load(table->game, &table->options, before, &state, &why) ||
        !table->game->read_move(&state, text, &move, &why))
        return (rules_move){{0, 0}};
    return move;
}

enum step play_know_last_move(struct job *job)
{
    struct table *table = job->table;
    const struct db_game *row = &table->row;
    const char *position = row->start;

    /* Only a game that was just read from the database does not know its last move. */
    if (table->game->pretty == NULL || row->ply == 0 ||
        !rules_same_move(table->last, (rules_move){{0, 0}}))
        return STEP_GO;
    if (row->ply > 1) {
        enum step step = needs_moves(job, row->line, row->ply - 1, row->ply - 1);

        if (step != STEP_GO)
            return step;
        position = job->moves.count == 1 ? job->moves.moves[0].position : row->start;
    }
    table->last = play_last_move(table, position, row->last_move);
    return STEP_GO;
}

/* ---- courses ---- */

struct course *play_course(struct job *job)
{
    return play_course_at(job, job->now);
}

struct course *play_course_at(struct job *job, int64_t now)
{
    struct arena *arena = &job->request->arena;
    struct course *course = arena_alloc(arena, sizeof(*course));
    const struct table *table = job->table;

    course_new(course, arena, table->game, now);
    course->row = table->row;
    course->kept_ply = table->row.ply;
    rules_copy(table->state, &course->state);
    course->last = table->last;
    course->keys_from = table->keys_from;
    course->nkeys = course->old_keys = table->nkeys;
    course->keys_size = table->keys_size;
    /* The course may add keys in the room behind the table's own: the table does not count them
     * until the course is written, and the next job begins at the same place. */
    course->keys = table->keys;
    course_take(course, table->clock, table_offers(table), job->gaps);
    course_credit(course);
    course->seats = auth_seats(job->request, &course->row);
    return course;
}

struct game_view play_course_view(const struct request *request, struct course *course,
                                  unsigned seats)
{
    course_store(course);
    return (struct game_view){.row = &course->row,
                              .game = course->game,
                              .state = &course->state,
                              .clock = course->clock,
                              .offers = &course->offers,
                              .seats = seats,
                              .hints = thinkers_anywhere(),
                              .now = course->now,
                              .gaps = course->gaps,
                              .lang = request->lang};
}

static void tell_move(void *context, const struct course_move *move)
{
    struct json *list = context;

    json_open(list, '{');
    view_move(list, move);
    json_close(list, '}');
}

void play_tell_moves(struct course *course, struct json *list)
{
    course->played = tell_move;
    course->context = list;
}

void play_add_list(struct json *json, const char *key, const struct json *list)
{
    if (list->out.len == 0)
        return;
    json_key(json, key);
    json_raw(json, arena_format(json->out.arena, "[%s]", list->out.text));
}

void play_add_game(struct json *json, const struct job *job, const struct game_view *view)
{
    json_key(json, "game");
    json_open(json, '{');
    view_game(json, view, job->request->choice);
    json_close(json, '}');
}

const char *play_document(const struct job *job, const struct game_view *view,
                          const struct json *answers)
{
    struct arena *arena = &job->request->arena;
    struct json json;

    if (job->request->form == FORM_TEXT)
        return view_game_text(arena, view);
    json_init(&json, arena);
    json_open(&json, '{');
    view_game(&json, view, job->request->choice);
    if (answers != NULL)
        play_add_list(&json, "answers", answers);
    json_finish(&json);
    return json.out.text;
}

const char *play_token_document(struct request *request, const struct game_view *view,
                                const char *token, int seat)
{
    struct arena *arena = &request->arena;
    struct json json;

    if (request->form == FORM_TEXT)
        return token == NULL ? view_game_text(arena, view) : view_token_text(arena, view, token);
    json_init(&json, arena);
    json_open(&json, '{');
    view_game(&json, view, request->choice);
    if (token != NULL)
        json_member(&json, "token", token);
    if (seat != 0)
        json_member_int(&json, "seat", seat);
    json_finish(&json);
    return json.out.text;
}

const char *play_moves_document(const struct job *job, const struct game_view *view, bool single,
                                const struct json *moves, const struct json *answers)
{
    struct arena *arena = &job->request->arena;
    struct json json;

    if (job->request->form == FORM_TEXT)
        return view_game_text(arena, view);
    json_init(&json, arena);
    if (single) {
        json_reopen(&json, moves->out.text, moves->out.len);
    } else {
        json_open(&json, '{');
        play_add_list(&json, "moves", moves);
    }
    play_add_list(&json, "answers", answers);
    play_add_game(&json, job, view);
    json_finish(&json);
    return json.out.text;
}

size_t play_game_number(const struct rules_game *game)
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

void play_count_moves(struct job *job)
{
    struct metrics *metrics = &job->request->loop->metrics;
    uint64_t moves = 0;

    for (size_t i = 0; i < job->write.count; i++)
        moves += job->write.events[i].kind == EVENT_MOVE;
    metrics_add(&metrics->moves[play_game_number(job->table->game)], moves);
}

static void on_written(struct job *job)
{
    const struct prepared *prepared = job->prepared;

    play_count_moves(job);
    reply_header(job->request, "ETag", prepared->etag);
    reply_made(job->request, prepared->status, prepared->document);
}

static struct prepared *prepare(struct job *job, const struct course *course, unsigned status,
                                const char *document)
{
    struct prepared *prepared = arena_zero(&job->request->arena, sizeof(*prepared));

    prepared->document = document;
    prepared->status = status;
    prepared->etag = reply_etag(&job->request->arena, course->row.version);
    return prepared;
}

/* The state is copied as far as it is in use: a game's state is much smaller than the largest one.
 */
static void fill_write(struct job *job, struct course *course)
{
    size_t size = offsetof(struct rules_state, w) + course->state.bytes;
    struct rules_state *state = arena_alloc(course->arena, size);

    course_store(course);
    causes_note(job->request, &job->table->row, course);
    memcpy(state, &course->state, size);
    job->write = (struct table_write){.after = course->row,
                                      .state = state,
                                      .last = course->last,
                                      .events = course->events,
                                      .count = course->nevents,
                                      .keys_kept_to_ply = course->kept_ply,
                                      .joins = course->joins,
                                      .dues = course->dues,
                                      .ndues = course->ndues,
                                      .new_keys = course->keys + course->old_keys,
                                      .nnew_keys = course->nkeys - course->old_keys};
}

/* A write would find out by its guard that the copy is stale. Here only a look can. */
static enum step answer_dry_run(struct job *job, const char *document)
{
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    reply_made(job->request, 200, document);
    return STEP_OVER;
}

enum step play_write(struct job *job, struct course *course, unsigned status, const char *document)
{
    struct prepared *prepared;

    if (course->dry_run)
        return answer_dry_run(job, document);
    prepared = prepare(job, course, status, document);
    job->prepared = prepared;
    job->written = on_written;
    fill_write(job, course);
    job->write.answer = job->again != NULL ? idempotency_mark(job->idempotency)
                                           : idempotency_seal(job->request, job->idempotency,
                                                              status, prepared->etag, "", document);
    return job_append(job);
}

enum step play_write_then(struct job *job, struct course *course, void (*written)(struct job *job))
{
    fill_write(job, course);
    job->written = written;
    job->write.answer = idempotency_mark(job->idempotency);
    return job_append(job);
}

enum step play_write_first(struct job *job, struct course *course)
{
    fill_write(job, course);
    job->write.answer = NULL;
    job->goes_on = true;
    return job_append(job);
}

enum step play_write_game(struct job *job, struct course *course)
{
    struct game_view view = play_course_view(job->request, course, course->seats);

    return play_write(job, course, 200, play_document(job, &view, NULL));
}

enum step play_answer_game(struct job *job)
{
    struct game_view view = play_view(job);
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    reply_header(job->request, "ETag", reply_etag(&job->request->arena, view.row->version));
    reply_made(job->request, 200, play_document(job, &view, NULL));
    return STEP_OVER;
}

enum step play_end(struct job *job, struct course *course, int status, int winner,
                   const char *reason, int kind, int seat)
{
    course_stop(course, status, winner, reason, kind, seat);
    return play_write_game(job, course);
}
