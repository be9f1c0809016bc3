/* usen.c - USEN: a game of shogi with its variations as a part of an address. */
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/shogi.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/rules.h"
#include "rules/shogi/board.h"

/* A move is three digits to the base of 36: where from, or what from the hand; where to; whether it
 * promotes. */
enum { BASE = 36, DIGITS = 3, PLACES = SHOGI_FILES * SHOGI_RANKS };

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* How the men in hand are numbered, from PLACES on. */
static const unsigned hand_number[SHOGI_BASE_KINDS] = {
    [PAWN] = 10, [LANCE] = 11, [KNIGHT] = 12, [SILVER] = 13, [GOLD] = 9, [BISHOP] = 14, [ROOK] = 15,
};

const struct record_word record_usen_words[] = {
    {"r", RECORD_RESIGNED, RULES_REASON_NONE, MOVER_LOSES},
    {"t", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES},
    {"j", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"j", RECORD_BY_RULES, RULES_REASON_MAX_PLIES, NOBODY_WINS},
    {"p", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};

static unsigned number_of_usen(struct record_square square)
{
    return (square.rank - 1) * SHOGI_FILES + square.file - 1;
}

static struct record_square square_of_number(unsigned place)
{
    return (struct record_square){place % SHOGI_FILES + 1, place / SHOGI_FILES + 1};
}

/* ---- writing ---- */

static void write_usen_start(struct record_writing *writing)
{
    const char *start = writing->record->start;
    size_t len = strlen(start);

    if (record_handicap(writing->record) != NULL && !record_is_handicap(writing->record))
        return;
    if (len > 2 && strcmp(start + len - 2, " 1") == 0)
        len -= 2;
    for (size_t i = 0; i < len; i++) {
        const char *from = "/ +", *to = "_.z", *at = strchr(from, start[i]);
        char c[] = {at == NULL ? start[i] : to[at - from], '\0'};

        out_add(writing->out, c);
    }
}

static void write_usen_move(struct record_writing *writing, const struct rules_state *state,
                            const char *usi)
{
    struct record_shogi_move move = record_shogi_move(state, usi);
    unsigned from =
        move.from.file != 0 ? number_of_usen(move.from) : PLACES + hand_number[move.kind];
    unsigned code = (from * PLACES + number_of_usen(move.to)) * 2 + move.promotes;
    char text[] = {digits[code / BASE / BASE], digits[code / BASE % BASE], digits[code % BASE],
                   '\0'};

    out_add(writing->out, text);
}

static void write_usen_line(struct record_writing *writing, struct record_walk *walk)
{
    const struct record_ending *ending;
    const struct record_move *move;
    struct record_outcome said;
    const char *word;

    out_format(writing->out, "~%zu.", record_walk_ply(walk));
    while (record_walk_next(walk, &move)) {
        write_usen_move(writing, walk->state, move->text);
        record_walk_put_off(walk);
    }
    record_walk_put_off(walk);
    ending = record_walk_ending(walk);
    word = record_end_word(writing, ending, record_usen_words,
                           writing->record->game->to_move(walk->state), &said);
    if (said.end == RECORD_OPEN && ending->outcome.end != RECORD_OPEN)
        word = NULL; /* a game that was won was not broken off */
    out_format(writing->out, ".%s", word == NULL ? "" : word);
}

bool record_write_usen(struct record_writing *writing)
{
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    write_usen_start(writing);
    do
        write_usen_line(writing, &walk);
    while (record_walk_resume(&walk));
    out_add(writing->out, "\n");
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

static unsigned kind_in_hand(unsigned number)
{
    for (unsigned kind = PAWN; kind < KING; kind++)
        if (hand_number[kind] == number)
            return kind;
    return SHOGI_KINDS;
}

static bool take_usen_move(struct record_reading *reading, const char *at,
                           struct record_shogi_move *move)
{
    unsigned code = 0, from;

    for (size_t i = 0; i < DIGITS; i++) {
        const char *digit = at[i] == '\0' ? NULL : strchr(digits, at[i]);

        if (digit == NULL)
            return record_bad(reading, at, "A move has three digits or small letters.");
        code = code * BASE + (unsigned)(digit - digits);
    }
    from = code / 2 / PLACES;
    *move =
        (struct record_shogi_move){.to = square_of_number(code / 2 % PLACES), .promotes = code % 2};
    if (from < PLACES) {
        move->from = square_of_number(from);
        return true;
    }
    move->kind = kind_in_hand(from - PLACES);
    return move->kind != SHOGI_KINDS || record_bad(reading, at, "No man has such a number.");
}

static bool read_usen_moves(struct record_reading *reading, const char **at)
{
    for (; **at != '.' && **at != '~' && **at != '\0'; *at += DIGITS) {
        struct record_shogi_move move;
        const char *usi;

        if (!take_usen_move(reading, *at, &move))
            return false;
        usi = record_shogi_usi(reading->arena, &move);
        if (!record_play(reading, usi, usi, *at))
            return false;
    }
    return true;
}

static bool read_usen_end(struct record_reading *reading, const char **at)
{
    size_t len;
    const struct record_word *word;

    if (!record_take(at, "."))
        return true;
    len = strcspn(*at, "~");
    if (len == 0)
        return true;
    word = record_find_word(record_usen_words, *at, len);
    if (!record_set_word(reading, word == NULL ? &record_unknown_word : word,
                         arena_copy(reading->arena, *at, len)))
        return false;
    *at += len;
    return true;
}

/* Reads a line. It begins after the ply that it names: the main line at the start, a variation in
 * place of moves of the line before it. */
static bool read_usen_line(struct record_reading *reading, bool variation, const char **at)
{
    char *behind;
    size_t ply = strtoul(*at, &behind, 10);

    if (behind == *at || *behind != '.')
        return record_bad(reading, *at, "The ply at which a line begins is expected.");
    *at = behind + 1;
    if (variation && !record_branch(reading, ply))
        return false;
    return read_usen_moves(reading, at) && read_usen_end(reading, at);
}

static bool begin_usen_text(struct record_reading *reading, const char *at, size_t len)
{
    char *sfen = arena_copy(reading->arena, at, len);

    if (len == 0)
        return record_start(reading, NULL);
    for (char *c = sfen; *c != '\0'; c++)
        *c = *c == '_' ? '/' : *c == '.' ? ' ' : *c == 'z' ? '+' : *c;
    for (size_t i = 0, blanks = 0; i < len; i++) {
        blanks += sfen[i] == ' ';
        if (blanks == 3)
            return record_start_sfen(reading, sfen);
    }
    return record_start_sfen(reading, arena_format(reading->arena, "%s 1", sfen));
}

bool record_read_usen(struct record_reading *reading)
{
    const char *line = record_next_line(reading), *at;
    size_t len;

    line = record_usen_text(reading->arena, line == NULL ? "" : line);
    len = strcspn(line, "~");
    if (line[len] == '\0')
        return record_bad(reading, NULL, "~ is expected behind the position.");
    if (!begin_usen_text(reading, line, len))
        return false;
    at = line + len;
    for (size_t i = 0; *at == '~'; i++) {
        at++;
        if (!read_usen_line(reading, i > 0, &at))
            return false;
    }
    return *at == '\0' || record_bad(reading, at, "Another line begins with ~.");
}
