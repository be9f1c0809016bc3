#include "api/table/game_log.h"

#include <string.h>

#include "api/game/words.h"
#include "api/http/account.h"
#include "api/http/reply_problem.h"
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

/* Positions are most of a log's bytes, and its readers play the moves again anyway. */
static void take_page(struct game_log *log, struct arena *arena, const struct db_reply *reply)
{
    for (size_t i = 0; i < reply->count; i++) {
        struct db_event *event = &log->events[log->count++];

        *event = reply->events[i];
        event->position = NULL;
        event->move = copy_text(arena, event->move);
        event->data = copy_text(arena, event->data);
    }
}

static void on_page(void *context, const struct db_reply *reply)
{
    struct log_reading *reading = context;
    struct job *job = reading->job;

    if (reply->outcome == DB_OK) {
        account_begin(job->request->loop);
        take_page(reading->log, &job->request->arena, reply);
        account_end(job->request->loop, job->request);
    } else {
        reply_problem_outcome(job->request, reply);
        job_end(job);
        return;
    }
    job_resume(job->table);
}

/* The step is called again from its start after each page; the log remembers how far it came. */
enum step game_log_need(struct job *job, struct game_log *log)
{
    struct arena *arena = &job->request->arena;
    int32_t version = job->table->row.version;
    struct log_reading *reading;

    if (log->count == (size_t)version)
        return STEP_GO;
    if (version > GAME_LOG_MAX) {
        reply_problem(job->request, PROBLEM_GAME_TOO_LONG, NULL);
        return STEP_OVER;
    }
    if (log->events == NULL)
        log->events = arena_alloc(arena, (size_t)version * sizeof(*log->events));
    reading = arena_alloc(arena, sizeof(*reading));
    *reading = (struct log_reading){job, log};
    job_wait(job->table);
    db_get_events(job->request->loop->db, job->table->row.id, (int32_t)log->count,
                  version - (int32_t)log->count < PAGE ? version - (int32_t)log->count : PAGE,
                  on_page, reading);
    return STEP_LATER;
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
