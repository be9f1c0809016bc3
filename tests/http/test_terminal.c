/* test_terminal.c - `plyd play` at a daemon: two terminals, one game. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "pairs.h"
#include "tests/support/files.h"
#include "tests/support/session.h"

static struct house house;
static char base[64];

static void open_house(void)
{
    house_open(&house);
    snprintf(base, sizeof(base), "http://127.0.0.1:%d", house.plyd.port);
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(terminal, .init = open_house, .fini = close_house);

/* Copies the id of the game that a session says it is at. */
static void take_id(struct session *session, char id[32])
{
    session_await(session, "Game ");
    session_await(session, ". ");
    session_await(session, "--game ");
    session_await(session, "` goes on");
    memcpy(id, session->before + strlen(session->before) - 26, 27);
}

/* Opens a new game with a free seat, and says which one it is. */
static void open_first(struct session *ada, const char *game, char id[32])
{
    char command[256];

    session_init(ada, "ada");
    snprintf(command, sizeof(command), "play %s --daemon %s --open", game, base);
    session_open(ada, command);
    take_id(ada, id);
}

/* Opens a game of two people in two terminals. */
static void open_two(struct session *ada, struct session *mia, const char *game, char id[32])
{
    char command[256];

    open_first(ada, game, id);
    session_init(mia, "mia");
    snprintf(command, sizeof(command), "play --daemon %s/ --game %s", base, id);
    session_open(mia, command);
    session_await(mia, " to move");
}

/* The same, but the second one types in a terminal, where she is obeyed at any time. */
static void open_typing(struct session *ada, struct session *mia, const char *game,
                        const char *flags)
{
    char command[256], id[32];

    open_first(ada, game, id);
    session_init(mia, "mia");
    snprintf(command, sizeof(command), "play --daemon %s --game %s --style ascii %s", base, id,
             flags);
    session_open_terminal(mia, command, "xterm", 80, 40);
}

/* Opens a full screen, and waits until it shows whose turn it is. */
static void open_on_screen(struct session *ada, struct session *mia, const char *game)
{
    open_typing(ada, mia, game, "");
    session_await(mia, "thinks");
    session_await(mia, "> _");
}

static void leave(struct session *session)
{
    session_type(session, "quit\n");
    cr_assert_eq(session_end(session), 0);
    session_close(session);
}

static void end(struct session *session)
{
    cr_assert_eq(session_kill(session, SIGTERM), -SIGTERM);
    session_close(session);
}

Test(terminal, two_people_play_a_game_of_a_daemon)
{
    struct session ada, mia;
    char id[32];

    open_two(&ada, &mia, "tictactoe", id);
    session_type(&ada, "a1\n");
    session_await(&mia, "x plays a1.");
    session_type(&mia, "a1\nb2\n");
    session_await(&mia, "The square is taken");
    session_await(&ada, "o plays b2.");
    session_type(&ada, "b1\n");
    session_await(&mia, "x plays b1.");
    session_type(&mia, "a3\n");
    session_await(&ada, "o plays a3.");
    session_type(&ada, "c1\n");
    session_await(&ada, "x wins (line)");
    session_await(&mia, "x wins (line)");
    leave(&ada);
    leave(&mia);
}

Test(terminal, the_engine_of_the_daemon_answers_and_there_are_hints_against_it)
{
    struct session ada;
    char command[256];

    session_init(&ada, "ada");
    snprintf(command, sizeof(command), "play jungle --daemon %s --level 1", base);
    session_open(&ada, command);
    session_type(&ada, "a3a4\n");
    session_await(&ada, "blue plays");
    session_type(&ada, "hint\n");
    session_await(&ada, "The engine would play");
    session_type(&ada, "level 3\n");
    session_await(&ada, "That is not possible with a game on a daemon.");
    session_type(&ada, "undo\n");
    session_await(&ada, "The game is at ply 0 again.");
    leave(&ada);
}

Test(terminal, a_draw_is_offered_and_accepted_over_a_daemon)
{
    struct session ada, mia;
    char id[32];

    open_two(&ada, &mia, "jungle", id);
    session_type(&ada, "hint\n");
    session_await(&ada, "That is not possible");
    session_type(&ada, "draw\n");
    session_await(&ada, "The other side is asked.");
    session_await(&mia, "red offers: draw.");
    session_type(&mia, "accept\n");
    session_await(&mia, "draw (agreement)");
    session_type(&ada, "board\n");
    session_await(&ada, "draw (agreement)");
    leave(&ada);
    leave(&mia);
}

