/* test_workers.c - whose work is done next, and which is not done at all. */
#include <criterion/criterion.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "api/loop/workers.h"

/* One thread, so that what is done first can be told. Its first work holds it until the test has
 * submitted the others. */
enum { WORKS = 300 };

struct piece {
    struct work work;
    int name;
    int burn_us; /* CPU time that it takes, about */
    enum work_use use;
    bool holds;
    bool told; /* done() was called, and with what */
    bool ran;
    int64_t us;
};

static struct workers *workers;
static struct piece pieces[WORKS];
static size_t npieces;
static sem_t go;
static int order[WORKS]; /* the names in the order in which they were worked on */
static atomic_size_t ran;
static size_t told;
static volatile int burnt; /* lest the loop that burns is left out */

static void run(void *context)
{
    const struct piece *piece = context;

    if (piece->holds)
        sem_wait(&go);
    for (int i = 0; i < piece->burn_us * 1000; i++)
        burnt = i;
    order[atomic_load(&ran)] = piece->name;
    atomic_fetch_add(&ran, 1);
}

static void done(void *context, bool was_run, int64_t us)
{
    struct piece *piece = context;

    cr_assert(!piece->told);
    piece->told = true;
    piece->ran = was_run;
    piece->us = us;
    told++;
}

static enum work_use use(const void *context)
{
    const struct piece *piece = context;

    return piece->use;
}

static struct piece *submit_as(uint64_t client, int name, struct work as)
{
    struct piece *piece = &pieces[npieces];

    piece->work = as;
    piece->work.run = run;
    piece->work.done = done;
    piece->work.use = use;
    piece->work.context = piece;
    piece->work.client = client;
    piece->name = name;
    if (workers_submit(workers, &piece->work))
        npieces++;
    else
        piece = NULL;
    return piece;
}

static struct piece *submit(uint64_t client, int name)
{
    return submit_as(client, name, (struct work){.size_us = 0});
}

static struct piece *submit_short(uint64_t client, int name)
{
    return submit_as(client, name, (struct work){.is_short = true});
}

static struct piece *submit_sized(uint64_t client, int name, int64_t size_us)
{
    return submit_as(client, name, (struct work){.size_us = size_us});
}

static void hold(void)
{
    pieces[0].holds = true;
    submit(1000, 0);
    while (workers_waiting(workers) > 0)
        sched_yield();
}

/* Waits until the loop was told of so many. */
static void await(size_t count)
{
    struct pollfd readable = {workers_fd(workers), POLLIN, 0};

    while (told < count) {
        cr_assert_eq(poll(&readable, 1, 10000), 1);
        workers_run(workers);
    }
}

/* Lets the thread go on, and waits until the loop was told of all. */
static void finish(void)
{
    sem_post(&go);
    await(npieces);
}

static void begin(void)
{
    cr_assert_eq(sem_init(&go, 0, 0), 0);
    workers = workers_open(1);
    cr_assert_not_null(workers);
}

static void end(void)
{
    sem_post(&go);
    workers_close(workers);
}

TestSuite(workers, .init = begin, .fini = end);

Test(workers, do_the_works_of_one_client_in_their_order)
{
    hold();
    for (int i = 1; i <= 5; i++)
        submit(1, i);
    finish();
    for (int i = 0; i <= 5; i++)
        cr_assert_eq(order[i], i);
}

Test(workers, let_nobody_wait_behind_more_than_one_work_of_a_busy_client)
{
    hold();
    for (int i = 1; i <= 20; i++)
        submit(1, i)->burn_us = 200;
    submit(2, 100);
    finish();
    cr_assert(order[1] == 100 || order[2] == 100);
}

Test(workers, share_their_time_evenly_between_clients_of_unequal_works)
{
    int of_small = 0;

    hold();
    for (int i = 0; i < 20; i++)
        submit(1, 1)->burn_us = 4000;
    for (int i = 0; i < 20; i++)
        submit(2, 2)->burn_us = 400;
    finish();
    for (int i = 1; i <= 22; i++)
        of_small += order[i] == 2;
    cr_assert_geq(of_small, 15, "%d of the first 22 works were small ones", of_small);
}

Test(workers, do_not_do_what_nobody_waits_for_any_more)
{
    struct piece *vain;

    hold();
    vain = submit(1, 1);
    vain->use = WORK_VAIN;
    submit(1, 2);
    finish();
    cr_assert(vain->told && !vain->ran);
    cr_assert_eq(atomic_load(&ran), 2);
}

Test(workers, do_last_what_perhaps_nobody_waits_for)
{
    hold();
    submit(1, 1)->use = WORK_DOUBTED;
    submit(2, 2);
    submit(2, 3);
    finish();
    cr_assert_eq(order[3], 1);
    cr_assert(pieces[1].ran);
}

Test(workers, take_no_more_than_a_quarter_of_the_places_from_one_client)
{
    int taken = 0;

    hold();
    while (submit(1, 1) != NULL)
        taken++;
    cr_assert_eq(taken, WORKERS_WAIT_MAX / 4);
    cr_assert_not_null(submit(2, 2), "there is room for others");
    finish();
}

