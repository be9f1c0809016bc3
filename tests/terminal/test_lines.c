/* test_lines.c - `plyd play` line by line: files, kills, the command line. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/files.h"
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

static void make_folder(const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", session.folder, name);
    cr_assert_eq(mkdir(path, 0755), 0);
}

static void write_file(const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", session.folder, name);
    file_write(path, text);
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

/* In a terminal nothing ends the input, so the program waits for the next line. */
Test(lines, a_legal_move_goes_before_a_word_of_the_same_text)
{
    char command[512];

    setenv("BREAK", "word", 1);
    snprintf(command, sizeof(command),
             "play hex --game %s/broken/broken.so --seat both --style ascii",
             getenv("PLYD_TEST_GAMES"));
    expect(command, "hint\nhint\nmoves\nquit\n", 0, "7  R . .");
    cr_assert_not_null(strstr(session.shown, "The engine would play"));
    cr_assert(session_kept(&session, "plyd/play.json", "\"hint\""));
}

Test(lines, a_program_that_does_not_leave_fails_its_test, .signal = SIGABRT)
{
    session.patience_ms = 200;
    session_open_terminal(&session, "play jungle --seat both --lines", "dumb", 80, 24);
    session_end(&session);
}

Test(lines, a_bare_square_of_stackchess_says_what_stands_there)
{
    expect("play stackchess --seat both --style ascii", "a1a2\na5a4\na2\n", 0,
           "a2, from top to bottom: rook (white), pawn (white)");
    expect("play stackchess --seat both --style ascii", "a3\n", 0, "a3 is empty.");
}

Test(lines, rules_are_told_without_marks_and_folded)
{
    expect("play shogi --seat both", "rules\n", 0,
           "The name of the game in addresses is shogi. Its seats are sente (先手, seat 1,\nsits");
    expect("play shogi --seat both", "rules\n", 0, "\n4.8  Impasse: ");
    expect("play jungle --seat both --lang tr", "rules\n", 0, "\nresign ");
}

Test(lines, an_option_is_asked_for_with_its_values_and_its_usual_one)
{
    expect("play", "jungle\n3\n\n", 0,
           "\n                  allowed, capture_only; usually allowed\n");
    expect("play", "jungle\n3\n\n", 0, "\n                  0, 1 to 1000; usually 100\n");
    expect("play", "shogi\n3\n\nquit\n", 0, "or a\n              position; usually hirate\n");
    expect("play", "shogi\n3\n\nquit\n", 0, "0, 2 and more; usually 4\n");
    expect("play", "stackchess\n3\n\n", 0, "true, false; usually ");
}

Test(lines, a_look_without_a_square_asks_for_one)
{
    expect("play tictactoe --seat both", "b2\nc\nb2\nmoves\n", 0, "Which square?");
    expect("play tictactoe --seat both", "b2\nc\nb2\nmoves\n", 0, "from top to bottom: ");
    expect("play tictactoe --seat both", "c\nmoves\n", 0, "No move was played yet.");
}

Test(lines, a_game_that_is_not_kept_says_so_before_its_first_board)
{
    struct session other;

    session_open(&session, "play jungle --seat both");
    session_await(&session, "red> ");
    other = session;
    session.shown = session.before = NULL;
    expect("play jungle --seat both --style ascii", "", 0,
           "This game is not kept while it is played. `save FILE` writes it.\n    a  b");
    cr_assert_eq(session_end(&other), 0);
}

Test(lines, a_random_computer_plays_the_same_moves_with_the_same_seed)
{
    static const char typed[] = "a3a4\ng3g4\nlevel random\nmoves\n";
    const char *shown =
        session_run(&session, "play jungle --level random --seed 5 --file r.json", typed, 0);
    const char *first = strstr(shown, "   1  ");
    char *moves;

    cr_assert_not_null(strstr(shown, "The computer plays any legal move now."));
    cr_assert_not_null(first);
    moves = strndup(first, (size_t)(strstr(first, "red> ") - first));
    cr_assert(session_kept(&session, "r.json", "\"random\""));
    expect("play jungle --level random --seed 5 --file s.json", typed, 0, moves);
    expect("play --file r.json", "moves\n", 0, moves);
    free(moves);
}

