/*
 * test_plans.c - conditional moves from outside: they are played in the moment of the move that
 * they answer, in every game; they end when they should; nobody but their owner sees them; and a
 * plan that was acknowledged is never missed, whichever daemon is asked.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/routes.h"
#include "rules/rules.h"
#include "tests/http/house.h"
#include "tests/http/race.h"

HOUSE_SUITE(plans, house_share, HOUSE_PATIENCE_S);

/* ---- two players ---- */

/* The same game as each side has it. */
struct sides {
    struct game one, two;
};

static struct sides begin(const char *terms)
{
    char body[300];
    struct sides sides;
    struct answer joined;

    snprintf(body, sizeof(body), "{%s,\"seats\":[{\"me\":true},{\"open\":true}]}", terms);
    sides.one = sides.two = new_game(&house, body);
    joined = ask_at(&house, NULL, "POST", "{}", "/v1/games/%s/join", sides.one.id);
    assert_status(&joined, 200);
    snprintf(sides.two.token, sizeof(sides.two.token), "%s", text_of(&joined, "token"));
    return sides;
}

/* A game of shogi after its first move, so that seat 1 may set a plan. */
static struct sides begin_shogi(void)
{
    struct sides sides = begin("\"variant\":\"shogi\",\"undo\":\"free\"");

    play(&house, &sides.one, "7g7f");
    return sides;
}

/* Exchanges bishops and drops one, or gives up. */
#define BISHOPS                                                                    \
    "[{\"if\":\"3c3d\",\"then\":\"8h2b+\",\"next\":["                              \
    "{\"if\":\"3a2b\",\"then\":\"B*4e\"},{\"if\":\"9c9d\",\"then\":\"resign\"}]}," \
    "{\"if\":\"1c1d\",\"then\":\"resign\"}]"

/* A whole body. */
#define ONE_BRANCH "{\"after_ply\":1,\"tree\":[{\"if\":\"3c3d\",\"then\":\"8h2b+\"}]}"

static struct answer put_plan(const struct game *game, int after_ply, const char *tree)
{
    char body[1000];

    snprintf(body, sizeof(body), "{\"after_ply\":%d,\"tree\":%s}", after_ply, tree);
    return ask_at(&house, game->token, "PUT", body, "/v1/games/%s/plan", game->id);
}

static void set_plan(const struct game *game, int after_ply, const char *tree)
{
    struct answer answer = put_plan(game, after_ply, tree);

    assert_status(&answer, 200);
}

static struct answer get_plan(const struct game *game)
{
    return ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/plan", game->id);
}

static void assert_no_plan(const struct game *game)
{
    struct answer answer = get_plan(game);

    assert_problem(&answer, 404, "no-such-plan");
}

static struct answer move(const struct game *game, const char *text)
{
    return ask_at(&house, game->token, "POST", text, "/v1/games/%s/moves", game->id);
}

/* Plays a move that nothing answers by itself. */
static void move_alone(const struct game *game, const char *text)
{
    struct answer answer = move(game, text);

    assert_status(&answer, 201);
    cr_assert_not(has(&answer, "answers"), "%s", answer.reply.body);
}

/* Plays a move, which a plan answers with another one. */
static void move_answered(const struct game *game, const char *text, const char *by)
{
    struct answer answer = move(game, text);

    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "answers.0.move"), by);
    cr_assert_str_eq(text_of(&answer, "answers.0.source"), "plan");
    cr_assert_not(has(&answer, "answers.1"));
    cr_assert_not(has(&answer, "source"));
    cr_assert_eq(number_of(&answer, "game.ply"), number_of(&answer, "ply") + 1);
}

/* ---- what a plan plays ---- */

Test(plans, are_played_in_the_moment_of_the_move_that_they_answer)
{
    struct sides sides = begin_shogi();
    struct answer plan, log;

    set_plan(&sides.one, 1, BISHOPS);
    move_answered(&sides.two, "3c3d", "8h2b+");
    plan = get_plan(&sides.one);
    assert_status(&plan, 200);
    cr_assert_eq(number_of(&plan, "seat"), 1);
    cr_assert_eq(number_of(&plan, "after_ply"), 1);
    cr_assert_str_eq(text_of(&plan, "ahead"), "/tree/0/next");
    move_answered(&sides.two, "3a2b", "B*4e");
    assert_no_plan(&sides.one);
    log = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=3", sides.one.id);
    cr_assert_not(has(&log, "items.0.data"));
    cr_assert_str_eq(text_of(&log, "items.1.move"), "8h2b+");
    cr_assert_str_eq(text_of(&log, "items.1.data.source"), "plan");
    cr_assert_eq(number_of(&log, "items.1.seat"), 1);
    cr_assert_str_eq(text_of(&log, "items.3.data.source"), "plan");
    cr_assert(plyd_verified(house.database));
}

