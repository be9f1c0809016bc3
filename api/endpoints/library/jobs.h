/*
 * jobs.h - jobs of a player: their list, their items, their end.
 *
 * To make them, to look at them, and to end them. What they made stays. How tasks are worked on is
 * the business of duty/tasks.h.
 */
#ifndef PLYD_API_ENDPOINTS_LIBRARY_JOBS_H
#define PLYD_API_ENDPOINTS_LIBRARY_JOBS_H

#include "api/duty/tasks.h"
#include "api/http/request.h"
#include "db/db.h"
#include "db/tasks.h"

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

    /* Private to jobs.c. */
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
