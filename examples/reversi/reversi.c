/*
 * reversi.c - Reversi: who puts a disc turns over what it encloses; in the end the greater number
 * of discs wins. A side that can put none passes, which is a move of its own.
 */
#include "reversi.h"

#include <string.h>

#include "rules/mix.h"
#include "rules/text.h"

enum { PASS = SQUARES + 1 }; /* a move is its square plus 1, or this */

/* An end of this game's own, with a number that it keeps. */
enum { NO_PLACE = 5207 };

static const char marks[RULES_SEATS] = {'b', 'w'};

enum law { INPUT, ON_EMPTY, ENCLOSES, PASSING, OVER, POSITION, LAWS };

static const struct rules_law laws[LAWS] = {
    [INPUT] = {"2", "reversi.input", "A move is a square, such as d3, or pass."},
    [ON_EMPTY] = {"2", "reversi.on-empty", "A disc is put on an empty square."},
    [ENCLOSES] = {"3", "reversi.encloses", "A disc encloses one of the other side at least."},
    [PASSING] = {"4", "reversi.passing", "Only a side that can put no disc passes."},
    [OVER] = {"5", "reversi.over", "When neither side can put a disc, the game is over."},
    [POSITION] = {"6", "reversi.position", "A position is its eight rows and the side to move."},
};

/* ---- the discs that a disc encloses ---- */

