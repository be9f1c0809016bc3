/* test_jungle.c - Jungle, rule by rule: the board, how pieces move, and what they take. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/rules.h"
#include "scene.h"

#define GAME         rules_find("jungle")
#define START        "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r 0 1"
#define LENGTH(list) (sizeof(list) / sizeof((list)[0]))

static struct scene scene;

static void open_position(const char *position)
{
    scene_open(&scene, GAME, "", position);
}

static void expect_allowed(const char *options, const char *position, const char *move)
{
    scene_open(&scene, GAME, options, position);
    cr_expect(scene_allows(&scene, move), "%s is refused in %s '%s': %s", move, position, options,
              rules_code_text(scene.why.code));
}

static void expect_refused(const char *options, const char *position, const char *move,
                           enum rules_code code, const char *law)
{
    scene_open(&scene, GAME, options, position);
    scene_refuses(&scene, move, code, law);
}

static bool in_zone(const char *name, unsigned seat, const char *square)
{
    unsigned number;
    bool inside = false;

    cr_assert_eq(rules_square_read(GAME->board(&scene.state), square, &number), 2);
    for (size_t i = 0; i < GAME->nzones; i++)
        if (strcmp(GAME->zones[i].name, name) == 0 && GAME->zones[i].seat == seat)
            inside = GAME->zones[i].has(&scene.state, number);
    return inside;
}

/* ---- J1 to J8: board, pieces, positions ---- */

Test(jungle, j1_the_board_has_7_files_and_9_ranks)
{
    open_position(START);
    cr_expect_eq(GAME->board(&scene.state).width, 7);
    cr_expect_eq(GAME->board(&scene.state).height, 9);
}

Test(jungle, j1_a_square_off_the_board_is_refused)
{
    static const char *const moves[] = {"g9h9", "h1g1", "a9a10", "a0a1", "a1a0"};

    for (size_t i = 0; i < LENGTH(moves); i++)
        expect_refused("", START, moves[i], RULES_OUT_OF_BOARD, "jungle.board");
}

Test(jungle, j2_water_dens_and_traps_are_where_they_are)
{
    unsigned water = 0;

    open_position(START);
    for (unsigned square = 0; square < 63; square++)
        water += GAME->zones[0].has(&scene.state, square);
    cr_expect_eq(water, 12);
    cr_expect(in_zone("river", 0, "b4") && in_zone("river", 0, "c6") && in_zone("river", 0, "e5"));
    cr_expect_not(in_zone("river", 0, "d5") || in_zone("river", 0, "b7"));
    cr_expect(in_zone("den", 1, "d1") && in_zone("den", 2, "d9"));
    cr_expect(in_zone("trap", 1, "c1") && in_zone("trap", 1, "e1") && in_zone("trap", 1, "d2"));
    cr_expect(in_zone("trap", 2, "c9") && in_zone("trap", 2, "e9") && in_zone("trap", 2, "d8"));
}

Test(jungle, j3_each_side_has_eight_animals)
{
    struct rules_man man;
    unsigned men[2] = {0, 0};

    open_position(START);
    for (unsigned square = 0; square < 63; square++)
        if (GAME->at(&scene.state, square, &man, 1) == 1)
            men[man.seat - 1]++;
    cr_expect_eq(men[0], 8);
    cr_expect_eq(men[1], 8);
}

Test(jungle, j5_the_start_position)
{
    scene_open(&scene, GAME, "", NULL);
    cr_expect_str_eq(scene_position(&scene), START);
}

Test(jungle, j6_red_begins_and_the_sides_take_turns)
{
    open_position(START);
    cr_expect_eq(GAME->to_move(&scene.state), 1);
    scene_play(&scene, "a3a4");
    cr_expect_eq(GAME->to_move(&scene.state), 2);
}

Test(jungle, j6_a_piece_of_the_other_side_is_refused)
{
    expect_refused("", START, "a7a6", RULES_NOT_YOUR_PIECE, "jungle.turn");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "a7");
    cr_expect_eq(scene.why.witness[0].man.seat, 2);
}

