/* test_long_poll.c - ops that run at a live game, and requests that wait there for news. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/live/players.h"
#include "api/loop/part.h"
#include "api/stream/channels.h"
#include "api/stream/player_stream.h"
#include "rules/rules.h"
#include "tests/unit/desk.h"
#include "tests/unit/played.h"
#include "tests/unit/requests.h"

static void close_desk(void)
{
    desk_close();
    played_free();
}

TestSuite(long_poll, .init = desk_open, .fini = close_desk);

enum { SECOND = 1000000 };

static struct live_game *table_of(unsigned id)
{
    struct played game;

    played_start(&game, "tictactoe", "");
    memset(game.row.id.byte, (int)id % 256, sizeof(game.row.id.byte));
    game.row.id.byte[0] = (uint8_t)(id / 256);
    return desk_table(&game.row);
}

/* Finds nothing new, and waits if it may; answers otherwise. */
static enum step step_wait(struct op *op)
{
    enum step step = channels_wait(op);

    if (step == STEP_GO)
        reply_empty(op->request, 204);
    return STEP_OVER;
}

static struct op *submit_of(uint64_t client, struct live_game *live, int wait_s,
                            enum step (*step)(struct op *op))
{
    struct request *request = requests_new(&desk_loop);
    struct op *op = op_new(request, step, NULL);

    request->arrived = desk_loop.now;
    request->client = client;
    op->wait_s = wait_s;
    op_submit(op, live->row.id);
    return op;
}

static struct op *submit(struct live_game *live, int wait_s, enum step (*step)(struct op *op))
{
    return submit_of(0, live, wait_s, step);
}

static struct op *wait_at(struct live_game *live, int wait_s)
{
    return submit(live, wait_s, step_wait);
}

static struct op *wait_of(uint64_t client, struct live_game *live)
{
    return submit_of(client, live, 25, step_wait);
}

static bool is_answered(const struct op *op)
{
    return requests_answers(op->request) > 0;
}

static void assert_waits(const struct op *op)
{
    cr_assert_not(is_answered(op));
}

/* It was answered once, and well. */
static void assert_served(const struct op *op)
{
    cr_assert_eq(requests_answers(op->request), 1);
    cr_assert_eq(op->request->reply.status, 204);
}

/* Room for many more than usual. */
enum { MANY = 1000, A_PASS = 64 };

static void open_many(void)
{
    long_polls_part.close(&desk_loop);
    desk_config.waits = 2 * MANY;
    long_polls_part.open(&desk_loop);
}

/* Somebody else has written to the game. */
static void tell_news(struct live_game *live)
{
    game_stream_heard(game_streams_of(&desk_loop), live, ++live->row.version, NULL);
}

static size_t waiting_at(const struct live_game *live)
{
    const struct channel *channel = channels_find(channels_of(&desk_loop), live->row.id);

    return channel == NULL ? 0 : channel->waiting.count;
}

/* ---- waiting ---- */

Test(long_poll, a_request_that_does_not_ask_to_wait_is_answered_at_once)
{
    struct op *op = wait_at(table_of(1), 0);

    assert_served(op);
    cr_assert_null(requests_answer_header(op->request, "Preference-Applied"));
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), -1);
}

Test(long_poll, a_request_that_waits_leaves_the_table_to_others)
{
    struct live_game *live = table_of(1);
    struct op *waits = wait_at(live, 25), *other = wait_at(live, 0);

    assert_waits(waits);
    assert_served(other);
    cr_assert_null(live->head);
    cr_assert_eq(waiting_at(live), 1);
    cr_assert_str_eq(requests_answer_header(waits->request, "Preference-Applied"), "wait=25");
    cr_assert_eq(desk_loop.metrics.waits, 1);
}

Test(long_poll, news_wake_all_who_wait_at_a_table_and_nobody_else)
{
    struct live_game *live = table_of(1), *other = table_of(2);
    struct op *a = wait_at(live, 25), *b = wait_at(live, 5), *c = wait_at(other, 25);

    tell_news(live);
    assert_served(a);
    assert_served(b);
    assert_waits(c);
    cr_assert_eq(waiting_at(live), 0);
    cr_assert_eq(desk_loop.metrics.waits, 1);
    tell_news(live);
    assert_served(a);
    tell_news(other);
    assert_served(c);
    cr_assert_eq(desk_loop.metrics.waits, 0);
}

