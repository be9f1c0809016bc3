/*
 * stackchess.c - Stackchess, chess in which men of one colour stand on each other and move
 * together: the game's table, its start, its ends, and what a move looks like.
 *
 * Read board.h first. moves.c finds moves, board.c plays them, judge.c reads them and says what is
 * wrong with them, text.c reads and writes positions.
 */
#include "rules/stackchess/board.h"

#include <string.h>

#include "rules/draw/art.h"
#include "rules/text.h"

/* ---- the start (3) ---- */

/* 3.1, 3.2: outwards from the queen and from the king the men take turns. */
static enum kind first_rank_kind(unsigned n, unsigned column, bool knights)
{
    static const enum kind turn[2][3] = {{BISHOP, ROOK}, {BISHOP, KNIGHT, ROOK}};
    unsigned queen = n / 2 - 1, king = n / 2;
    unsigned outwards = column < queen ? queen - column : column - king;

    if (column == queen)
        return QUEEN;
    if (column == king)
        return KING;
    return turn[knights][(outwards - 1) % (knights ? 3 : 2)];
}

static void set_up(struct rules_state *state, const struct rules_options *options)
{
    unsigned n = (unsigned)options->value[SIZE];

    stackchess_clear(state, n, options);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned column = 0; column < n; column++) {
            unsigned first = row_forward(n, side, 0) * n + column;
            unsigned second = row_forward(n, side, 1) * n + column;

            stackchess_put(state, first, side,
                           first_rank_kind(n, column, options->value[KNIGHTS] != 0));
            stackchess_put(state, second, side, PAWN);
            stackchess_set_unmoved(state, second);
        }
}

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    if (options->position != NULL)
        return stackchess_read_position(options, state, why);
    set_up(state, options);
    return true;
}

/* ---- the ends (9) ---- */

static unsigned to_move(const struct rules_state *state)
{
    return view_of(state).head->mover + 1U;
}

/* Positions are the same if the same men stand on the same squares in the same order, with the same
 * rights to a double step, and the same side is to move (9.5). A man's number does not count: it
 * differs after an exchange of places. The side begins the hash with a large constant, since a
 * small one could be mistaken for a man's. Bit 0 is for check, which this game does not know. */
static uint64_t key(const struct rules_state *state)
{
    struct view view = view_of(state);
    uint64_t hash = view.head->mover == 0 ? 0x243f6a8885a308d3U : 0x13198a2e03707344U;

    for (unsigned square = 0; square < view.n * view.n; square++)
        for (man_number i = view.tops[square]; i != 0; i = man_below(view.men[i])) {
            hash ^= square << 5 | side_at(&view, square) << 4 | view.men[i] % MAN_BELOW;
            hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93U;
            hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15U;
        }
    return (hash ^ hash >> 32) & ~1ULL;
}

static struct rules_board board(const struct rules_state *state)
{
    uint8_t n = view_of(state).head->size;

    return (struct rules_board){n, n, RULES_LETTER_DIGIT};
}

/* All pieces move to the left as to the right, and where king and queen started does not matter. */
static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_MIRRORED;
}

/* Men are put down anew, so that the lines follow from them. */
static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct view view = view_of(state);
    struct rules_man men[RULES_STACK_MAX];

    stackchess_empty(state, image);
    for (unsigned square = 0; square < view.n * view.n; square++) {
        unsigned to = rules_turned(board(state), symmetry, square);
        size_t n = stackchess_at(state, square, men, RULES_STACK_MAX);

        for (size_t i = 0; i < n; i++)
            stackchess_put(image, to, men[i].seat - 1U, (enum kind)men[i].kind);
        if (n > 0 && stackchess_bottom(&view, square) & MAN_UNMOVED)
            stackchess_set_unmoved(image, to);
    }
}

/* Whether a side can bring pawns back to where they were: a knight can carry those that have moved
 * already. The first move of a pawn cannot be undone. */
static bool pawns_can_return(const struct view *view, unsigned side)
{
    unsigned kinds = stackchess_kinds(view, side);

    return (kinds & 1U << KNIGHT) && (kinds & 1U << PAWN);
}

/* A capture and a pawn's move cannot be undone, and the plies since the last of them are counted.
 * But where a knight can carry pawns back, any position of the game may recur. */
