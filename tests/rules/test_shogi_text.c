/* test_shogi_text.c - how shogi is shown: moves in Japanese, clicks, effects, boards. */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/draw/textboard.h"
#include "rules/rules.h"
#include "scene.h"

#define GAME rules_find("shogi")

static struct scene scene;

static void open(const char *position)
{
    scene_open(&scene, GAME, "", position);
}

static rules_move move_of(const char *text)
{
    rules_move move;

    cr_assert(GAME->read_move(&scene.state, text, &move, &scene.why), "%s is refused", text);
    return move;
}

static void expect_written(const char *move, const char *written)
{
    char text[RULES_PRETTY_TEXT];

    GAME->pretty(&scene.state, (rules_move){{0, 0}}, move_of(move), text);
    cr_expect_str_eq(text, written, "%s: %s instead of %s", move, text, written);
}

static void expect_clicks(const char *move, const char *first, const char *second,
                          const char *third)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    size_t n = GAME->path(&scene.state, move_of(move), click);

    cr_assert_eq(n, third == NULL ? 2 : 3);
    cr_expect_str_eq(click[0], first);
    cr_expect_str_eq(click[1], second);
    if (third != NULL)
        cr_expect_str_eq(click[2], third);
}

/* ---- reading ---- */

Test(shogi_text, a_sign_between_the_squares_does_not_matter)
{
    open(NULL);
    scene_reads(&scene, "7g-7f", "7g7f");
    scene_reads(&scene, " 7G 7F\n", "7g7f");
    scene_play(&scene, "7g7f 3c3d");
    scene_reads(&scene, "8hx2b+", "8h2b+");
}

Test(shogi_text, an_equals_sign_says_that_the_piece_does_not_promote)
{
    open(NULL);
    scene_play(&scene, "7g7f 3c3d");
    scene_reads(&scene, "8h2b=", "8h2b");
}

Test(shogi_text, a_drop_may_be_written_with_an_apostrophe)
{
    open("4k4/9/9/9/9/9/9/9/4K4 b P 1");
    scene_reads(&scene, "P'5e", "P*5e");
}

/* ---- moves in Japanese ---- */

Test(shogi_text, a_game_is_written_as_in_its_record)
{
    static const char *const game[][2] = {
        {"7g7f", "☗７六歩"}, {"3c3d", "☖３四歩"}, {"8h2b+", "☗２二角成"}, {"3a2b", "☖同　銀"},
        {"B*4e", "☗４五角"}, {"B*6d", "☖６四角"}, {"4e3d", "☗３四角"},    {"6d9g+", "☖９七角成"},
        {"8i9g", "☗同　桂"}, {"P*3c", "☖３三歩"}, {"3d2c+", "☗２三角成"}, {"2b2c", "☖同　銀"},
    };
    rules_move last = {{0, 0}};

    open(NULL);
    for (size_t i = 0; i < sizeof(game) / sizeof(game[0]); i++) {
        char text[RULES_PRETTY_TEXT];
        rules_move move = move_of(game[i][0]);

        GAME->pretty(&scene.state, last, move, text);
        cr_expect_str_eq(text, game[i][1], "%s instead of %s", text, game[i][1]);
        last = move;
        scene_play(&scene, game[i][0]);
    }
}

Test(shogi_text, every_kind_has_its_name)
{
    open("4k4/9/9/9/+P+L+N+S+B+R3/9/PLNSBRG2/9/4K4 b - 1");
    expect_written("9g9f", "☗９六歩");
    expect_written("8g8f", "☗８六香");
    expect_written("6g6f", "☗６六銀");
    expect_written("5g4f", "☗４六角");
    expect_written("4g4f", "☗４六飛");
    expect_written("3g3f", "☗３六金");
    expect_written("5i5h", "☗５八玉");
    expect_written("9e9d", "☗９四と");
    expect_written("8e8d", "☗８四成香");
    expect_written("7e7d", "☗７四成桂");
    expect_written("6e6d", "☗６四成銀");
    expect_written("5e2b", "☗２二馬");
    expect_written("4e1e", "☗１五龍");
}

Test(shogi_text, that_a_piece_does_not_promote_is_said_only_where_it_could)
{
    open("4k4/9/9/3S5/9/9/2+P6/9/4K4 b G 1");
    expect_written("6d6c", "☗６三銀不成");
    expect_written("6d6c+", "☗６三銀成");
    expect_written("6d7e", "☗７五銀");
    expect_written("7g7f", "☗７六と");
    expect_written("G*5c", "☗５三金");
    expect_written("5i5h", "☗５八玉");
}

