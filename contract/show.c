/* show.c - what every game promises of what is shown: clicks, effects, boards. */
#include "contract/promise.h"

#include <string.h>

#include "rules/mix.h"

enum { MANY = 40, FEW = 8 };

/* ---- paths and the tree ---- */

static void look_at_paths(struct walk *walk)
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    rules_move move;

    for (size_t i = 0; walk_pick(walk, MANY, i, &move); i++) {
        size_t n;

        memset(click, 0x7e, sizeof(click));
        n = walk->game->path(&walk->state, move, click);
        PROMISE(n >= 1 && n <= RULES_PATH_MAX, "%s: %zu clicks", walk_where(walk), n);
        for (size_t k = 0; k < n; k++) {
            PROMISE(memchr(click[k], '\0', RULES_SQUARE_TEXT) != NULL, "%s", walk_where(walk));
            PROMISE(strlen(click[k]) > 0, "%s", walk_where(walk));
        }
        if (n < RULES_PATH_MAX)
            PROMISE(click[n][0] == 0x7e, "%s: more clicks than told", walk_where(walk));
    }
}

static void a_move_is_made_of_clicks(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_paths);
}

/* Reads clicks as a caller does. */
static bool read_clicks(const struct walk *walk, const char *const *click, size_t n, char *text,
                        rules_move *move, struct rules_refusal *why)
{
    rules_clicks_text(walk->game, &walk->state, click, n, text);
    PROMISE(strlen(text) < RULES_CLICKS_TEXT, "%s", walk_where(walk));
    return walk->game->read_move(&walk->state, text, move, why);
}

static void look_at_clicked_paths(struct walk *walk)
{
    char path[RULES_PATH_MAX][RULES_SQUARE_TEXT], text[RULES_CLICKS_TEXT];
    const char *click[RULES_PATH_MAX + 1];
    struct rules_refusal why;
    rules_move move, read;

    for (size_t i = 0; walk_pick(walk, MANY, i, &move); i++) {
        size_t n = walk->game->path(&walk->state, move, path);

        for (size_t k = 0; k < n; k++)
            click[k] = path[k];
        click[n] = "";
        for (size_t more = 0; more < 2 && n + more <= RULES_PATH_MAX; more++) {
            PROMISE(read_clicks(walk, click, n + more, text, &read, &why), "%s: %s is refused",
                    walk_where(walk), text);
            PROMISE(rules_same_move(read, move), "%s: %s is another move", walk_where(walk), text);
        }
    }
}

static void the_clicks_of_a_move_play_it(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_clicked_paths);
}

/* Whether a client knows what to draw for a click: a square, something in a hand, a choice with a
 * label, or a number among such choices. */
static bool is_drawn(const struct walk *walk, const char *click)
{
    const struct rules_choice *choice = walk->game->choices;
    unsigned square;
    size_t n = rules_square_read(walk->game->board(&walk->state), click, &square);

    if ((n > 0 && click[n] == '\0' && !rules_is_missing(walk->game, &walk->state, square)) ||
        (walk->game->hand != NULL && click[1] == '*'))
        return true;
    for (; choice != NULL && choice->click != NULL; choice++)
        if (strcmp(choice->click, click) == 0 ||
            (click[0] >= '1' && click[0] <= '9' && choice->click[0] == '2'))
            return true;
    return false;
}

static void enter_drawn(void *walk, const char *click)
{
    PROMISE(is_drawn(walk, click), "%s: %s", walk_where(walk), click);
}

static void leaf_drawn(void *walk, const char *click, const char *move)
{
    (void)move;
    enter_drawn(walk, click);
}

static void leave_drawn(void *walk)
{
    (void)walk;
}

static void look_at_choices(struct walk *walk)
{
    static struct rules_path scratch[WALK_MOVES_MAX];
    struct rules_tree_visitor visitor = {walk, enter_drawn, leaf_drawn, leave_drawn};

    rules_tree(walk->game, &walk->state, walk->moves, walk->nmoves, scratch, &visitor);
}

