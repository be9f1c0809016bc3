/*
 * shogi.c - shogi, Japanese chess: the game's table, its options and its start.
 *
 * Read board.h first. attacks.h has what men attack and bounds.h what that forbids; within those
 * bounds moves.c lists moves and count.c counts them, and play.c plays one. outcome.c has the ends,
 * refuse.c reads moves and says what is wrong with them, sfen.c and text.c have the texts.
 */
#include "rules/rules.h"

#include <string.h>

#include "rules/draw/art.h"
#include "rules/shogi/board.h"
#include "rules/shogi/judge.h"
#include "rules/shogi/moves.h"
#include "rules/shogi/text.h"
#include "rules/text.h"

/* ---- options and starts ---- */

enum option { OPTION_RULES, OPTION_IMPASSE, OPTION_REPETITION, OPTION_MAX_PLIES, OPTION_START };

enum { STANDARD, CASUAL };

static const char *const rule_sets[] = {"standard", "casual", NULL};
static const char *const impasse_rules[] = {"declare", "auto", "off", NULL};
static const char *const start_names[] = {
    "hirate",          "lance",     "right-lance",       "bishop",           "rook",
    "rook-lance",      "two-piece", "three-piece",       "four-piece",       "five-piece",
    "left-five-piece", "six-piece", "right-seven-piece", "left-seven-piece", "eight-piece",
    "ten-piece",       NULL};

#define CAMP "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "

/* In the order of start_names. In a handicap Gote gives men away and moves first (2.4). */
static const char *const starts[] = {
    "lnsgkgsnl/1r5b1" CAMP "b - 1", "lnsgkgsn1/1r5b1" CAMP "w - 1", "1nsgkgsnl/1r5b1" CAMP "w - 1",
    "lnsgkgsnl/1r7" CAMP "w - 1",   "lnsgkgsnl/7b1" CAMP "w - 1",   "lnsgkgsn1/7b1" CAMP "w - 1",
    "lnsgkgsnl/9" CAMP "w - 1",     "lnsgkgsn1/9" CAMP "w - 1",     "1nsgkgsn1/9" CAMP "w - 1",
    "2sgkgsn1/9" CAMP "w - 1",      "1nsgkgs2/9" CAMP "w - 1",      "2sgkgs2/9" CAMP "w - 1",
    "3gkgs2/9" CAMP "w - 1",        "2sgkg3/9" CAMP "w - 1",        "3gkg3/9" CAMP "w - 1",
    "4k4/9" CAMP "w - 1",
};

enum { STARTS = sizeof(starts) / sizeof(starts[0]) };

_Static_assert(STARTS + 1 == sizeof(start_names) / sizeof(start_names[0]),
               "every start has a name");

/* The points of the men given away, as 4.8 counts them. They count for Gote later, and are all that
 * a start has to do with who wins. One that is a position gives nothing away. */
static const int32_t points_given[STARTS + 1] = {0,  1,  1,  5,  5,  6,  10, 11, 12,
                                                 13, 13, 14, 15, 15, 16, 18, 0};

static const struct rules_option options[] = {
    [OPTION_RULES] = {.name = "rules",
                      .kind = RULES_OPTION_CHOICE,
                      .choices = rule_sets,
                      .doc = "standard: the rules of tournaments. casual: kings may be left in "
                             "check and are taken, drops are free, and promotion is never forced "
                             "and depends only on where a move ends."},
    [OPTION_IMPASSE] = {.name = "impasse",
                        .kind = RULES_OPTION_CHOICE,
                        .choices = impasse_rules,
                        .doc = "How entering the enemy camp with enough points (28 for Sente, 27 "
                               "for Gote) wins: when declared, by itself, or never. Default: "
                               "declare; off in casual games."},
    [OPTION_REPETITION] = {.name = "repetition",
                           .kind = RULES_OPTION_INT,
                           .min = 2,
                           .max = INT32_MAX,
                           .zero_is_off = true,
                           .fallback = 4,
                           .doc =
                               "The game is drawn when a position occurs this many times, or lost "
                               "by the side that kept giving check. 0: never. Default: 4; 0 in "
                               "casual games."},
    [OPTION_MAX_PLIES] = {.name = "max_plies",
                          .title = "Longest game",
                          .kind = RULES_OPTION_INT,
                          .min = 1,
                          .max = INT32_MAX,
                          .zero_is_off = true,
                          .fallback = 0,
                          .doc = "The game is drawn after this many moves of both sides, counted "
                                 "by the position's move number. 0: never."},
    [OPTION_START] = {.name = "start",
                      .kind = RULES_OPTION_START,
                      .choices = start_names,
                      .doc = "hirate (even), a handicap, or a position in SFEN. Each handicap "
                             "names what Gote, who moves first, plays without: lance (that on 1a), "
                             "right-lance (on 9a), bishop, rook, rook-lance; two-piece: rook and "
                             "bishop, three-piece: the lance on 1a too, four-piece: both lances "
                             "too, five-piece: the knight on 8a too, left-five-piece: that on 2a, "
                             "six-piece: both knights too, right-seven-piece: the silver on 7a "
                             "too, left-seven-piece: that on 3a, eight-piece: both silvers too, "
                             "ten-piece: the golds too.",
                      .alike = points_given},
};