Test(plans, show_in_the_list_of_moves_which_ones_they_played)
{
    struct sides sides = begin_shogi();
    struct answer moves;

    set_plan(&sides.one, 1, BISHOPS);
    move_answered(&sides.two, "3c3d", "8h2b+");
    moves = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/moves", sides.one.id);
    cr_assert_not(has(&moves, "items.0.source"));
    cr_assert_not(has(&moves, "items.1.source"));
    cr_assert_str_eq(text_of(&moves, "items.2.source"), "plan");
}

Test(plans, leave_games_that_go_out_and_come_in_as_records)
{
    static const char *const formats[] = {"kif", "ki2", "csa", "usi", "jkf", "json", "text"};
    struct sides sides = begin_shogi();
    struct answer record, game;

    set_plan(&sides.one, 1, BISHOPS);
    move_answered(&sides.two, "3c3d", "8h2b+");
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        record = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=%s", sides.one.id,
                        formats[i]);
        assert_status(&record, 200);
        game = ask(&house, "POST", "/v1/games/import", NULL, record.reply.body);
        cr_assert(game.status == 201 && number_of(&game, "ply") == 3, "%s: %s", formats[i],
                  game.reply.body);
    }
    cr_assert(plyd_verified(house.database));
}

Test(plans, give_up_where_they_say_so)
{
    struct sides sides = begin_shogi();
    struct answer answer, log;

    set_plan(&sides.one, 1,
             "[{\"if\":\"3c3d\",\"then\":\"2g2f\"},{\"if\":\"*\",\"then\":\"resign\"}]");
    answer = move(&sides.two, "9c9d");
    assert_status(&answer, 201);
    cr_assert_not(has(&answer, "answers"));
    cr_assert_str_eq(text_of(&answer, "game.status"), "finished");
    cr_assert_str_eq(text_of(&answer, "game.outcome.reason"), "resign");
    cr_assert_eq(number_of(&answer, "game.outcome.winner"), 2);
    log = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=4", sides.one.id);
    cr_assert_str_eq(text_of(&log, "items.0.type"), "resigned");
    cr_assert_eq(number_of(&log, "items.0.seat"), 1);
    cr_assert_str_eq(text_of(&log, "items.0.data.source"), "plan");
    assert_no_plan(&sides.one);
    cr_assert(plyd_verified(house.database));
}

Test(plans, of_either_side_are_played)
{
    struct sides sides = begin("\"variant\":\"shogi\"");

    set_plan(
        &sides.two, 0,
        "[{\"if\":\"7g7f\",\"then\":\"3c3d\",\"next\":[{\"if\":\"8h2b+\",\"then\":\"3a2b\"}]}]");
    move_answered(&sides.one, "7g7f", "3c3d");
    move_answered(&sides.one, "8h2b+", "3a2b");
    assert_no_plan(&sides.two);
    move_alone(&sides.one, "2g2f");
    set_plan(&sides.one, 5, "[{\"if\":\"8c8d\",\"then\":\"B*4e\"}]");
    move_answered(&sides.two, "8c8d", "B*4e");
    cr_assert(plyd_verified(house.database));
}

Test(plans, are_one_at_a_time_since_each_is_set_while_the_other_side_is_to_move)
{
    struct sides sides = begin("\"variant\":\"shogi\"");
    struct answer answer;

    set_plan(&sides.two, 0, "[{\"if\":\"7g7f\",\"then\":\"3c3d\"}]");
    answer = put_plan(&sides.one, 0, "[{\"if\":\"3c3d\",\"then\":\"8h2b+\"}]");
    assert_problem(&answer, 409, "your-turn");
    move_alone(&sides.one, "2g2f");
    assert_no_plan(&sides.two);
    answer = put_plan(&sides.two, 1, "[{\"if\":\"7g7f\",\"then\":\"3c3d\"}]");
    assert_problem(&answer, 409, "your-turn");
    set_plan(&sides.one, 1, "[{\"if\":\"3c3d\",\"then\":\"7g7f\"}]");
    move_answered(&sides.two, "3c3d", "7g7f");
}

/* The first legal move after the others, as a client without any game code finds it. */
static void first_legal(const char *variant, const char *moves, char text[32])
{
    struct answer answer =
        ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s/check?moves=%s", variant, moves);

    assert_status(&answer, 200);
    snprintf(text, 32, "%s", text_of(&answer, "legal_moves.0"));
}

