/*
 * test_plans.c - conditional moves: which trees are legal in which game, how they are written and
 * read again, and where a game stands on them. Random trees grow from random games of every kind.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/plans.h"
#include "api/game/rights.h"
#include "api/text/legal_moves.h"
#include "api/text/out.h"
#include "tests/support/long.h"
#include "tests/unit/played.h"

static struct arena arena;

static void free_arenas(void)
{
    arena_free(&arena);
    played_free();
}

TestSuite(plans, .fini = free_arenas);

/* ---- one tree ---- */

/* What becomes of a tree that a client sends: "ok", or the code and the pointer of what is wrong.
 */
static const char *taken(const char *tree, struct plan *plan)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const char *body = arena_format(&arena, "{\"tree\":%s}", tree);
    struct json_value *value = json_read_deep(&arena, body, strlen(body), PLAN_LEVELS, &error);
    struct json_fields fields;

    cr_assert_not_null(value, "%s: %s", tree, error.detail);
    json_fields(&fields, &arena, value, &error);
    plans_take(&fields, plan);
    if (json_ok(&fields))
        error = (struct json_error){PROBLEM_NONE, NULL, NULL};
    json_free(value);
    return error.code == PROBLEM_NONE
               ? "ok"
               : arena_format(&arena, "%s %s", problem_kind(error.code)->code, error.pointer);
}

static struct plan take(const char *tree)
{
    struct plan plan;

    cr_assert_str_eq(taken(tree, &plan), "ok", "%s", tree);
    return plan;
}

/* The same of a tree that is well-formed, from the position of a game on. */
static const char *judged(const struct played *game, const char *tree, struct plan *plan)
{
    struct plan asked = take(tree);
    struct plan_fault fault;

    if (plans_judge(&arena, game->game, &game->state, &asked, plan, &fault))
        return "ok";
    return arena_format(&arena, "%s %s", problem_kind(fault.problem)->code, fault.pointer);
}

struct game {
    const char *variant, *position, *moves;
};

static void begin(struct played *game, struct game at)
{
    played_from(game, at.variant, "", at.position);
    played_moves(game, at.moves);
}

static void expect(struct game at, const char *tree, const char *verdict)
{
    struct played game;
    struct plan plan;
    const char *is;

    begin(&game, at);
    is = judged(&game, tree, &plan);
    cr_assert_str_eq(is, verdict, "%s: %s", is, tree);
}

/* What a legal tree is written as. */
static void expect_text(struct game at, const char *tree, const char *text)
{
    struct played game;
    struct plan plan;

    begin(&game, at);
    expect(at, tree, "ok");
    judged(&game, tree, &plan);
    cr_assert_str_eq(plans_text(&arena, &plan), text);
}

static const struct game shogi = {"shogi", NULL, "7g7f"};
static const struct game draughts = {"turkish-draughts", "W:Wc5,d3,h1:Bd6,h8", ""};
static const struct game captures = {"turkish-draughts", "W:Wd4,h1:Bd5,h8", ""};
static const struct game jungle = {"jungle", NULL, ""};
static const struct game stackchess = {"stackchess", NULL, ""};
static const struct game tictactoe = {"tictactoe", NULL, "a1 a2 b1 b2"};

/* ---- legality ---- */