/* 5.5: casual games know neither impasse nor repetition, unless they are asked for. */
static int32_t fallback_of(size_t option, bool casual)
{
    if (casual && option == OPTION_IMPASSE)
        return IMPASSE_OFF;
    if (casual && option == OPTION_REPETITION)
        return 0;
    return options[option].fallback;
}

static bool resolve(struct rules_options *given, struct rules_refusal *why)
{
    bool casual = given->value[OPTION_RULES] == CASUAL;

    (void)why;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (given->value[i] == RULES_NOT_GIVEN)
            given->value[i] = fallback_of(i, casual);
    return true;
}

static bool is_same_position(const struct shogi *a, const struct shogi *b)
{
    return memcmp(a, b, offsetof(struct shogi, king)) == 0 && a->side == b->side &&
           a->number == b->number;
}

/* A handicap goes by its name, however it was given: its missing men count (4.8). */
static int32_t name_start(const struct shogi *s)
{
    struct rules_refusal why;
    struct shogi named;
    int32_t i = 0;

    for (; s->number == 1 && i < STARTS; i++) {
        named.rules = s->rules;
        if (shogi_read_sfen(starts[i], &named, &why) && is_same_position(s, &named))
            break;
    }
    return s->number == 1 ? i : STARTS;
}

/* The options come first, since shogi_read_sfen() judges by them. */
static bool start(struct rules_options *given, struct rules_state *state, struct rules_refusal *why)
{
    struct shogi *s = (struct shogi *)state->w;
    int32_t *value = given->value;
    const char *position = given->position;

    if (position == NULL)
        position = starts[value[OPTION_START]];
    set_rules(s, (unsigned)value[OPTION_RULES], (unsigned)value[OPTION_IMPASSE]);
    s->repetition = (uint64_t)value[OPTION_REPETITION];
    s->max_plies = (uint64_t)value[OPTION_MAX_PLIES];
    state->bytes = sizeof(*s);
    if (!shogi_read_sfen(position, s, why))
        return false;
    if (value[OPTION_START] == STARTS)
        value[OPTION_START] = name_start(s);
    set_handicap(s, (unsigned)points_given[value[OPTION_START]]);
    return true;
}

/* ---- playing ---- */

static unsigned to_move(const struct rules_state *state)
{
    return (unsigned)shogi_of(state)->side + 1;
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct shogi *s = shogi_of(state);

    return shogi_has_ended(s) ? 0 : shogi_legal(s, moves, cap);
}

static size_t count(const struct rules_state *state)
{
    const struct shogi *s = shogi_of(state);

    return shogi_has_ended(s) ? 0 : shogi_count(s);
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    next->bytes = sizeof(struct shogi);
    shogi_play(shogi_of(state), move, (struct shogi *)next->w);
}

/* Every word that holds men or hands goes through one multiplication, and the side to move begins
 * the hash. */
static uint64_t key(const struct rules_state *state)
{
    const struct shogi *s = shogi_of(state);
    uint64_t hash = s->side;

    for (size_t i = 0; i <= offsetof(struct shogi, hands) / sizeof(uint64_t); i++) {
        hash = (hash ^ state->w[i]) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    hash *= 0xd6e8feb86659fd93U;
    hash ^= hash >> 32;
    return (hash & ~(uint64_t)1) | set_any(shogi_checkers(s, (unsigned)s->side));
}

/* Every man moves to the left as to the right, and a mirrored start is a start like any other. */
static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_MIRRORED;
}

static unsigned turn_square(unsigned square, unsigned symmetry)
{
    return square == NO_SQUARE ? NO_SQUARE
                               : square_at(rules_turned(shogi_board, symmetry, place_of(square)));
}

static struct squares turn_squares(struct squares squares, unsigned symmetry)
{
    struct squares image = set_none();

    while (set_any(squares))
        image = set_or(image, set_of(turn_square(set_take(&squares), symmetry)));
    return image;
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct shogi *s = (struct shogi *)image->w;

    rules_copy(state, image);
    for (unsigned kind = PAWN; kind <= KING; kind++)
        s->kind[kind] = turn_squares(s->kind[kind], symmetry);
    for (unsigned side = SENTE; side <= GOTE; side++) {
        s->seat[side] = turn_squares(s->seat[side], symmetry);
        s->king[side] = turn_square((unsigned)s->king[side], symmetry);
    }
    s->promoted = turn_squares(s->promoted, symmetry);
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    return shogi_outcome(shogi_of(state), key(state), history);
}

