/* moves.c - what every game promises in rules.h of its moves, and of states as what they lead to.
 */
#include "contract/promise.h"

#include <stdlib.h>
#include <string.h>

enum {
    MANY = 40, /* moves of a position that are looked at one by one */
    FEW = 8
};

static int by_number(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(rules_move));
}

/* walk_all() itself looks at it, before it takes a step. */
static void look_at_nothing(struct walk *walk)
{
    (void)walk;
}

static void a_state_has_as_many_bytes_as_there_are_words_for(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_nothing);
}

/* ---- legal moves ---- */

static void look_for_doubles(struct walk *walk)
{
    qsort(walk->moves, walk->nmoves, sizeof(rules_move), by_number);
    for (size_t i = 1; i < walk->nmoves; i++)
        PROMISE(!rules_same_move(walk->moves[i - 1], walk->moves[i]), "%s", walk_where(walk));
}

static void a_legal_move_is_listed_once(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_for_doubles);
}

static void look_at_no_move(struct walk *walk)
{
    for (size_t i = 0; i < walk->nmoves; i++)
        PROMISE(!rules_same_move(walk->moves[i], (rules_move){{0, 0}}), "%s", walk_where(walk));
}

static void no_legal_move_is_all_zero(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_no_move);
}

static void look_at_count(struct walk *walk)
{
    PROMISE(walk->game->count(&walk->state) == walk->nmoves, "%s: count %zu, listed %zu",
            walk_where(walk), walk->game->count(&walk->state), walk->nmoves);
}

static void count_is_the_number_of_legal_moves(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_count);
}

static void look_at_weight(struct walk *walk)
{
    PROMISE(!rules_is_heavy(walk->game, &walk->state), "%s", walk_where(walk));
}

static void no_position_that_arises_in_play_is_heavy(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_weight);
}

static void look_at_cap(struct walk *walk)
{
    static rules_move few[WALK_MOVES_MAX];
    size_t cap = walk->nmoves / 2;

    memset(&few[cap], 0xee, sizeof(rules_move));
    if (cap < walk->nmoves)
        PROMISE(walk->game->legal(&walk->state, few, cap) > cap, "%s", walk_where(walk));
    PROMISE(memcmp(few, walk->moves, cap * sizeof(rules_move)) == 0, "%s", walk_where(walk));
    PROMISE(few[cap].w[0] == 0xeeeeeeeeeeeeeeeeU, "%s: more than asked for", walk_where(walk));
    PROMISE((walk->game->legal(&walk->state, NULL, 0) > 0) == (walk->nmoves > 0), "%s",
            walk_where(walk));
}

static void
legal_writes_the_first_moves_and_says_whether_there_are_more(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_cap);
}

/* Whether a game can end so while there still are moves: by counting, or by a rule beside the
 * board. */
static bool ends_by_counting(const struct rules_game *game, enum rules_reason reason)
{
    for (const struct rules_own *end = game->ends; end != NULL && end->text != NULL; end++)
        if (end->number == reason)
            return end->counted;
    switch (reason) {
    case RULES_REASON_REPETITION:
    case RULES_REASON_PERPETUAL_CHECK:
    case RULES_REASON_IMPASSE:
    case RULES_REASON_MAX_PLIES:
    case RULES_REASON_NO_PROGRESS:
    case RULES_REASON_NO_CAPTURE:
    case RULES_REASON_ONE_V_ONE:
        return true;
    default:
        return false;
    }
}

static void look_at_the_end(struct walk *walk)
{
    struct rules_outcome now = rules_outcome_now(walk->game, &walk->state);

    if (walk->nmoves == 0)
        PROMISE(now.status != RULES_ONGOING, "%s: no moves, not over", walk_where(walk));
    else
        PROMISE(now.status == RULES_ONGOING || ends_by_counting(walk->game, now.reason),
                "%s: moves after %s", walk_where(walk), rules_reason_text(now.reason));
}

static void
there_are_no_moves_exactly_where_the_position_ends_the_game(const struct rules_game *game)
{
    walk_all(game, 600, false, look_at_the_end);
}

static void look_at_the_mover(struct walk *walk)
{
    unsigned seat = walk->game->to_move(&walk->state);
    struct rules_state next;

    PROMISE(seat == 1 || seat == 2, "%s", walk_where(walk));
    for (size_t i = 0; i < walk->nmoves; i++) {
        walk->game->play(&walk->state, walk->moves[i], &next);
        PROMISE(walk->game->to_move(&next) == rules_other(seat), "%s", walk_where(walk));
    }
}

static void the_sides_alternate(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_the_mover);
}

/* ---- states are values ---- */