Test(jungle, j6_an_empty_square_is_refused)
{
    expect_refused("", START, "d5d6", RULES_EMPTY_SQUARE, "jungle.turn");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "d5");
}

static void expect_bad_position(const char *position, const char *law, size_t witnesses)
{
    cr_assert_not(scene_starts(&scene, GAME, "", position), "%s starts", position);
    cr_expect_eq(scene.why.code, RULES_BAD_POSITION);
    cr_expect_str_eq(scene.why.law->id, law);
    cr_expect_eq(scene.why.witnesses, witnesses);
}

Test(jungle, j7_no_piece_stands_there_twice)
{
    expect_bad_position("l6/7/7/7/7/7/D6/7/D6 r", "jungle.one-of-each", 2);
    open_position("l5L/7/7/7/7/7/7/7/7 r");
}

Test(jungle, j7_only_rats_stand_in_the_water)
{
    expect_bad_position("7/7/7/1c5/7/7/7/7/D6 r", "jungle.rats-in-water", 1);
    open_position("7/7/7/1r5/1R5/7/7/7/7 r");
}

Test(jungle, j7_no_piece_stands_in_its_own_den)
{
    expect_bad_position("7/7/7/7/7/7/7/6l/3D3 r", "jungle.not-in-own-den", 1);
    expect_bad_position("3l3/7/7/7/7/7/7/7/6L r", "jungle.not-in-own-den", 1);
}

Test(jungle, j7_at_most_one_den_is_entered)
{
    expect_bad_position("3D3/7/7/7/7/7/7/7/3d3 r", "jungle.one-den", 2);
    open_position("3D3/7/7/7/7/7/7/7/d6 b");
}

Test(jungle, j7_a_piece_is_on_the_board)
{
    expect_bad_position("7/7/7/7/7/7/7/7/7 r", "jungle.empty-board", 0);
}

Test(jungle, j34_texts_that_are_not_positions_are_refused)
{
    static const char *const texts[] = {
        "",
        "7/7/7/7/7/7/7/7/7",
        "7/7/7/7/7/7/7/7 r",
        "7/7/7/7/7/7/7/7/7/7 r",
        "8/7/7/7/7/7/7/7/7 r",
        "6/7/7/7/7/7/7/7/7 r",
        "7/7/7/7/7/7/7/7/7 w",
        "7/7/7/7/7/7/7/7/7  r",
        "7/7/7/7/7/7/7/7/7 r ",
        "7/7/7/7/7/7/7/7/7 r 0",
        "7/7/7/7/7/7/7/7/7 r 0 0",
        "7/7/7/7/7/7/7/7/7 r 0 1 ",
        "7/7/7/7/7/7/7/7/7 r 00 1",
        "7/7/7/7/7/7/7/7/7 r -1 1",
        "7/7/7/7/7/7/7/7/34 r",
        "7/7/7/7/7/7/7/7/07 r",
        "7/7/7/7/7/7/7/7/L7 r",
        "7/7/7/7/7/7/7/7/K6 r",
        "7/7/7/7/7/7/7/7/7/ r",
    };

    for (size_t i = 0; i < LENGTH(texts); i++)
        expect_bad_position(texts[i], "jungle.position", 0);
    expect_bad_position("7/7/7/7/7/7/7/7/x6 r", "jungle.position", 0);
    cr_expect_eq(scene.why.at, 16);
}

Test(jungle, j8_the_options_have_their_defaults)
{
    static const char *const expected[] = {"allowed", "any", "free", "none", "100", "0"};
    char text[RULES_POSITION_TEXT];

    scene_open(&scene, GAME, "", NULL);
    cr_assert_eq(GAME->noptions, LENGTH(expected));
    for (size_t i = 0; i < LENGTH(expected); i++) {
        rules_option_text(GAME, &scene.options, i, text);
        cr_expect_str_eq(text, expected[i]);
    }
}

/* One position in which each option changes the number of moves. Red's rat in the water is before
 * the lion and beside Blue's rat, Red's dog is beside a trap of its own side, Red's wolf is in a
 * trap beside a cat. */