static size_t span(const struct rules_state *state)
{
    struct view view = view_of(state);

    if (view.head->repetition == 0)
        return 0;
    if (pawns_can_return(&view, 0) || pawns_can_return(&view, 1))
        return (view.head->fullmove - 1) * (size_t)2 + view.head->mover;
    return view.head->quiet;
}

static bool recurs(const struct rules_state *state, const struct rules_history *history)
{
    size_t repetition = view_of(state).head->repetition, reach;
    struct rules_history recent = *history;

    if (history->len == 0)
        return false;
    reach = span(state);
    if (reach < history->len)
        recent = (struct rules_history){history->keys + (history->len - reach), reach};
    return repetition != 0 && rules_occurrences(&recent, key(state)) + 1 >= repetition;
}

static struct rules_outcome won(unsigned side, enum rules_reason reason)
{
    return (struct rules_outcome){RULES_WON, (uint8_t)(side + 1), reason};
}

static struct rules_outcome drawn(enum rules_reason reason)
{
    return (struct rules_outcome){RULES_DRAWN, 0, reason};
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    struct view view = view_of(state);
    const struct head *head = view.head;
    enum rules_reason end = stackchess_end(&view);

    if (end == RULES_REASON_ALL_CAPTURED)
        return won(head->men[0] == 0, end);
    if (end != RULES_REASON_NONE)
        return drawn(end);
    if (stackchess_count(state) == 0)
        return head->stalemate_loses ? won(1U - head->mover, RULES_REASON_STALEMATE)
                                     : drawn(RULES_REASON_STALEMATE);
    if (recurs(state, history))
        return drawn(RULES_REASON_REPETITION);
    if (head->no_progress != 0 && head->quiet >= head->no_progress)
        return drawn(RULES_REASON_NO_PROGRESS);
    return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
}

/* ---- moves for clients ---- */

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    struct transfer transfer = transfer_of(move);
    struct text out = text_open(text, RULES_MOVE_TEXT);
    char square[RULES_SQUARE_TEXT];

    if (transfer.count > 1)
        text_number(&out, transfer.count);
    rules_square_text(board(state), transfer.from, square);
    text_string(&out, square);
    rules_square_text(board(state), transfer.to, square);
    text_string(&out, square);
}

/* The start, the target and, for more than one man, how many. A click has room for three digits, so
 * the fourth digit of a tower of a thousand is a click of its own. */
static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    struct transfer transfer = transfer_of(move);
    char digits[RULES_MOVE_TEXT];
    struct text count = text_open(digits, sizeof(digits));
    size_t n = 2;

    rules_square_text(board(state), transfer.from, click[0]);
    rules_square_text(board(state), transfer.to, click[1]);
    if (transfer.count > 1)
        text_number(&count, transfer.count);
    for (const char *at = digits; *at != '\0'; n++) {
        struct text out = text_open(click[n], RULES_SQUARE_TEXT);

        while (*at != '\0' && out.at < out.last)
            text_char(&out, *at++);
    }
    return n;
}

/* The number of men is clicked last and written first. */
static void clicks_text(const struct rules_state *state, const char *const *click, size_t n,
                        char *text)
{
    struct text out = text_open(text, RULES_CLICKS_TEXT);

    (void)state;
    for (size_t i = 2; i < n; i++)
        text_string(&out, click[i]);
    for (size_t i = 0; i < n && i < 2; i++)
        text_string(&out, click[i]);
}

/* ---- effects ---- */

struct effects {
    struct rules_effect *list;
    size_t len;
};

/* The last place is kept for the new height. The capture of a tower of forty men leaves some of
 * them unnamed; what moved and the new height still say everything. */
static void add(struct effects *effects, struct rules_effect effect)
{
    if (effects->len < RULES_EFFECTS_MAX - 1 || effect.type == RULES_EFFECT_STACK)
        effects->list[effects->len++] = effect;
}

static void add_captures(struct effects *effects, const struct rules_state *state, unsigned square)
{
    struct rules_man men[RULES_STACK_MAX];
    size_t height = stackchess_at(state, square, men, RULES_STACK_MAX);

    for (size_t i = 0; i < height && men[0].seat != to_move(state); i++)
        add(effects, (struct rules_effect){
                         .type = RULES_EFFECT_CAPTURE, .to = (uint16_t)square, .man = men[i]});
}

