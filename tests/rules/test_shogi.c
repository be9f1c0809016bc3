/* test_shogi.c - shogi rule by rule: options, positions, movement, the ends of a game. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "scene.h"

#define GAME   rules_find("shogi")
#define HIRATE "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

static struct scene scene;

static void open(const char *options, const char *position)
{
    scene_open(&scene, GAME, options, position);
}

static void expect_option(const char *name, const char *value)
{
    char text[RULES_POSITION_TEXT] = "";

    for (size_t i = 0; i < GAME->noptions; i++)
        if (strcmp(GAME->options[i].name, name) == 0)
            rules_option_text(GAME, &scene.options, i, text);
    cr_expect_str_eq(text, value, "%s is %s instead of %s", name, text, value);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The squares to which the man on a square may move, in byte order, parted by blanks. */
static const char *destinations(struct scene *asked, const char *from)
{
    static char text[512];
    rules_move moves[1024];
    char squares[1024][RULES_SQUARE_TEXT] = {""};
    size_t n = GAME->legal(&asked->state, moves, 1024), found = 1;

    for (size_t i = 0; i < n; i++) {
        char move[RULES_MOVE_TEXT];

        GAME->move_text(&asked->state, moves[i], move);
        if (strncmp(move, from, 2) == 0)
            snprintf(squares[found++], sizeof(squares[0]), "%.2s", move + 2);
    }
    qsort(squares, found, sizeof(squares[0]), by_text);
    text[0] = '\0';
    for (size_t i = 1; i < found; i++) {
        if (strcmp(squares[i], squares[i - 1]) == 0)
            continue;
        strcat(text, i > 1 ? " " : "");
        strcat(text, squares[i]);
    }
    return text;
}

/* Expects where a man on 5e can move if nothing is in its way, as Sente's and as Gote's. */
static void expect_moves(char letter, bool promoted, const char *sente, const char *gote)
{
    char position[128];

    snprintf(position, sizeof(position), "7k1/9/9/9/4%s%c4/9/9/9/1K7 b - 1", promoted ? "+" : "",
             letter);
    open("", position);
    cr_expect_str_eq(destinations(&scene, "5e"), sente, "%c: %s", letter,
                     destinations(&scene, "5e"));
    snprintf(position, sizeof(position), "7k1/9/9/9/4%s%c4/9/9/9/1K7 w - 1", promoted ? "+" : "",
             letter - 'A' + 'a');
    open("", position);
    cr_expect_str_eq(destinations(&scene, "5e"), gote, "%c: %s", letter,
                     destinations(&scene, "5e"));
}

static void repeat(const char *moves, unsigned times)
{
    while (times-- > 0)
        scene_play(&scene, moves);
}

/* ---- 1: options ---- */

Test(shogi, rule_1_a_game_is_standard_unless_said_otherwise)
{
    open("", NULL);
    expect_option("rules", "standard");
    expect_option("impasse", "declare");
    expect_option("repetition", "4");
    expect_option("max_plies", "0");
    expect_option("start", "hirate");
    cr_expect_str_eq(scene_position(&scene), HIRATE);
}

Test(shogi, rule_1_a_casual_game_has_no_impasse_and_no_repetition_unless_they_are_asked_for)
{
    open("rules=casual", NULL);
    expect_option("impasse", "off");
    expect_option("repetition", "0");
    open("rules=casual impasse=auto repetition=3", NULL);
    expect_option("impasse", "auto");
    expect_option("repetition", "3");
}

Test(shogi, rule_1_a_start_may_be_any_position)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 w 2R 7");
    expect_option("start", "4k4/9/9/9/9/9/9/9/4K4 w 2R 7");
    cr_expect_str_eq(scene_position(&scene), "4k4/9/9/9/9/9/9/9/4K4 w 2R 7");
}

/* ---- 2: board, SFEN, USI ---- */

Test(shogi, rule_2_1_files_count_from_the_right_and_ranks_from_the_top)
{
    struct rules_man man;
    char name[RULES_SQUARE_TEXT];

    open("", NULL);
    rules_square_text(GAME->board(&scene.state), 0, name);
    cr_expect_str_eq(name, "9a");
    cr_expect_eq(GAME->at(&scene.state, 7 * 9 + 7, &man, 1), 1); /* 2h */
    cr_expect_eq(man.seat, 1);
    cr_expect_str_eq(GAME->pieces[man.kind].name, "rook");
    cr_expect_eq(GAME->at(&scene.state, 4 * 9 + 4, &man, 1), 0);
}

Test(shogi, rule_2_2_all_men_fit_into_one_hand)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1");
    cr_expect_str_eq(scene_position(&scene), "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1");
    cr_expect_eq(GAME->hand(&scene.state, 2, 0), 18);
    cr_expect_eq(GAME->hand(&scene.state, 1, 0), 0);
}

Test(shogi, rule_2_3_a_move_is_read_in_capitals_and_between_blanks_too)
{
    struct rules_man pawn;

    open("", "4k4/9/9/9/9/9/9/9/4K4 b P 1");
    cr_expect(rules_play(GAME, &scene.state, " p*5E\r\n", NULL, &scene.why));
    cr_expect_eq(GAME->at(&scene.state, 4 * 9 + 4, &pawn, 1), 1);
    cr_expect_eq(pawn.seat, 1);
    cr_expect(rules_play(GAME, &scene.state, "5A5B", NULL, &scene.why));
}