Test(jungle, j8_each_option_changes_what_is_legal)
{
    static const char position[] = "7/3Wc2/7/7/rR5/7/1L5/2D4/7 r";
    static const struct {
        const char *options;
        int more;
    } rows[] = {{"own_traps=capture_only", -2},
                {"jump_block=enemy", 1},
                {"rat_shore=same", -1},
                {"rat_shore=enter_only", -1},
                {"trapped_attack=normal", 1}};
    int usual;

    open_position(position);
    usual = (int)GAME->count(&scene.state);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        scene_open(&scene, GAME, rows[i].options, position);
        cr_expect_eq((int)GAME->count(&scene.state) - usual, rows[i].more, "%s", rows[i].options);
    }
}

/* ---- J9 to J16: moves ---- */

Test(jungle, j9_a_piece_steps_in_four_directions)
{
    open_position("c6/7/7/7/7/7/3D3/7/7 r");
    cr_expect_eq(GAME->count(&scene.state), 4);
    cr_expect(scene_allows(&scene, "d3d4") && scene_allows(&scene, "d3d2") &&
              scene_allows(&scene, "d3c3") && scene_allows(&scene, "d3e3"));
}

Test(jungle, j9_other_ways_are_refused)
{
    static const char *const moves[] = {"d3e4", "d3d5", "d3d3", "d3b3", "d3g9"};

    for (size_t i = 0; i < LENGTH(moves); i++)
        expect_refused("", "c6/7/7/7/7/7/3D3/7/7 r", moves[i], RULES_WRONG_SHAPE, "jungle.step");
    scene_witness(&scene, 0, RULES_ROLE_FROM, "d3");
}

Test(jungle, j9_the_edges_of_the_board_do_not_meet)
{
    open_position("c6/7/7/D6/7/6C/7/7/R5L r");
    cr_expect_eq(GAME->count(&scene.state), 2 + 2 + 2 + 2);
    scene_refuses(&scene, "a6g7", RULES_WRONG_SHAPE, "jungle.step");
    scene_refuses(&scene, "g4a3", RULES_WRONG_SHAPE, "jungle.step");
}

Test(jungle, j10_the_rat_swims)
{
    open_position("c6/7/7/7/1R5/7/7/7/7 r");
    cr_expect(scene_allows(&scene, "b5b4") && scene_allows(&scene, "b5c5") &&
              scene_allows(&scene, "b5a5"));
    expect_allowed("", "c6/7/7/7/R6/7/7/7/7 r", "a5b5");
}

Test(jungle, j10_no_other_piece_enters_the_water)
{
    static const char *const kinds = "CDWPTLE";

    for (const char *kind = kinds; *kind != '\0'; kind++) {
        char position[64];

        snprintf(position, sizeof(position), "c6/7/7/7/%c6/7/7/7/7 r", *kind);
        expect_refused("", position, "a5b5", RULES_RIVER, "jungle.water");
        scene_witness(&scene, 0, RULES_ROLE_FROM, "a5");
    }
}

Test(jungle, j11_no_piece_enters_its_own_den)
{
    expect_refused("", "c6/7/7/7/7/7/7/3R3/7 r", "d2d1", RULES_OWN_DEN, "jungle.own-den");
    scene_witness(&scene, 0, RULES_ROLE_TO, "d1");
    expect_refused("", "2c4/7/7/7/7/7/7/3R3/7 b", "c9d9", RULES_OWN_DEN, "jungle.own-den");
}

Test(jungle, j12_own_traps_may_be_entered)
{
    expect_allowed("", "c6/7/7/7/7/7/7/2D4/7 r", "c2c1");
    expect_allowed("", "c6/7/7/7/7/7/7/2D4/7 r", "c2d2");
}