Test(workers, take_no_more_works_than_there_is_room_for)
{
    hold();
    for (int i = 0; i < WORKERS_WAIT_MAX; i++)
        cr_assert_not_null(submit((uint64_t)i + 1, 1));
    cr_assert_null(submit(5000, 1));
    finish();
    cr_assert_not_null(submit(5000, 1), "there is room again");
    finish();
}

Test(workers, leave_places_for_who_comes_next)
{
    hold();
    for (uint64_t client = 1; client <= 6; client++)
        while (submit(client, 1) != NULL)
            continue;
    cr_assert_not_null(submit(7, 1));
    finish();
}

/* ---- works that tell their size ---- */

Test(workers, do_the_smaller_works_of_a_client_first)
{
    static const int sizes[] = {3, 1, 4, 1, 5}, first[] = {1, 3, 0, 2, 4};

    hold();
    for (int i = 0; i < 5; i++)
        submit_sized(1, i, sizes[i] * INT64_C(1000000));
    finish();
    for (int i = 0; i < 5; i++)
        cr_assert_eq(order[i + 1], first[i]);
}

/* Each small work submits the next one when it is done. */
Test(workers, do_a_large_work_beside_an_endless_flow_of_small_ones_of_its_client)
{
    struct piece *large;

    hold();
    large = submit_sized(1, 1, 2000);
    submit_sized(1, 2, 1)->burn_us = 100;
    sem_post(&go);
    while (!large->told) {
        await(npieces - 1);
        cr_assert_lt(npieces, WORKS, "it does not come");
        submit_sized(1, 2, 1)->burn_us = 100;
    }
    await(npieces);
}

Test(workers, do_a_small_work_before_large_ones_of_others)
{
    hold();
    for (int i = 1; i <= 5; i++)
        submit_sized((uint64_t)i, i, 3000000);
    submit_sized(6, 6, 1000);
    finish();
    cr_assert_eq(order[1], 6);
}

/* Each small work is followed by one of another client. */
Test(workers, do_a_large_work_beside_an_endless_flow_of_small_ones_of_new_clients)
{
    struct piece *large;
    uint64_t client = 2;

    hold();
    large = submit_sized(1, 1, 2000);
    submit_sized(client, 2, 1)->burn_us = 100;
    sem_post(&go);
    while (!large->told) {
        await(npieces - 1);
        cr_assert_lt(npieces, WORKS, "it does not come");
        submit_sized(++client, 2, 1)->burn_us = 100;
    }
    await(npieces);
}

/* ---- a thread that is kept for short works ---- */

static void hold_and_keep(void)
{
    cr_assert(workers_keep(workers));
    hold();
}

Test(workers, do_short_works_while_a_long_one_is_under_way_and_others_wait)
{
    hold_and_keep();
    for (int i = 1; i <= 3; i++)
        submit(1, i);
    for (int i = 11; i <= 13; i++)
        submit_short(1, i);
    await(3);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(order[i], 11 + i);
    finish();
}

Test(workers, do_a_long_work_beside_an_endless_flow_of_short_ones)
{
    struct piece *piece;

    hold_and_keep();
    piece = submit(1, 1);
    for (int i = 0; i < 50; i++)
        submit_short(2, 2)->burn_us = 1000;
    sem_post(&go);
    while (!piece->told) {
        await(told + 1);
        cr_assert_lt(npieces, WORKS, "it does not come");
        submit_short(2, 2);
    }
    await(npieces);
}

Test(workers, help_with_short_works_while_no_long_one_waits)
{
    cr_assert(workers_keep(workers));
    pieces[0].holds = true;
    submit_short(1, 0);
    while (workers_waiting(workers) > 0)
        sched_yield();
    submit_short(1, 1);
    await(1);
    cr_assert(pieces[1].told);
    finish();
}

Test(workers, give_a_client_its_places_for_short_works_beside_those_for_long_ones)
{
    hold_and_keep();
    while (submit(1, 1) != NULL)
        continue;
    cr_assert_not(workers_have_room(workers, 1, false));
    cr_assert(workers_have_room(workers, 1, true));
    finish();
}

/* ---- their end ---- */

Test(workers, tell_of_every_work_when_they_are_closed)
{
    hold();
    for (int i = 1; i <= 5; i++)
        submit(1, i);
    sem_post(&go);
    workers_close(workers);
    cr_assert_eq(told, npieces);
    cr_assert(pieces[0].ran, "the one that was under way is finished");
    workers = NULL;
}

/* Doubts a work, once all others have been taken out of the list. */
static enum work_use doubt_at_the_end(const void *context)
{
    (void)context;
    while (workers_waiting(workers) > 0)
        sched_yield();
    return WORK_DOUBTED;
}

Test(workers, tell_of_a_work_that_is_doubted_while_they_are_closed)
{
    hold();
    submit(1, 1)->work.use = doubt_at_the_end;
    submit(2, 2);
    sem_post(&go);
    while (workers_waiting(workers) > 1)
        sched_yield();
    workers_close(workers);
    cr_assert_eq(told, npieces);
    cr_assert_not(pieces[1].ran);
    workers = NULL;
}

Test(workers, measure_the_cpu_time_of_a_work_and_not_its_wait)
{
    hold();
    submit(1, 1)->burn_us = 20000;
    finish();
    cr_assert_gt(pieces[1].us, 1000);
    cr_assert_lt(pieces[0].us, pieces[1].us, "the first one only waited");
}
