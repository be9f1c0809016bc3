/*
 * module.c - Hex with something broken in it, for tests of `plyd check-game` and of what is refused
 * at the start. The variable BREAK of the environment says what.
 */
#include "rules/module.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/game.h"
#include "examples/hex/hex.h"

static struct rules_game game;
static struct rules_art art;

struct rules_module plyd_broken __asm__("plyd_game") __attribute__((visibility("default"))) = {
    .interface = RULES_INTERFACE, .game = &game, .rulebook = "1 2 3 4 5\n"};

/* Each break is where a position has this many moves less than the first one. */
enum { SOON = 3 };

static bool is_soon(const struct rules_state *state)
{
    return hex.count(state) % 7 == SOON;
}

static struct rules_outcome crash(const struct rules_state *state,
                                  const struct rules_history *history)
{
    if (is_soon(state))
        raise(SIGSEGV);
    return hex.outcome(state, history);
}

static void crash_in_play(const struct rules_state *state, rules_move move,
                          struct rules_state *next)
{
    volatile uintptr_t nowhere = 1;

    hex.play(state, move, next);
    if (is_soon(state))
        *(volatile uint8_t *)nowhere = 0;
}

/* Calls itself until the stack is full. NOLINTNEXTLINE(misc-no-recursion) */
static size_t sink(size_t depth)
{
    volatile uint8_t room[64];

    room[depth % sizeof(room)] = 1;
    return depth == SIZE_MAX ? 0 : sink(depth + 1) + room[depth % sizeof(room)];
}

static void sink_in_play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    hex.play(state, move, next);
    if (is_soon(state))
        next->w[0] += sink(0);
}

static int32_t crash_in_evaluate(const struct rules_state *state)
{
    volatile uintptr_t nowhere = 1;

    return *(volatile int8_t *)nowhere + (int32_t)state->bytes;
}

static const struct engine_game crashing = {
    .name = "hex", .evaluate = crash_in_evaluate, .man = 100};

static size_t loop_for_ever(const struct rules_state *state, rules_move *moves, size_t cap)
{
    volatile bool goes_on = is_soon(state);

    while (goes_on)
        ;
    return hex.legal(state, moves, cap);
}

/* Longer than any machine holds up a call. */
static size_t take_long(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct timespec while_others_wait = {.tv_nsec = 150000000};

    nanosleep(&while_others_wait, NULL);
    return hex.legal(state, moves, cap);
}

static uint64_t key_of_memory(const struct rules_state *state)
{
    static uint64_t calls;

    return hex.key(state) ^ ++calls << 1;
}

static size_t one_path(const struct rules_state *state, rules_move move,
                       char click[][RULES_SQUARE_TEXT])
{
    size_t n = hex.path(state, move, click);

    if (is_soon(state))
        strcpy(click[0], "a1");
    return n;
}

static bool refuse_legal(const struct rules_state *state, const char *text, rules_move *move,
                         struct rules_refusal *why)
{
    if (is_soon(state))
        return rules_refuse(why, RULES_OCCUPIED, &hex.laws[2]);
    return hex.read_move(state, text, move, why);
}

static bool refuse_by_foreign_law(const struct rules_state *state, const char *text,
                                  rules_move *move, struct rules_refusal *why)
{
    static const struct rules_law law = {"1", "chess.castling", "A king castles."};
    bool read = hex.read_move(state, text, move, why);

    if (!read)
        why->law = &law;
    return read;
}

static bool play_anything(const struct rules_state *state, const char *text, rules_move *move,
                          struct rules_refusal *why)
{
    bool read = hex.read_move(state, text, move, why);

    if (!read && why->code == RULES_OCCUPIED)
        *move = (rules_move){{1, 0}};
    return read || why->code == RULES_OCCUPIED;
}

static size_t count_one_more(const struct rules_state *state)
{
    return hex.count(state) + is_soon(state);
}

static void forget_the_mover(const struct rules_state *state, char *text)
{
    hex.position_text(state, text);
    if (is_soon(state))
        text[strlen(text) - 1] = 'r';
}

static void write_too_much(const struct rules_state *state, rules_move move, char *text)
{
    hex.move_text(state, move, text);
    if (is_soon(state))
        memset(text, 'a', RULES_MOVE_TEXT + 8);
}

static void play_into_both(const struct rules_state *state, rules_move move,
                           struct rules_state *next)
{
    struct rules_state *here = (struct rules_state *)(uintptr_t)state;

    hex.play(state, move, next);
    here->w[3] ^= is_soon(state);
}

static void play_on_what_was_there(const struct rules_state *state, rules_move move,
                                   struct rules_state *next)
{
    uint64_t rest = next->w[21];

    hex.play(state, move, next);
    next->w[21] ^= (rest & 1) << 32; /* the last square of the largest board */
}

static size_t place_beside(const struct rules_state *state, rules_move move,
                           struct rules_effect *effect)
{
    size_t n = hex.effects(state, move, effect);

