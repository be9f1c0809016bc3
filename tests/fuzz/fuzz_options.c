/*
 * fuzz_options.c - any texts as options of any game.
 *
 * Input: a byte that chooses the game, then lines of name=value.
 */
#include "fuzz.h"

enum { LINES_MAX = 16 };

static bool give_lines(const struct rules_game *game, char *text, struct rules_options *options)
{
    char *rest = text;

    for (size_t i = 0; i < LINES_MAX && rest != NULL; i++) {
        char *value = strsep(&rest, "\n"), *name = strsep(&value, "=");
        struct rules_refusal why;

        if (value == NULL)
            value = name;
        if (!rules_option_set(game, options, name, value, &why)) {
            fuzz_check_refusal(game, &why);
            return false;
        }
    }
    return true;
}

/* Asserts that resolved options are written, and that given again they mean the same. */
static void check_texts(const struct rules_game *game, const struct rules_options *options,
                        const struct rules_state *state)
{
    static char texts[RULES_OPTIONS_MAX][RULES_POSITION_TEXT];
    struct rules_options again;
    struct rules_state again_state;
    struct rules_refusal why;

    rules_options_init(&again);
    for (size_t i = 0; i < game->noptions; i++) {
        must(options->value[i] != RULES_NOT_GIVEN);
        rules_option_text(game, options, i, texts[i]);
        must(rules_option_set(game, &again, game->options[i].name, texts[i], &why));
    }
    must(rules_start(game, &again, NULL, &again_state, &why));
    must(memcmp(options->value, again.value, sizeof(again.value)) == 0);
    must(game->key(state) == game->key(&again_state));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rules_game *game = fuzz_game(data, size);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    char *text;

    if (game == NULL)
        return 0;
    text = fuzz_text(data, size);
    rules_options_init(&options);
    if (give_lines(game, text, &options)) {
        if (rules_start(game, &options, NULL, &state, &why)) {
            check_texts(game, &options, &state);
            fuzz_check_position(game, &options, &state);
        } else {
            fuzz_check_refusal(game, &why);
        }
    }
    free(text);
    return 0;
}
