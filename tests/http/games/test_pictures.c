/* test_pictures.c - boards as texts and as pictures: what they show, and what may be cached. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(pictures, house_share, HOUSE_PATIENCE_S);

static const char forever[] = "public, max-age=31536000, immutable";

static struct answer look(const struct game *game, const char *what)
{
    struct answer answer =
        ask_at(&house, game->token, "GET", NULL, "/v1/games/%s/%s", game->id, what);

    assert_status(&answer, 200);
    return answer;
}

static void assert_header(const struct answer *answer, const char *name, const char *value)
{
    char header[256];

    cr_assert_not_null(http_header(&answer->reply, name, header), "no %s", name);
    cr_assert_str_eq(header, value);
}

/* Whether the body of a board holds a text. */
static bool shows(const struct game *game, const char *what, const char *text)
{
    struct answer answer = look(game, what);

    return strstr(answer.reply.body, text) != NULL;
}

/* The status of the answer to a client that has a board with this ETag. */
static int status_with(const struct game *game, const char *what, const char *etag)
{
    char path[128], headers[300];
    struct answer answer;
    int status;

    snprintf(path, sizeof(path), "/v1/games/%s/%s", game->id, what);
    snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n", etag);
    answer = ask(&house, "GET", path, headers, NULL);
    status = answer.status;
    return status;
}

Test(pictures, a_picture_is_an_svg_that_may_run_and_load_nothing)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer = look(&game, "board.svg");

    assert_header(&answer, "Content-Type", "image/svg+xml; charset=utf-8");
    assert_header(&answer, "Content-Security-Policy", "default-src 'none'; sandbox");
    assert_header(&answer, "X-Content-Type-Options", "nosniff");
    cr_assert_eq(strncmp(answer.reply.body, "<svg xmlns=", 11), 0);
}

Test(pictures, the_present_board_is_unchanged_until_somebody_moves)
{
    static const char *const forms[] = {"board.svg", "board.txt", "replay.svg", "board.png"};
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    char etag[4][256];

    for (int i = 0; i < 4; i++) {
        struct answer answer = look(&game, forms[i]);

        assert_header(&answer, "Cache-Control", "no-cache");
        cr_assert_not_null(http_header(&answer.reply, "ETag", etag[i]));
        cr_assert_eq(status_with(&game, forms[i], etag[i]), 304);
    }
    play(&house, &game, "b2");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(status_with(&game, forms[i], etag[i]), 200);
}

Test(pictures, the_board_at_a_ply_of_a_line_is_immutable)
{
    static const char *const past[] = {"board.svg?line=1&ply=1", "board.txt?line=1&ply=1",
                                       "board.png?line=1&ply=1"};
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");

    play(&house, &game, "b2 a1");
    for (int i = 0; i < 3; i++) {
        struct answer before = look(&game, past[i]), after;

        assert_header(&before, "Cache-Control", forever);
        after = ask_at(&house, game.token, "POST", "{\"to_ply\":0}", "/v1/games/%s/undo", game.id);
        assert_status(&after, 200);
        play(&house, &game, "c3 c1");
        after = look(&game, past[i]);
        assert_header(&after, "Cache-Control", forever);
        cr_assert_eq(after.reply.len, before.reply.len);
        cr_assert_arr_eq(after.reply.body, before.reply.body, before.reply.len);
    }
}

Test(pictures, a_ply_without_its_line_is_not_immutable)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2 a1");
    answer = look(&game, "board.svg?ply=1");
    assert_header(&answer, "Cache-Control", "no-cache");
    cr_assert(shows(&game, "board.svg?ply=1", "x: stone b2"));
    answer = ask_at(&house, game.token, "POST", "{\"to_ply\":0}", "/v1/games/%s/undo", game.id);
    play(&house, &game, "c3 c1");
    cr_assert(shows(&game, "board.svg?ply=1", "x: stone c3"));
    cr_assert(shows(&game, "board.svg?line=1&ply=1", "x: stone b2"));
}