Test(shogi, rule_2_4_in_a_handicap_gote_has_fewer_men_and_moves_first)
{
    static const char *const starts[][2] = {
        {"lance", "lnsgkgsn1/1r5b1"},    {"right-lance", "1nsgkgsnl/1r5b1"},
        {"bishop", "lnsgkgsnl/1r7"},     {"rook", "lnsgkgsnl/7b1"},
        {"rook-lance", "lnsgkgsn1/7b1"}, {"two-piece", "lnsgkgsnl/9"},
        {"four-piece", "1nsgkgsn1/9"},   {"six-piece", "2sgkgs2/9"},
        {"eight-piece", "3gkg3/9"},      {"ten-piece", "4k4/9"},
    };

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        char option[64], position[128];

        snprintf(option, sizeof(option), "start=%s", starts[i][0]);
        snprintf(position, sizeof(position), "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
                 starts[i][1]);
        open(option, NULL);
        cr_expect_str_eq(scene_position(&scene), position);
        cr_expect_eq(GAME->to_move(&scene.state), 2);
        expect_option("start", starts[i][0]);
    }
}

/* ---- 2 and 3: positions ---- */

static const struct scene_row positions[] = {
    {"2.2 hands are read in any order and written rook first", "",
     "4k4/9/9/9/9/9/9/9/4K4 b 2pP3Lb10PgnRs 1", "", "4k4/9/9/9/9/9/9/9/4K4 b R3L11Pbgsn2p 1"},
    {"2.2 the number counts moves of both sides", "", NULL, "7g7f 3c3d",
     "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"},
    {"2.2 captured men go to the hand unpromoted", "", NULL,
     "7g7f 3c3d 8h2b+ 3a2b B*4e B*6d 4e3d 6d9g+ 8i9g P*3c 3d2c+ 2b2c",
     "lnsgkg1nl/1r7/pppppppsp/9/9/2P6/NP1PPPPPP/7R1/L1SGKGSNL b B2Pb 13"},
    {"3 a dropped man leaves the hand", "", "4k4/9/9/9/9/9/9/9/4K4 b 2N 1", "N*3g",
     "4k4/9/9/9/9/9/6N2/9/4K4 w N 2"},

    {"2.5 a board of eight ranks", "", "4k4/9/9/9/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 board at 19"},
    {"2.5 a board of ten ranks", "", "4k4/9/9/9/9/9/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 board at 19"},
    {"2.5 a rank of ten squares", "", "4k5/9/9/9/9/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 board at 2"},
    {"2.5 a rank of ten squares, the last of which is a pawn's", "", "4k4P/9/9/9/9/9/9/9/4K4 b - 1",
     "", "bad-position 2.5 board at 3"},
    {"2.5 a rank of eight squares", "", "4k4/9/9/9/9/9/9/8/4K4 b - 1", "",
     "bad-position 2.5 board at 17"},
    {"2.5 no board at all", "", "", "", "bad-position 2.5 board at 0"},
    {"2.5 a piece that nobody knows", "", "4k4/9/9/9/4X4/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 letters at 11"},
    {"2.5 a promoted gold", "", "4k4/9/9/9/4+G4/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 letters at 12"},
    {"2.5 a promoted king", "", "4k4/9/9/9/9/9/9/9/4+K4 b - 1", "",
     "bad-position 2.5 letters at 20"},
    {"2.5 no empty squares", "", "4k4/9/9/9/0/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 letters at 10"},
    {"2.5 a promotion of nothing", "", "4k4/9/9/9/8+/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 letters at 12"},
    {"2.2 a board without the other fields", "", "4k4/9/9/9/9/9/9/9/4K4", "",
     "bad-position 2.2 fields at 21"},
    {"2.2 three fields", "", "4k4/9/9/9/9/9/9/9/4K4 b -", "", "bad-position 2.2 fields at 25"},
    {"2.2 five fields", "", "4k4/9/9/9/9/9/9/9/4K4 b - 1 1", "", "bad-position 2.2 fields at 27"},
    {"2.2 a side that nobody has", "", "4k4/9/9/9/9/9/9/9/4K4 x - 1", "",
     "bad-position 2.2 side at 22"},
    {"2.2 a king in the hand", "", "4k4/9/9/9/9/9/9/9/4K4 b K 1", "",
     "bad-position 2.2 hands at 24"},
    {"2.2 a number of nothing in the hand", "", "4k4/9/9/9/9/9/9/9/4K4 b 2 1", "",
     "bad-position 2.2 hands at 25"},
    {"2.2 no pawns in the hand", "", "4k4/9/9/9/9/9/9/9/4K4 b 0P 1", "",
     "bad-position 2.2 hands at 25"},
    {"2.2 the move number 0", "", "4k4/9/9/9/9/9/9/9/4K4 b - 0", "",
     "bad-position 2.2 number at 27"},
    {"2.2 a move number that is too large", "", "4k4/9/9/9/9/9/9/9/4K4 b - 1000000001", "",
     "bad-position 2.2 number at 26"},
    {"2.5 19 pawns on the board and in a hand", "", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b P 1",
     "", "bad-position 2.5 too-many-pawns 19 of 18"},
    {"2.5 19 pawns in a hand", "", "4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "",
     "bad-position 2.5 too-many-pawns 19 of 18"},
    {"2.5 five lances", "", "4k4/9/9/9/9/9/9/9/L3K4 b 2L2l 1", "",
     "bad-position 2.5 too-many-lances 5 of 4"},
    {"2.5 five knights", "", "4k4/9/9/9/9/9/9/9/N3K4 b 4n 1", "",
     "bad-position 2.5 too-many-knights 5 of 4"},
    {"2.5 five silvers, one of them promoted", "", "4k4/9/9/9/9/9/9/9/+S3K4 b 2S2s 1", "",
     "bad-position 2.5 too-many-silvers 5 of 4"},
    {"2.5 five golds", "", "4k4/9/9/9/9/9/9/9/4K4 b 5G 1", "",
     "bad-position 2.5 too-many-golds 5 of 4"},
    {"2.5 three bishops, one of them promoted", "", "4k4/9/9/9/9/9/9/9/+B3K4 b Bb 1", "",
     "bad-position 2.5 too-many-bishops 3 of 2"},
    {"2.5 three rooks", "", "4k4/9/9/9/9/9/9/9/4K4 b 3r 1", "",
     "bad-position 2.5 too-many-rooks 3 of 2"},
    {"2.5 two kings of a side", "", "4k4/9/9/9/9/9/9/9/3KK4 b - 1", "",
     "bad-position 2.5 too-many-kings 2 of 1: king 5iK, king 6iK"},
    {"2.5 no king", "", "9/9/4P4/9/9/9/9/9/9 b G 1", "", "bad-position 2.5 no-king"},
    {"2.5 a check to the side that has moved", "", "4k4/9/9/9/9/9/9/9/4RK3 b - 1", "",
     "bad-position 2.5 other-in-check: king 5ak, checker 5iR"},
    {"2.5 a casual check to the side that has moved", "rules=casual",
     "4k4/9/9/9/9/9/9/9/4RK3 b - 1", "", "4k4/9/9/9/9/9/9/9/4RK3 b - 1"},
    {"2.5 a pawn that can never move", "", "4k3P/9/9/9/9/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 pawn-at-end: offender 1aP"},
    {"2.5 a lance that can never move", "", "4k4/9/9/9/9/9/9/9/l3K4 b - 1", "",
     "bad-position 2.5 lance-at-end: offender 9il"},
    {"2.5 a knight that can never move", "", "4k4/N8/9/9/9/9/9/9/4K4 b - 1", "",
     "bad-position 2.5 knight-at-end: offender 9bN"},
    {"2.5 promoted men stand anywhere", "", "4k3+P/9/9/9/9/9/9/9/4K3+n b - 1", "",
     "4k3+P/9/9/9/9/9/9/9/4K3+n b - 1"},
    {"2.5 casual men that can never move stay", "rules=casual", "N3k3P/N8/9/9/9/9/9/9/l3K4 b - 1",
     "", "N3k3P/N8/9/9/9/9/9/9/l3K4 b - 1"},
    {"2.5 two unpromoted pawns on a file", "", "4k4/9/9/9/2p6/9/2p6/9/4K4 b - 1", "",
     "bad-position 2.5 two-pawns: pawn 7ep, pawn 7gp"},
    {"2.5 pawns on a file of which one is promoted and one the other side's", "",
     "4k4/9/9/9/2p6/2P6/2+p6/9/4K4 b - 1", "", "4k4/9/9/9/2p6/2P6/2+p6/9/4K4 b - 1"},
    {"2.5 two casual pawns on a file", "rules=casual", "4k4/9/9/9/2p6/9/2p6/9/4K4 b - 1", "",
     "4k4/9/9/9/2p6/9/2p6/9/4K4 b - 1"},
};