Test(plans, are_played_in_every_game)
{
    for (size_t i = 0; i < rules_games(); i++) {
        const char *variant = rules_game(i)->name;
        char terms[100], first[32], then[32], tree[200];
        struct sides sides;

        snprintf(terms, sizeof(terms), "\"variant\":\"%s\"", variant);
        sides = begin(terms);
        first_legal(variant, "", first);
        first_legal(variant, first, then);
        snprintf(tree, sizeof(tree), "[{\"if\":\"%s\",\"then\":\"%s\"}]", first, then);
        set_plan(&sides.two, 0, tree);
        move_answered(&sides.one, first, then);
    }
    cr_assert(plyd_verified(house.database));
}

/* An undo or a redo, which nothing answers by itself. */
static void turn(const struct game *game, const char *verb, const char *body)
{
    struct answer answer =
        ask_at(&house, game->token, "POST", body, "/v1/games/%s/%s", game->id, verb);

    assert_status(&answer, 200);
    cr_assert_not(has(&answer, "answers"), "%s", answer.reply.body);
}

Test(plans, are_played_before_a_line_is_opened_and_after_it)
{
    struct sides sides = begin_shogi();

    move_alone(&sides.two, "3c3d");
    turn(&sides.two, "undo", "{\"to_ply\":1}");
    set_plan(
        &sides.one, 1,
        "[{\"if\":\"8c8d\",\"then\":\"2g2f\",\"next\":[{\"if\":\"8d8e\",\"then\":\"2f2e\"}]}]");
    move_answered(&sides.two, "8c8d", "2g2f");
    move_answered(&sides.two, "8d8e", "2f2e");
    cr_assert(plyd_verified(house.database));
}

/* ---- how they end ---- */

Test(plans, end_with_a_move_that_they_do_not_have)
{
    struct sides sides = begin_shogi();

    set_plan(&sides.one, 1, BISHOPS);
    move_answered(&sides.two, "3c3d", "8h2b+");
    move_alone(&sides.two, "8c8d");
    assert_no_plan(&sides.one);
    move_alone(&sides.one, "2b3a");
    move_alone(&sides.two, "9c9d"); /* a later branch of it */
}

Test(plans, end_when_moves_are_undone)
{
    struct sides sides = begin_shogi();
    static const char *const deeds[] = {"undo", "redo"};

    set_plan(&sides.one, 1, BISHOPS);
    move_answered(&sides.two, "3c3d", "8h2b+");
    for (size_t i = 0; i < 2; i++) {
        turn(&sides.two, deeds[i], "{}");
        assert_no_plan(&sides.one);
    }
    move_alone(&sides.two, "3a2b");
}

/* The other side has two lines from ply 1 on. The game goes over to the first one: from that ply,
 * and back from there, or back from the second one. */
Test(plans, end_when_the_game_goes_over_to_another_line)
{
    static const struct {
        int from;
        const char *over;
    } ways[] = {{1, "{\"line\":1}"}, {1, "{\"line\":1,\"to_ply\":1}"}, {3, "{\"line\":1}"}};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct sides sides = begin_shogi();

        move_alone(&sides.two, "3c3d");
        turn(&sides.two, "undo", "{\"to_ply\":1}");
        move_alone(&sides.two, "8c8d");
        if (ways[i].from == 1)
            turn(&sides.two, "undo", "{\"to_ply\":1}");
        else
            move_alone(&sides.one, "2g2f");
        set_plan(&sides.one, ways[i].from, "[{\"if\":\"*\",\"then\":\"resign\"}]");
        turn(&sides.two, "redo", ways[i].over);
        assert_no_plan(&sides.one);
    }
    cr_assert(plyd_verified(house.database));
}

Test(plans, end_with_the_game)
{
    struct sides sides = begin_shogi();
    struct answer answer;

    set_plan(&sides.one, 1, BISHOPS);
    answer = ask_at(&house, sides.two.token, "POST", "{}", "/v1/games/%s/resign", sides.two.id);
    assert_status(&answer, 200);
    assert_no_plan(&sides.one);
    answer = put_plan(&sides.one, 1, BISHOPS);
    assert_problem(&answer, 409, "game-over");
}