/* What a woken request is told must have been read after it was woken, and it has all of the time
 * of a new request to run. */
Test(long_poll, a_woken_request_has_arrived_just_now)
{
    struct live_game *live = table_of(1);
    struct op *op = wait_at(live, 60);

    desk_loop.now += 2 * DESK_PATIENCE_US;
    tell_news(live);
    cr_assert_eq(op->request->arrived, desk_loop.now);
    assert_served(op);
}

static enum step step_confirm(struct op *op)
{
    enum step step = channels_wait(op);

    if (step == STEP_GO)
        step = op_need_confirmed(op);
    if (step == STEP_GO)
        reply_empty(op->request, 204);
    return step == STEP_GO ? STEP_OVER : step;
}

Test(long_poll, a_look_from_before_the_wait_does_not_confirm_what_is_told_after_it)
{
    struct live_game *live = table_of(1);
    struct op *op;

    live->confirmed = desk_loop.now + SECOND;
    op = submit(live, 60, step_confirm);
    desk_loop.now += 5 * SECOND;
    tell_news(live);
    assert_waits(op);
    cr_assert(live->busy, "the database is asked");
    cr_assert_eq(desk_questions(), 1);
}

Test(long_poll, a_request_waits_once)
{
    struct live_game *live = table_of(1);
    struct op *op = wait_at(live, 25);

    cr_assert_eq(op->wait_s, 0);
    tell_news(live);
    assert_served(op);
}

/* ---- bounds ---- */

static uint64_t ended(enum wait_end why)
{
    return desk_loop.metrics.long_poll_ended[why];
}

/* Tables of their own, so that only the bound of all is reached. */
Test(long_poll, when_too_many_wait_in_all_the_oldest_ends_for_the_new_one)
{
    struct op *op[DESK_WAITS + 2];

    for (uint8_t i = 0; i < DESK_WAITS + 2; i++)
        op[i] = wait_at(table_of(i), 25);
    assert_served(op[0]);
    assert_served(op[1]);
    for (size_t i = 2; i < DESK_WAITS + 2; i++)
        assert_waits(op[i]);
    cr_assert_eq(desk_loop.metrics.waits, DESK_WAITS);
    cr_assert_eq(ended(WAIT_END_ALL), 2);
}

Test(long_poll, when_too_many_wait_at_a_game_its_oldest_ends)
{
    struct op *elsewhere = wait_at(table_of(2), 25), *op[DESK_WAITS_GAME + 1];
    struct live_game *live = table_of(1);

    for (size_t i = 0; i <= DESK_WAITS_GAME; i++)
        op[i] = wait_at(live, 25);
    assert_served(op[0]);
    for (size_t i = 1; i <= DESK_WAITS_GAME; i++)
        assert_waits(op[i]);
    assert_waits(elsewhere);
    cr_assert_eq(ended(WAIT_END_GAME), 1);
}

Test(long_poll, an_address_with_many_waits_ends_its_own_and_nobody_elses)
{
    struct op *theirs = wait_of(7, table_of(1)), *uncounted = wait_at(table_of(2), 25);
    struct op *op[20];

    for (uint8_t i = 0; i < 20; i++)
        op[i] = wait_of(8, table_of(i));
    assert_waits(theirs);
    assert_waits(uncounted);
    for (size_t i = 0; i < 20; i++)
        if (i < 20 - DESK_WAITS_ADDRESS)
            assert_served(op[i]);
        else
            assert_waits(op[i]);
    cr_assert_eq(ended(WAIT_END_ADDRESS), 20 - DESK_WAITS_ADDRESS);
}

Test(long_poll, requests_that_are_not_counted_are_not_bounded_together)
{
    struct op *op[DESK_WAITS];

    for (uint8_t i = 0; i < DESK_WAITS; i++)
        op[i] = wait_at(table_of(i), 25);
    for (size_t i = 0; i < DESK_WAITS; i++)
        assert_waits(op[i]);
}

Test(long_poll, an_address_has_room_again_when_its_waits_are_over)
{
    for (int i = 0; i < 3; i++) {
        struct live_game *live = table_of(1);
        struct op *a = wait_of(8, live), *b = wait_of(8, live);

        assert_waits(a);
        tell_news(live);
        assert_served(a);
        assert_served(b);
    }
    cr_assert_eq(ended(WAIT_END_ADDRESS), 0);
}

