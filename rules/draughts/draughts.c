/*
 * draughts.c - Turkish draughts, or Dama: the game's table, its start, its ends, and what a move
 * looks like.
 *
 * Read moves.h first, and captures.h if you want to know how captures are found. moves.c finds and
 * plays moves, judge.c reads them and says what is wrong with them, text.c reads and writes
 * positions.
 */
#include "rules/draughts/judge.h"
#include "rules/draughts/text.h"
#include "rules/draw/art.h"

/* The order of the option table below. */
enum { PROMOTION, TURN180, REMOVAL, ONE_V_ONE, REPETITION, NO_PROGRESS };

static const char start_text[] = "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3"
                                 ":Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7";

_Static_assert(sizeof(struct draughts) % sizeof(uint64_t) == 0 &&
                   sizeof(struct draughts) <= RULES_STATE_WORDS * sizeof(uint64_t),
               "a position fits into a state");

static const struct draughts *look(const struct rules_state *state)
{
    return (const struct draughts *)state->w;
}

/* The position of a state that is being made. */
static struct draughts *make(struct rules_state *state)
{
    state->bytes = sizeof(struct draughts);
    return (struct draughts *)state->w;
}

/* ---- states, moves and their texts ---- */

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    struct draughts *d = make(state);

    *d = (struct draughts){
        .promotion = (uint8_t)options->value[PROMOTION],
        .turn180 = (uint8_t)options->value[TURN180],
        .removal = (uint8_t)options->value[REMOVAL],
        .one_v_one = (uint8_t)options->value[ONE_V_ONE],
        .repetition = (uint32_t)options->value[REPETITION],
        .no_progress = (uint32_t)options->value[NO_PROGRESS],
    };

    return draughts_read_position(options->position != NULL ? options->position : start_text, d,
                                  why);
}

static void position_text(const struct rules_state *state, char *text)
{
    draughts_write_position(look(state), text);
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    (void)state;
    draughts_write_move(move, text);
}

static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    (void)state;
    for (unsigned i = 0; i <= draughts_last(move); i++)
        rules_square_text(draughts_board, draughts_square(move, i), click[i]);
    return draughts_last(move) + 1;
}

static void clicks_text(const struct rules_state *state, const char *const *click, size_t n,
                        char *text)
{
    draughts_write_clicks(look(state), click, n, text);
}

static unsigned to_move(const struct rules_state *state)
{
    return look(state)->turn + 1;
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    return draughts_legal(look(state), moves, cap);
}

static size_t count(const struct rules_state *state)
{
    return draughts_count(look(state));
}

static bool is_heavy(const struct rules_state *state)
{
    return draughts_is_heavy(look(state));
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    draughts_play(look(state), move, make(next));
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    return draughts_read_move(look(state), text, move, why);
}

/* ---- the end of the game (T22-T27) ---- */

/* 64 bits in, 64 well mixed bits out; no two inputs give the same output. It stays as it is,
 * although mix.h has another one: the keys of stored games are made of it. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
    return x ^ (x >> 32);
}

static uint64_t key(const struct rules_state *state)
{
    const struct draughts *d = look(state);
    uint64_t sum = mix(d->turn);

    sum = mix(sum ^ d->side[DRAUGHTS_WHITE]);
    sum = mix(sum ^ d->side[DRAUGHTS_BLACK]);
    sum = mix(sum ^ d->kings);
    return sum & ~(uint64_t)1;
}

/* Men and kings move to the left as to the right. */
static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_MIRRORED;
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct draughts *d = (struct draughts *)image->w;

    rules_copy(state, image);
    d->side[DRAUGHTS_WHITE] = rules_turned_set(draughts_board, symmetry, d->side[DRAUGHTS_WHITE]);
    d->side[DRAUGHTS_BLACK] = rules_turned_set(draughts_board, symmetry, d->side[DRAUGHTS_BLACK]);
    d->kings = rules_turned_set(draughts_board, symmetry, d->kings);
}

