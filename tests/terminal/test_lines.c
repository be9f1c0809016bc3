/* test_lines.c - `plyd play` line by line: files, kills, the command line. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/receiver.h"
#include "tests/support/session.h"

static struct session session;

static void open_session(void)
{
    session_init(&session, "lines");
}

static void close_session(void)
{
    session_close(&session);
}

TestSuite(lines, .init = open_session, .fini = close_session);

static void expect(const char *command, const char *input, int code, const char *shown)
{
    const char *text = session_run(&session, command, input, code);

    cr_assert_not_null(strstr(text, shown), "'%s' is not in:\n%s", shown, text);
}

Test(lines, a_killed_game_goes_on_where_it_was)
{
    session_open(&session, "play shogi --level 1 --seed 7");
    session_type(&session, "7g7f\n");
    session_await(&session, "gote plays");
    session_await(&session, "sente> ");
    cr_assert_eq(session_kill(&session, SIGKILL), -SIGKILL);
    expect("play --resume", "moves\nundo\n2g2f\nquit\n", 0, "   1  ☗７六歩");
    cr_assert(session_kept(&session, "plyd/play.json", "\"2g2f\""));
}

Test(lines, a_killed_game_still_knows_the_moves_that_were_taken_back)
{
    session_open(&session, "play jungle --seat both");
    session_type(&session, "a3a4\na7a6\ng3g4\nundo\nundo\nmoves\n");
    session_await(&session, "   1  a3a4");
    cr_assert_eq(session_kill(&session, SIGKILL), -SIGKILL);
    expect("play --resume", "redo\nredo\nmoves\n", 0, "   3  g3g4");
    expect("play --resume", "undo\nundo\ng7g6\nredo\n", 0, "There is nothing to play again.");
}

Test(lines, the_end_of_the_input_leaves_and_keeps_the_game)
{
    expect("play jungle --seat both", "a3a4", 0, "The game is kept");
    expect("play --resume", "moves\n", 0, "   1  a3a4");
}

Test(lines, a_new_game_puts_the_kept_one_aside)
{
    session_run(&session, "play jungle --seat both", "a3a4\n", 0);
    session_run(&session, "play tictactoe --seat both", "b2\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json", "\"b2\""));
    cr_assert(session_kept(&session, "plyd/play.json.before", "\"a3a4\""));
}

Test(lines, a_file_of_ones_own_is_gone_on_with_in_its_format)
{
    session_run(&session, "play shogi --level 2 --seed 1 --file a.kif", "7g7f\n", 0);
    cr_assert(session_kept(&session, "a.kif", "７六歩"));
    expect("play --file a.kif", "undo\n", 0, "sente> undo");
    expect("play --file a.kif", "7g7f\n", 0, "gote plays");
}

Test(lines, two_at_once_do_not_keep_their_games_in_one_file)
{
    struct session other = session;

    session_open(&session, "play jungle --seat both");
    session_await(&session, "red> ");
    other.shown = NULL;
    session_run(&other, "play jungle --seat both", "a3a4\n", 0);
    cr_assert_not_null(strstr(other.shown, "Another `plyd play` keeps its game now"));
    cr_assert_eq(session_end(&session), 0);
    cr_assert(!session_kept(&session, "plyd/play.json", "a3a4"));
    free(other.shown);
}

Test(lines, every_format_of_a_game_is_saved_and_loaded)
{
    static const char *const endings[] = {"json", "txt",  "usi", "kif", "kifu",
                                          "ki2",  "ki2u", "csa", "jkf", "shougi"};
    char input[256];

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(input, sizeof(input), "7g7f\n3c3d\nsave a.%s\nundo\nundo\nload a.%s\nmoves\n",
                 endings[i], endings[i]);
        expect("play shogi --seat both", input, 0, "1  ☗７六歩  ☖３四歩");
    }
}

Test(lines, the_same_seed_is_the_same_game)
{
    char *first = strdup(session_run(&session,
                                     "play jungle --level 2 --seed 5 --seat none "
                                     "--option draw_rounds=5",
                                     "quit\n", 0));

    expect("play jungle --level 2 --seed 5 --seat none --option draw_rounds=5", "quit\n", 0, first);
    cr_assert_not_null(strstr(first, "over> "));
    free(first);
}

Test(lines, an_engine_that_is_worse_off_agrees_to_a_draw)
{
    expect("play turkish-draughts --seat 1 --level 3 --position W:WKa1,Kb1,h3:Ba7,h7", "draw\n", 0,
           "draw (agreement)");
    expect("play turkish-draughts --seat 1 --level 3 --position W:Wa2:BKh8,Kh7,Kg7", "draw\n", 0,
           "The engine plays on.");
}

Test(lines, a_locale_without_unicode_gets_ascii)
{
    session.locale = "C";
    expect("play shogi --seat both", "7g7f\nmoves\n", 0, "   1  7g7f");
}

Test(lines, the_locale_chooses_the_language_even_if_it_is_not_installed)
{
    session.locale = "tr_TR.UTF-8";
    expect("play jungle --seat both", "undo\n", 0, "Geri alınacak hamle yok.");
}

Test(lines, a_locale_without_unicode_gets_english)
{
    session.locale = "tr_TR.ISO-8859-9";
    expect("play jungle --seat both", "undo\n", 0, "There is nothing to take back.");
}

Test(lines, wrong_flags_are_refused)
{
    expect("play jungle --lang de", "", 2, "languages are en, ja and tr: de");
    expect("play chess", "", 2, "no such game: chess");
    expect("play jungle --level 9", "", 2, "levels are 1 to 8: 9");
    expect("play jungle --seat 3", "", 2, "seats are 1, 2, both and none: 3");
    expect("play jungle --option size=9", "", 1, "The options of jungle are");
    expect("play shogi --option start=queen", "", 1, "hirate, ");
    expect("play shogi --option start=queen", "", 1, "rook");
    expect("play shogi --option start=9/9/9_b_-_1", "", 1, "The position is not valid");
    expect("play jungle --position x", "", 1, "The position is not valid");
    expect("play jungle shogi", "", 2, "one game at a time");
    expect("play --game x", "", 2, "need --daemon");
    expect("play --file nowhere/a.kif jungle", "a3a4\n", 0, "This game is not kept");
    expect("play --resume", "", 1, "cannot be read");
    expect("play jungle --daemon http://127.0.0.1:1", "", 1, "http://127.0.0.1:1: ");
}

Test(lines, a_daemon_can_neither_name_files_nor_drive_the_terminal)
{
    static const char names[] = "HTTP/1.1 201 Created\r\nConnection: close\r\n\r\n"
                                "{\"id\":\"../../x\",\"token\":\"t\",\"version\":1}";
    static const char drives[] = "HTTP/1.1 422 No\r\nConnection: close\r\n\r\n"
                                 "{\"title\":\"a\\u001b[2Jb\",\"detail\":\"c\"}";
    struct receiver daemon;
    char command[128];

    receiver_start(&daemon);
    snprintf(command, sizeof(command), "play jungle --daemon http://127.0.0.1:%d", daemon.port);
    receiver_answers(&daemon, names, strlen(names), false);
    expect(command, "", 1, "that is not a plyd daemon");
    receiver_answers(&daemon, drives, strlen(drives), false);
    expect(command, "", 1, "a?[2Jb\nc\n");
    receiver_stop(&daemon);
}