Test(shogi, a_position_is_read_and_written_or_refused_with_the_rule_that_it_breaks)
{
    SCENE_TABLE(GAME, scene_after, positions);
}

/* ---- 3: movement ---- */

Test(shogi, rule_3_how_men_step)
{
    expect_moves('P', false, "5d", "5f");
    expect_moves('N', false, "4c 6c", "4g 6g");
    expect_moves('S', false, "4d 4f 5d 6d 6f", "4d 4f 5f 6d 6f");
    expect_moves('G', false, "4d 4e 5d 5f 6d 6e", "4e 4f 5d 5f 6e 6f");
}

Test(shogi, rule_3_promoted_pawns_lances_knights_and_silvers_step_as_golds)
{
    for (const char *letter = "PLNS"; *letter != '\0'; letter++)
        expect_moves(*letter, true, "4d 4e 5d 5f 6d 6e", "4e 4f 5d 5f 6e 6f");
}

Test(shogi, rule_3_how_men_slide)
{
    const char *slanting = "1a 1i 2b 2h 3c 3g 4d 4f 6d 6f 7c 7g 8b 8h 9a 9i";
    const char *straight = "1e 2e 3e 4e 5a 5b 5c 5d 5f 5g 5h 5i 6e 7e 8e 9e";

    expect_moves('L', false, "5a 5b 5c 5d", "5f 5g 5h 5i");
    expect_moves('B', false, slanting, slanting);
    expect_moves('R', false, straight, straight);
}

Test(shogi, rule_3_a_horse_and_a_dragon_slide_and_step)
{
    const char *horse = "1a 1i 2b 2h 3c 3g 4d 4e 4f 5d 5f 6d 6e 6f 7c 7g 8b 8h 9a 9i";
    const char *dragon = "1e 2e 3e 4d 4e 4f 5a 5b 5c 5d 5f 5g 5h 5i 6d 6e 6f 7e 8e 9e";

    expect_moves('B', true, horse, horse);
    expect_moves('R', true, dragon, dragon);
}

