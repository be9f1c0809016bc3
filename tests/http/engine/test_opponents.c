/* test_opponents.c - computer opponents that think: their moves are due work. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rules/rules.h"
#include "tests/http/house.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"

static struct house house;

static void open_house(void)
{
    house_open(&house);
}

/* Where time passes as the test lets it (hours.h). */
static void open_still_house(void)
{
    house_open_on(&house, hours_borrow());
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(opponents, .init = open_house, .fini = close_house);
TestSuite(opponents_clocks, .init = open_still_house, .fini = close_house);

enum { SLOW = 8 }; /* a level that thinks for seconds in shogi */

/* ---- games ---- */

/* A game in which a person plays `seat`. `more` are further members of the game. */
static struct game game_against(const char *variant, int level, int seat, const char *more)
{
    char engine[64], body[512];

    snprintf(engine, sizeof(engine), "{\"engine\":\"plyd\",\"level\":%d,\"seed\":7}", level);
    snprintf(body, sizeof(body), "{\"variant\":\"%s\",\"seats\":[%s,%s]%s}", variant,
             seat == 1 ? "{\"me\":true}" : engine, seat == 1 ? engine : "{\"me\":true}", more);
    return new_game(&house, body);
}

static struct answer get_game(const struct game *game)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s", game->id);
}

/* Sends a move that waits for the answer to it. */
static struct answer move_and_wait(const struct game *game, int ply, const char *move)
{
    char path[96], headers[256];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", game->id, ply);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nPrefer: wait=60\r\n",
             game->token);
    return ask(&house, "PUT", path, headers, move);
}

/* Waits until the game is no longer at this version. A search may take longer than a wait does. */
static struct answer await_news(const struct game *game, int version)
{
    struct answer answer = {.status = 304};
    char path[96], headers[256];

    snprintf(path, sizeof(path), "/v1/games/%s", game->id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nPrefer: wait=60\r\nIf-None-Match: \"%d\"\r\n",
             game->token, version);
    while (answer.status == 304)
        answer = ask(&house, "GET", path, headers, NULL);
    return answer;
}

static int ply_of(const struct game *game)
{
    struct answer answer = get_game(game);

    return number_of(&answer, "ply");
}

static void await_ply(const struct game *game, int ply)
{
    struct answer answer = get_game(game);

    while (number_of(&answer, "ply") < ply) {
        int version = number_of(&answer, "version");

        answer = await_news(game, version);
    }
    cr_assert_eq(number_of(&answer, "ply"), ply);
}

/* Plays the first legal move, and returns the game's ply once it is answered or over. */
static int play_on(const struct game *game, int ply)
{
    struct answer legal =
        ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/legal-moves", game->id);
    struct answer answer = move_and_wait(game, ply + 1, text_of(&legal, "moves.0"));

    assert_status(&answer, 201);
    ply = number_of(&answer, "game.ply");
    return ply;
}

/* A number of /metrics of a daemon. */
static int metric(const struct plyd *plyd, const char *name)
{
    struct http_reply reply;
    char line[80];
    const char *at;
    int number;

    http_request(plyd->port, &reply, "GET", "/metrics", NULL, NULL);
    snprintf(line, sizeof(line), "\n%s ", name);
    at = strstr(reply.body, line);
    cr_assert_not_null(at);
    number = atoi(at + strlen(line));
    http_free(&reply);
    return number;
}

static void await_searches(const struct plyd *plyd, int running)
{
    for (int looks = 0; metric(plyd, "plyd_searches_running") != running; looks++)
        back_off(looks);
}

/* A game in which the opponent thinks about its answer to the first move. */
static struct game thought_about(const char *variant, const char *first)
{
    struct game game = game_against(variant, SLOW, 1, "");
    struct answer answer;