Test(lines, a_random_computer_comes_back_from_formats_that_have_names_only)
{
    session_run(&session, "play shogi --level random --seed 5 --file a.json",
                "7g7f\nsave a.kif\nsave a.csa\n", 0);
    session_run(&session, "play turkish-draughts --level random --seed 5 --file b.json",
                "a3a4\nsave b.pdn\n", 0);
    cr_assert(session_kept(&session, "a.kif", "後手：the computer\n"));
    cr_assert(session_kept(&session, "a.csa", "N-the computer\n"));
    cr_assert(session_kept(&session, "b.pdn", "[Black \"the computer\"]"));
    expect("play --file c.json shogi --seat both", "load a.kif\nlevel 2\nquit\n", 0,
           "The engine plays at level 2 now.");
    expect("play --file d.json shogi --seat both", "load a.csa\n2g2f\nquit\n", 0, "gote plays");
    expect("play --file d.json", "level 2\nquit\n", 0, "The engine plays at level 2 now.");
    expect("play --file e.json shogi --seat both", "load b.pdn\nlevel 2\nquit\n", 0,
           "The engine plays at level 2 now.");
}

/* Types this, and ends the program as soon as it shows what comes of it. */
static void type_and_kill(const char *command, const char *input, const char *shown)
{
    session_open(&session, command);
    session_type(&session, input);
    session_await(&session, shown);
    cr_assert_eq(session_kill(&session, SIGKILL), -SIGKILL);
}

Test(lines, a_killed_game_still_knows_the_moves_that_were_taken_back)
{
    type_and_kill("play jungle --seat both", "a3a4\na7a6\ng3g4\nundo\nundo\nmoves\n", "   1  a3a4");
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
    cr_assert(session_kept(&session, "plyd/play.json~", "\"a3a4\""));
}

/* Keeps a game of two people in play.json, and one of Jungle in other.json. */
static void keep_two_games(void)
{
    session_run(&session, "play jungle --seat both --file other.json", "a3a4\n", 0);
    session_run(&session, "play tictactoe --seat both", "a1\nb2\nc3\n", 0);
}

Test(lines, a_game_that_is_loaded_puts_the_kept_one_aside)
{
    keep_two_games();
    expect("play --resume", "load other.json\na7a6\nmoves\n", 0,
           "The game that was kept is in play.json~ now");
    cr_assert(session_kept(&session, "plyd/play.json", "\"a3a4\""));
    cr_assert(session_kept(&session, "plyd/play.json~", "\"c3\""));
}

Test(lines, a_game_that_is_loaded_in_the_menu_puts_the_kept_one_aside)
{
    keep_two_games();
    expect("play", "l\nother.json\na7a6\nquit\n", 0, "in play.json~ now");
    cr_assert(session_kept(&session, "plyd/play.json~", "\"c3\""));
}

Test(lines, a_game_that_is_loaded_puts_the_game_of_ones_own_file_aside)
{
    keep_two_games();
    session_run(&session, "play stackchess --seat both --file mine.json",
                "a1a2\nload other.json\na7a6\n", 0);
    cr_assert(session_kept(&session, "mine.json", "\"a3a4\""));
    cr_assert(session_kept(&session, "mine.json~", "\"a1a2\""));
}

Test(lines, the_kept_game_is_not_put_aside_for_itself)
{
    session_run(&session, "play tictactoe --seat both", "a1\nload plyd/../plyd/play.json\nb2\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json", "\"b2\""));
    cr_assert_not(session_kept(&session, "plyd/play.json~", ""));
}

Test(lines, a_game_without_moves_does_not_take_the_place_of_one_that_was_put_aside)
{
    session_run(&session, "play jungle --seat both", "a3a4\n", 0);
    session_run(&session, "play tictactoe --seat both", "", 0);
    session_run(&session, "play tictactoe --seat both", "b2\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json~", "\"a3a4\""));
}

Test(lines, a_game_that_is_over_does_not_take_the_place_of_one_that_was_put_aside)
{
    session_run(&session, "play jungle --seat both", "a3a4\n", 0);
    session_run(&session, "play tictactoe --seat both", "b2\nresign\n", 0);
    session_run(&session, "play tictactoe --seat both", "b2\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json~", "\"a3a4\""));
}

Test(lines, a_game_that_cannot_be_put_aside_stays)
{
    session_run(&session, "play jungle --seat both --file mine.json", "a3a4\n", 0);
    make_folder("mine.json~");
    expect("play --file mine.json", "menu\ntictactoe\n3\n\na1\n", 0,
           "mine.json~ cannot be written");
    cr_assert(session_kept(&session, "mine.json", "\"a3a4\""));
}

Test(lines, a_game_that_is_named_goes_on_if_its_file_has_it)
{
    session_run(&session, "play tictactoe --seat both --file my.json", "a1\n", 0);
    session_run(&session, "play tictactoe --seat both --file my.json", "b2\n", 0);
    expect("play tictactoe --seat both --file my.json", "c3\nmoves\n", 0, "   3  c3");
}

