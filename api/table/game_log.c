#include "api/table/game_log.h"
#include "api/table/reply_outcome.h"

#include <string.h>

#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/loop/account.h"
#include "api/loop/loop.h"

enum { PAGE = 2048 }; /* events; a longer answer would hold up the other requests of the loop */

struct log_reading {
    struct job *job;
    struct game_log *log;
};

static const char *copy_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}

static void take_page(struct game_log *log, struct arena *arena, const struct db_events *events)
{
    for (size_t i = 0; i < events->count; i++) {
        struct db_event *event = &log->events[log->count++];

        *event = events->items[i];
        event->move = copy_text(arena, event->move);
        event->data = copy_text(arena, event->data);
    }
}

static void on_page(void *context, const struct db_reply *reply, const struct db_events *events)
{
    struct log_reading *reading = context;
    struct job *job = reading->job;

    if (reply->outcome == DB_OK) {
        account_begin(job->request->loop);
        take_page(reading->log, &job->request->arena, events);
        account_end(job->request->loop, job->request);
    } else {
        reply_outcome(job->request, reply);
        job_end(job);
        return;
    }
    job_resume(job->table);
}

/* The game may have got further events since the first page was read. */
static void make_room(struct game_log *log, struct arena *arena, size_t size)
{
    struct db_event *events;

    if (size <= log->size)
        return;
    events = arena_alloc(arena, size * sizeof(*events));
    if (log->count > 0)
        memcpy(events, log->events, log->count * sizeof(*events));
    log->events = events;
    log->size = size;
}

/* The step is called again from its start after each page; the log remembers how far it came. */
static enum step need(struct job *job, struct game_log *log, int32_t to)
{
    int32_t read = log->after + (int32_t)log->count;
    struct log_reading *reading;

    if (read >= to)
        return STEP_GO;
    make_room(log, &job->request->arena, (size_t)(to - log->after));
    reading = arena_alloc(&job->request->arena, sizeof(*reading));
    *reading = (struct log_reading){job, log};
    job_wait(job->table);
    db_get_log(db_of(job->request), job->table->row.id, read, to - read < PAGE ? to - read : PAGE,
               on_page, reading);
    return STEP_LATER;
}

enum step game_log_need(struct job *job, struct game_log *log)
{
    int32_t version = job->table->row.version;

    if (version > GAME_LOG_MAX) {
        reply_problem(job->request, PROBLEM_GAME_TOO_LONG, NULL);
        return STEP_OVER;
    }
    return need(job, log, version);
}

enum step game_log_need_part(struct job *job, int32_t after, int32_t to,
                             const struct game_log **part)
{
    if (job->part == NULL || job->part->after != after) {
        job->part = arena_zero(&job->request->arena, sizeof(*job->part));
        job->part->after = after;
    }
    *part = job->part;
    return need(job, job->part, to);
}

int32_t game_log_line_end(const struct game_log *log, const struct db_game *row, int32_t line)
{
    int32_t end = 0;

    if (line == row->line)
        return row->tip; /* beyond the present ply if moves were undone */
    for (size_t i = 0; i < log->count; i++)
        if (log->events[i].kind == EVENT_MOVE && log->events[i].line == line)
            end = log->events[i].ply;
    return end;
}
