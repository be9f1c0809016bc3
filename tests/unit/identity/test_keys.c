/* test_keys.c - when the keys of an identity provider are read, and which of them count. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/identity/keys.h"
#include "api/loop/loop.h"
#include "tests/support/files.h"
#include "tests/support/receiver.h"
#include "tests/support/signer.h"

static struct signer signers[2];
static char path[] = "/tmp/plyd-keys-XXXXXX";
static int news = -1;

/* Writes the key of one of them into the file. */
static void publish(int i)
{
    const struct signer *one = &signers[i];
    char *text = signer_set(&one, 1);

    file_write(path, text);
    free(text);
}

static void listen(void)
{
    news = eventfd(0, 0);
    keys_listen(news);
}

static void await_reading(void)
{
    uint64_t count;

    cr_assert_eq(read(news, &count, sizeof(count)), (ssize_t)sizeof(count));
}

/* Has the keys read, and waits until they were read as often, well or not. */
static void reload(uint64_t reads, uint64_t failures)
{
    struct keys_report report;

    keys_reload();
    do {
        await_reading();
        cr_assert(keys_report(&report));
    } while (report.reads < reads || report.failures < failures);
}

static void start(void)
{
    const char *why;

    cr_assert(keys_start(path, &why), "%s", why);
    listen();
}

static void open_keys(void)
{
    close(mkstemp(path));
    for (int i = 0; i < 2; i++)
        signer_make(&signers[i], SIGNER_EDDSA, i == 0 ? "one" : "two", 0);
    publish(0);
}

static void close_keys(void)
{
    keys_stop();
    close(news);
    unlink(path);
    for (int i = 0; i < 2; i++)
        signer_free(&signers[i]);
}

TestSuite(keys, .init = open_keys, .fini = close_keys, .timeout = 300);

static bool has(const char *id)
{
    struct keys_held held;
    bool misfit, found;

    keys_hold(&held);
    found = held.set != NULL && key_set_find(held.set, id, KEY_EDDSA, &misfit) != NULL;
    keys_let_go(&held);
    return found;
}

/* Asserts that whoever comes again when they are told to finds them read anew: the next reading
 * begins so long after `since`, a time before something, or later. */
static void assert_told_in_time(int64_t since, int seconds)
{
    int64_t told_s = keys_next_s();

    cr_assert_geq(loop_clock_us() + told_s * 1000000, since + seconds * INT64_C(1000000));
    cr_assert_leq(told_s, seconds);
}

Test(keys, good_ones_are_read_again_after_a_quarter_of_an_hour)
{
    int64_t before;

    start();
    before = loop_clock_us();
    reload(2, 0);
    assert_told_in_time(before, KEYS_RENEW_S);
}

Test(keys, while_they_cannot_be_read_the_known_ones_go_on_and_are_tried_again_after_a_minute)
{
    struct keys_report report;
    int64_t before;

    start();
    before = loop_clock_us();
    file_write(path, "{}");
    reload(1, 1);
    assert_told_in_time(before, KEYS_PAUSE_S);
    cr_assert(has("one"));
    cr_assert(keys_report(&report));
    cr_assert_eq(report.keys, 1);
    cr_assert_eq(report.reads, 1);
    cr_assert_eq(report.failures, 1);
    cr_assert_geq(report.age_s, 0, "they were read once");
}

Test(keys, a_reading_that_is_good_again_ends_the_time_without_the_provider)
{
    struct keys_held held;
    int64_t before;

    start();
    file_write(path, "{}");
    reload(1, 1);
    before = loop_clock_us();
    publish(1);
    reload(2, 1);
    assert_told_in_time(before, KEYS_RENEW_S);
    keys_hold(&held);
    cr_assert_eq(keys_miss(&held, loop_clock_us()), KEYS_COMING);
    keys_let_go(&held);
    cr_assert(has("two"));
}

Test(keys, those_that_were_withdrawn_are_gone_though_none_is_left)
{
    struct keys_report report;

    start();
    file_write(path, "{\"keys\":[]}");
    reload(2, 0);
    cr_assert_not(has("one"));
    cr_assert(keys_report(&report));
    cr_assert_eq(report.keys, 0);
    cr_assert_eq(report.failures, 0);
}

/* A loop may be judging tokens by it. */
Test(keys, a_set_that_is_held_stays_when_another_one_takes_its_place)
{
    struct keys_held held;
    bool misfit;

    start();
    keys_hold(&held);
    publish(1);
    reload(2, 0);
    cr_assert(has("two"));
    cr_assert_not_null(key_set_find(held.set, "one", KEY_EDDSA, &misfit));
    keys_let_go(&held);
}

