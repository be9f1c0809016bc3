/* test_log_line.c - a line of the log: every event is one line, and every line is JSON, whatever
 * stands in it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/loop/log.h"
#include "tests/unit/seen.h"

static int written; /* where standard error goes */

static void open_log(void)
{
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    close(ends[1]);
    written = ends[0];
}

TestSuite(log_line, .init = open_log);

/* What was written since the last call. */
static const char *lines(void)
{
    static char text[1 << 14];
    ssize_t n;

    cr_assert_eq(write(STDERR_FILENO, "\n", 1), 1); /* so that there is something to read */
    n = read(written, text, sizeof(text) - 1);
    cr_assert_gt(n, 0);
    text[n - 1] = '\0';
    return text;
}

/* The one line that was written. */
static struct seen *line(void)
{
    const char *text = lines();
    size_t len = strlen(text);

    cr_assert_gt(len, 0);
    cr_assert_eq(strcspn(text, "\n"), len - 1, "one line, which ends: %s", text);
    return seen_read(text);
}

Test(log_line, an_event_has_its_time_its_level_its_name_and_its_fields)
{
    static const char *const names[] = {"info", "warn", "error"};

    for (int level = LOG_INFO; level <= LOG_ERROR; level++) {
        struct seen *seen;

        log_event((enum log_level)level, "listening", "address", "here", "more", "x", NULL);
        seen = line();
        cr_assert_str_eq(seen_list(seen, "%s", ""), "at level event address more");
        cr_assert_str_eq(seen_text(seen, "level"), names[level - LOG_INFO]);
        cr_assert_str_eq(seen_text(seen, "event"), "listening");
        cr_assert_str_eq(seen_text(seen, "address"), "here");
        cr_assert_str_eq(seen_text(seen, "more"), "x");
        cr_assert_eq(strlen(seen_text(seen, "at")), strlen("2025-01-02T03:04:05.678Z"));
        seen_free(seen);
    }
}

Test(log_line, a_field_without_a_value_ends_the_line)
{
    struct seen *seen;

    log_event(LOG_INFO, "x", "a", "1", "b", NULL, "c", "3", NULL);
    seen = line();
    cr_assert_str_eq(seen_list(seen, "%s", ""), "at level event a");
    seen_free(seen);
}

Test(log_line, quotes_are_escaped_and_control_characters_become_blanks)
{
    struct seen *seen;

    log_event(LOG_INFO, "x", "a", "\"q\" \\ \n\t\x1f e", NULL);
    seen = line();
    cr_assert_str_eq(seen_text(seen, "a"), "\"q\" \\     e");
    seen_free(seen);
}

Test(log_line, a_line_of_any_length_is_json_and_no_longer_than_1024_bytes)
{
    static char text[1200];

    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        static const char *const kinds = "x\"";

        for (size_t kind = 0; kind < 2; kind++) {
            struct seen *seen;

            memset(text, kinds[kind], len);
            text[len] = '\0';
            log_event(LOG_INFO, "event", "a", text, "b", "short", "c", text, NULL);
            seen = line();
            cr_assert(len > 900 || strncmp(seen_text(seen, "a"), text, len) == 0 || kind == 1);
            cr_assert_leq(seen_count(seen, "%s", ""), 6);
            seen_free(seen);
        }
    }
}

Test(log_line, as_much_stands_in_a_line_as_fits)
{
    char text[2000];
    const char *said;

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    log_event(LOG_INFO, "event", "a", text, NULL);
    said = lines();
    cr_assert_eq(strlen(said), 1023);
}

Test(log_line, events_below_the_level_are_dropped)
{
    log_set_level(LOG_WARN);
    log_event(LOG_DEBUG, "a", NULL);
    log_event(LOG_INFO, "b", NULL);
    cr_assert_str_eq(lines(), "");
    cr_assert_not(log_enabled(LOG_INFO));
    cr_assert(log_enabled(LOG_WARN));
    log_event(LOG_WARN, "c", NULL);
    seen_free(line());
    log_set_level(LOG_DEBUG);
    log_event(LOG_DEBUG, "d", NULL);
    seen_free(line());
}

Test(log_line, levels_go_by_their_names)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};

    for (int i = 0; i < 4; i++)
        cr_assert_eq(log_level_of(names[i]), (enum log_level)i);
    cr_assert_eq(log_level_of("loud"), LOG_INFO);
}
