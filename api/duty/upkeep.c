/*
 * upkeep.c - what one loop of each daemon does now and then: old answers are deleted, and games are
 * noted again whose positions an older program has noted.
 *
 * It goes in small steps of one short statement, with rests between. Any number of daemons may do
 * so at once; none waits for another, and one that dies leaves nothing half done.
 *
 * Answers that are stored for a key are deleted after --answers-days (db_forget_answers()). Marks
 * in the log stay.
 *
 * What is noted in `positions` says which meaning of keys it was made with (DB_POSITIONS_MADE).
 * What is older is deleted, and in the same transaction it becomes due to note those games again
 * (positions.h), some fifty a second. Until that is done, such a game is not found by its
 * positions; a wrong one never is, since older keys are no newer ones.
 */
#include <stdlib.h>

#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"
#include "db/db.h"
#include "db/library.h"

/* The pause after a step: a short one while there is more to do, so that the connection is left to
 * moves most of the time, and else a long one, since an older daemon may make more. */
enum { PAUSE_US = 200 * 1000, REST_US = 60 * 1000 * 1000 };

static const int64_t day_us = INT64_C(24) * 60 * 60 * 1000 * 1000;

struct chore {
    struct loop *loop;
    int64_t next; /* when the next step begins, on loop->now */
    bool under_way;
};

struct upkeep {
    struct chore answers, positions;
};

static void upkeep_open(struct loop *loop)
{
    struct upkeep *upkeep = must_zero(sizeof(*upkeep));

    upkeep->answers = upkeep->positions = (struct chore){.loop = loop, .next = loop->now};
    loop->own[PART_upkeep] = upkeep;
}

static void upkeep_close(struct loop *loop)
{
    free(upkeep_of(loop));
}

static bool begin_step(struct chore *chore)
{
    if (chore->under_way || chore->loop->draining || chore->loop->now < chore->next)
        return false;
    chore->under_way = true;
    return true;
}

static void end_step(struct chore *chore, int64_t pause_us)
{
    chore->under_way = false;
    chore->next = chore->loop->now + pause_us;
}

static int timeout_of_chore(const struct chore *chore)
{
    return chore->under_way || chore->loop->draining ? -1 : loop_ms_until(chore->loop, chore->next);
}

static void on_forgotten(void *context, const struct db_reply *reply,
                         const struct db_forgotten *forgotten)
{
    bool more = reply->outcome == DB_OK && forgotten->answers == DB_FORGET_MAX;

    end_step(context, more ? PAUSE_US : REST_US);
}

/* The next step comes when the games of this one are due, so that due work does not pile up. */
static void on_renewed(void *context, const struct db_reply *reply,
                       const struct db_renewed *renewed)
{
    size_t games = reply->outcome == DB_OK ? renewed->games : 0;
    int64_t due_in = (int64_t)games * DB_RENEW_PAUSE_MS * 1000;

    end_step(context, games == 0 ? REST_US : due_in > PAUSE_US ? due_in : PAUSE_US);
}

static void upkeep_run(struct loop *loop)
{
    struct upkeep *upkeep = upkeep_of(loop);

    if (begin_step(&upkeep->answers))
        db_forget_answers(loop->db, db_now(loop->db) - loop->config->answers_days * day_us,
                          on_forgotten, &upkeep->answers);
    if (begin_step(&upkeep->positions))
        db_renew_positions(loop->db, on_renewed, &upkeep->positions);
}

static int upkeep_timeout_ms(const struct loop *loop)
{
    const struct upkeep *upkeep = upkeep_of(loop);

    return parts_sooner(timeout_of_chore(&upkeep->answers), timeout_of_chore(&upkeep->positions));
}

const struct part upkeep_part = {.first = true,
                                 .open = upkeep_open,
                                 .run = upkeep_run,
                                 .timeout_ms = upkeep_timeout_ms,
                                 .close = upkeep_close};
