#include "api/duty/renewal.h"

#include <stdlib.h>

#include "api/loop/loop.h"
#include "db/library.h"

/* A step with nothing left to do is followed by a long pause. */
enum { PAUSE_US = 200 * 1000, REST_US = 60 * 1000 * 1000 };

struct renewal {
    struct loop *loop;
    int64_t next; /* when the next step begins, on loop->now */
    bool under_way;
};

bool renewal_open(struct loop *loop)
{
    struct renewal *renewal = calloc(1, sizeof(*renewal));

    if (renewal == NULL)
        return false;
    *renewal = (struct renewal){.loop = loop, .next = loop->now};
    loop->own[PART_renewal] = renewal;
    return true;
}

void renewal_close(struct loop *loop)
{
    free(renewal_of(loop));
}

/* The next step comes when the games of this one are due, so that promises do not pile up. */
static int64_t pause_after(size_t games)
{
    int64_t due_in = (int64_t)games * DB_RENEW_PAUSE_MS * 1000;

    if (games == 0)
        return REST_US;
    return due_in > PAUSE_US ? due_in : PAUSE_US;
}

static void on_renewed(void *context, const struct db_reply *reply,
                       const struct db_renewed *renewed)
{
    struct renewal *renewal = context;

    renewal->under_way = false;
    renewal->next = renewal->loop->now + pause_after(reply->outcome == DB_OK ? renewed->games : 0);
}

void renewal_run(struct loop *loop)
{
    struct renewal *renewal = renewal_of(loop);

    if (renewal->under_way || loop->draining || loop->now < renewal->next)
        return;
    renewal->under_way = true;
    db_renew_positions(loop->db, on_renewed, renewal);
}

int renewal_timeout_ms(const struct loop *loop)
{
    const struct renewal *renewal = renewal_of(loop);

    return renewal->under_way || loop->draining ? -1 : loop_ms_until(loop, renewal->next);
}
