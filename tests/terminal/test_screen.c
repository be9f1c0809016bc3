/* test_screen.c - the full screen of `plyd play`, in a terminal of the test's own. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tests/support/session.h"

#define UP      "\033[A"
#define DOWN    "\033[B"
#define RIGHT   "\033[C"
#define LEFT    "\033[D"
#define ENTER   "\r"
#define TAB     "\t"
#define ESCAPE  "\033"
#define PAGE_UP "\033[5~"

static struct session session;

static void open_screen(const char *command)
{
    session_init(&session, "screen");
    session_open_terminal(&session, command, "xterm", 80, 40);
    session_await(&session, "\033[?1049h");
}

static void press(const char *keys, const char *shown)
{
    session_type(&session, keys);
    session_await(&session, shown);
}

/* The terminal is as it was before, and the game is kept. */
static void leave(void)
{
    press("quit" ENTER, "\033[?1049l");
    cr_assert_eq(session_end(&session), 0);
    session_close(&session);
}

Test(screen, a_piece_is_moved_with_the_cursor)
{
    open_screen("play jungle --seat both --style ascii");
    session_await(&session, "ply 0 of 0");
    press(UP UP LEFT LEFT LEFT ENTER, "+");
    press(UP ENTER, "ply 1 of 1");
    cr_assert(session_kept(&session, "plyd/play.json", "\"a3a4\""));
    leave();
}

/* Up and down go to the left and to the right by turns, and no further than squares are. */
Test(screen, the_cursor_goes_straight_over_hexagons_and_not_where_none_are)
{
    char command[512];

    snprintf(command, sizeof(command),
             "play honeycomb --game %s/honeycomb.so --seat both --style ascii",
             getenv("PLYD_TEST_GAMES"));
    open_screen(command);
    session_await(&session, "    1  .   .   .<");
    press(UP, "  2  .   .   .   .<");
    press(UP, "3  .   .   .   .<  .");
    press(RIGHT RIGHT RIGHT, "3  .   .   .   .   .<");
    press(UP, "  4  .   .   .   .<");
    press(UP UP, "    5  .   .   .<");
    press(ENTER, "    5  .   .   R<");
    leave();
}

Test(screen, the_cursor_goes_over_holes_of_a_board)
{
    char command[512];

    snprintf(command, sizeof(command), "play mill --game %s/mill.so --seat both --style ascii",
             getenv("PLYD_TEST_GAMES"));
    open_screen(command);
    session_await(&session, "1  .        .<       .");
    press(LEFT, "1  .<       .        .");
    press(RIGHT, "1  .        .<       .");
    press(UP, "2     .     .<    .");
    press(UP, "3        .  .< .");
    press(UP, "5        .  .< .");
    press(ENTER, "5        .  W< .");
    leave();
}

Test(screen, the_squares_where_a_piece_may_go_are_marked)
{
    open_screen("play turkish-draughts --seat both --style ascii");
    session_await(&session, "4  -  -  -  -  -  -  -  -");
    press(UP UP ENTER UP, "4  -  -  -  -  -< -  -  -");
    press(LEFT, "4  -  -  -  -< -. -  -  -");
    leave();
}

Test(screen, a_promotion_is_a_choice)
{
    open_screen("play shogi --seat both --style ascii --option start=rook");
    press("4a3b" ENTER, "ply 1 of 1");
    press("7g7f" ENTER "3c3d" ENTER, "ply 3 of 3");
    press(UP LEFT LEFT LEFT ENTER, "+");
    for (int i = 0; i < 5; i++)
        session_type(&session, UP RIGHT);
    press(UP RIGHT ENTER, "choose: [promote]  do not promote");
    press(TAB, "[do not promote]");
    press(TAB TAB ENTER, "ply 4 of 4");
    cr_assert(session_kept(&session, "plyd/play.json", "\"8h2b+\""));
    leave();
}

Test(screen, a_piece_in_hand_is_reached_with_tab)
{
    open_screen("play shogi --seat both");
    press("7g7f" ENTER "3c3d" ENTER "8h2b+" ENTER "3a2b" ENTER, "ply 4 of 4");
    press(TAB, "[角]");
    press(ENTER UP UP UP UP, "六");
    press(ENTER, "ply 5 of 5");
    cr_assert(session_kept(&session, "plyd/play.json", "\"B*5e\""));
    leave();
}

Test(screen, a_stack_says_how_many_pieces_move)
{
    open_screen("play stackchess --seat both --style ascii");
    press("a1a2" ENTER "a5a4" ENTER, "ply 2 of 2");
    press(UP LEFT LEFT LEFT ENTER UP ENTER, "choose: [move one piece]  move two pieces");
    press(TAB ENTER, "ply 3 of 3");
    cr_assert(session_kept(&session, "plyd/play.json", "\"2a2a3\""));
    leave();
}