    await_searches(&house.plyd, 0);
    answer = ask_at(&house, game.token, "POST", first, "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    await_searches(&house.plyd, 1);
    return game;
}

static struct game game_that_is_thought_about(void)
{
    return thought_about("jungle", "a3a4");
}

static void await_cancelled(int searches)
{
    for (int looks = 0; metric(&house.plyd, "plyd_searches_cancelled_total") < searches; looks++)
        back_off(looks);
}

/* ---- they play ---- */

Test(opponents, they_play_each_game_at_each_of_the_first_levels)
{
    for (size_t i = 0; i < rules_games(); i++)
        for (int level = 1; level <= 3; level++) {
            struct game game = game_against(rules_game(i)->name, level, level % 2 + 1, "");
            int ply = level % 2;

            await_ply(&game, ply);
            for (int turns = 0; turns < 2; turns++)
                ply = play_on(&game, ply);
            cr_assert_eq(ply % 2, level % 2, "each move was answered");
        }
}

Test(opponents, they_play_under_extreme_options)
{
    static const char *const rows[][2] = {
        {"tictactoe", ",\"options\":{\"rows\":26,\"cols\":26,\"k\":5}"},
        {"tictactoe", ",\"options\":{\"rows\":1,\"cols\":26,\"k\":3}"},
        {"shogi", ",\"options\":{\"rules\":\"casual\"}"},
        {"stackchess", ",\"options\":{\"size\":8,\"knights\":true}"},
        {"jungle", ",\"options\":{\"draw_rounds\":0,\"repetition\":0}"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct game game = game_against(rows[i][0], 3, 1, rows[i][1]);

        cr_assert_eq(play_on(&game, 0), 2, "%s %s", rows[i][0], rows[i][1]);
    }
}

Test(opponents, a_move_is_acknowledged_before_they_think)
{
    struct game game = game_against("jungle", 3, 1, "");
    struct answer answer =
        ask_at(&house, game.token, "POST", "a3a4", "/v1/games/%s/moves", game.id);

    assert_status(&answer, 201);
    cr_assert_not(has(&answer, "answers"));
    cr_assert_eq(number_of(&answer, "game.ply"), 1);
    cr_assert_eq(number_of(&answer, "game.version"), 2);
    answer = await_news(&game, 2);
    cr_assert_eq(number_of(&answer, "ply"), 2);
    cr_assert_eq(number_of(&answer, "version"), 3, "its move is an event of its own");
    cr_assert_eq(number_of(&answer, "last_move.seat"), 2);
}

Test(opponents, an_answer_that_was_waited_for_stands_beside_the_move)
{
    struct game game = game_against("jungle", 2, 1, "");
    struct answer answer = move_and_wait(&game, 1, "a3a4");
    char value[256];

    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "move"), "a3a4");
    cr_assert_eq(number_of(&answer, "answers.0.ply"), 2);
    cr_assert_eq(number_of(&answer, "game.version"), 3);
    cr_assert_not_null(http_header(&answer.reply, "ETag", value));
    cr_assert_str_eq(value, "\"3\"");
}

Test(opponents, an_answer_is_told_to_a_move_that_is_repeated)
{
    struct game game = game_against("jungle", 2, 1, "");
    char path[96], headers[256];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game.id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n"
             "Idempotency-Key: 0123456789abcdef\r\n",
             game.token);
    answer = ask(&house, "POST", path, headers, "a3a4");
    assert_status(&answer, 201);
    cr_assert_not(has(&answer, "answers"));
    await_ply(&game, 2);
    answer = ask(&house, "POST", path, headers, "a3a4");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "move"), "a3a4");
    cr_assert_eq(number_of(&answer, "answers.0.ply"), 2);
    cr_assert_not(has(&answer, "answers.1"));
    answer = ask_at(&house, game.token, "PUT", "a3a4", "/v1/games/%s/moves/1", game.id);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "answers.0.ply"), 2);
}

/* The moves of a game in which the person always plays the first legal one. */
static void moves_of_a_game(char moves[512])
{
    struct game game = game_against("stackchess", 2, 2, "");
    struct answer answer;

    await_ply(&game, 1);
    for (int ply = 1; ply < 9; ply += 2)
        play_on(&game, ply);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/moves", game.id);
    *moves = '\0';
    for (int i = 0; i < 9; i++) {
        char path[32];

        snprintf(path, sizeof(path), "items.%d.move", i);
        strcat(strcat(moves, text_of(&answer, path)), " ");
    }
}

Test(opponents, the_same_seed_makes_the_same_game)
{
    char moves[2][512];

    moves_of_a_game(moves[0]);
    house_open_second(&house);
    moves_of_a_game(moves[1]);
    cr_assert_str_eq(moves[0], moves[1]);
}

