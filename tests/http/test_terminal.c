/* test_terminal.c - `plyd play` at a daemon: two terminals, one game. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
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

/* Opens a game of two people in two terminals. */
static void open_two(struct session *ada, struct session *mia, const char *game, char id[32])
{
    char command[256];

    session_init(ada, "ada");
    session_init(mia, "mia");
    snprintf(command, sizeof(command), "play %s --daemon %s --open", game, base);
    session_open(ada, command);
    take_id(ada, id);
    snprintf(command, sizeof(command), "play --daemon %s/ --game %s", base, id);
    session_open(mia, command);
    session_await(mia, " to move");
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
    kill(mia.pid, SIGINT);
    session_await(&mia, "> ");
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
