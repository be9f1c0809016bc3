/* test_languages.c - what ?lang= changes, and what it leaves as it is. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "house.h"

HOUSE_SUITE(languages, house_share, HOUSE_PATIENCE_S);

static const char text[] = "Accept: text/plain\r\n";

static void assert_tells(const char *method, const char *path, const char *headers,
                         const char *body, int status, const char *part)
{
    struct answer answer = ask(&house, method, path, headers, body);

    assert_status(&answer, status);
    cr_assert_not_null(strstr(answer.reply.body, part), "%s %s: %s is not in %s", method, path,
                       part, answer.reply.body);
}

Test(languages, any_position_is_drawn_in_each_of_them)
{
    assert_tells("GET", "/v1/variants/shogi/board.txt?lang=ja", NULL, NULL, 200, "手番：先手");
    assert_tells("GET", "/v1/variants/shogi/board.txt?lang=tr", NULL, NULL, 200, "sente, elde: -");
    assert_tells("GET", "/v1/variants/shogi/board.txt?lang=en", NULL, NULL, 200, "gote in hand: -");
    assert_tells("GET", "/v1/variants/shogi/board.txt", NULL, NULL, 200, "後手の持駒：なし");
    assert_tells("GET", "/v1/variants/shogi/board.txt?options.start=bishop", NULL, NULL, 200,
                 "上手の持駒：なし");
    assert_tells("GET", "/v1/variants/shogi/board.txt?options.start=bishop&lang=ja", NULL, NULL,
                 200, "手番：上手");
}

Test(languages, an_ascii_board_is_in_english)
{
    assert_tells("GET", "/v1/variants/shogi/board.txt?style=ascii&lang=ja", NULL, NULL, 200,
                 "gote in hand: -");
    assert_tells("GET", "/v1/variants/shogi/board.txt?style=ascii&lang=ja", NULL, NULL, 200,
                 "sente to move");
}

Test(languages, a_check_says_what_is_wrong_in_each_of_them)
{
    static const char path[] = "/v1/variants/turkish-draughts/check?moves=a3-a5&lang=tr";

    assert_tells("GET", path, text, NULL, 200, "Taş öyle oynamaz\n");
    assert_tells("GET", path, text, NULL, 200, "Sıra: beyaz\n");
    assert_tells("GET", path, NULL, NULL, 200, "\"title\":\"Taş öyle oynamaz\"");
    assert_tells("GET", path, NULL, NULL, 200, "\"text\":\"Yoz bir kare düz ileri");
    assert_tells("POST", "/v1/variants/shogi/check?lang=ja", NULL, "{\"moves\":[\"8h2b\"]}", 200,
                 "駒を跳び越せるのは桂馬だけです。");
}

Test(languages, a_game_and_the_refusal_of_a_move_are_told_in_each_of_them)
{
    struct answer game = ask(&house, "POST", "/v1/games?lang=ja", NULL, "{\"variant\":\"shogi\"}");
    char path[96], as[128];

    assert_status(&game, 201);
    snprintf(as, sizeof(as), "Accept: text/plain\r\nAuthorization: Bearer %s\r\n",
             member(&game, "token")->valuestring);
    snprintf(path, sizeof(path), "/v1/games/%s?lang=ja", member(&game, "id")->valuestring);
    assert_tells("GET", path, text, NULL, 200, "手番：先手");
    snprintf(path, sizeof(path), "/v1/games/%s/board.txt?lang=tr",
             member(&game, "id")->valuestring);
    assert_tells("GET", path, NULL, NULL, 200, "Sıra: sente");
    snprintf(path, sizeof(path), "/v1/games/%s/moves?lang=tr", member(&game, "id")->valuestring);
    assert_tells("POST", path, as, "{\"move\":\"8h2b\"}", 422,
                 "Yol kapalı\n8h2b için yol kapalı: 7g. ");
    assert_tells("POST", path, as, "{\"move\":\"7g7f\"}", 201, "Sıra: gote");
    snprintf(path, sizeof(path), "/v1/games/%s/undo?lang=tr", member(&game, "id")->valuestring);
    assert_tells("POST", path, text, "{}", 401, "Anahtar gerekli\n");
}

Test(languages, the_rules_are_told_in_short_with_their_numbers)
{
    assert_tells("GET", "/v1/variants/turkish-draughts/rules?lang=tr", NULL, NULL, 200, "# Dama\n");
    assert_tells("GET", "/v1/variants/turkish-draughts/rules?lang=tr", NULL, NULL, 200,
                 "**T12** Taş almak zorunludur.\n\n**T13** ");
    assert_tells("GET", "/v1/variants/shogi/rules?lang=ja", NULL, NULL, 200, "手番：先手\n");
    assert_tells("GET", "/v1/variants/turkish-draughts/rules?lang=en", NULL, NULL, 200,
                 "# Turkish draughts");
    assert_tells("GET", "/v1/variants/turkish-draughts/rules", NULL, NULL, 200,
                 "# Turkish draughts");
}

Test(languages, the_catalogue_is_told_in_each_of_them)
{
    assert_tells("GET", "/v1/variants/shogi?lang=ja", NULL, NULL, 200, "\"title\":\"将棋\"");
    assert_tells("GET", "/v1/variants/shogi?lang=tr", NULL, NULL, 200, "\"title\":\"Şogi\"");
    assert_tells("GET", "/v1/variants/shogi", "Accept-Language: tr\r\n", NULL, 200,
                 "\"title\":\"Shogi\"");
    assert_tells("GET", "/v1/variants?lang=tr", NULL, NULL, 200, "Kısa alış verişleri izler.");
    assert_tells("GET", "/v1/variants/shogi?lang=de", NULL, NULL, 400, "en, ja or tr is expected.");
}

Test(languages, an_unknown_language_is_refused_and_accept_language_does_not_matter)
{
    assert_tells("GET", "/v1/variants/shogi/board.txt?lang=de", NULL, NULL, 400,
                 "en, ja or tr is expected.");
    assert_tells("GET", "/v1/variants/shogi/board.txt", "Accept-Language: tr\r\n", NULL, 200,
                 "sente to move");
}

Test(languages, a_picture_is_described_in_each_of_them)
{
    assert_tells("GET", "/v1/variants/shogi/board.svg?lang=ja", NULL, NULL, 200,
                 "<title>将棋</title><desc>手番：先手. 先手: 歩 ");
    assert_tells("GET", "/v1/variants/jungle/board.svg?lang=tr", NULL, NULL, 200,
                 "Sıra: kırmızı. kırmızı: fare ");
    assert_tells("GET", "/v1/variants/jungle/board.svg", NULL, NULL, 200, "red to move. red: rat ");
    assert_tells("GET", "/v1/variants/stackchess/board.svg?position=4/4/4/(TT)3_w_-_0_1&lang=tr",
                 NULL, NULL, 200, "2 taşlık yığın, en üstte kale a1");
    assert_tells("GET", "/v1/variants/shogi/board.svg?names=true&lang=tr", NULL, NULL, 200,
                 "Sıra: sente");
    assert_tells("GET", "/v1/variants/shogi/board.svg?position=9/9/9/9/9/9/9/9/9_b_-_1&lang=tr",
                 NULL, NULL, 200, "oynanamaz (kural 2.5)");
}

Test(languages, what_the_rules_refuse_of_an_import_is_told_in_each_of_them)
{
    assert_tells("POST", "/v1/games/import?format=usi&lang=tr", NULL,
                 "position startpos moves 8h2b", 422, "Yol kapalı");
    assert_tells("POST", "/v1/games/import?format=usi&lang=ja", NULL,
                 "position startpos moves 8h2b", 422, "駒を跳び越せるのは桂馬だけです。");
    assert_tells("POST", "/v1/games/import?variant=shogi&format=sfen&lang=tr", NULL,
                 "4k4/9/9/4P4/4P4/9/9/9/4K4 b - 1", 422, "Oynanamaz ama görülebilir: /v1/");
}

Test(languages, a_list_and_the_address_of_its_next_page_keep_the_language)
{
    struct answer answer;

    for (int i = 0; i < 2; i++)
        new_game(&house, "{\"variant\":\"shogi\",\"visibility\":\"public\"}");
    assert_tells("GET", "/v1/games?lang=ja", text, NULL, 200, "将棋");
    assert_tells("GET", "/v1/games?lang=tr", text, NULL, 200, "sürüyor");
    answer = ask(&house, "GET", "/v1/games?lang=tr&limit=1", NULL, NULL);
    cr_assert_not_null(strstr(member(&answer, "next")->valuestring, "&lang=tr"));
}
