/* test_move_notation.c - moves as people write them (record/move_notation.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "api/record/move_notation.h"
#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "tests/unit/played.h"

TestSuite(move_notation, .fini = played_free);

static struct played game;
static rules_move last;

/* Plays moves, parted by blanks, and remembers the last of them. */
static void play(const char *variant, const char *position, const char *moves)
{
    const char *end = strrchr(moves, ' ');
    struct rules_refusal why;

    played_from(&game, variant, "", position);
    last = (rules_move){{0, 0}};
    if (*moves == '\0')
        return;
    if (end != NULL)
        played_moves(&game, arena_copy(&played_arena, moves, (size_t)(end - moves)));
    end = end == NULL ? moves : end + 1;
    cr_assert(game.game->read_move(&game.state, end, &last, &why), "%s", end);
    played_moves(&game, end);
}

/* The canonical text of what is read, or the code of the refusal. */
static const char *read_as(const char *text, struct rules_refusal *why)
{
    rules_move move;

    if (!record_read_move(&played_arena, game.game, &game.state, last, text, &move, why))
        return rules_code_text(why->code);
    return move_text(&played_arena, game.game, &game.state, move);
}

static void expect(const char *text, const char *canonical)
{
    struct rules_refusal why;
    const char *read = read_as(text, &why);

    cr_expect_str_eq(read, canonical, "%s is read as %s", text, read);
}

/* ---- characters ---- */

Test(move_notation, capitals_and_blanks_of_any_kind_do_not_matter)
{
    play("tictactoe", NULL, "");
    expect("B2", "b2");
    expect(" b2\r\n", "b2");
    expect("\u3000b2\u00a0", "b2");
    play("jungle", NULL, "");
    expect("A3A4", "a3a4");
    expect(" a3 - a4 \n", "a3a4");
    play("stackchess", NULL, "");
    expect("1A2-A3", "a2a3");
    play("turkish-draughts", NULL, "");
    expect("A3-A4", "a3-a4");
    play("shogi", NULL, "");
    expect("7G-7F", "7g7f");
}

Test(move_notation, full_width_characters_and_dashes_are_plain_ones)
{
    play("tictactoe", NULL, "");
    expect("Ｂ２", "b2");
    expect("２，３", "c2");
    play("jungle", NULL, "");
    expect("a3–a4", "a3a4");
    expect("a3→a4", "a3a4");
    expect("a3−a4", "a3a4");
    play("turkish-draughts", "W:Wd4:Bd5,c6", "");
    expect("d4×d6×b6", "d4xd6xb6");
    play("shogi", NULL, "");
    expect("７ｇ７ｆ", "7g7f");
}

Test(move_notation, a_refusal_is_about_what_was_meant)
{
    play("turkish-draughts", NULL, "");
    expect("A2-A3", "occupied");
    expect("Z1-A2", "out-of-board");
    play("tictactoe", NULL, "b2");
    expect("B2", "occupied");
    play("shogi", NULL, "");
    expect("７五歩", "wrong-shape");
    expect("５五歩打", "not-in-hand");
    expect("7G7D", "wrong-shape");
}

Test(move_notation, any_other_text_is_refused_where_the_rules_stop_reading)
{
    static const char *const texts[] = {"hello", "７", "７六", "歩", "☗", "+7776", "+7776XX", "同"};
    struct rules_refusal why;

    play("shogi", NULL, "");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (strcmp(texts[i], "+7776") != 0)
            expect(texts[i], "bad-move-text");
    cr_expect_str_eq(read_as("7g7f?", &why), "bad-move-text");
    cr_expect_eq(why.at, 4);
}

/* ---- shogi ---- */

Test(move_notation, shogi_in_japanese)
{
    play("shogi", NULL, "");
    expect("７六歩", "7g7f");
    expect("☗７六歩", "7g7f");
    expect(" ▲7六歩 ", "7g7f");
    expect("７６歩", "7g7f");
    expect("７六歩(77)", "7g7f");
    expect("７六歩（７７）", "7g7f");
    play("shogi", NULL, "7g7f 3c3d 8h2b+");
    expect("△同　銀", "3a2b");
    expect("同銀", "3a2b");
    expect("２二銀", "3a2b");
    play("shogi", NULL, "7g7f 3c3d 8h2b+ 3a2b");
    expect("▲５五角打", "B*5e");
    expect("５五角", "B*5e");
    play("shogi", NULL, "7g7f 3c3d");
    expect("２二角成", "8h2b+");
    expect("２二角不成", "8h2b");
    expect("２二角", "8h2b");
}

