/*
 * fuzz_move.c - any texts as moves in any position of any game.
 *
 * Input: a byte that chooses the game, then lines: the position (an empty line for the start), and
 * moves that are tried and, if they are legal, played.
 */
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

/* Tries a move and plays it if it is legal. `last` is the move before it. */
static void try_move(const struct rules_game *game, const char *text, struct rules_state *state,
                     rules_move *last)
{
    struct rules_state before;
    char pretty[RULES_PRETTY_TEXT];
    struct rules_refusal why;
    rules_move move;

    rules_copy(state, &before);
    if (!rules_play(game, state, text, &move, &why)) {
        fuzz_check_refusal(game, &why);
        must(state->bytes == before.bytes);
        must(memcmp(state->w, before.w, before.bytes) == 0);
        return;
    }
    check_played(game, &before, move);
    if (game->pretty != NULL)
        game->pretty(&before, *last, move, pretty);
    *last = move;
}

static void play_lines(const struct rules_game *game, char *text)
{
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    rules_move last = {{0, 0}};
    char *rest = text, *line = strsep(&rest, "\n");

    rules_options_init(&options);
    if (!rules_start(game, &options, line[0] != '\0' ? line : NULL, &state, &why))
        return;
    for (line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        char *copy = strdup(line); /* so that nothing stands behind its end */

        must(copy != NULL);
        try_move(game, copy, &state, &last);
        free(copy);
    }
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