static void every_click_that_is_no_square_has_a_label(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_choices);
}

static void click_anything(struct walk *walk, char click[RULES_SQUARE_TEXT])
{
    static const char *const others[] = {"+", "P*", "K*", "2", "999", "", "z9", "xx", "*"};
    struct rules_board board = walk->game->board(&walk->state);

    if (rules_choose(&walk->seed, 5) > 0)
        rules_square_text(board, (unsigned)rules_choose(&walk->seed, board.width * board.height),
                          click);
    else
        strcpy(click, others[rules_choose(&walk->seed, sizeof(others) / sizeof(others[0]))]);
}

static void look_at_stray_clicks(struct walk *walk)
{
    char clicked[RULES_PATH_MAX][RULES_SQUARE_TEXT], text[RULES_CLICKS_TEXT];
    const char *click[RULES_PATH_MAX];
    struct rules_refusal why;
    rules_move read;

    for (size_t i = 0; i < MANY; i++) {
        size_t n = i % 4 > 0 ? 2 : rules_choose(&walk->seed, RULES_PATH_MAX + 1);

        for (size_t k = 0; k < n; k++) {
            click_anything(walk, clicked[k]);
            click[k] = clicked[k];
        }
        if (read_clicks(walk, click, n, text, &read, &why))
            PROMISE(rules_is_legal(walk->game, &walk->state, read, walk->moves, walk->nmoves),
                    "%s: %s", walk_where(walk), text);
        else
            contract_check_refusal(walk, &walk->state, &why, text);
    }
}

static void clicks_that_make_no_move_are_refused_as_their_text_is(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_stray_clicks);
}

/* What a visitor of the tree has seen: it checks the order and counts the leaves. */
struct visit {
    const struct walk *walk;
    size_t depth, leaves;
    char last[RULES_PATH_MAX + 1][RULES_SQUARE_TEXT]; /* the click before this one, at each depth */
    bool any[RULES_PATH_MAX + 1];                     /* whether there was one */
};

static void visit_click(struct visit *visit, const char *click)
{
    PROMISE(visit->depth < RULES_PATH_MAX, "no more room");
    if (visit->any[visit->depth])
        PROMISE(strcmp(visit->last[visit->depth], click) < 0, "%s: %s after %s",
                walk_where(visit->walk), click, visit->last[visit->depth]);
    visit->any[visit->depth] = true;
    strcpy(visit->last[visit->depth], click);
}

static void visit_enter(void *context, const char *click)
{
    struct visit *visit = context;

    visit_click(visit, click);
    visit->any[++visit->depth] = false;
}

static void visit_leaf(void *context, const char *click, const char *move)
{
    struct visit *visit = context;
    struct rules_refusal why;
    rules_move read;

    visit_click(visit, click);
    visit->leaves++;
    PROMISE(visit->walk->game->read_move(&visit->walk->state, move, &read, &why), "%s: %s",
            walk_where(visit->walk), move);
}

static void visit_leave(void *context)
{
    struct visit *visit = context;

    PROMISE(visit->depth > 0, "%s", walk_where(visit->walk));
    visit->depth--;
}

static void look_at_the_tree(struct walk *walk)
{
    static struct rules_path scratch[WALK_MOVES_MAX];
    struct visit visit = {.walk = walk};
    const struct rules_tree_visitor visitor = {&visit, visit_enter, visit_leaf, visit_leave};

    rules_tree(walk->game, &walk->state, walk->moves, walk->nmoves, scratch, &visitor);
    PROMISE(visit.leaves == walk->nmoves, "%s: %zu leaves, %zu moves", walk_where(walk),
            visit.leaves, walk->nmoves);
    PROMISE(visit.depth == 0, "%s", walk_where(walk));
}

/* If clicks rise strictly at every depth, no two paths are the same. */
static void the_tree_has_one_leaf_a_legal_move_in_byte_order(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_the_tree);
}

/* ---- effects: the board after a move, made of the board before it ---- */

