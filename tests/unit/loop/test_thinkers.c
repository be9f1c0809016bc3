/* test_thinkers.c - searches get a workspace, and end when nobody wants them any more. */
#include <criterion/criterion.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>

#include "api/loop/metrics.h"
#include "api/loop/thinkers.h"
#include "engine/engine.h"

enum { MINUTE = 60 * 1000000 };

struct search {
    struct thought thought;
    bool endless;
    uint64_t nodes; /* 0: those of its level */
    int64_t us_max; /* of a processor; 0: any */
    bool told, ran;
    enum engine_answer answer;
};

static struct thinkers *thinkers;
static struct metrics counts;
static int64_t now;
static _Atomic enum work_use use;
static atomic_int begun;

static void think(void *context, struct thought *thought)
{
    struct search *search = context;
    const struct rules_game *game = rules_game(0);
    struct rules_state *state = malloc(sizeof(*state));
    struct engine_task task = {game, state, {NULL, 0}, &thought->cancel, 0};
    struct engine_level level = engine_level(game, 3);
    struct engine_choice choice;
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, NULL, state, &why));
    if (search->endless)
        level.nodes = UINT64_MAX;
    else if (search->nodes != 0)
        level.nodes = search->nodes;
    atomic_fetch_add(&begun, 1);
    if (search->us_max != 0)
        atomic_store(&thought->until, workers_cpu_us() + search->us_max);
    search->answer = engine_choose_as(thought->engine, &task, &level, 1, &choice);
    thought->nodes += choice.nodes;
    free(state);
}

static enum work_use how_used(const void *context)
{
    (void)context;
    return atomic_load(&use);
}

static void done(void *context, bool ran, int64_t us)
{
    struct search *search = context;

    (void)us;
    search->told = true;
    search->ran = ran;
}

static void submit(struct search *search)
{
    search->thought.think = think;
    search->thought.use = how_used;
    search->thought.done = done;
    search->thought.context = search;
    search->thought.client = 1;
    search->thought.nodes_max = search->endless ? UINT32_MAX : engine_nodes(3);
    cr_assert(thinkers_submit(thinkers, &search->thought));
}

/* Runs the loop until it is told of the search. Its time moves on by 50 ms in each pass. */
static void finish(const struct search *search)
{
    struct pollfd readable = {thinkers_fd(thinkers), POLLIN, 0};

    while (!search->told) {
        poll(&readable, 1, 10);
        now += 50000;
        thinkers_run(thinkers);
    }
}

static void open_one(void)
{
    now = 1;
    thinkers = thinkers_open(1, &now, &counts);
    cr_assert_not_null(thinkers);
}

static void close_all(void)
{
    thinkers_close(thinkers);
}

TestSuite(thinkers, .init = open_one, .fini = close_all);

Test(thinkers, search_and_count_what_they_did)
{
    struct search search = {.endless = false};

    submit(&search);
    finish(&search);
    cr_assert(search.ran);
    cr_assert_eq(search.answer, ENGINE_MOVES);
    cr_assert_eq(counts.thoughts, 1);
    cr_assert_eq(counts.thoughts_cancelled, 0);
    cr_assert_gt(counts.thought_nodes, 100);
    cr_assert_gt(counts.thought_us, 0);
}

Test(thinkers, do_a_short_search_while_long_ones_are_under_way_and_wait)
{
    static struct search longer[2] = {{.endless = true}, {.endless = true}}; /* until they close */
    struct search shorter = {.endless = false};

    for (int i = 0; i < 2; i++)
        submit(&longer[i]);
    submit(&shorter);
    finish(&shorter);
    cr_assert_eq(shorter.answer, ENGINE_MOVES);
    cr_assert_not(longer[0].told || longer[1].told);
    cr_assert_neq(shorter.thought.engine, longer[0].thought.engine);
}