/* Adds the pawns of the group that have become queens. Men keep their numbers, so each of them is
 * compared with itself. */
static void add_promotions(struct effects *effects, const struct rules_state *state,
                           const struct rules_state *next, struct transfer transfer)
{
    struct view before = view_of(state), after = view_of(next);
    man_number i = before.tops[transfer.from];

    for (unsigned k = 0; k < transfer.count; k++, i = man_below(before.men[i]))
        if (man_kind(before.men[i]) != man_kind(after.men[i]))
            add(effects, (struct rules_effect){.type = RULES_EFFECT_PROMOTE,
                                               .to = (uint16_t)transfer.to,
                                               .man = man_of(before.head->mover, after.men[i])});
}

static size_t effects(const struct rules_state *state, rules_move move, struct rules_effect *list)
{
    struct view view = view_of(state), after;
    struct transfer transfer = transfer_of(move);
    struct effects effects = {list, 0};
    struct rules_state next;

    stackchess_play(state, move, &next);
    after = view_of(&next);
    add(&effects, (struct rules_effect){.type = RULES_EFFECT_MOVE,
                                        .from = (uint16_t)transfer.from,
                                        .to = (uint16_t)transfer.to,
                                        .count = (uint16_t)transfer.count,
                                        .man = stackchess_top(&view, transfer.from)});
    add_captures(&effects, state, transfer.to);
    add_promotions(&effects, state, &next, transfer);
    add(&effects, (struct rules_effect){.type = RULES_EFFECT_STACK,
                                        .to = (uint16_t)transfer.to,
                                        .count = (uint16_t)height_at(&after, transfer.to)});
    return effects.len;
}

/* ---- the catalogue ---- */

/* On text boards a man is its letter and its colour: B (blanc) or N (noir). */
#define PIECE(name, letter, black_letter, white, black, doc, promotes_to)                         \
    {                                                                                             \
        name, {letter, black_letter}, {white, black}, {letter "B", letter "N"}, doc, promotes_to, \
            -1                                                                                    \
    }

static const struct rules_piece pieces[KINDS] = {
    [KING] = PIECE("king", "R", "r", "♔", "♚",
                   "One square in any direction; it is captured like any other piece.", -1),
    [QUEEN] =
        PIECE("queen", "D", "d", "♕", "♛", "Any number of empty squares in any direction.", -1),
    [BISHOP] = PIECE("bishop", "F", "f", "♗", "♝", "Any number of empty squares diagonally.", -1),
    [ROOK] = PIECE("rook", "T", "t", "♖", "♜",
                   "Any number of empty squares along a rank or a file.", -1),
    [KNIGHT] = PIECE("knight", "C", "c", "♘", "♞",
                     "Two squares one way and one to the side, over everything; it carries "
                     "another piece with it.",
                     -1),
    [PAWN] = PIECE("pawn", "P", "p", "♙", "♟︎",
                   "One square straight forward, two if it never moved; one diagonally forward "
                   "to capture.",
                   QUEEN),
};

static bool is_last_rank(const struct rules_state *state, unsigned square, unsigned side)
{
    struct view view = view_of(state);

    return view.head->promotion && square / view.n == row_forward(view.n, side, view.n - 1);
}

static bool is_white_promotion(const struct rules_state *state, unsigned square)
{
    return is_last_rank(state, square, 0);
}

static bool is_black_promotion(const struct rules_state *state, unsigned square)
{
    return is_last_rank(state, square, 1);
}

static const struct rules_zone zones[] = {
    {"promotion", 1, is_white_promotion, NULL},
    {"promotion", 2, is_black_promotion, NULL},
};