Test(lines, a_game_that_is_named_is_a_new_one_if_that_of_its_file_is_over)
{
    session_run(&session, "play tictactoe --seat both --file my.json", "a1\nresign\n", 0);
    expect("play tictactoe --seat both --file my.json", "moves\n", 0, "No move was played yet.");
    session_run(&session, "play tictactoe --seat both --file my.json", "b2\n", 0);
    cr_assert(session_kept(&session, "my.json~", "\"a1\""));
    cr_assert(session_kept(&session, "my.json", "\"b2\""));
}

Test(lines, a_file_with_another_game_than_the_named_one_is_refused)
{
    session_run(&session, "play tictactoe --seat both --file my.json", "a1\n", 0);
    expect("play jungle --file my.json", "", 1, "the game in my.json is tictactoe: leave jungle");
    expect("play tictactoe --option rows=4 --file my.json", "", 1, "began otherwise");
    expect("play tictactoe --option rows=3 --file my.json", "moves\n", 0, "   1  a1");
    cr_assert(session_kept(&session, "my.json", "\"a1\""));
}

Test(lines, a_resumed_game_that_is_not_the_named_one_is_refused)
{
    session_run(&session, "play tictactoe --seat both", "a1\n", 0);
    expect("play shogi --resume --level 8", "", 1, "is tictactoe: leave shogi out");
    expect("play tictactoe --resume", "moves\n", 0, "   1  a1");
}

Test(lines, flags_change_who_goes_on_with_a_game)
{
    session_run(&session, "play jungle --seat both", "a3a4\n", 0);
    expect("play --resume --level 2", "", 1, "--seat 1 or 2");
    expect("play --resume --seat 1 --level 2", "", 0, "blue plays");
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":2"));
    session_run(&session, "play --resume --level 4", "a4a5\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":4"));
    session_run(&session, "play --resume --seat both", "undo\n", 0);
    cr_assert_not(session_kept(&session, "plyd/play.json", "plyd, level"));
}

Test(lines, a_side_that_was_changed_stays_changed)
{
    session_run(&session, "play jungle --level 2", "a3a4\n", 0);
    expect("play --resume --seat 2", "", 0, "red plays");
    expect("play --resume", "", 0, "blue> ");
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":2"));
}

Test(lines, a_level_that_was_changed_is_kept_at_once)
{
    type_and_kill("play jungle --level 2", "level 5\n", "at level 5 now");
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":5"));
    cr_assert_not(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":2"));
}

Test(lines, a_level_that_was_changed_is_kept_in_a_file_for_people)
{
    type_and_kill("play shogi --level 2 --file a.kif", "level 5\n", "at level 5 now");
    cr_assert(session_kept(&session, "a.kif", "plyd, level 5"));
    expect("play --file a.kif", "7g7f\n", 0, "gote plays");
    cr_assert(session_kept(&session, "a.kif", "plyd, level 5"));
}

Test(lines, a_level_that_was_changed_is_that_of_the_resumed_engine)
{
    char *first = strdup(session_run(&session, "play jungle --level 5 --seed 3", "a3a4\n", 0));

    session_run(&session, "play jungle --level 1 --seed 3", "level 5\n", 0);
    expect("play --resume", "a3a4\n", 0, first);
    free(first);
}

