/* stackchess_scene.c - see stackchess_scene.h. */
#include "stackchess_scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS_MAX = 1 << 16 };

bool scene_try(const char *options, const char *position, struct rules_state *state,
               struct rules_refusal *why)
{
    char copy[256], *rest = copy, *word;
    struct rules_options given;

    rules_options_init(&given);
    snprintf(copy, sizeof(copy), "%s", options);
    while ((word = strsep(&rest, " ")) != NULL) {
        char *name = strsep(&word, "=");

        if (*name != '\0' && !rules_option_set(&rules_stackchess, &given, name, word, why))
            return false;
    }
    return rules_start(&rules_stackchess, &given, position, state, why);
}

struct rules_state scene(const char *options, const char *position)
{
    struct rules_state state;
    struct rules_refusal why;

    if (!scene_try(options, position, &state, &why))
        cr_assert_fail("%s is refused: %s", position, why.law != NULL ? why.law->id : why.option);
    return state;
}

struct rules_state scene_play(struct rules_state state, const char *moves)
{
    char copy[256], *rest = copy, *word;
    struct rules_refusal why;

    snprintf(copy, sizeof(copy), "%s", moves);
    while ((word = strsep(&rest, " ")) != NULL)
        if (!rules_play(&rules_stackchess, &state, word, NULL, &why))
            cr_assert_fail("%s is refused: %s", word, rules_code_text(why.code));
    return state;
}

const char *scene_text(const struct rules_state *state)
{
    static char text[RULES_POSITION_TEXT];

    rules_stackchess.position_text(state, text);
    return text;
}

const char *scene_after(const char *position, const char *moves)
{
    struct rules_state after = scene_play(scene("", position), moves);

    return scene_text(&after);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

const char *scene_moves(const struct rules_state *state, const char *prefix)
{
    static rules_move moves[TEXTS_MAX / 4];
    static char found[TEXTS_MAX / 4][RULES_MOVE_TEXT];
    static char joined[TEXTS_MAX];
    size_t n = rules_stackchess.legal(state, moves, TEXTS_MAX / 4), len = 0;

    cr_assert_leq(n, TEXTS_MAX / 4, "more moves than a test should have");
    for (size_t i = 0; i < n; i++) {
        rules_stackchess.move_text(state, moves[i], found[len]);
        len += strncmp(found[len], prefix, strlen(prefix)) == 0;
    }
    qsort(found, len, sizeof(found[0]), by_bytes);
    joined[0] = '\0';
    for (size_t i = 0; i < len; i++)
        snprintf(strchr(joined, '\0'), RULES_MOVE_TEXT + 1, "%s%s", i > 0 ? " " : "", found[i]);
    return joined;
}

const char *scene_legal(const char *position, const char *prefix)
{
    struct rules_state state = scene("", position);

    return scene_moves(&state, prefix);
}

struct rules_refusal scene_refusal(const char *position, const char *move)
{
    struct rules_state state = scene("", position);
    struct rules_refusal why = {.code = RULES_OK};
    rules_move read;

    cr_assert_not(rules_stackchess.read_move(&state, move, &read, &why), "%s is legal", move);
    return why;
}