static const struct scene_row steps[] = {
    {"3 a king steps in all directions", "", "9/9/9/9/4K4/9/9/9/k8 b - 1", "5e",
     "4d 4e 4f 5d 5f 6d 6e 6f"},
    {"3 a king steps out of its corner", "", "9/9/9/9/9/9/9/9/K7k b - 1", "9i", "8h 8i 9h"},
    {"3 a silver stays on the board", "", "9/1k7/9/9/9/9/9/+R7G/+B6KS b - 1", "1i", "2h"},
    {"3 a gold stays on the board", "", "9/1k7/9/9/9/9/9/+R7G/+B6KS b - 1", "1h", "1g 2g 2h"},
    {"3 a horse stays on the board", "", "9/1k7/9/9/9/9/9/+R7G/+B6KS b - 1", "9i",
     "1a 2b 3c 4d 5e 6f 7g 8h 8i"},
    {"3 a dragon stays on the board", "", "9/1k7/9/9/9/9/9/+R7G/+B6KS b - 1", "9h",
     "2h 3h 4h 5h 6h 7h 8g 8h 8i 9a 9b 9c 9d 9e 9f 9g"},
    {"3 a slide ends at the first man and takes an enemy", "",
     "4k4/9/9/4p4/2P1R1p2/9/4P4/9/K8 b - 1", "5e", "3e 4e 5d 5f 6e"},
    {"4.2 a king does not step into an attack", "", "4k4/9/9/9/9/9/9/3r5/4K4 b - 1", "5i", "4i 6h"},
    {"4.2 a king may take what checks it beside it", "", "4k4/9/9/9/9/9/9/4r4/4K4 b - 1", "5i",
     "4i 5h 6i"},
    {"4.2 a king does not flee along the line of a check", "", "4k4/9/9/9/9/4r4/9/4K4/9 b - 1",
     "5h", "4g 4h 4i 6g 6h 6i"},
    {"4.2 a pinned gold moves along its file alone", "", "4k4/4l4/9/9/9/9/4G4/9/4K4 b - 1", "5g",
     "5f 5h"},
    {"4.2 a knight that is not pinned jumps", "", "4k4/9/9/9/9/2b6/3S5/4N4/5K3 b - 1", "5h",
     "4f 6f"},
    {"4.2 a pinned silver takes along its diagonal alone", "", "4k4/9/9/9/1b7/9/3S5/4K4/9 b - 1",
     "6g", "7f"},
    {"4.2 a pinned knight does not move", "", "4k4/9/9/9/1b7/9/3N5/4K4/9 b - 1", "6g", ""},
    {"5.4 a casual knight on the last rank stays there", "rules=casual",
     "1N2k4/N3N4/9/9/9/9/9/9/4K4 b - 1", "8a", ""},
    {"5.4 a casual knight on the last rank but one stays there", "rules=casual",
     "1N2k4/N3N4/9/9/9/9/9/9/4K4 b - 1", "9b", ""},
    {"5.4 a casual knight that is not at the edge stays there, too", "rules=casual",
     "1N2k4/N3N4/9/9/9/9/9/9/4K4 b - 1", "5b", ""},
};

Test(shogi, a_man_reaches_the_squares_of_the_rules_and_no_others)
{
    SCENE_TABLE(GAME, destinations, steps);
}

Test(shogi, rule_3_a_captured_man_changes_sides_and_loses_its_promotion)
{
    open("", "4k4/9/9/9/9/4+b4/4R4/9/4K4 b - 1");
    scene_play(&scene, "5g5f");
    cr_expect_str_eq(scene_position(&scene), "4k4/9/9/9/9/4R4/9/9/4K4 w B 2");
    cr_expect_eq(GAME->hand(&scene.state, 1, 4), 1);
}

/* ---- 4.1: promotion ---- */

Test(shogi, rule_4_1_a_man_may_promote_on_entering_the_zone_moving_in_it_and_leaving_it)
{
    open("", "8k/9/2S6/3S5/9/9/9/9/K8 b - 1");
    cr_expect(scene_allows(&scene, "6d6c+"));
    cr_expect(scene_allows(&scene, "6d6c"));
    cr_expect(scene_allows(&scene, "7c7b+"));
    cr_expect(scene_allows(&scene, "7c8d+"));
    cr_expect(scene_allows(&scene, "7c8d"));
    cr_expect_not(scene_allows(&scene, "6d7e+"));
}

Test(shogi, rule_4_1_the_zone_of_gote_is_at_the_bottom)
{
    open("", "8k/9/2s6/9/9/3r5/9/9/K8 w - 1");
    cr_expect(scene_allows(&scene, "6f6g+"));
    cr_expect(scene_allows(&scene, "6f6g"));
    cr_expect_not(scene_allows(&scene, "6f6a+"));
    cr_expect_not(scene_allows(&scene, "7c7d+"));
}

Test(shogi, rule_4_1_a_man_that_could_never_move_again_promotes)
{
    open("", "8k/P1L6/L1N6/9/9/9/9/9/4K4 b - 1");
    cr_expect_not(scene_allows(&scene, "9b9a"));
    cr_expect(scene_allows(&scene, "9b9a+"));
    cr_expect_not(scene_allows(&scene, "7b7a"));
    cr_expect(scene_allows(&scene, "7b7a+"));
    cr_expect_not(scene_allows(&scene, "7c6a"));
    cr_expect(scene_allows(&scene, "7c6a+"));
}

Test(shogi, rule_4_1_a_lance_may_stay_one_rank_and_a_knight_two_ranks_before_the_last)
{
    open("", "8k/9/L8/4N4/2N6/9/9/9/4K4 b - 1");
    cr_expect(scene_allows(&scene, "9c9b"));
    cr_expect(scene_allows(&scene, "9c9b+"));
    cr_expect_not(scene_allows(&scene, "9c9a"));
    cr_expect(scene_allows(&scene, "7e6c"));
    cr_expect(scene_allows(&scene, "7e6c+"));
    cr_expect_not(scene_allows(&scene, "5d4b"));
    cr_expect(scene_allows(&scene, "5d4b+"));
}

/* ---- 4.2: the safety of the king ---- */

Test(shogi, rule_4_2_a_check_is_met_by_taking_coming_between_or_fleeing)
{
    open("", "4k4/9/4r4/9/9/9/6B2/9/4K4 b P 1");
    cr_expect_str_eq(destinations(&scene, "3g"), "5e");
    cr_expect(scene_allows(&scene, "P*5h"));
    cr_expect_not(scene_allows(&scene, "P*6h"));
    cr_expect_str_eq(destinations(&scene, "5i"), "4h 4i 6h 6i");
    open("", "4k4/9/4r4/9/6B2/9/9/9/4K4 b - 1");
    cr_expect_str_eq(destinations(&scene, "3e"), "5c 5g");
}

Test(shogi, rule_4_2_nothing_comes_between_a_knight_and_the_king)
{
    open("", "4k4/9/9/9/9/9/3n5/9/4K4 b 2G 1");
    cr_expect_eq(GAME->count(&scene.state), 5);
    cr_expect_str_eq(destinations(&scene, "5i"), "4h 4i 5h 6h 6i");
}