Test(plans, end_when_their_owner_moves_by_a_token_of_both_seats)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(
        &house, ada.token, "{\"variant\":\"shogi\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct answer joined = ask_at(&house, ada.token, "POST", "{}", "/v1/games/%s/join", game.id);
    struct game two = game;
    struct answer answer;

    assert_status(&joined, 200);
    snprintf(two.token, sizeof(two.token), "%s", text_of(&joined, "token"));
    set_plan(
        &two, 0,
        "[{\"if\":\"7g7f\",\"then\":\"3c3d\",\"next\":[{\"if\":\"2g2f\",\"then\":\"8c8d\"}]}]");
    answer = ask_at(&house, ada.token, "POST", "{\"moves\":[\"7g7f\",\"3c3d\"]}",
                    "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    assert_no_plan(&two);
    move_alone(&game, "2g2f");
}

/* ---- setting ---- */

Test(plans, are_set_as_the_rules_write_them_and_replaced)
{
    struct sides sides = begin("\"variant\":\"turkish-draughts\"");
    struct answer first = put_plan(&sides.two, 0, "[{\"if\":\"a3-a4\",\"then\":\"a6-a5\"}]"), again,
                  plan;

    assert_status(&first, 200);
    cr_assert_str_eq(text_of(&first, "ahead"), "/tree");
    again = put_plan(&sides.two, 0, "[{\"if\":\"a3-a4\",\"then\":\"a6-a5\"}]");
    cr_assert_str_eq(again.reply.body, first.reply.body);
    plan = get_plan(&sides.two);
    cr_assert_str_eq(text_of(&first, "game.id"), sides.two.id);
    cJSON_DeleteItemFromObject(first.json, "game");
    cr_assert(cJSON_Compare(plan.json, first.json, true));
    set_plan(&sides.two, 0, "[{\"if\":\"a3-a4\",\"then\":\"b6-b5\"}]");
    move_answered(&sides.one, "a3-a4", "b6-b5");
}

Test(plans, are_shown_as_text_with_a_mark_before_what_is_ahead)
{
    struct sides sides = begin_shogi();
    char headers[200], path[100];
    struct answer answer;

    set_plan(&sides.one, 1, BISHOPS);
    move_answered(&sides.two, "3c3d", "8h2b+");
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/plain\r\n",
             sides.one.token);
    snprintf(path, sizeof(path), "/v1/games/%s/plan", sides.one.id);
    answer = ask(&house, "GET", path, headers, NULL);
    cr_assert_str_eq(answer.reply.body, "seat 1, after ply 1 of line 1\n"
                                        "  3c3d: 8h2b+\n"
                                        ">   3a2b: B*4e\n"
                                        ">   9c9d: resign\n"
                                        "  1c1d: resign\n");
}

Test(plans, are_deleted_as_often_as_one_likes)
{
    struct sides sides = begin_shogi();

    set_plan(&sides.one, 1, BISHOPS);
    for (int i = 0; i < 2; i++) {
        struct answer answer =
            ask_at(&house, sides.one.token, "DELETE", NULL, "/v1/games/%s/plan", sides.one.id);

        assert_status(&answer, 204);
        assert_no_plan(&sides.one);
    }
    move_alone(&sides.two, "3c3d");
}

/* Writes a tree with a branch for each of the opponent's legal moves, the last of them answered by
 * `last`. */
static void every_move(const struct game *game, const char *last, char *tree, size_t size)
{
    struct answer answer =
        ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/legal-moves", game->id);
    int count = number_of(&answer, "count");
    size_t len = 0;

    for (int i = 0; i < count; i++) {
        char path[32];

        snprintf(path, sizeof(path), "moves.%d", i);
        len += (size_t)snprintf(tree + len, size - len, "%s{\"if\":\"%s\",\"then\":\"%s\"}",
                                i == 0 ? "[" : ",", text_of(&answer, path),
                                i == count - 1 ? last : "2g2f");
    }
    snprintf(tree + len, size - len, "]");
}

Test(plans, of_many_branches_are_judged_as_those_of_few)
{
    struct sides sides = begin_shogi();
    char tree[2000], body[2100];
    struct answer answer;

    every_move(&sides.one, "2g2e", tree, sizeof(tree));
    snprintf(body, sizeof(body), "{\"after_ply\":1,\"tree\":%s}", tree);
    answer = ask_at(&house, sides.one.token, "PUT", body, "/v1/games/%s/plan", sides.one.id);
    assert_problem(&answer, 422, "wrong-shape");
    cr_assert_str_eq(text_of(&answer, "pointer"), "/tree/29/then");
    every_move(&sides.one, "1g1f", tree, sizeof(tree));
    snprintf(body, sizeof(body), "{\"after_ply\":1,\"tree\":%s}", tree);
    answer = ask_at(&house, sides.one.token, "PUT", body, "/v1/games/%s/plan", sides.one.id);
    assert_status(&answer, 200);
    move_answered(&sides.two, "3c3d", "2g2f");
}

Test(plans, are_foretold_by_what_somebody_may_do)
{
    struct sides sides = begin_shogi();
    const struct game *games[] = {&sides.one, &sides.two};

    for (int i = 0; i < 2; i++) {
        struct answer game =
            ask_at(&house, games[i]->token, "GET", NULL, "/v1/games/%s", games[i]->id);
        const cJSON *deed;
        int found = 0;

        cJSON_ArrayForEach(deed, member(&game, "you.may"))
        {
            found += strcmp(deed->valuestring, "plan") == 0;
        }
        cr_assert_eq(found, i == 0);
    }
}

