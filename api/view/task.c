/* task.c - tasks as their player sees them, as JSON and for a terminal. */
#include "api/view/player.h"

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/text/out.h"
#include "db/tasks.h"

const char *view_task_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/jobs/%s", text);
}

/* Thousandths of the work. Nothing is complete before it is over. */
static int64_t progress(const struct db_task *task)
{
    int64_t part;

    if (task->state == TASK_DONE)
        return 1000;
    if (task->size <= 0)
        return 0;
    part = (int64_t)((double)task->place / (double)task->size * 1000);
    return part > 999 ? 999 : part;
}

static void view_task_links(struct json *json, db_id id)
{
    const char *self = view_task_url(json->out.arena, id);

    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", self);
    json_member(json, "items", arena_format(json->out.arena, "%s/items", self));
    json_close(json, '}');
}

void view_task(struct json *json, const struct db_task *task)
{
    char id[IDS_TEXT];

    ids_text(task->id, id);
    json_open(json, '{');
    json_member(json, "id", id);
    json_member(json, "kind", words_task(task->kind));
    json_member(json, "state", words_task_state(task->state));
    json_key(json, "progress");
    json_seconds(json, progress(task) * 1000);
    json_member_int(json, "done", task->done);
    json_member_int(json, "failed", task->failed);
    json_key(json, "params");
    json_raw(json, task->params);
    if (task->result != NULL) {
        json_key(json, "result");
        json_raw(json, task->result);
    }
    json_member_time(json, "created_at", task->created_at);
    json_member_time(json, "updated_at", task->updated_at);
    view_task_links(json, task->id);
    json_close(json, '}');
}

const char *view_task_line(struct arena *arena, const struct db_task *task)
{
    char id[IDS_TEXT];

    ids_text(task->id, id);
    return arena_format(arena, "%s  %s  %s  %d %%  %d done  %d failed\n", id,
                        words_task(task->kind), words_task_state(task->state),
                        (int)(progress(task) / 10), task->done, task->failed);
}