/* Men come back from hands, so no move keeps an earlier position from recurring. */
static size_t span(const struct rules_state *state)
{
    const struct shogi *s = shogi_of(state);

    return s->repetition == 0 ? 0 : (size_t)s->number - 1;
}

/* In casual games the side that has just moved may have left its own king to be taken (5.1). The
 * kings come first, so that no number of attackers hides one. */
static bool check(const struct rules_state *state, struct rules_refusal *why)
{
    const struct shogi *s = shogi_of(state);
    unsigned side = (unsigned)s->side;
    struct squares own = shogi_checkers(s, side);
    struct squares other = is_casual(s) ? shogi_checkers(s, !side) : set_none();
    struct squares checkers = set_or(own, other);

    rules_refuse(why, RULES_OK, NULL);
    if (set_any(own))
        shogi_add_witness(why, RULES_ROLE_KING, s, (unsigned)s->king[side]);
    if (set_any(other))
        shogi_add_witness(why, RULES_ROLE_KING, s, (unsigned)s->king[!side]);
    while (set_any(checkers))
        shogi_add_witness(why, RULES_ROLE_CHECKER, s, set_take(&checkers));
    return set_any(own);
}

static bool declare(const struct rules_state *state, struct rules_outcome *result,
                    struct rules_refusal *why)
{
    return shogi_declare(shogi_of(state), result, why);
}

/* ---- showing ---- */

static void position_text(const struct rules_state *state, char *text)
{
    shogi_write_sfen(shogi_of(state), text);
}

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    (void)state;
    shogi_write_usi(move, text);
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    return shogi_read_move(shogi_of(state), text, move, why);
}

static void pretty(const struct rules_state *state, rules_move last, rules_move move, char *text)
{
    shogi_write_kanji(shogi_of(state), last, move, text);
}

/* A drop begins with a click on the hand, "P*"; a promotion ends with "+". */
static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    struct shogi_move m = unpack_move(move);
    size_t n = 0;

    (void)state;
    if (m.from == NO_SQUARE) {
        struct text out = text_open(click[n++], RULES_SQUARE_TEXT);

        text_char(&out, shogi_letters[m.kind]);
        text_char(&out, '*');
    } else {
        rules_square_text(shogi_board, place_of(m.from), click[n++]);
    }
    rules_square_text(shogi_board, place_of(m.to), click[n++]);
    if (m.promotes) {
        struct text out = text_open(click[n++], RULES_SQUARE_TEXT);

        text_char(&out, '+');
    }
    return n;
}

/* A captured man leaves its square before the other arrives. */
static size_t effects(const struct rules_state *state, rules_move move, struct rules_effect *effect)
{
    const struct shogi *s = shogi_of(state);
    struct shogi_move m = unpack_move(move);
    uint8_t seat = (uint8_t)(s->side + 1);
    uint16_t to = (uint16_t)place_of(m.to);
    size_t n = 0;

    if (m.from == NO_SQUARE) {
        effect[n++] = (struct rules_effect){
            .type = RULES_EFFECT_DROP, .to = to, .count = 1, .man = {seat, (uint8_t)m.kind}};
        return n;
    }
    if (set_has(s->seat[!s->side], m.to))
        effect[n++] = (struct rules_effect){
            .type = RULES_EFFECT_CAPTURE, .to = to, .count = 1, .man = man_on(s, m.to)};
    effect[n++] = (struct rules_effect){.type = RULES_EFFECT_MOVE,
                                        .from = (uint16_t)place_of(m.from),
                                        .to = to,
                                        .count = 1,
                                        .man = man_on(s, m.from)};
    if (m.promotes)
        effect[n++] = (struct rules_effect){.type = RULES_EFFECT_PROMOTE,
                                            .to = to,
                                            .count = 1,
                                            .man = {seat, (uint8_t)(m.kind + PROMOTED)}};
    return n;
}

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return shogi_board;
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    struct rules_man man = man_on(shogi_of(state), square_at(square));

    if (man.seat == 0)
        return 0;
    if (cap > 0)
        men[0] = man;
    return 1;
}

static unsigned hand(const struct rules_state *state, unsigned seat, unsigned kind)
{
    return kind >= KING ? 0 : hand_count(hand_of(shogi_of(state), seat - 1), kind);
}

static bool at_odds(const struct rules_state *state)
{
    return handicap_points(shogi_of(state)) > 0;
}

/* ---- the catalogue ---- */

static bool in_zone_of_sente(const struct rules_state *state, unsigned square)
{
    (void)state;
    return set_has(promotion_zone(SENTE), square_at(square));
}