static const int8_t step[8][2] = {{0, 1}, {0, -1}, {1, 0},  {-1, 0},
                                  {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

static uint64_t enclosed_along(const struct position *p, uint64_t side, int row, int col,
                               const int8_t by[2])
{
    uint64_t turned = 0;

    for (row += by[0], col += by[1]; row >= 0 && row < WIDTH && col >= 0 && col < WIDTH;
         row += by[0], col += by[1]) {
        uint64_t here = 1ULL << (row * WIDTH + col);

        if (p->discs[side] & here)
            return turned;
        if (!(p->discs[!side] & here))
            return 0;
        turned |= here;
    }
    return 0;
}

uint64_t reversi_turned(const struct position *p, uint64_t side, unsigned square)
{
    uint64_t turned = 0;

    for (int i = 0; i < 8; i++)
        turned |= enclosed_along(p, side, (int)square / WIDTH, (int)square % WIDTH, step[i]);
    return turned;
}

uint64_t reversi_places(const struct position *p, uint64_t side)
{
    uint64_t places = 0;

    for (uint64_t empty = ~(p->discs[0] | p->discs[1]); empty != 0; empty &= empty - 1) {
        unsigned square = (unsigned)__builtin_ctzll(empty);

        if (reversi_turned(p, side, square) != 0)
            places |= 1ULL << square;
    }
    return places;
}

static bool is_over(const struct position *p)
{
    return reversi_places(p, p->mover) == 0 && reversi_places(p, !p->mover) == 0;
}

/* ---- starting ---- */

static bool read_position(const char **at, struct position *p)
{
    for (unsigned row = 0; row < WIDTH; row++) {
        unsigned col = 0;

        while (col < WIDTH) {
            uint64_t here = 1ULL << (row * WIDTH + col);
            uint32_t empty = 1;

            if (**at == marks[0] || **at == marks[1])
                p->discs[*(*at)++ == marks[1]] |= here;
            else if (!text_read_number(at, WIDTH - col, &empty) || empty == 0)
                return false;
            col += empty;
        }
        if (**at != (row < WIDTH - 1 ? '/' : ' '))
            return false;
        ++*at;
    }
    p->mover = **at == marks[1];
    return (**at == marks[0] || **at == marks[1]) && *++*at == '\0';
}

static bool start(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why)
{
    static const char first[] = "8/8/8/3wb3/3bw3/8/8/8 b";
    const char *text = options->position != NULL ? options->position : first, *at = text;
    struct position *p = (struct position *)state->w;

    memset(p, 0, sizeof(*p));
    state->bytes = sizeof(*p);
    if (read_position(&at, p))
        return true;
    rules_refuse(why, RULES_BAD_POSITION, &laws[POSITION]);
    why->at = (int32_t)(at - text);
    return false;
}

static struct rules_man man_on(const struct position *p, unsigned square)
{
    uint64_t here = 1ULL << square;

    return (struct rules_man){p->discs[0] & here ? 1 : p->discs[1] & here ? 2 : 0, 0};
}

static void position_text(const struct rules_state *state, char *text)
{
    const struct position *p = reversi_view(state);
    struct text out = text_open(text, RULES_POSITION_TEXT);
    unsigned empty = 0;

    for (unsigned square = 0; square < SQUARES; square++) {
        unsigned seat = man_on(p, square).seat;

        empty += seat == 0;
        if (empty > 0 && (seat != 0 || square % WIDTH == WIDTH - 1)) {
            text_number(&out, empty);
            empty = 0;
        }
        if (seat != 0)
            text_char(&out, marks[seat - 1]);
        if (square % WIDTH == WIDTH - 1)
            text_char(&out, square < SQUARES - 1 ? '/' : ' ');
    }
    text_char(&out, marks[p->mover]);
}

/* ---- playing ---- */

static unsigned to_move(const struct rules_state *state)
{
    return (unsigned)reversi_view(state)->mover + 1;
}

static size_t legal(const struct rules_state *state, rules_move *moves, size_t cap)
{
    const struct position *p = reversi_view(state);
    uint64_t places = reversi_places(p, p->mover);
    size_t n = 0;

    if (places == 0 && !is_over(p)) {
        if (cap > 0)
            moves[0] = (rules_move){{PASS, 0}};
        return 1;
    }
    for (; places != 0; places &= places - 1, n++)
        if (n < cap)
            moves[n] = (rules_move){{(uint64_t)__builtin_ctzll(places) + 1, 0}};
    return n;
}

static size_t count(const struct rules_state *state)
{
    return legal(state, NULL, 0);
}

static void play(const struct rules_state *state, rules_move move, struct rules_state *next)
{
    struct position *p = (struct position *)next->w;

    rules_copy(state, next);
    if (move.w[0] != PASS) {
        unsigned square = (unsigned)move.w[0] - 1;
        uint64_t turned = reversi_turned(p, p->mover, square);

        p->discs[p->mover] |= turned | 1ULL << square;
        p->discs[!p->mover] &= ~turned;
    }
    p->mover = !p->mover;
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    const struct position *p = reversi_view(state);
    int ahead = __builtin_popcountll(p->discs[0]) - __builtin_popcountll(p->discs[1]);

    (void)history;
    if (!is_over(p))
        return (struct rules_outcome){RULES_ONGOING, 0, RULES_REASON_NONE};
    return (struct rules_outcome){ahead == 0 ? RULES_DRAWN : RULES_WON,
                                  ahead == 0  ? 0
                                  : ahead > 0 ? 1
                                              : 2,
                                  (enum rules_reason)NO_PLACE};
}

static uint64_t key(const struct rules_state *state)
{
    const struct position *p = reversi_view(state);

    return mix(mix(mix(p->mover) ^ p->discs[0]) ^ p->discs[1]) & ~1ULL;
}

static size_t span(const struct rules_state *state)
{
    (void)state;
    return 0; /* no position recurs */
}

/* ---- turning the board: all its turns are alike ---- */

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return (struct rules_board){WIDTH, WIDTH, RULES_LETTER_DIGIT};
}

static unsigned symmetries(const struct rules_state *state)
{
    (void)state;
    return RULES_MIRRORED | RULES_FLIPPED | RULES_TRANSPOSED;
}

static void turn(const struct rules_state *state, unsigned symmetry, struct rules_state *image)
{
    struct position *p = (struct position *)image->w;

    rules_copy(state, image);
    for (int side = 0; side < RULES_SEATS; side++)
        p->discs[side] = rules_turned_set(board(state), symmetry, reversi_view(state)->discs[side]);
}

/* ---- moves as texts ---- */

static void move_text(const struct rules_state *state, rules_move move, char *text)
{
    if (move.w[0] == PASS)
        strcpy(text, "pass");
    else
        rules_square_text(board(state), (unsigned)move.w[0] - 1, text);
}

static bool refuse_square(const struct position *p, unsigned square, struct rules_refusal *why)
{
    if (man_on(p, square).seat == 0)
        return rules_refuse(why, RULES_NOT_ALLOWED, &laws[ENCLOSES]);
    rules_refuse(why, RULES_OCCUPIED, &laws[ON_EMPTY]);
    rules_add_witness(why, RULES_ROLE_TO, square, man_on(p, square));
    return false;
}

static bool read_move(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why)
{
    const struct position *p = reversi_view(state);
    unsigned square;

    if (is_over(p))
        return rules_refuse(why, RULES_GAME_OVER, &laws[OVER]);
    if (strcmp(text, "pass") == 0 || strcmp(text, "-") == 0) {
        *move = (rules_move){{PASS, 0}};
        return reversi_places(p, p->mover) == 0 ||
               rules_refuse(why, RULES_NOT_ALLOWED, &laws[PASSING]);
    }
    if (strlen(text) != 2 || rules_square_read(board(state), text, &square) != 2)
        return rules_refuse(why, RULES_BAD_MOVE_TEXT, &laws[INPUT]);
    *move = (rules_move){{square + 1, 0}};
    return (man_on(p, square).seat == 0 && reversi_turned(p, p->mover, square) != 0) ||
           refuse_square(p, square, why);
}

static size_t path(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT])
{
    if (move.w[0] == PASS)
        strcpy(click[0], "-");
    else
        move_text(state, move, click[0]);
    return 1;
}