Test(screen, a_wrong_click_is_refused_with_the_rule)
{
    open_screen("play jungle --seat both");
    press(UP UP ENTER, "No move begins there");
    press(LEFT LEFT LEFT ENTER UP UP ENTER, "The piece does not move that way");
    leave();
}

Test(screen, escape_puts_the_piece_back)
{
    open_screen("play jungle --seat both --style ascii");
    press(UP UP LEFT LEFT LEFT ENTER, "+");
    press(ESCAPE, "ply 0 of 0");
    press(UP ENTER, "No move begins there");
    leave();
}

Test(screen, the_engine_answers_and_steps_go_back)
{
    open_screen("play tictactoe --level 2 --seed 3");
    press(ENTER, "ply 2 of 2");
    session_await(&session, "o plays");
    press(PAGE_UP, "ply 1 of 2");
    press(PAGE_UP, "ply 0 of 2");
    press(PAGE_UP, "This is the first step");
    leave();
}

Test(screen, a_level_that_was_changed_is_kept_at_once)
{
    open_screen("play jungle --level 2");
    press("level 5" ENTER, "at level 5 now");
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":5"));
    leave();
}

Test(screen, a_resignation_is_asked_about)
{
    open_screen("play jungle --seat both");
    press("resign" ENTER, "Resign? y/n");
    press("n" ENTER, "Nothing was done.");
    press("resign" ENTER "y" ENTER, "blue wins (resign)");
    leave();
}

Test(screen, what_is_typed_while_the_engine_thinks_is_there_afterwards)
{
    open_screen("play shogi --seat 2 --level 4 --seed 1");
    press("help", "> help_");
    press(ESCAPE, "> _");
    leave();
}

Test(screen, a_game_that_is_not_kept_says_so)
{
    struct session other;

    session_init(&session, "screen");
    session_open(&session, "play jungle --seat both");
    session_await(&session, "red> ");
    other = session;
    session.shown = session.before = NULL;
    session_open_terminal(&session, "play jungle --seat both", "xterm", 80, 40);
    session_await(&session, "This game is not kept while it is played.");
    press("quit" ENTER, "\033[?1049l");
    cr_assert_eq(session_end(&session), 0);
    cr_assert_eq(session_end(&other), 0);
    session_close(&session);
    free(other.shown);
    free(other.before);
}

Test(screen, a_long_text_is_shown_page_by_page)
{
    open_screen("play jungle --seat both");
    press("rules" ENTER, "-- Enter: more");
    press(ENTER, "-- Enter: more");
    press(ESCAPE, "red to move");
    leave();
}

Test(screen, another_size_is_drawn_anew)
{
    struct winsize size = {.ws_col = 60, .ws_row = 30};

    open_screen("play jungle --seat both");
    session_await(&session, "quit");
    cr_assert_eq(ioctl(session.in, TIOCSWINSZ, &size), 0);
    session_await(&session, "ply 0 of 0");
    leave();
}

Test(screen, a_board_that_is_higher_than_the_screen_follows_the_cursor)
{
    session_init(&session, "small");
    session_open_terminal(&session, "play tictactoe --seat both --option rows=26", "xterm", 80, 24);
    session_await(&session, "1    |");
    session_await(&session, "x> _");
    for (int i = 0; i < 24; i++)
        session_type(&session, UP);
    press(UP, "26    |");
    press(ENTER, "ply 1 of 1");
    cr_assert(session_kept(&session, "plyd/play.json", "\"b26\""));
    leave();
}

Test(screen, a_board_that_is_wider_than_the_screen_follows_the_cursor)
{
    session_init(&session, "wide");
    session_open_terminal(&session, "play tictactoe --seat both --option cols=26 --option k=3",
                          "xterm", 80, 24);
    session_await(&session, "x> _");
    for (int i = 0; i < 11; i++)
        session_type(&session, RIGHT);
    press(RIGHT, "  y   z\r\n");
    press(ENTER, "ply 1 of 1");
    cr_assert(session_kept(&session, "plyd/play.json", "\"z1\""));
    for (int i = 0; i < 24; i++)
        session_type(&session, LEFT);
    press(LEFT, "\033[K   a   b");
    leave();
}

/* Beside the board stands what is in the stack below the cursor. */
Test(screen, a_board_that_fits_is_not_moved_for_what_stands_beside_it)
{
    session_init(&session, "beside");
    session_open_terminal(&session, "play stackchess --seat both --option size=8 --style ascii",
                          "xterm", 44, 24);
    session_await(&session, "2 | PB | PB | PB");
    leave();
}

