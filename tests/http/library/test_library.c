/* test_library.c - collections, searching them, and the games of a position. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/backoff.h"

static struct house house;
static struct player ada, eve;
static char shelf[32];

/* Makes a collection, which is the shelf from now on. */
static void new_shelf(const char *name)
{
    struct answer answer;
    char body[64];

    snprintf(body, sizeof(body), "{\"name\":\"%s\"}", name);
    answer = ask_as(&house, ada.token, "POST", "/v1/me/collections", body);
    assert_status(&answer, 201);
    snprintf(shelf, sizeof(shelf), "%s", text_of(&answer, "id"));
}

static void open_house(void)
{
    house_share(&house);
    ada = new_player(&house, "Ada");
    eve = new_player(&house, "Eve");
    new_shelf("Games");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(library, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* Imports a file into the collection and waits for it. */
static void import_file(const char *query, const char *file)
{
    struct answer answer =
        ask_at(&house, ada.token, "POST", file, "/v1/me/imports?collection=%s%s", shelf, query);
    char op[32];

    assert_status(&answer, 202);
    snprintf(op, sizeof(op), "%s", text_of(&answer, "id"));
    job_await(&house, ada.token, op);
}

static struct answer search(const char *query)
{
    return ask_at(&house, ada.token, "GET", NULL, "/v1/me/collections/%s/games%s", shelf, query);
}

static int found(const char *query)
{
    struct answer answer = search(query);
    int count;

    assert_status(&answer, 200);
    count = cJSON_GetArraySize(member(&answer, "items"));
    return count;
}

static const char three_games[] =
    "[White \"Ada\"]\n[Black \"Bo\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n"
    "[Termination \"resign\"]\n\n1. a3-a4 a6-a5 1-0\n\n"
    "[White \"Bo\"]\n[Black \"Cy\"]\n[Date \"2010.02.03\"]\n[Result \"0-1\"]\n"
    "[Termination \"resign\"]\n\n1. a3-a4 b6-b5 2. b3-b4 0-1\n\n"
    "[White \"Dee\"]\n[Black \"Eli\"]\n\n1. a3-a4 *\n";

/* Asks for a position until so many games reached it. */
static struct answer explore(const char *token, const char *query, int games)
{
    for (int looks = 0;; looks++) {
        struct answer answer = ask_at(&house, token, "GET", NULL, "/v1/positions/%s", query);

        assert_status(&answer, 200);
        if (number_of(&answer, "games") == games)
            return answer;
        back_off(looks);
    }
}

/* ---- collections ---- */

Test(library, an_import_fills_a_collection)
{
    struct answer answer;

    import_file("", three_games);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/collections", NULL);
    cr_assert_eq(number_of(&answer, "items.0.games"), 3);
}

Test(library, games_are_found_by_name_date_variant_and_result)
{
    import_file("", three_games);
    cr_assert_eq(found(""), 3);
    cr_assert_eq(found("?name=bo"), 2);
    cr_assert_eq(found("?from=2005-01-01&to=2011-01-01"), 1);
    cr_assert_eq(found("?to=2005-01-01"), 1);
    cr_assert_eq(found("?variant=shogi"), 0);
    cr_assert_eq(found("?result=2"), 1);
    cr_assert_eq(found("?result=1&name=ada"), 1);
    cr_assert_eq(found("?result=draw"), 0);
}

Test(library, games_are_found_by_any_of_several_variants)
{
    static const char *const names[] = {"jungle", "shogi", "tictactoe"};

    for (size_t i = 0; i < 3; i++) {
        char body[64];
        struct game game;

        snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", names[i]);
        game = new_game(&house, body);
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);
    }
    cr_assert_eq(found(""), 3);
    cr_assert_eq(found("?variant=jungle,shogi"), 2);
    cr_assert_eq(found("?variant=jungle,turkish-draughts"), 1);
}

Test(library, pages_of_a_search_keep_what_was_asked_for)
{
    struct answer first, second;

    import_file("", three_games);
    first = search("?name=%42O&limit=1&fields=id");
    second = ask_as(&house, ada.token, "GET", text_of(&first, "next"), NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&second, "items")), 1);
    cr_assert(cJSON_IsNull(member(&second, "next")));
}

Test(library, a_game_that_one_may_see_is_added_and_taken_out)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer =
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);

    assert_status(&answer, 204);
    cr_assert_eq(found("?variant=jungle"), 1);
    answer =
        ask_at(&house, ada.token, "DELETE", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);
    assert_status(&answer, 204);
    cr_assert_eq(found(""), 0);
}

