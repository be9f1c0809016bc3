/*
 * task.h - a task as its player sees it, as JSON and for a terminal. Clients call it a job.
 */
#ifndef PLYD_API_VIEW_TASK_H
#define PLYD_API_VIEW_TASK_H

#include "api/text/json.h"
#include "db/db.h"
#include "db/tasks.h"

/* The address of a task. */
const char *view_task_url(struct arena *arena, db_id id);

void view_task(struct json *json, const struct db_task *task);
const char *view_task_line(struct arena *arena, const struct db_task *task);

#endif
