/*
 * stackchess.c - what the engine knows of Stackchess: what moves and positions are worth.
 *
 * A lone man takes nothing, and a stack is lost whole. So a side's men are worth what they are, a
 * stack that the enemy can take in one move is worth much less to its owner, and the last men of a
 * side only if they can still move together. To that comes a sum of weights (engine/tally.h), from
 * the view of either side:
 *
 *     men      by kind and by how many are left on the board; by kind and distance from the edge;
 *              pawns by the ranks that they have gone
 *     stacks   by height, by whether the enemy can take them and whether they are covered, and by
 *              whose turn it is
 *     squares  by how many men of each side can come there at once
 *     the last three men of a side, by kind and by how many the other side has: some are caught,
 *              some never
 *     the turn
 *
 * The weights were fitted to games that the engine played against itself
 * (engine/stackchess_weights.def, made by `make fit GAME=stackchess`).
 */
#include "engine/game.h"
#include "engine/tally.h"
#include "rules/stackchess/board.h"

/* How many men a side can bring to each square with one move at most. */
struct reach {
    uint16_t men[BOARD_MAX * BOARD_MAX];
};

static const int32_t worth[KINDS] = {
    [KING] = 300, [QUEEN] = 900, [BISHOP] = 300, [ROOK] = 500, [KNIGHT] = 300, [PAWN] = 100,
};

enum { PAWN_STEP = 6, HUNT = 60 };

/* ---- the weights ---- */

/* How many are told apart of each thing that is counted. */
enum { PHASES = 4, RINGS = 4, STEPS = 8, HEIGHTS = 6, RISKS = 3, COMING = 5, MANY = 4 };

/* The last men of a side: one, two as a pair of kinds in either order, or three. */
enum { PAIRS = KINDS, TRIPLES = PAIRS + KINDS * KINDS, LAST_MEN = TRIPLES + 1 };

/* Where the weights of each kind begin. */
enum {
    PHASED = 0,
    RINGED = PHASED + KINDS * PHASES,
    STEPPED = RINGED + KINDS * RINGS,
    STACKED = STEPPED + STEPS,
    CONTROLLED = STACKED + HEIGHTS * RISKS * 2,
    LAST = CONTROLLED + COMING * COMING,
    TURN = LAST + LAST_MEN * MANY,
    WEIGHTS
};

static const int16_t weights[] = {
#include "engine/stackchess_weights.def"
};

_Static_assert(sizeof(weights) / sizeof(weights[0]) == WEIGHTS, "fitted for other things");

/* ---- what each side can reach ---- */

static struct reach reach_of(const struct rules_state *state, unsigned side)
{
    struct rules_state other;
    rules_move moves[RULES_MOVES_ORDINARY];
    unsigned n = view_of(state).n;
    struct reach reach;
    size_t all;

    if (view_of(state).head->mover != side) {
        rules_copy(state, &other);
        draft_of(&other).head->mover ^= 1;
        state = &other;
    }
    all = stackchess_legal(state, moves, RULES_MOVES_ORDINARY);
    for (unsigned square = 0; square < n * n; square++)
        reach.men[square] = 0;
    for (size_t i = 0; i < all && i < RULES_MOVES_ORDINARY; i++) {
        struct transfer t = transfer_of(moves[i]);

        if (t.count > reach.men[t.to])
            reach.men[t.to] = (uint16_t)t.count;
    }
    return reach;
}

/* ---- men and stacks ---- */

/* The ranks that a man has gone forward. */
static unsigned steps_of(const struct view *view, unsigned side, unsigned square)
{
    unsigned row = square / view->n;

    return side == 0 ? view->n - 1 - row : row;
}

static int32_t man_worth(const struct view *view, man m, unsigned side, unsigned square)
{
    if (man_kind(m) == PAWN && view->head->promotion)
        return worth[PAWN] + PAWN_STEP * (int32_t)steps_of(view, side, square);
    return worth[man_kind(m)];
}

/* What the men of a stack are worth, and how many they are. */
static int32_t stack_worth(const struct view *view, unsigned side, unsigned square,
                           unsigned *height)
{
    int32_t sum = 0;

    *height = 0;
    for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i])) {
        sum += man_worth(view, view->men[i], side, square);
        ++*height;
    }
    return sum;
}

/* What a side's men are worth, and of the stacks that can be taken the two that are worth most. */
struct standing {
    int32_t men, risk[2];
    int32_t reached; /* squares that it can go to */
    int32_t safe;    /* those of them where the enemy cannot take what comes */
    unsigned nlast;  /* men found so far */
    enum kind last[2];
};

/* What is looked at: one side of a position, and where its sums go. */
struct look {
    const struct view *view;
    const struct reach *reach; /* by side */
    struct tally *tally;
    struct standing *found;
    unsigned side;
};