Test(library, what_is_gone_may_be_removed_again)
{
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    char paths[2][128];

    snprintf(paths[0], sizeof(paths[0]), "/v1/me/collections/%s/games/%s", shelf, game.id);
    snprintf(paths[1], sizeof(paths[1]), "/v1/me/collections/%s", shelf);
    for (int i = 0; i < 4; i++) {
        struct answer answer = ask_as(&house, ada.token, "DELETE", paths[i / 2], NULL);

        assert_status(&answer, 204);
    }
}

Test(library, a_private_game_of_others_is_not_added)
{
    struct game game =
        new_game_of(&house, eve.token, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    struct answer answer =
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);

    assert_problem(&answer, 404, "no-such-game");
}

Test(library, nobody_else_reads_or_changes_a_collection)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer =
        ask_at(&house, eve.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);

    assert_problem(&answer, 404, "no-such-collection");
    answer =
        ask_at(&house, eve.token, "PATCH", "{\"name\":\"Mine\"}", "/v1/me/collections/%s", shelf);
    assert_problem(&answer, 404, "no-such-collection");
    answer = ask_at(&house, eve.token, "DELETE", NULL, "/v1/me/collections/%s", shelf);
    assert_status(&answer, 204);
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/me/collections/%s", shelf);
    assert_status(&answer, 200);
}

/* ---- positions ---- */

Test(library, games_of_the_collections_tell_how_a_position_went_on)
{
    struct answer answer;

    import_file("", three_games);
    answer = explore(ada.token, "turkish-draughts?moves=a3-a4&of=mine", 2);
    cr_assert_eq(number_of(&answer, "wins.1"), 1);
    cr_assert_eq(number_of(&answer, "wins.2"), 1);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "moves")), 2);
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "a6-a5");
    cr_assert_eq(number_of(&answer, "items.0.ply"), 1);
    answer = explore(eve.token, "turkish-draughts?moves=a3-a4&of=mine", 0);
    answer = explore(NULL, "turkish-draughts?moves=a3-a4", 0);
}

Test(library, games_are_found_by_a_position_that_they_reached)
{
    struct answer answer;
    char query[512];

    import_file("", three_games);
    answer = explore(ada.token, "turkish-draughts?moves=a3-a4,a6-a5&of=mine", 1);
    snprintf(query, sizeof(query), "?variant=turkish-draughts&position=%s",
             text_of(&answer, "position"));
    cr_assert_eq(found(query), 1);
}

/* Its moves are of no other test: public games of all tests count at their positions. */
Test(library, public_games_are_found_when_they_are_over_and_not_before)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    struct answer answer;

    play(&house, &game, "c3d3 e7d7 d3d4 d7d6");
    answer = explore(NULL, "jungle?moves=c3d3,e7d7,d3d4", 0);
    answer = ask_at(&house, game.token, "POST", "{}", "/v1/games/%s/resign", game.id);
    assert_status(&answer, 200);
    answer = explore(NULL, "jungle?moves=c3d3,e7d7,d3d4", 1);
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "d7d6");
    cr_assert_str_eq(text_of(&answer, "items.0.game"), game.id);
    answer = explore(NULL, "jungle?moves=c3d3,e7d7,d3d4,d7d6", 1);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "moves")), 0);
}

static const char mirrored_games[] =
    "[White \"Ada\"]\n[Black \"Bo\"]\n[Result \"1-0\"]\n[Termination \"resign\"]\n\n"
    "1. a3-a4 a6-a5 1-0\n\n"
    "[White \"Bo\"]\n[Black \"Cy\"]\n[Result \"0-1\"]\n[Termination \"resign\"]\n\n"
    "1. h3-h4 h6-h5 0-1\n\n"
    "[White \"Dee\"]\n[Black \"Eli\"]\n[Result \"0-1\"]\n[Termination \"resign\"]\n\n"
    "1. h3-h4 a6-a5 0-1\n\n";

Test(library, mirrored_games_are_counted_together_and_told_as_the_position_was_asked_for)
{
    struct answer answer;

    import_file("", mirrored_games);
    answer = explore(ada.token, "turkish-draughts?moves=a3-a4&of=mine", 3);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "moves")), 2);
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "a6-a5");
    cr_assert_eq(number_of(&answer, "moves.0.games"), 2);
    cr_assert_eq(number_of(&answer, "moves.0.wins.1"), 1);
    cr_assert_str_eq(text_of(&answer, "moves.1.move"), "h6-h5");
    answer = explore(ada.token, "turkish-draughts?moves=h3-h4&of=mine", 3);
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "h6-h5");
    cr_assert_str_eq(text_of(&answer, "moves.1.move"), "a6-a5");
}

