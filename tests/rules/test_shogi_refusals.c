/* test_shogi_refusals.c - why shogi refuses a move: the code, the rule and the witnesses. */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/rules.h"
#include "scene.h"

#define GAME rules_find("shogi")

static struct scene scene;

static void open(const char *options, const char *position)
{
    scene_open(&scene, GAME, options, position);
}

static void expect_refusal(const char *move, enum rules_code code, const char *law)
{
    scene_refuses(&scene, move, code, law);
}

static void expect_witnesses(size_t n)
{
    cr_expect_eq(scene.why.witnesses, n, "%u witnesses", scene.why.witnesses);
}

static void expect_man(size_t i, unsigned seat, const char *name)
{
    cr_assert_lt(i, scene.why.witnesses);
    cr_expect_eq(scene.why.witness[i].man.seat, seat);
    cr_expect_str_eq(GAME->pieces[scene.why.witness[i].man.kind].name, name);
}

/* ---- the text ---- */

Test(shogi_refusals, a_text_that_is_no_move)
{
    const char *const texts[] = {"",       " ",   "7g",    "7g7",   "7g7f++", "7g7fx",  "77 76",
                                 "P5e",    "P*",  "X*5e",  "*5e",   "+P*5e",  "7g--7f", "resign",
                                 "7g7f+=", "7g-", "07g7f", "-7g7f", "P**5e",  "Pp*5e",  "win"};

    open("", NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_refusal(texts[i], RULES_BAD_MOVE_TEXT, "shogi.move-text");
}

Test(shogi_refusals, the_place_where_reading_failed)
{
    open("", NULL);
    expect_refusal("7g7f?", RULES_BAD_MOVE_TEXT, "shogi.move-text");
    cr_expect_eq(scene.why.at, 4);
    expect_refusal("7g7k", RULES_OUT_OF_BOARD, "shogi.squares");
    cr_expect_eq(scene.why.at, 2);
}

Test(shogi_refusals, a_square_off_the_board)
{
    open("", NULL);
    expect_refusal("0g7f", RULES_OUT_OF_BOARD, "shogi.squares");
    expect_refusal("7j7f", RULES_OUT_OF_BOARD, "shogi.squares");
    expect_refusal("7g7z", RULES_OUT_OF_BOARD, "shogi.squares");
    expect_refusal("10a7f", RULES_OUT_OF_BOARD, "shogi.squares");
    expect_refusal("P*5j", RULES_OUT_OF_BOARD, "shogi.squares");
}

/* ---- whose man, and whereto ---- */

Test(shogi_refusals, an_empty_square_has_nothing_to_move)
{
    open("", NULL);
    expect_refusal("5e5d", RULES_EMPTY_SQUARE, "shogi.own-piece");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "5e");
}

Test(shogi_refusals, a_piece_of_the_other_side)
{
    open("", NULL);
    expect_refusal("3c3d", RULES_NOT_YOUR_PIECE, "shogi.own-piece");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "3c");
    expect_man(0, 2, "pawn");
}

Test(shogi_refusals, a_square_that_an_own_piece_holds)
{
    open("", NULL);
    expect_refusal("2h2g", RULES_OCCUPIED, "shogi.capture");
    scene_witness(&scene, 0, RULES_ROLE_TO, "2g");
    expect_man(0, 1, "pawn");
}

Test(shogi_refusals, each_piece_is_refused_by_its_own_rule)
{
    open("", NULL);
    expect_refusal("7g7e", RULES_WRONG_SHAPE, "shogi.pawn");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "7g");
    expect_refusal("7g7g", RULES_WRONG_SHAPE, "shogi.pawn");
    expect_refusal("1i2h", RULES_OCCUPIED, "shogi.capture");
    expect_refusal("1i2f", RULES_WRONG_SHAPE, "shogi.lance");
    expect_refusal("2i3f", RULES_WRONG_SHAPE, "shogi.knight");
    expect_refusal("3i3f", RULES_WRONG_SHAPE, "shogi.silver");
    expect_refusal("4i3f", RULES_WRONG_SHAPE, "shogi.gold");
    expect_refusal("5i5e", RULES_WRONG_SHAPE, "shogi.king");
    expect_refusal("8h8f", RULES_WRONG_SHAPE, "shogi.bishop");
    expect_refusal("2h3f", RULES_WRONG_SHAPE, "shogi.rook");
    open("", "4k4/9/9/+P+L+N+S4+B/9/9/7+R1/9/4K4 b - 1");
    expect_refusal("9d8e", RULES_WRONG_SHAPE, "shogi.promoted-pawn");
    expect_refusal("8d7e", RULES_WRONG_SHAPE, "shogi.promoted-lance");
    expect_refusal("7d6e", RULES_WRONG_SHAPE, "shogi.promoted-knight");
    expect_refusal("6d5e", RULES_WRONG_SHAPE, "shogi.promoted-silver");
    expect_refusal("1d1f", RULES_WRONG_SHAPE, "shogi.horse");
    expect_refusal("2g4e", RULES_WRONG_SHAPE, "shogi.dragon");
}

