/*
 * my_tasks.h - the use cases of a player's tasks, whatever their kind: to make them, to look at
 * them, and to end them. What they made stays. How tasks are worked on is the business of
 * table/tasks.h.
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

/* A task that a request makes, with its file. It lies in the request's arena. */
struct task_order {
    struct request *request;
    struct task_making making; /* id, kind, size and params are set */
    bool by_key;               /* whose id follows from the key alone: other params under the same
                                * key are another request */
    const char *file;
    size_t len;

    /* Called once the task is there, and before its file is: it calls my_tasks_send(), or answers.
     */
    void (*begin)(void *context);
    void *context;

    /* Private to my_tasks.c. */
    size_t sent; /* bytes of the file */
    struct db_task_part part;
    struct db_task_write write;
};

/* Makes the task, stores its file in parts, and then has it worked on and answers with it: 202. A
 * task of that id that waits for its file is gone on with. One that is at work or over is told as
 * it is. */
void my_tasks_make(struct task_order *order);
void my_tasks_send(struct task_order *order);

#endif