Test(long_poll, every_kind_of_bound_leaves_room_for_one)
{
    struct op *op;

    long_polls_part.close(&desk_loop);
    desk_config.waits = 1;
    long_polls_part.open(&desk_loop);
    op = wait_of(8, table_of(1));
    assert_waits(op);
    assert_waits(wait_of(8, table_of(1)));
    assert_served(op);
}

Test(long_poll, without_a_limit_above_zero_nobody_waits)
{
    struct op *op;

    long_polls_part.close(&desk_loop);
    desk_config.waits = 0;
    long_polls_part.open(&desk_loop);
    op = wait_of(8, table_of(1));
    assert_served(op);
    cr_assert_null(requests_answer_header(op->request, "Preference-Applied"));
}

Test(long_poll, a_client_that_closes_its_connection_ends_its_wait)
{
    struct live_game *live = table_of(1);
    struct op *gone = wait_at(live, 25), *stays = wait_at(live, 25);

    gone->request->parking.closed(gone->request, gone->request->parking.args);
    assert_served(gone);
    assert_waits(stays);
    cr_assert_eq(desk_loop.metrics.waits, 1);
    cr_assert_eq(ended(WAIT_END_CLOSED), 1);
}

Test(long_poll, a_request_that_cannot_be_parked_is_answered_at_once)
{
    struct request *request = requests_new(&desk_loop);
    struct op *op = op_new(request, step_wait, NULL);

    requests_body(request, NULL, "x");
    request->arrived = desk_loop.now;
    op->wait_s = 25;
    op_submit(op, table_of(1)->row.id);
    assert_served(op);
    cr_assert_eq(desk_loop.metrics.waits, 0);
}

/* ---- many ---- */

static size_t served(struct op *const *op)
{
    size_t n = 0;

    for (size_t i = 0; i < MANY; i++)
        n += is_answered(op[i]);
    return n;
}

Test(long_poll, a_thousand_spectators_hear_the_news_a_few_in_each_pass)
{
    static struct op *op[MANY];
    struct live_game *live = table_of(1);

    open_many();
    for (size_t i = 0; i < MANY; i++)
        op[i] = wait_at(live, 25);
    tell_news(live);
    cr_assert_eq(waiting_at(live), 0);
    cr_assert_eq(served(op), A_PASS);
    for (size_t n = 2 * A_PASS; n < MANY; n += A_PASS) {
        cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 0);
        long_polls_part.run(&desk_loop);
        cr_assert_eq(served(op), n);
    }
    long_polls_part.run(&desk_loop);
    cr_assert_eq(served(op), MANY);
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), -1);
}

Test(long_poll, a_spectator_who_leaves_before_they_were_told_is_not_told_twice)
{
    static struct op *op[MANY];
    struct live_game *live = table_of(1);
    struct request *last;

    open_many();
    for (size_t i = 0; i < MANY; i++)
        op[i] = wait_at(live, 25);
    tell_news(live);
    last = op[MANY - 1]->request;
    last->parking.closed(last, last->parking.args);
    assert_served(op[MANY - 1]);
    long_polls_part.drain(&desk_loop);
    for (size_t i = 0; i < MANY; i++)
        assert_served(op[i]);
}

Test(long_poll, the_end_wakes_everybody_and_nobody_waits_from_then_on)
{
    struct op *a = wait_at(table_of(1), 25), *b = wait_at(table_of(2), 25);

    long_polls_part.drain(&desk_loop);
    assert_served(a);
    assert_served(b);
    assert_served(wait_at(table_of(1), 25));
    cr_assert_eq(desk_loop.metrics.waits, 0);
}

/* ---- at no live game ---- */

static int ends; /* of the waits below */
static struct wait *begun;

static void on_ended(void *args)
{
    (void)args;
    ends++;
}

static void on_back(struct request *request, void *args)
{
    (void)args;
    reply_empty(request, 204);
}

static const struct long_poll_owner nowhere = {NULL, on_ended, on_back, NULL};

/* A request that waits for something else than a game. */
static struct request *wait_elsewhere(uint64_t client, int wait_s)
{
    struct request *request = requests_new(&desk_loop);