/* T26: a capture or a man's step forward can never be undone, so no position from before recurs. */
static size_t span(const struct rules_state *state)
{
    const struct draughts *d = look(state);

    return d->repetition == 0 ? 0 : d->quiet_plies;
}

/* How often the position has stood on the board, now included. */
static size_t standings(const struct rules_state *state, const struct rules_history *history)
{
    struct rules_history recent = *history;

    if (recent.len > span(state)) {
        recent.keys += recent.len - span(state);
        recent.len = span(state);
    }
    return rules_occurrences(&recent, key(state)) + 1;
}

static struct rules_outcome lost(const struct draughts *d, enum rules_reason reason)
{
    return (struct rules_outcome){RULES_WON, (uint8_t)rules_other(d->turn + 1), reason};
}

static struct rules_outcome drawn(enum rules_reason reason)
{
    return (struct rules_outcome){RULES_DRAWN, 0, reason};
}

static bool is_single(uint64_t set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

/* T25: one piece each. "draw" and "king_wins" let the side to move take the last piece first. */
static struct rules_outcome outcome_of_one_v_one(const struct draughts *d)
{
    const struct rules_outcome ongoing = {RULES_ONGOING, 0, RULES_REASON_NONE};
    bool white_king = (d->side[DRAUGHTS_WHITE] & d->kings) != 0;
    bool black_king = (d->side[DRAUGHTS_BLACK] & d->kings) != 0;

    if (!is_single(d->side[DRAUGHTS_WHITE]) || !is_single(d->side[DRAUGHTS_BLACK]))
        return ongoing;
    switch (d->one_v_one) {
    case DRAUGHTS_ONE_V_ONE_STRICT:
        return drawn(RULES_REASON_ONE_V_ONE);
    case DRAUGHTS_ONE_V_ONE_DRAW:
        return draughts_takers(d) != 0 ? ongoing : drawn(RULES_REASON_ONE_V_ONE);
    case DRAUGHTS_ONE_V_ONE_KING_WINS:
        if (draughts_takers(d) != 0 || (!white_king && !black_king))
            return ongoing;
        if (white_king && black_king)
            return drawn(RULES_REASON_ONE_V_ONE);
        return (struct rules_outcome){RULES_WON, white_king ? 1 : 2, RULES_REASON_ONE_V_ONE};
    }
    return ongoing;
}

/* T22: in this order. */
static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    const struct draughts *d = look(state);
    struct rules_outcome one_v_one;

    if (d->side[d->turn] == 0)
        return lost(d, RULES_REASON_NO_PIECES);
    if (!draughts_can_move(d))
        return lost(d, RULES_REASON_BLOCKED);
    one_v_one = outcome_of_one_v_one(d);
    if (one_v_one.status != RULES_ONGOING)
        return one_v_one;
    if (d->repetition != 0 && standings(state, history) >= d->repetition)
        return drawn(RULES_REASON_REPETITION);
    if (d->no_progress != 0 && d->quiet_plies >= d->no_progress)
        return drawn(RULES_REASON_NO_PROGRESS);
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

/* ---- what a move does, for clients that draw it ---- */

static void add_effect(struct rules_effect *effects, size_t *n, enum rules_effect_type type,
                       unsigned from, unsigned to, struct rules_man man)
{
    effects[(*n)++] = (struct rules_effect){.type = type,
                                            .from = (uint16_t)from,
                                            .to = (uint16_t)to,
                                            .count = type == RULES_EFFECT_MOVE,
                                            .man = man};
}

static void add_captures(struct rules_effect *effects, size_t *n, const struct draughts *d,
                         uint64_t victims)
{
    for (; victims != 0; victims &= victims - 1) {
        unsigned square = (unsigned)__builtin_ctzll(victims);

        add_effect(effects, n, RULES_EFFECT_CAPTURE, square, square, draughts_man(d, square));
    }
}

/* T16 and T21 decide the order: taken pieces vanish jump by jump or all at the end, and a man is
 * crowned when it reaches the last rank or when the move ends. */
static size_t effects(const struct rules_state *state, rules_move move,
                      struct rules_effect *effects)
{
    const struct draughts *d = look(state);
    uint64_t enemy = d->side[!d->turn];
    bool at_once = d->removal == DRAUGHTS_REMOVED_AT_ONCE;
    struct rules_man man = draughts_man(d, draughts_square(move, 0));
    unsigned last = draughts_last(move);
    size_t n = 0;

    for (unsigned i = 1; i <= last; i++) {
        unsigned from = draughts_square(move, i - 1), to = draughts_square(move, i);
        uint64_t victim = enemy & draughts_between(from, to);

        enemy &= ~victim;
        add_captures(effects, &n, d, at_once ? victim : 0);
        add_effect(effects, &n, RULES_EFFECT_MOVE, from, to, man);
        if (man.kind == DRAUGHTS_MAN && (draughts_last_rank(d->turn) & draughts_bit(to)) &&
            (i == last || d->promotion == DRAUGHTS_CROWNED_AT_ONCE)) {
            man.kind = DRAUGHTS_KING;
            add_effect(effects, &n, RULES_EFFECT_PROMOTE, to, to, man);
        }
    }
    add_captures(effects, &n, d, at_once ? 0 : d->side[!d->turn] & ~enemy);
    return n;
}

/* ---- the board ---- */

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return draughts_board;
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    const struct draughts *d = look(state);
    struct rules_man man = draughts_man(d, square);

    if (man.seat == 0)
        return 0;
    if (cap > 0)
        men[0] = man;
    return 1;
}

