/* text.c - positions (T31) and moves (T29) of Turkish draughts as texts. */
#include "rules/draughts/text.h"

#include <string.h>

#include "rules/draughts/captures.h"
#include "rules/draughts/judge.h"
#include "rules/text.h"

enum { PIECES_MAX = 16, COUNTER_MAX = 1000000000 };

/* ---- reading a position (T4, T31) ---- */

struct reader {
    const char *text, *at;
    struct draughts *d;
    struct rules_refusal *why;
};

static bool refuse(struct reader *reader, enum draughts_law law)
{
    draughts_refuse(reader->why, RULES_BAD_POSITION, law);
    reader->why->at = (int32_t)(reader->at - reader->text);
    return false;
}

static bool refuse_square(struct reader *reader, enum draughts_law law, unsigned square)
{
    refuse(reader, law);
    rules_add_witness(reader->why, RULES_ROLE_OFFENDER, square, draughts_man(reader->d, square));
    return false;
}

static bool expect(struct reader *reader, const char *what)
{
    size_t n = strlen(what);

    if (strncmp(reader->at, what, n) != 0)
        return refuse(reader, DRAUGHTS_LAW_POSITION_TEXT);
    reader->at += n;
    return true;
}

static bool read_piece(struct reader *reader, unsigned side)
{
    struct draughts *d = reader->d;
    bool king = *reader->at == 'K';
    unsigned square;
    size_t n = rules_square_read(draughts_board, reader->at + king, &square);
    uint64_t bit;

    if (n == 0)
        return refuse(reader, DRAUGHTS_LAW_POSITION_TEXT);
    bit = draughts_bit(square);
    if (draughts_occupied(d) & bit)
        return refuse_square(reader, DRAUGHTS_LAW_ONE_PIECE_A_SQUARE, square);
    d->side[side] |= bit;
    if (king)
        d->kings |= bit;
    reader->at += king + n;
    return true;
}

/* Reads a side's pieces, which may be none. */
static bool read_side(struct reader *reader, unsigned side)
{
    if (*reader->at == ':' || *reader->at == '.' || *reader->at == '\0')
        return true;
    if (!read_piece(reader, side))
        return false;
    while (*reader->at == ',') {
        reader->at++;
        if (!read_piece(reader, side))
            return false;
    }
    return true;
}

/* Reads the counters, if they are there. */
static bool read_tail(struct reader *reader)
{
    struct draughts *d = reader->d;

    d->quiet_plies = 0;
    d->number = 1;
    if (*reader->at == '\0' || strcmp(reader->at, ".") == 0) /* as PDN ends its positions */
        return true;
    if (!expect(reader, ":H"))
        return false;
    if (!text_read_number(&reader->at, COUNTER_MAX, &d->quiet_plies))
        return refuse(reader, DRAUGHTS_LAW_POSITION_TEXT);
    if (!expect(reader, ":F"))
        return false;
    if (!text_read_number(&reader->at, COUNTER_MAX, &d->number) || d->number == 0 ||
        *reader->at != '\0')
        return refuse(reader, DRAUGHTS_LAW_POSITION_TEXT);
    return true;
}

/* ---- judging it (T4) ---- */

static bool refuse_count(struct rules_refusal *why, int pieces)
{
    rules_refuse_position(why, &draughts_laws[DRAUGHTS_LAW_SIXTEEN_PIECES]);
    why->yours = pieces;
    why->required = PIECES_MAX;
    return false;
}

static bool refuse_men(struct rules_refusal *why, const struct draughts *d, uint64_t men)
{
    rules_refuse_position(why, &draughts_laws[DRAUGHTS_LAW_MAN_ON_LAST_RANK]);
    for (; men != 0; men &= men - 1)
        rules_add_witness(why, RULES_ROLE_OFFENDER, lowest(men), draughts_man(d, lowest(men)));
    return false;
}

