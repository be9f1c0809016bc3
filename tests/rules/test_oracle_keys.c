/*
 * test_oracle_keys.c - keys of positions that differ by little: a man less, two men exchanged, the
 * other side to move. Games seldom bring two such positions together, and a key that mixes squares,
 * kinds and turns badly is the same for just these.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum {
    NEIGHBOURHOODS = 60,
    TOKEN = 40,
    CELLS = 9 * 10, /* cells of the largest board that is tried, with the marks between ranks */
    CELLS_MAX = 26 * 27
};

/* A position, taken apart: what stands on each square ("" for nothing, "/" between ranks), the side
 * to move, and what follows. */
struct parts {
    char cell[CELLS_MAX][TOKEN];
    size_t len;
    char side;
    char rest[REFERENCE_TEXT];
};

/* ---- texts of ranks, which all games but draughts have ---- */

static size_t token_len(const char *at)
{
    if (*at == '(')
        return strcspn(at, ")") + 1;
    return *at == '+' ? 2 : 1;
}

static void split_ranks(const char *text, struct parts *parts)
{
    const char *at = text;

    parts->len = 0;
    while (*at != ' ') {
        if (isdigit((unsigned char)*at)) {
            for (int run = reference_take_number(&at); run > 0; run--)
                parts->cell[parts->len++][0] = '\0';
            continue;
        }
        cr_assert_lt(token_len(at), TOKEN);
        snprintf(parts->cell[parts->len++], TOKEN, "%.*s", (int)token_len(at), at);
        at += token_len(at);
    }
    parts->side = at[1];
    strcpy(parts->rest, at + 2);
}

static void join_ranks(const struct parts *parts, char *text)
{
    int empty = 0;

    text[0] = '\0';
    for (size_t i = 0; i < parts->len; i++) {
        if (parts->cell[i][0] == '\0') {
            empty++;
            continue;
        }
        if (empty > 0)
            reference_print(text, "%d", empty);
        reference_print(text, "%s", parts->cell[i]);
        empty = 0;
    }
    if (empty > 0)
        reference_print(text, "%d", empty);
    reference_print(text, " %c%s", parts->side, parts->rest);
}

/* ---- draughts (T31): lists of squares ---- */

static void split_lists(const char *text, struct parts *parts)
{
    char colour = 'w';

    memset(parts, 0, sizeof(*parts));
    parts->len = 64;
    parts->side = text[0];
    for (const char *at = text + 2; *at != '\0' && *at != 'H'; at++) {
        bool king = *at == 'K';

        if (*at == 'W' || *at == 'B')
            colour = (char)tolower(*at);
        at += king;
        if (islower((unsigned char)at[0]) && isdigit((unsigned char)at[1]))
            parts->cell[(at[1] - '1') * 8 + at[0] - 'a'][0] = king ? (char)toupper(colour) : colour;
    }
}

static void join_lists(const struct parts *parts, char *text)
{
    text[0] = '\0';
    reference_print(text, "%c", parts->side);
    for (const char *side = "WB"; *side != '\0'; side++) {
        const char *comma = "";

        reference_print(text, ":%c", *side);
        for (int i = 0; i < 64; i++) {
            char man = parts->cell[i][0];

            if (man == '\0' || toupper(man) != *side)
                continue;
            reference_print(text, "%s%s%c%d", comma, man == *side ? "K" : "", 'a' + i % 8,
                            i / 8 + 1);
            comma = ",";
        }
    }
}

/* ---- neighbourhoods ---- */

struct neighbourhood {
    const struct reference_game *reference;
    const struct rules_game *game;
    const char *options;
    void (*join)(const struct parts *parts, char *text);
    struct oracle_met *met;
    size_t len, cap;
};

/* Notes the key of a position. One that start() refuses is left out. */
static void meet(struct neighbourhood *hood, const struct parts *parts)
{
    char text[REFERENCE_TEXT], canonical[RULES_POSITION_TEXT], identity[REFERENCE_TEXT];
    struct rules_options options;
    struct rules_refusal why;
    struct rules_state state;

    hood->join(parts, text);
    rules_options_init(&options);
    if (hood->options != NULL)
        cr_assert(rules_option_set(hood->game, &options, "rules", hood->options, &why));
    if (!rules_start(hood->game, &options, text, &state, &why))
        return;
    if (hood->len == hood->cap) {
        hood->cap = hood->cap == 0 ? 1024 : 2 * hood->cap;
        hood->met = realloc(hood->met, hood->cap * sizeof(*hood->met));
        cr_assert_not_null(hood->met);
    }
    hood->game->position_text(&state, canonical);
    hood->reference->identity(canonical, identity);
    hood->met[hood->len++] = (struct oracle_met){strdup(identity), hood->game->key(&state)};
}