Test(pictures, the_present_ply_is_not_immutable_since_the_game_may_end_there)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    play(&house, &game, "b2");
    answer = look(&game, "board.svg?line=1&ply=1");
    assert_header(&answer, "Cache-Control", "no-cache");
    cr_assert(shows(&game, "board.svg", "id=\"turn\""));
    answer = ask_at(&house, game.token, "POST", "{\"seat\":2}", "/v1/games/%s/resign", game.id);
    assert_status(&answer, 200);
    cr_assert(shows(&game, "board.svg?line=1&ply=1", "x wins (resign)"));
    cr_assert_not(shows(&game, "board.svg", "id=\"turn\""));
}

Test(pictures, of_a_private_game_are_for_its_players_and_not_for_shared_caches)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"visibility\":\"private\"}");
    static const char *const forms[] = {"board.svg", "board.txt", "replay.svg", "board.png"};
    struct answer answer;

    play(&house, &game, "b2 a1");
    answer = look(&game, "board.svg?line=1&ply=1");
    assert_header(&answer, "Cache-Control", "private, max-age=31536000, immutable");
    answer = look(&game, "board.png?line=1&ply=1");
    assert_header(&answer, "Cache-Control", "private, max-age=31536000, immutable");
    for (int i = 0; i < 4; i++) {
        answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/%s", game.id, forms[i]);
        assert_problem(&answer, 404, "no-such-game");
    }
}

Test(pictures, show_what_is_asked_for)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");

    play(&house, &game, "7g7f");
    cr_assert(shows(&game, "board.svg?size=333", "width=\"333\""));
    cr_assert(shows(&game, "board.svg?theme=dark", "fill=\"#16181c\""));
    cr_assert(shows(&game, "board.svg?view=2", "m2-king\"/>"));
    cr_assert(shows(&game, "board.svg", "fill-opacity=\".5\""));
    cr_assert_not(shows(&game, "board.svg?marks=", "fill-opacity=\".5\""));
    cr_assert(shows(&game, "board.svg?marks=legal:3c", "<circle r=\"14\""));
    cr_assert_not(shows(&game, "board.svg?marks=last", "<circle r=\"14\""));
    cr_assert(shows(&game, "board.svg?ply=0", "pawn 9c 8c"));
}

Test(pictures, what_is_not_asked_for_is_as_it_would_be_if_the_usual_was)
{
    static const char *const usual[] = {"coords=true", "theme=light", "view=1", "marks=last,check"};
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer bare, asked;

    play(&house, &game, "7g7f");
    bare = look(&game, "board.svg");
    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
        asked =
            ask_at(&house, game.token, "GET", NULL, "/v1/games/%s/board.svg?%s", game.id, usual[i]);
        assert_status(&asked, 200);
        cr_assert_str_eq(asked.reply.body, bare.reply.body, "%s", usual[i]);
    }
    asked = look(&game, "board.svg?coords=false");
    cr_assert_str_neq(asked.reply.body, bare.reply.body);
}

/* They come in one form, so Accept has nothing to choose from. */
Test(pictures, are_sent_whatever_the_client_says_it_accepts)
{
    static const char *const addresses[] = {"/v1/variants/jungle/board.svg", "/board.svg",
                                            "/replay.svg"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct answer answer;
        char path[128], type[256];

        snprintf(path, sizeof(path), "%s%s%s", i == 0 ? "" : "/v1/games/", i == 0 ? "" : game.id,
                 addresses[i]);
        answer = ask(&house, "GET", path, "Accept: image/png\r\n", NULL);
        assert_status(&answer, 200);
        cr_assert_not_null(http_header(&answer.reply, "Content-Type", type));
        cr_assert_eq(strncmp(type, "image/svg+xml", 13), 0, "%s", type);
    }
}

Test(pictures, stacks_are_shown_in_full_on_demand)
{
    struct game game = new_game(&house, "{\"variant\":\"stackchess\",\"position\":"
                                        "\"r5/6/6/6/1(PFT)4/R5 w - 0 3\"}");

    cr_assert_not(shows(&game, "board.svg", "m1-bishop\" "));
    cr_assert(shows(&game, "board.svg?stacks=all", "m1-bishop\" "));
    cr_assert(shows(&game, "board.svg?stacks=b2", "m1-bishop\" "));
    cr_assert_not(shows(&game, "board.svg?stacks=a1", "m1-bishop\" "));
}