    effect[0].to = effect[0].to == 0 ? 1 : effect[0].to - 1;
    return n;
}

static unsigned same_mover(const struct rules_state *state)
{
    return is_soon(state) ? 1 : hex.to_move(state);
}

static struct rules_outcome end_by_magic(const struct rules_state *state,
                                         const struct rules_history *history)
{
    struct rules_outcome outcome = hex.outcome(state, history);

    if (outcome.status != RULES_ONGOING)
        outcome.reason = RULES_REASON_IMPASSE;
    return outcome;
}

/* On the smallest board no end is seen. */
static struct rules_outcome miss_on_the_smallest(const struct rules_state *state,
                                                 const struct rules_history *history)
{
    if (hex.board(state).width == 3)
        return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
    return hex.outcome(state, history);
}

/* Whose stone lies where is not in it. */
static uint64_t key_of_squares(const struct rules_state *state)
{
    struct rules_board board = hex.board(state);
    struct rules_man man;
    uint64_t key = hex.to_move(state);

    for (unsigned i = 0; i < board.width * board.height; i++)
        key = key * 6364136223846793005U + hex.at(state, i, &man, 1) + 1;
    return key << 1;
}

static void name_by_number(char *text, rules_move move)
{
    static const char digits[] = "0123456789";
    uint64_t n = move.w[0];

    text[0] = '=';
    for (size_t i = 3; i > 0; i--, n /= 10)
        text[i] = digits[n % 10];
    text[4] = '\0';
}

static void text_without_squares(const struct rules_state *state, rules_move move, char *text)
{
    (void)state;
    name_by_number(text, move);
}

/* The first square's move is called as a command of `plyd play` is. */
static void call_it_hint(const struct rules_state *state, rules_move move, char *text)
{
    hex.move_text(state, move, text);
    if (move.w[0] == 1)
        strcpy(text, "hint");
}

static bool read_hint(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    char first[RULES_SQUARE_TEXT];

    rules_square_text(hex.board(state), 0, first);
    return hex.read_move(state, strcmp(text, "hint") == 0 ? first : text, move, why);
}

static bool corner_is_missing(const struct rules_state *state, unsigned square)
{
    (void)state;
    return square == 0;
}

static bool start_with_too_many_bytes(struct rules_options *given, struct rules_state *state,
                                      struct rules_refusal *why)
{
    bool started = hex.start(given, state, why);

    state->bytes = 999999;
    return started;
}

/* ---- lines: of a game that is hex, and says that a line has won ---- */

static const enum rules_reason by_line[] = {RULES_REASON_LINE};

static struct rules_outcome won_by_line(const struct rules_state *state,
                                        const struct rules_history *history)
{
    struct rules_outcome outcome = hex.outcome(state, history);

    if (outcome.status == RULES_WON)
        outcome.reason = RULES_REASON_LINE;
    return outcome;
}

/* The line, if the game is won. */
static size_t list(const struct rules_state *state, uint16_t from, uint16_t to,
                   struct rules_line *line, size_t cap)
{
    bool won = rules_outcome_now(&hex, state).status == RULES_WON;

    if (won && cap > 0)
        line[0] = (struct rules_line){from, to};
    return won;
}

static size_t line_outside(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    return list(state, 900, 0, line, cap);
}

static size_t line_bent(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    return list(state, 0, hex.board(state).width + 2, line, cap);
}

static size_t line_of_all(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    return list(state, 0, hex.board(state).width - 1, line, cap);
}

static size_t no_line(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    return 0 * list(state, 0, 0, line, cap);
}

static unsigned stone_of(const struct rules_state *state, unsigned square)
{
    struct rules_man man = {0, 0};

    hex.at(state, square, &man, 1);
    return man.seat;
}

/* Two of three in a row. */
static size_t short_line(const struct rules_state *state, struct rules_line *line, size_t cap)
{
    struct rules_board board = hex.board(state);
    unsigned winner = rules_outcome_now(&hex, state).winner;

    for (unsigned i = 0; i + 2 < board.width * board.height; i++)
        if (i % board.width + 2 < board.width && stone_of(state, i) == winner &&
            stone_of(state, i + 1) == winner && stone_of(state, i + 2) == winner)
            return list(state, (uint16_t)(i + 1), (uint16_t)(i + 2), line, cap);
    return 0;
}

#define BY_LINE(function) \
    (game.outcome = won_by_line, game.reasons = by_line, game.nreasons = 1, game.lines = function)

/* ---- pictures ---- */

/* Labels that end before the board does. */
#define NOWHERE ((const char *)1)
static const char *const few_files[] = {"one", "two", "three", NOWHERE, NOWHERE, NOWHERE, NOWHERE};

/* Nothing that a module may leave out. */
static void draw_plainly(void)
{
    art = (struct rules_art){.figure = {hex.art->figure[0], hex.art->figure[1]}};
}