Test(shogi_refusals, a_way_that_is_blocked_shows_the_first_blocker)
{
    open("", NULL);
    expect_refusal("8h5e", RULES_BLOCKED, "shogi.jump");
    expect_witnesses(1);
    scene_witness(&scene, 0, RULES_ROLE_BLOCKER, "7g");
    expect_man(0, 1, "pawn");
    expect_refusal("1i1e", RULES_BLOCKED, "shogi.jump");
    scene_witness(&scene, 0, RULES_ROLE_BLOCKER, "1g");
    expect_refusal("2h2c+", RULES_BLOCKED, "shogi.jump");
    scene_witness(&scene, 0, RULES_ROLE_BLOCKER, "2g");
    open("", "4k4/9/9/9/R2p2p2/9/9/9/4K4 b - 1");
    expect_refusal("9e1e", RULES_BLOCKED, "shogi.jump");
    scene_witness(&scene, 0, RULES_ROLE_BLOCKER, "6e");
    expect_man(0, 2, "pawn");
}

/* ---- promotion ---- */

Test(shogi_refusals, a_promotion_outside_the_zone)
{
    open("", NULL);
    expect_refusal("7g7f+", RULES_CANNOT_PROMOTE, "shogi.zone");
}

Test(shogi_refusals, a_promotion_on_leaving_the_zone_in_a_casual_game)
{
    open("rules=casual", "4k4/9/2S6/9/9/9/9/9/4K4 b - 1");
    expect_refusal("7c6d+", RULES_CANNOT_PROMOTE, "shogi.casual-zone");
}

Test(shogi_refusals, a_promotion_of_what_has_none)
{
    open("", "4k4/9/G1+S6/9/9/9/9/9/4K4 b - 1");
    expect_refusal("9c9b+", RULES_CANNOT_PROMOTE, "shogi.never-promotes");
    expect_refusal("7c7b+", RULES_CANNOT_PROMOTE, "shogi.promoted-already");
}

Test(shogi_refusals, a_move_that_must_promote)
{
    open("", "4k4/P8/9/9/9/9/9/9/4K4 b - 1");
    expect_refusal("9b9a", RULES_MUST_PROMOTE, "shogi.forced-promotion");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "9b");
    expect_man(0, 1, "pawn");
}

/* ---- drops ---- */

Test(shogi_refusals, a_drop_of_what_is_not_in_hand)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 b Pg 1");
    expect_refusal("G*5e", RULES_NOT_IN_HAND, "shogi.hand");
    expect_refusal("K*5e", RULES_NOT_IN_HAND, "shogi.hand");
}

Test(shogi_refusals, a_drop_on_a_piece)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 b G 1");
    expect_refusal("G*5a", RULES_OCCUPIED, "shogi.drop");
    scene_witness(&scene, 0, RULES_ROLE_TO, "5a");
    expect_man(0, 2, "king");
}

Test(shogi_refusals, a_drop_is_no_promotion)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 b P 1");
    expect_refusal("P*5c+", RULES_CANNOT_PROMOTE, "shogi.drop");
}

Test(shogi_refusals, nifu_shows_the_other_pawn)
{
    open("", "4k4/9/9/9/9/9/1P7/9/4K4 b P 1");
    expect_refusal("P*8d", RULES_NIFU, "shogi.nifu");
    expect_witnesses(1);
    scene_witness(&scene, 0, RULES_ROLE_PAWN, "8g");
    expect_man(0, 1, "pawn");
}

Test(shogi_refusals, a_drop_that_could_never_move)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 b LNP 1");
    expect_refusal("L*9a", RULES_DEAD_END_DROP, "shogi.dead-end");
    expect_refusal("P*9a", RULES_DEAD_END_DROP, "shogi.dead-end");
    expect_refusal("N*9b", RULES_DEAD_END_DROP, "shogi.dead-end");
}

