/* draughts_board.c - see draughts_board.h. */
#include "draughts_board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rules_game *const game = &rules_turkish_draughts;

enum { MOVES_MAX = 512 };

static void set_option(struct rules_options *options, const char *assignment)
{
    struct rules_refusal why;
    char name[32], value[32];

    cr_assert_eq(sscanf(assignment, "%31[^=]=%31s", name, value), 2, "%s", assignment);
    cr_assert(rules_option_set(game, options, name, value, &why), "%s", assignment);
}

struct rules_state draughts_with(const char *options_text, const char *position)
{
    struct rules_options options;
    struct rules_refusal why;
    struct rules_state state;
    char copy[256], *rest;

    rules_options_init(&options);
    snprintf(copy, sizeof(copy), "%s", options_text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        set_option(&options, word);
    cr_assert(rules_start(game, &options, position, &state, &why), "%s is refused: %s", position,
              why.law == NULL ? rules_code_text(why.code) : why.law->text);
    return state;
}

struct rules_state draughts_at(const char *position)
{
    return draughts_with("", position);
}

struct rules_state draughts_after(struct rules_state state, const char *moves)
{
    struct rules_refusal why;
    char copy[1024], *rest;

    snprintf(copy, sizeof(copy), "%s", moves);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        cr_assert(rules_play(game, &state, word, NULL, &why), "%s is refused: %s", word,
                  rules_code_text(why.code));
    return state;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The moves' texts in byte order, parted by blanks. */
static void write_moves(struct rules_state state, const rules_move *moves, size_t n, char *out)
{
    char texts[MOVES_MAX][RULES_MOVE_TEXT];

    for (size_t i = 0; i < n; i++)
        game->move_text(&state, moves[i], texts[i]);
    qsort(texts, n, sizeof(texts[0]), compare_texts);
    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        snprintf(out + strlen(out), DRAUGHTS_TEXT - strlen(out), "%s%s", i > 0 ? " " : "",
                 texts[i]);
}

void draughts_expect_moves(struct rules_state state, const char *expected)
{
    rules_move moves[MOVES_MAX];
    char text[DRAUGHTS_TEXT];
    size_t n = game->legal(&state, moves, MOVES_MAX);

    cr_assert_leq(n, MOVES_MAX);
    cr_assert_eq(game->count(&state), n);
    write_moves(state, moves, n, text);
    cr_assert_str_eq(text, expected);
}

void draughts_expect_after(struct rules_state state, const char *move, const char *position)
{
    struct rules_state after = draughts_after(state, move);
    char text[RULES_POSITION_TEXT];

    game->position_text(&after, text);
    cr_assert_str_eq(text, position);
}

void draughts_expect_outcome(struct rules_state state, const char *expected)
{
    struct rules_outcome outcome = rules_outcome_now(game, &state);
    const char *reason = rules_reason_text(outcome.reason);
    char text[64];

    if (outcome.status == RULES_ONGOING)
        snprintf(text, sizeof(text), "ongoing");
    else if (outcome.status == RULES_DRAWN)
        snprintf(text, sizeof(text), "= %s", reason);
    else
        snprintf(text, sizeof(text), "%d %s", outcome.winner, reason);
    cr_assert_str_eq(text, expected);
}

struct rules_refusal draughts_refused(struct rules_state state, const char *text, const char *code,
                                      const char *law)
{
    struct rules_refusal why;
    rules_move move;

    cr_assert_not(game->read_move(&state, text, &move, &why), "%s is accepted", text);
    cr_assert_str_eq(rules_code_text(why.code), code, "%s: %s", text, rules_code_text(why.code));
    cr_assert_str_eq(why.law->number, law, "%s: %s", text, why.law->text);
    return why;
}

void draughts_expect_read(struct rules_state state, const char *text, const char *expected)
{
    struct rules_refusal why;
    rules_move move;
    char canonical[RULES_MOVE_TEXT];

    cr_assert(game->read_move(&state, text, &move, &why), "%s is refused: %s", text,
              rules_code_text(why.code));
    game->move_text(&state, move, canonical);
    cr_assert_str_eq(canonical, expected);
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

void draughts_expect_examples(struct rules_state state, const struct rules_refusal *why,
                              const char *expected)
{
    char text[DRAUGHTS_TEXT];

    write_moves(state, why->example, why->examples, text);
    cr_assert_str_eq(text, expected);
}