Test(shogi_text, a_drop_is_named_only_if_a_piece_on_the_board_could_go_there)
{
    open("4k4/9/9/9/4G4/9/9/9/4K4 b GS 1");
    expect_written("G*5d", "☗５四金打");
    expect_written("5e5d", "☗５四金");
    expect_written("G*6f", "☗６六金");
    expect_written("S*5d", "☗５四銀");
}

Test(shogi_text, a_promoted_piece_is_no_rival_of_an_unpromoted_one)
{
    open("4k4/9/9/9/4+S4/9/9/9/4K4 b S 1");
    expect_written("S*5d", "☗５四銀");
    open("4k4/9/9/9/3+SG4/9/9/9/4K4 b - 1");
    expect_written("5e5d", "☗５四金");
}

Test(shogi_text, up_beside_and_down_tell_pieces_apart)
{
    open("4k4/2G6/G8/9/9/9/5S3/3S5/5K3 b - 1");
    expect_written("9c8b", "☗８二金上");
    expect_written("7b8b", "☗８二金寄");
    open("k8/9/9/9/6G2/9/5G3/9/5K3 b - 1");
    expect_written("3e3f", "☗３六金引");
    expect_written("4g3f", "☗３六金上");
}

Test(shogi_text, left_and_right_are_the_movers)
{
    open("k8/6G1G/9/9/9/9/9/9/5K3 b - 1");
    expect_written("3b2a", "☗２一金左");
    expect_written("1b2a", "☗２一金右");
    open("4k4/9/9/9/9/9/9/6g1g/K8 w - 1");
    expect_written("3h2i", "☖２九金右");
    expect_written("1h2i", "☖２九金左");
}

Test(shogi_text, straight_is_the_piece_right_behind)
{
    open("k8/9/9/9/9/9/9/9/1K2GG3 b - 1");
    expect_written("5i5h", "☗５八金直");
    expect_written("5i4h", "☗４八金左");
    expect_written("4i5h", "☗５八金右");
    expect_written("4i4h", "☗４八金直");
}

Test(shogi_text, one_word_more_where_a_side_is_not_enough)
{
    open("k8/3G5/3G1G3/9/9/9/9/9/1K7 b - 1");
    expect_written("6c5b", "☗５二金左上");
    expect_written("6b5b", "☗５二金寄");
    expect_written("4c5b", "☗５二金右");
    open("k8/9/9/9/2S1S4/9/2S1S4/9/1K7 b - 1");
    expect_written("7e6f", "☗６六銀左引");
    expect_written("5e6f", "☗６六銀右引");
    expect_written("7g6f", "☗６六銀左上");
    expect_written("5g6f", "☗６六銀右上");
}

Test(shogi_text, one_of_two_dragons_or_horses_is_left_or_right_but_never_straight)
{
    open("4k4/9/9/9/9/9/9/9/+R+R5K1 b - 1");
    expect_written("8i8h", "☗８八龍右");
    expect_written("9i8h", "☗８八龍左");
    open("2k6/9/9/+B8/9/9/9/+B8/7K1 b - 1");
    expect_written("9d9e", "☗９五馬");
    open("2k6/9/9/9/9/9/9/9/3+B+B2K1 b - 1");
    expect_written("5i5h", "☗５八馬右");
    expect_written("6i5h", "☗５八馬左");
    open("3k5/9/9/9/+R8/9/9/4+R4/7K1 b - 1");
    expect_written("9e9h", "☗９八龍引");
    expect_written("5h9h", "☗９八龍寄");
}

Test(shogi_text, a_piece_that_is_pinned_counts_as_a_rival)
{
    open("k3r4/9/9/9/9/9/9/4G4/2G1K4 b - 1");
    cr_expect_not(scene_allows(&scene, "5h6h"));
    expect_written("7i6h", "☗６八金上");
}

/* ---- clicks and effects ---- */

Test(shogi_text, a_move_is_clicked_from_square_to_square_and_plus)
{
    open("4k4/9/9/4P4/9/9/9/9/4K4 b G 1");
    expect_clicks("5d5c", "5d", "5c", NULL);
    expect_clicks("5d5c+", "5d", "5c", "+");
    expect_clicks("G*1e", "G*", "1e", NULL);
}

