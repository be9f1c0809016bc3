/*
 * test_seen.c - positions that the rules call impossible: they may be looked at, and never played.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/draw/textboard.h"
#include "scene.h"

struct seen {
    const char *game, *position, *law;
};

static const struct seen impossible[] = {
    {"shogi", "4k4/9/9/4P4/4P4/9/9/9/4K4 b - 1", "shogi.two-pawns"},
    {"shogi", "4k4/4P4/4P4/4P4/4P4/4P4/4P4/4P4/4P4 b - 1", "shogi.two-pawns"},
    {"shogi", "9/9/4p4/9/9/9/9/9/9 w R 1", "shogi.no-king"},
    {"shogi", "K3K4/9/9/9/9/9/9/9/4k4 b - 1", "shogi.too-many-kings"},
    {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b 15Gg 1", "shogi.too-many-golds"},
    {"shogi", "4k4/9/9/9/9/9/PPPPPPPPP/9/4K4 b 18P 1", "shogi.too-many-pawns"},
    {"shogi", "4k3P/9/9/9/9/9/9/9/4K4 b - 1", "shogi.pawn-at-end"},
    {"shogi", "4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "shogi.other-in-check"},
    {"jungle", "7/7/7/7/7/7/7/7/7 r 0 1", "jungle.empty-board"},
    {"jungle", "7/EE5/7/7/7/7/7/7/e6 r 0 1", "jungle.one-of-each"},
    {"jungle", "7/7/7/1E5/7/7/7/7/e6 r 0 1", "jungle.rats-in-water"},
    {"jungle", "7/7/7/7/7/7/7/7/e2E3 r 0 1", "jungle.not-in-own-den"},
    {"jungle", "3E3/7/7/7/7/7/7/7/3e3 r 0 1", "jungle.one-den"},
    {"turkish-draughts", "W:Wb1,a8:Bc5", "turkish-draughts.man-on-last-rank"},
    {"turkish-draughts", "W:Wa1,b1,c1,d1,e1,f1,g1,h1,a2,b2,c2,d2,e2,f2,g2,h2,a3:B",
     "turkish-draughts.sixteen-pieces"},
    {"stackchess", "4/4/4/4 b - 0 1", "stackchess.empty-board"},
    {"stackchess", "(TP)3/4/4/t3 b - 0 1", "stackchess.last-rank"},
    {"tictactoe", "xxx/3/3 o 3", "tictactoe.stones"},
    {"tictactoe", "xxx/3/ooo x 3", "tictactoe.line-to-move"},
};

static void assert_seen(const struct seen *seen)
{
    static char board[1 << 16], text[RULES_POSITION_TEXT];
    struct rules_look look;
    struct scene scene;

    cr_assert_not(scene_starts(&scene, rules_find(seen->game), "", seen->position));
    cr_assert(scene.why.visible, "%s", seen->position);
    cr_assert_str_eq(scene.why.law->id, seen->law);
    scene.game->position_text(&scene.state, text);
    cr_assert_str_eq(text, seen->position);
    rules_look_init(&look);
    look.ending = "never played";
    rules_board_text(scene.game, &scene.state, &look, board, sizeof(board));
    cr_assert_not_null(strstr(board, "never played\n"));
}

Test(seen, a_position_that_is_impossible_is_refused_and_shown_as_it_is)
{
    for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++)
        assert_seen(&impossible[i]);
}

static const struct seen malformed[] = {
    {"shogi", "4k4/9/9/4P4/4P4/9/9/9/4K4 b", "shogi.fields"},
    {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b 16G 1", "shogi.too-many-golds"},
    {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "shogi.too-many-pawns"},
    {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b 9P9P9P 1", "shogi.too-many-pawns"},
    {"jungle", "7/7/7/7/7/7/7/7/7 g 0 1", "jungle.position"},
    {"turkish-draughts", "W:Wa8,a8:Bc5", "turkish-draughts.one-piece-a-square"},
    {"turkish-draughts", "W:Wa8:Bc5:H", "turkish-draughts.position-text"},
    {"stackchess", "4/4/4/(Tt)3 b - 0 1", "stackchess.mixed-stack"},
    {"stackchess", "4/4/4/4 b A 0 1", "stackchess.unmoved-pawn"},
    {"tictactoe", "xxx/3/3 o 4", "tictactoe.k"},
};

Test(seen, a_text_that_is_malformed_shows_nothing)
{
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        const struct seen *seen = &malformed[i];
        struct scene scene;

        cr_assert_not(scene_starts(&scene, rules_find(seen->game), "", seen->position));
        cr_assert_not(scene.why.visible, "%s", seen->position);
        cr_assert_str_eq(scene.why.law->id, seen->law);
    }
}

Test(seen, an_option_that_contradicts_the_position_shows_nothing)
{
    struct scene scene;

    cr_assert_not(scene_starts(&scene, rules_find("tictactoe"), "rows=4", "xxx/3/3 o 3"));
    cr_assert_eq(scene.why.code, RULES_BAD_OPTION);
    cr_assert_not(scene.why.visible);
}

Test(seen, a_position_that_can_be_played_is_not_refused_as_one_to_look_at)
{
    struct scene scene;

    scene_open(&scene, rules_find("shogi"), "rules=casual", "4k4/9/9/4P4/4P4/9/9/9/4K4 b - 1");
    scene_refuses(&scene, "5e5d", RULES_OCCUPIED, "shogi.capture");
    cr_assert_not(scene.why.visible);
}
