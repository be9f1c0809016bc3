/* create_fork.c - a new game with the past of another one (create.h). */
#include "api/play/create.h"

#include "api/http/reply.h"
#include "api/play/common.h"
#include "api/play/creation.h"
#include "api/play/input.h"
#include "api/server.h"
#include "api/table/auth.h"
#include "api/text/json_read.h"

enum { PLIES_MAX = DB_EVENTS_MAX - 2 }; /* the first event, and one for an answer */

struct fork {
    struct creation *creation;
    db_id source;
    int32_t ply, line; /* GUARD_NONE: the present ones */
};

static bool read_fork(struct fork *fork)
{
    struct request *request = fork->creation->request;
    struct json_error error = {NULL, NULL, NULL};
    struct json_fields fields;
    struct json_value *body = request_body(request, "ply");
    int64_t number;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (json_take_int(&fields, "ply", 0, INT32_MAX, &number))
        fork->ply = (int32_t)number;
    if (json_take_int(&fields, "line", 1, INT32_MAX, &number))
        fork->line = (int32_t)number;
    creation_take_terms(fork->creation, &fields);
    return read_done(request, body, &fields);
}

/* Fills in what the new game has of the old one. */
static void inherit(const struct fork *fork, const struct job *job, int32_t line, int32_t ply)
{
    struct creation *creation = fork->creation;
    struct arena *arena = &creation->request->arena;
    const struct table *table = job->table;

    creation_inherit(creation, table->game, table->row.options, table->row.start);
    creation->moves = arena_alloc(arena, ((size_t)ply + 1) * sizeof(*creation->moves));
    for (size_t i = 0; i < job->moves.count && job->moves.moves[i].ply <= ply; i++)
        creation->moves[creation->nmoves++] = job->moves.moves[i].move;
    if (table->row.visibility != VISIBILITY_PRIVATE || !creation->visibility_given)
        creation->origin = arena_format(arena, "{\"game\":\"%s\",\"line\":%d,\"ply\":%d}",
                                        creation->request->param[0], line, ply);
    if (table->row.visibility == VISIBILITY_PRIVATE && !creation->visibility_given)
        creation->course.row.visibility = VISIBILITY_PRIVATE;
}

static void step_fork(struct job *job)
{
    const struct fork *fork = job->args;
    const struct db_game *row = &job->table->row;
    int32_t line = fork->line == GUARD_NONE ? row->line : fork->line;
    int32_t end, ply;

    if (!may_read(job))
        return;
    if (line > row->lines) {
        refuse_ply(job);
        return;
    }
    if (!know_line_end(job, line, &end))
        return;
    ply = fork->ply != GUARD_NONE ? fork->ply : fork->line == GUARD_NONE ? row->ply : end;
    if (ply > end) {
        refuse_ply(job);
        return;
    }
    if (ply > PLIES_MAX) {
        reply_problem(job->request, "game-too-long", NULL);
        job_done(job);
        return;
    }
    if (line == row->line && !job_need_moves(job, line, 1, ply))
        return;
    inherit(fork, job, line, ply);
    creation_make(fork->creation);
    job_done(job);
}

static void begin(struct fork *fork)
{
    job_submit(job_new(fork->creation->request, step_fork, fork), fork->source);
}

/* The old game may have changed since the first request of this key, the new one is there. */
static void on_looked_up(void *context, const struct db_reply *reply)
{
    struct fork *fork = context;

    if (reply->outcome == DB_NOT_FOUND)
        begin(fork);
    else
        answers_on_first(fork->creation->idempotency, reply);
}

void create_fork(struct request *request, db_id source)
{
    struct fork *fork = arena_zero(&request->arena, sizeof(*fork));

    *fork = (struct fork){creation_new(request), source, GUARD_NONE, GUARD_NONE};
    if (fork->creation == NULL || !read_fork(fork))
        return;
    if (fork->creation->idempotency == NULL)
        begin(fork);
    else
        db_get_answer(server_db(request->server), fork->creation->course.row.id,
                      fork->creation->idempotency->key, on_looked_up, fork);
}