struct square {
    size_t n;
    struct rules_man men[RULES_STACK_MAX];
};

struct model {
    unsigned squares;
    struct square square[RULES_SQUARES_MAX];
    unsigned hand[RULES_SEATS][UINT8_MAX];
};

static bool same_man(struct rules_man a, struct rules_man b)
{
    return a.seat == b.seat && a.kind == b.kind;
}

static void load(struct model *model, const struct walk *walk, const struct rules_state *state)
{
    struct rules_board board = walk->game->board(state);

    model->squares = board.width * board.height;
    for (unsigned i = 0; i < model->squares; i++)
        model->square[i].n = walk->game->at(state, i, model->square[i].men, RULES_STACK_MAX);
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
        for (unsigned kind = 0; kind < walk->game->npieces; kind++)
            model->hand[seat - 1][kind] =
                walk->game->hand != NULL ? walk->game->hand(state, seat, kind) : 0;
}

static void put_on(struct square *square, struct rules_man man)
{
    PROMISE(square->n < RULES_STACK_MAX, "no more room");
    square->men[square->n++] = man;
}

/* Takes off the topmost man that is equal to this one. */
static bool take_off(struct square *square, struct rules_man man)
{
    for (size_t i = square->n; i > 0; i--)
        if (same_man(square->men[i - 1], man)) {
            memmove(square->men + i - 1, square->men + i,
                    (square->n - i) * sizeof(struct rules_man));
            square->n--;
            return true;
        }
    return false;
}

/* Promotes the topmost man that becomes `man` by promotion. */
static bool promote(struct square *square, const struct rules_piece *pieces, struct rules_man man)
{
    for (size_t i = square->n; i > 0; i--)
        if (square->men[i - 1].seat == man.seat &&
            pieces[square->men[i - 1].kind].promotes_to == (int)man.kind) {
            square->men[i - 1] = man;
            return true;
        }
    return false;
}

static bool move_together(struct model *model, const struct rules_effect *effect, size_t count)
{
    struct square *from = &model->square[effect->from], *to = &model->square[effect->to];

    if (effect->from >= model->squares || from->n < count || to->n + count > RULES_STACK_MAX)
        return false;
    if (!same_man(from->men[from->n - 1], effect->man))
        return false;
    memcpy(to->men + to->n, from->men + from->n - count, count * sizeof(struct rules_man));
    to->n += count;
    from->n -= count;
    return true;
}

static bool capture(struct model *model, const struct rules_game *game,
                    const struct rules_effect *effect)
{
    int8_t in_hand = game->pieces[effect->man.kind].demotes_to;

    if (game->hand != NULL && in_hand >= 0)
        model->hand[2 - effect->man.seat][in_hand]++;
    return take_off(&model->square[effect->to], effect->man);
}

static bool drop(struct model *model, const struct rules_effect *effect)
{
    unsigned *held = &model->hand[effect->man.seat - 1][effect->man.kind];

    put_on(&model->square[effect->to], effect->man);
    return (*held)-- > 0;
}

/* Applies one effect to the model. A count of 0 means 1. False: it cannot have been so. */
static bool apply(struct model *model, const struct rules_game *game,
                  const struct rules_effect *effect)
{
    size_t count = effect->count > 1 ? effect->count : 1;
    struct square *to = &model->square[effect->to];

    if (effect->to >= model->squares)
        return false;
    switch (effect->type) {
    case RULES_EFFECT_MOVE:
        return move_together(model, effect, count);
    case RULES_EFFECT_CAPTURE:
        for (size_t i = 0; i < count; i++)
            if (!capture(model, game, effect))
                return false;
        return true;
    case RULES_EFFECT_DROP:
        return drop(model, effect);
    case RULES_EFFECT_PROMOTE:
        for (size_t i = 0; i < count; i++)
            if (!promote(to, game->pieces, effect->man))
                return false;
        return true;
    case RULES_EFFECT_PLACE:
        put_on(to, effect->man);
        return true;
    case RULES_EFFECT_STACK:
        return to->n == effect->count;
    }
    return false;
}