    request->client = client;
    begun = long_poll_begin(request, wait_s, nowhere);
    return request;
}

Test(long_poll, a_wait_elsewhere_ends_once_and_its_request_goes_on_soon)
{
    struct request *request = wait_elsewhere(0, 25);

    cr_assert_str_eq(requests_answer_header(request, "Preference-Applied"), "wait=25");
    cr_assert_eq(desk_loop.metrics.waits, 1);
    long_poll_wake_one(begun);
    cr_assert_eq(ends, 1);
    cr_assert_eq(requests_answers(request), 0);
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 0);
    long_polls_part.run(&desk_loop);
    cr_assert_eq(requests_answers(request), 1);
    cr_assert_eq(ends, 1);
    cr_assert_eq(desk_loop.metrics.waits, 0);
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), -1);
}

Test(long_poll, a_request_waits_elsewhere_once_and_only_if_it_asks_to)
{
    struct request *request = wait_elsewhere(0, 25);

    long_poll_wake_one(begun);
    long_polls_part.run(&desk_loop);
    cr_assert_null(long_poll_begin(request, 25, nowhere));
    wait_elsewhere(0, 0);
    cr_assert_null(begun);
    cr_assert_eq(ends, 1);
}

Test(long_poll, those_elsewhere_count_with_those_at_games_of_their_address_and_in_all)
{
    struct request *first = wait_elsewhere(8, 25);
    struct op *op[DESK_WAITS];

    for (uint8_t i = 0; i < DESK_WAITS_ADDRESS; i++)
        assert_waits(wait_of(8, table_of(i)));
    cr_assert_eq(requests_answers(first), 1);
    cr_assert_eq(ended(WAIT_END_ADDRESS), 1);
    cr_assert_eq(ends, 1);
    first = wait_elsewhere(0, 25);
    for (uint8_t i = 0; i < DESK_WAITS; i++)
        op[i] = wait_at(table_of(100 + i), 25);
    cr_assert_eq(requests_answers(first), 1);
    cr_assert_eq(ends, 2);
    assert_waits(op[0]);
    wait_elsewhere(0, 25);
    assert_served(op[0]);
}

Test(long_poll, a_wait_elsewhere_ends_when_its_time_is_over_or_its_client_or_the_daemon_goes)
{
    struct request *late = wait_elsewhere(0, 1), *gone = wait_elsewhere(0, 25);
    struct request *last = wait_elsewhere(0, 25);

    gone->parking.closed(gone, gone->parking.args);
    cr_assert_eq(requests_answers(gone), 1);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(requests_answers(late), 0);
        desk_loop.now += SECOND / 4;
        long_polls_part.run(&desk_loop);
    }
    cr_assert_eq(requests_answers(late), 1);
    cr_assert_eq(requests_answers(last), 0);
    long_polls_part.drain(&desk_loop);
    cr_assert_eq(requests_answers(last), 1);
    cr_assert_eq(ends, 3);
}

/* Tables that come and go do not put it off. */
Test(long_poll, times_elsewhere_are_looked_at_four_times_a_second_whatever_happens_at_tables)
{
    struct request *late = wait_elsewhere(0, 1);

    for (int i = 0; i < 13; i++) {
        struct live_game *live = table_of(1);

        wait_at(live, 25);
        desk_loop.now += SECOND / 10;
        long_polls_part.run(&desk_loop);
        tell_news(live);
    }
    cr_assert_eq(requests_answers(late), 1);
}

/* ---- all games of a player ---- */

static const struct player ada = {.id = {.byte = {7}}, .name = "Ada"};

static void go_on(struct request *request)
{
    reply_empty(request, 204);
}

static struct request *wait_of_player(void)
{
    struct request *request = requests_new(&desk_loop);

    request->player = &ada;
    cr_assert(player_stream_wait(request, 25, 17, go_on));
    return request;
}

static void hear_of_game(const struct player *player)
{
    struct db_game row = {.seat = {{.has_player = true, .player = player->id}}};

    player_stream_heard(player_streams_of(&desk_loop), &row);
    long_polls_part.run(&desk_loop);
}

/* Between the look that found nothing new and the beginning of the wait something may be written.
 */