/* The widest line that was shown before the last wait was over, in characters. */
static size_t widest_shown(void)
{
    size_t widest = 0, width = 0;

    for (const char *at = session.before; *at != '\0'; at++) {
        bool escape = *at == '\033';

        if (escape)
            at += strcspn(at, "HKJhlm");
        if (*at == '\n' || (escape && *at != 'm'))
            width = 0;
        else if (!escape && (*at & 0xc0) != 0x80 && *at != '\r')
            width++;
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void open_narrow(const char *command)
{
    session_init(&session, "narrow");
    session_open_terminal(&session, command, "xterm", 50, 24);
    session_await(&session, "> _");
}

Test(screen, a_long_text_is_folded_to_the_width_of_the_screen)
{
    open_narrow("play jungle --seat both");
    press("rules" ENTER, "-- Enter: more");
    cr_assert_leq(widest_shown(), 50);
    cr_assert_geq(widest_shown(), 40);
    press(ESCAPE "help" ENTER, "-- Enter: more");
    cr_assert_leq(widest_shown(), 50);
    press(ESCAPE, "> _");
    leave();
}

static size_t lines_shown(void)
{
    size_t n = 0;

    for (const char *at = session.before; *at != '\0'; at++)
        n += *at == '\n';
    return n;
}

Test(screen, a_menu_is_folded_to_the_width_of_the_terminal_and_shown_page_by_page)
{
    session_init(&session, "menu");
    session_open_terminal(&session, "play", "xterm", 40, 12);
    session_await(&session, "choose> ");
    press("1\n", "choose> ");
    press("3\n", "Enter: more> ");
    cr_assert_leq(widest_shown(), 40);
    cr_assert_geq(widest_shown(), 30);
    cr_assert_leq(lines_shown(), 12); /* with the line that was typed */
    press("\n", "Enter: more> ");
    cr_assert_leq(lines_shown(), 12);
    press("rules=casual\n", "> _");
    press("7g7f" ENTER, "1 of 1");
    cr_assert(session_kept(&session, "plyd/play.json", "\"casual\""));
    leave();
}

Test(screen, a_paragraph_is_folded_anew)
{
    open_narrow("play shogi --seat both");
    press("rules" ENTER, "back on the board in place of a move. Whoever");
    press(ESCAPE, "> _");
    leave();
}

Test(screen, a_refusal_is_folded_and_shown_to_its_end)
{
    open_narrow("play jungle --seat both --style ascii");
    press("a3a9" ENTER, "The piece does not move that way");
    session_await(&session, "> _");
    cr_assert_leq(widest_shown(), 50);
    cr_assert_not_null(
        strstr(session.before, "steps\r\n\033[Kone square up, down, left or right."));
    leave();
}

Test(screen, the_keys_are_folded_at_blanks)
{
    open_narrow("play jungle --seat both --style ascii");
    session_await(&session, "PgUp\r\n\033[KPgDn: steps   help   quit");
    leave();
}

Test(screen, a_text_without_blanks_is_folded_beside_kanji)
{
    open_narrow("play shogi --seat both --lang ja");
    press("7g7a" ENTER, "> _");
    cr_assert_leq(widest_shown(), 50);
    press("rules" ENTER, "-- Enter");
    cr_assert_leq(widest_shown(), 25 + 20); /* two cells each, but for what is in Latin letters */
    press(ESCAPE, "> _");
    leave();
}

Test(screen, control_c_ends_a_long_thought_and_then_the_game)
{
    open_screen("play shogi --seat 2 --level 8");
    session_await(&session, "sente thinks");
    press("\003", "Stopped waiting");
    press("\003", "\033[?1049l");
    cr_assert_eq(session_end(&session), 0);
    session_close(&session);
}

Test(screen, control_z_gives_the_terminal_back_until_it_goes_on)
{
    open_screen("play jungle --seat both");
    session_await(&session, "quit");
    press("\032", "\033[?1049l");
    session_await_stop(&session);
    kill(session.pid, SIGCONT);
    session_await(&session, "\033[?1049h");
    session_await(&session, "ply 0 of 0");
    leave();
}

Test(screen, a_closed_window_ends_the_program_and_the_game_is_kept)
{
    open_screen("play jungle --seat both");
    press("a3a4" ENTER, "ply 1 of 1");
    cr_assert_eq(session_kill(&session, SIGHUP), -SIGHUP);
    session_open_terminal(&session, "play --resume", "xterm", 80, 40);
    session_await(&session, "ply 1 of 1");
    leave();
}

Test(screen, a_dumb_terminal_gets_lines)
{
    session_init(&session, "dumb");
    session_open_terminal(&session, "play jungle --seat both", "dumb", 80, 40);
    press("a3a4\n", "blue> ");
    press("quit\n", "The game is kept");
    cr_assert_eq(session_end(&session), 0);
    session_close(&session);
}
