/* test_streams.c - the bytes of streams: heartbeats, slow clients, bounds, ends. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/loop/metrics.h"
#include "api/net/stream.h"

enum { LIMIT = 8, BEAT = 15000, PATIENCE = 10000, MANY = 200, LONG = 1 << 20 };

static struct metrics counts;
static struct streams *streams;
static int64_t now;

/* A stream and its client. */
struct end {
    struct stream *stream;
    int theirs;
    int ready, over;
};

static void open_with(size_t limit)
{
    const struct streams_settings settings = {
        .limit = limit, .beat_us = BEAT, .patience_us = PATIENCE, .now = &now, .counts = &counts};

    streams = streams_open(&settings);
    cr_assert_not_null(streams);
}

static void open_streams(void)
{
    now = 1000000;
    open_with(LIMIT);
}

/* With room for long texts. */
static void open_large(void)
{
    streams_close(streams);
    open_with(MANY);
}

static void close_streams(void)
{
    streams_close(streams);
    cr_assert_eq(counts.streams, 0);
}

TestSuite(streams, .init = open_streams, .fini = close_streams);

static void on_ready(void *args)
{
    ((struct end *)args)->ready++;
}

static void on_over(void *args)
{
    ((struct end *)args)->over++;
}

static const struct stream_form plain = {.beat = ":\n\n", .bye = ": bye\n\n"};
static const struct stream_form chunks = {.beat = "\n", .bye = "", .chunked = true};
static const struct stream_form *form = &plain;

static void make(struct end *end, uint64_t client)
{
    *end = (struct end){.theirs = -1};
    end->stream = stream_new(streams, client, form, (struct stream_owner){on_ready, on_over, end});
}