/* What the enemy wins if it takes a stack. */
static int32_t risk_of(int32_t worth_here, unsigned height, unsigned attackers, unsigned covering)
{
    int32_t back = 150 * (int32_t)(height + 1);

    if (attackers == 0)
        return 0;
    if (covering <= attackers)
        return worth_here;
    return worth_here > back ? worth_here - back : 0;
}

static void note_risk(struct standing *found, int32_t risk)
{
    if (risk > found->risk[0]) {
        found->risk[1] = found->risk[0];
        found->risk[0] = risk;
    } else if (risk > found->risk[1]) {
        found->risk[1] = risk;
    }
}

static unsigned edge_distance(unsigned n, unsigned square)
{
    unsigned row = square / n, column = square % n;
    unsigned rows = row < n - 1 - row ? row : n - 1 - row;
    unsigned columns = column < n - 1 - column ? column : n - 1 - column;

    return rows < columns ? rows : columns;
}

static void add_man(const struct look *look, unsigned square, enum kind kind)
{
    const struct head *head = look->view->head;
    unsigned left = head->men[0] + head->men[1], of = 4 * look->view->n;
    unsigned ring = tally_at_most(edge_distance(look->view->n, square), RINGS - 1);

    tally_add(look->tally, PHASED + kind * PHASES + tally_at_most(left * PHASES / of, PHASES - 1),
              tally_sign(look->side));
    tally_add(look->tally, RINGED + kind * RINGS + ring, tally_sign(look->side));
    if (kind == PAWN)
        tally_add(look->tally,
                  STEPPED + tally_at_most(steps_of(look->view, look->side, square), STEPS - 1),
                  tally_sign(look->side));
    if (look->found->nlast < 2)
        look->found->last[look->found->nlast] = kind;
    look->found->nlast++;
}

static void add_stack(const struct look *look, unsigned square)
{
    const struct view *view = look->view;
    unsigned attackers = look->reach[!look->side].men[square], height, risk;
    unsigned covering = look->reach[look->side].men[square];
    int32_t here = stack_worth(view, look->side, square, &height);

    for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i]))
        add_man(look, square, man_kind(view->men[i]));
    risk = attackers == 0 ? 0 : covering > attackers ? 1 : 2;
    tally_add(look->tally,
              STACKED + ((tally_at_most(height, HEIGHTS) - 1) * RISKS + risk) * 2 +
                  (view->head->mover == look->side),
              tally_sign(look->side));
    look->found->men += here;
    note_risk(look->found, risk_of(here, height, attackers, covering));
}

static void add_stacks(const struct look *look)
{
    unsigned n = look->view->n, side = look->side;

    for (unsigned row = 0; row < n; row++) {
        const struct line *rank = &look->view->lines[line_of_rank(row)];

        for (uint32_t own = rank->of[side] & ~rank->of[!side]; own != 0; own &= own - 1)
            add_stack(look, row * n + (unsigned)__builtin_ctz(own) - 1);
    }
}

static void add_squares(const struct look *look)
{
    for (unsigned square = 0; square < look->view->n * look->view->n; square++) {
        unsigned own = look->reach[look->side].men[square];
        unsigned enemy = look->reach[!look->side].men[square];

        look->found->reached += own >= 1;
        look->found->safe += own >= 1 && own >= enemy;
        tally_add(look->tally,
                  CONTROLLED + tally_at_most(own, COMING - 1) * COMING +
                      tally_at_most(enemy, COMING - 1),
                  tally_sign(look->side));
    }
}

/* The last men of a side. */
static void add_last(const struct look *look)
{
    const enum kind *last = look->found->last;
    unsigned men = look->found->nlast;
    unsigned which = men == 1 ? last[0] : men == 2 ? PAIRS + last[0] * KINDS + last[1] : TRIPLES;

    if (men <= 3)
        tally_add(look->tally,
                  LAST + which * MANY +
                      tally_at_most(look->view->head->men[!look->side] / 3, MANY - 1),
                  tally_sign(look->side));
}

static struct standing look_at(const struct view *view, unsigned side, const struct reach reach[2],
                               struct tally *tally)
{
    struct standing found = {0};
    struct look look = {view, reach, tally, &found, side};

    add_stacks(&look);
    add_squares(&look);
    add_last(&look);
    return found;
}

/* ---- the worth of a position ---- */

/* A side that is far ahead hunts what is left of the other: the fewer safe squares that has, the
 * better. But if it can hardly move at all, a stalemate is near. */
static int32_t hunt(int32_t ahead, const struct standing *own, const struct standing *enemy,
                    bool stalemate_draws)
{
    const struct standing *weak = ahead > 0 ? enemy : own;
    int32_t far = ahead > 2000 ? 2000 : ahead < -2000 ? -2000 : ahead;

    if (stalemate_draws && weak->reached < 4)
        return -far * (4 - weak->reached) / 5;
    return -far * HUNT * weak->safe / 2000;
}