static void compare(const struct walk *walk, const struct model *made, const struct model *played,
                    const char *text)
{
    for (unsigned i = 0; i < played->squares; i++) {
        PROMISE(made->square[i].n == played->square[i].n, "%s: %s: square %u", walk_where(walk),
                text, i);
        for (size_t k = 0; k < played->square[i].n; k++)
            PROMISE(same_man(made->square[i].men[k], played->square[i].men[k]), "%s: %s: square %u",
                    walk_where(walk), text, i);
    }
    for (unsigned seat = 0; seat < RULES_SEATS; seat++)
        for (unsigned kind = 0; kind < walk->game->npieces; kind++)
            PROMISE(made->hand[seat][kind] == played->hand[seat][kind], "%s: %s: hand of %u",
                    walk_where(walk), text, seat + 1);
}

static void look_at_effects(struct walk *walk)
{
    static struct model made, played;
    struct rules_effect effects[RULES_EFFECTS_MAX + 1];
    struct rules_state next;
    char text[RULES_MOVE_TEXT];
    rules_move move;

    for (size_t i = 0; walk_pick(walk, FEW, i, &move); i++) {
        size_t n;

        memset(effects, 0x7e, sizeof(effects));
        n = walk->game->effects(&walk->state, move, effects);
        PROMISE(n <= RULES_EFFECTS_MAX, "%s: %zu effects", walk_where(walk), n);
        contract_move_text(walk, &walk->state, move, text);
        load(&made, walk, &walk->state);
        for (size_t k = 0; k < n; k++)
            PROMISE(apply(&made, walk->game, &effects[k]), "%s: %s: effect %zu", walk_where(walk),
                    text, k);
        walk->game->play(&walk->state, move, &next);
        load(&played, walk, &next);
        compare(walk, &made, &played, text);
    }
}

static void the_effects_of_a_move_make_the_board_after_it(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_effects);
}

/* Whether a square that the move changes is named in its text: by these names the last move is
 * shown, and the text is turned with the board. */
static bool is_named(struct rules_board board, const char *text, const struct rules_effect *effect,
                     size_t n)
{
    unsigned square;

    for (; *text != '\0'; text++)
        for (size_t i = 0; rules_square_read(board, text, &square) > 0 && i < n; i++)
            if (effect[i].to == square)
                return true;
    return n == 0;
}

static void look_at_names(struct walk *walk)
{
    struct rules_board board = walk->game->board(&walk->state);
    struct rules_effect effects[RULES_EFFECTS_MAX];
    char text[RULES_MOVE_TEXT];
    rules_move move;

    for (size_t i = 0; walk_pick(walk, FEW, i, &move); i++) {
        size_t n = walk->game->effects(&walk->state, move, effects);

        contract_move_text(walk, &walk->state, move, text);
        PROMISE(is_named(board, text, effects, n), "%s: %s names no square that it changes",
                walk_where(walk), text);
    }
}

static void the_text_of_a_move_names_its_squares(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_names);
}

/* ---- boards ---- */

static void look_at_squares(struct walk *walk)
{
    struct rules_board board = walk->game->board(&walk->state);
    struct rules_man men[RULES_STACK_MAX];

    PROMISE(board.width >= 1 && board.height >= 1 &&
                board.width * board.height <= RULES_SQUARES_MAX,
            "%s", walk_where(walk));
    for (unsigned square = 0; square < board.width * board.height; square++) {
        size_t n = walk->game->at(&walk->state, square, men, RULES_STACK_MAX);
        struct rules_man first = {77, 77};

        PROMISE(n <= RULES_STACK_MAX, "%s", walk_where(walk));
        for (size_t i = 0; i < n; i++) {
            PROMISE(men[i].seat == 1 || men[i].seat == 2, "%s", walk_where(walk));
            PROMISE(men[i].kind < walk->game->npieces, "%s", walk_where(walk));
        }
        PROMISE(walk->game->at(&walk->state, square, NULL, 0) == n, "%s", walk_where(walk));
        walk->game->at(&walk->state, square, &first, n > 0 ? 1 : 0);
        if (n > 0)
            PROMISE(same_man(first, men[0]), "%s", walk_where(walk));
    }
}