static bool in_zone_of_gote(const struct rules_state *state, unsigned square)
{
    (void)state;
    return set_has(promotion_zone(GOTE), square_at(square));
}

static const struct rules_zone zones[] = {
    {.name = "promotion", .seat = 1, .has = in_zone_of_sente},
    {.name = "promotion", .seat = 2, .has = in_zone_of_gote},
};

static const struct rules_piece pieces[SHOGI_KINDS] = {
#define SHOGI_PIECE(name, id, capital, small, sente, gote, written, up, down, text) \
    {id, {capital, small}, {sente, gote}, {capital, small}, text, up, down},
#include "rules/shogi/pieces.def"
#undef SHOGI_PIECE
};

static const enum rules_reason reasons[] = {
    RULES_REASON_CHECKMATE,  RULES_REASON_STALEMATE,       RULES_REASON_KING_CAPTURED,
    RULES_REASON_REPETITION, RULES_REASON_PERPETUAL_CHECK, RULES_REASON_IMPASSE,
    RULES_REASON_MAX_PLIES,
};

static const char *const files[] = {"９", "８", "７", "６", "５", "４", "３", "２", "１"};
static const char *const ranks[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};
static const char *const counts[] = {
    "なし", "　",     "二　",   "三　",   "四　",   "五　",   "六　",   "七　",   "八　",   "九　",
    "十　", "十一　", "十二　", "十三　", "十四　", "十五　", "十六　", "十七　", "十八　",
};

static const int8_t hand_order[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN, -1};

#define RANK "(?:[1-9]|\\+?[PLNSBRplnsbr]|[GKgk])+"

const struct rules_game rules_shogi = {
    .name = "shogi",
    .title = "Shogi",
    .doc = "Japanese chess: captured pieces change sides and are dropped back on the board.",
    .version = 2,
    .seat = {{"sente", "b"}, {"gote", "w"}},
    .pieces = pieces,
    .npieces = SHOGI_KINDS,
    .zones = zones,
    .nzones = sizeof(zones) / sizeof(zones[0]),
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .laws = shogi_laws,
    .nlaws = SHOGI_LAWS,
    .reasons = reasons,
    .nreasons = sizeof(reasons) / sizeof(reasons[0]),
    .move = {"^(?:[1-9][a-i][1-9][a-i]\\+?|[PLNSBRG]\\*[1-9][a-i])$",
             "USI: the squares from and to, with + behind them if the piece promotes; a drop is a "
             "piece, * and a square. Capitals and small letters are read alike, and blanks around "
             "a move do not matter.",
             (const char *const[]){"7g7f", "8h2b+", "P*5e", NULL}},
    .position = {"^" RANK "(?:/" RANK "){8} [bw] "
                 "(?:-|(?:(?:[2-9]|1[0-8])?[PLNSBRGplnsbrg])+) [1-9][0-9]*$",
                 "SFEN: ranks a to i joined by /, each from file 9 to file 1 with numbers of empty "
                 "squares and + before promoted pieces, capitals for Sente's; b (Sente) or w "
                 "(Gote) to move; the hands, or -, in the order R B G S N L P (read in any "
                 "order); the number of the next move.",
                 (const char *const[]){
                     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                     "lnsgkg1nl/1r7/pppppppsp/9/9/2P6/NP1PPPPPP/7R1/L1SGKGSNL b B2Pb 13", NULL}},
    .exports = (const char *const[]){"usi", "usen", "kif", "ki2", "csa", "csa3", "jkf", "sfen",
                                     "shougi", NULL},
    .features = (const char *const[]){"hands", "drops", "promotion", "check", "declaration", NULL},
    .drawing = {.grid = RULES_GRID_FRAME,
                .empty = "・",
                .empty_ascii = ".",
                .facing = "v",
                .files = files,
                .ranks = ranks,
                .hand = {"先手の持駒：", "後手の持駒："},
                .odds = {"下手の持駒：", "上手の持駒："},
                .counts = counts,
                .hand_order = hand_order,
                .color = {"black", "white"}},
    .choices =
        (const struct rules_choice[]){{"+", "promote"}, {"", "do not promote"}, {NULL, NULL}},
    .art = &rules_shogi_art,
    .resolve = resolve,
    .start = start,
    .position_text = position_text,
    .to_move = to_move,
    .legal = legal,
    .count = count,
    .play = play,
    .outcome = outcome,
    .key = key,
    .symmetries = symmetries,
    .turn = turn,
    .span = span,
    .check = check,
    .declare = declare,
    .move_text = move_text,
    .read_move = read_move,
    .pretty = pretty,
    .path = path,
    .effects = effects,
    .at_odds = at_odds,
    .board = board,
    .at = at,
    .hand = hand,
};