Test(pictures, a_board_that_cannot_be_drawn_is_a_problem)
{
    static const char *const wrong[] = {
        "board.svg?size=9",        "board.svg?size=x",        "board.svg?theme=pink",
        "board.svg?coords=maybe",  "board.svg?stacks=z9",     "board.svg?stacks=a1x",
        "board.svg?marks=nothing", "board.svg?view=3",        "board.svg?colour=red",
        "replay.svg?pace=0",       "replay.svg?limit=401",    "replay.svg?marks=last",
        "board.svg?size=5000",     "board.svg?style=unicode", "board.svg?ply=-2",
        "board.png?size=1201",     "board.png?size=31",       "board.png?theme=pink",
        "board.png?names=true",    "board.png?ids=a",         "board.png?ply=-2"};
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct answer answer =
            ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/%s", game.id, wrong[i]);

        cr_assert_eq(answer.status / 100, 4, "%s: %d", wrong[i], answer.status);
        cr_assert_str_neq(text_of(&answer, "code"), "no-such-game");
    }
}

Test(pictures, a_ply_or_a_line_that_is_not_there_has_no_picture)
{
    static const char *const nowhere[] = {"board.svg?ply=2", "board.svg?line=2",
                                          "replay.svg?line=2", "replay.svg?after=2",
                                          "board.png?ply=2"};
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");

    play(&house, &game, "b2");
    for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
        struct answer answer =
            ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/%s", game.id, nowhere[i]);

        assert_problem(&answer, 404, "no-such-ply");
    }
}

Test(pictures, a_replay_shows_every_position_of_its_line)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");

    play(&house, &game, "b2 a1 c3");
    cr_assert(shows(&game, "replay.svg", "dur=\"6s\""));
    cr_assert(shows(&game, "replay.svg?pace=2", "dur=\"12s\""));
    cr_assert(shows(&game, "replay.svg", "x: stone c3 b2. o: stone a1"));
    ask_at(&house, game.token, "POST", "{\"to_ply\":1}", "/v1/games/%s/undo", game.id);
    cr_assert(shows(&game, "replay.svg", "dur=\"4s\""));
    play(&house, &game, "b1");
    cr_assert(shows(&game, "replay.svg", "x: stone b2. o: stone b1"));
    cr_assert(shows(&game, "replay.svg?line=1", "x: stone c3 b2. o: stone a1"));
}

Test(pictures, a_long_replay_goes_on_at_its_link)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer;
    char link[256];

    play(&house, &game, "b2 a1 c3");
    answer = look(&game, "replay.svg?limit=2");
    snprintf(link, sizeof(link), "</v1/games/%s/replay.svg?after=2&limit=2>; rel=\"next\"",
             game.id);
    assert_header(&answer, "Link", link);
    cr_assert_not_null(strstr(answer.reply.body, "x: stone b2. o: stone a1"));
    answer = look(&game, "replay.svg?after=2&limit=2");
    cr_assert_null(http_header(&answer.reply, "Link", link));
    cr_assert_not_null(strstr(answer.reply.body, "x: stone c3 b2. o: stone a1"));
}

Test(pictures, are_linked_from_the_game_and_from_its_positions)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    struct answer picture =
        ask_at(&house, NULL, "GET", NULL, "%s", text_of(&answer, "links.picture"));

    assert_status(&picture, 200);
    play(&house, &game, "g3g4 a7a6");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/positions/1", game.id);
    picture = ask_at(&house, NULL, "GET", NULL, "%s", text_of(&answer, "links.picture"));
    assert_header(&picture, "Cache-Control", forever);
}

/* ---- of pixels ---- */

/* A number in the head of a PNG: its width is at byte 16, its height at byte 20. */
static unsigned number_at(const struct answer *answer, size_t at)
{
    const unsigned char *byte = (const unsigned char *)answer->reply.body + at;

    cr_assert_gt(answer->reply.len, 100);
    return (unsigned)byte[0] << 24 | (unsigned)byte[1] << 16 | (unsigned)byte[2] << 8 | byte[3];
}

