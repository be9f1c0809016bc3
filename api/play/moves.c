#include "api/play/play.h"

#include <stdlib.h>
#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/http/reply.h"
#include "api/loop/metrics.h"
#include "api/play/common.h"
#include "api/server.h"
#include "api/table/auth.h"
#include "api/table/idempotency.h"
#include "api/table/tables.h"
#include "api/view/view.h"

/* ---- what the use cases share (play_common.h) ---- */

struct game_view job_view(const struct job *job)
{
    const struct table *table = job->table;

    return (struct game_view){&table->row, table->game, table->state,
                              auth_seats(job->request, &table->row)};
}

void refuse(struct job *job, const char *code, const char *detail)
{
    struct game_view view = job_view(job);

    if (!job_confirmed(job))
        return;
    if (strcmp(code, "no-such-game") == 0)
        reply_problem(job->request, code, NULL); /* not a word about a hidden game */
    else
        reply_game_problem(job->request, &view, code, detail);
    job_done(job);
}

bool hidden(const struct table *table, unsigned seats)
{
    return table->row.visibility == VISIBILITY_PRIVATE && seats == 0;
}

unsigned may_act(struct job *job, const struct guard *guard)
{
    const struct db_game *row = &job->table->row;
    unsigned seats = auth_seats(job->request, row);

    if (seats == 0) {
        if (!job_confirmed(job))
            return 0;
        if (hidden(job->table, seats))
            reply_problem(job->request, "no-such-game", NULL);
        else
            auth_require_seats(job->request, row);
        job_done(job);
        return 0;
    }
    if (!guard_holds(guard, row)) {
        refuse(job, "version-mismatch", NULL);
        return 0;
    }
    if (guard->line != GUARD_NONE && guard->line != row->line) {
        refuse(job, "stale-ply", "The game is on another line: moves were undone.");
        return 0;
    }
    return seats;
}

struct job *new_job(struct request *request, void (*step)(struct job *), void *args)
{
    struct idempotency *idempotency;
    struct job *job;

    if (!answers_key(request, &idempotency))
        return NULL;
    job = job_new(request, step, args);
    job->idempotency = idempotency;
    return job;
}

struct prepared {
    const char *document;
    unsigned status;
    const char *etag;
    size_t moves; /* for metrics */
};

static void on_written(struct job *job)
{
    const struct prepared *prepared = job->prepared;
    struct metrics *metrics = server_metrics(job->request->server);

    metrics_add(&metrics->moves[game_number(job->table->game)], prepared->moves);
    reply_header(job->request, "ETag", prepared->etag);
    reply_made(job->request, prepared->status, prepared->document);
    job_done(job);
}

void write_course(struct job *job, const struct course *course, unsigned status,
                  const char *document)
{
    struct prepared *prepared;

    if (course->dry_run) {
        if (!job_confirmed(job))
            return;
        reply_made(job->request, 200, document);
        job_done(job);
        return;
    }
    prepared = arena_zero(&job->request->arena, sizeof(*prepared));
    prepared->document = document;
    prepared->status = status;
    prepared->etag = etag_text(&job->request->arena, course->row.version);
    for (size_t i = 0; i < course->nevents; i++)
        prepared->moves += course->events[i].kind == EVENT_MOVE;
    job->prepared = prepared;
    job->written = on_written;
    course_write(course, job);
    job->write.answer =
        answers_seal(job->request, job->idempotency, status, prepared->etag, "", document);
    job_append(job);
}

const char *course_document(struct job *job, const struct course *course)
{
    struct game_view view = course_view(course);
    struct json json;

    if (job->request->form == FORM_TEXT)
        return view_game_text(course->arena, &view);
    json_init(&json, course->arena);
    json_open(&json, '{');
    view_game(&json, &view, job->request->choice);
    json_finish(&json);
    return json.out.text;
}

struct course *job_course(struct job *job)
{
    struct course *course = arena_alloc(&job->request->arena, sizeof(*course));

    course_of(course, &job->request->arena, job->table, db_now(server_db(job->request->server)));
    course->seats = auth_seats(job->request, &course->row);
    return course;
}

struct game_view course_view(const struct course *course)
{
    return (struct game_view){&course->row, course->game, &course->state, course->seats};
}

size_t game_number(const struct rules_game *game)
{
    for (size_t i = 0; i < rules_games(); i++)
        if (rules_game(i) == game)
            return i;
    return 0;
}

bool know_last_move(struct job *job)
{
    struct table *table = job->table;
    const struct db_game *row = &table->row;
    struct rules_state before;
    struct rules_refusal why;
    const char *position = row->start;

    if (table->game->pretty == NULL || row->ply == 0 ||
        !rules_same_move(table->last, (rules_move){{0, 0}}))
        return true;
    if (row->ply > 1) {
        if (!job_need_moves(job, row->line, row->ply - 1, row->ply - 1))
            return false;
        position = job->moves.count == 1 ? job->moves.moves[0].position : row->start;
    }
    if (rules_load(table->game, &table->options, position, &before, &why))
        table->game->read_move(&before, row->last_move, &table->last, &why);
    return true;
}

/* ---- moves ---- */

const char *wanted_move(const struct job *job, const struct rules_state *state, size_t i)
{
    const struct move_args *args = job->args;
    char *text;

    if (args->clicked == 0)
        return args->texts[i];
    text = arena_alloc(&job->request->arena, RULES_CLICKS_TEXT);
    rules_clicks_text(job->table->game, state, args->texts, args->clicked, text);
    return text;
}

