/*
 * fuzz.h - what the fuzzers have in common: an input is a byte that chooses the game, and text.
 */
#ifndef PLYD_TESTS_FUZZ_FUZZ_H
#define PLYD_TESTS_FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/draw/picture.h"
#include "rules/rules.h"

enum { FUZZ_MOVES_MAX = 1 << 16 };

/* Stops the fuzzer, which keeps the input, unless the condition holds. */
#define must(condition)                                                              \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: must be: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                 \
        }                                                                            \
    } while (0)

static inline const struct rules_game *fuzz_game(const uint8_t *data, size_t size)
{
    return size == 0 ? NULL : rules_game(data[0] % rules_games());
}

/* The rest of the input as a text in a buffer of exactly its length, so that a sanitizer sees every
 * read behind it. The caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size);

    must(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    return text;
}

/* Asserts that a refusal has a code, and a law only of its own game. */
static inline void fuzz_check_refusal(const struct rules_game *game,
                                      const struct rules_refusal *why)
{
    must(why->code > RULES_OK && why->code < RULES_CODES);
    must(why->law == NULL || (why->law >= game->laws && why->law < game->laws + game->nlaws));
    must(why->witnesses <= RULES_WITNESSES_MAX);
    must(why->examples <= RULES_EXAMPLES_MAX);
}

/* Asserts that a position is written canonically: read again, it is written the same. */
static inline void fuzz_check_position(const struct rules_game *game,
                                       const struct rules_options *options,
                                       const struct rules_state *state)
{
    char text[RULES_POSITION_TEXT], again_text[RULES_POSITION_TEXT];
    struct rules_state again;
    struct rules_refusal why;

    game->position_text(state, text);
    must(rules_load(game, options, text, &again, &why));
    game->position_text(&again, again_text);
    must(strcmp(text, again_text) == 0);
    must(game->key(state) == game->key(&again));
    must(game->count(state) == game->count(&again));
}

/* Asserts that the picture of a position has the length that it tells, and no text in it that could
 * be taken for an element. */
static inline void fuzz_check_picture(const struct rules_game *game,
                                      const struct rules_state *state,
                                      const struct rules_look *look)
{
    const struct rules_picture_options frame = {.coords = true};
    size_t len = rules_board_picture(game, state, look, &frame, NULL, 0);
    char *text = malloc(len + 1);

    must(text != NULL);
    must(rules_board_picture(game, state, look, &frame, text, len + 1) == len);
    must(strlen(text) == len && strchr(text, '&') == NULL);
    free(text);
}

/* Asserts that the text boards of a position have the length that they tell and stay inside their
 * buffer. `ending` is what stands below them, or NULL. */
static inline void fuzz_check_boards(const struct rules_game *game, const struct rules_state *state,
                                     const char *ending)
{
    struct rules_look look;

    rules_look_init(&look);
    look.selected = 0;
    look.stacks = true;
    look.ending = ending;
    for (unsigned style = RULES_STYLE_UNICODE; style <= RULES_STYLE_FIGURES; style++) {
        size_t len;
        char *text;

        look.style = (enum rules_style)style;
        look.view = 1 + style % RULES_SEATS;
        len = rules_board_text(game, state, &look, NULL, 0);
        text = malloc(len + 1);
        must(text != NULL);
        must(rules_board_text(game, state, &look, text, len + 1) == len);
        must(strlen(text) == len);
        free(text);
    }
    fuzz_check_picture(game, state, &look);
}

#endif