static void refused(const struct game *game, int after_ply, const char *tree, int status,
                    const char *code, const char *pointer)
{
    struct answer answer = put_plan(game, after_ply, tree);

    assert_problem(&answer, status, code);
    if (pointer != NULL)
        cr_assert_str_eq(text_of(&answer, "pointer"), pointer);
}

Test(plans, with_an_illegal_branch_are_refused_and_the_pointer_leads_there)
{
    struct sides sides = begin_shogi();
    struct answer answer = put_plan(
        &sides.one, 1,
        "[{\"if\":\"8c8d\",\"then\":\"2g2f\"},{\"if\":\"3c3d\",\"then\":\"8h2b+\",\"next\":["
        "{\"if\":\"3a2b\",\"then\":\"P*5e\"}]}]");

    assert_problem(&answer, 422, "not-in-hand");
    cr_assert_str_eq(text_of(&answer, "pointer"), "/tree/1/next/0/then");
    cr_assert_str_eq(text_of(&answer, "move"), "P*5e");
    cr_assert(has(&answer, "rule.id"));
    cr_assert_eq(number_of(&answer, "game.ply"), 1);
    refused(&sides.one, 1, "[{\"if\":\"7g7f\",\"then\":\"2g2f\"}]", 422, "empty-square",
            "/tree/0/if");
    refused(&sides.one, 1, "[{\"if\":\"*\",\"then\":\"2g2f\"}]", 422, "bad-plan", "/tree/0/then");
    refused(&sides.one, 1, "[{\"if\":\"3c3d\",\"then\":\"win\"}]", 422, "bad-move-text",
            "/tree/0/then");
    refused(&sides.one, 1, "[]", 400, "bad-parameter", "/tree");
    refused(&sides.one, 1, "[{\"if\":\"3c3d\"}]", 400, "bad-parameter", "/tree/0/then");
    assert_no_plan(&sides.one);
}

static void assert_said(struct game *game, const char *tree, const char *text)
{
    struct answer answer = put_plan(game, 1, tree);

    assert_problem(&answer, 422, "bad-move-text");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), text), "%s", text_of(&answer, "detail"));
}

Test(plans, say_what_a_branch_takes_where_a_text_is_no_move)
{
    struct sides sides = begin_shogi();

    assert_said(&sides.one, "[{\"if\":\"3c3d\",\"then\":\"win\"}]",
                "\"then\" takes a move of yours or \"resign\".");
    assert_said(&sides.one, "[{\"if\":\"any\",\"then\":\"resign\"}]",
                "\"if\" takes a move of the other side, or \"*\" for any other.");
}

Test(plans, are_refused_to_whoever_cannot_have_one)
{
    struct game open =
        new_game(&house, "{\"variant\":\"shogi\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    struct game alone = new_game(&house, "{\"variant\":\"shogi\"}");
    struct game computer = new_game(
        &house, "{\"variant\":\"shogi\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]}");
    struct player eve = new_player(&house, "Eve");
    struct game stranger = alone;
    struct answer answer;

    strcpy(stranger.token, "x");
    refused(&open, 0, BISHOPS, 409, "game-not-started", NULL);
    refused(&alone, 0, BISHOPS, 409, "no-opponent", NULL);
    refused(&computer, 0, BISHOPS, 409, "your-turn", NULL);
    refused(&stranger, 0, BISHOPS, 401, "token-unknown", NULL);
    answer = ask_at(&house, eve.token, "PUT", ONE_BRANCH, "/v1/games/%s/plan", alone.id);
    assert_problem(&answer, 403, "not-your-seat");
}

Test(plans, for_another_ply_are_refused_with_the_moves_since)
{
    struct sides sides = begin_shogi();
    struct answer answer;

    move_alone(&sides.two, "3c3d");
    answer = put_plan(&sides.one, 1, BISHOPS);
    assert_problem(&answer, 409, "stale-ply");
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "3c3d");
    cr_assert_not(has(&answer, "moves.1"));
    refused(&sides.one, 5, BISHOPS, 409, "stale-ply", NULL);
    answer = ask_at(&house, sides.one.token, "PUT",
                    "{\"after_ply\":2,\"line\":2,\"tree\":[{\"if\":\"3c3d\",\"then\":\"2g2f\"}]}",
                    "/v1/games/%s/plan", sides.one.id);
    assert_problem(&answer, 409, "stale-ply");
}

/* ---- requests that come again ---- */

/* Plays a move twice with one key, and asserts that the answers are the same. The first one, which
 * the caller frees, is returned. */