/* Its figures are there while it is loaded, and not for long. */
static struct rules_outcome fade(const struct rules_state *state,
                                 const struct rules_history *history)
{
    if (is_soon(state))
        art.figure[0] = NULL;
    return hex.outcome(state, history);
}

/* ---- attacks: what a module says of itself is more than there is room for ---- */

static size_t crowd(const struct rules_state *state, unsigned square, struct rules_man *men,
                    size_t cap)
{
    size_t n = hex.at(state, square, men, cap);

    return is_soon(state) && n > 0 ? 5000 : n;
}

static struct rules_board grow(const struct rules_state *state)
{
    struct rules_board board = hex.board(state);

    if (is_soon(state))
        board.width = board.height = UINT8_MAX;
    return board;
}

static struct rules_outcome win_for_nobody(const struct rules_state *state,
                                           const struct rules_history *history)
{
    if (is_soon(state))
        return (struct rules_outcome){RULES_WON, 99, (enum rules_reason)60000};
    return hex.outcome(state, history);
}

static size_t many_clicks(const struct rules_state *state, rules_move move,
                          char click[][RULES_SQUARE_TEXT])
{
    size_t n = hex.path(state, move, click);

    return is_soon(state) ? 100000 : n;
}

static bool strange_refusal(const struct rules_state *state, const char *text, rules_move *move,
                            struct rules_refusal *why)
{
    bool read = hex.read_move(state, text, move, why);

    if (!read) {
        why->code = (enum rules_code)5000;
        why->witnesses = 200;
        why->examples = 200;
        why->at = 1000000;
        why->option = (const char *)1;
    }
    return read;
}

static void break_interface(void)
{
    plyd_broken.interface = RULES_INTERFACE + 1;
}

#define BREAKS                                                 \
    BREAK("interface", break_interface())                      \
    BREAK("name", game.name = "jungle")                        \
    BREAK("table", game.outcome = NULL)                        \
    BREAK("crash", game.outcome = crash)                       \
    BREAK("crash in play", game.play = crash_in_play)          \
    BREAK("deep", game.play = sink_in_play)                    \
    BREAK("engine", plyd_broken.engine = &crashing)            \
    BREAK("loop", game.legal = loop_for_ever)                  \
    BREAK("slow", game.legal = take_long)                      \
    BREAK("key", game.key = key_of_memory)                     \
    BREAK("path", game.path = one_path)                        \
    BREAK("refused", game.read_move = refuse_legal)            \
    BREAK("law", game.read_move = refuse_by_foreign_law)       \
    BREAK("illegal", game.read_move = play_anything)           \
    BREAK("count", game.count = count_one_more)                \
    BREAK("position", game.position_text = forget_the_mover)   \
    BREAK("text", game.move_text = write_too_much)             \
    BREAK("state", game.play = play_into_both)                 \
    BREAK("garbage", game.play = play_on_what_was_there)       \
    BREAK("effect", game.effects = place_beside)               \
    BREAK("mover", game.to_move = same_mover)                  \
    BREAK("end", game.outcome = end_by_magic)                  \
    BREAK("key of squares", game.key = key_of_squares)         \
    BREAK("no squares", game.move_text = text_without_squares) \
    BREAK("bytes", game.start = start_with_too_many_bytes)     \
    BREAK("smallest", game.outcome = miss_on_the_smallest)     \
    BREAK("missing", game.missing = corner_is_missing)         \
    BREAK("word", game.move_text = call_it_hint)               \
    BREAK("word", game.read_move = read_hint)                  \
    BREAK("line outside", BY_LINE(line_outside))               \
    BREAK("line bent", BY_LINE(line_bent))                     \
    BREAK("line of all", BY_LINE(line_of_all))                 \
    BREAK("no line", BY_LINE(no_line))                         \
    BREAK("short line", game.lines = short_line)               \
    BREAK("labels", game.drawing.files = few_files)            \
    BREAK("plain art", draw_plainly())                         \
    BREAK("fading art", game.outcome = fade)                   \
    BREAK("crowd", game.at = crowd)                            \
    BREAK("grow", game.board = grow)                           \
    BREAK("win", game.outcome = win_for_nobody)                \
    BREAK("clicks", game.path = many_clicks)                   \
    BREAK("refusal", game.read_move = strange_refusal)         \
    BREAK("colour", art.paint[0][RULES_PAINT_INK] = "'/>")     \
    BREAK("next version", game.version++)                      \
    BREAK("load", raise(SIGSEGV))                              \
    BREAK("load deep", game.version += (int)sink(0))           \
    BREAK("rulebook", plyd_broken.rulebook = "None.\n")        \
    BREAK("nothing", (void)0)

__attribute__((constructor)) static void break_something(void)
{
    const char *what = getenv("BREAK");

    game = hex;
    art = *hex.art;
    game.art = &art;
#define BREAK(name, change)                      \
    if (what != NULL && strcmp(what, name) == 0) \
        change;
    BREAKS
#undef BREAK
}