Test(shogi, rule_4_2_in_double_check_only_the_king_moves)
{
    open("", "4k4/9/4r4/9/9/9/3n5/9/1R2K4 b 2G 1");
    cr_expect_str_eq(destinations(&scene, "8i"), "");
    cr_expect_str_eq(destinations(&scene, "5i"), "4h 4i 6h 6i");
    cr_expect_eq(GAME->count(&scene.state), 4);
}

Test(shogi, rule_4_2_check_shows_the_king_and_every_checker)
{
    struct rules_refusal why;

    open("", "4k4/9/4r4/9/9/9/3n5/9/4K4 b - 1");
    cr_assert(GAME->check(&scene.state, &why));
    scene.why = why;
    cr_assert_eq(why.witnesses, 3);
    scene_witness(&scene, 0, RULES_ROLE_KING, "5i");
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "5c");
    scene_witness(&scene, 2, RULES_ROLE_CHECKER, "6g");
    open("", NULL);
    cr_expect_not(GAME->check(&scene.state, &why));
}

/* ---- 4.3, 4.4: where men are dropped ---- */

Test(shogi, rule_4_3_a_pawn_is_not_dropped_beside_an_own_pawn_on_the_file)
{
    open("", "4k4/9/2+P1p4/9/9/9/1P7/9/4K4 b P 1");
    cr_expect_not(scene_allows(&scene, "P*8e"));
    cr_expect(scene_allows(&scene, "P*7e")); /* the other is promoted */
    cr_expect(scene_allows(&scene, "P*5e")); /* the other is Gote's */
}

Test(shogi, rule_4_4_nothing_is_dropped_where_it_could_never_move)
{
    open("", "4k4/9/9/9/9/9/9/9/4K4 b PLNS 1");
    cr_expect_not(scene_allows(&scene, "P*9a"));
    cr_expect_not(scene_allows(&scene, "L*9a"));
    cr_expect_not(scene_allows(&scene, "N*9a"));
    cr_expect_not(scene_allows(&scene, "N*9b"));
    cr_expect(scene_allows(&scene, "P*9b"));
    cr_expect(scene_allows(&scene, "L*9b"));
    cr_expect(scene_allows(&scene, "N*9c"));
    cr_expect(scene_allows(&scene, "S*9a"));
    open("", "4k4/9/9/9/9/9/9/9/4K4 w pln 1");
    cr_expect_not(scene_allows(&scene, "N*9h"));
    cr_expect(scene_allows(&scene, "P*9h"));
    cr_expect(scene_allows(&scene, "N*9g"));
}

/* ---- 4.5: the dropped pawn that would mate ---- */

static const struct scene_row drops[] = {
    {"4.5 a dropped pawn does not mate", "", "7nk/9/7G1/9/9/9/9/9/4K4 b P 1", "P*1b",
     "drop-pawn-mate 4.5 drop-pawn-mate: king 1ak, pawn 1bP"},
    {"4.5 a dropped pawn may give check if the king flees", "", "8k/9/7G1/9/9/9/9/9/4K4 b P 1",
     "P*1b", "P*1b"},
    {"4.5 a dropped pawn may give check if the king takes it", "", "7nk/9/9/9/9/9/9/9/4K4 b P 1",
     "P*1b", "P*1b"},
    {"4.5 another defender may take the pawn", "", "7nk/7g1/8G/9/9/9/9/9/4K4 b P 1", "P*1b",
     "P*1b"},
    {"4.5 a pinned defender does not count", "", "7nk/7g1/6B1G/9/9/9/9/9/4K4 b P 1", "P*1b",
     "drop-pawn-mate 4.5 drop-pawn-mate: king 1ak, pawn 1bP"},
    {"4.5 holds for Gote", "", "4k4/9/9/9/9/9/1g7/9/KN7 w p 1", "P*9h",
     "drop-pawn-mate 4.5 drop-pawn-mate: king 9iK, pawn 9hp"},
};

Test(shogi, a_dropped_pawn_gives_check_and_never_mate)
{
    SCENE_TABLE(GAME, scene_read, drops);
}

/* ---- 4.5 to 5.5: how a game ends ---- */

#define ROOKS_TO_AND_FRO "2h3h 8b7b 3h2h 7b8b "
#define ROOK_CHECKS      "4e5e 5a4a 5e4e 4a5a "
#define CHECKS_OF_ROOK   "5a4a 5e4e 4a5a 4e5e "
#define ROOK_ON_4E       "4k4/9/9/9/5R3/9/9/9/8K b - 1"
#define SENTE_IN_CAMP    "K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b "