static const struct rules_option option_table[OPTIONS] = {
    [SIZE] = {.name = "size",
              .kind = RULES_OPTION_INT,
              .min = BOARD_MIN,
              .max = BOARD_MAX,
              .fallback = 6,
              .doc = "Files and ranks of the board."},
    [KNIGHTS] = {.name = "knights",
                 .kind = RULES_OPTION_BOOL,
                 .max = 1,
                 .doc = "Whether knights stand on the first ranks; sensible from size 7 on.",
                 .alike = (const int32_t[]){0, 0}},
    [PROMOTION] = {.name = "promotion",
                   .kind = RULES_OPTION_BOOL,
                   .max = 1,
                   .fallback = 1,
                   .doc = "Whether pawns that arrive on their last rank become queens."},
    [STALEMATE] = {.name = "stalemate",
                   .kind = RULES_OPTION_CHOICE,
                   .choices = (const char *const[]){"draw", "loss", NULL},
                   .doc = "What a side without a legal move gets: a draw or a loss."},
    [REPETITION] = {.name = "repetition",
                    .kind = RULES_OPTION_INT,
                    .min = 2,
                    .max = INT32_MAX,
                    .zero_is_off = true,
                    .fallback = 3,
                    .doc = "The game is drawn when a position occurs this many times; 0: never."},
    [NO_PROGRESS] = {.name = "no_progress",
                     .kind = RULES_OPTION_INT,
                     .min = 1,
                     .max = INT32_MAX,
                     .zero_is_off = true,
                     .fallback = 100,
                     .doc = "The game is drawn after this many moves of both sides without a "
                            "capture or a move of a pawn; 0: never."},
};

const struct rules_game rules_stackchess = {
    .name = "stackchess",
    .title = "Stackchess",
    .doc = "Chess in which pieces of one colour stack and move together. A larger group captures a "
           "stack, and the side that captures everything wins.",
    .version = 1,
    .seat = {{"white", "w"}, {"black", "b"}},
    .pieces = pieces,
    .npieces = KINDS,
    .zones = zones,
    .nzones = sizeof(zones) / sizeof(zones[0]),
    .options = option_table,
    .noptions = OPTIONS,
    .laws = stackchess_laws,
    .nlaws = LAWS,
    .reasons = (const enum rules_reason[]){RULES_REASON_ALL_CAPTURED, RULES_REASON_DEAD,
                                           RULES_REASON_STALEMATE, RULES_REASON_REPETITION,
                                           RULES_REASON_NO_PROGRESS},
    .nreasons = 5,
    .move =
        {"^(?:[2-9]|[1-9][0-9]{1,3})?[a-z](?:[1-9]|1[0-9]|2[0-6])"
         "[a-z](?:[1-9]|1[0-9]|2[0-6])$",
         "How many pieces move from the top of the stack (left out: one), from which square, and "
         "where to. A - or x between the squares is read, too.",
         (const char *const[]){"a2a3", "2a2a4", "11a3h3", "2a10b12", NULL}},
    .position =
        {"^[RDFTCPrdftcp0-9()]+(?:/[RDFTCPrdftcp0-9()]+){3,25} [wb] "
         "(?:-|[A-Z]+[a-z]*|[a-z]+) (?:0|[1-9][0-9]*) [1-9][0-9]*$",
         "The ranks from the last one down joined by /, with numbers of empty squares, pieces "
         "(capitals are White's) and stacks in parentheses from bottom to top in them; "
         "the side to move; the files of unmoved pawns, White's in capitals, or -; the "
         "plies without progress; the number of the move.",
         (const char *const[]){"tfdrft/pppppp/6/6/PPPPPP/TFDRFT w ABCDEFabcdef 0 1",
                               "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3", NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"stacks", NULL},
    .drawing = {.grid = RULES_GRID_BOXES, .lettered = true, .color = {"white", "black"}},
    .choices = (const struct rules_choice[]){{"", "move one piece"},
                                             {"2", "move two pieces"},
                                             {"3", "move three pieces"},
                                             {"4", "move four pieces"},
                                             {NULL, NULL}},
    .art = &rules_stackchess_art,
    .start = start,
    .position_text = stackchess_position_text,
    .to_move = to_move,
    .legal = stackchess_legal,
    .count = stackchess_count,
    .play = stackchess_play,
    .outcome = outcome,
    .key = key,
    .symmetries = symmetries,
    .turn = turn,
    .span = span,
    .move_text = move_text,
    .read_move = stackchess_read_move,
    .path = path,
    .clicks_text = clicks_text,
    .effects = effects,
    .board = board,
    .at = stackchess_at,
};
