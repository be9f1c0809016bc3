/* test_check_game.c - `plyd check-game` finds what is broken in a game, and names the promise. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/plyd.h"

/* Before a command: a program that was built with a sanitizer dies of its signals as any other. */
#define LEAVE_SIGNALS "ASAN_OPTIONS=handle_segv=0 "

/* Runs it on tests/games/broken/ with something broken, or on another module. */
static const char *said_of(const char *module, const char *broken, const char *flags, int code)
{
    static char said[1 << 16];
    char command[1024];
    size_t n;
    FILE *pipe;

    setenv("BREAK", broken, 1);
    snprintf(command, sizeof(command), LEAVE_SIGNALS "%s check-game %s/%s.so %s 2>&1",
             plyd_program(), getenv("PLYD_TEST_GAMES"), module, flags);
    pipe = popen(command, "r");
    n = fread(said, 1, sizeof(said) - 1, pipe);
    said[n] = '\0';
    cr_expect_eq(pclose(pipe), code << 8, "%s: %s", broken, said);
    return said;
}

Test(check_game, what_is_broken_is_found)
{
    static const struct {
        const char *what, *found;
        int code;
    } breaks[] = {
        {"interface", "of games, and this plyd has ", 2},
        {"name", "hex.input: the id of a law is the game's name, a dot, and a name", 2},
        {"table", "outcome: the function is not there", 2},
        {"colour", "art.paint: each is a colour of a picture, or none", 2},
        {"labels", "broken: every position has its text boards", 1},
        {"crowd", "broken: the effects of a move make the board after it", 1},
        {"grow", "it crashes: ", 1},
        {"win", "broken: there are no moves exactly where the position ends the game", 1},
        {"clicks", "broken: a move is made of clicks", 1},
        {"refusal", "broken: what is not legal is refused and changes nothing", 1},
        {"fading art", "broken: every position has its pictures", 1},
        {"crash", "it crashes: Segmentation fault", 1},
        {"key", "broken: the bytes in use are the whole state", 1},
        {"path", "broken: the tree has one leaf a legal move in byte order", 1},
        {"refused", "broken: a legal move is read back from its text", 1},
        {"law", "chess.castling is no law of the game", 1},
        {"illegal", "broken: a move of another position is legal or refused", 1},
        {"count", "broken: count is the number of legal moves", 1},
        {"position", "broken: a position is the same when it is read back", 1},
        {"text", "broken: a legal move is read back from its text", 1},
        {"state", "broken: asking changes nothing", 1},
        {"garbage", "broken: play depends on nothing but the state and the move", 1},
        {"effect", "broken: the effects of a move make the board after it", 1},
        {"mover", "broken: the sides alternate", 1},
        {"end", "broken: an outcome is one of the catalogue and has a winner if won", 1},
        {"key of squares", "broken: positions with the same key look the same", 1},
        {"no squares", "broken: the text of a move names its squares", 1},
        {"rulebook", "hex.input: the rulebook has no number 2", 1},
        {"bytes", "broken: a state has as many bytes as there are words for", 1},
        {"smallest", "broken: there are no moves exactly where the position ends the game", 1},
        {"missing", "broken: every click that is no square has a label", 1},
        {"line outside", "from square 900 to 0 there is no straight line on the board", 1},
        {"line bent", "there is no straight line on the board", 1},
        {"line of all", "of the line is not the winner's", 1},
        {"no line", ": no line: it should be so that n > 0", 1},
        {"short line", "is longer: it should be so that", 1},
    };

    for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
        const char *said = said_of("broken/broken", breaks[i].what, "", breaks[i].code);

        cr_expect_not_null(strstr(said, breaks[i].found), "%s: %s", breaks[i].what, said);
    }
}

/* The position is the one in which it hangs. */
Test(check_game, what_never_returns_is_found)
{
    const char *said = said_of("broken/broken", "loop", "--patience 1", 1);

    cr_assert_not_null(strstr(said, "it does not come to an end within 1 s"), "%s", said);
    cr_assert_not_null(strstr(said, "hex at ply "), "%s", said);
}

Test(check_game, a_game_that_is_not_broken_keeps_all)
{
    const char *said = said_of("broken/broken", "nothing", "--seconds 1", 0);

    cr_assert_not_null(strstr(said, "perft 3: 110544\n"), "%s", said);
    cr_assert_not_null(strstr(said, "the slowest call: "), "%s", said);
    cr_assert_not_null(strstr(said, "hex keeps all "), "%s", said);
}

/* "All zero is a plain board": art.h. */
Test(check_game, a_game_whose_pictures_have_nothing_but_figures_keeps_all)
{
    const char *said = said_of("broken/broken", "plain art", "", 0);

    cr_assert_not_null(strstr(said, "hex keeps all "), "%s", said);
}

/* It has a symmetry, by which the forgotten lines are those that are not forgotten. */
Test(check_game, a_forgotten_direction_is_found_by_a_symmetry)
{
    const char *said = said_of("honeycomb", "direction", "", 1);

    cr_assert_not_null(strstr(said, "broken: a turned board is played in the same way\n"), "%s",
                       said);
}

Test(check_game, a_board_with_squares_that_are_missing_keeps_all)
{
    const char *said = said_of("honeycomb", "nothing", "", 0);

    cr_assert_not_null(strstr(said, "perft 3: 5814\n"), "%s", said);
    cr_assert_not_null(strstr(said, "honeycomb keeps all "), "%s", said);
    said = said_of("mill", "nothing", "", 0);
    cr_assert_not_null(strstr(said, "perft 3: 12144\n"), "%s", said);
    cr_assert_not_null(strstr(said, "mill keeps all "), "%s", said);
}

/* What the program says last when it plays a broken game. */
static const char *last_words_of(const char *broken)
{
    static char said[1024];
    char command[1024];
    FILE *pipe;

    setenv("BREAK", broken, 1);
    snprintf(command, sizeof(command),
             LEAVE_SIGNALS "%s perft hex 6 --game %s/broken/broken.so 2>&1 >/dev/null",
             plyd_program(), getenv("PLYD_TEST_GAMES"));
    pipe = popen(command, "r");
    said[fread(said, 1, sizeof(said) - 1, pipe)] = '\0';
    cr_assert_eq(pclose(pipe), (128 + SIGSEGV) << 8, "%s", said);
    return said;
}

Test(check_game, a_game_that_crashes_later_is_named_with_its_function_and_the_signal_stays)
{
    const char *said = last_words_of("crash in play");

    cr_assert_not_null(strstr(said, "plyd: the game hex crashes in play()\n"), "%s", said);
}

Test(check_game, a_game_that_fills_the_stack_is_named_too)
{
    const char *said = last_words_of("deep");

    cr_assert_not_null(strstr(said, "plyd: the game hex crashes in play(): its stack is full\n"),
                       "%s", said);
}

Test(check_game, what_crashes_while_it_is_loaded_is_named)
{
    static const char *const breaks[] = {"load", "load deep"};

    for (size_t i = 0; i < 2; i++) {
        const char *said = said_of("broken/broken", breaks[i], "2>&1 || exit 3; true", 3);

        cr_expect_not_null(strstr(said, "broken/broken.so crashes while it is loaded"), "%s: %s",
                           breaks[i], said);
    }
}

Test(check_game, what_is_asked_wrongly_is_told)
{
    said_of("nothing", "", "", 2);
    said_of("broken/broken", "nothing", "--seconds x", 2);
    said_of("broken/broken", "nothing", "--patience 0", 2);
}