Test(lines, a_game_that_is_loaded_brings_the_level_that_was_changed_in_it)
{
    session_run(&session, "play jungle --level 2 --file other.json", "level 5\n", 0);
    session_run(&session, "play jungle --level 3", "load other.json\na3a4\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":5"));
}

/* What weak levels overlook depends on the seed. */
Test(lines, an_engine_that_was_left_goes_on_as_if_it_had_not_been)
{
    char *at_once =
        strdup(session_run(&session, "play jungle --level 1 --seed 5", "a3a4\ngo\nmoves\n", 0));

    session_run(&session, "play jungle --level 1 --seed 5", "a3a4\n", 0);
    expect("play --resume", "go\nmoves\n", 0, strstr(at_once, "   1  "));
    free(at_once);
}

Test(lines, another_seed_is_kept)
{
    session_run(&session, "play jungle --level 2 --seed 5", "a3a4\n", 0);
    session_run(&session, "play --resume --seed 9", "undo\n", 0);
    cr_assert(session_kept(&session, "plyd/play.json", "\"seed\":\"9\""));
}

Test(lines, a_move_that_the_engine_made_for_a_person_is_kept)
{
    type_and_kill("play tictactoe --seat both", "go\nmoves\n", "   1  ");
    expect("play --resume", "moves\n", 0, "   1  ");
}

Test(lines, a_move_that_was_played_again_is_kept)
{
    type_and_kill("play jungle --seat both", "a3a4\na7a6\nundo\nredo\nmoves\n", "   1  a3a4  a7a6");
    expect("play --resume", "moves\n", 0, "   1  a3a4  a7a6");
}

Test(lines, a_resignation_that_was_taken_back_is_not_kept)
{
    type_and_kill("play tictactoe --seat both", "a1\nresign\nundo\nmoves\n", "   1  a1");
    expect("play --resume", "b2\nmoves\n", 0, "   1  a1  b2");
}

Test(lines, a_win_that_was_declared_is_kept)
{
    write_file("entered.usi", "position sfen K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1\n");
    type_and_kill("play shogi --seat both", "load entered.usi\ndeclare\n", "over> ");
    expect("play --resume", "", 0, "sente wins (impasse)");
}

Test(lines, the_options_of_a_game_are_kept)
{
    session_run(&session, "play tictactoe --seat both --option rows=4 --option k=4", "a1\na2\n", 0);
    expect("play --resume", "b1\nb2\nc1\na4\nmoves\n", 0, "   5  c1  a4");
}

/* A file of the person's own, which is no record. */
static void write_notes(const char *name)
{
    write_file(name, "milk and bread\n");
}

Test(lines, a_file_that_is_no_record_is_not_touched)
{
    write_notes("notes.xyz");
    write_notes("notes.json");
    expect("play tictactoe --seat both --file notes.xyz", "a1\n", 1, "notes.xyz is not a record");
    expect("play tictactoe --seat both --file notes.json", "a1\n", 1, "notes.json is not a record");
    cr_assert(session_kept(&session, "notes.xyz", "milk"));
    cr_assert(session_kept(&session, "notes.json", "milk"));
}

Test(lines, a_file_with_an_ending_of_no_format_is_refused)
{
    expect("play tictactoe --seat both --file new.xyz", "a1\n", 1, "new.xyz cannot keep this game");
    expect("play jungle --seat both --file a.kif", "", 1, "No format of this game has that ending");
    cr_assert_not(session_kept(&session, "new.xyz", ""));
}

Test(lines, a_file_that_cannot_keep_a_loaded_game_keeps_its_own)
{
    keep_two_games();
    expect("play shogi --seat both --file a.kif", "7g7f\nload other.json\nmoves\n", 0,
           "a.kif cannot keep this game");
    cr_assert(session_kept(&session, "a.kif", "７六歩"));
    cr_assert_not(session_kept(&session, "a.kif~", ""));
}

Test(lines, a_file_that_would_lose_players_options_or_the_end_keeps_no_game)
{
    static const char *const endings[] = {"usi", "usen", "sfen", "shougi"};
    char arguments[64];

    session_run(&session, "play shogi --seat both", "7g7f\nsave old.usi\n", 0);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(arguments, sizeof(arguments), "play shogi --level 2 --file a.%s", endings[i]);
        expect(arguments, "7g7f\n", 1, "Keep the game as .json");
    }
    expect("play --file old.usi", "2g2f\n", 1, "old.usi cannot keep this game");
    cr_assert_not(session_kept(&session, "a.usi", ""));
    cr_assert_not(session_kept(&session, "old.usi", "2g2f"));
}

/* The engine has the first move, so there is nothing to take back to a turn of the person's. */
Test(lines, undo_of_a_resignation_before_the_first_move_ends)
{
    session_run(&session, "play shogi --seat both --file a.json", "resign\n", 0);
    expect("play --file a.json --seat 2 --level 1", "undo\nquit\n", 0, "sente plays");
}

Test(lines, the_name_of_a_file_can_be_pasted_into_a_shell)
{
    expect("play tictactoe --seat both --file it's.json", "a1\nquit\n", 0,
           "`plyd play --file 'it'\\''s.json'` goes on with it.");
    expect("play tictactoe --seat both --file a&b.json", "a1\nquit\n", 0, "--file 'a&b.json'`");
}

Test(lines, a_file_that_cannot_be_written_leaves_nothing_behind)
{
    make_folder("folder");
    expect("play tictactoe --seat both", "save folder\n", 0, "folder cannot be written: Is a dir");
    cr_assert_not(session_kept(&session, "folder.new", ""));
}

Test(lines, the_level_of_the_command_line_is_the_usual_one_in_the_menu)
{
    expect("play --level 5", "tictactoe\n1\n\n\na1\nquit\n", 0, "(Enter: 5)");
    cr_assert(session_kept(&session, "plyd/play.json", "\"engine\":\"plyd\",\"level\":5"));
}