static void look_at_shape(struct walk *walk)
{
    static bool missed[RULES_SQUARES_MAX];
    const struct rules_game *game = walk->game;
    struct rules_board board = game->board(&walk->state);
    unsigned there = 0;

    for (unsigned i = 0; game->missing != NULL && i < (unsigned)board.width * board.height; i++) {
        bool missing = game->missing(&walk->state, i);

        if (walk->ply == 0)
            missed[i] = missing;
        there += !missing;
        PROMISE(missing == missed[i], "%s: square %u was there before, or was not",
                walk_where(walk), i);
        PROMISE(!missing || game->at(&walk->state, i, NULL, 0) == 0, "%s: men on square %u",
                walk_where(walk), i);
        for (size_t zone = 0; zone < game->nzones; zone++)
            PROMISE(!missing || !game->zones[zone].has(&walk->state, i), "%s: square %u in %s",
                    walk_where(walk), i, game->zones[zone].name);
    }
    PROMISE(game->missing == NULL || there > 0, "%s: no square is there", walk_where(walk));
}

static void a_square_that_is_missing_stays_so_and_holds_nothing(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_shape);
}

static void the_men_on_a_square_are_the_games_from_bottom_to_top(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_squares);
}

static unsigned holder(const struct walk *walk, unsigned square)
{
    static struct rules_man men[RULES_STACK_MAX];
    size_t n = walk->game->at(&walk->state, square, men, RULES_STACK_MAX);

    return n == 0 ? 0 : men[n - 1].seat;
}

/* Whether the winner holds the square that lies one step before another one, on the same line. */
static bool goes_on_before(const struct walk *walk, struct rules_board board, int square, int step)
{
    int before = square - step;
    struct rules_line line = {(uint16_t)before, (uint16_t)square};

    return before >= 0 && rules_line_step(board, line) == step &&
           holder(walk, (unsigned)before) == walk->outcome.winner;
}

static void check_line(const struct walk *walk, struct rules_line line)
{
    struct rules_board board = walk->game->board(&walk->state);
    int step = rules_line_step(board, line);
    bool alone = line.from == line.to && line.to < board.width * board.height;

    PROMISE(step != 0 || alone, "%s: from square %u to %u there is no straight line on the board",
            walk_where(walk), line.from, line.to);
    for (int square = line.from;; square += step) {
        PROMISE(holder(walk, (unsigned)square) == walk->outcome.winner,
                "%s: square %d of the line is not the winner's", walk_where(walk), square);
        if (square == line.to)
            break;
    }
    if (!alone)
        PROMISE(!goes_on_before(walk, board, line.from, step) &&
                    !goes_on_before(walk, board, line.to, -step),
                "%s: the line from square %u to %u is longer", walk_where(walk), line.from,
                line.to);
}

static void look_at_lines(struct walk *walk)
{
    struct rules_line lines[RULES_LINES_MAX];
    size_t n;

    if (walk->game->lines == NULL)
        return;
    n = walk->game->lines(&walk->state, lines, RULES_LINES_MAX);
    PROMISE(walk->game->lines(&walk->state, NULL, 0) == n, "%s", walk_where(walk));
    if (walk->outcome.status != RULES_WON)
        PROMISE(n == 0, "%s: a line, and nobody has won", walk_where(walk));
    else if (walk->outcome.reason == RULES_REASON_LINE)
        PROMISE(n > 0, "%s: no line", walk_where(walk));
    for (size_t i = 0; i < n && i < RULES_LINES_MAX; i++)
        check_line(walk, lines[i]);
}

static void the_lines_of_a_win_are_the_winners_from_end_to_end(const struct rules_game *game)
{
    walk_all(game, 400, false, look_at_lines);
}

/* ---- keys ---- */