Test(plans, promote_capture_and_drop_as_the_rules_of_shogi_allow)
{
    expect(shogi,
           "[{\"if\":\"3c3d\",\"then\":\"8h2b+\",\"next\":["
           "{\"if\":\"3a2b\",\"then\":\"B*4e\"},{\"if\":\"9c9d\",\"then\":\"2b3a\"}]}]",
           "ok");
    expect(shogi, "[{\"if\":\"3c3d\",\"then\":\"8h2b\"}]", "ok");
    expect(shogi, "[{\"if\":\"3c3d\",\"then\":\"8h1a+\"}]", "blocked /tree/0/then");
    expect(shogi, "[{\"if\":\"8c8d\",\"then\":\"8h2b+\"}]", "blocked /tree/0/then");
    expect(shogi, "[{\"if\":\"7g7f\",\"then\":\"8h2b+\"}]", "empty-square /tree/0/if");
    expect(shogi,
           "[{\"if\":\"3c3d\",\"then\":\"8h2b+\",\"next\":["
           "{\"if\":\"3a2b\",\"then\":\"B*4e\"},{\"if\":\"9c9d\",\"then\":\"B*4e\",\"next\":["
           "{\"if\":\"B*5e\",\"then\":\"5i5h\"}]}]}]",
           "not-in-hand /tree/0/next/1/next/0/if");
    expect(shogi,
           "[{\"if\":\"3c3d\",\"then\":\"8h2b+\",\"next\":["
           "{\"if\":\"3a2b\",\"then\":\"B*3c\"},{\"if\":\"9c9d\",\"then\":\"P*4e\"}]}]",
           "not-in-hand /tree/0/next/1/then");
}

Test(plans, take_chains_of_captures_as_the_rules_of_draughts_demand)
{
    static const char next[] = "\"next\":[{\"if\":\"h1-h2\",\"then\":\"h8-h7\"}]}]";
    const char *tree = arena_format(&arena, "[{\"if\":\"c5-d5\",\"then\":\"d6xd4xd2\",%s", next);

    expect_text(draughts, tree, tree);
    expect_text(draughts, arena_format(&arena, "[{\"if\":\"c5-d5\",\"then\":\"d6:d4:d2\",%s", next),
                tree);
    expect(draughts, "[{\"if\":\"c5-d5\",\"then\":\"d6xd4\"}]", "must-capture-more /tree/0/then");
    expect(draughts, "[{\"if\":\"c5-d5\",\"then\":\"h8-h7\"}]", "must-capture /tree/0/then");
}

Test(plans, are_judged_by_the_rules_of_jungle_and_stackchess)
{
    expect(jungle, "[{\"if\":\"a3a4\",\"then\":\"g7g6\"},{\"if\":\"a3b3\",\"then\":\"g7f7\"}]",
           "ok");
    expect(jungle, "[{\"if\":\"a3a4\",\"then\":\"a3a4\"}]", "empty-square /tree/0/then");
    expect(stackchess,
           "[{\"if\":\"a2a3\",\"then\":\"f5f4\",\"next\":[{\"if\":\"a3a4\",\"then\":\"f4f3\"}]}]",
           "ok");
    expect(stackchess, "[{\"if\":\"a2a3\",\"then\":\"a2a3\"}]", "empty-square /tree/0/then");
}

Test(plans, end_with_the_game)
{
    expect(tictactoe, "[{\"if\":\"c3\",\"then\":\"c2\"}]", "ok");
    expect(tictactoe, "[{\"if\":\"c3\",\"then\":\"a3\"},{\"if\":\"c1\",\"then\":\"c2\"}]",
           "bad-plan /tree/1/if");
    expect(tictactoe,
           "[{\"if\":\"c3\",\"then\":\"c2\",\"next\":[{\"if\":\"c1\",\"then\":\"a3\"}]}]",
           "bad-plan /tree/0/next");
    expect(tictactoe, "[{\"if\":\"c1\",\"then\":\"resign\"}]", "bad-plan /tree/0/if");
}

Test(plans, resign_after_a_move_or_after_any)
{
    expect(shogi, "[{\"if\":\"3c3d\",\"then\":\"resign\"},{\"if\":\"*\",\"then\":\"resign\"}]",
           "ok");
    expect(shogi, "[{\"if\":\"*\",\"then\":\"2g2f\"}]", "bad-plan /tree/0/then");
    expect(shogi,
           "[{\"if\":\"*\",\"then\":\"resign\",\"next\":[{\"if\":\"3c3d\",\"then\":\"2g2f\"}]}]",
           "bad-plan /tree/0/next");
    expect(shogi, "[{\"if\":\"3c3d\",\"then\":{\"move\":\"resign\",\"offer\":\"draw\"}}]",
           "bad-plan /tree/0/then");
    expect(shogi, "[{\"if\":\"resign\",\"then\":\"2g2f\"}]", "bad-move-text /tree/0/if");
}