Test(lines, flags_that_do_not_go_together_are_refused)
{
    expect("play --seat 2", "", 2, "--seat needs a GAME");
    expect("play --option rows=4", "", 2, "need a GAME");
    expect("play --position x", "", 2, "need a GAME");
    expect("play jungle --level 5 --seat both", "", 2, "no engine plays");
    expect("play --resume --file a.json", "", 2, "leave one of them out");
    expect("play --daemon http://127.0.0.1:1 --resume", "", 2, "--game ID for one there");
    expect("play jungle --daemon http://127.0.0.1:1 --file a.json", "", 2, "leave --file out");
    expect("play jungle --daemon http://127.0.0.1:1 --seat none", "", 2, "a seat must be yours");
    expect("play jungle --daemon http://127.0.0.1:1 --game x", "", 2, "as it is");
    expect("play --daemon http://127.0.0.1:1 --game x --level 3", "", 2, "as it is");
    expect("play jungle --daemon http://127.0.0.1:1 --open --level 3", "", 2, "no engine plays");
    expect("play jungle --daemon http://127.0.0.1:1 --seed 3 --seat both", "", 2,
           "no engine plays");
}

Test(lines, the_engine_alone_is_refused_on_a_daemon)
{
    expect("play --daemon http://127.0.0.1:1", "tictactoe\n4\n1\n\n0\n", 0,
           "On a daemon a seat must be yours.");
}

static void expect_not(const char *command, const char *input, const char *shown)
{
    const char *text = session_run(&session, command, input, 0);

    cr_assert_null(strstr(text, shown), "'%s' is in:\n%s", shown, text);
}

Test(lines, a_game_that_was_resigned_is_not_revived_by_playing_again)
{
    expect("play tictactoe --seat both", "a1\nundo\nresign\nredo\n", 0, "nothing is played again");
    cr_assert(session_kept(&session, "plyd/play.json", "resign"));
}

Test(lines, an_agreed_draw_is_not_replaced_by_playing_again)
{
    expect("play tictactoe --seat both", "a1\nundo\ndraw\ndraw\nredo\nresign\n", 0,
           "The game is over. ");
    cr_assert(session_kept(&session, "plyd/play.json", "agreement"));
}

Test(lines, a_resignation_is_taken_back_and_then_the_move_is_played_again)
{
    expect("play tictactoe --seat both", "a1\nundo\nresign\nundo\nredo\nmoves\n", 0, "   1  a1");
}

Test(lines, a_level_is_refused_where_no_engine_plays)
{
    expect("play tictactoe --seat both", "level 5\n", 0, "No engine plays in this game.");
}

Test(lines, a_level_is_a_whole_number_and_nothing_else)
{
    expect("play tictactoe", "level 3abc\n", 0, "Levels are 1 to 8 and random.");
    expect("play tictactoe", "level 0\n", 0, "Levels are 1 to 8 and random.");
    expect("play tictactoe", "level 8\n", 0, "The engine plays at level 8 now.");
}

Test(lines, a_win_with_the_next_move_is_one_ply_away)
{
    expect("play tictactoe --seat both", "a1\na2\nb1\nb2\nhint\n", 0, "(wins in 1 ply).");
}

Test(lines, a_file_of_no_format_is_refused_in_the_words_of_the_terminal)
{
    write_notes("nonsense");
    expect("play tictactoe --seat both", "load nonsense\n", 0, "it looks like none of the formats");
    expect_not("play tictactoe --seat both", "load nonsense\n", "?format");
}

Test(lines, options_that_do_not_go_together_are_asked_for_again)
{
    expect("play", "tictactoe\n3\nrows=4 cols=4 k=9\nrows=4 cols=4 k=4\nd4\nmoves\n", 0,
           "   1  d4");
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
    expect("play jungle --level 9", "", 2, "levels are 1 to 8 and random: 9");
    expect("play jungle --seat 3", "", 2, "seats are 1, 2, both and none: 3");
    expect("play jungle --option size=9", "", 1, "The options of jungle are");
    expect("play shogi --option start=queen", "", 1, "hirate, ");
    expect("play shogi --option start=queen", "", 1, "rook");
    expect("play shogi --option start=9/9/9_b_-_1", "", 1, "The position is not valid");
    expect("play jungle --position x", "", 1, "The position is not valid");
    expect("play jungle shogi", "", 2, "one game at a time");
    expect("play --game x", "", 2, "need --daemon");
    expect("play --file nowhere/a.json jungle", "a3a4\n", 1,
           "There is no folder for nowhere/a.json");
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