static const struct scene_row ends[] = {
    {"2.5 one king may be missing", "", "4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b", "1:checkmate"},
    {"4.5 a pawn that walks may mate", "", "7nk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b", "1:checkmate"},
    {"4.5 other men may mate by a drop", "", "7nk/9/7G1/9/9/9/9/9/4K4 b L 1", "L*1b",
     "1:checkmate"},
    {"4.6 a mated player has lost", "", "8k/9/7S1/9/9/9/9/9/4K4 b G 1", "G*1b", "1:checkmate"},
    {"4.6 a player without a move has lost even if not in check", "",
     "6G1k/9/7G1/9/9/9/9/9/4K4 w - 1", "", "1:stalemate"},
    {"4.6 a player who can drop a pawn goes on", "", "6G1k/9/7G1/9/9/9/9/9/4K4 w p 1", "",
     "ongoing"},
    {"4.7 a ply before the fourth occurrence the game goes on", "", NULL,
     ROOKS_TO_AND_FRO ROOKS_TO_AND_FRO "2h3h 8b7b 3h2h", "ongoing"},
    {"4.7 the fourth occurrence is a draw, and the start counts", "", NULL,
     ROOKS_TO_AND_FRO ROOKS_TO_AND_FRO ROOKS_TO_AND_FRO, "draw:repetition"},
    {"4.7 the number of occurrences is an option", "repetition=2", NULL, ROOKS_TO_AND_FRO,
     "draw:repetition"},
    {"4.7 perpetual check loses where the start is part of it", "", ROOK_ON_4E,
     ROOK_CHECKS ROOK_CHECKS ROOK_CHECKS, "2:perpetual_check"},
    {"4.7 perpetual check loses when the checker repeats the position", "",
     "4k4/9/9/9/R8/9/9/9/8K b - 1", "9e5e " CHECKS_OF_ROOK CHECKS_OF_ROOK CHECKS_OF_ROOK,
     "2:perpetual_check"},
    {"4.7 one quiet move between the checks makes it a draw", "", ROOK_ON_4E,
     ROOK_CHECKS ROOK_CHECKS "4e4f 5a5b 4f4e 5b5a", "draw:repetition"},
    {"4.7 quiet moves do not make a perpetual check", "", ROOK_ON_4E,
     "1i1h 5a5b 1h1i 5b5a 1i2i 5a5b 2i1i 5b5a", "ongoing"},
    {"4.7 a quiet move before the first occurrence does not matter", "", ROOK_ON_4E,
     "1i2i 5a5b 2i2h 5b5a " ROOK_CHECKS ROOK_CHECKS ROOK_CHECKS, "2:perpetual_check"},
    {"4.8 impasse is won by itself under auto", "impasse=auto", SENTE_IN_CAMP "2B4G 1", "",
     "1:impasse"},
    {"4.8 too few points do not win by themselves", "impasse=auto", SENTE_IN_CAMP "2B3G 1", "",
     "ongoing"},
    {"4.8 impasse is not won by itself under declare", "impasse=declare", SENTE_IN_CAMP "2B4G 1",
     "", "ongoing"},
    {"4.9 a ply before its limit a game goes on", "max_plies=2", NULL, "7g7f", "ongoing"},
    {"4.9 a game of limited length is drawn", "max_plies=2", NULL, "7g7f 3c3d", "draw:max_plies"},
    {"4.9 the number of the position counts", "max_plies=500", "4k4/9/9/9/9/9/9/9/4K4 b - 501", "",
     "draw:max_plies"},
    {"4.9 the number before it does not end the game", "max_plies=500",
     "4k4/9/9/9/9/9/9/9/4K4 w - 500", "", "ongoing"},
    {"5.5 in a casual game no move is a loss", "rules=casual", "KP2k4/PP7/9/9/9/9/9/9/9 b - 1", "",
     "2:stalemate"},
};

Test(shogi, the_game_ends_when_the_rules_say_so)
{
    SCENE_TABLE(GAME, scene_end, ends);
}

Test(shogi, rule_4_6_after_mate_there_are_no_moves)
{
    open("", "8k/9/7S1/9/9/9/9/9/4K4 b G 1");
    scene_play(&scene, "G*1b");
    cr_expect_eq(GAME->count(&scene.state), 0);
}

/* ---- 4.7: repetition ---- */

Test(shogi, rule_4_7_other_hands_make_another_position)
{
    uint64_t key;

    open("", "4k4/9/9/9/9/9/9/9/4K4 b P 1");
    key = GAME->key(&scene.state);
    open("", "4k4/9/9/9/9/9/9/9/4K4 b 2P 1");
    cr_expect_neq(GAME->key(&scene.state), key);
    open("", "4k4/9/9/9/9/9/9/9/4K4 b p 1");
    cr_expect_neq(GAME->key(&scene.state), key);
    open("", "4k4/9/9/9/9/9/9/9/4K4 w P 1");
    cr_expect_neq(GAME->key(&scene.state), key);
    open("", "4k4/9/9/9/9/9/9/9/4K4 b P 99");
    cr_expect_eq(GAME->key(&scene.state), key);
}

Test(shogi, rule_4_7_nothing_repeats_if_the_option_is_0)
{
    open("repetition=0", NULL);
    repeat(ROOKS_TO_AND_FRO, 20);
    cr_expect_str_eq(scene_outcome(&scene), "ongoing");
    cr_expect_eq(GAME->span(&scene.state), 0);
}

/* The outcome after earlier positions whose keys say whether Sente and Gote were in check, four
 * plies from one occurrence to the next. */
static struct rules_outcome after_keys(bool sente, bool gote)
{
    uint64_t keys[12];

    for (size_t i = 0; i < 12; i++)
        keys[i] = i % 4 == 0 ? GAME->key(&scene.state) : 100 + 2 * i + (i % 2 == 0 ? sente : gote);
    return GAME->outcome(&scene.state, &(struct rules_history){keys, 12});
}

Test(shogi, rule_4_7_check_upon_check_by_both_sides_is_a_draw)
{
    open("", "4k4/9/9/9/9/4r4/9/9/4K4 b - 13"); /* Sente is in check */
    cr_expect_eq(after_keys(true, true).status, RULES_DRAWN);
    cr_expect_eq(after_keys(true, false).winner, 1);
    cr_expect_eq(after_keys(true, false).reason, RULES_REASON_PERPETUAL_CHECK);
    cr_expect_eq(after_keys(false, false).status, RULES_DRAWN);
    cr_expect_eq(after_keys(false, true).winner, 2);
}

/* ---- 4.8: impasse ---- */

static bool declares(void)
{
    struct rules_outcome outcome;
    bool won = GAME->declare(&scene.state, &outcome, &scene.why);

    if (won) {
        cr_expect_eq(outcome.winner, GAME->to_move(&scene.state));
        cr_expect_eq(outcome.reason, RULES_REASON_IMPASSE);
    }
    return won;
}

static void expect_no_declaration(const char *law, int32_t yours, int32_t required)
{
    cr_assert_not(declares());
    cr_expect_eq(scene.why.code, RULES_CANNOT_DECLARE);
    cr_expect_str_eq(scene.why.law->id, law);
    cr_expect_eq(scene.why.yours, yours);
    cr_expect_eq(scene.why.required, required);
}

