/*
 * my_tasks.h - the use cases of a player's tasks, whatever their kind: to look at them, and to end
 * them. What they made stays. How tasks are worked on is the business of table/tasks.h.
 */
#ifndef PLYD_API_PLAY_MY_TASKS_H
#define PLYD_API_PLAY_MY_TASKS_H

#include "api/http/request.h"
#include "api/table/tasks.h"
#include "db/db.h"
#include "db/tasks.h"

/* Answers with all tasks of the player who asks, the oldest first; or with one. */
void my_tasks_list(struct request *request);
void my_tasks_show(struct request *request, db_id id);

/* Answers with a page of what a task has worked on. */
struct my_tasks_page {
    int32_t after; /* a number */
    int32_t limit;
    bool failed_only;
};
void my_tasks_items(struct request *request, db_id id, const struct my_tasks_page *page);

/* Cancels a task. One that is over is forgotten. */
void my_tasks_end(struct request *request, db_id id);

/* ---- making them ---- */

/* The id of a new task. With the client's key (idempotency_text(); NULL: none) it follows from the
 * key, the kind, the player and `question`, so that the same request makes no second one. */
db_id my_tasks_id(const struct request *request, int kind, const char *key, const char *question);

/* Makes a task that is DB_TASK_INCOMING. `begin` is called with `context` when it is there and
 * waits for its file. Else the request is answered: a task of that id is at work already or over,
 * or the player has too many. The key of a task that has other params than `params` belongs to
 * another request (NULL: the id says that already). */
void my_tasks_make(struct request *request, struct task_making *making, const char *params,
                   void (*begin)(void *context), void *context);

/* Answers with a task that was made: 202. */
void my_tasks_accepted(struct request *request, const struct db_task *task);

#endif
