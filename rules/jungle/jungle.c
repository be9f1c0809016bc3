/*
 * jungle.c - Jungle, or Dou Shou Qi: the game's table, its start and its ends.
 *
 * Read board.h first. moves.c finds and plays moves, judge.c reads them and says what is wrong with
 * them, text.c reads and writes positions.
 */
#include "rules/jungle/board.h"

#include <string.h>

#include "rules/draw/art.h"
#include "rules/mix.h"
#include "rules/text.h"

static const char start_position[] = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r 0 1"; /* J5 */

/* ---- starting ---- */

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    const char *text = options->position != NULL ? options->position : start_position;
    struct position *p = jungle_edit(state);

    memset(p, 0, sizeof(*p));
    for (enum option i = 0; i < OPTIONS; i++)
        p->option[i] = (uint16_t)options->value[i];
    state->bytes = sizeof(*p);
    return jungle_read_position(text, p, why);
}

/* ---- the end of the game ---- */

static struct rules_outcome won(uint64_t side, enum rules_reason reason)
{
    return (struct rules_outcome){RULES_WON, (uint8_t)(side + 1), reason};
}

/* A hash of whose turn it is, of Red's squares, and of the squares of each kind: whatever stands on
 * the others is Blue's. */
static uint64_t key(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);
    uint64_t hash = mix(p->side[0] << 1 | p->mover);

    for (enum kind kind = RAT; kind < KINDS; kind++)
        hash = mix(hash ^ p->kind[kind]);
    return hash & ~1ULL;
}

/* J2: the ground is the same from the left and from the right. */
static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_MIRRORED;
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct position *p = jungle_edit(image);

    rules_copy(state, image);
    for (unsigned side = 0; side < RULES_SEATS; side++)
        p->side[side] = rules_turned_set(jungle_board, symmetry, p->side[side]);
    for (enum kind kind = RAT; kind < KINDS; kind++)
        p->kind[kind] = rules_turned_set(jungle_board, symmetry, p->kind[kind]);
}

/* J33: in this order. Dens and pieces decide before the side to move is asked for a move. */
static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    const struct position *p = jungle_view(state);
    uint64_t repetition = p->option[REPETITION], rounds = p->option[DRAW_ROUNDS];

    for (uint64_t side = 0; side < RULES_SEATS; side++)
        if (p->side[side] & jungle_den[!side])
            return won(side, RULES_REASON_DEN);
    if (p->side[p->mover] == 0)
        return won(!p->mover, RULES_REASON_NO_PIECES);
    if (p->side[!p->mover] == 0)
        return won(p->mover, RULES_REASON_NO_PIECES);
    if (jungle_count(state) == 0)
        return won(!p->mover, RULES_REASON_BLOCKED);
    if (repetition > 0 && rules_occurrences(history, key(state)) + 1 >= repetition)
        return (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_REPETITION};
    if (rounds > 0 && p->quiet >= 2 * rounds)
        return (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_NO_CAPTURE};
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

/* No position from before a capture recurs. */
static size_t span(const struct rules_state *state)
{
    const struct position *p = jungle_view(state);

    return p->option[REPETITION] > 0 ? (size_t)p->quiet : 0;
}

/* ---- the board, and moves as texts, as clicks and as effects ---- */

static unsigned to_move(const struct rules_state *state)
{
    return (unsigned)jungle_view(state)->mover + 1;
}

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return jungle_board;
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    struct rules_man man = jungle_man_on(jungle_view(state), square);

    if (man.seat == 0)
        return 0;
    if (cap > 0)
        men[0] = man;
    return 1;
}

static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    (void)state;
    rules_square_text(jungle_board, jungle_from(move), click[0]);
    rules_square_text(jungle_board, jungle_to(move), click[1]);
    return 2;
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    char click[2][RULES_SQUARE_TEXT];
    struct text out = text_open(text, RULES_MOVE_TEXT);

    path(state, move, click);
    text_string(&out, click[0]);
    text_string(&out, click[1]);
}

static size_t effects(const struct rules_state *state, rules_move move, struct rules_effect *effect)
{
    uint16_t from = (uint16_t)jungle_from(move), to = (uint16_t)jungle_to(move);
    struct rules_man mover = jungle_man_on(jungle_view(state), from);
    struct rules_man taken = jungle_man_on(jungle_view(state), to);

    effect[0] = (struct rules_effect){RULES_EFFECT_MOVE, from, to, 1, mover};
    effect[1] = (struct rules_effect){.type = RULES_EFFECT_CAPTURE, .to = to, .man = taken};
    return taken.seat == 0 ? 1 : 2;
}

/* ---- the catalogue ---- */

#define ZONE(name, squares)                                            \
    static bool name(const struct rules_state *state, unsigned square) \
    {                                                                  \
        (void)state;                                                   \
        return (squares) >> square & 1;                                \
    }