Test(shogi, rule_4_8_sente_declares_with_28_points)
{
    open("", SENTE_IN_CAMP "2B4G 1");
    cr_expect(declares());
    open("", SENTE_IN_CAMP "2B3G 1");
    expect_no_declaration("shogi.impasse-points", 27, 28);
}

Test(shogi, rule_4_8_gote_declares_with_27_points)
{
    open("", "4K4/9/9/9/9/9/r8/+p+p+p+p+p+p+p+p+p/k8 w RG4S4N4L9P2b3g 1");
    cr_expect(declares());
    open("", "4K4/9/9/9/9/9/r8/+p+p+p+p+p+p+p+p+p/k8 w R2G4S4N4L9P2b2g 1");
    expect_no_declaration("shogi.impasse-points", 26, 27);
}

/* Takes up a game that began from a named start. */
static void take_up(const char *start, const char *position)
{
    open(start, NULL);
    cr_assert(rules_load(GAME, &scene.options, position, &scene.state, &scene.why), "%s", position);
}

#define GOTE_IN_CAMP "4K4/9/9/9/9/9/r8/+p+p+p+p+p+p+p+p+p/k8 w "

Test(shogi, rule_4_8_what_a_handicap_lacks_counts_for_gote)
{
    take_up("start=bishop", GOTE_IN_CAMP "RG4S4N4L9Pb3g 1");
    cr_expect(declares());
    take_up("start=bishop", GOTE_IN_CAMP "R2G4S4N4L9Pb2g 1");
    expect_no_declaration("shogi.impasse-points", 26, 27);
    take_up("start=bishop", SENTE_IN_CAMP "B4G 1");
    expect_no_declaration("shogi.impasse-points", 23, 28);
}

Test(shogi, rule_4_8_men_missing_from_a_position_that_was_set_up_count_for_nobody)
{
    open("", "9/9/9/9/9/9/5llll/+P+P1+bkssgg/K+P3ssgg w - 1");
    expect_no_declaration("shogi.impasse-points", 17, 27);
    open("", GOTE_IN_CAMP "RG4S4N4L9Pb3g 1");
    expect_no_declaration("shogi.impasse-points", 22, 27);
}

Test(shogi, rule_4_8_a_handicap_that_was_given_as_a_position_counts)
{
    open("", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    expect_option("start", "bishop");
    cr_assert(
        rules_load(GAME, &scene.options, GOTE_IN_CAMP "RG4S4N4L9Pb3g 1", &scene.state, &scene.why));
    cr_expect(declares());
}

Test(shogi, rule_2_4_the_points_of_each_handicap_are_those_of_its_missing_men)
{
    const struct rules_option *start = &GAME->options[4];

    for (size_t i = 0; start->choices[i] != NULL; i++) {
        char option[64];
        int32_t points = 54;

        snprintf(option, sizeof(option), "start=%s", start->choices[i]);
        open(option, NULL);
        for (unsigned square = 0; square < 81; square++) {
            struct rules_man man;

            if (GAME->at(&scene.state, square, &man, 1) == 0)
                continue;
            points -= strchr("BR", *GAME->pieces[man.kind].letter[0]) ? 5
                      : *GAME->pieces[man.kind].letter[0] != 'K'      ? 1
                                                                      : 0;
        }
        take_up(option, "4K4/9/9/9/9/9/9/ppppppppp/k+l7 w - 1");
        if (declares())
            cr_expect_geq(10 + points, 27, "%s", option);
        else
            cr_expect_eq(scene.why.yours, 10 + points, "%s", option);
    }
}

Test(shogi, rule_4_8_ten_other_pieces_stand_in_the_zone)
{
    open("", "K8/+P+P+P+P+P+P+P+P+P/9/R8/9/9/9/9/4k4 b 2B4G4S4N 1");
    expect_no_declaration("shogi.impasse-pieces", 9, 10);
}

Test(shogi, rule_4_8_the_king_stands_in_the_zone)
{
    open("", "9/+P+P+P+P+P+P+P+P+P/R8/K8/9/9/9/9/4k4 b 2B4G 1");
    expect_no_declaration("shogi.impasse-king", RULES_NOT_GIVEN, RULES_NOT_GIVEN);
    scene_witness(&scene, 0, RULES_ROLE_KING, "9d");
}

Test(shogi, rule_4_8_nobody_declares_in_check)
{
    open("", "K7r/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1");
    expect_no_declaration("shogi.impasse-check", RULES_NOT_GIVEN, RULES_NOT_GIVEN);
    scene_witness(&scene, 0, RULES_ROLE_KING, "9a");
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "1a");
}

Test(shogi, rule_4_8_nobody_declares_under_off)
{
    open("impasse=off", SENTE_IN_CAMP "2B4G 1");
    expect_no_declaration("shogi.impasse-off", RULES_NOT_GIVEN, RULES_NOT_GIVEN);
}

/* ---- 4.9: the order ---- */

Test(shogi, rule_4_9_mate_comes_before_the_last_ply_and_impasse_before_repetition)
{
    open("max_plies=1", "8k/9/7S1/9/9/9/9/9/4K4 b G 1");
    scene_play(&scene, "G*1b");
    cr_expect_str_eq(scene_outcome(&scene), "1:checkmate");
    open("impasse=auto", SENTE_IN_CAMP "2B4G 13");
    cr_expect_eq(after_keys(false, false).reason, RULES_REASON_IMPASSE);
    open("impasse=declare", SENTE_IN_CAMP "2B4G 13");
    cr_expect_eq(after_keys(false, false).reason, RULES_REASON_REPETITION);
    open("max_plies=12", SENTE_IN_CAMP "2B4G 13");
    cr_expect_eq(after_keys(false, false).reason, RULES_REASON_REPETITION);
}

/* ---- 5: casual ---- */

Test(shogi, rule_5_1_a_king_may_stay_or_step_into_attack)
{
    open("rules=casual", "4k4/9/9/9/9/9/9/3r5/4K4 b P 1");
    cr_expect_str_eq(destinations(&scene, "5i"), "4h 4i 5h 6h 6i");
    scene_play(&scene, "P*1e");
    cr_expect_str_eq(scene_outcome(&scene), "ongoing");
}

