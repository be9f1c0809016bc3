#include "api/live/other_writers.h"

#include <stdlib.h>

#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"
#include "db/due.h"

enum {
    ASK_US = 1000 * 1000,        /* from one look at the heartbeats to the next */
    FRESH_US = 3 * ASK_US,       /* how old the last answer may be */
    WANTED_US = 2 * ASK_US,      /* how long ago somebody wanted to know */
    LATELY_US = 5 * 1000 * 1000, /* how long another loop is a peer after it has written */
    LISTEN_US = 50 * 1000        /* from one look at the other loops' counts to the next */
};

#define NEVER (INT64_MIN / 2)

struct other_writers {
    struct loop *loop;
    bool asking;
    int64_t wanted; /* when somebody wanted to know; all times are of loop->now */
    int64_t asked;  /* when the heartbeats were last looked up, */
    int64_t known;  /* and when it was that the last answer belongs to */
    int others;     /* daemons */
    uint64_t count; /* of what the other loops have written */
    int64_t lately; /* when that changed */
};

static void other_writers_open(struct loop *loop)
{
    struct other_writers *writers = must_zero(sizeof(*writers));

    *writers = (struct other_writers){
        .loop = loop, .wanted = NEVER, .asked = NEVER, .known = NEVER, .lately = NEVER};
    loop->own[PART_other_writers] = writers;
}

static void other_writers_close(struct loop *loop)
{
    struct other_writers *writers = other_writers_of(loop);
    free(writers);
}

void other_writers_wrote(struct other_writers *writers)
{
    atomic_fetch_add_explicit(&writers->loop->writes, 1, memory_order_release);
}

void other_writers_doubt(struct other_writers *writers)
{
    writers->lately = writers->loop->now;
    other_writers_wrote(writers);
}

bool other_writers_alone(struct other_writers *writers)
{
    int64_t now = writers->loop->now;

    writers->wanted = now;
    return now - writers->known < FRESH_US && writers->others == 0 &&
           now - writers->lately > LATELY_US;
}

static bool are_writers_wanted(const struct other_writers *writers)
{
    return writers->loop->now - writers->wanted < WANTED_US;
}

static void listen_to_loops(struct other_writers *writers)
{
    uint64_t count = 0;
    struct loop *loop;

    for (size_t i = 0; (loop = loop_at(i)) != NULL; i++)
        if (loop != writers->loop)
            count += atomic_load_explicit(&loop->writes, memory_order_acquire);
    if (count != writers->count)
        writers->lately = writers->loop->now;
    writers->count = count;
}

static void on_daemons(void *context, const struct db_reply *reply,
                       const struct db_daemons *daemons)
{
    struct other_writers *writers = context;

    writers->asking = false;
    if (reply->outcome != DB_OK)
        return;
    writers->known = writers->asked;
    writers->others = (int)daemons->count;
}

static void other_writers_run(struct loop *loop)
{
    struct other_writers *writers = other_writers_of(loop);

    listen_to_loops(writers);
    if (writers->asking || !are_writers_wanted(writers) || loop->now - writers->asked < ASK_US)
        return;
    writers->asking = true;
    writers->asked = loop->now;
    db_get_daemons(loop->db, loop->daemon, db_now(loop->db) - OTHER_WRITERS_SILENT_US, on_daemons,
                   writers);
}

static int other_writers_timeout_ms(const struct loop *loop)
{
    const struct other_writers *writers = other_writers_of(loop);
    int64_t next = writers->asking ? loop->now + ASK_US : writers->asked + ASK_US;

    if (!are_writers_wanted(writers))
        return -1;
    if (loop_at(1) != NULL && next > loop->now + LISTEN_US)
        next = loop->now + LISTEN_US;
    return loop_ms_until(loop, next);
}

const struct part other_writers_part = {.open = other_writers_open,
                                        .run = other_writers_run,
                                        .timeout_ms = other_writers_timeout_ms,
                                        .close = other_writers_close};