Test(plans, offer_a_draw_with_a_move)
{
    static const char tree[] =
        "[{\"if\":\"3c3d\",\"then\":{\"move\":\"2g2f\",\"offer\":\"draw\"}}]";

    expect_text(shogi, tree, tree);
    cr_assert(take(tree).branch[1].offers_draw);
    expect_text(shogi, "[{\"if\":\"3c3d\",\"then\":{\"move\":\"2g2f\"}}]",
                "[{\"if\":\"3c3d\",\"then\":\"2g2f\"}]");
}

Test(plans, have_one_branch_for_a_move_however_it_is_written)
{
    expect(shogi, "[{\"if\":\"3c3d\",\"then\":\"2g2f\"},{\"if\":\"3c3d\",\"then\":\"8h2b+\"}]",
           "bad-plan /tree/1/if");
    expect(captures,
           "[{\"if\":\"d4xd6\",\"then\":\"resign\"},{\"if\":\"d4:d6\",\"then\":\"resign\"}]",
           "bad-plan /tree/1/if");
    expect(shogi, "[{\"if\":\"*\",\"then\":\"resign\"},{\"if\":\"*\",\"then\":\"resign\"}]",
           "bad-plan /tree/1/if");
}

Test(plans, that_are_refused_say_what_the_rules_have_against_which_move)
{
    struct plan asked = take("[{\"if\":\"3c3d\",\"then\":\"P*5e\"}]"), plan;
    struct plan_fault fault;
    struct played game;
    char position[RULES_POSITION_TEXT];

    begin(&game, shogi);
    cr_assert_not(plans_judge(&arena, game.game, &game.state, &asked, &plan, &fault));
    cr_assert_str_eq(fault.move, "P*5e");
    cr_assert_eq(fault.why.code, RULES_NOT_IN_HAND);
    cr_assert_not_null(fault.detail);
    played_moves(&game, "3c3d");
    game.game->position_text(fault.state, position);
    cr_assert_str_eq(position, game.row.position);
}

/* ---- malformed ones ---- */

static void expect_taken(const char *tree, const char *verdict)
{
    struct plan plan;

    cr_assert_str_eq(taken(tree, &plan), verdict, "%s", tree);
}

Test(plans, that_are_malformed_are_refused_at_the_first_mistake)
{
    expect_taken("null", "bad-parameter /tree");
    expect_taken("[]", "bad-parameter /tree");
    expect_taken("{}", "bad-parameter /tree");
    expect_taken("{\"a\":1}", "bad-parameter /tree");
    expect_taken("[1]", "bad-parameter /tree/0");
    expect_taken("[{}]", "bad-parameter /tree/0/if");
    expect_taken("[{\"if\":\"a\"}]", "bad-parameter /tree/0/then");
    expect_taken("[{\"if\":\"a\",\"then\":1}]", "bad-parameter /tree/0/then");
    expect_taken("[{\"if\":\"a\",\"then\":\"b\",\"nxet\":[]}]", "unknown-field /tree/0/nxet");
    expect_taken("[{\"if\":\"a\",\"then\":\"b\",\"next\":[]}]", "ok");
    expect_taken("[{\"if\":\"a\",\"then\":\"b\",\"next\":1}]", "bad-parameter /tree/0/next");
    expect_taken("[{\"if\":\"a\",\"then\":\"b\",\"next\":{\"a\":1}}]",
                 "bad-parameter /tree/0/next");
    expect_taken("[{\"if\":\"a\",\"then\":\"b\",\"next\":[{\"then\":\"d\"}]},{}]",
                 "bad-parameter /tree/0/next/0/if");
    expect_taken("[{\"if\":\"a\",\"then\":{}}]", "bad-parameter /tree/0/then/move");
    expect_taken("[{\"if\":\"a\",\"then\":{\"move\":\"b\",\"offer\":\"undo\"}}]",
                 "bad-parameter /tree/0/then/offer");
    expect_taken("[{\"if\":\"a\",\"then\":{\"move\":\"b\",\"of\":\"draw\"}}]",
                 "unknown-field /tree/0/then/of");
}