Test(terminal, a_draw_is_offered_and_nothing_accepted_while_the_other_side_asks_for_an_undo)
{
    struct session ada, mia;
    char id[32];

    open_two(&ada, &mia, "jungle", id);
    session_type(&ada, "a3a4\n");
    session_await(&mia, "red plays");
    session_type(&mia, "g7g6\n");
    session_await(&ada, "blue plays");
    session_type(&ada, "ask\n");
    session_await(&mia, "red offers: undo.");
    kill(mia.pid, SIGINT);
    session_await(&mia, "> ");
    session_type(&mia, "draw\n");
    session_await(&mia, "The other side is asked.");
    end(&mia);
    end(&ada);
}

/* Offers a draw to the engine in a position of Turkish draughts. */
static void offer_draw(struct session *ada, const char *position)
{
    char command[256];

    session_init(ada, "ada");
    snprintf(command, sizeof(command), "play turkish-draughts --level 3 --daemon %s --position %s",
             base, position);
    session_open(ada, command);
    session_type(ada, "draw\n");
}

Test(terminal, an_engine_that_is_worse_off_accepts_a_draw_and_that_is_shown)
{
    struct session ada;

    offer_draw(&ada, "W:WKa1,Kb1,h3:Ba7,h7");
    session_await(&ada, "draw (agreement)");
    session_await(&ada, "over> ");
    leave(&ada);
}

Test(terminal, an_engine_that_declines_a_draw_plays_on)
{
    struct session ada;

    offer_draw(&ada, "W:Wa2:BKh8,Kh7,Kg7");
    session_await(&ada, "The engine plays on.");
    leave(&ada);
}

Test(terminal, the_seed_goes_to_the_engine_of_the_daemon)
{
    struct session ada;
    char command[256];

    session_init(&ada, "ada");
    snprintf(command, sizeof(command), "play jungle --level 1 --seed 12345 --daemon %s", base);
    session_run(&ada, command, "save a.json\nquit\n", 0);
    cr_assert(session_kept(&ada, "a.json", "12345"));
    session_close(&ada);
}

/* The moves of a game against the computer, as `moves` shows them. */
static char *moves_against(struct session *session, const char *level, const char *where, int seed)
{
    int seat = 1 + seed % 2;
    char command[256];
    const char *first;

    snprintf(command, sizeof(command), "play jungle --level %s --seed %d --seat %d %s", level, seed,
             seat, where);
    first = strstr(
        session_run(session, command,
                    seat == 1 ? "a3a4\ng3g4\ne3e2\nmoves\n" : "a7a6\ng7g6\ne7e8\nmoves\n", 0),
        "   1  ");
    cr_assert_not_null(first, "%s", session->shown);
    return strndup(first, strcspn(first, ">"));
}

Test(terminal, the_computer_of_a_daemon_plays_the_moves_that_it_plays_without_one)
{
    static const char *const levels[] = {"random", "2", "5"};
    struct session ada;
    char there[128];

    session_init(&ada, "ada");
    snprintf(there, sizeof(there), "--daemon %s", base);
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        for (int seed = 1; seed <= 4; seed++) {
            char *here = moves_against(&ada, levels[i], "", seed);
            char *away = moves_against(&ada, levels[i], there, seed);

            cr_assert_not_null(strstr(here, "\n   5  "), "%s", here);
            cr_assert_str_eq(away, here, "level %s, seed %d", levels[i], seed);
            free(here);
            free(away);
        }
    session_close(&ada);
}

Test(terminal, a_game_goes_on_with_the_token_that_was_kept)
{
    struct session ada, mia;
    char id[32], command[256];

    open_two(&ada, &mia, "shogi", id);
    session_type(&ada, "7g7f\n");
    session_await(&mia, "sente plays");
    cr_assert_eq(session_kill(&ada, SIGKILL), -SIGKILL);
    snprintf(command, sizeof(command), "play --daemon %s --game %s", base, id);
    session_open(&ada, command);
    session_type(&mia, "3c3d\n");
    session_await(&ada, "sente> ");
    session_type(&ada, "2g2f\n");
    session_await(&mia, "sente plays");
    leave(&mia);
    end(&ada);
}