Test(move_notation, shogi_in_csa_and_in_digits)
{
    play("shogi", NULL, "");
    expect("+7776FU", "7g7f");
    expect("7776FU", "7g7f");
    expect("7776fu", "7g7f");
    expect("7776", "7g7f");
    expect("7775FU", "wrong-shape");
    play("shogi", NULL, "7g7f 3c3d");
    expect("+8822UM", "8h2b+");
    expect("8822KA", "8h2b");
    expect("8822+", "8h2b+");
    play("shogi", NULL, "7g7f 3c3d 8h2b+ 3a2b");
    expect("+0055KA", "B*5e");
}

Test(move_notation, shogi_refuses_the_sign_of_the_other_side)
{
    play("shogi", NULL, "");
    expect("△７六歩", "not-your-piece");
    expect("-7776FU", "not-your-piece");
    play("shogi", NULL, "7g7f");
    expect("-3334FU", "3c3d");
    expect("☖３四歩", "3c3d");
    expect("☗３四歩", "not-your-piece");
}

/* Two golds can go to 5h, and one of them is meant by the words. */
Test(move_notation, shogi_names_the_candidates_of_what_is_ambiguous)
{
    struct rules_refusal why;

    play("shogi", NULL, "");
    cr_expect_str_eq(read_as("５八金", &why), "ambiguous");
    cr_assert_eq(why.examples, 2);
    for (size_t i = 0; i < 2; i++)
        expect(move_text_pretty(&played_arena, game.game, &game.state, last, why.example[i]),
               move_text(&played_arena, game.game, &game.state, why.example[i]));
    expect("５八金右", "4i5h");
    expect("５八金左", "6i5h");
}

/* ---- all games ---- */

static void reads_what_is_written(const char *variant, const char *options)
{
    played_start(&game, variant, options);
    last = (rules_move){{0, 0}};
    for (uint64_t seed = 1; seed < 60; seed++) {
        rules_move *moves, played;
        size_t n = legal_moves(&played_arena, game.game, &game.state, &moves);

        if (n == 0)
            return;
        for (size_t i = 0; i < n; i++)
            expect(move_text_pretty(&played_arena, game.game, &game.state, last, moves[i]),
                   move_text(&played_arena, game.game, &game.state, moves[i]));
        played = moves[rules_choose(&(uint64_t){seed}, n)];
        played_moves(&game, move_text(&played_arena, game.game, &game.state, played));
        last = played;
    }
}

Test(move_notation, every_move_is_read_as_it_is_shown_to_people)
{
    played_each(reads_what_is_written);
}

Test(move_notation, shogi_is_read_as_books_of_the_west_have_it)
{
    play("shogi", NULL, "");
    expect("P-7f", "7g7f");
    expect("P-76", "7g7f");
    expect("p7f", "7g7f");
    expect("G4i-5h", "4i5h");
    expect("G49-58", "4i5h");
    expect("G-5h", "ambiguous");
    expect("P-7e", "wrong-shape");
    play("shogi", NULL, "7g7f 3c3d");
    expect("Bx2b+", "8h2b+");
    expect("Bx2b=", "8h2b");
    play("shogi", NULL, "7g7f 3c3d 8h2b+ 3a2b");
    expect("B*4e", "B*4e");
    expect("B'4e", "B*4e");
}

Test(move_notation, a_capture_may_name_the_men_that_are_taken)
{
    play("turkish-draughts", "W:Wa3,h3:Ba4,a6,h6", "");
    expect("a3xa4xa6", "a3xa5xa7");
    expect("a3:a4:a6:a7", "a3xa5xa7");
    expect("A3xA4xA5xA6xA7", "a3xa5xa7");
}
