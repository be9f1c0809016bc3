/* test_tree.c - the legal moves as a tree of clicks, on made-up games that are lists of paths. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/rules.h"

/* A game here is a list of moves, each a text of clicks parted by blanks. A move is its index. */
static const char *const *paths;

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    size_t n = 0;

    (void)state;
    for (; paths[n] != NULL; n++)
        if (n < cap)
            moves[n] = (rules_move){{n + 1, 0}};
    return n;
}

static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    const char *at = paths[move.w[0] - 1];
    size_t n = 0;

    (void)state;
    while (*at != '\0') {
        size_t len = strcspn(at, " ");

        memcpy(click[n], at, len);
        click[n++][len] = '\0';
        at += len + (at[len] == ' ');
    }
    return n;
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    (void)state;
    snprintf(text, RULES_MOVE_TEXT, "#%s", paths[move.w[0] - 1]);
}

static const struct rules_game game = {.legal = legal, .path = path, .move_text = move_text};

/* ---- a visitor that writes the tree as one line: a(b=#a b) ---- */

static void write_enter(void *context, const char *click)
{
    strcat(context, click);
    strcat(context, "(");
}

static void write_leaf(void *context, const char *click, const char *move)
{
    strcat(context, click);
    strcat(context, "=");
    strcat(context, move);
    strcat(context, " ");
}

static void write_leave(void *context)
{
    strcat(context, ")");
}

static const char *tree_of(const char *const *moves)
{
    static char written[4096];
    static const struct rules_tree_visitor visitor = {written, write_enter, write_leaf,
                                                      write_leave};
    static struct rules_state state;
    rules_move listed[64];
    struct rules_path scratch[64];

    written[0] = '\0';
    paths = moves;
    rules_tree(&game, &state, listed, legal(&state, listed, 64), scratch, &visitor);
    return written;
}

#define TREE(...) tree_of((const char *const[]){__VA_ARGS__, NULL})

/* ---- tests ---- */

Test(tree, no_moves_are_an_empty_tree)
{
    cr_assert_str_eq(tree_of((const char *const[]){NULL}), "");
}

Test(tree, one_click_is_a_leaf)
{
    cr_assert_str_eq(TREE("b2"), "b2=#b2 ");
}

Test(tree, clicks_come_in_byte_order)
{
    cr_assert_str_eq(TREE("b1", "a2", "a10", "P*"), "P*=#P* a10=#a10 a2=#a2 b1=#b1 ");
}

Test(tree, moves_that_begin_alike_share_their_branch)
{
    cr_assert_str_eq(TREE("a1 b2", "c1 c2", "a1 a2"), "a1(a2=#a1 a2 b2=#a1 b2 )c1(c2=#c1 c2 )");
}

Test(tree, a_move_that_ends_where_others_go_on_has_an_empty_key)
{
    cr_assert_str_eq(TREE("8h 2b +", "8h 2b", "8h 3c"), "8h(2b(=#8h 2b +=#8h 2b + )3c=#8h 3c )");
}

Test(tree, a_move_that_ends_at_the_first_click_has_an_empty_key)
{
    cr_assert_str_eq(TREE("a1 b1", "a1"), "a1(=#a1 b1=#a1 b1 )");
}

Test(tree, several_levels_are_left_at_once)
{
    cr_assert_str_eq(TREE("a1 a2 a3 a4", "b1 b2", "a1 a2 a3 a5"),
                     "a1(a2(a3(a4=#a1 a2 a3 a4 a5=#a1 a2 a3 a5 )))b1(b2=#b1 b2 )");
}

Test(tree, clicks_are_compared_one_by_one_and_not_as_one_text)
{
    /* Joined as texts, "a1" "b1" and "a1b" "1" would look the same. */
    cr_assert_str_eq(TREE("a1b 1", "a1 b1"), "a1(b1=#a1 b1 )a1b(1=#a1b 1 )");
}

Test(tree, any_order_of_the_moves_gives_the_same_tree)
{
    const char *moves[] = {"a a", "a b", "a b c", "a c", "b", "b a", "c d e", "c d f", NULL};
    enum { MOVES = sizeof(moves) / sizeof(moves[0]) - 1 };
    char first[1024];
    uint64_t seed = 1;

    strcpy(first, tree_of(moves));
    for (int round = 0; round < 1000; round++) {
        size_t i = rules_choose(&seed, MOVES), j = rules_choose(&seed, MOVES);
        const char *move = moves[i];

        moves[i] = moves[j];
        moves[j] = move;
        cr_assert_str_eq(tree_of(moves), first);
    }
}

/* What path() was asked for. */
static size_t asked;

static size_t counted_path(const struct rules_state *state, rules_move move,
                           char click[][RULES_SQUARE_TEXT])
{
    asked++;
    return path(state, move, click);
}

Test(tree, each_path_is_made_once)
{
    static const struct rules_game counted = {
        .legal = legal, .path = counted_path, .move_text = move_text};
    static char written[1024];
    static const struct rules_tree_visitor visitor = {written, write_enter, write_leaf,
                                                      write_leave};
    static struct rules_state state;
    rules_move listed[8];
    struct rules_path scratch[8];

    paths = (const char *const[]){"c a", "b a", "a c", "a b", "a a", "c", NULL};
    rules_tree(&counted, &state, listed, legal(&state, listed, 8), scratch, &visitor);
    cr_assert_eq(asked, 6);
}
