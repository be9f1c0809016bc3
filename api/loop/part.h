/*
 * part.h - a part of a loop: something that runs in each pass, or has a descriptor, or a time.
 *
 * A loop knows nothing of its parts but this. parts.def lists them; each stands at the end of its
 * own file, or in api/parts.c if it has to know of higher folders. Whoever has a loop finds what
 * belongs to a part by NAME_of(loop) (loop.h). All of these functions are called by the loop's
 * thread, but for `open`; any may be NULL.
 */
#ifndef PLYD_API_LOOP_PART_H
#define PLYD_API_LOOP_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loop;

struct part {
    bool first; /* only the first loop of a process has it */

    /* Makes loop->own[PART_NAME]. If it is not there afterwards, the daemon cannot start. */
    void (*open)(struct loop *loop);

    /* A descriptor that is readable when there is something to do, which stays the same; and what
     * is called then, before the pass. */
    int (*fd)(const struct loop *loop);
    void (*wake)(struct loop *loop);

    /* Its share of a pass; and in how many milliseconds it has something to do even if the
     * descriptor is not readable, -1: any time. */
    void (*run)(struct loop *loop);
    int (*timeout_ms)(const struct loop *loop);

    /* The end of a pass, when what was read has gone to the database and answers have gone out. */
    void (*finish)(struct loop *loop);

    /* The daemon stops: nothing new is begun. And whether nothing is left that has to end. */
    void (*drain)(struct loop *loop);
    bool (*is_idle)(const struct loop *loop);

    /* Gives back requests and answers, before the database is closed; then frees everything. */
    void (*stop)(struct loop *loop);
    void (*close)(struct loop *loop);
};

#define PART(name) extern const struct part name##_part;
#include "api/loop/parts.def"
#undef PART

/* ---- all parts of a loop (loop->parts) ---- */

/* False: one of them could not be opened. */
bool parts_open(struct loop *loop);

/* Fills in the descriptors, at most one for each part, and returns their number; calls those whose
 * descriptor is readable: bit i is that of the i-th. */
size_t parts_fds(const struct loop *loop, int *fds);
void parts_wake(struct loop *loop, uint32_t readable);

void parts_run(struct loop *loop);
int parts_timeout_ms(const struct loop *loop);
void parts_finish(struct loop *loop);

void parts_drain(struct loop *loop);
bool parts_are_idle(const struct loop *loop);

void parts_stop(struct loop *loop);
void parts_close(struct loop *loop);

/* Of two times in milliseconds; -1 is never. */
int parts_sooner(int a, int b);

#endif