Test(library, equivalent_moves_of_a_symmetric_position_are_added_up)
{
    struct answer answer;

    import_file("", mirrored_games);
    answer = explore(ada.token, "turkish-draughts?of=mine", 3);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "moves")), 1);
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "a3-a4");
    cr_assert_eq(number_of(&answer, "moves.0.games"), 3);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
}

Test(library, boards_of_other_sizes_are_other_positions)
{
    struct game small = new_game(&house, "{\"variant\":\"tictactoe\",\"visibility\":\"public\"}");
    struct game large = new_game(&house, "{\"variant\":\"tictactoe\",\"visibility\":\"public\","
                                         "\"options\":{\"rows\":4,\"cols\":4}}");
    struct answer answer;

    play(&house, &small, "a1 b1 a2 b2 a3");
    play(&house, &large, "d4 b1 d3 b2 d2");
    answer = explore(NULL, "tictactoe?moves=c3", 1);
    cr_assert_str_eq(text_of(&answer, "items.0.game"), small.id);
    answer = explore(NULL, "tictactoe?options.rows=4&options.cols=4&moves=d1", 1);
    cr_assert_str_eq(text_of(&answer, "items.0.game"), large.id);
    cr_assert_str_eq(text_of(&answer, "moves.0.move"), "a3");
}

/* Plays and ends a public game, whose id is kept in *game. */
static void finish(struct game *game, const char *options, const char *moves)
{
    char body[256];
    struct answer answer;

    snprintf(body, sizeof(body), "{%s,\"visibility\":\"public\"}", options);
    *game = new_game(&house, body);
    play(&house, game, moves);
    answer = ask_at(&house, game->token, "POST", "{\"seat\":1}", "/v1/games/%s/resign", game->id);
    assert_status(&answer, 200);
}

/* A position that no other test reaches is reached by one game alone under each choice. */
static void found_apart(const char *address, const char *moves, const char *options,
                        const char *body, const char *other_body)
{
    struct game usual, other;
    struct answer answer;
    char query[256];

    finish(&usual, body, moves);
    finish(&other, other_body, moves);
    answer = explore(NULL, address, 1);
    cr_assert_str_eq(text_of(&answer, "items.0.game"), usual.id);
    snprintf(query, sizeof(query), "%s&%s", address, options);
    answer = explore(NULL, query, 1);
    cr_assert_str_eq(text_of(&answer, "items.0.game"), other.id);
}

Test(library, casual_games_of_shogi_are_not_counted_among_those_by_the_rules_of_tournaments)
{
    found_apart("shogi?moves=9g9f,9c9d,1g1f", "9g9f 9c9d 1g1f 1c1d", "options.rules=casual",
                "\"variant\":\"shogi\"",
                "\"variant\":\"shogi\",\"options\":{\"rules\":\"casual\"}");
}

Test(library, moves_of_a_position_are_legal_under_the_options_that_were_asked_for)
{
    struct game game;
    struct answer answer;

    finish(&game, "\"variant\":\"shogi\",\"options\":{\"rules\":\"casual\"}",
           "1g1f 9c9d 7g7f 3c3d 8h2b+ 9d9e 6i7h");
    answer = explore(NULL, "shogi?options.rules=casual&moves=1g1f,9c9d", 1);
    answer = explore(NULL, "shogi?moves=1g1f,9c9d", 0);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "moves")), 0);
}

Test(library, what_wins_or_draws_tells_games_of_draughts_apart)
{
    found_apart("turkish-draughts?moves=d3-d4,e6-e5,b3-b4", "d3-d4 e6-e5 b3-b4 g6-g5",
                "options.one_v_one=off", "\"variant\":\"turkish-draughts\"",
                "\"variant\":\"turkish-draughts\",\"options\":{\"one_v_one\":\"off\"}");
}

Test(library, lines_of_other_lengths_are_other_positions)
{
    found_apart("tictactoe?options.rows=7&options.cols=7&moves=a1,b2", "a1 b2 c3", "options.k=4",
                "\"variant\":\"tictactoe\",\"options\":{\"rows\":7,\"cols\":7}",
                "\"variant\":\"tictactoe\",\"options\":{\"rows\":7,\"cols\":7,\"k\":4}");
}

Test(library, a_collection_is_searched_by_a_position_under_the_options_that_are_named)
{
    static const char query[] = "?variant=shogi&position="
                                "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL_w_-_2";
    char casual[256];
    struct game game;
    struct answer answer;

    finish(&game, "\"variant\":\"shogi\",\"options\":{\"rules\":\"casual\"}", "7g7f");
    answer =
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);
    assert_status(&answer, 204);
    answer = explore(ada.token, "shogi?options.rules=casual&moves=7g7f&of=mine", 1);
    snprintf(casual, sizeof(casual), "%s&options.rules=casual", query);
    cr_assert_eq(found(casual), 1);
    cr_assert_eq(found(query), 0);
}