Test(jungle, j12_with_capture_only_an_own_trap_is_entered_to_take_alone)
{
    static const char option[] = "own_traps=capture_only";

    expect_refused(option, "c6/7/7/7/7/7/7/2D4/7 r", "c2c1", RULES_OWN_TRAP, "jungle.own-traps");
    scene_witness(&scene, 0, RULES_ROLE_TO, "c1");
    expect_refused(option, "1c5/7/7/7/7/7/2R4/7/7 b", "b9c9", RULES_OWN_TRAP, "jungle.own-traps");
    expect_allowed(option, "c6/7/7/7/7/7/7/2D4/2l4 r", "c2c1");
    expect_allowed(option, "c6/7/7/7/7/7/7/7/2D4 r", "c1c2");
    expect_allowed(option, "c6/2D4/7/7/7/7/7/7/7 r", "c8c9");
}

Test(jungle, j13_no_piece_moves_onto_its_own_side)
{
    expect_refused("", "c6/7/7/7/7/7/3DC2/7/7 r", "d3e3", RULES_OCCUPIED, "jungle.own-side");
    scene_witness(&scene, 0, RULES_ROLE_TO, "e3");
    cr_expect_str_eq(GAME->pieces[scene.why.witness[0].man.kind].name, "cat");
}

Test(jungle, j14_lion_and_tiger_jump_over_the_water_both_ways)
{
    static const char *const jumps[] = {"b3b7", "b7b3", "c3c7", "c7c3", "e3e7", "e7e3", "f3f7",
                                        "f7f3", "a4d4", "d4a4", "a5d5", "d5a5", "a6d6", "d6a6",
                                        "d4g4", "g4d4", "d5g5", "g5d5", "d6g6", "g6d6"};

    for (const char *kind = "LT"; *kind != '\0'; kind++)
        for (size_t i = 0; i < LENGTH(jumps); i++) {
            char position[64], *square = position;

            for (char rank = '9'; rank >= '1'; rank--) {
                if (rank != jumps[i][1])
                    square += sprintf(square, rank == '9' ? "c6" : "/7");
                else if (jumps[i][0] == 'a')
                    square += sprintf(square, "/%c6", *kind);
                else if (jumps[i][0] == 'g')
                    square += sprintf(square, "/6%c", *kind);
                else
                    square +=
                        sprintf(square, "/%d%c%d", jumps[i][0] - 'a', *kind, 'g' - jumps[i][0]);
            }
            strcpy(square, " r");
            expect_allowed("", position, jumps[i]);
        }
}

Test(jungle, j14_no_other_piece_jumps)
{
    static const char *const kinds = "RCDWPE";

    for (const char *kind = kinds; *kind != '\0'; kind++) {
        char position[64];

        snprintf(position, sizeof(position), "c6/7/7/7/7/7/1%c5/7/7 r", *kind);
        expect_refused("", position, "b3b7", RULES_WRONG_SHAPE, "jungle.jump");
    }
}

Test(jungle, j14_jumps_go_straight_over_water_to_the_first_land)
{
    static const char *const moves[] = {"b3b6", "b3b8", "b3c7", "b3d3", "b3b5", "b3a7"};

    for (size_t i = 0; i < LENGTH(moves); i++)
        expect_refused("", "c6/7/7/7/7/7/1L5/7/7 r", moves[i], RULES_WRONG_SHAPE, "jungle.step");
    expect_refused("", "c6/7/7/7/7/7/3L3/7/7 r", "d3d7", RULES_WRONG_SHAPE, "jungle.step");
    expect_refused("", "c6/7/7/7/7/7/1L5/7/7 r", "b3b4", RULES_RIVER, "jungle.water");
}

Test(jungle, j15_a_rat_in_the_water_blocks_the_jump)
{
    static const char *const ranks[] = {"1r5/7/7", "7/1r5/7", "7/7/1r5"};
    static const char *const squares[] = {"b6", "b5", "b4"};

    for (size_t i = 0; i < LENGTH(ranks); i++) {
        char position[64];

        snprintf(position, sizeof(position), "7/7/7/%s/1L5/7/7 r", ranks[i]);
        expect_refused("", position, "b3b7", RULES_JUMP_BLOCKED, "jungle.jump-block");
        cr_expect_eq(scene.why.witnesses, 1);
        scene_witness(&scene, 0, RULES_ROLE_RAT, squares[i]);
    }
    expect_refused("", "7/7/7/7/L1r4/7/7/7/7 r", "a5d5", RULES_JUMP_BLOCKED, "jungle.jump-block");
    scene_witness(&scene, 0, RULES_ROLE_RAT, "c5");
}