Test(keys, without_any_they_are_tried_again_more_and_more_seldom_up_to_once_a_minute)
{
    struct keys_report report;
    const char *why;

    cr_assert(keys_start("http://127.0.0.1:1/jwks", &why), "%s", why);
    listen();
    for (uint64_t failures = 1; failures <= 8; failures++) {
        unsigned next_s;

        reload(0, failures);
        next_s = keys_next_s();
        cr_assert(keys_report(&report));
        cr_assert_leq(next_s, KEYS_PAUSE_S);
        cr_assert(report.failures > 6 || next_s <= 1U << (report.failures - 1), "%u s after %d",
                  next_s, (int)report.failures);
    }
    /* The first reading was nobody's wish, so one more than was waited for may be under way. */
    for (int ended = 0; ended < 2 && keys_next_s() == 1; ended++)
        await_reading();
    cr_assert_gt(keys_next_s(), KEYS_PAUSE_S / 2);
    cr_assert_eq(report.age_s, -1);
    cr_assert_eq(report.keys, 0);
    cr_assert_not(keys_have(0));
}

/* Keys that anybody but the provider could have sent are none of its keys. */
Test(keys, a_redirect_is_not_followed_and_its_body_is_no_set)
{
    const struct signer *one = &signers[0];
    char *set = signer_set(&one, 1), *answer, *redirect, url[64];
    struct receiver there, here;
    struct keys_report report;
    const char *why;

    receiver_start(&there);
    receiver_start(&here);
    cr_assert_geq(asprintf(&answer, "Content-Length: %zu\r\n\r\n%s", strlen(set), set), 0);
    cr_assert_geq(asprintf(&redirect, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/\r\n%s",
                           there.port, answer),
                  0);
    receiver_answers(&here, redirect, strlen(redirect), false);
    free(set);
    cr_assert_geq(asprintf(&set, "HTTP/1.1 200 OK\r\n%s", answer), 0);
    receiver_answers(&there, set, strlen(set), false);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/jwks", here.port);
    cr_assert(keys_start(url, &why), "%s", why);
    listen();
    keys_reload();
    do {
        await_reading();
        cr_assert(keys_report(&report));
    } while (report.reads + report.failures == 0);
    cr_assert_eq(report.reads, 0);
    cr_assert_eq(report.keys, 0);
    keys_stop();
    receiver_stop(&here);
    receiver_stop(&there);
    free(set);
    free(answer);
    free(redirect);
}

Test(keys, another_text_is_another_version_and_the_same_text_is_none)
{
    uint64_t first;

    start();
    first = keys_version();
    reload(2, 0);
    cr_assert_eq(keys_version(), first);
    publish(1);
    reload(3, 0);
    cr_assert_eq(keys_version(), first + 1);
    cr_assert(has("two") && !has("one"));
}

/* They are read every quarter of an hour, and somebody may be woken by a warning. */
Test(keys, that_are_read_again_and_are_the_same_are_not_logged)
{
    FILE *log = tmpfile();

    start();
    cr_assert_geq(dup2(fileno(log), STDERR_FILENO), 0);
    reload(2, 0);
    cr_assert_eq(fseek(log, 0, SEEK_END), 0);
    cr_assert_eq(ftell(log), 0);
    publish(1);
    reload(3, 0);
    cr_assert_eq(fseek(log, 0, SEEK_END), 0);
    cr_assert_gt(ftell(log), 0, "others are");
    fclose(log);
}

Test(keys, one_that_is_missing_is_looked_for_soon_for_whoever_came_after_the_last_reading)
{
    int64_t now = loop_clock_us(), started = now;
    struct keys_held held;

    start();
    keys_hold(&held);
    cr_assert_eq(keys_miss(&held, now), KEYS_LATEST);
    now = loop_clock_us();
    cr_assert_eq(keys_miss(&held, now), KEYS_COMING);
    assert_told_in_time(started, KEYS_MISS_S);
    await_reading();
    cr_assert_eq(keys_miss(&held, now), KEYS_LATEST);
    publish(1);
    reload(3, 0);
    cr_assert_eq(keys_miss(&held, now), KEYS_COMING, "there are others by now");
    keys_let_go(&held);
}