static void refuse_move(struct job *job, const struct course *course, size_t i,
                        const struct rules_refusal *why)
{
    const struct move_args *args = job->args;
    struct request *request = job->request;
    struct game_view view = job_view(job);
    struct metrics *metrics = server_metrics(request->server);
    const char *code = rules_code_text(why->code);
    const char *move = wanted_move(job, &course->state, i);
    struct json json;

    if (!job_confirmed(job))
        return;
    problem_game_open(request, &json, &view, code,
                      refusal_text(&request->arena, course->game, &course->state, move, why));
    view_refusal(&json, course->game, &course->state, why);
    json_member(&json, "move", move);
    if (args->count > 1)
        json_member_int(&json, "at", (int64_t)i);
    metrics_add(&metrics->refusals[game_number(course->game)][why->code], 1);
    problem_send(request, &json, code);
    job_done(job);
}

/* A move after the end: the rules say what ended the game, unless people did or its past. */
static void refuse_after_end(struct job *job, const struct course *course, size_t i)
{
    struct rules_refusal why;
    rules_move move;

    if (course->game->read_move(&course->state, wanted_move(job, &course->state, i), &move, &why) ||
        why.code != RULES_GAME_OVER)
        rules_refuse(&why, RULES_GAME_OVER, NULL);
    refuse_move(job, course, i, &why);
}

/* Plays what was sent. False if it was not played: refused, or something has to be fetched. */
static bool play_all(struct job *job, struct course *course, unsigned seats, struct json *json)
{
    const struct move_args *args = job->args;
    struct rules_refusal why;
    int32_t from = 0;

    for (size_t i = 0; i < args->count; i++) {
        enum course_result result;
        const char *not = may_not_move(&course->row, seats);

        if (not != NULL && strcmp(not, "game-over") == 0)
            refuse_after_end(job, course, i);
        else if (not != NULL)
            refuse(job, not, NULL);
        if (not != NULL)
            return false;
        result = course_play(course, wanted_move(job, &course->state, i), json, &why, &from);
        if (result == COURSE_NEEDS_KEYS)
            job_need_keys(job, from);
        else if (result == COURSE_REFUSED)
            refuse_move(job, course, i, &why);
        if (result != COURSE_PLAYED)
            return false;
    }
    return true;
}

/* A single move is an object whose members the game joins; several are a list beside it. */
static const char *moves_document(struct job *job, const struct course *course,
                                  const struct json *moves, const struct json *answers, bool single)
{
    struct game_view view = course_view(course);
    struct json document, *json = &document;

    if (job->request->form == FORM_TEXT)
        return view_game_text(course->arena, &view);

    json_init(json, course->arena);
    if (single) {
        json_reopen(json, moves->out.text, moves->out.len);
    } else {
        json_open(json, '{');
        json_key(json, "moves");
        json_raw(json, arena_format(course->arena, "[%s]", moves->out.text));
    }
    if (answers->out.len > 0) {
        json_key(json, "answers");
        json_raw(json, arena_format(course->arena, "[%s]", answers->out.text));
    }
    json_key(json, "game");
    json_open(json, '{');
    view_game(json, &view, job->request->choice);
    json_close(json, '}');
    json_finish(json);
    return json->out.text;
}

/* Shogi's protocols send giving up and the declaration of impasse in place of a move; neither is a
 * ply. True if the text was one of those. */
static bool step_declaration(struct job *job, unsigned seats)
{
    const struct move_args *args = job->args;
    const struct table *table = job->table;
    int seat = table->row.to_move;
    struct rules_outcome outcome;
    struct rules_refusal why;
    struct course *course;

    if (table->game->declare == NULL || args->count != 1 || args->clicked > 0 ||
        (strcmp(args->texts[0], "win") != 0 && strcmp(args->texts[0], "resign") != 0))
        return false;
    course = job_course(job);
    course->dry_run = args->dry_run;
    if ((seats & 1U << seat) == 0)
        refuse(job, "not-your-turn", NULL);
    else if (strcmp(args->texts[0], "resign") == 0)
        end_game(job, course, STATUS_FINISHED, 3 - seat, "resign", EVENT_RESIGNED, seat);
    else if (table->game->declare(table->state, &outcome, &why))
        end_game(job, course, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason),
                 EVENT_DECLARED, seat);
    else
        refuse_move(job, course, 0, &why);
    return true;
}

static void step_moves(struct job *job)
{
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    struct arena *arena = &job->request->arena;
    struct guard guard = args->guard;
    struct course *course;
    struct json moves, answers;
    const char *document;
    unsigned seats;
    int32_t from = 0;

    /* A PUT that is repeated finds its own move there, and with it another version and line. */
    if (args->put && args->ply <= row->ply)
        guard = no_guard;
    seats = may_act(job, &guard);
    if (seats == 0)
        return;
    if (args->ply != GUARD_NONE && args->ply != row->ply + 1) {
        move_elsewhere(job, seats);
        return;
    }
    if ((row->status == STATUS_ACTIVE && step_declaration(job, seats)) || !know_last_move(job))
        return;
    course = job_course(job);
    course->dry_run = args->dry_run;
    json_init(&moves, arena);
    json_init(&answers, arena);
    if (!play_all(job, course, seats, &moves))
        return;
    if (course_answer(course, &answers, &from) == COURSE_NEEDS_KEYS) {
        job_need_keys(job, from);
        return;
    }
    document = moves_document(job, course, &moves, &answers, args->single);
    write_course(job, course, 201, document);
}

void play_moves(struct request *request, db_id id, struct move_args *args)
{
    struct job *job = new_job(request, step_moves, args);

    if (job != NULL)
        job_submit(job, id);
}
