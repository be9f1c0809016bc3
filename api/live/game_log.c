#include "api/live/game_log.h"

#include <string.h>

#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/live/fetch.h"
#include "api/loop/loop.h"

enum { PAGE = 2048 }; /* events; a longer answer would hold up the other requests of the loop */

static const char *copy_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}

static void know_log_page(void *context, const struct db_events *events)
{
    struct game_log *log = context;

    for (size_t i = 0; i < events->count; i++) {
        struct db_event *event = &log->events[log->count++];

        *event = events->items[i];
        event->move = copy_text(log->arena, event->move);
        event->data = copy_text(log->arena, event->data);
    }
}

/* The game may have got further events since the first page was read. */
static void make_log_room(struct game_log *log, size_t size)
{
    struct db_event *events;

    if (size <= log->size)
        return;
    events = arena_alloc(log->arena, size * sizeof(*events));
    if (log->count > 0)
        memcpy(events, log->events, log->count * sizeof(*events));
    log->events = events;
    log->size = size;
}

/* The step is called again from its start after each page; the log remembers how far it came. */
static enum step need(struct op *op, struct game_log *log, int32_t to)
{
    int32_t read = log->after + (int32_t)log->count;

    if (read >= to)
        return STEP_GO;
    log->arena = &op->request->arena;
    make_log_room(log, (size_t)(to - log->after));
    db_get_log(db_of(op->request), op->live->row.id, read, to - read < PAGE ? to - read : PAGE,
               ASK_STEP(events, op, know_log_page, log));
    return STEP_LATER;
}

enum step game_log_need(struct op *op, struct game_log *log)
{
    int32_t version = op->live->row.version;

    if (version > GAME_LOG_MAX) {
        reply_problem(op->request, PROBLEM_GAME_TOO_LONG, NULL);
        return STEP_OVER;
    }
    return need(op, log, version);
}

enum step game_log_need_part(struct op *op, int32_t after, int32_t to, const struct game_log **part)
{
    struct game_log *log = &fetch_need(op, NEED_LOG, after, 0, 0)->log;

    log->after = after;
    *part = log;
    return need(op, log, to);
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