Test(library, a_game_at_odds_is_searched_by_a_later_position_and_its_start)
{
    static const char query[] = "?variant=shogi&options.start=lance&position="
                                "lnsgkgsn1/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL_b_-_2";
    struct game game;
    struct answer answer;

    finish(&game, "\"variant\":\"shogi\",\"options\":{\"start\":\"lance\"}", "3c3d");
    answer =
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);
    assert_status(&answer, 204);
    answer = explore(ada.token, "shogi?options.start=lance&moves=3c3d&of=mine", 1);
    cr_assert_eq(found(query), 1);
}

Test(library, what_an_older_daemon_has_noted_is_noted_anew_by_the_next_one_that_begins)
{
    struct game game;
    struct answer answer;

    house_move_out(&house);
    game = new_game(&house, "{\"variant\":\"tictactoe\",\"visibility\":\"public\"}");
    play(&house, &game, "a1 b1 a2 b2 a3");
    answer = explore(NULL, "tictactoe?moves=a1", 1);
    house_sql(&house, "update positions set key = key + 1, made = 1");
    answer = explore(NULL, "tictactoe?moves=a1", 0);
    house_open_second(&house);
    answer = explore(NULL, "tictactoe?moves=a1", 1);
    cr_assert_str_eq(text_of(&answer, "items.0.game"), game.id);
}

Test(library, a_game_that_was_taken_out_does_not_count_any_more)
{
    struct answer answer;

    import_file("", three_games);
    answer = explore(ada.token, "turkish-draughts?of=mine", 2);
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/me/collections/%s", shelf);
    assert_status(&answer, 204);
    answer = explore(ada.token, "turkish-draughts?of=mine", 0);
}

/* ---- exports ---- */

static struct answer export(const char *query)
{
    return ask_at(&house, ada.token, "GET", NULL, "/v1/me/collections/%s/export%s", shelf, query);
}

static int times(const char *text, const char *word)
{
    int count = 0;

    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

Test(library, a_collection_goes_out_in_lines_and_comes_in_again)
{
    struct answer first, second;

    import_file("", three_games);
    first = export("");
    assert_status(&first, 200);
    cr_assert_eq(times(first.reply.body, "\n"), 3);
    import_file("&variant=turkish-draughts", first.reply.body);
    second = export("");
    cr_assert_eq(times(second.reply.body, "\n"), 6);
}

Test(library, a_collection_goes_out_in_a_format_of_its_games)
{
    struct answer answer, again;

    import_file("", three_games);
    import_file("", "startpos moves 7g7f\nstartpos moves 2g2f\n");
    answer = export("?format=pdn");
    cr_assert_eq(times(answer.reply.body, "[White "), 3);
    answer = export("?format=csa");
    cr_assert_eq(times(answer.reply.body, "\n/\n"), 1);
    import_file("", answer.reply.body);
    again = export("?format=kif");
    cr_assert_eq(times(again.reply.body, "手数----"), 4);
    answer = export("?format=nothing");
    assert_problem(&answer, 404, "no-such-format");
}

/* A collection may hold a game of which its owner has but the address. */
Test(library, the_messages_of_an_unlisted_game_go_out_to_its_players_alone)
{
    struct player *const players[] = {&ada, &eve};

    for (int i = 0; i < 2; i++) {
        struct game game = new_game_of(&house, players[i]->token, "{\"variant\":\"jungle\"}");
        struct answer answers[] = {ask_at(&house, game.token, "POST",
                                          i == 0 ? "My word" : "Her word", "/v1/games/%s/messages",
                                          game.id),
                                   ask_at(&house, ada.token, "PUT", NULL,
                                          "/v1/me/collections/%s/games/%s", shelf, game.id)};

        assert_status(&answers[0], 201);
        assert_status(&answers[1], 204);
    }
    struct answer answer = export("");

    cr_assert_eq(times(answer.reply.body, "\"message\""), 2);
    cr_assert_not_null(strstr(answer.reply.body, "My word"));
    cr_assert_null(strstr(answer.reply.body, "Her word"));
}

static void left_out(const struct answer *answer, const char *count)
{
    char value[256];
    const char *told = http_header(&answer->reply, "Record-Games-Left-Out", value);

    cr_assert_not_null(told, "%s", answer->reply.headers);
    cr_assert_str_eq(told, count);
}

/* A game that no format of shogi serves, in the collection. */
static struct game shelve_jungle(void)
{
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct answer answer =
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);

    assert_status(&answer, 204);
    return game;
}