static struct answer move_twice(const struct game *game, const char *text)
{
    char headers[300], path[100];
    struct answer first, again;

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: text/plain\r\nIdempotency-Key: %s\r\n",
             game->token, text);
    snprintf(path, sizeof(path), "/v1/games/%s/moves", game->id);
    first = ask(&house, "POST", path, headers, text);
    again = ask(&house, "POST", path, headers, text);
    assert_status(&first, 201);
    cr_assert_eq(again.status, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    return first;
}

Test(plans, are_told_again_with_the_move_that_they_answered)
{
    struct sides sides = begin_shogi();
    struct answer first, again;

    set_plan(&sides.one, 1, BISHOPS);
    first = ask_at(&house, sides.two.token, "PUT", "3c3d", "/v1/games/%s/moves/2", sides.two.id);
    again = ask_at(&house, sides.two.token, "PUT", "3c3d", "/v1/games/%s/moves/2", sides.two.id);
    assert_status(&first, 201);
    assert_status(&again, 200);
    cr_assert_str_eq(again.reply.body, first.reply.body);
    first = move_twice(&sides.two, "3a2b");
    cr_assert_str_eq(text_of(&first, "answers.0.move"), "B*4e");
    first = move_twice(&sides.two, "9c9d");
    cr_assert_not(has(&first, "answers"));
}

Test(plans, that_gave_up_are_told_again_with_the_move)
{
    struct sides sides = begin_shogi();
    struct answer first;

    set_plan(&sides.one, 1, BISHOPS);
    first = move_twice(&sides.two, "1c1d");
    cr_assert_str_eq(text_of(&first, "move"), "1c1d");
    cr_assert_str_eq(text_of(&first, "game.status"), "finished");
}

Test(plans, offer_a_draw_and_go_on_if_it_is_declined)
{
    static const char tree[] =
        "[{\"if\":\"3c3d\",\"then\":{\"move\":\"8h2b+\",\"offer\":\"draw\"},\"next\":["
        "{\"if\":\"3a2b\",\"then\":{\"move\":\"B*4e\",\"offer\":\"draw\"}}]}]";
    struct sides sides = begin_shogi();
    struct answer first, log, ended;

    set_plan(&sides.one, 1, tree);
    first = move_twice(&sides.two, "3c3d");
    cr_assert_str_eq(text_of(&first, "answers.0.move"), "8h2b+");
    cr_assert_str_eq(text_of(&first, "game.offers.0.kind"), "draw");
    cr_assert_eq(number_of(&first, "game.offers.0.seat"), 1);
    log = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/events?after=5", sides.one.id);
    cr_assert_str_eq(text_of(&log, "items.0.type"), "offered");
    cr_assert_str_eq(text_of(&log, "items.0.data.source"), "plan");
    move_answered(&sides.two, "3a2b", "B*4e");
    log = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", sides.one.id);
    ended = ask_at(&house, sides.two.token, "POST", "{}", "/v1/games/%s/offers/%d/accept",
                   sides.two.id, number_of(&log, "offers.0.id"));
    assert_status(&ended, 200);
    cr_assert_str_eq(text_of(&ended, "outcome.reason"), "agreement");
    cr_assert(plyd_verified(house.database));
}

/* ---- secrecy ---- */

/* The bodies of all that can be read of a game with a token, one after the other. */
static char *all_that_is_shown(const struct game *game, const char *token)
{
    size_t size = 1 << 20, len = 0;
    char *all = calloc(1, size), headers[200];
    const struct route *route;

    snprintf(headers, sizeof(headers), "Request-Id: same\r\nAuthorization: Bearer %s\r\n", token);
    for (size_t i = 0; (route = &routes_all[i])->handle != NULL; i++) {
        char path[200] = "";
        const char *at = strstr(route->pattern, "{id}");
        struct answer answer;

        if (route->method != METHOD_GET || at == NULL || strstr(route->pattern, "plan") != NULL)
            continue;
        snprintf(path, sizeof(path), "/v1/games/%s%s", game->id, at + 4);
        if (strchr(path, '{') != NULL)
            strcpy(strchr(path, '{'), strstr(path, "{ply}") != NULL ? "1" : "json");
        answer = ask(&house, "GET", path, headers, NULL);
        cr_assert_lt(len + answer.reply.len + 300, size);
        len +=
            (size_t)sprintf(all + len, "%s %d %.*s\n", path, answer.status,
                            (int)(answer.status == 200 ? answer.reply.len : 0), answer.reply.body);
    }
    cr_assert_gt(len, 2000);
    return all;
}

static void assert_shown(const struct game *game, const char *token, const char *before)
{
    char *now = all_that_is_shown(game, token);
    size_t same = 0;

    while (now[same] != '\0' && now[same] == before[same])
        same++;
    cr_assert_eq(now[same], before[same], "%.200s", now + same);
    free(now);
}