ZONE(in_river, RIVER)
ZONE(in_red_den, jungle_den[0])
ZONE(in_blue_den, jungle_den[1])
ZONE(in_red_trap, jungle_traps[0])
ZONE(in_blue_trap, jungle_traps[1])

static const struct rules_zone zones[] = {
    {"river", 0, in_river, "~"},   {"den", 1, in_red_den, "@"},    {"den", 2, in_blue_den, "@"},
    {"trap", 1, in_red_trap, "#"}, {"trap", 2, in_blue_trap, "#"},
};

static const struct rules_option option_table[OPTIONS] = {
    [OWN_TRAPS] = {.name = "own_traps",
                   .kind = RULES_OPTION_CHOICE,
                   .fallback = TRAPS_ALLOWED,
                   .choices = (const char *const[]){"allowed", "capture_only", NULL},
                   .doc = "Whether a piece may always enter the traps of its own side, or only to "
                          "take."},
    [JUMP_BLOCK] = {.name = "jump_block",
                    .kind = RULES_OPTION_CHOICE,
                    .fallback = BLOCK_ANY,
                    .choices = (const char *const[]){"any", "enemy", NULL},
                    .doc = "Whose rat in the water blocks a jump over it."},
    [RAT_SHORE] = {.name = "rat_shore",
                   .kind = RULES_OPTION_CHOICE,
                   .fallback = SHORE_FREE,
                   .choices = (const char *const[]){"free", "same", "enter_only", NULL},
                   .doc = "Whether rats take each other across the bank: both ways, never, or only "
                          "from land into water."},
    [TRAPPED_ATTACK] = {.name = "trapped_attack",
                        .kind = RULES_OPTION_CHOICE,
                        .fallback = ATTACK_NONE,
                        .choices = (const char *const[]){"none", "normal", NULL},
                        .doc =
                            "Whether a piece in an enemy trap takes nothing, or takes as usual."},
    [DRAW_ROUNDS] = {.name = "draw_rounds",
                     .kind = RULES_OPTION_INT,
                     .min = 1,
                     .max = 1000,
                     .zero_is_off = true,
                     .fallback = 100,
                     .doc = "After how many rounds without a capture the game is drawn; 0: never."},
    [REPETITION] = {.name = "repetition",
                    .kind = RULES_OPTION_INT,
                    .min = 2,
                    .max = 100,
                    .zero_is_off = true,
                    .doc = "At which occurrence of a position the game is drawn; 0: never."},
};

static const enum rules_reason reasons[] = {RULES_REASON_DEN, RULES_REASON_NO_PIECES,
                                            RULES_REASON_BLOCKED, RULES_REASON_REPETITION,
                                            RULES_REASON_NO_CAPTURE};

const struct rules_game rules_jungle = {
    .name = "jungle",
    .title = "Jungle (Dou Shou Qi)",
    .doc = "Eight animals a side, from the rat to the elephant, on their way to the enemy's den.",
    .version = 1,
    .seat = {{"red", "r"}, {"blue", "b"}},
    .pieces = jungle_pieces,
    .npieces = KINDS,
    .zones = zones,
    .nzones = sizeof(zones) / sizeof(zones[0]),
    .options = option_table,
    .noptions = OPTIONS,
    .laws = jungle_laws,
    .nlaws = LAWS,
    .reasons = reasons,
    .nreasons = sizeof(reasons) / sizeof(reasons[0]),
    .move = {"^[a-g][1-9][a-g][1-9]$",
             "The square that the piece leaves and the square that it goes to; jumps and captures "
             "look the same. A - or x between them is read, too.",
             (const char *const[]){"a3a4", "b3b7", NULL}},
    .position = {"^[1-7RCDWPTLErcdwptle]+(?:/[1-7RCDWPTLErcdwptle]+){8} [rb] "
                 "(?:0|[1-9][0-9]*) [1-9][0-9]*$",
                 "The ranks from rank 9 down joined by /, in them the letters of the pieces "
                 "(capitals are Red's) and numbers of empty squares; the side to move, r or b; the "
                 "plies since the last capture; the round. The two numbers may be left out.",
                 (const char *const[]){start_position, NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"zones", NULL},
    .drawing = {.grid = RULES_GRID_FRAME, .facing = "v", .ink = {31, 34}},
    .art = &rules_jungle_art,
    .start = start,
    .position_text = jungle_position_text,
    .to_move = to_move,
    .legal = jungle_legal,
    .count = jungle_count,
    .play = jungle_play,
    .outcome = outcome,
    .key = key,
    .symmetries = symmetries,
    .turn = turn,
    .span = span,
    .move_text = move_text,
    .read_move = jungle_read_move,
    .path = path,
    .effects = effects,
    .board = board,
    .at = at,
};