Test(terminal, somebody_without_a_seat_watches)
{
    struct session ada, mia, bob;
    char id[32], command[256];

    open_two(&ada, &mia, "tictactoe", id);
    session_init(&bob, "bob");
    snprintf(command, sizeof(command), "play --daemon %s --game %s", base, id);
    session_open(&bob, command);
    session_await(&bob, "You watch");
    session_type(&ada, "b2\n");
    session_await(&bob, "x plays b2.");
    kill(bob.pid, SIGINT);
    session_await(&bob, "> ");
    session_type(&bob, "a1\n");
    session_await(&bob, "You watch: no seat is yours.");
    end(&bob);
    end(&mia);
    end(&ada);
}

Test(terminal, a_script_that_watches_ends_where_its_lines_end)
{
    struct session ada, mia, bob;
    char id[32], command[256];
    const char *shown;

    open_two(&ada, &mia, "tictactoe", id);
    session_init(&bob, "bob");
    snprintf(command, sizeof(command), "play --daemon %s --game %s", base, id);
    shown = session_run(&bob, command, "", 0);
    cr_assert_not_null(strstr(shown, "You watch"), "%s", shown);
    shown = session_run(&bob, command, "legal\nquit\n", 0);
    cr_assert_not_null(strstr(shown, "a3 b3 c3"), "%s", shown);
    session_close(&bob);
    end(&mia);
    end(&ada);
}

Test(terminal, the_token_is_where_the_person_wants_it)
{
    struct session ada;
    char command[256];

    session_init(&ada, "ada");
    snprintf(command, sizeof(command), "play jungle --seat both --daemon %s --token mine", base);
    session_run(&ada, command, "a3a4\nquit\n", 0);
    cr_assert(session_kept(&ada, "mine", "plyd_seat_"));
    session_close(&ada);
}

Test(terminal, a_daemon_that_is_gone_is_told_and_the_move_can_be_typed_again)
{
    struct session ada;
    char command[256];

    session_init(&ada, "ada");
    snprintf(command, sizeof(command), "play tictactoe --seat both --daemon %s", base);
    session_open(&ada, command);
    session_await(&ada, "x> ");
    plyd_kill9(&house.plyd);
    session_type(&ada, "a1\n");
    session_await(&ada, base);
    session_await(&ada, "x> ");
    snprintf(command, sizeof(command), "127.0.0.1:%d", house.plyd.port);
    plyd_start(&house.plyd, house.database, "--listen", command, NULL);
    session_type(&ada, "a1\n");
    session_await(&ada, "o> ");
    leave(&ada);
}

/* ---- games that go from a terminal to a daemon and back ---- */

static void write_file(const struct session *session, const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", session->folder, name);
    file_write(path, text);
}

/* A game as the daemon exports it. */
static char *exported(const char *id)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=json", id);
    char *text;

    assert_status(&answer, 200);
    text = strdup(answer.reply.body);
    return text;
}

/* Imports a record, and gives the daemon's export of that game. */
static char *through_the_daemon(const char *record)
{
    struct answer made = ask(&house, "POST", "/v1/games/import",
                             "Content-Type: application/octet-stream\r\n", record);
    char *text;

    assert_status(&made, 201);
    text = exported(text_of(&made, "id"));
    return text;
}

/* The log of a record. */
static const char *log_of(const char *record)
{
    const char *log = strstr(record, "\"events\":");

    cr_assert_not_null(log, "%s", record);
    return log;
}