Test(jungle, j15_both_rats_are_named)
{
    expect_refused("", "7/7/7/1r5/7/1R5/1L5/7/7 r", "b3b7", RULES_JUMP_BLOCKED,
                   "jungle.jump-block");
    cr_expect_eq(scene.why.witnesses, 2);
    scene_witness(&scene, 0, RULES_ROLE_RAT, "b6");
    scene_witness(&scene, 1, RULES_ROLE_RAT, "b4");
}

Test(jungle, j15_a_rat_beside_the_way_does_not_block)
{
    expect_allowed("", "7/7/1r5/7/2R4/7/1L5/7/7 r", "b3b7");
    expect_allowed("", "7/7/7/1r5/L6/1R5/7/7/7 r", "a5d5");
}

Test(jungle, j15_the_own_rat_blocks_unless_jump_block_is_enemy)
{
    static const char own[] = "c6/7/7/7/1R5/7/1L5/7/7 r", enemy[] = "7/7/7/7/1r5/7/1L5/7/7 r";

    expect_refused("jump_block=any", own, "b3b7", RULES_JUMP_BLOCKED, "jungle.jump-block");
    expect_allowed("jump_block=enemy", own, "b3b7");
    expect_refused("jump_block=enemy", enemy, "b3b7", RULES_JUMP_BLOCKED, "jungle.jump-block");
}

Test(jungle, j15_with_jump_block_enemy_the_own_rat_is_no_witness)
{
    expect_refused("jump_block=enemy", "7/7/7/1r5/7/1R5/1L5/7/7 r", "b3b7", RULES_JUMP_BLOCKED,
                   "jungle.jump-block");
    cr_expect_eq(scene.why.witnesses, 1);
    scene_witness(&scene, 0, RULES_ROLE_RAT, "b6");
}

Test(jungle, j16_a_jumper_lands_on_what_it_may_take)
{
    expect_allowed("", "7/7/1t5/7/7/7/1L5/7/7 r", "b3b7");
    expect_allowed("", "7/7/1r5/7/7/7/1T5/7/7 r", "b3b7");
    expect_refused("", "7/7/1l5/7/7/7/1T5/7/7 r", "b3b7", RULES_RANK_TOO_HIGH, "jungle.strength");
    expect_refused("", "c6/7/1D5/7/7/7/1T5/7/7 r", "b3b7", RULES_OCCUPIED, "jungle.own-side");
}

/* ---- J17 to J25: captures ---- */

Test(jungle, j17_j18_who_takes_whom_on_land)
{
    static const char red[] = "RCDWPTLE", blue[] = "rcdwptle";

    for (size_t a = 0; a < 8; a++)
        for (size_t b = 0; b < 8; b++) {
            bool elephant_and_rat = a == 7 && b == 0;
            char position[64];

            snprintf(position, sizeof(position), "7/7/7/7/3%c3/3%c3/7/7/7 r", blue[b], red[a]);
            if ((a >= b && !elephant_and_rat) || (a == 0 && b == 7))
                expect_allowed("", position, "d4d5");
            else
                expect_refused("", position, "d4d5", RULES_RANK_TOO_HIGH,
                               elephant_and_rat ? "jungle.elephant-and-rat" : "jungle.strength");
        }
}

Test(jungle, j17_the_refusal_names_the_defender_and_both_strengths)
{
    expect_refused("", "7/7/7/7/3w3/3C3/7/7/7 r", "d4d5", RULES_RANK_TOO_HIGH, "jungle.strength");
    scene_witness(&scene, 0, RULES_ROLE_DEFENDER, "d5");
    cr_expect_eq(scene.why.yours, 2);
    cr_expect_eq(scene.why.required, 4);
}