Test(opponents, after_an_undo_over_their_first_move_they_redo_it)
{
    struct game game = game_against("jungle", 2, 2, "");
    struct answer answer;
    char first[32];

    await_ply(&game, 1);
    answer = get_game(&game);
    snprintf(first, sizeof(first), "%s", text_of(&answer, "last_move.move"));
    answer = ask_at(&house, game.token, "POST", "{\"to_ply\":0}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    await_ply(&game, 1);
    answer = get_game(&game);
    cr_assert_str_eq(text_of(&answer, "last_move.move"), first);
    cr_assert_eq(number_of(&answer, "line"), 1);
    cr_assert_eq(number_of(&answer, "version"), 4);
}

Test(opponents, what_was_undone_behind_their_move_can_still_be_redone)
{
    struct game game = game_against("jungle", 2, 2, "");
    struct answer answer;

    await_ply(&game, 1);
    cr_assert_eq(play_on(&game, 1), 3);
    answer = ask_at(&house, game.token, "POST", "{\"to_ply\":0}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    await_ply(&game, 1);
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/redo", game.id);
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 3);
}

Test(opponents, they_answer_wherever_a_game_is_carried_on_at_their_turn)
{
    struct game game = game_against("tictactoe", 3, 1, ",\"moves\":[\"b2\"]"), next;
    struct answer answer;

    await_ply(&game, 2);
    answer = ask_at(&house, game.token, "POST",
                    "{\"ply\":1,\"seats\":[{\"me\":true},{\"engine\":\"plyd\",\"level\":1}]}",
                    "/v1/games/%s/fork", game.id);
    assert_status(&answer, 201);
    snprintf(next.id, sizeof(next.id), "%s", text_of(&answer, "id"));
    snprintf(next.token, sizeof(next.token), "%s", text_of(&answer, "token"));
    await_ply(&next, 2);
    answer = ask_at(&house, game.token, "POST", NULL, "/v1/games/%s/resign", game.id);
    assert_status(&answer, 200);
    answer = ask_at(&house, game.token, "POST", NULL, "/v1/games/%s/rematch", game.id);
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "seats.0.level"), 3, "they have changed seats");
    snprintf(next.id, sizeof(next.id), "%s", text_of(&answer, "id"));
    snprintf(next.token, sizeof(next.token), "%s", game.token);
    await_ply(&next, 1);
}

Test(opponents, a_record_keeps_who_played_and_the_game_goes_on_from_it)
{
    struct game game = game_against("shogi", 2, 1, ""), copy;
    struct answer answer;
    char *record;

    play_on(&game, 0);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=kif", game.id);
    cr_assert_not_null(strstr(answer.reply.body, "plyd, level 2"));
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=json", game.id);
    cr_assert_eq(number_of(&answer, "seats.1.level"), 2);
    record = strdup(answer.reply.body);
    answer = ask_as(&house, NULL, "POST", "/v1/games/import", record);
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "seats.1.engine"), "plyd");
    cr_assert_eq(number_of(&answer, "seats.1.level"), 2);
    cr_assert_not(has(&answer, "seats.1.name"));
    snprintf(copy.id, sizeof(copy.id), "%s", text_of(&answer, "id"));
    snprintf(copy.token, sizeof(copy.token), "%s", text_of(&answer, "token"));
    free(record);
    cr_assert_eq(play_on(&copy, 2), 4);
}

Test(opponents, two_of_them_are_not_left_alone_with_a_game)
{
    struct answer answer =
        ask_as(&house, NULL, "POST", "/v1/games/import",
               "{\"format\":\"plyd-record\",\"format_version\":1,\"variant\":\"jungle\",\"moves\":["
               "],\"seats\":["
               "{\"seat\":1,\"engine\":\"plyd\",\"level\":1},{\"seat\":2,\"engine\":\"plyd\"}]}");

    assert_problem(&answer, 422, "bad-record");
}

/* ---- while they think ---- */

Test(opponents, a_text_says_that_they_think)
{
    struct game game = game_that_is_thought_about();
    char path[96];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    cr_assert_not_null(strstr(answer.reply.body, "\nplyd, level 8 is thinking\n"), "%s",
                       answer.reply.body);
}

Test(opponents, an_undo_ends_their_search)
{
    struct game game = game_that_is_thought_about();
    struct answer answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/undo", game.id);

    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "ply"), 0);
    await_cancelled(1);
    answer = move_and_wait(&game, 1, "g3g4");
    assert_status(&answer, 201);
    await_ply(&game, 2);
    answer = get_game(&game);
    cr_assert_eq(number_of(&answer, "version"), 5, "one answer, to the new move");
}

Test(opponents, the_end_of_the_game_ends_their_search)
{
    static const char *const deeds[] = {"resign", "abort"};

    for (int i = 0; i < 2; i++) {
        struct game game = game_that_is_thought_about();
        struct answer answer =
            ask_at(&house, game.token, "POST", NULL, "/v1/games/%s/%s", game.id, deeds[i]);

        assert_status(&answer, 200);
        await_cancelled(i + 1);
        answer = get_game(&game);
        cr_assert_eq(number_of(&answer, "ply"), 1);
    }
}