Test(shogi_refusals, a_dropped_pawn_that_mates_shows_the_king_and_the_pawn)
{
    open("", "7nk/9/7G1/9/9/9/9/9/4K4 b P 1");
    expect_refusal("P*1b", RULES_DROP_PAWN_MATE, "shogi.drop-pawn-mate");
    expect_witnesses(2);
    scene_witness(&scene, 0, RULES_ROLE_KING, "1a");
    expect_man(0, 2, "king");
    scene_witness(&scene, 1, RULES_ROLE_PAWN, "1b");
    expect_man(1, 1, "pawn");
}

/* ---- the king ---- */

Test(shogi_refusals, a_step_into_check_shows_the_king_there_and_the_checkers)
{
    open("", "4k4/9/9/9/9/9/3r5/6b2/4K4 b - 1");
    expect_refusal("5i6i", RULES_LEAVES_KING_IN_CHECK, "shogi.king-safety");
    expect_witnesses(2);
    scene_witness(&scene, 0, RULES_ROLE_KING, "6i");
    expect_man(0, 1, "king");
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "6g");
}

Test(shogi_refusals, a_pinned_piece_is_shown_with_what_pins_it)
{
    open("", "4k4/4l4/9/9/9/9/4G4/9/4K4 b - 1");
    expect_refusal("5g4g", RULES_LEAVES_KING_IN_CHECK, "shogi.king-safety");
    expect_witnesses(3);
    scene_witness(&scene, 0, RULES_ROLE_KING, "5i");
    scene_witness(&scene, 1, RULES_ROLE_DEFENDER, "5g");
    expect_man(1, 1, "gold");
    scene_witness(&scene, 2, RULES_ROLE_CHECKER, "5b");
    expect_man(2, 2, "lance");
}

Test(shogi_refusals, a_check_that_is_not_met_shows_the_checker)
{
    open("", "4k4/9/4r4/9/9/9/9/9/G3K4 b P 1");
    expect_refusal("9i9h", RULES_LEAVES_KING_IN_CHECK, "shogi.king-safety");
    expect_witnesses(2);
    scene_witness(&scene, 0, RULES_ROLE_KING, "5i");
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "5c");
    expect_refusal("P*8e", RULES_LEAVES_KING_IN_CHECK, "shogi.king-safety");
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "5c");
}

/* ---- after the end ---- */

Test(shogi_refusals, after_mate_every_move_shows_the_king_and_the_checker)
{
    open("", "8k/8G/7S1/9/9/9/9/9/4K4 w p 2");
    expect_refusal("1a2a", RULES_GAME_OVER, "shogi.no-move");
    scene_witness(&scene, 0, RULES_ROLE_KING, "1a");
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "1b");
    expect_refusal("P*5e", RULES_GAME_OVER, "shogi.no-move");
}

Test(shogi_refusals, after_a_king_was_taken_nothing_moves)
{
    open("rules=casual", "4R4/9/9/9/9/9/9/9/4K3r w - 2");
    expect_refusal("1i1h", RULES_GAME_OVER, "shogi.king-taken");
}

Test(shogi_refusals, after_an_automatic_impasse_nothing_moves)
{
    open("impasse=auto", "K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1");
    expect_refusal("9a8a", RULES_GAME_OVER, "shogi.impasse");
}

/* ---- what stands in the way ---- */

Test(shogi_refusals, the_man_that_stands_in_the_way_is_named_in_every_direction)
{
    static const struct {
        const char *position, *moves[4], *blockers[4];
    } rows[] = {
        {"4k4/9/4G4/9/2P1R1P2/9/4P4/9/4K4 b - 1",
         {"5e5b", "5e9e", "5e1e", "5e5h"},
         {"5c", "7e", "3e", "5g"}},
        {"4k4/9/2P3P2/9/4B4/9/2G3G2/9/4K4 b - 1",
         {"5e8b", "5e2b", "5e8h", "5e2h"},
         {"7c", "3c", "7g", "3g"}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        open("", rows[i].position);
        for (size_t j = 0; j < 4; j++) {
            char square[RULES_SQUARE_TEXT];

            scene_refuses(&scene, rows[i].moves[j], RULES_BLOCKED, "shogi.jump");
            cr_assert_eq(scene.why.witnesses, 1);
            rules_square_text(GAME->board(&scene.state), scene.why.witness[0].square, square);
            cr_assert_str_eq(square, rows[i].blockers[j], "%s", rows[i].moves[j]);
        }
    }
}