Test(thinkers, end_a_search_that_has_taken_as_much_of_a_processor_as_it_may)
{
    struct search search = {.nodes = UINT64_C(1) << 22, .us_max = 1000};

    submit(&search);
    finish(&search);
    cr_assert_eq(search.answer, ENGINE_CANCELLED);
    cr_assert_geq(counts.thought_us, (uint64_t)search.us_max);
}

Test(thinkers, hold_the_searches_of_the_first_five_levels_short)
{
    cr_assert_eq(THINKERS_SHORT_NODES, engine_nodes(5));
}

Test(thinkers, use_a_workspace_again)
{
    struct search first = {.endless = false}, second = {.endless = false};

    submit(&first);
    finish(&first);
    submit(&second);
    finish(&second);
    cr_assert_eq(first.thought.engine, second.thought.engine);
}

Test(thinkers, give_a_workspace_back_that_nobody_used_for_a_minute)
{
    struct search search = {.endless = false};

    cr_assert_eq(thinkers_timeout_ms(thinkers), -1);
    submit(&search);
    finish(&search);
    now += 50000;
    thinkers_run(thinkers);
    cr_assert_gt(thinkers_timeout_ms(thinkers), 1000);
    now += MINUTE;
    thinkers_run(thinkers);
    cr_assert_eq(thinkers_timeout_ms(thinkers), -1);
}

Test(thinkers, end_a_search_that_nobody_waits_for_any_more)
{
    static const enum work_use ends[] = {WORK_VAIN, WORK_DOUBTED};

    for (int i = 0; i < 2; i++) {
        struct search search = {.endless = true};

        atomic_store(&use, WORK_WANTED);
        submit(&search);
        while (atomic_load(&begun) <= i)
            sched_yield();
        atomic_store(&use, ends[i]);
        finish(&search);
        cr_assert_eq(search.answer, ENGINE_CANCELLED);
    }
    cr_assert_eq(counts.thoughts_cancelled, 2);
}

static int looks;

static void count_look(void *context)
{
    (void)context;
    looks++;
}

Test(thinkers, look_at_a_search_whenever_the_loop_has_slept_as_long_as_they_said)
{
    static struct search search = {.endless = true, .thought.look = count_look};

    submit(&search);
    while (atomic_load(&begun) == 0)
        sched_yield();
    for (int i = 1; i <= 3; i++) {
        now += INT64_C(1000) * thinkers_timeout_ms(thinkers);
        thinkers_run(thinkers);
        cr_assert_eq(looks, i);
        thinkers_run(thinkers);
        cr_assert_eq(looks, i, "no time has passed");
    }
}

Test(thinkers, end_a_search_whose_flag_is_set_by_its_owner)
{
    struct search search = {.endless = true};

    submit(&search);
    while (atomic_load(&begun) == 0)
        sched_yield();
    atomic_store(&search.thought.cancel, true);
    finish(&search);
    cr_assert_eq(search.answer, ENGINE_CANCELLED);
}

Test(thinkers, end_all_searches_when_they_are_closed)
{
    struct search search[3] = {{.endless = true}, {.endless = true}, {.endless = true}};

    for (int i = 0; i < 3; i++)
        submit(&search[i]);
    while (atomic_load(&begun) == 0)
        sched_yield();
    thinkers_close(thinkers);
    thinkers = NULL;
    for (int i = 0; i < 3; i++)
        cr_assert(search[i].told);
    cr_assert_eq(search[0].answer, ENGINE_CANCELLED);
    cr_assert_not(search[2].ran);
}

Test(thinkers, take_nothing_where_there_are_none)
{
    struct thinkers *none = thinkers_open(0, &now, &counts);
    struct search search = {.endless = false};

    cr_assert_not(thinkers_any(none));
    cr_assert_not(thinkers_submit(none, &search.thought));
    cr_assert_eq(thinkers_fd(none), -1);
    thinkers_run(none);
    thinkers_close(none);
}