/* Each disc that is turned over is taken, and one of the mover's put in its place. */
static size_t effects(const struct rules_state *state, rules_move move, struct rules_effect *effect)
{
    const struct position *p = reversi_view(state);
    struct rules_man own = {(uint8_t)(p->mover + 1), 0}, other = {(uint8_t)(2 - p->mover), 0};
    unsigned square = (unsigned)move.w[0] - 1;
    size_t n = 0;

    if (move.w[0] == PASS)
        return 0;
    effect[n++] = (struct rules_effect){RULES_EFFECT_PLACE, 0, (uint16_t)square, 1, own};
    for (uint64_t turned = reversi_turned(p, p->mover, square); turned != 0; turned &= turned - 1) {
        uint16_t to = (uint16_t)__builtin_ctzll(turned);

        effect[n++] = (struct rules_effect){RULES_EFFECT_CAPTURE, 0, to, 1, other};
        effect[n++] = (struct rules_effect){RULES_EFFECT_PLACE, 0, to, 1, own};
    }
    return n;
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    struct rules_man man = man_on(reversi_view(state), square);

    if (man.seat != 0 && cap > 0)
        men[0] = man;
    return man.seat != 0;
}

/* ---- the table ---- */

static const struct rules_piece pieces[] = {
    {"disc", {"b", "w"}, {"●", "○"}, {"B", "W"}, "Stays where it is, and is turned over.", -1, -1},
};

const struct rules_game reversi = {
    .name = "reversi",
    .title = "Reversi",
    .doc = "Who puts a disc turns over what it encloses; in the end the greater number wins.",
    .version = 1,
    .seat = {{"black", "b"}, {"white", "w"}},
    .pieces = pieces,
    .npieces = 1,
    .laws = laws,
    .nlaws = LAWS,
    .reasons = (const enum rules_reason[]){(enum rules_reason)NO_PLACE},
    .nreasons = 1,
    .ends =
        (const struct rules_own[]){{NO_PLACE, "no_place", "Neither side can put a disc.", false},
                                   {0}},
    .move = {"^(?:pass|[a-h][1-8])$",
             "The square, its column as a letter and its row as a number from below; pass where no "
             "disc can be put.",
             (const char *const[]){"d3", "pass", NULL}},
    .position = {"^[bw1-8]+(?:/[bw1-8]+){7} [bw]$",
                 "The rows from the top joined by /, with b, w and numbers of empty squares in "
                 "them; the side to move.",
                 (const char *const[]){"8/8/8/3wb3/3bw3/8/8/8 b", NULL}},
    .choices = (const struct rules_choice[]){{"-", "pass"}, {NULL, NULL}},
    .exports = (const char *const[]){NULL},
    .features = (const char *const[]){"place", NULL},
    .drawing = {.grid = RULES_GRID_FRAME, .empty = "·", .empty_ascii = ".", .ink = {34, 31}},
    .art = &reversi_art,
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
    .move_text = move_text,
    .read_move = read_move,
    .path = path,
    .effects = effects,
    .board = board,
    .at = at,
};