Test(jungle, j19_a_rat_in_water_takes_no_elephant)
{
    expect_refused("", "7/7/7/7/eR5/7/7/7/7 r", "b5a5", RULES_RANK_TOO_HIGH,
                   "jungle.rat-from-water");
    scene_witness(&scene, 0, RULES_ROLE_DEFENDER, "a5");
    expect_refused("", "7/7/7/7/cR5/7/7/7/7 r", "b5a5", RULES_RANK_TOO_HIGH, "jungle.strength");
}

Test(jungle, j20_a_rat_in_water_is_taken_by_a_rat_alone)
{
    static const char *const kinds = "CDWPTLE";

    for (const char *kind = kinds; *kind != '\0'; kind++) {
        char position[64];

        snprintf(position, sizeof(position), "7/7/7/7/%cr5/7/7/7/7 r", *kind);
        expect_refused("", position, "a5b5", RULES_RANK_TOO_HIGH, "jungle.rat-in-water");
        scene_witness(&scene, 0, RULES_ROLE_DEFENDER, "b5");
    }
    expect_allowed("", "7/7/7/7/1r5/1R5/7/7/7 r", "b4b5");
}

Test(jungle, j21_rats_across_the_bank)
{
    static const char landing[] = "7/7/7/7/rR5/7/7/7/7 r", entering[] = "7/7/7/7/Rr5/7/7/7/7 r";

    expect_allowed("rat_shore=free", landing, "b5a5");
    expect_allowed("rat_shore=free", entering, "a5b5");
    expect_refused("rat_shore=same", landing, "b5a5", RULES_RANK_TOO_HIGH, "jungle.rat-shore");
    expect_refused("rat_shore=same", entering, "a5b5", RULES_RANK_TOO_HIGH, "jungle.rat-shore");
    expect_refused("rat_shore=enter_only", landing, "b5a5", RULES_RANK_TOO_HIGH,
                   "jungle.rat-shore");
    expect_allowed("rat_shore=enter_only", entering, "a5b5");
}

Test(jungle, j21_rats_on_one_side_of_the_bank_take_each_other_always)
{
    static const char *const options[] = {"rat_shore=free", "rat_shore=same",
                                          "rat_shore=enter_only"};

    for (size_t i = 0; i < LENGTH(options); i++) {
        expect_allowed(options[i], "7/7/7/7/r6/R6/7/7/7 r", "a4a5");
        expect_allowed(options[i], "7/7/7/7/1r5/1R5/7/7/7 r", "b4b5");
    }
}

Test(jungle, j22_a_piece_in_its_own_trap_is_not_affected)
{
    expect_refused("", "7/7/7/7/7/7/7/2c4/2D4 b", "c2c1", RULES_RANK_TOO_HIGH, "jungle.strength");
    expect_allowed("", "7/7/7/7/7/7/7/2c4/2D4 r", "c1c2");
}

Test(jungle, j23_any_piece_takes_an_enemy_in_its_own_trap)
{
    expect_allowed("", "7/7/7/7/7/7/7/7/1Rl4 r", "b1c1");
    expect_allowed("", "7/7/7/7/7/7/7/2Ce3/7 r", "c2d2");
    expect_allowed("", "7/7/7/7/7/7/3C3/3e3/7 r", "d3d2");
    expect_allowed("", "7/7/7/7/7/7/7/7/1Er4 r", "b1c1");
    expect_allowed("", "1rL4/7/7/7/7/7/7/7/7 b", "b9c9");
}

Test(jungle, j24_a_piece_in_an_enemy_trap_takes_nothing)
{
    static const char position[] = "7/3Wc2/7/7/7/7/7/7/7 r";

    expect_refused("", position, "d8e8", RULES_RANK_TOO_HIGH, "jungle.trapped-attack");
    scene_witness(&scene, 0, RULES_ROLE_DEFENDER, "e8");
    expect_allowed("", position, "d8c8");
    expect_allowed("trapped_attack=normal", position, "d8e8");
}

Test(jungle, j25_capturing_is_not_compulsory)
{
    expect_allowed("", "7/7/7/7/3c3/3W3/7/7/7 r", "d4d3");
}
