/* test_game_stream.c - who is told what: the events of games on streams. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/loop/part.h"
#include "api/stream/channels.h"
#include "api/stream/event_page.h"
#include "tests/unit/desk.h"
#include "tests/unit/played.h"
#include "tests/unit/requests.h"

enum { MS = 1000, MANY = 600 };

static void close_desk(void)
{
    desk_close();
    played_free();
}

TestSuite(game_stream, .init = desk_open, .fini = close_desk);

static struct live_game *table_of(unsigned id)
{
    struct played game;

    played_start(&game, "tictactoe", "");
    memset(game.row.id.byte, (int)id % 256, sizeof(game.row.id.byte));
    game.row.id.byte[8] = (uint8_t)(id / 256);
    game.row.version = 1;
    return desk_table(&game.row);
}

static void open_many(void)
{
    desk_open_streams(2 * MANY);
}

static int32_t wanted;
static enum game_stream_form form;

static enum step step_follow(struct op *op)
{
    return game_stream_follow(op, form, wanted, NULL);
}

/* Follows a game from a version on. Returns the client's socket. */
static int follow(struct live_game *live, int32_t after)
{
    struct request *request = requests_new(&desk_loop);
    int pair[2];

    wanted = after;
    request->arrived = desk_loop.now;
    op_submit(op_new(request, step_follow, NULL), live->row.id);
    cr_assert_not_null(request->reply.stream, "%s", request->reply.body);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    fcntl(pair[1], F_SETFL, O_NONBLOCK);
    cr_assert(stream_begin(request->reply.stream, pair[0], "", 0));
    close(pair[0]);
    return pair[1];
}

static const char *heard(int fd)
{
    static char text[65536];
    ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

    text[n < 0 ? 0 : n] = '\0';
    return text;
}

/* This loop writes events to a game. */
static void write_events(struct live_game *live, int count)
{
    static struct db_event events[64];
    struct live_write write = {.events = events, .count = (size_t)count};

    for (int i = 0; i < count; i++)
        events[i] = (struct db_event){.version = ++live->row.version,
                                      .kind = EVENT_MOVE,
                                      .seat = 1,
                                      .line = 1,
                                      .move = "a1",
                                      .at = db_now(desk_loop.db)};
    game_stream_heard(game_streams_of(&desk_loop), live, live->row.version, &write);
}

static void pass(int64_t us)
{
    desk_loop.now += us;
    streams_look(streams_of(&desk_loop));
    streams_run(streams_of(&desk_loop));
    channels_part.run(&desk_loop);
    game_streams_part.run(&desk_loop);
    game_streams_part.finish(&desk_loop);
}

Test(game_stream, what_this_loop_writes_is_told_without_asking_the_database)
{
    struct live_game *live = table_of(1);
    int fd = follow(live, 1);

    form = STREAM_LINES;
    write_events(live, 1);
    pass(0);
    cr_assert_not_null(strstr(heard(fd), "\"version\":2,\"type\":\"move\""));
    write_events(live, 2);
    pass(0);
    cr_assert_not_null(strstr(heard(fd), "\"version\":4,"));
    cr_assert_eq(desk_questions(), 0);
    cr_assert_eq(desk_loop.metrics.stream_events, 3);
}

Test(game_stream, a_stream_that_lacks_more_than_that_reads_the_log)
{
    struct live_game *live = table_of(1);
    int fd = follow(live, 0);

    pass(0);
    cr_assert_eq(desk_questions(), 1);
    write_events(live, 1);
    pass(0);
    cr_assert_str_eq(heard(fd), "", "it is told in order");
    cr_assert_eq(desk_questions(), 1, "one page is read at a time");
}

Test(game_stream, what_others_have_written_is_read_from_the_log)
{
    struct live_game *live = table_of(1);
    int fd = follow(live, 1);

    game_stream_heard(game_streams_of(&desk_loop), live, 3, NULL);
    pass(0);
    cr_assert_eq(desk_questions(), 1);
    game_stream_heard(game_streams_of(&desk_loop), live, 3, NULL);
    game_stream_heard(game_streams_of(&desk_loop), live, 2, NULL);
    pass(0);
    cr_assert_eq(desk_questions(), 1);
    cr_assert_str_eq(heard(fd), "");
}

/* The live game has learnt of an event that the streams do not know of yet. */
Test(game_stream, what_this_loop_writes_behind_an_event_of_others_is_read_with_that)
{
    struct live_game *live = table_of(1);
    int fd = follow(live, 1);

    live->row.version++;
    write_events(live, 1);
    pass(0);
    cr_assert_str_eq(heard(fd), "", "there is a gap before it");
    cr_assert_eq(desk_questions(), 1);
}

Test(game_stream, a_write_of_more_events_than_a_page_has_is_read_page_by_page)
{
    struct live_game *live = table_of(1);
    int fd = follow(live, 1);

    write_events(live, EVENT_PAGE_EVENTS + 1);
    pass(0);
    cr_assert_str_eq(heard(fd), "");
    cr_assert_eq(desk_questions(), 1);
}

Test(game_stream, streams_at_the_same_event_share_one_page)
{
    struct live_game *live = table_of(1);

    for (int i = 0; i < 4; i++)
        follow(live, 0);
    pass(0);
    cr_assert_eq(desk_questions(), 1);
}