/* A number of what is seen of a position: its board, its hands, and the side to move. */
static uint64_t seen_of(const struct walk *walk, const struct rules_state *state)
{
    static struct rules_man men[RULES_STACK_MAX];
    const struct rules_game *game = walk->game;
    struct rules_board board = game->board(state);
    uint64_t seen = mix(game->to_move(state));

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        size_t n = game->at(state, square, men, RULES_STACK_MAX);

        seen = mix(seen ^ n);
        for (size_t i = 0; i < n; i++)
            seen = mix(seen ^ (men[i].seat * 256U + men[i].kind));
    }
    for (unsigned seat = 1; game->hand != NULL && seat <= RULES_SEATS; seat++)
        for (unsigned kind = 0; kind < game->npieces; kind++)
            seen = mix(seen ^ game->hand(state, seat, kind));
    return seen;
}

enum { NOTES = 1 << 14 };

/* The positions of this walk and beside it, by their keys: an open table. */
static struct {
    uint64_t key, seen;
    bool taken;
} notes[NOTES];
static size_t noted;

static void note_key(const struct walk *walk, const struct rules_state *state)
{
    uint64_t key = walk->game->key(state), seen = seen_of(walk, state);
    size_t i = mix(key) % NOTES;
    char text[RULES_POSITION_TEXT];

    while (notes[i].taken && notes[i].key != key)
        i = (i + 1) % NOTES;
    if (!notes[i].taken && noted < NOTES / 2) {
        notes[i].key = key;
        notes[i].seen = seen;
        notes[i].taken = true;
        noted++;
    } else if (notes[i].taken && notes[i].seen != seen) {
        contract_position_text(walk, state, text);
        PROMISE(notes[i].seen == seen, "%s: %s has the key of a position that looks different",
                walk_where(walk), text);
    }
}

/* What may be played in the next `plies` plies, of which only some is looked at. */
static void note_beside(const struct walk *walk, const struct rules_state *state, unsigned plies)
{
    static rules_move moves[2][WALK_MOVES_MAX];
    size_t n = plies == 0 ? 0 : walk->game->legal(state, moves[plies - 1], WALK_MOVES_MAX);
    struct rules_state next;

    note_key(walk, state);
    for (size_t i = 0; i < n; i += 1 + n / FEW) {
        walk->game->play(state, moves[plies - 1][i], &next);
        note_beside(walk, &next, plies - 1);
    }
}

static void look_for_equal_keys(struct walk *walk)
{
    if (walk->ply == 0) {
        memset(notes, 0, sizeof(notes));
        noted = 0;
    }
    note_beside(walk, &walk->state, walk->ply % 8 == 0 ? 2 : 0);
}

static void positions_with_the_same_key_look_the_same(const struct rules_game *game)
{
    walk_all(game, 60, true, look_for_equal_keys);
}

const struct contract_promise contract_show[] = {
    {"a move is made of clicks", a_move_is_made_of_clicks},
    {"the clicks of a move play it", the_clicks_of_a_move_play_it},
    {"every click that is no square has a label", every_click_that_is_no_square_has_a_label},
    {"clicks that make no move are refused as their text is",
     clicks_that_make_no_move_are_refused_as_their_text_is},
    {"the tree has one leaf a legal move in byte order",
     the_tree_has_one_leaf_a_legal_move_in_byte_order},
    {"the effects of a move make the board after it",
     the_effects_of_a_move_make_the_board_after_it},
    {"the text of a move names its squares", the_text_of_a_move_names_its_squares},
    {"the men on a square are the games from bottom to top",
     the_men_on_a_square_are_the_games_from_bottom_to_top},
    {"a square that is missing stays so and holds nothing",
     a_square_that_is_missing_stays_so_and_holds_nothing},
    {"the lines of a win are the winners from end to end",
     the_lines_of_a_win_are_the_winners_from_end_to_end},
    {"positions with the same key look the same", positions_with_the_same_key_look_the_same},
    {NULL, NULL},
};