/* A tree of one branch behind the other. */
static const char *chain(int depth)
{
    const char *tree = "[{\"if\":\"a\",\"then\":\"b\"}]";

    for (int i = 1; i < depth; i++)
        tree = arena_format(&arena, "[{\"if\":\"a\",\"then\":\"b\",\"next\":%s}]", tree);
    return tree;
}

/* A tree of branches beside each other, some of which have one behind them. */
static const char *comb(size_t branches, size_t behind)
{
    struct out out;

    out_init(&out, &arena);
    for (size_t i = 0; i < branches; i++)
        out_format(&out, "%s{\"if\":\"a\",\"then\":\"b\"%s}", i == 0 ? "[" : ",",
                   i < behind ? ",\"next\":[{\"if\":\"a\",\"then\":\"b\"}]" : "");
    out_add(&out, "]");
    return out.text;
}

Test(plans, have_bounds)
{
    struct plan plan;

    expect_taken(chain(PLAN_DEPTH_MAX), "ok");
    cr_assert(strstr(taken(chain(PLAN_DEPTH_MAX + 1), &plan), "bad-parameter /tree/0/next") !=
              NULL);
    expect_taken(comb(PLAN_BRANCHES_MAX, 0), "ok");
    expect_taken(comb(PLAN_BRANCHES_MAX / 2, PLAN_BRANCHES_MAX / 2), "ok");
    expect_taken(comb(PLAN_BRANCHES_MAX + 1, 0), "bad-parameter /tree");
    expect_taken(comb(PLAN_BRANCHES_MAX - 1, 2),
                 arena_format(&arena, "bad-parameter /tree/%d", PLAN_BRANCHES_MAX - 2));
    expect_taken(arena_format(&arena, "[{\"if\":\"%0*d\",\"then\":\"b\"}]", PLAN_MOVE_BYTES + 1, 0),
                 "bad-parameter /tree/0/if");
}

Test(plans, that_cannot_be_read_are_not_loaded)
{
    struct plan plan;

    cr_assert(plans_load(&arena, "[{\"if\":\"a\",\"then\":\"b\"}]", &plan));
    cr_assert_not(plans_load(&arena, "[{\"if\":\"a\"}]", &plan));
    cr_assert_not(plans_load(&arena, "[", &plan));
    cr_assert_not(plans_load(&arena, "[],\"x\":1", &plan));
}

/* ---- following ---- */

static const char *follow(const char *tree, const char *const *moves, size_t count)
{
    struct plan plan = take(tree);
    size_t at = plans_follow(&plan, moves, count);

    return at == 0 ? "none" : plans_pointer(&arena, &plan, at);
}

Test(plans, are_followed_by_the_moves_since_their_root)
{
    static const char tree[] = "[{\"if\":\"*\",\"then\":\"resign\"},{\"if\":\"a\",\"then\":\"b\"},"
                               "{\"if\":\"c\",\"then\":\"d\",\"next\":["
                               "{\"if\":\"e\",\"then\":\"f\"},{\"if\":\"g\",\"then\":\"h\"}]}]";

    cr_assert_str_eq(follow(tree, NULL, 0), "none");
    cr_assert_str_eq(follow(tree, (const char *[]){"a"}, 1), "/tree/1");
    cr_assert_str_eq(follow(tree, (const char *[]){"x"}, 1), "/tree/0");
    cr_assert_str_eq(follow(tree, (const char *[]){"a", "b"}, 2), "/tree/1");
    cr_assert_str_eq(follow(tree, (const char *[]){"a", "c"}, 2), "none");
    cr_assert_str_eq(follow(tree, (const char *[]){"a", "b", "a"}, 3), "none");
    cr_assert_str_eq(follow(tree, (const char *[]){"c", "d", "g"}, 3), "/tree/2/next/1");
    cr_assert_str_eq(follow(tree, (const char *[]){"c", "d", "x"}, 3), "none");
    cr_assert_str_eq(follow(tree, (const char *[]){"c", "x", "g"}, 3), "none");
    cr_assert_str_eq(follow(tree, (const char *[]){"x", "y", "z"}, 3), "none");
}