static void look_at_garbage(struct walk *walk)
{
    struct rules_state once, again;
    rules_move move;

    for (size_t i = 0; walk_pick(walk, FEW, i, &move); i++) {
        memset(&once, 0x55, sizeof(once));
        memset(&again, 0xaa, sizeof(again));
        walk->game->play(&walk->state, move, &once);
        walk->game->play(&walk->state, move, &again);
        PROMISE(contract_same_state(&once, &again), "%s: what was in *next shows",
                walk_where(walk));
        PROMISE(once.bytes <= sizeof(once.w), "%s", walk_where(walk));
    }
}

static void play_depends_on_nothing_but_the_state_and_the_move(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_garbage);
}

/* Looks at a state of which only the first `bytes` bytes were kept, as a cache keeps it. */
static void look_at_the_kept_part(struct walk *walk)
{
    static rules_move moves[WALK_MOVES_MAX];
    struct rules_state kept;
    char text[RULES_POSITION_TEXT], kept_text[RULES_POSITION_TEXT];

    memset(&kept, 0x77, sizeof(kept));
    kept.bytes = walk->state.bytes;
    memcpy(kept.w, walk->state.w, walk->state.bytes);
    contract_position_text(walk, &walk->state, text);
    contract_position_text(walk, &kept, kept_text);
    PROMISE(strcmp(text, kept_text) == 0, "%s", walk_where(walk));
    PROMISE(walk->game->legal(&kept, moves, WALK_MOVES_MAX) == walk->nmoves, "%s",
            walk_where(walk));
    PROMISE(memcmp(moves, walk->moves, walk->nmoves * sizeof(rules_move)) == 0, "%s",
            walk_where(walk));
    PROMISE(walk->game->key(&kept) == walk->game->key(&walk->state), "%s", walk_where(walk));
}

static void the_bytes_in_use_are_the_whole_state(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_the_kept_part);
}

static void ask_everything(const struct walk *walk)
{
    const struct rules_game *game = walk->game;
    struct rules_history history = walk_history(walk);
    struct rules_outcome outcome;
    struct rules_refusal why;

    game->to_move(&walk->state);
    game->count(&walk->state);
    game->outcome(&walk->state, &history);
    game->key(&walk->state);
    game->span(&walk->state);
    game->board(&walk->state);
    if (game->check != NULL)
        game->check(&walk->state, &why);
    if (game->declare != NULL)
        game->declare(&walk->state, &outcome, &why);
}

static void look_at_changes(struct walk *walk)
{
    static rules_move moves[WALK_MOVES_MAX];
    struct rules_state before = walk->state, next;
    rules_move move;
    char text[RULES_POSITION_TEXT];

    ask_everything(walk);
    walk->game->legal(&walk->state, moves, WALK_MOVES_MAX);
    walk->game->position_text(&walk->state, text);
    if (walk_pick(walk, 1, 0, &move)) {
        walk->game->move_text(&walk->state, move, text);
        walk->game->play(&walk->state, move, &next);
    }
    PROMISE(memcmp(&before, &walk->state, sizeof(before)) == 0, "%s", walk_where(walk));
}

static void asking_changes_nothing(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_changes);
}

static uint64_t trace;

static void fold_into_trace(struct walk *walk)
{
    trace = trace * 31 + walk->game->key(&walk->state) + walk->next.w[0];
}

static void the_same_seed_walks_the_same_way(const struct rules_game *game)
{
    uint64_t first;

    walk_all(game, CONTRACT_PLIES, false, fold_into_trace);
    first = trace;
    trace = 0;
    walk_all(game, CONTRACT_PLIES, false, fold_into_trace);
    PROMISE(trace == first, "%s", game->name);
}

/* ---- texts of moves ---- */

static void look_at_move_texts(struct walk *walk)
{
    char text[RULES_MOVE_TEXT];
    rules_move move, read;

    for (size_t i = 0; walk_pick(walk, MANY, i, &move); i++) {
        struct rules_refusal why;

        contract_move_text(walk, &walk->state, move, text);
        PROMISE(walk->game->read_move(&walk->state, text, &read, &why), "%s: %s refused as %s",
                walk_where(walk), text, rules_code_text(why.code));
        PROMISE(rules_same_move(move, read), "%s: %s is read as another move", walk_where(walk),
                text);
    }
}

static void a_legal_move_is_read_back_from_its_text(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_move_texts);
}

static char some_texts[WALK_MOVES_MAX][RULES_MOVE_TEXT];

static void look_for_equal_texts(struct walk *walk)
{
    contract_sorted_texts(walk, &walk->state, some_texts);
    for (size_t i = 1; i < walk->nmoves; i++)
        PROMISE(strcmp(some_texts[i - 1], some_texts[i]) != 0, "%s: %s", walk_where(walk),
                some_texts[i]);
}

static void two_moves_have_two_texts(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_for_equal_texts);
}

