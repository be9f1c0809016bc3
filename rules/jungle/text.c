/* text.c - positions of Jungle as texts (J34), and which of them are valid (J7). */
#include <string.h>

#include "rules/jungle/board.h"
#include "rules/text.h"

static const char marks[RULES_SEATS] = {'r', 'b'};

/* ---- writing ---- */

static void write_run(struct text *out, unsigned *empty)
{
    if (*empty > 0)
        text_number(out, *empty);
    *empty = 0;
}

static void write_rank(struct text *out, const struct position *p, unsigned row)
{
    unsigned empty = 0; /* squares that are counted but not written yet */

    for (unsigned square = row * WIDTH; square < (row + 1) * WIDTH; square++) {
        struct rules_man man = jungle_man_on(p, square);

        if (man.seat == 0) {
            empty++;
        } else {
            write_run(out, &empty);
            text_string(out, jungle_pieces[man.kind].letter[man.seat - 1]);
        }
    }
    write_run(out, &empty);
}

void jungle_position_text(const struct rules_state *state, char *text)
{
    const struct position *p = jungle_view(state);
    struct text out = text_open(text, RULES_POSITION_TEXT);

    for (unsigned row = 0; row < HEIGHT; row++) {
        if (row > 0)
            text_char(&out, '/');
        write_rank(&out, p, row);
    }
    text_char(&out, ' ');
    text_char(&out, marks[p->mover]);
    text_char(&out, ' ');
    text_number(&out, p->quiet);
    text_char(&out, ' ');
    text_number(&out, p->round);
}

/* ---- reading ---- */

static struct rules_man man_of_letter(char letter)
{
    for (uint8_t kind = RAT; kind < KINDS; kind++)
        for (uint8_t side = 0; side < RULES_SEATS; side++)
            if (letter == jungle_pieces[kind].letter[side][0])
                return (struct rules_man){(uint8_t)(side + 1), kind};
    return (struct rules_man){0, 0};
}

static void put(struct position *p, struct rules_man man, unsigned square)
{
    p->side[man.seat - 1] |= 1ULL << square;
    p->kind[man.kind] |= 1ULL << square;
}

static bool read_rank(const char **at, struct position *p, unsigned row)
{
    uint32_t column = 0;

    while (column < WIDTH) {
        struct rules_man man = man_of_letter(**at);
        uint32_t squares = 1;

        if (man.seat != 0) {
            put(p, man, row * WIDTH + column);
            ++*at;
        } else if (**at == '0' || !text_read_number(at, WIDTH - column, &squares)) {
            return false;
        }
        column += squares;
    }
    return true;
}

static bool read_char(const char **at, char c)
{
    if (**at != c)
        return false;
    ++*at;
    return true;
}

/* Reads the two counters. Without them there is no quiet ply, and it is the first round. */
static bool read_counters(const char **at, struct position *p)
{
    uint32_t quiet = 0, round = 1;

    if (**at != '\0' && !(read_char(at, ' ') && text_read_number(at, UINT32_MAX, &quiet) &&
                          read_char(at, ' ') && text_read_number(at, UINT32_MAX, &round)))
        return false;
    p->quiet = quiet;
    p->round = round;
    return round > 0 && **at == '\0';
}

static bool read_fields(const char **at, struct position *p)
{
    for (unsigned row = 0; row < HEIGHT; row++)
        if ((row > 0 && !read_char(at, '/')) || !read_rank(at, p, row))
            return false;
    if (!read_char(at, ' '))
        return false;
    p->mover = read_char(at, marks[1]);
    return (p->mover == 1 || read_char(at, marks[0])) && read_counters(at, p);
}

/* ---- judging (J7) ---- */

/* Refuses the position if there are squares that break the law. */
static bool judge(const struct position *p, uint64_t squares, enum law law,
                  struct rules_refusal *why)
{
    if (squares == 0)
        return true;
    rules_refuse_position(why, &jungle_laws[law]);
    for (; squares != 0; squares &= squares - 1) {
        unsigned square = (unsigned)__builtin_ctzll(squares);

        rules_add_witness(why, RULES_ROLE_OFFENDER, square, jungle_man_on(p, square));
    }
    return false;
}

/* The squares of pieces that a side has twice or more: sets of more than one bit. */
static uint64_t repeated(const struct position *p)
{
    uint64_t squares = 0;

    for (unsigned side = 0; side < RULES_SEATS; side++)
        for (enum kind kind = RAT; kind < KINDS; kind++) {
            uint64_t same = p->side[side] & p->kind[kind];

            if (same & (same - 1))
                squares |= same;
        }
    return squares;
}

static bool judge_position(const struct position *p, struct rules_refusal *why)
{
    uint64_t both = p->side[0] | p->side[1], dens = both & (jungle_den[0] | jungle_den[1]);

    if (both == 0)
        return rules_refuse_position(why, &jungle_laws[LAW_EMPTY_BOARD]);
    return judge(p, repeated(p), LAW_ONE_OF_EACH, why) &&
           judge(p, both & RIVER & ~p->kind[RAT], LAW_RATS_IN_WATER, why) &&
           judge(p, (p->side[0] & jungle_den[0]) | (p->side[1] & jungle_den[1]), LAW_NOT_IN_OWN_DEN,
                 why) &&
           judge(p, dens & (dens - 1) ? dens : 0, LAW_ONE_DEN, why);
}

bool jungle_read_position(const char *text, struct position *p, struct rules_refusal *why)
{
    const char *at = text;

    if (!read_fields(&at, p)) {
        rules_refuse(why, RULES_BAD_POSITION, &jungle_laws[LAW_POSITION]);
        why->at = (int32_t)(at - text);
        return false;
    }
    return judge_position(p, why);
}