static bool crowns_white(const struct rules_state *state, unsigned square)
{
    (void)state;
    return (draughts_last_rank(DRAUGHTS_WHITE) & draughts_bit(square)) != 0;
}

static bool crowns_black(const struct rules_state *state, unsigned square)
{
    (void)state;
    return (draughts_last_rank(DRAUGHTS_BLACK) & draughts_bit(square)) != 0;
}

/* ---- the catalogue ---- */

static const struct rules_piece pieces[] = {
    [DRAUGHTS_MAN] = {"man",
                      {"w", "b"},
                      {"⛀", "⛂"},
                      {"w", "b"},
                      "One square straight forward, left or right; takes the piece next to it "
                      "that way by a jump.",
                      DRAUGHTS_KING,
                      -1},
    [DRAUGHTS_KING] = {"king",
                       {"W", "B"},
                       {"⛁", "⛃"},
                       {"W", "B"},
                       "Any number of squares along a rank or file; takes at a distance.",
                       -1,
                       -1},
};

static const struct rules_zone zones[] = {
    {"promotion", 1, crowns_white, NULL},
    {"promotion", 2, crowns_black, NULL},
};

static const struct rules_option option_table[] = {
    [PROMOTION] = {.name = "promotion",
                   .kind = RULES_OPTION_CHOICE,
                   .fallback = DRAUGHTS_CROWNED_AT_END,
                   .choices = (const char *const[]){"end", "immediate", "stop", NULL},
                   .doc =
                       "What a man does that reaches the last rank in a capture: it goes on as a "
                       "man and is crowned when the move ends, goes on as a king, or stops."},
    [TURN180] = {.name = "turn180",
                 .title = "Turning back in a capture",
                 .kind = RULES_OPTION_CHOICE,
                 .fallback = DRAUGHTS_TURN180_FORBIDDEN,
                 .choices = (const char *const[]){"forbidden", "allowed", NULL},
                 .doc = "Whether a king may turn back by 180 degrees between two jumps."},
    [REMOVAL] = {.name = "removal",
                 .kind = RULES_OPTION_CHOICE,
                 .fallback = DRAUGHTS_REMOVED_AT_ONCE,
                 .choices = (const char *const[]){"immediate", "end", NULL},
                 .doc = "Whether a taken piece leaves the board at once, or stays in the way until "
                        "the capture is over."},
    [ONE_V_ONE] = {.name = "one_v_one",
                   .title = "One piece each",
                   .kind = RULES_OPTION_CHOICE,
                   .fallback = DRAUGHTS_ONE_V_ONE_DRAW,
                   .choices = (const char *const[]){"draw", "strict", "king_wins", "off", NULL},
                   .doc =
                       "When each side has one piece left, the game is drawn unless the player to "
                       "move can capture, is drawn in any case, is won by a king against a "
                       "man, or goes on."},
    [REPETITION] = {.name = "repetition",
                    .kind = RULES_OPTION_INT,
                    .min = 2,
                    .max = 1000,
                    .zero_is_off = true,
                    .fallback = 3,
                    .doc = "The game is drawn when a position occurs this many times; 0: never."},
    [NO_PROGRESS] = {.name = "no_progress",
                     .kind = RULES_OPTION_INT,
                     .min = 1,
                     .max = 10000,
                     .zero_is_off = true,
                     .fallback = 100,
                     .doc =
                         "The game is drawn after this many moves of both sides in which nothing "
                         "was taken and no man stepped forward; 0: never."},
};