static void look_at_misspelt_moves(struct walk *walk)
{
    struct rules_state before = walk->state, state = walk->state;
    char text[RULES_MOVE_TEXT], misspelt[RULES_MOVE_TEXT + 8];
    rules_move move, played;
    struct rules_refusal why;

    for (size_t i = 0; walk_pick(walk, FEW, i, &move); i++) {
        contract_move_text(walk, &walk->state, move, text);
        contract_misspell(&walk->seed, text, misspelt, sizeof(misspelt));
        if (rules_play(walk->game, &state, misspelt, &played, &why)) {
            PROMISE(rules_is_legal(walk->game, &walk->state, played, walk->moves, walk->nmoves),
                    "%s: %s was played", walk_where(walk), misspelt);
            state = walk->state;
        } else {
            contract_check_refusal(walk, &walk->state, &why, misspelt);
            PROMISE(memcmp(&before, &state, sizeof(before)) == 0, "%s: %s was refused but moved",
                    walk_where(walk), misspelt);
        }
    }
}

static void what_is_not_legal_is_refused_and_changes_nothing(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_misspelt_moves);
}

/* Tries moves of the position before, by the side that has moved. Nearly all of them are illegal
 * now. */
static void look_at_stale_moves(struct walk *walk)
{
    static struct rules_state earlier;
    static rules_move moves[WALK_MOVES_MAX];
    size_t n = walk->ply > 0 ? walk->game->legal(&earlier, moves, WALK_MOVES_MAX) : 0;
    char text[RULES_MOVE_TEXT];
    rules_move read;

    for (size_t i = 0; i < n; i += 1 + n / MANY) {
        struct rules_refusal why;

        contract_move_text(walk, &earlier, moves[i], text);
        if (walk->game->read_move(&walk->state, text, &read, &why))
            PROMISE(rules_is_legal(walk->game, &walk->state, read, walk->moves, walk->nmoves),
                    "%s: %s", walk_where(walk), text);
        else
            contract_check_refusal(walk, &walk->state, &why, text);
    }
    earlier = walk->state;
}

static void a_move_of_another_position_is_legal_or_refused(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_stale_moves);
}

static void look_after_the_end(struct walk *walk)
{
    static const char *const texts[] = {"a1", "a1a2", "7g7f", "a3-a4", "P*5e", "2a1b2"};
    rules_move move;

    if (walk->nmoves > 0)
        return;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct rules_refusal why;

        PROMISE(!walk->game->read_move(&walk->state, texts[i], &move, &why), "%s: %s",
                walk_where(walk), texts[i]);
        contract_check_refusal(walk, &walk->state, &why, texts[i]);
    }
}

static void after_the_end_every_move_is_refused(const struct rules_game *game)
{
    walk_all(game, 1000, false, look_after_the_end);
}

static void look_at_pretty_texts(struct walk *walk)
{
    rules_move move;

    if (walk->game->pretty == NULL)
        return;
    for (size_t i = 0; walk_pick(walk, MANY, i, &move); i++) {
        char text[RULES_PRETTY_TEXT + 8];

        memset(text, 0x7e, sizeof(text));
        walk->game->pretty(&walk->state, walk->last, move, text);
        PROMISE(memchr(text, '\0', RULES_PRETTY_TEXT) != NULL, "%s", walk_where(walk));
        PROMISE(strlen(text) > 0, "%s", walk_where(walk));
        PROMISE(text[RULES_PRETTY_TEXT] == 0x7e, "%s: %s", walk_where(walk), text);
    }
}

static void every_move_has_a_pretty_text_that_fits(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_pretty_texts);
}

const struct contract_promise contract_moves[] = {
    {"a state has as many bytes as there are words for",
     a_state_has_as_many_bytes_as_there_are_words_for},
    {"a legal move is listed once", a_legal_move_is_listed_once},
    {"no legal move is all zero", no_legal_move_is_all_zero},
    {"count is the number of legal moves", count_is_the_number_of_legal_moves},
    {"no position that arises in play is heavy", no_position_that_arises_in_play_is_heavy},
    {"legal writes the first moves and says whether there are more",
     legal_writes_the_first_moves_and_says_whether_there_are_more},
    {"there are no moves exactly where the position ends the game",
     there_are_no_moves_exactly_where_the_position_ends_the_game},
    {"the sides alternate", the_sides_alternate},
    {"play depends on nothing but the state and the move",
     play_depends_on_nothing_but_the_state_and_the_move},
    {"the bytes in use are the whole state", the_bytes_in_use_are_the_whole_state},
    {"asking changes nothing", asking_changes_nothing},
    {"the same seed walks the same way", the_same_seed_walks_the_same_way},
    {"a legal move is read back from its text", a_legal_move_is_read_back_from_its_text},
    {"two moves have two texts", two_moves_have_two_texts},
    {"what is not legal is refused and changes nothing",
     what_is_not_legal_is_refused_and_changes_nothing},
    {"a move of another position is legal or refused",
     a_move_of_another_position_is_legal_or_refused},
    {"after the end every move is refused", after_the_end_every_move_is_refused},
    {"every move has a pretty text that fits", every_move_has_a_pretty_text_that_fits},
    {NULL, NULL},
};
