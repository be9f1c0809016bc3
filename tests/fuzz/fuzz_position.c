/*
 * fuzz_position.c - any text as a position of any game: it is accepted, written canonically, and
 * playable, or it is refused with a reason; if it may be looked at then, its boards can be drawn.
 *
 * Input: a byte that chooses the game, a byte that gives options, the text.
 */
#include "fuzz.h"

enum {
    PLAYED_MAX = 64, /* moves of the position that are played */
    PLIES = 4        /* of the random game that follows */
};

/* Bit i gives option i its last choice, its largest number, or true. */
static void give_options(const struct rules_game *game, uint8_t bits, struct rules_options *options)
{
    rules_options_init(options);
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];

        if ((bits & 1U << i) == 0 || option->kind == RULES_OPTION_START)
            continue;
        options->given |= 1U << i;
        options->value[i] = option->kind == RULES_OPTION_BOOL ? 1 : option->max;
        if (option->kind == RULES_OPTION_CHOICE)
            for (options->value[i] = 0; option->choices[options->value[i] + 1] != NULL;)
                options->value[i]++;
    }
}

static void check_moves(const struct rules_game *game, const struct rules_options *options,
                        const struct rules_state *state, const rules_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i += 1 + n / PLAYED_MAX) {
        char text[RULES_MOVE_TEXT];
        struct rules_effect effects[RULES_EFFECTS_MAX];
        struct rules_state next;
        struct rules_refusal why;
        rules_move read;

        game->move_text(state, moves[i], text);
        must(game->read_move(state, text, &read, &why));
        must(rules_same_move(read, moves[i]));
        must(game->effects(state, moves[i], effects) <= RULES_EFFECTS_MAX);
        game->play(state, moves[i], &next);
        fuzz_check_position(game, options, &next);
    }
}

static void play_on(const struct rules_game *game, const struct rules_options *options,
                    struct rules_state *state)
{
    static rules_move moves[FUZZ_MOVES_MAX];
    uint64_t seed = game->key(state);

    for (int ply = 0; ply < PLIES; ply++) {
        size_t n = game->legal(state, moves, FUZZ_MOVES_MAX);
        struct rules_state next;

        must(n == game->count(state));
        must(n <= FUZZ_MOVES_MAX);
        if (n == 0)
            return;
        check_moves(game, options, state, moves, n);
        game->play(state, moves[rules_choose(&seed, n)], &next);
        rules_copy(&next, state);
    }
}

/* A position that may only be looked at is written as a text that is refused in the same way. */
static void look_at(const struct rules_game *game, const struct rules_options *options,
                    const struct rules_state *state, const struct rules_refusal *refused)
{
    char text[RULES_POSITION_TEXT], again_text[RULES_POSITION_TEXT];
    struct rules_options again_options = *options;
    struct rules_state again;
    struct rules_refusal why;

    game->position_text(state, text);
    must(!rules_start(game, &again_options, text, &again, &why));
    must(why.visible && why.law == refused->law);
    game->position_text(&again, again_text);
    must(strcmp(text, again_text) == 0);
    must(game->to_move(state) >= 1 && game->to_move(state) <= RULES_SEATS);
    fuzz_check_boards(game, state, "not playable");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rules_game *game = fuzz_game(data, size);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    char *text;

    if (game == NULL || size < 2)
        return 0;
    text = fuzz_text(data + 1, size - 1);
    give_options(game, data[1], &options);
    if (rules_start(game, &options, text, &state, &why)) {
        fuzz_check_position(game, &options, &state);
        fuzz_check_boards(game, &state, NULL);
        play_on(game, &options, &state);
    } else {
        fuzz_check_refusal(game, &why);
        if (why.visible)
            look_at(game, &options, &state, &why);
    }
    free(text);
    return 0;
}