Test(game_stream, a_version_that_is_not_there_yet_is_waited_for)
{
    struct live_game *live = table_of(1);
    int fd = follow(live, 3);

    write_events(live, 1);
    pass(0);
    write_events(live, 1);
    pass(0);
    cr_assert_str_eq(heard(fd), "");
    cr_assert_eq(desk_questions(), 0);
    write_events(live, 1);
    pass(0);
    cr_assert_not_null(strstr(heard(fd), "\"version\":4,"));
}

Test(game_stream, few_games_are_looked_up_twenty_times_a_second)
{
    follow(table_of(1), 1);
    follow(table_of(2), 1);
    cr_assert_eq(channels_part.timeout_ms(&desk_loop), 50);
    pass(50 * MS - 1);
    cr_assert_eq(desk_questions(), 0);
    pass(1);
    cr_assert_eq(desk_questions(), 2);
    pass(50 * MS);
    cr_assert_eq(desk_questions(), 2, "the first answers have not come yet");
}

Test(game_stream, many_games_are_looked_up_a_part_at_a_time)
{
    open_many();
    for (unsigned i = 0; i < MANY; i++)
        follow(table_of(i), 1);
    pass(250 * MS * 256 / MANY);
    cr_assert_eq(desk_questions(), 256);
    pass(250 * MS * 256 / MANY - 1);
    cr_assert_eq(desk_questions(), 256);
    pass(1);
    cr_assert_eq(desk_questions(), 512);
}

static enum step step_wait(struct op *op)
{
    if (channels_wait(op) == STEP_GO)
        reply_empty(op->request, 204);
    return STEP_OVER;
}

static struct channel *wait_at(const struct live_game *live)
{
    struct request *request = requests_new(&desk_loop);
    struct op *op = op_new(request, step_wait, NULL);

    request->arrived = desk_loop.now;
    op->wait_s = 25;
    op_submit(op, live->row.id);
    return channels_find(channels_of(&desk_loop), live->row.id);
}

Test(game_stream, a_game_that_is_waited_for_too_is_looked_up_as_if_it_were_only_followed)
{
    struct live_game *live = table_of(1);
    struct channel *channel;

    follow(live, 1);
    pass(30 * MS);
    channel = wait_at(live);
    for (uint64_t ms = 40; ms <= 1000; ms += 10) {
        pass(10 * MS);
        cr_assert_eq(desk_questions(), ms / 50);
        channel->looking = false; /* as if the answer had come */
    }
}

/* They are looked up in groups, of which each takes 25 ms. */
Test(game_stream, a_request_that_waits_does_not_wait_longer_where_very_many_games_are_followed)
{
    enum { VERY_MANY = 4000 };
    static struct follower followers[VERY_MANY];
    struct channels *channels = channels_of(&desk_loop);
    struct db_game row = {.version = 1};
    struct live_game *live = table_of(1);
    struct channel *waited;

    for (uint32_t i = 0; i < VERY_MANY; i++) {
        memcpy(row.id.byte + 8, &i, sizeof(i));
        channels_add(channels_need(channels, i == VERY_MANY - 1 ? &live->row : &row),
                     &followers[i]);
    }
    waited = wait_at(live);
    pass(250 * MS - 1);
    cr_assert_eq(desk_questions(), 256);
    cr_assert_not(waited->looking);
    pass(1);
    cr_assert(waited->looking);
    for (uint32_t i = 0; i < VERY_MANY; i++)
        channels_remove(&followers[i]);
}

Test(game_stream, a_game_that_nobody_follows_any_more_is_not_looked_up)
{
    int fd = follow(table_of(1), 1);

    close(fd);
    pass(0);
    cr_assert_eq(streams_count(streams_of(&desk_loop)), 0);
    cr_assert_eq(channels_part.timeout_ms(&desk_loop), -1);
    pass(1000 * MS);
    cr_assert_eq(desk_questions(), 0);
}

Test(game_stream, half_of_all_streams_may_follow_one_game)
{
    struct request *request = requests_new(&desk_loop);
    struct live_game *live = table_of(1);

    for (int i = 0; i < DESK_STREAMS / 2; i++)
        follow(live, 1);
    request->arrived = desk_loop.now;
    op_submit(op_new(request, step_follow, NULL), live->row.id);
    requests_assert_problem(request, PROBLEM_OVERLOADED, NULL);
    follow(table_of(2), 1);
}

Test(game_stream, a_seat_that_is_lost_hears_nothing_more_of_a_private_game)
{
    struct live_game *live = table_of(1);
    int fd;

    live->row.visibility = VISIBILITY_PRIVATE;
    fd = follow(live, 1); /* whose request shows no token */
    write_events(live, 1);
    pass(0);
    cr_assert_str_eq(heard(fd), "");
    pass(0);
    cr_assert_eq(desk_loop.metrics.streams_ended[STREAM_END_REFUSED], 1);
    cr_assert_eq(streams_count(streams_of(&desk_loop)), 0);
}

Test(game_stream, a_thousand_are_told_in_several_passes_if_that_takes_long)
{
    static int fd[MANY];
    struct live_game *live = table_of(1);
    int told = 0, passes = 0;

    open_many();
    for (int i = 0; i < MANY; i++)
        fd[i] = follow(live, 1);
    write_events(live, 1);
    do
        pass(0);
    while (passes++ < MANY && game_streams_part.timeout_ms(&desk_loop) == 0);
    for (int i = 0; i < MANY; i++)
        told += strstr(heard(fd[i]), "\"version\":2,") != NULL;
    cr_assert_eq(told, MANY);
}