Test(terminal, a_log_goes_from_a_terminal_to_a_daemon_and_back_and_on)
{
    struct session ada;
    char *here, *there, *again;

    session_init(&ada, "ada");
    session_run(&ada, "play tictactoe --seat both --file a.json",
                "a1\nb2\nundo\nredo\nundo\nc3\ndraw\ndraw\nundo\nresign\nundo\na2\n", 0);
    here = file_read("%s/%s", ada.folder, "a.json");
    there = through_the_daemon(here);
    cr_assert_str_eq(log_of(there), log_of(here));
    write_file(&ada, "a.json", there);
    session_run(&ada, "play --file a.json", "undo\nundo\nb1\nresign\n", 0);
    again = file_read("%s/%s", ada.folder, "a.json");
    cr_assert(strncmp(log_of(again), log_of(here), strlen(log_of(here)) - 3) == 0, "%s", again);
    free(through_the_daemon(again));
    free(here);
    free(there);
    free(again);
    session_close(&ada);
}

static void do_it(const struct pair *pair, const char *path, const char *body)
{
    struct answer answer =
        ask_at(&house, pair->game.token, "POST", body, "/v1/games/%s%s", pair->game.id, path);

    assert_status(&answer, 201);
}

Test(terminal, a_daemon_s_game_with_a_clock_and_an_open_offer_goes_on_in_a_terminal)
{
    struct pair pair = pair_new(&house, "{\"kind\":\"fischer\",\"initial\":600,\"increment\":5}");
    struct session ada;
    char *there, *here;

    do_it(&pair, "/moves", "a1");
    do_it(&pair, "/offers", "draw");
    there = exported(pair.game.id);
    session_init(&ada, "ada");
    write_file(&ada, "a.json", there);
    session_run(&ada, "play --file a.json", "b2\nc3\n", 0);
    here = file_read("%s/%s", ada.folder, "a.json");
    cr_assert_not_null(strstr(here, "\"kind\":\"withdrawn\""), "%s", here);
    cr_assert_not_null(strstr(here, "\"clock\":"), "%s", here);
    free(through_the_daemon(here));
    free(here);
    free(there);
    session_close(&ada);
}

Test(terminal, what_is_typed_while_the_other_side_thinks_is_shown_and_obeyed_on_the_screen)
{
    struct session ada, mia;

    open_on_screen(&ada, &mia, "jungle");
    session_type(&mia, "helq\177");
    session_await(&mia, "> hel_");
    session_type(&mia, "\033g7g6\r");
    session_await(&mia, "It is not your turn: red is to move.");
    session_type(&ada, "a3a4\n");
    session_await(&mia, "red plays a3a4.");
    session_type(&mia, "g7g6\r");
    session_await(&ada, "blue plays g7g6.");
    session_type(&mia, "quit\r");
    cr_assert_eq(session_end(&mia), 0);
    session_close(&mia);
    end(&ada);
}

Test(terminal, what_is_typed_is_kept_when_the_other_side_moves)
{
    struct session ada, mia;

    open_on_screen(&ada, &mia, "jungle");
    session_type(&mia, "g7");
    session_await(&mia, "> g7_");
    session_type(&ada, "a3a4\n");
    session_await(&mia, "red plays a3a4.");
    session_await(&mia, "> g7_");
    session_type(&mia, "g6\r");
    session_await(&ada, "blue plays g7g6.");
    end(&mia);
    end(&ada);
}

Test(terminal, a_line_that_is_half_typed_stands_whole_behind_the_news)
{
    struct session ada, mia;

    open_typing(&ada, &mia, "jungle", "--lines");
    session_await(&mia, "red> ");
    session_type(&mia, "ü7\033[A\177\177g8\177");
    session_await(&mia, "g8\b \b");
    session_type(&ada, "a3a4\n");
    session_await(&mia, "red plays a3a4.");
    session_await(&mia, "blue> g");
    session_type(&mia, "7g6\n");
    session_await(&ada, "blue plays g7g6.");
    session_await(&mia, "red> ");
    session_type(&mia, "resign");
    session_await(&mia, "resign");
    session_type(&mia, "\033board\n");
    session_await(&mia, "red> ");
    session_type(&mia, "\004");
    cr_assert_eq(session_end(&mia), 0);
    session_close(&mia);
    end(&ada);
}

Test(terminal, steps_go_back_while_the_other_side_thinks)
{
    struct session ada, mia;

    open_on_screen(&ada, &mia, "jungle");
    session_type(&ada, "a3a4\n");
    session_await(&mia, "ply 1 of 1");
    session_type(&mia, "g7g6\r");
    session_await(&mia, "ply 2 of 2");
    session_type(&mia, "back\r");
    session_await(&mia, "ply 1 of 2");
    session_type(&ada, "g3g4\n");
    session_await(&mia, "ply 1 of 3");
    session_await(&mia, "red plays g3g4.");
    end(&mia);
    end(&ada);
}

