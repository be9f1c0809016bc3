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
#include "tests/support/receiver.h"
#include "tests/support/signer.h"

static struct signer signers[2];
static char path[] = "/tmp/plyd-keys-XXXXXX";
static int news = -1;

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

/* Writes the key of one of them into the file. */
static void publish(int i)
{
    const struct signer *one = &signers[i];
    char *text = signer_set(&one, 1);

    write_file(text);
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

Test(keys, good_ones_are_read_again_after_a_quarter_of_an_hour)
{
    start();
    reload(2, 0);
    cr_assert_gt(keys_next_s(), KEYS_PAUSE_S);
    cr_assert_leq(keys_next_s(), KEYS_RENEW_S);
}

Test(keys, while_they_cannot_be_read_the_known_ones_go_on_and_are_tried_again_after_a_minute)
{
    start();
    write_file("{}");
    reload(1, 1);
    cr_assert_leq(keys_next_s(), KEYS_PAUSE_S);
    cr_assert(has("one"));
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
    cr_assert_gt(keys_next_s(), KEYS_PAUSE_S / 2);
    cr_assert_eq(report.age_s, -1);
    cr_assert_eq(report.keys, 0);
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

Test(keys, one_that_is_missing_is_looked_for_soon_for_whoever_came_after_the_last_reading)
{
    struct keys_held held;
    int64_t now = loop_clock_us();

    start();
    keys_hold(&held);
    cr_assert_eq(keys_miss(&held, now), KEYS_LATEST);
    now = loop_clock_us();
    cr_assert_eq(keys_miss(&held, now), KEYS_COMING);
    cr_assert_leq(keys_next_s(), KEYS_MISS_S);
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
    int64_t before = loop_clock_us();

    start();
    write_file("{}");
    reload(1, 1);
    keys_hold(&held);
    cr_assert_eq(keys_miss(&held, loop_clock_us()), KEYS_AWAY);
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

Test(keys, one_that_was_missed_while_they_were_being_read_is_looked_for_once_more)
{
    const struct signer *one = &signers[0];
    char *set = signer_set(&one, 1);
    struct keys_held held;
    int64_t came_at;
    unsigned next_s;
    ssize_t len;
    int pipe;

    start();
    keys_hold(&held);
    pipe = begin_to_read();
    came_at = loop_clock_us();
    next_s = keys_next_s();
    len = write(pipe, set, strlen(set));
    unlink(path);
    publish(0);
    close(pipe);
    await_reading();
    cr_assert_gt(len, 0);
    cr_assert_eq(next_s, 1, "they are being read");
    cr_assert_eq(keys_miss(&held, came_at), KEYS_COMING, "they may be older than the token");
    keys_let_go(&held);
    free(set);
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

Test(keys, a_file_without_any_is_no_start)
{
    const char *why = NULL;

    write_file("{\"keys\":[]}");
    cr_assert_not(keys_start(path, &why));
    cr_assert_not_null(why);
    unlink(path);
    cr_assert_not(keys_start(path, &why));
}
