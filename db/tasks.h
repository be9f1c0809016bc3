/*
 * tasks.h - tasks: long work, its file, what came of it.
 *
 * Long work that survives its daemon, with its file and what came of each thing in it. Requests and
 * replies are as in db.h.
 */
#ifndef PLYD_DB_TASKS_H
#define PLYD_DB_TASKS_H

#include "db/db.h"

enum {
    DB_TASKS_MAX = 100,     /* of a player or game that are kept */
    DB_TASKS_OPEN_MAX = 8,  /* of those that are not over */
    DB_TASK_ITEMS_MAX = 64, /* that one db_set_task() stores */
    DB_TASK_PARTS_MAX = 4   /* that one db_get_task_parts() tells */
};

/* Long work for a player or a game, and how far it is. What its kind, params, mark and result mean
 * is the caller's business. */
struct db_task {
    db_id owner, id;
    int16_t kind;
    int16_t state;   /* DB_TASK_... or another number of the caller below DB_TASK_OVER */
    int32_t version; /* 1, and one more with each db_set_task() */
    int64_t created_at, updated_at;
    int64_t size;         /* of the work as a whole, and how much of it is done */
    int64_t place;        /* in units of its kind */
    int32_t done, failed; /* things that it has worked on */
    const char *params;   /* JSON; never changed */
    const char *mark;     /* where it goes on; or NULL */
    const char *result;   /* JSON; or NULL */
};

/* States of tasks: its file is still coming in; it is over, in this or a greater state. */
enum { DB_TASK_INCOMING = 1, DB_TASK_OVER = 4 };

/* What came of one thing that a task has worked on. */
struct db_task_item {
    int32_t number; /* from 1 on */
    bool failed;
    const char *data; /* JSON */
};

/* A part of the file that a task works on. */
struct db_task_part {
    int32_t number; /* from 1 on */
    const void *bytes;
    size_t len;
};

/* Makes a task at version 1; `due` (NULL: nothing) is promised with it, for the same owner.
 * DB_CONFLICT: the id is taken, or the owner has DB_TASKS_OPEN_MAX that are not over, or
 * DB_TASKS_MAX in all. Programs that make one at the same moment may exceed this by one each. */
void db_create_task(struct db *db, const struct db_task *task, const struct db_due *due,
                    db_done_callback *done, void *context);

/* Stores a part of the file of a task that is DB_TASK_INCOMING; the same part may be stored again.
 * DB_NOT_FOUND: there is no such task, or it is in another state. */
void db_put_task_part(struct db *db, db_id owner, db_id task, const struct db_task_part *part,
                      db_done_callback *done, void *context);

/* Sets state, updated_at, size, place, done, failed, mark and result of a task that is at version
 * `task->version`, which grows by one, and stores the items. If it is over then, its file is
 * deleted. DB_CONFLICT: it is at another version. DB_NOT_FOUND: there is no such task. */
struct db_task_write {
    const struct db_task *task;
    const struct db_task_item *items;
    size_t count;
    const struct db_due *due; /* promised with it, for the owner; NULL: nothing is */
};
void db_set_task(struct db *db, const struct db_task_write *write, db_done_callback *done,
                 void *context);

/* Deletes a task with all that belongs to it. */
void db_delete_task(struct db *db, db_id owner, db_id task, db_done_callback *done, void *context);

/* One task of an owner, or (NULL) all of them. None is DB_OK. */
void db_get_tasks(struct db *db, db_id owner, const db_id *task, db_tasks_callback *done,
                  void *context);

/* The items behind a number, at most `limit`, or only those that failed. */
void db_get_task_items(struct db *db, db_id owner, db_id task, bool failed_only, int32_t after,
                       int32_t limit, db_task_items_callback *done, void *context);

/* The parts of a task's file behind a number, at most DB_TASK_PARTS_MAX. */
void db_get_task_parts(struct db *db, db_id owner, db_id task, int32_t after,
                       db_task_parts_callback *done, void *context);

#endif