Test(terminal, a_line_that_is_typed_while_the_other_side_thinks_is_obeyed_at_once)
{
    struct session ada, mia;

    open_typing(&ada, &mia, "jungle", "--lines");
    session_await(&mia, "red> ");
    session_type(&mia, "g7g6\n");
    session_await(&mia, "It is not your turn");
    session_type(&mia, "moves\n");
    session_await(&mia, "No move was played yet.");
    session_type(&ada, "draw\n");
    session_await(&mia, "red offers: draw.");
    session_type(&mia, "accept\n");
    session_await(&mia, "ends the game? y/n");
    session_type(&mia, "y\n");
    session_await(&mia, "draw (agreement)");
    end(&mia);
    leave(&ada);
}

Test(terminal, who_is_to_move_is_told_of_an_offer_at_once)
{
    struct session ada, mia;

    open_typing(&ada, &mia, "jungle", "--lines");
    session_await(&mia, "red> ");
    session_type(&ada, "a3a4\n");
    session_await(&mia, "red plays");
    session_await(&mia, "blue> ");
    session_await(&ada, "blue to move"); /* what it shows before it waits */
    kill(ada.pid, SIGINT);
    session_await(&ada, "Stopped waiting");
    session_type(&ada, "draw\n");
    session_await(&mia, "red offers: draw.");
    session_await(&mia, "blue> ");
    end(&mia);
    end(&ada);
}

Test(terminal, a_resignation_is_asked_about_and_done_after_a_yes)
{
    struct session ada, mia;

    open_on_screen(&ada, &mia, "jungle");
    session_type(&mia, "resign\r");
    session_await(&mia, "Resign? y/n");
    session_type(&mia, "n\r");
    session_await(&mia, "Nothing was done.");
    session_type(&mia, "resign\r");
    session_await(&mia, "Resign? y/n");
    session_type(&mia, "y\r");
    session_await(&mia, "red wins (resign)");
    session_type(&ada, "board\n");
    session_await(&ada, "red wins (resign)");
    end(&mia);
    leave(&ada);
}

Test(terminal, a_resignation_that_was_typed_for_another_position_is_asked_about_again)
{
    struct session ada, mia;

    open_on_screen(&ada, &mia, "jungle");
    session_type(&mia, "resign\r");
    session_await(&mia, "Resign? y/n");
    session_type(&ada, "a3a4\n");
    session_await(&mia, "red plays a3a4.");
    session_type(&mia, "y\r");
    session_await(&mia, "The game has gone on since you were asked.");
    session_await(&mia, "Resign? y/n");
    session_type(&mia, "g7g6\r");
    session_await(&ada, "blue plays g7g6.");
    end(&mia);
    end(&ada);
}

Test(terminal, a_script_resigns_at_once_and_is_not_asked)
{
    struct session ada, mia;
    char id[32];

    open_two(&ada, &mia, "jungle", id);
    session_type(&mia, "resign\n");
    session_await(&mia, "red wins (resign)");
    leave(&ada);
    leave(&mia);
}

Test(terminal, the_moves_of_a_script_wait_for_its_turn)
{
    struct session ada, mia;
    char id[32];

    open_two(&ada, &mia, "jungle", id);
    session_type(&mia, "g7g6\nmoves\n");
    session_type(&ada, "a3a4\n");
    session_await(&ada, "blue plays g7g6.");
    session_type(&ada, "g3g4\n");
    session_await(&mia, "   3  g3g4");
    end(&mia);
    end(&ada);
}

Test(terminal, control_c_stops_waiting_in_words_of_the_program)
{
    struct session ada, mia;

    open_on_screen(&ada, &mia, "jungle");
    session_type(&mia, "\003");
    session_await(&mia, "Stopped waiting.");
    cr_assert_null(strstr(mia.before, "callback"));
    session_type(&mia, "\003");
    session_await(&mia, "\033[?1049l");
    cr_assert_eq(session_end(&mia), 0);
    session_close(&mia);
    end(&ada);
}