Test(long_poll, a_player_who_begins_to_wait_is_looked_up_once_more)
{
    uint64_t before = desk_questions();

    wait_of_player();
    cr_assert_eq(desk_questions(), before + 1);
}

Test(long_poll, a_write_to_a_game_of_a_player_ends_all_waits_of_that_player)
{
    static const struct player mia = {.id = {.byte = {8}}, .name = "Mia"};
    struct request *a = wait_of_player(), *b = wait_of_player();

    hear_of_game(&mia);
    cr_assert_eq(requests_answers(a), 0);
    hear_of_game(&ada);
    hear_of_game(&ada);
    cr_assert_eq(requests_answers(a), 1);
    cr_assert_eq(requests_answers(b), 1);
    cr_assert_eq(desk_loop.metrics.waits, 0);
}

Test(long_poll, a_request_that_cannot_wait_leaves_nothing_behind_to_tell)
{
    struct request *request = requests_new(&desk_loop);

    request->player = &ada;
    cr_assert_not(player_stream_wait(request, 0, 17, go_on));
    cr_assert_eq(player_streams_part.timeout_ms(&desk_loop), -1);
    hear_of_game(&ada);
    cr_assert_eq(requests_answers(request), 0);
}

/* ---- passes of the loop ---- */

static void pass(int64_t us)
{
    desk_loop.now += us;
    channels_part.run(&desk_loop);
    long_polls_part.run(&desk_loop);
}

Test(long_poll, when_its_time_is_over_a_request_is_woken_within_a_quarter_of_a_second)
{
    struct live_game *live = table_of(1);
    struct op *one = wait_at(live, 1), *two = wait_at(live, 2);

    for (int i = 0; i < 3; i++) {
        pass(SECOND / 4);
        assert_waits(one);
    }
    pass(SECOND / 4);
    assert_served(one);
    assert_waits(two);
    pass(SECOND - 1);
    assert_waits(two);
    pass(SECOND / 4);
    assert_served(two);
}

static bool is_looked_up(const struct live_game *live)
{
    const struct channel *channel = channels_find(channels_of(&desk_loop), live->row.id);

    return channel != NULL && channel->looking;
}

Test(long_poll, after_a_quarter_of_a_second_each_game_that_somebody_waits_at_is_looked_up_once)
{
    struct live_game *live = table_of(1), *other = table_of(2), *nobodys = table_of(3);

    wait_at(live, 25);
    wait_at(live, 25);
    wait_at(other, 25);
    pass(SECOND / 4 - 1);
    cr_assert_eq(desk_questions(), 0);
    pass(1);
    cr_assert_eq(desk_questions(), 2);
    cr_assert(is_looked_up(live) && is_looked_up(other) && !is_looked_up(nobodys));
    cr_assert(!live->busy && !other->busy, "others run");
    pass(SECOND / 4);
    cr_assert_eq(desk_questions(), 2, "the first answers have not come yet");
}

Test(long_poll, many_games_are_looked_up_a_part_at_a_time_and_all_in_a_quarter_of_a_second)
{
    enum { GAMES_MANY = 512, AT_ONE_TIME = 256 };

    open_many();
    for (unsigned i = 0; i < GAMES_MANY; i++)
        wait_at(table_of(i), 25);
    pass(SECOND / 8 - 1);
    cr_assert_eq(desk_questions(), 0);
    pass(1);
    cr_assert_eq(desk_questions(), AT_ONE_TIME);
    pass(SECOND / 8);
    for (unsigned i = 0; i < GAMES_MANY; i++)
        cr_assert(is_looked_up(table_of(i)));
}

/* A live game that is not the one of the wait any more: it made room for others, and was read anew.
 */
Test(long_poll, a_request_waits_on_while_its_game_is_not_in_memory)
{
    struct live_game *live = table_of(1);
    struct op *op = wait_at(live, 25);

    cache_forget(live);
    live = table_of(1);
    game_stream_heard(game_streams_of(&desk_loop), live, live->row.version, NULL);
    assert_waits(op);
    tell_news(live);
    assert_served(op);
}

Test(long_poll, a_game_that_others_have_written_to_is_read_anew_by_those_who_waited)
{
    struct live_game *live = table_of(1);

    cache_outdate(cache_of(&desk_loop), live->row.id, live->row.version);
    cr_assert(live->loaded);
    cache_outdate(cache_of(&desk_loop), live->row.id, live->row.version + 1);
    cr_assert_not(live->loaded);
}

