/* test_confined.c - the daemon under the filter of system calls of contrib/plyd.service. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/confine.h"

static const char unit[] = "contrib/plyd.service";

static struct house house;

/* A sanitizer's daemon makes calls of its own. */
static void open_house(void)
{
    if (!confine_can() || strcmp(plyd_program(), "build/release/plyd") != 0)
        cr_skip_test("this takes systemd-analyze, and the daemon of FLAVOUR=release");
    setenv("PLYD_TEST_UNIT", unit, 1);
    house_open(&house);
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(confined, .init = open_house, .fini = close_house);

Test(confined, the_engine_answers_a_move)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},"
                                        "{\"engine\":\"plyd\",\"level\":1}]}");
    struct answer answer;
    bool answered = false;

    answer =
        ask_at(&house, game.token, "PUT", "{\"move\":\"a3a4\"}", "/v1/games/%s/moves/1", game.id);
    assert_status(&answer, 201);
    for (int looks = 0; !answered; looks++) {
        back_off(looks);
        answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
        assert_status(&answer, 200);
        answered = number_of(&answer, "ply") == 2;
    }
}

Test(confined, a_worker_judges_a_position)
{
    struct answer answer = ask_as(&house, NULL, "POST", "/v1/variants/shogi/check", "{}");

    assert_status(&answer, 200);
}

Test(confined, an_import_becomes_a_game)
{
    struct answer answer =
        ask_as(&house, NULL, "POST", "/v1/games/import", "position startpos moves 7g7f 3c3d");

    assert_status(&answer, 201);
}

/* Else the tests above would show nothing. */
Test(confined, other_calls_end_a_process)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        confine(unit);
        setpriority(PRIO_PROCESS, 0, 1);
        _exit(0);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}