Test(shogi, rule_5_2_taking_the_king_wins_and_it_goes_to_no_hand)
{
    open("rules=casual", "4k4/9/9/9/9/9/9/9/4RK3 b - 1");
    scene_play(&scene, "5i5a");
    cr_expect_str_eq(scene_outcome(&scene), "1:king_captured");
    cr_expect_str_eq(scene_position(&scene), "4R4/9/9/9/9/9/9/9/5K3 w - 2");
    cr_expect_eq(GAME->count(&scene.state), 0);
    open("rules=casual", "4k4/9/9/9/4r4/9/9/9/4K4 w - 1");
    scene_play(&scene, "5e5i+");
    cr_expect_str_eq(scene_outcome(&scene), "2:king_captured");
}

Test(shogi, rule_5_3_a_man_promotes_where_its_move_ends_and_never_has_to)
{
    open("rules=casual", "4k4/P8/2S6/3S5/9/9/9/9/4K4 b - 1");
    cr_expect(scene_allows(&scene, "6d6c+"));
    cr_expect(scene_allows(&scene, "7c7b+"));
    cr_expect_not(scene_allows(&scene, "7c8d+"));
    cr_expect(scene_allows(&scene, "9b9a"));
    cr_expect(scene_allows(&scene, "9b9a+"));
    scene_play(&scene, "9b9a 5a4a");
    cr_expect_str_eq(destinations(&scene, "9a"), "");
}

Test(shogi, rule_5_4_drops_are_free_on_any_empty_square)
{
    open("rules=casual", "7nk/9/7G1/4P4/9/9/9/9/4K4 b PLN 1");
    cr_expect(scene_allows(&scene, "P*5e"));
    cr_expect(scene_allows(&scene, "P*9a"));
    cr_expect(scene_allows(&scene, "L*9a"));
    cr_expect(scene_allows(&scene, "N*9b"));
    cr_expect(scene_allows(&scene, "P*1b"));
}

Test(shogi, rule_5_1_each_king_that_can_be_taken_is_named)
{
    open("rules=casual", "4k4/9/9/9/9/9/9/9/K3R4 b - 1");
    cr_expect_not(GAME->check(&scene.state, &scene.why));
    cr_assert_eq(scene.why.witnesses, 2);
    cr_expect_eq(scene.why.witness[0].role, RULES_ROLE_KING);
    cr_expect_eq(scene.why.witness[0].man.seat, 2);
    open("rules=casual", "k3r4/9/9/9/9/9/9/9/K3R4 w - 1");
    cr_expect_not(GAME->check(&scene.state, &scene.why));
    cr_expect_eq(scene.why.witnesses, 0);
    open("rules=casual", "4k4/9/9/9/9/9/9/r8/K3R4 w - 1");
    cr_expect(GAME->check(&scene.state, &scene.why));
    cr_assert_eq(scene.why.witnesses, 4);
    cr_expect_eq(scene.why.witness[0].man.seat, 2);
    cr_expect_eq(scene.why.witness[1].man.seat, 1);
}

Test(shogi, rule_5_5_nothing_repeats_and_nothing_is_declared_unless_asked_for)
{
    open("rules=casual", NULL);
    repeat(ROOKS_TO_AND_FRO, 5);
    cr_expect_str_eq(scene_outcome(&scene), "ongoing");
    open("rules=casual", SENTE_IN_CAMP "2B4G 1");
    expect_no_declaration("shogi.impasse-off", RULES_NOT_GIVEN, RULES_NOT_GIVEN);
    open("rules=casual repetition=4", NULL);
    repeat(ROOKS_TO_AND_FRO, 3);
    cr_expect_str_eq(scene_outcome(&scene), "draw:repetition");
}

Test(shogi, rule_5_6_check_is_shown_in_casual_games_and_mate_is_not)
{
    open("rules=casual", "8k/9/8L/9/9/9/9/9/4K4 b G 1");
    scene_play(&scene, "G*1b");
    cr_expect(GAME->check(&scene.state, &scene.why));
    scene_witness(&scene, 1, RULES_ROLE_CHECKER, "1b");
    cr_expect_str_eq(scene_outcome(&scene), "ongoing");
}

/* ---- 6: perft ---- */

static void expect_perft(const char *options, const char *position, const uint64_t *nodes)
{
    scene_perft(GAME, options, position, nodes);
}

Test(shogi, rule_6_perft_of_the_start)
{
    expect_perft("", NULL, (const uint64_t[]){30, 900, 25470, 719731, 19861490, 0});
}

Test(shogi, rule_6_perft_of_the_casual_start)
{
    expect_perft("rules=casual", NULL, (const uint64_t[]){30, 900, 25470, 720850, 0});
}

Test(shogi, rule_6_perft_of_the_position_with_most_moves)
{
    expect_perft("", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
                 (const uint64_t[]){593, 105677, 53393368, 0});
}

Test(shogi, rule_6_perft_of_a_middle_game)
{
    expect_perft("", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
                 (const uint64_t[]){207, 28684, 4809015, 0});
}

Test(shogi, rule_6_perft_of_other_positions)
{
    expect_perft("start=lance", NULL, (const uint64_t[]){30, 900, 25530, 0});
    expect_perft("", "ln1gk2nl/1rs3gb1/p1pppsppp/1p3p3/9/2P1P2P1/PPBP1PP1P/2S2S1R1/LN1GKG1NL b - 1",
                 (const uint64_t[]){31, 837, 26538, 0});
    expect_perft("", "7nk/9/7G1/9/9/9/9/9/4K4 b P 1", (const uint64_t[]){80, 162, 3580, 0});
    expect_perft("rules=casual", "4k4/9/4P4/9/9/9/9/9/4K4 b P 1",
                 (const uint64_t[]){85, 425, 6195, 0});
}