const struct rules_game rules_turkish_draughts = {
    .name = "turkish-draughts",
    .title = "Turkish draughts",
    .doc = "Dama: men and flying kings move along ranks and files and must take as many pieces as "
           "they can.",
    .version = 1,
    .seat = {{"white", "W"}, {"black", "B"}},
    .pieces = pieces,
    .npieces = sizeof(pieces) / sizeof(pieces[0]),
    .zones = zones,
    .nzones = sizeof(zones) / sizeof(zones[0]),
    .options = option_table,
    .noptions = sizeof(option_table) / sizeof(option_table[0]),
    .laws = draughts_laws,
    .nlaws = DRAUGHTS_LAWS,
    .reasons = (const enum rules_reason[]){RULES_REASON_NO_PIECES, RULES_REASON_BLOCKED,
                                           RULES_REASON_ONE_V_ONE, RULES_REASON_REPETITION,
                                           RULES_REASON_NO_PROGRESS},
    .nreasons = 5,
    .move =
        {"^[a-h][1-8](?:-[a-h][1-8]|(?:x[a-h][1-8]){1,16})$",
         "The square that the piece starts from and the one that it ends on, joined by -; for a "
         "capture every square that it lands on, joined by x. The start and the end of a "
         "capture are enough where they leave no doubt. : is read as x, and the sign may be left "
         "out.",
         (const char *const[]){"a3-a4", "a4xa6", "d4xd6xb6", NULL}},
    .position = {"^[WB]:W(?:K?[a-h][1-8](?:,K?[a-h][1-8]){0,15})?"
                 ":B(?:K?[a-h][1-8](?:,K?[a-h][1-8]){0,15})?"
                 "(?::H(?:0|[1-9][0-9]*):F[1-9][0-9]*)?$",
                 "The side to move, White's pieces, Black's pieces, K before a king, each in order "
                 "from a1 to h8; then, unless they are 0 and 1, H and the moves since the last "
                 "progress, F and the move number.",
                 (const char *const[]){start_text, "W:Wa3,Kb4:Bc5", "B:WKd4:Ba6,a7:H12:F40", NULL}},
    .exports = (const char *const[]){"pdn", "pdn-numeric", NULL},
    .features = (const char *const[]){"capture-chains", NULL},
    .drawing = {.lettered = true,
                .trailed = true,
                .empty = "-",
                .empty_ascii = "-",
                .color = {"white", "black"}},
    .art = &rules_turkish_draughts_art,
    .start = start,
    .position_text = position_text,
    .to_move = to_move,
    .legal = legal,
    .count = count,
    .is_heavy = is_heavy,
    .play = play,
    .outcome = outcome,
    .key = key,
    .symmetries = symmetries,
    .turn = turn,
    .span = span,
    .move_text = move_text,
    .read_move = read_move,
    .path = path,
    .clicks_text = clicks_text,
    .effects = effects,
    .board = board,
    .at = at,
};