Test(keys, nobody_waits_for_one_that_is_missing_while_they_cannot_be_read)
{
    struct keys_held held;
    int64_t before = loop_clock_us(), between;

    start();
    between = loop_clock_us();
    file_write(path, "{}");
    reload(1, 1);
    keys_hold(&held);
    cr_assert_eq(keys_miss(&held, loop_clock_us()), KEYS_AWAY);
    cr_assert_eq(keys_miss(&held, between), KEYS_AWAY, "what was read last is no answer");
    cr_assert_leq(keys_next_s(), KEYS_MISS_S, "they are tried again soon");
    cr_assert_eq(keys_miss(&held, before), KEYS_LATEST);
    keys_let_go(&held);
}

/* A reading begins that ends when the descriptor is closed: until then the file is a pipe. */
static int begin_to_read(void)
{
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    keys_reload();
    return open(path, O_WRONLY);
}

/* What is read is the first key, and so is what is read the next time. */
static void end_reading(int pipe)
{
    const struct signer *one = &signers[0];
    char *set = signer_set(&one, 1);
    ssize_t len = write(pipe, set, strlen(set));

    unlink(path);
    publish(0);
    close(pipe);
    cr_assert_eq(len, (ssize_t)strlen(set));
    free(set);
}

Test(keys, one_that_was_missed_while_they_were_being_read_is_looked_for_once_more)
{
    struct keys_report report;
    struct keys_held held;
    unsigned next_s, again_s;
    enum keys_miss miss;
    int64_t came_at;
    int pipe;

    start();
    keys_hold(&held);
    pipe = begin_to_read();
    came_at = loop_clock_us();
    next_s = keys_next_s();
    cr_assert_eq(keys_miss(&held, came_at), KEYS_COMING);
    end_reading(pipe);
    await_reading();
    again_s = keys_next_s();
    miss = keys_miss(&held, came_at);
    cr_assert_eq(next_s, 1, "they are being read");
    cr_assert(keys_report(&report));
    cr_assert(report.reads == 3 || again_s <= KEYS_MISS_S, "%u s", again_s);
    cr_assert(report.reads == 3 || miss == KEYS_COMING, "they may be older than the token");
    keys_let_go(&held);
}

/* The operator says so because they have changed, and that may be since the reading began. */
Test(keys, that_are_to_be_read_now_while_they_are_being_read_are_read_once_more)
{
    struct keys_report report;
    unsigned next_s;
    int pipe;

    start();
    pipe = begin_to_read();
    keys_reload();
    end_reading(pipe);
    await_reading();
    next_s = keys_next_s();
    cr_assert(keys_report(&report));
    cr_assert(next_s == 1 || report.reads == 3, "%u s", next_s);
}

Test(keys, one_that_was_missed_is_looked_for_once)
{
    struct keys_held held;

    start();
    keys_hold(&held);
    keys_miss(&held, loop_clock_us());
    reload(2, 0);
    cr_assert_gt(keys_next_s(), KEYS_PAUSE_S);
    keys_let_go(&held);
}

Test(keys, one_that_is_missed_puts_no_reading_off)
{
    struct keys_held held;
    const char *why;

    cr_assert(keys_start("http://127.0.0.1:1/jwks", &why), "%s", why);
    listen();
    reload(0, 1);
    keys_hold(&held);
    keys_miss(&held, loop_clock_us());
    cr_assert_leq(keys_next_s(), 2);
    keys_let_go(&held);
}

/* As if a loop had come and gone. */
Test(keys, whoever_listens_no_more_is_told_nothing_and_the_others_are)
{
    int gone = eventfd(0, EFD_NONBLOCK), other = eventfd(0, EFD_NONBLOCK);
    uint64_t count;

    start();
    keys_listen(gone);
    keys_listen(other);
    keys_listen_no_more(gone);
    reload(2, 0);
    cr_assert_eq(read(other, &count, sizeof(count)), (ssize_t)sizeof(count));
    cr_assert_eq(count, 1);
    cr_assert_lt(read(gone, &count, sizeof(count)), 0);
    close(gone);
    close(other);
}

Test(keys, where_there_is_no_provider_nothing_is_reported)
{
    struct keys_report report;

    cr_assert_not(keys_report(&report));
    keys_reload();
    keys_stop();
}

Test(keys, a_file_without_any_is_no_start)
{
    const char *why = NULL;

    file_write(path, "{\"keys\":[]}");
    cr_assert_not(keys_start(path, &why));
    cr_assert_not_null(why);
    unlink(path);
    cr_assert_not(keys_start(path, &why));
}