Test(plans, are_seen_by_nobody_but_their_owner)
{
    struct sides sides = begin_shogi();
    struct player eve = new_player(&house, "Eve");
    char *owner = all_that_is_shown(&sides.one, sides.one.token);
    char *opponent = all_that_is_shown(&sides.one, sides.two.token);
    char *stranger = all_that_is_shown(&sides.one, eve.token);
    struct answer answer;

    set_plan(&sides.one, 1, BISHOPS);
    assert_shown(&sides.one, sides.one.token, owner);
    assert_shown(&sides.one, sides.two.token, opponent);
    assert_shown(&sides.one, eve.token, stranger);
    assert_no_plan(&sides.two);
    answer = ask_at(&house, eve.token, "GET", NULL, "/v1/games/%s/plan", sides.one.id);
    assert_problem(&answer, 403, "not-your-seat");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/plan", sides.one.id);
    assert_problem(&answer, 401, "token-missing");
    answer = ask_at(&house, sides.one.token, "DELETE", NULL, "/v1/games/%s/plan", sides.one.id);
    assert_shown(&sides.one, sides.two.token, opponent);
    free(owner);
    free(opponent);
    free(stranger);
}

Test(plans, are_not_told_by_a_dry_run)
{
    struct sides sides = begin_shogi();
    struct answer before, after;

    before = ask_at(&house, sides.two.token, "POST", "3c3d", "/v1/games/%s/moves?dry_run=true",
                    sides.two.id);
    set_plan(&sides.one, 1, BISHOPS);
    after = ask_at(&house, sides.two.token, "POST", "3c3d", "/v1/games/%s/moves?dry_run=true",
                   sides.two.id);
    assert_status(&after, 200);
    cr_assert_not(has(&after, "answers"));
    cr_assert_eq(number_of(&after, "game.version"), number_of(&before, "game.version"));
    move_answered(&sides.two, "3c3d", "8h2b+");
}

Test(plans, of_a_seat_are_not_touched_by_the_other_one)
{
    struct sides sides = begin_shogi();
    struct answer answer;

    set_plan(&sides.one, 1, BISHOPS);
    answer = ask_at(&house, sides.two.token, "DELETE", NULL, "/v1/games/%s/plan", sides.two.id);
    assert_status(&answer, 204);
    refused(&sides.two, 1, BISHOPS, 409, "your-turn", NULL);
    move_answered(&sides.two, "3c3d", "8h2b+");
}

/* ---- two daemons ---- */

/* A request to one of the two daemons. */
static struct answer at_daemon(int port, const struct game *game, const char *method,
                               const char *what, const char *body)
{
    char path[100], headers[200];
    struct http_reply reply;

    snprintf(path, sizeof(path), "/v1/games/%s%s", game->id, what);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: %s\r\n",
             game->token, body != NULL && body[0] == '{' ? "application/json" : "text/plain");
    http_request(port, &reply, method, path, headers, body);
    return answer_of(&house, method, path, reply);
}

static int status_at(int port, const struct game *game, const char *method, const char *what,
                     const char *body)
{
    struct answer answer = at_daemon(port, game, method, what, body);

    return answer.status;
}

Test(plans, that_one_daemon_took_are_known_to_the_other)
{
    struct sides sides = begin_shogi();
    int here = house.plyd.port, there = house.second.port;
    struct answer answer;

    cr_assert_eq(status_at(there, &sides.two, "GET", "", NULL), 200);
    cr_assert_eq(status_at(here, &sides.one, "PUT", "/plan", ONE_BRANCH), 200);
    cr_assert_eq(status_at(there, &sides.one, "GET", "/plan", NULL), 200);
    cr_assert_eq(status_at(there, &sides.one, "DELETE", "/plan", NULL), 204);
    cr_assert_eq(status_at(here, &sides.one, "GET", "/plan", NULL), 404);
    cr_assert_eq(status_at(here, &sides.one, "PUT", "/plan", ONE_BRANCH), 200);
    answer = at_daemon(there, &sides.two, "POST", "/moves", "3c3d");
    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "answers.0.move"), "8h2b+");
    cr_assert_eq(status_at(here, &sides.one, "GET", "/plan", NULL), 404);
}

enum { ROUNDS = 60 };

static struct racer racer_of(int port, const struct game *game, const char *method,
                             const char *what, const char *body)
{
    struct racer racer = {.port = port, .method = method};

    snprintf(racer.path, sizeof(racer.path), "/v1/games/%s%s", game->id, what);
    snprintf(racer.headers, sizeof(racer.headers),
             "Authorization: Bearer %s\r\nContent-Type: %s\r\n", game->token,
             body[0] == '{' ? "application/json" : "text/plain");
    snprintf(racer.body, sizeof(racer.body), "%s", body);
    return racer;
}