static void assert_is_png(const struct answer *answer, unsigned width)
{
    assert_header(answer, "Content-Type", "image/png");
    cr_assert_arr_eq(answer->reply.body, "\x89PNG\r\n\x1a\n", 8);
    cr_assert_arr_eq(answer->reply.body + answer->reply.len - 8, "IEND", 4);
    cr_assert_eq(number_at(answer, 16), width, "%u", number_at(answer, 16));
}

Test(pictures, of_pixels_have_the_width_that_is_asked_for)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer = look(&game, "board.png?size=333&theme=dark&view=2");

    assert_is_png(&answer, 333);
    cr_assert_eq(number_at(&answer, 20), 270);
    answer = look(&game, "board.png?size=1200");
    assert_is_png(&answer, 1200);
}

Test(pictures, of_pixels_need_no_game)
{
    struct answer answer = ask_at(&house, NULL, "GET", NULL,
                                  "/v1/variants/tictactoe/board.png?position=3/1x1/3%%20o%%203"
                                  "&moves=a1&size=200");
    char etag[256], headers[300];

    assert_status(&answer, 200);
    assert_is_png(&answer, 200);
    assert_header(&answer, "Cache-Control", "public, max-age=86400, immutable");
    snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n",
             http_header(&answer.reply, "ETag", etag));
    answer = ask(&house, "GET",
                 "/v1/variants/tictactoe/board.png?position=3/1x1/3%20o%203&moves=a1&size=200",
                 headers, NULL);
    assert_status(&answer, 304);
}

/* All men of a tall stack are listed below the board, so the picture is higher than it is wide. */
Test(pictures, of_pixels_are_smaller_than_asked_for_where_they_would_be_too_high)
{
    char stack[402];
    struct answer answer;

    memset(stack, 'R', sizeof(stack));
    stack[0] = '(';
    stack[400] = ')';
    stack[401] = '\0';
    answer = ask_at(&house, NULL, "GET", NULL,
                    "/v1/variants/stackchess/board.png?size=1200&stacks=all&options.size=4"
                    "&position=%s3/4/4/r3_w_-_0_1",
                    stack);
    assert_status(&answer, 200);
    cr_assert_lt(number_at(&answer, 16), 1200);
    cr_assert_leq(number_at(&answer, 16) * number_at(&answer, 20), 2 << 20);
}

/* ---- without a game ---- */

static struct answer draw(const char *query)
{
    return ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s", query);
}

Test(pictures, of_any_position_and_after_any_moves_need_no_game)
{
    struct answer answer = draw("tictactoe/board.svg?position=3/1x1/3%20o%203&moves=a1&size=200");

    assert_status(&answer, 200);
    assert_header(&answer, "Content-Type", "image/svg+xml; charset=utf-8");
    assert_header(&answer, "Content-Security-Policy", "default-src 'none'; sandbox");
    assert_header(&answer, "Cache-Control", "public, max-age=86400, immutable");
    cr_assert_not_null(strstr(answer.reply.body, "x: stone b2. o: stone a1"));
    cr_assert_not_null(strstr(answer.reply.body, "width=\"200\""));
}

Test(pictures, of_every_game_are_linked_from_it)
{
    static const char *const games[] = {"shogi", "tictactoe", "stackchess", "jungle",
                                        "turkish-draughts"};

    for (int i = 0; i < 5; i++) {
        struct answer answer = draw(games[i]);
        struct answer picture =
            ask_at(&house, NULL, "GET", NULL, "%s", text_of(&answer, "links.picture"));

        assert_status(&picture, 200);
    }
}

Test(pictures, of_texts_that_are_not_positions_are_refused)
{
    static const char *const wrong[] = {
        "tictactoe/board.svg?position=4/3/3%20x%203", "tictactoe/board.svg?moves=b2,b2",
        "tictactoe/board.svg?theme=pink", "tictactoe/board.svg?stacks=d4",
        "tictactoe/board.svg?style=ascii"};

    for (int i = 0; i < 5; i++) {
        struct answer answer = draw(wrong[i]);

        cr_assert_eq(answer.status / 100, 4, "%s: %d", wrong[i], answer.status);
    }
}