Test(shogi_text, a_capture_shows_the_piece_as_it_stood_before_the_move_and_its_promotion)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];

    open("8k/9/4+r4/9/9/9/9/4L4/K8 b - 1");
    cr_assert_eq(GAME->effects(&scene.state, move_of("5h5c+"), effect), 3);
    cr_expect_eq(effect[0].type, RULES_EFFECT_CAPTURE);
    cr_expect_eq(effect[0].to, 2 * 9 + 4);
    cr_expect_eq(effect[0].man.seat, 2);
    cr_expect_str_eq(GAME->pieces[effect[0].man.kind].name, "dragon");
    cr_expect_eq(effect[1].type, RULES_EFFECT_MOVE);
    cr_expect_eq(effect[1].from, 7 * 9 + 4);
    cr_expect_eq(effect[1].to, 2 * 9 + 4);
    cr_expect_str_eq(GAME->pieces[effect[1].man.kind].name, "lance");
    cr_expect_eq(effect[2].type, RULES_EFFECT_PROMOTE);
    cr_expect_str_eq(GAME->pieces[effect[2].man.kind].name, "promoted-lance");
}

Test(shogi_text, a_drop_is_one_effect)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];

    open("4k4/9/9/9/9/9/9/9/4K4 w s 1");
    cr_assert_eq(GAME->effects(&scene.state, move_of("S*9a"), effect), 1);
    cr_expect_eq(effect[0].type, RULES_EFFECT_DROP);
    cr_expect_eq(effect[0].to, 0);
    cr_expect_eq(effect[0].man.seat, 2);
    cr_expect_str_eq(GAME->pieces[effect[0].man.kind].name, "silver");
}

/* ---- the catalogue ---- */

Test(shogi_text, pieces_know_what_they_become)
{
    for (size_t i = 0; i < GAME->npieces; i++) {
        const struct rules_piece *piece = &GAME->pieces[i];

        if (piece->promotes_to >= 0) {
            cr_expect_eq(piece->letter[0][0] == '+', false);
            cr_expect_str_eq(GAME->pieces[piece->promotes_to].letter[0] + 1, piece->letter[0]);
            cr_expect_eq(GAME->pieces[piece->promotes_to].demotes_to, (int8_t)i);
        }
    }
    cr_expect_str_eq(GAME->pieces[7].name, "king");
    cr_expect_eq(GAME->pieces[7].demotes_to, -1);
}

Test(shogi_text, each_side_has_its_promotion_zone)
{
    size_t squares[RULES_SEATS] = {0, 0};

    open(NULL);
    for (size_t z = 0; z < GAME->nzones; z++)
        for (unsigned square = 0; square < 81; square++)
            squares[GAME->zones[z].seat - 1] += GAME->zones[z].has(&scene.state, square);
    cr_expect_eq(squares[0], 27);
    cr_expect_eq(squares[1], 27);
    cr_expect(GAME->zones[0].has(&scene.state, 26));
    cr_expect_not(GAME->zones[0].has(&scene.state, 27));
    cr_expect(GAME->zones[1].has(&scene.state, 54));
    cr_expect_not(GAME->zones[1].has(&scene.state, 53));
}

Test(shogi_text, a_board_is_drawn_with_kanji_and_hands)
{
    struct rules_look look;
    char text[4096];

    open("lnsgkg1nl/1r7/pppppppsp/9/9/2P6/NP1PPPPPP/7R1/L1SGKGSNL b B2Pb 13");
    rules_look_init(&look);
    rules_board_text(GAME, &scene.state, &look, text, sizeof(text));
    cr_expect_str_eq(text,
                     "後手の持駒：角　\n"
                     "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                     "+---------------------------+\n"
                     "|v香v桂v銀v金v王v金 ・v桂v香|一\n"
                     "| ・v飛 ・ ・ ・ ・ ・ ・ ・|二\n"
                     "|v歩v歩v歩v歩v歩v歩v歩v銀v歩|三\n"
                     "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                     "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                     "| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六\n"
                     "| 桂 歩 ・ 歩 歩 歩 歩 歩 歩|七\n"
                     "| ・ ・ ・ ・ ・ ・ ・ 飛 ・|八\n"
                     "| 香 ・ 銀 金 玉 金 銀 桂 香|九\n"
                     "+---------------------------+\n"
                     "先手の持駒：角　歩二　\n"
                     "sente to move\n",
                     "%s", text);
}