Test(opponents, a_message_does_not_end_their_search)
{
    struct game game = game_that_is_thought_about();
    struct answer answer = ask_at(&house, game.token, "POST", "{\"text\":\"Well?\"}",
                                  "/v1/games/%s/messages", game.id);

    assert_status(&answer, 201);
    await_ply(&game, 2);
    cr_assert_eq(metric(&house.plyd, "plyd_searches_cancelled_total"), 0);
}

Test(opponents, a_quick_one_answers_while_others_think_for_long)
{
    struct game quick = game_against("jungle", 1, 1, ""), slow[4];
    struct answer answer;

    slow[0] = thought_about("shogi", "7g7f");
    for (int i = 1; i < 4; i++) {
        slow[i] = game_against("shogi", SLOW, 1, "");
        play(&house, &slow[i], "7g7f");
    }
    cr_assert_eq(play_on(&quick, 0), 2);
    for (int i = 0; i < 4; i++) {
        answer = get_game(&slow[i]);
        cr_assert_eq(number_of(&answer, "ply"), 1, "it did not wait for game %d", i);
        answer = ask_at(&house, slow[i].token, "POST", NULL, "/v1/games/%s/resign", slow[i].id);
        assert_status(&answer, 200);
    }
}

/* ---- clocks ---- */

static const char seconds[] = ",\"clock\":{\"kind\":\"byoyomi\",\"initial\":0,"
                              "\"period\":\"1s\",\"periods\":1}";

#define CLAIMS "plyd_db_batch_members_count{kind=\"claim_due\"}"

static void let_a_minute_pass(const struct game *game)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", game->id);
    hours_pass(house.database, INT64_C(60) * 1000000, false);
    hours_seen(house.database, house.plyd.port, path);
}

/* The one thinker is busy with another game. */
Test(opponents_clocks, they_lose_no_time_while_their_search_waits)
{
    struct game game = game_against("jungle", 6, 1, seconds), other;
    struct answer answer;

    cr_assert_eq(play_on(&game, 0), 2);
    other = thought_about("shogi", "7g7f");
    answer = ask_at(&house, game.token, "POST", "a3a4", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    let_a_minute_pass(&game);
    answer = get_game(&game);
    cr_assert_str_eq(text_of(&answer, "status"), "active");
    cr_assert_not_null(strstr(answer.reply.body, "\"running\":null,\"deadline_at\":null"));
    answer = ask_at(&house, other.token, "POST", NULL, "/v1/games/%s/resign", other.id);
    assert_status(&answer, 200);
    await_ply(&game, 4);
    answer = get_game(&game);
    cr_assert_eq(number_of(&answer, "clock.running"), 1, "the clock of the person begins to run");
}

/* A search takes longer than a millisecond on any machine. Nobody can ask for a clock like that. */
Test(opponents_clocks, their_time_is_over_if_they_think_for_longer_than_they_have)
{
    struct game game = game_against(
        "shogi", SLOW, 1,
        ",\"clock\":{\"kind\":\"fischer\",\"initial\":60,\"increment\":1,\"first_move\":\"1s\"}");
    struct answer answer;

    plyd_close(&house.plyd);
    house_sql(&house, "update games set clock ="
                      " replace(clock, '\"first_move\":1000000', '\"first_move\":1000')");
    plyd_start(&house.plyd, house.database, NULL);
    play(&house, &game, "7g7f");
    let_a_minute_pass(&game);
    answer = await_news(&game, 2);
    cr_assert_str_eq(text_of(&answer, "status"), "aborted");
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "no_start");
    cr_assert_gt(metric(&house.plyd, "plyd_searches_cancelled_total"), 0);
}

/* Its lease never ends, since no time passes. The server has given the first write up when it would
 * be possible again. */
Test(opponents_clocks, a_move_that_the_database_did_not_take_is_tried_again)
{
    struct game game = game_that_is_thought_about();
    PGconn *pg = PQconnectdb(house.database);
    int claims;

    PQclear(PQexec(pg, "begin"));
    PQclear(PQexec(pg, "select from games for update"));
    for (int looks = 0; metric(&house.plyd, "plyd_due_total{result=\"failed\"}") == 0; looks++)
        back_off(looks);
    house_sql(&house, "do $$ begin while exists (select from pg_stat_activity"
                      " where wait_event_type = 'Lock' and datname = current_database()) loop"
                      " perform pg_sleep(0.01), pg_stat_clear_snapshot(); end loop; end $$");
    PQclear(PQexec(pg, "rollback"));
    PQfinish(pg);
    claims = metric(&house.plyd, CLAIMS);
    for (int looks = 0; ply_of(&game) < 2; looks++) {
        if (metric(&house.plyd, "plyd_searches_running") == 0)
            cr_assert_lt(metric(&house.plyd, CLAIMS), claims + 20, "it waits for its lease");
        else
            claims = metric(&house.plyd, CLAIMS);
        back_off(looks);
    }
}

