/* draughts_board.c - what the tests of Turkish draughts ask of a scene. */
#include "draughts_board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rules_game *const game = &rules_turkish_draughts;

enum { MOVES_MAX = 512, TEXT_MAX = 8192 };

struct scene draughts_with(const char *options, const char *position)
{
    struct scene scene;

    scene_open(&scene, game, options, position);
    return scene;
}

struct scene draughts_at(const char *position)
{
    return draughts_with("", position);
}

struct scene draughts_after(struct scene scene, const char *moves)
{
    scene_play(&scene, moves);
    return scene;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void expect_moves(const struct scene *scene, const rules_move *moves, size_t n,
                         const char *expected)
{
    char texts[MOVES_MAX][RULES_MOVE_TEXT], all[TEXT_MAX] = "";

    for (size_t i = 0; i < n; i++)
        game->move_text(&scene->state, moves[i], texts[i]);
    qsort(texts, n, sizeof(texts[0]), compare_texts);
    for (size_t i = 0; i < n; i++)
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i > 0 ? " " : "", texts[i]);
    cr_assert_str_eq(all, expected);
}

void draughts_expect_moves(struct scene scene, const char *moves)
{
    rules_move legal[MOVES_MAX];
    size_t n = game->legal(&scene.state, legal, MOVES_MAX);

    cr_assert_leq(n, MOVES_MAX);
    cr_assert_eq(game->count(&scene.state), n);
    expect_moves(&scene, legal, n, moves);
}

void draughts_expect_after(struct scene scene, const char *move, const char *position)
{
    scene_play(&scene, move);
    cr_assert_str_eq(scene_position(&scene), position);
}

void draughts_expect_outcome(struct scene scene, const char *outcome)
{
    cr_assert_str_eq(scene_outcome(&scene), outcome);
}

void draughts_expect_read(struct scene scene, const char *text, const char *move)
{
    rules_move found;

    cr_assert(game->read_move(&scene.state, text, &found, &scene.why), "%s is refused: %s", text,
              rules_code_text(scene.why.code));
    expect_moves(&scene, &found, 1, move);
}

struct rules_refusal draughts_refused(struct scene scene, const char *move, enum rules_code code,
                                      const char *law)
{
    cr_assert_not(scene_allows(&scene, move), "%s is allowed", move);
    cr_assert_str_eq(rules_code_text(scene.why.code), rules_code_text(code), "%s: %s", move,
                     rules_code_text(scene.why.code));
    cr_assert_str_eq(scene.why.law->number, law, "%s: %s", move, scene.why.law->text);
    return scene.why;
}

void draughts_expect_witnesses(const struct rules_refusal *why, const char *expected)
{
    char text[256] = "", square[RULES_SQUARE_TEXT];

    for (unsigned i = 0; i < why->witnesses; i++) {
        const struct rules_witness *witness = &why->witness[i];
        const char *piece = "";

        rules_square_text(game->board(NULL), witness->square, square);
        if (witness->man.seat != 0)
            piece = game->pieces[witness->man.kind].ascii[witness->man.seat - 1];
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %s%s", i > 0 ? " " : "",
                 rules_role_text(witness->role), square, piece);
    }
    cr_assert_str_eq(text, expected);
}

void draughts_expect_examples(struct scene scene, const struct rules_refusal *why,
                              const char *moves)
{
    expect_moves(&scene, why->example, why->examples, moves);
}
