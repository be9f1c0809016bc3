/* test_hung.c - what the log says of a test that takes too long (tests/support/hung.h). */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "house.h"

HOUSE_SUITE(hung, house_share, HOUSE_PATIENCE_S);

#define NAME "hung::where_it_stands_and_what_its_daemons_do_is_told_of_a_test_that_takes_too_long"

/* Ends a copy of this test as Criterion would. What it says is in `text`. */
static int end_copy(char *text, size_t size)
{
    int ends[2], status;
    pid_t copy;
    ssize_t n;

    cr_assert_eq(pipe(ends), 0);
    copy = fork();
    if (copy == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        raise(SIGPROF);
        _exit(0);
    }
    close(ends[1]);
    for (size_t at = 0; (n = read(ends[0], text + at, size - 1 - at)) > 0; at += (size_t)n)
        ;
    close(ends[0]);
    cr_assert_eq(waitpid(copy, &status, 0), copy);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

Test(hung, where_it_stands_and_what_its_daemons_do_is_told_of_a_test_that_takes_too_long)
{
    static char text[1 << 20];
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"fischer\","
                         "\"initial\":\"10m\",\"increment\":\"0s\"}}");
    char first[64], second[64];

    play(&house, &game, "b2 a1 c3");
    cr_expect_eq(end_copy(text, sizeof(text)), SIGPROF);
    snprintf(first, sizeof(first), "metrics of the daemon at port %d:", house.plyd.port);
    snprintf(second, sizeof(second), "metrics of the daemon at port %d:", house.second.port);
    cr_expect_not_null(strstr(text, first), "%s", text);
    cr_expect_not_null(strstr(text, second), "%s", text);
    cr_expect_not_null(strstr(text, NAME "| plyd_"), "%s", text);
    cr_expect_not_null(strstr(text, NAME "| end_copy"), "%s", text);
    cr_expect_not_null(strstr(text, "query"), "%s", text);
    cr_expect_not_null(strstr(text, "due_in"), "%s", text);
    cr_expect_null(strstr(text, "(0 rows)"), "%s", text);
    cr_expect_null(strstr(text, "does not answer"), "%s", text);
}
