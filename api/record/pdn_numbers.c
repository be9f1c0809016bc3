/* pdn_numbers.c - the squares of PDN as numbers. */
#include "api/record/pdn.h"

#include <stddef.h>
#include <string.h>

#include "api/text/arena.h"
#include "api/text/out.h"

enum { SIDE = 8, SQUARES = SIDE * SIDE };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool record_pdn_is_numbered(const char *word)
{
    size_t digits = strspn(word, "0123456789");

    return digits > 0 && (word[digits] == '-' || word[digits] == 'x' || word[digits] == ':') &&
           is_digit(word[digits + 1]);
}

enum record_pdn_corner record_pdn_corner(const char *game_type)
{
    const char *at = strstr(game_type, ",N");

    return at != NULL && at[2] >= '0' && at[2] <= '3' ? (enum record_pdn_corner)(at[2] - '0')
                                                      : RECORD_PDN_TOP_LEFT;
}

/* ---- out ---- */

/* From the top left on, as other programs number them: a8 is 1, h1 is 64. */
static unsigned number_of_pdn_square(const char *square)
{
    return (unsigned)('8' - square[1]) * SIDE + (unsigned)(square[0] - 'a') + 1;
}

static bool is_pdn_square(const char *at)
{
    return at[0] >= 'a' && at[0] <= 'h' && at[1] >= '1' && at[1] <= '8';
}

const char *record_pdn_to_numbers(struct arena *arena, const char *text)
{
    struct out out;

    out_init(&out, arena);
    while (*text != '\0')
        if (is_pdn_square(text)) {
            out_format(&out, "%u", number_of_pdn_square(text));
            text += 2;
        } else {
            out_bytes(&out, text++, 1);
        }
    return out.text;
}

/* ---- in ---- */

/* The number at *at, which is moved behind it. 0: no square has it. */
static unsigned take_number(const char **at)
{
    unsigned number = 0;

    for (; is_digit(**at); (*at)++)
        number = number <= SQUARES ? number * 10 + (unsigned)(**at - '0') : number;
    return number <= SQUARES ? number : 0;
}

static void add_square(struct out *out, unsigned number, enum record_pdn_corner corner)
{
    unsigned file = (number - 1) % SIDE, row = (number - 1) / SIDE;
    bool from_right = corner == RECORD_PDN_BOTTOM_RIGHT || corner == RECORD_PDN_TOP_RIGHT;
    bool from_top = corner == RECORD_PDN_TOP_LEFT || corner == RECORD_PDN_TOP_RIGHT;

    out_format(out, "%c%c", (char)('a' + (from_right ? SIDE - 1 - file : file)),
               (char)('1' + (from_top ? SIDE - 1 - row : row)));
}

const char *record_pdn_move_of(struct arena *arena, const char *word, enum record_pdn_corner corner)
{
    struct out out;

    out_init(&out, arena);
    while (*word != '\0') {
        unsigned number;

        if (!is_digit(*word)) {
            out_bytes(&out, word++, 1);
            continue;
        }
        number = take_number(&word);
        if (number == 0)
            return NULL;
        add_square(&out, number, corner);
    }
    return out.text;
}

/* One man, or all from one square to another, as 41-56. */
static bool take_men(struct out *out, const char **at, enum record_pdn_corner corner)
{
    const char *king = **at == 'K' ? "K" : "";
    unsigned first, last;

    *at += strlen(king);
    first = last = take_number(at);
    if (**at == '-' && is_digit((*at)[1])) {
        ++*at;
        last = take_number(at);
    }
    for (unsigned number = first; first > 0 && number <= last; number++) {
        out_add(out, number == first ? king : *king == 'K' ? ",K" : ",");
        add_square(out, number, corner);
    }
    return first > 0 && first <= last;
}

const char *record_pdn_position_of(struct arena *arena, const char *position,
                                   enum record_pdn_corner corner)
{
    const char *at = position;
    struct out out;

    out_init(&out, arena);
    while (*at != '\0') {
        bool is_man = is_digit(*at) || (*at == 'K' && is_digit(at[1]));

        if (*at == ':' && (at[1] == 'H' || at[1] == 'F'))
            break; /* the numbers of the tail are those of moves */
        if (is_man && !take_men(&out, &at, corner))
            return NULL;
        if (!is_man && is_pdn_square(at))
            out_bytes(&out, at++, 1);
        if (!is_man)
            out_bytes(&out, at++, 1);
    }
    out_add(&out, at);
    return out.text;
}