/* Returns the descriptor of the socket that the stream has made its own from. */
static int begin_and_hold(struct end *end)
{
    int pair[2];

    make(end, 0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    fcntl(pair[1], F_SETFL, O_NONBLOCK);
    cr_assert(stream_begin(end->stream, pair[0], "head\n", 5));
    end->theirs = pair[1];
    return pair[0];
}

static void begin(struct end *end)
{
    close(begin_and_hold(end));
}

/* What has come to the client. */
static const char *heard(struct end *end)
{
    static char text[LONG + 1];
    ssize_t n = 0, len = 0;

    while (len < LONG && (n = recv(end->theirs, text + len, (size_t)(LONG - len), 0)) > 0)
        len += n;
    text[len] = '\0';
    return text;
}

static bool say(struct end *end, const char *bytes, size_t len)
{
    struct stream_text *text = stream_text(streams, bytes, len);
    bool ready = stream_send(end->stream, text);

    stream_text_release(text);
    return ready;
}

/* More than a socket takes. */
static bool say_much(struct end *end)
{
    static char bytes[LONG];

    memset(bytes, 'x', sizeof(bytes));
    return say(end, bytes, sizeof(bytes));
}

static void pass(int64_t us)
{
    now += us;
    streams_look(streams);
    streams_run(streams);
}

Test(streams, a_stream_begins_with_its_head_and_is_ready)
{
    static struct end end;

    begin(&end);
    cr_assert_str_eq(heard(&end), "head\n");
    cr_assert_eq(end.ready, 1);
    cr_assert(say(&end, "a", 1));
    cr_assert(say(&end, "b", 1));
    cr_assert_str_eq(heard(&end), "ab");
    cr_assert_eq(end.ready, 1, "it was ready all the time");
}

Test(streams, an_answer_in_chunks_has_all_that_is_said_in_one_each)
{
    static struct end end;

    form = &chunks;
    begin(&end);
    cr_assert_str_eq(heard(&end), "head\n", "its head is none");
    cr_assert(stream_say(end.stream, "a game of 20 bytes.\n", 20));
    cr_assert_str_eq(heard(&end), "14\r\na game of 20 bytes.\n\r\n");
    pass(BEAT);
    cr_assert_str_eq(heard(&end), "1\r\n\n\r\n");
    cr_assert(stream_say_last(end.stream, ""));
    cr_assert_str_eq(heard(&end), "0\r\n\r\n");
}

Test(streams, fields_may_follow_the_last_chunk)
{
    static struct end end;

    form = &chunks;
    begin(&end);
    heard(&end);
    cr_assert(stream_say_last(end.stream, "Left-Out: 3\r\n"));
    cr_assert_str_eq(heard(&end), "0\r\nLeft-Out: 3\r\n\r\n");
}

Test(streams, after_a_silence_there_is_a_heartbeat)
{
    static struct end end;

    begin(&end);
    heard(&end);
    cr_assert_eq(streams_timeout_ms(streams), BEAT / 1000);
    pass(BEAT - 1);
    cr_assert_str_eq(heard(&end), "");
    pass(1);
    cr_assert_str_eq(heard(&end), ":\n\n");
    pass(BEAT - 1);
    cr_assert(say(&end, "x", 1));
    pass(BEAT - 1);
    cr_assert_str_eq(heard(&end), "x");
}

Test(streams, a_client_that_does_not_read_is_cut_after_a_while)
{
    static struct end end;

    open_large();
    begin(&end);
    cr_assert_not(say_much(&end));
    cr_assert_not(say(&end, "more", 4), "it takes nothing more");
    pass(PATIENCE - 1);
    cr_assert_eq(end.over, 0);
    pass(1);
    cr_assert_eq(end.over, 1);
    cr_assert_eq(counts.streams_ended[STREAM_END_SLOW], 1);
}

Test(streams, a_client_that_reads_slowly_has_the_whole_text_and_is_ready_then)
{
    size_t len = 0;
    static struct end end;

    open_large();
    begin(&end);
    cr_assert_not(say_much(&end));
    while (end.ready < 2) {
        len += strlen(heard(&end));
        pass(PATIENCE - 1);
        cr_assert_eq(end.over, 0);
    }
    len += strlen(heard(&end));
    cr_assert_eq(len, LONG + strlen("head\n"));
}

/* The heartbeat would stand within its text. */
Test(streams, a_client_that_is_being_sent_something_gets_no_heartbeat)
{
    static struct end end;

    open_large();
    begin(&end);
    cr_assert_not(say_much(&end));
    pass(PATIENCE / 2);
    for (int i = 0; i < 4; i++)
        cr_assert_null(strchr(heard(&end), ':'));
}

Test(streams, when_slow_clients_hold_too_much_the_slowest_is_cut)
{
    static struct end slowest, slow;

    begin(&slowest);
    cr_assert_not(say_much(&slowest));
    pass(1);
    begin(&slow);
    pass(1);
    cr_assert_eq(slowest.over, 1, "one text alone is more than the room for all");
    cr_assert_eq(slow.over, 0);
}

Test(streams, a_client_that_closes_is_noticed)
{
    static struct end gone, half, stays;

    begin(&gone);
    begin(&half);
    begin(&stays);
    close(gone.theirs);
    shutdown(half.theirs, SHUT_WR);
    pass(0);
    cr_assert_eq(gone.over, 1);
    cr_assert_eq(half.over, 1);
    cr_assert_eq(stays.over, 0);
    cr_assert_eq(counts.streams_ended[STREAM_END_CLOSED], 2);
    cr_assert_eq(streams_count(streams), 1);
}

/* Others may hold the socket (linger.h), so it does not end with the stream. */
Test(streams, what_happens_to_a_socket_whose_stream_is_over_is_no_other_streams_end)
{
    static struct end end, other;
    int held = begin_and_hold(&end);

    stream_finish(end.stream, STREAM_END_CLOSED);
    pass(0);
    cr_assert_eq(end.over, 1);
    begin(&other);
    close(end.theirs);
    pass(0);
    cr_assert_eq(other.over, 0);
    cr_assert_eq(end.over, 1);
    close(held);
}

Test(streams, a_stream_that_never_has_a_connection_ends_too)
{
    static struct end end;

    make(&end, 0);
    cr_assert_eq(streams_count(streams), 1);
    cr_assert_not(say(&end, "x", 1));
    stream_abandon(end.stream);
    stream_abandon(end.stream);
    cr_assert_eq(end.over, 0, "not from within");
    pass(0);
    cr_assert_eq(end.over, 1);
    cr_assert_eq(counts.streams_ended[STREAM_END_CLOSED], 1);
}

/* Its request still points to it. */
Test(streams, a_stream_that_is_ended_before_it_has_its_connection_waits_for_that_and_never_begins)
{
    static struct end end;
    int pair[2];

    make(&end, 0);
    stream_finish(end.stream, STREAM_END_REFUSED);
    pass(0);
    cr_assert_eq(end.over, 0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    cr_assert_not(stream_begin(end.stream, pair[0], "head\n", 5));
    stream_abandon(end.stream);
    pass(0);
    cr_assert_eq(end.over, 1);
}

Test(streams, at_the_end_of_the_daemon_all_are_told_so)
{
    static struct end end[3];

    for (int i = 0; i < 3; i++)
        begin(&end[i]);
    cr_assert_not(say_much(&end[2]));
    streams_stop(streams);
    cr_assert_eq(streams_timeout_ms(streams), 0);
    pass(0);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(end[i].over, 1);
    cr_assert_str_eq(heard(&end[0]), "head\n: bye\n\n");
    cr_assert_null(strstr(heard(&end[2]), "bye"), "it would stand within a text");
    cr_assert_eq(streams_room(streams, 0), STREAMS_FULL);
}

Test(streams, there_is_room_for_so_many_in_all_and_a_quarter_of_a_client)
{
    static struct end end[LIMIT];

    make(&end[0], 7);
    cr_assert_eq(streams_room(streams, 7), STREAMS_ROOM);
    make(&end[1], 7);
    cr_assert_eq(streams_room(streams, 7), STREAMS_FULL_OF_CLIENT);
    cr_assert_eq(streams_room(streams, 8), STREAMS_ROOM);
    cr_assert_eq(streams_room(streams, 7 + LIMIT), STREAMS_ROOM, "another one of the same place");
    for (int i = 2; i < LIMIT; i++)
        make(&end[i], 0);
    cr_assert_eq(streams_room(streams, 0), STREAMS_FULL);
    stream_abandon(end[0].stream);
    pass(0);
    cr_assert_eq(streams_room(streams, 7), STREAMS_ROOM);
}

Test(streams, a_pass_sends_some_heartbeats_and_the_next_ones_the_others)
{
    static struct end end[MANY];
    int beats = 0;

    open_large();
    for (int i = 0; i < MANY; i++)
        begin(&end[i]);
    for (int i = 0; i < MANY; i++)
        heard(&end[i]);
    pass(BEAT);
    for (int i = 0; i < MANY; i++)
        beats += *heard(&end[i]) == ':';
    cr_assert_eq(beats, 64);
    cr_assert_eq(streams_timeout_ms(streams), 0);
    for (int i = 0; i < MANY / 64; i++)
        pass(0);
    for (int i = 0; i < MANY; i++)
        beats += *heard(&end[i]) == ':';
    cr_assert_eq(beats, MANY);
}