Test(library, games_that_a_format_does_not_serve_are_told_behind_the_others)
{
    struct game jungle = shelve_jungle();
    struct answer answer;

    import_file("", "startpos moves 7g7f\nstartpos moves 2g2f\n");
    answer = export("?format=kif");
    left_out(&answer, "1");
    cr_assert_not_null(strstr(answer.reply.body, "# 1 game is left out, since this format cannot "
                                                 "hold it: "),
                       "%s", answer.reply.body);
    cr_assert_not_null(strstr(answer.reply.body, jungle.id), "%s", answer.reply.body);
    import_file("", answer.reply.body);
    answer = export("?format=usi");
    left_out(&answer, "1");
    cr_assert_null(strstr(answer.reply.body, jungle.id));
    cr_assert_eq(times(answer.reply.body, "startpos"), 4);
    answer = export("");
    left_out(&answer, "0");
}

Test(library, of_many_games_that_are_left_out_the_first_are_named)
{
    struct answer answer;

    for (int i = 0; i < 17; i++)
        shelve_jungle();
    answer = export("?format=pdn");
    left_out(&answer, "17");
    cr_assert_eq(times(answer.reply.body, ", "), 16, "%s", answer.reply.body);
    cr_assert_not_null(strstr(answer.reply.body, " and others\n"), "%s", answer.reply.body);
}

Test(library, an_account_goes_out_with_all_games_of_its_seats)
{
    struct answer answer;

    import_file("", three_games);
    new_game_of(&house, ada.token, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    new_game_of(&house, eve.token, "{\"variant\":\"jungle\"}");
    answer = ask_as(&house, ada.token, "GET", "/v1/me/export", NULL);
    cr_assert_eq(times(answer.reply.body, "\n"), 4);
}

Test(library, an_account_goes_out_with_each_game_of_its_collections_once)
{
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    char own[32];
    struct answer answer;

    import_file("", three_games);
    snprintf(own, sizeof(own), "%s", shelf);
    new_shelf("More");
    import_file("", "startpos moves 7g7f\n");
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/me/collections/%s/games", own);
    for (int i = 0; i < 3; i++) {
        char id[32];
        struct answer added;

        snprintf(id, sizeof(id), "items.%d.id", i);
        added = ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf,
                       text_of(&answer, id));
        assert_status(&added, 204);
    }
    answer =
        ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s", shelf, game.id);
    assert_status(&answer, 204);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/export", NULL);
    cr_assert_eq(times(answer.reply.body, "\n"), 5, "%s", answer.reply.body);
}

/* The games of the other collection were made between those of this one. So whichever goes out
 * first, a place in it is none in the next one. */
Test(library, an_account_of_many_games_goes_out_page_by_page_from_each_collection)
{
    static const char line[] = "startpos moves 7g7f\n";
    char games[12 * sizeof(line)] = "", own[32];
    struct answer answer;

    for (int i = 0; i < 12; i++)
        strcat(games, line);
    snprintf(own, sizeof(own), "%s", shelf);
    import_file("", games);
    new_shelf("More");
    import_file("&options.rules=casual", games);
    import_file("&options.rules=casual", games);
    snprintf(shelf, sizeof(shelf), "%s", own);
    import_file("", games);
    for (int i = 0; i < 20; i++)
        new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    answer = ask_as(&house, ada.token, "GET", "/v1/me/export", NULL);
    cr_assert_eq(times(answer.reply.body, "\n"), 68);
    cr_assert_eq(times(answer.reply.body, "\"casual\""), 24);
}

Test(library, a_collection_that_does_not_exist_is_neither_searched_nor_exported)
{
    struct answer answer;

    snprintf(shelf, sizeof(shelf), "00000000000000000000000000");
    answer = search("");
    assert_problem(&answer, 404, "no-such-collection");
    answer = export("");
    assert_problem(&answer, 404, "no-such-collection");
}

Test(library, nobody_else_searches_or_exports_a_collection)
{
    struct answer answer =
        ask_at(&house, eve.token, "GET", NULL, "/v1/me/collections/%s/games", shelf);

    assert_problem(&answer, 404, "no-such-collection");
    answer = ask_at(&house, eve.token, "GET", NULL, "/v1/me/collections/%s/export", shelf);
    assert_problem(&answer, 404, "no-such-collection");
}

Test(library, an_export_without_games_is_empty_and_complete)
{
    struct answer answer = export("");

    assert_status(&answer, 200);
    cr_assert_str_eq(answer.reply.body, "");
}