static bool judge_side(const struct draughts *d, unsigned side, struct rules_refusal *why)
{
    int pieces = __builtin_popcountll(d->side[side]);
    uint64_t arrived = d->side[side] & ~d->kings & draughts_last_rank(side);

    if (pieces > PIECES_MAX)
        return refuse_count(why, pieces);
    return arrived == 0 || refuse_men(why, d, arrived);
}

bool draughts_read_position(const char *text, struct draughts *d, struct rules_refusal *why)
{
    struct reader reader = {.text = text, .at = text, .d = d, .why = why};

    if (*text != 'W' && *text != 'B')
        return refuse(&reader, DRAUGHTS_LAW_POSITION_TEXT);
    d->turn = *text == 'W' ? DRAUGHTS_WHITE : DRAUGHTS_BLACK;
    reader.at++;
    return expect(&reader, ":W") && read_side(&reader, DRAUGHTS_WHITE) && expect(&reader, ":B") &&
           read_side(&reader, DRAUGHTS_BLACK) && read_tail(&reader) &&
           judge_side(d, DRAUGHTS_WHITE, why) && judge_side(d, DRAUGHTS_BLACK, why);
}

/* ---- writing positions and moves (T29, T31) ---- */

static void write_square(struct text *out, unsigned square)
{
    char name[RULES_SQUARE_TEXT];

    rules_square_text(draughts_board, square, name);
    text_string(out, name);
}

/* T31 counts squares from a1: turning the rank around (^ 56) makes their numbers of it. */
static void write_side(struct text *out, const struct draughts *d, unsigned side)
{
    const char *separator = "";

    for (unsigned i = 0; i < 64; i++) {
        unsigned square = i ^ 56;

        if (!(d->side[side] & draughts_bit(square)))
            continue;
        text_string(out, separator);
        if (d->kings & draughts_bit(square))
            text_char(out, 'K');
        write_square(out, square);
        separator = ",";
    }
}

void draughts_write_position(const struct draughts *d, char *text)
{
    struct text out = text_open(text, RULES_POSITION_TEXT);

    text_string(&out, d->turn == DRAUGHTS_WHITE ? "W:W" : "B:W");
    write_side(&out, d, DRAUGHTS_WHITE);
    text_string(&out, ":B");
    write_side(&out, d, DRAUGHTS_BLACK);
    if (d->quiet_plies == 0 && d->number == 1)
        return;
    text_string(&out, ":H");
    text_number(&out, d->quiet_plies);
    text_string(&out, ":F");
    text_number(&out, d->number);
}

void draughts_write_move(rules_move move, char *text)
{
    struct text out = text_open(text, RULES_MOVE_TEXT);

    write_square(&out, draughts_square(move, 0));
    for (unsigned i = 1; i <= draughts_last(move); i++) {
        text_char(&out, draughts_jumps(move) > 0 ? 'x' : '-');
        write_square(&out, draughts_square(move, i));
    }
}

/* Whether a click is the name of a square. */
static bool is_square(const char *name, unsigned *square)
{
    size_t n = rules_square_read(draughts_board, name, square);

    return n > 0 && name[n] == '\0';
}

/* Whether two clicks mean a capture: whether the piece on the first can jump to the second. */
static bool is_jump(const struct draughts *d, const char *const *click)
{
    unsigned from, to;
    struct draughts_taker taker;

    if (!is_square(click[0], &from) || !is_square(click[1], &to) ||
        !(d->side[d->turn] & draughts_bit(from)))
        return false;
    taker = draughts_taker(d, from);
    return (draughts_landings(d, &taker) & draughts_bit(to)) != 0;
}

void draughts_write_clicks(const struct draughts *d, const char *const *click, size_t n, char *text)
{
    struct text out = text_open(text, RULES_CLICKS_TEXT);
    bool jumps = n > 2 || (n == 2 && is_jump(d, click));

    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            text_char(&out, jumps ? 'x' : '-');
        text_string(&out, click[i]);
    }
}