Test(long_poll, a_thousand_whose_time_is_over_are_woken_a_few_in_each_pass)
{
    static struct op *op[MANY];

    open_many();
    for (size_t i = 0; i < MANY; i++)
        op[i] = wait_at(table_of(1), 1);
    pass(2 * SECOND);
    cr_assert_eq(served(op), A_PASS);
    pass(0);
    cr_assert_eq(served(op), 2 * A_PASS);
}

Test(long_poll, the_loop_may_sleep_until_the_next_quarter_of_a_second)
{
    pass(0);
    wait_at(table_of(1), 25);
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 250);
    desk_loop.now += 1500;
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 249);
    desk_loop.now += SECOND / 4 - 1501;
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 1);
    desk_loop.now += 1;
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 0);
    desk_loop.now += SECOND;
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 0);
    pass(0);
    cr_assert_eq(long_polls_part.timeout_ms(&desk_loop), 250);
}

Test(long_poll, the_first_look_comes_a_quarter_of_a_second_after_the_first_wait)
{
    pass(100 * SECOND);
    cr_assert_eq(channels_part.timeout_ms(&desk_loop), -1);
    wait_at(table_of(1), 25);
    cr_assert_eq(channels_part.timeout_ms(&desk_loop), 250);
    desk_loop.now += SECOND / 8;
    wait_at(table_of(1), 25);
    cr_assert_eq(channels_part.timeout_ms(&desk_loop), 125);
}

/* ---- any order of all that ---- */

enum { TABLES = 3, WALK_JOBS = 2000 };

struct waiting {
    struct op *op;
    size_t live;
    int64_t deadline;
};

struct walk {
    struct live_game *live[TABLES];
    struct waiting waiting[DESK_WAITS]; /* from the oldest on */
    size_t count;
    uint64_t seed;
};

/* The oldest wait at this live game, or of this client (0: of any), has to be over, if so many wait
 * there. */
static void walk_bound(struct walk *walk, size_t live, uint64_t client, size_t limit)
{
    size_t oldest = walk->count, n = 0;

    for (size_t i = walk->count; i-- > 0;) {
        const struct waiting *waiting = &walk->waiting[i];

        if ((live == TABLES || waiting->live == live) &&
            (client == 0 || waiting->op->request->client == client)) {
            oldest = i;
            n++;
        }
    }
    if (n < limit)
        return;
    assert_served(walk->waiting[oldest].op);
    walk->count--;
    memmove(&walk->waiting[oldest], &walk->waiting[oldest + 1],
            (walk->count - oldest) * sizeof(walk->waiting[0]));
}

static void walk_wait(struct walk *walk)
{
    size_t live = rules_choose(&walk->seed, TABLES);
    int wait_s = (int)rules_choose(&walk->seed, 4);
    uint64_t client = rules_choose(&walk->seed, 4);
    struct op *op = submit_of(client, walk->live[live], wait_s, step_wait);

    if (wait_s == 0) {
        assert_served(op);
        return;
    }
    if (client != 0)
        walk_bound(walk, TABLES, client, DESK_WAITS_ADDRESS);
    walk_bound(walk, live, 0, DESK_WAITS_GAME);
    walk_bound(walk, TABLES, 0, DESK_WAITS);
    walk->waiting[walk->count++] =
        (struct waiting){op, live, desk_loop.now + (int64_t)wait_s * SECOND};
}

/* Those that were woken were answered, as if they had just come, and the others wait. */
static void walk_check(struct walk *walk, bool (*woken)(const struct waiting *, size_t),
                       size_t live)
{
    size_t left = 0;

    for (size_t i = 0; i < walk->count; i++) {
        if (woken(&walk->waiting[i], live)) {
            assert_served(walk->waiting[i].op);
            cr_assert_eq(walk->waiting[i].op->request->arrived, desk_loop.now);
        } else {
            assert_waits(walk->waiting[i].op);
            walk->waiting[left++] = walk->waiting[i];
        }
    }
    walk->count = left;
    cr_assert_eq(desk_loop.metrics.waits, left);
}