/* Lets a request of the owner race with the opponent's move, which may be at the other daemon. Both
 * daemons have the game in memory by then. Returns the owner's status, and the ply and the answer
 * (or "") that the move has led to. */
static int race_with_move(int round, const struct sides *sides, const char *method,
                          const char *body, int *ply, char played[16])
{
    int ports[2] = {house.plyd.port, house.second.port};
    struct racer racers[2];
    struct answer owner, mover;
    int status;

    for (int i = 0; i < 2; i++)
        cr_assert_eq(status_at(ports[i], &sides->two, "GET", "", NULL), 200);
    racers[0] = racer_of(ports[round % 2], &sides->one, method, "/plan", body);
    racers[1] = racer_of(ports[round / 2 % 2], &sides->two, "PUT", "/moves/2", "3c3d");
    race(racers, 2);
    owner = answer_of(&house, method, racers[0].path, racers[0].reply);
    mover = answer_of(&house, "PUT", racers[1].path, racers[1].reply);
    assert_status(&mover, 201);
    *ply = number_of(&mover, "game.ply");
    snprintf(played, 16, "%s", has(&mover, "answers") ? text_of(&mover, "answers.0.move") : "");
    if (owner.status != 200 && owner.status != 204)
        assert_problem(&owner, 409, "stale-ply");
    status = owner.status;
    return status;
}

Test(plans, that_race_with_the_move_are_either_refused_or_played)
{
    int outcomes[2] = {0, 0};

    for (int round = 0; round < ROUNDS; round++) {
        struct sides sides = begin_shogi();
        char played[16];
        int ply, status = race_with_move(round, &sides, "PUT", ONE_BRANCH, &ply, played);

        outcomes[status == 200]++;
        cr_assert_str_eq(played, status == 200 ? "8h2b+" : "", "round %d", round);
        cr_assert_eq(ply, status == 200 ? 3 : 2, "round %d", round);
        assert_no_plan(&sides.one);
    }
    cr_assert(outcomes[0] > 0 && outcomes[1] > 0, "%d moves came first, and %d plans", outcomes[0],
              outcomes[1]);
    cr_assert(plyd_verified(house.database));
}

Test(plans, that_are_replaced_while_the_move_comes_are_played_as_acknowledged)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct sides sides = begin_shogi();
        char played[16];
        int ply, status;

        set_plan(&sides.one, 1, "[{\"if\":\"3c3d\",\"then\":\"2g2f\"}]");
        status = race_with_move(round, &sides, "PUT", ONE_BRANCH, &ply, played);
        cr_assert_str_eq(played, status == 200 ? "8h2b+" : "2g2f", "round %d", round);
    }
}

Test(plans, that_are_deleted_while_the_move_comes_are_played_or_not_and_never_later)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct sides sides = begin_shogi();
        char played[16];
        int ply;

        set_plan(&sides.one, 1, "[{\"if\":\"3c3d\",\"then\":\"8h2b+\"}]");
        cr_assert_eq(race_with_move(round, &sides, "DELETE", "", &ply, played), 204);
        cr_assert_eq(ply, played[0] == '\0' ? 2 : 3);
        assert_no_plan(&sides.one);
    }
}

/* ---- games that the program cannot read ---- */

/* The contract has no such answers: they are for operators. */
static int status_of(int fd, const char *format, const struct game *game)
{
    struct http_reply reply;
    char path[100], header[200];
    int status;

    snprintf(path, sizeof(path), format, game->id);
    snprintf(header, sizeof(header), "Authorization: Bearer %s\r\n", game->token);
    http_send(fd, "GET", path, header, NULL, 0);
    http_receive(fd, "GET", &reply);
    status = reply.status;
    http_free(&reply);
    return status;
}

/* A newer program may have written the row. It is read anew for a look at a plan; the game in
 * memory must not be played on as if it were there. */
Test(plans, a_game_whose_row_cannot_be_read_any_more_is_refused_until_it_can)
{
    struct sides sides;
    int fd;

    house_move_out(&house);
    fd = http_connect(house.plyd.port);
    sides = begin_shogi();
    house_sql(&house, "update games set variant = 'of-tomorrow'");
    cr_expect_eq(status_of(fd, "/v1/games/%s/plan", &sides.one), 503);
    cr_expect_eq(status_of(fd, "/v1/games/%s", &sides.one), 503);
    cr_expect_eq(status_of(fd, "/v1/games/%s/moves", &sides.one), 503);
    house_sql(&house, "update games set variant = 'shogi'");
    cr_expect_eq(status_of(fd, "/v1/games/%s", &sides.one), 200);
    close(fd);
}