/* ---- which seats have one ---- */

Test(plans, count_how_often_they_were_set_and_who_has_one)
{
    int32_t one = plans_changed(0, 1, true), both = plans_changed(one, 2, true);

    cr_assert(plans_has(one, 1) && !plans_has(one, 2));
    cr_assert(plans_has(both, 1) && plans_has(both, 2));
    cr_assert_neq(plans_changed(one, 1, true), one);
    cr_assert(plans_has(plans_without(both, 1), 2) && !plans_has(plans_without(both, 1), 1));
    cr_assert_eq(plans_without_any(both), both & ~3);
    cr_assert_not(plans_has(plans_without_any(both), 2));
    cr_assert_not(plans_has(plans_changed(both, 2, false), 2));
    cr_assert_eq(plans_changed(INT32_MAX, 1, true), 3);
    cr_assert_eq(plans_changed(INT32_MAX, 2, false), 1);
}

Test(plans, are_set_while_somebody_else_is_to_move)
{
    struct played game;

    begin(&game, shogi);
    cr_assert_eq(may_not_plan(&game.row, seat_bit(1)), PROBLEM_NONE);
    cr_assert_eq(may_not_plan(&game.row, seat_bit(2)), PROBLEM_YOUR_TURN);
    cr_assert_eq(may_not_plan(&game.row, SEATS_BOTH), PROBLEM_NO_OPPONENT);
    game.row.status = STATUS_OPEN;
    cr_assert_eq(may_not_plan(&game.row, seat_bit(1)), PROBLEM_GAME_NOT_STARTED);
    game.row.status = STATUS_ABORTED;
    cr_assert_eq(may_not_plan(&game.row, seat_bit(1)), PROBLEM_RULE_GAME_OVER);
}

/* ---- in the log ---- */

Test(plans, tell_in_an_event_what_they_played)
{
    cr_assert(plans_played("{" PLANS_SOURCE "}"));
    cr_assert(plans_played("{\"spent_us\":5," PLANS_SOURCE "}"));
    cr_assert_not(plans_played(NULL));
    cr_assert_not(plans_played("{}"));
    cr_assert_not(plans_played("{\"comment\":\"\\\"source\\\":\\\"plan\\\"\"}"));
}

/* ---- random trees ---- */

/* A tree that grows from a position, as its text and as the list of its branches: each with the
 * moves that lead to it, its own answer included. */
struct growth {
    uint64_t seed;
    const struct rules_game *game;
    size_t branches;
    struct {
        const char *pointer;
        const char *moves[2 * PLAN_DEPTH_MAX];
        size_t count;
    } branch[PLAN_BRANCHES_MAX];
    const char *moves[2 * PLAN_DEPTH_MAX]; /* to where the tree grows just now */
};

static bool is_over(const struct growth *growth, const struct rules_state *state)
{
    return rules_outcome_now(growth->game, state).status != RULES_ONGOING;
}

static const char *chosen(struct growth *growth, const struct rules_state *state,
                          struct rules_state *next)
{
    struct rules_refusal why;
    const char **texts;
    size_t n = legal_moves_texts(&arena, growth->game, state, &texts);
    const char *text = texts[rules_choose(&growth->seed, n)];

    rules_copy(state, next);
    cr_assert(rules_play(growth->game, next, text, NULL, &why));
    return text;
}

