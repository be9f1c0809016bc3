/*
 * tasks.h - long work that is stored and survives a crash; clients call it a job.
 *
 * It is done a piece at a time. Clients see it at GET /v1/jobs/ID; in this code it is a task.
 *
 * A task is a row (struct db_task) that belongs to a player or a game. Due work (DUE_TASKS) for
 * its owner says that there is something to do. Whoever claims it takes the oldest task of the
 * owner that is not over, and does piece after piece. After each piece it stores how far the task
 * is, guarded by its version. If the daemon dies, its lease of the due work ends (due.h), and
 * another one goes on behind the last piece that was stored. So what a piece does must be right to
 * be done twice: ids of what it makes follow from the task and a number.
 *
 * Of each kind a daemon does only so many at a time. Other owners stand in line, and have their
 * turns in the order in which they came there. While somebody waits, a turn is short, and no longer
 * than the last one of the owner who waits: after the piece that ends it the run gives way and goes
 * to the end of the line. It keeps its memory there, as far as the kind allows; else the due work
 * is stored anew, as it is when its lease must be a new one. Who waits for long gives the due work
 * back, and it is due since as long as they have waited: so another daemon with room takes it up,
 * and the order is one for all daemons.
 *
 * Only the first loop of a daemon has a struct tasks, which belongs to that loop's thread.
 *
 * To add a kind of task:
 * 1. A number in enum task_number and its word (game/words.h). It is stored.
 * 2. A struct task_kind, in the list of parts.c. Its step() does a piece: it reads run->task, asks
 *    the database, has workers do what takes long (offload() of run->request), and in the end calls
 *    tasks_store() or tasks_give_up(), once.
 * 3. A use case that fills in a struct task_order (endpoints/library/jobs.h). GET and DELETE of
 * /v1/jobs/ID serve it by themselves: they show params, result and items as they are.
 */
#ifndef PLYD_API_DUTY_TASKS_H
#define PLYD_API_DUTY_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/http/request.h"
#include "api/loop/admission.h"
#include "db/db.h"
#include "db/tasks.h"

struct loop;
struct tasks;
struct task_kind;

/* Where a run is, and what follows its piece. */
enum task_stage { TASK_LOOKED_FOR, TASK_AT_WORK, TASK_IN_LINE };
enum task_then { TASK_LEFT, TASK_GOES_ON, TASK_GIVES_WAY };

/* A task that this daemon is at. */
struct task_run {
    struct request *request; /* of this piece: its memory ends with the piece */
    struct db_task task;     /* as it is stored; its texts live as long as the run */
    void *memory;            /* the kind's own, for the whole run; NULL at its beginning */

    /* Private to tasks.c. */
    struct tasks *tasks;
    const struct task_kind *kind;
    struct request *keeping; /* of the due work */
    struct db_due leased;
    struct db_task_write write;
    struct db_task after;
    struct db_due due;
    char *mark;
    enum task_stage stage;
    enum task_then then;
    int64_t waits_since;    /* on the database's clock */
    int64_t claimed, begun; /* the due work; this turn, which may last turn_us while others wait */
    int64_t turn_us;
    bool has_read; /* what it needs is in its memory */
    struct admission_toll toll;
    bool has_overdrawn; /* its owner has used up what they may have */
    struct task_run *next, **link;
};

struct task_kind {
    int number;     /* enum task_number */
    size_t at_once; /* so many at a time */
    size_t kept;    /* so many of those that wait for a turn keep their memory */
    void (*step)(struct task_run *run);
    void (*leave)(struct task_run *run); /* frees run->memory, if it is not NULL */
};

/* What a piece came to. Its texts and items live as long as the piece. */
struct task_piece {
    int16_t state;       /* TASK_DONE or TASK_FAILED; 0: there is more to do */
    int64_t size, place; /* of the task from now on */
    const char *mark;    /* where it goes on; or NULL */
    const char *result;  /* JSON; or NULL */
    const struct db_task_item *items;
    size_t count; /* of items, DB_TASK_ITEMS_MAX at most */
};

/* `kinds` ends with NULL, and must outlive it. */
struct tasks *tasks_open(struct loop *loop, const struct task_kind *const *kinds);

/* Frees it, after the loop's due work was closed. */
void tasks_close(struct loop *loop);

/* Called in each pass of the loop, behind due_run(): begins the turns of those who wait. */
void tasks_run(struct loop *loop);

/* Milliseconds until tasks_run() has something to do; -1: any time. */
int tasks_timeout_ms(const struct loop *loop);

/* Stores a task, and due work by which it is begun: at once, or if its file is still coming in,
 * when that should have come. `done` is that of db_create_task(). Any loop may do this. */
struct task_making {
    struct db_task task;
    struct db_due due;
};
void tasks_make(struct loop *loop, struct task_making *making, db_done_callback *done,
                void *context);

/* ---- for kinds ---- */

/* Stores what a piece came to. */
void tasks_store(struct task_run *run, const struct task_piece *piece);

/* Bytes that were read or unfolded for the owner, who has a quota for that as an address has
 * (admission.h). Once it is used up, the run ends with this piece, and goes on when there is some.
 */
void tasks_charge(struct task_run *run, size_t bytes);

/* The database failed. The piece is done again later. */
void tasks_give_up(struct task_run *run);

#endif