/* ---- offers ---- */

/* What became of an offer of a draw: the kind of the event that ended it. */
static const char *answer_to_draw(const struct game *game, char kind[32])
{
    struct answer answer =
        ask_at(&house, game->token, "POST", "{\"kind\":\"draw\"}", "/v1/games/%s/offers", game->id);
    int version = number_of(&answer, "game.version");

    assert_status(&answer, 201);
    answer = await_news(game, version);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=%d", game->id, version);
    snprintf(kind, 32, "%s", text_of(&answer, "items.0.type"));
    return kind;
}

Test(opponents, they_decline_a_draw_unless_they_stand_worse)
{
    struct game even = game_against("jungle", 4, 1, "");
    struct game worse =
        game_against("jungle", 4, 1, ",\"position\":\"7/7/7/7/3c3/7/7/E5L/4T2 r 0 1\"");
    char kind[32];

    cr_assert_str_eq(answer_to_draw(&even, kind), "declined");
    cr_assert_str_eq(answer_to_draw(&worse, kind), "accepted");
}

/* ---- loops and daemons ---- */

/* One loop has all that is due done. Each game begins at any of them. */
Test(opponents, they_answer_whichever_loop_is_asked)
{
    enum { GAMES = 16 };
    struct game games[GAMES];

    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--loops", "4", NULL);
    for (int i = 0; i < GAMES; i++)
        games[i] = game_against("tictactoe", 1, 2, "");
    for (int i = 0; i < GAMES; i++)
        await_ply(&games[i], 1);
}

Test(opponents, two_daemons_play_a_move_once)
{
    struct game game = game_against("turkish-draughts", 2, 1, "");
    struct answer answer;

    house_open_second(&house);
    for (int ply = 0; ply < 8; ply += 2)
        cr_assert_eq(play_on(&game, ply), ply + 2);
    answer = get_game(&game);
    cr_assert_eq(number_of(&answer, "version"), 9);
}

Test(opponents, another_daemon_plays_when_one_is_killed_in_its_search)
{
    struct game game = game_that_is_thought_about();
    struct answer answer;

    house_open_second(&house);
    plyd_kill9(&house.plyd);
    house.plyd = house.second;
    house.second.port = 0;
    await_ply(&game, 2);
    answer = get_game(&game);
    cr_assert_eq(number_of(&answer, "version"), 3);
}

/* It does not wait for the lease of the other, which ends tomorrow. */
Test(opponents, a_daemon_that_was_killed_in_its_search_plays_when_it_is_back)
{
    struct game game = game_that_is_thought_about();
    struct answer answer;

    plyd_kill9(&house.plyd);
    house_sql(&house, "update due set leased_until = leased_until + interval '1 day'");
    plyd_start(&house.plyd, house.database, NULL);
    await_ply(&game, 2);
    answer = get_game(&game);
    cr_assert_eq(number_of(&answer, "version"), 3);
}

Test(opponents, a_daemon_that_drains_leaves_its_search_to_another_at_once)
{
    struct game game = game_that_is_thought_about();

    house_open_second(&house);
    cr_assert_eq(plyd_stop(&house.plyd), 0);
    house.plyd = house.second;
    house.second.port = 0;
    await_ply(&game, 2);
}

static int count_of(const char *query)
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *result = PQexec(pg, query);
    int count;

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    count = atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
    return count;
}

/* It would only keep the promise from those who can search. A ticket that nobody used is due at the
 * same time, and shows that it has looked. */
Test(opponents, a_daemon_without_thinkers_leaves_the_search_to_others)
{
    struct game game = game_against("jungle", 1, 1, "");

    cr_assert_eq(plyd_stop(&house.plyd), 0);
    plyd_start(&house.plyd, house.database, "--thinkers", "0", NULL);
    play(&house, &game, "g3g4");
    count_of("insert into due (id, kind, at, leased_until) values"
             " (gen_random_uuid(), 4, now() - interval '1 hour', now() - interval '1 hour')"
             " returning 1");
    while (count_of("select count(*) from due where kind = 4") > 0)
        continue;
    cr_assert_eq(count_of("select count(*) from due where kind = 8 and holder is null"), 1);
    house_open_second(&house);
    await_ply(&game, 2);
}