Test(pictures, of_all_men_and_squares_are_symbols_in_one_document)
{
    struct answer answer = draw("shogi"), men = draw("shogi/men.svg?theme=dark&ids=a-");

    cr_assert_str_eq(text_of(&answer, "links.men"), "/v1/variants/shogi/men.svg");
    assert_status(&men, 200);
    assert_header(&men, "Content-Type", "image/svg+xml; charset=utf-8");
    assert_header(&men, "Content-Security-Policy", "default-src 'none'; sandbox");
    assert_header(&men, "Cache-Control", "public, max-age=3600");
    cr_assert_not_null(strstr(men.reply.body, "<symbol id=\"a-man-2-promoted-silver\""));
}

Test(pictures, have_ids_that_begin_with_a_letter)
{
    static const char *const wrong[] = {"shogi/men.svg?ids=", "shogi/board.svg?ids=1a",
                                        "shogi/men.svg?ids=a%22b", "shogi/men.svg?ids=a.b",
                                        "shogi/men.svg?ids=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

    for (int i = 0; i < 5; i++) {
        struct answer answer = draw(wrong[i]);

        assert_status(&answer, 400);
    }
}

Test(pictures, of_draughts_show_what_the_last_move_took_on_its_way)
{
    struct game game = new_game(
        &house, "{\"variant\":\"turkish-draughts\",\"position\":\"W:WKa1,h1:Ba3,b4,Kh8\"}");

    play(&house, &game, "a1xa4xd4");
    cr_assert(shows(&game, "board.svg", "data-taken=\"b4\""));
    cr_assert(shows(&game, "board.svg?ply=1", "data-taken=\"a3\""));
    cr_assert_not(shows(&game, "board.svg?ply=0", "data-taken"));
    cr_assert_not(shows(&game, "board.svg?marks=last", "data-taken"));
    cr_assert(shows(&game, "board.txt", "-x"));
    cr_assert(shows(&game, "positions/1?include=board", "\"taken\":[\"b4\",\"a3\"]"));
}

Test(pictures, after_any_moves_show_what_the_last_of_them_took)
{
    struct answer answer =
        draw("turkish-draughts/board.txt?position=W:WKa1,h1:Ba3,b4,Kh8&moves=a1xa4xd4");

    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, "-x"));
}

Test(pictures, as_texts_list_stacks_and_show_figures_on_demand)
{
    static const char position[] = "stackchess/board.txt?position=r5/6/6/6/1(PFT)4/R5_w_-_0_3";
    struct answer plain = draw(position), all, one;

    cr_assert_null(strstr(plain.reply.body, "b2: "));
    cr_assert_not_null(strstr(plain.reply.body, "TB3"));
    all = ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s&stacks=all&style=figures", position);
    cr_assert_not_null(strstr(all.reply.body, "b2: ♙ ♗ ♖\n"));
    one = ask_at(&house, NULL, "GET", NULL, "/v1/variants/%s&stacks=b2", position);
    cr_assert_not_null(strstr(one.reply.body, "b2: PB\n"));
}

Test(pictures, name_the_players_and_the_last_move_on_demand)
{
    struct game game =
        new_game(&house, "{\"variant\":\"shogi\",\"seats\":[{\"me\":true,\"name\":\"A<b>&\"},"
                         "{\"engine\":\"random\"}]}");
    struct answer answer;

    cr_assert_not(shows(&game, "board.svg", "<text"));
    cr_assert(shows(&game, "board.svg?names=true", ">A&#60;b&#62;&#38; (sente)</text>"));
    cr_assert(shows(&game, "board.svg?names=true", ">the computer (gote)</text>"));
    play(&house, &game, "7g7f");
    cr_assert(shows(&game, "board.svg?names=true&line=1&ply=1", ">1. ☗７六歩</text>"));
    answer = look(&game, "board.svg?names=true&line=1&ply=1");
    assert_header(&answer, "Cache-Control", "no-cache");
    answer = draw("shogi/board.svg?moves=7g7f,3c3d,8h2b%2B,3a2b&names=true");
    cr_assert_not_null(strstr(answer.reply.body, ">4. ☖同　銀</text>"));
}