static bool named(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void note(struct growth *growth, const char *pointer, size_t depth)
{
    size_t at = growth->branches++;

    growth->branch[at].pointer = pointer;
    growth->branch[at].count = 2 * depth;
    memcpy(growth->branch[at].moves, growth->moves, 2 * depth * sizeof(growth->moves[0]));
}

/* Grows the branches of a list. Returns their text; NULL: there are none. */
static const char *grow(struct growth *growth, const char *pointer, const struct rules_state *state,
                        size_t depth)
{
    const char *names[3], *list = NULL;
    size_t n = 0;

    for (size_t i = rules_choose(&growth->seed, 3) + 1;
         i > 0 && growth->branches < PLAN_BRANCHES_MAX; i--) {
        struct rules_state after, answered;
        const char *name = chosen(growth, state, &after), *here, *then, *next = NULL;

        if (named(names, n, name) || is_over(growth, &after))
            continue;
        here = arena_format(&arena, "%s/%zu", pointer, n);
        names[n++] = growth->moves[2 * depth - 2] = name;
        then = growth->moves[2 * depth - 1] = chosen(growth, &after, &answered);
        note(growth, here, depth);
        if (depth < 12 && !is_over(growth, &answered) && rules_choose(&growth->seed, 5) > 0)
            next = grow(growth, arena_format(&arena, "%s/next", here), &answered, depth + 1);
        list = arena_format(&arena, "%s{\"if\":\"%s\",\"then\":\"%s\"%s%s}",
                            list == NULL ? "[" : arena_format(&arena, "%s,", list), name, then,
                            next == NULL ? "" : ",\"next\":", next == NULL ? "" : next);
    }
    return list == NULL ? NULL : arena_format(&arena, "%s]", list);
}

static void assert_followed(const struct growth *growth, const struct plan *plan)
{
    for (size_t i = 0; i < growth->branches; i++) {
        size_t count = growth->branch[i].count;
        const char *const *moves = growth->branch[i].moves;
        size_t at = plans_follow(plan, moves, count - 1);

        cr_assert_neq(at, 0);
        cr_assert_str_eq(plans_pointer(&arena, plan, at), growth->branch[i].pointer);
        cr_assert_str_eq(plan->branch[at].then, moves[count - 1]);
        cr_assert_eq(plans_follow(plan, moves, count), at);
    }
}

/* A move of the opponent that no branch names ends the plan, wherever the game is on it. */
static void assert_left(struct growth *growth, const struct plan *plan)
{
    for (size_t i = 0; i < growth->branches; i++) {
        size_t count = growth->branch[i].count;
        const char *moves[2 * PLAN_DEPTH_MAX];

        memcpy(moves, growth->branch[i].moves, count * sizeof(moves[0]));
        moves[count - 1 - rules_choose(&growth->seed, count)] = "elsewhere";
        cr_assert_eq(plans_follow(plan, moves, count), 0);
    }
}

static void grow_from(const char *variant, const char *options, uint64_t seed)
{
    struct growth *growth = arena_zero(&arena, sizeof(*growth));
    struct played *game = arena_alloc(&arena, sizeof(*game));
    struct plan asked, plan, loaded;
    struct plan_fault fault;
    const char *tree;

    played_start(game, variant, options);
    played_random(game, seed, (int)(seed % 40));
    if (game->row.reason != NULL)
        return;
    growth->seed = seed;
    growth->game = game->game;
    tree = grow(growth, "/tree", &game->state, 1);
    if (tree == NULL)
        return;
    cr_assert(plans_load(&arena, tree, &asked), "%s", tree);
    cr_assert(plans_judge(&arena, game->game, &game->state, &asked, &plan, &fault), "%s %s: %s",
              variant, fault.pointer, tree);
    cr_assert_eq(plan.count, growth->branches);
    cr_assert_str_eq(plans_text(&arena, &plan), tree);
    cr_assert(plans_load(&arena, tree, &loaded));
    assert_followed(growth, &loaded);
    assert_left(growth, &loaded);
}

static void grow_some(const char *variant, const char *options)
{
    for (uint64_t seed = 1; seed <= long_or_short(60, 20); seed++) {
        grow_from(variant, options, seed);
        arena_reset(&arena);
    }
}

Test(plans, grown_from_any_game_are_legal_and_round_trip_and_lead_to_each_branch)
{
    played_each(grow_some);
}