/* Notes a position with either side to move. */
static void meet_both(struct neighbourhood *hood, const struct parts *parts)
{
    struct parts turned = *parts;

    meet(hood, parts);
    for (size_t seat = 0; seat < RULES_SEATS; seat++)
        if (hood->game->seat[seat].mark[0] != parts->side)
            turned.side = hood->game->seat[seat].mark[0];
    meet(hood, &turned);
}

static bool is_man(const char *cell)
{
    return cell[0] != '\0' && cell[0] != '/';
}

/* Notes the positions in which two men are exchanged, and in which a man and an empty square are.
 */
static void meet_exchanges(struct neighbourhood *hood, const struct parts *parts, size_t i)
{
    for (size_t k = 0; k < parts->len; k++) {
        struct parts exchanged = *parts;

        if (k == i || parts->cell[k][0] == '/' || (k < i && is_man(parts->cell[k])))
            continue;
        strcpy(exchanged.cell[i], parts->cell[k]);
        strcpy(exchanged.cell[k], parts->cell[i]);
        meet_both(hood, &exchanged);
    }
}

static void meet_all(struct neighbourhood *hood, const struct parts *parts)
{
    meet_both(hood, parts);
    for (size_t i = 0; i < parts->len; i++) {
        struct parts without = *parts;

        if (!is_man(parts->cell[i]))
            continue;
        without.cell[i][0] = '\0';
        meet_both(hood, &without);
        meet_exchanges(hood, parts, i);
    }
}

static int by_key(const void *a, const void *b)
{
    const struct oracle_met *one = a, *other = b;

    return (one->key > other->key) - (one->key < other->key);
}

/* Compares all neighbours by their keys: equal keys must be of the same position. */
static void compare_and_leave(struct neighbourhood *hood)
{
    if (hood->len > 0)
        qsort(hood->met, hood->len, sizeof(*hood->met), by_key);
    for (size_t i = 1; i < hood->len; i++)
        if (by_key(&hood->met[i - 1], &hood->met[i]) == 0)
            cr_assert_str_eq(hood->met[i - 1].identity, hood->met[i].identity,
                             "%s: one key for %s and %s", hood->game->name,
                             hood->met[i - 1].identity, hood->met[i].identity);
    for (size_t i = 0; i < hood->len; i++)
        free(hood->met[i].identity);
    hood->len = 0;
}

static void compare_neighbours(const struct reference_game *reference, const char *options,
                               oracle_setup setup)
{
    bool lists = reference == &reference_turkish_draughts;
    struct neighbourhood hood = {
        .reference = reference,
        .game = rules_find(reference->name),
        .options = options,
        .join = lists ? join_lists : join_ranks,
    };
    static struct parts parts;
    char position[REFERENCE_TEXT];
    uint64_t seed = 1;
    size_t met = 0;

    for (int i = 0; i < NEIGHBOURHOODS; i++) {
        do {
            setup(&seed, options == NULL ? "" : "rules=casual", position);
            (lists ? split_lists : split_ranks)(position, &parts);
        } while (parts.len > CELLS);
        meet_all(&hood, &parts);
        met += hood.len;
        compare_and_leave(&hood);
    }
    free(hood.met);
    cr_assert_gt(met, 10 * NEIGHBOURHOODS, "%s: hardly a neighbour is a position", hood.game->name);
}

Test(oracle, keys_of_turkish_draughts_differ_where_positions_differ_by_little)
{
    compare_neighbours(&reference_turkish_draughts, NULL, oracle_setup_draughts);
}

Test(oracle, keys_of_jungle_differ_where_positions_differ_by_little)
{
    compare_neighbours(&reference_jungle, NULL, oracle_setup_jungle);
}

Test(oracle, keys_of_shogi_differ_where_positions_differ_by_little)
{
    compare_neighbours(&reference_shogi, "casual", oracle_setup_shogi);
}

Test(oracle, keys_of_stackchess_differ_where_positions_differ_by_little)
{
    compare_neighbours(&reference_stackchess, NULL, oracle_setup_stackchess);
}
