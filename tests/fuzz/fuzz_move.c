/*
 * fuzz_move.c - any texts as moves in any position of any game.
 *
 * Input: a byte that chooses the game, then lines: the position (an empty line for the start), and
 * moves that are tried as people write them and, if they are legal, played.
 */
#include "api/record/move_notation.h"
#include "api/text/json_text.h"
#include "fuzz.h"

static void check_played(const struct rules_game *game, const struct rules_state *before,
                         rules_move played)
{
    static rules_move moves[FUZZ_MOVES_MAX];
    char text[RULES_MOVE_TEXT];
    struct rules_refusal why;
    rules_move read;

    must(rules_is_legal(game, before, played, moves, FUZZ_MOVES_MAX));
    game->move_text(before, played, text);
    must(game->read_move(before, text, &read, &why));
    must(rules_same_move(read, played));
}

/* What the rules read is the same move for everybody. */
static void check_exact(const struct rules_game *game, const struct rules_state *state,
                        const char *text, const rules_move *written)
{
    struct rules_refusal why;
    rules_move exact;

    if (game->read_move(state, text, &exact, &why))
        must(written != NULL && rules_same_move(exact, *written));
    else
        fuzz_check_refusal(game, &why);
}

/* What is written for people is read as the move that it was written for. */
static void check_pretty(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, rules_move last, rules_move move)
{
    char pretty[RULES_PRETTY_TEXT];
    struct rules_refusal why;
    rules_move read;

    if (game->pretty == NULL)
        return;
    game->pretty(state, last, move, pretty);
    must(record_read_move(arena, game, state, last, pretty, &read, &why));
    must(rules_same_move(read, move));
}

/* Tries a move and plays it if it is legal. `last` is the move before it. */
static void try_move(struct arena *arena, const struct rules_game *game, const char *text,
                     struct rules_state *state, rules_move *last)
{
    struct rules_state before;
    struct rules_refusal why;
    rules_move move;

    rules_copy(state, &before);
    if (!json_is_utf8(text, strlen(text))) {
        check_exact(game, state, text, NULL);
        return;
    }
    if (!record_read_move(arena, game, state, *last, text, &move, &why)) {
        fuzz_check_refusal(game, &why);
        check_exact(game, state, text, NULL);
        return;
    }
    check_exact(game, state, text, &move);
    check_played(game, &before, move);
    check_pretty(arena, game, &before, *last, move);
    game->play(&before, move, state);
    *last = move;
}

static void play_lines(const struct rules_game *game, char *text)
{
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    rules_move last = {{0, 0}};
    struct arena arena = {0};
    char *rest = text, *line = strsep(&rest, "\n");

    rules_options_init(&options);
    if (!rules_start(game, &options, line[0] != '\0' ? line : NULL, &state, &why))
        return;
    for (line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        char *copy = strdup(line); /* so that nothing stands behind its end */

        must(copy != NULL);
        try_move(&arena, game, copy, &state, &last);
        free(copy);
    }
    arena_free(&arena);
    fuzz_check_position(game, &options, &state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rules_game *game = fuzz_game(data, size);
    char *text;

    if (game == NULL)
        return 0;
    text = fuzz_text(data, size);
    play_lines(game, text);
    free(text);
    return 0;
}