static bool is_at(const struct waiting *waiting, size_t live)
{
    return waiting->live == live;
}

/* Since the last quarter of a second. */
static bool is_over(const struct waiting *waiting, size_t live)
{
    (void)live;
    return waiting->deadline <= desk_loop.now - desk_loop.now % (SECOND / 4);
}

static void walk_pass(struct walk *walk)
{
    pass((int64_t)rules_choose(&walk->seed, SECOND / 2));
    walk_check(walk, is_over, 0);
}

Test(long_poll, a_wait_ends_by_news_or_its_time_or_because_it_is_the_oldest_and_by_nothing_else)
{
    struct walk walk = {.seed = 12};

    for (uint8_t i = 0; i < TABLES; i++)
        walk.live[i] = table_of(i);
    for (int i = 0; i < WALK_JOBS; i++) {
        size_t live = rules_choose(&walk.seed, TABLES);

        switch (rules_choose(&walk.seed, 6)) {
        case 0:
            tell_news(walk.live[live]);
            walk_check(&walk, is_at, live);
            break;
        case 1:
        case 2:
            walk_pass(&walk);
            break;
        default:
            walk_wait(&walk);
        }
    }
}

/* ---- runs ---- */

static const struct op *ran[8];
static size_t nran;

static enum step step_ask(struct op *op)
{
    ran[nran++] = op;
    if (op->args == NULL) {
        op->args = op;
        op_wait(op->live);
        return STEP_LATER;
    }
    reply_empty(op->request, 204);
    return STEP_OVER;
}

Test(long_poll, ops_run_in_the_order_in_which_they_came)
{
    struct live_game *live = table_of(1);
    struct op *a = submit(live, 0, step_ask), *b = submit(live, 0, step_ask);
    struct op *c = submit(live, 0, step_ask), *elsewhere = wait_at(table_of(2), 0);

    assert_served(elsewhere);
    cr_assert(nran == 1 && ran[0] == a, "b waits until it may run");
    op_resume(live);
    assert_served(a);
    cr_assert(nran == 3 && ran[1] == a && ran[2] == b, "a step is called again from its start");
    assert_waits(b);
    op_resume(live);
    assert_served(b);
    cr_assert(nran == 5 && ran[4] == c);
    op_resume(live);
    assert_served(c);
    cr_assert_null(live->head);
}

static enum step step_ask_and_wait(struct op *op)
{
    if (op->args == NULL) {
        op->args = op;
        op_wait(op->live);
        return STEP_LATER;
    }
    return step_wait(op);
}

Test(long_poll, a_woken_request_does_not_bring_back_those_that_were_behind_it)
{
    struct live_game *live = table_of(1);
    struct op *waits = submit(live, 25, step_ask_and_wait), *behind = wait_at(live, 0);

    op_resume(live);
    assert_waits(waits);
    assert_served(behind);
    tell_news(live);
    assert_served(waits);
    assert_served(behind);
}

Test(long_poll, an_op_that_was_answered_elsewhere_lets_the_next_one_run)
{
    struct live_game *live = table_of(1);
    struct op *a = submit(live, 0, step_ask), *b = submit(live, 0, step_wait);

    assert_waits(b);
    reply_empty(a->request, 503);
    op_end(a);
    cr_assert_eq(nran, 1);
    assert_served(b);
}

Test(long_poll, an_op_that_would_run_too_late_is_refused)
{
    struct live_game *live = table_of(1);
    struct op *a = submit(live, 0, step_ask), *b = submit(live, 0, step_ask);

    desk_loop.now += DESK_PATIENCE_US;
    op_resume(live);
    assert_served(a);
    cr_assert_eq(nran, 3);
    desk_loop.now += 1;
    op_resume(live);
    requests_assert_problem(b->request, PROBLEM_OVERLOADED, NULL);
    cr_assert_eq(nran, 3, "its step is not called");
}

Test(long_poll, a_game_that_is_not_in_memory_is_asked_for_before_the_step)
{
    struct live_game *live = table_of(1);
    struct op *op;

    live->loaded = false;
    op = submit(live, 0, step_wait);
    assert_waits(op);
    cr_assert(live->busy);
    cr_assert_eq(desk_questions(), 1);
    live->loaded = true;
    op_resume(live);
    assert_served(op);
}