/* The same is worth less the nearer the game is to a draw for want of progress. */
static int32_t faded(int32_t sum, const struct head *head)
{
    int32_t last = (int32_t)head->no_progress;

    return last == 0
               ? sum
               : (int32_t)((int64_t)sum * (2 * (int64_t)last - head->quiet) / (2 * (int64_t)last));
}

/* What is no weight, for the side to move; the weights are added to the tally. */
static int32_t add_all(struct tally *tally, const struct rules_state *state)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    struct reach reach[2] = {reach_of(state, 0), reach_of(state, 1)};
    struct standing own = look_at(&view, us, reach, tally);
    struct standing enemy = look_at(&view, !us, reach, tally);
    int32_t ahead = own.men - enemy.men;
    /* A group is caught only by a larger one, so a side that is ahead should keep its men: the same
     * difference counts less beside less. */
    int32_t sum = ahead + ahead * (own.men + enemy.men) / 4000;

    tally_add(tally, TURN, tally_sign(us));
    sum += hunt(ahead, &own, &enemy, !view.head->stalemate_loses);
    sum -= own.risk[1] * 3 / 4 + own.risk[0] / 8;
    return sum + enemy.risk[1] / 4 + enemy.risk[0] / 8;
}

/* As engine_game.evaluate. */
static int32_t evaluate(const struct rules_state *state)
{
    const struct head *head = view_of(state).head;
    struct tally tally = {.weight = weights};
    int32_t sum = add_all(&tally, state);

    sum = faded(sum + tally_sign(head->mover) * tally.sum, head);
    return sum > 19000 ? 19000 : sum < -19000 ? -19000 : sum;
}

static int32_t count_weights(const struct rules_state *state, int16_t *counts)
{
    struct tally tally = {.weight = weights, .counts = counts};

    return tally_sign(view_of(state).head->mover) * add_all(&tally, state);
}

static const struct engine_weights fitted = {
    .weight = weights,
    .n = WEIGHTS,
    .count = count_weights,
    .groups =
        {
            {PHASED, "men by kind and how many are left"},
            {RINGED, "men by kind and distance from the edge"},
            {STEPPED, "pawns by the ranks that they have gone"},
            {STACKED, "stacks by height, risk and turn"},
            {CONTROLLED, "squares by the men of each side that can come there"},
            {LAST, "the last men of a side by how many the other side has"},
            {TURN, "the turn"},
        },
};

static void rate(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates)
{
    struct view view = view_of(state);
    unsigned us = view.head->mover;
    struct reach enemy = reach_of(state, !us);

    for (size_t i = 0; i < n; i++) {
        struct transfer t = transfer_of(moves[i]);
        unsigned height, side = side_at(&view, t.to);

        rates[i] = (struct engine_rate){0};
        if (side == !us) {
            int32_t gain = stack_worth(&view, !us, t.to, &height);

            rates[i] = (struct engine_rate){4 * gain - (int32_t)t.count, gain, ENGINE_NOISY};
            continue;
        }
        if (enemy.men[t.from] != 0)
            rates[i].value += stack_worth(&view, us, t.from, &height);
        if (enemy.men[t.to] > t.count + (side == us ? height_at(&view, t.to) : 0U))
            rates[i].value -= 150 * (int32_t)t.count;
    }
}

/* Mostly several numbers of men can take a stack. A player sees all of these moves, or none. */
static rules_move seen_as(rules_move move)
{
    struct transfer t = transfer_of(move);

    return move_of(t.from, t.to, 0);
}

static bool pass(const struct rules_state *state, struct rules_state *next)
{
    const struct head *head = view_of(state).head;

    if (head->men[0] <= 3 || head->men[1] <= 3)
        return false;
    rules_copy(state, next);
    draft_of(next).head->mover ^= 1;
    return true;
}

static uint32_t draw_after(const struct rules_state *state)
{
    const struct head *head = view_of(state).head;

    return head->no_progress == 0 ? UINT32_MAX : (uint32_t)(head->no_progress - head->quiet);
}

const struct engine_game engine_stackchess = {
    .name = "stackchess",
    .evaluate = evaluate,
    .weights = &fitted,
    .rate = rate,
    .seen_as = seen_as,
    .pass = pass,
    .draw_after = draw_after,
    .man = 100,
    .noise = {500, 320, 220, 160, 115, 80, 45, 0},
    .hidden = {400, 230, 175, 150, 150, 130, 80, 0},
    .careless = {750, 620},
    .variety = 30,
    .margin = 150,
    .reduce = 3,
    .quiescence = 8,
};
