/* usi.c - USI's command `position`, and the bare SFEN of a position. */
#include <string.h>

#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/rules.h"

static const char even_start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

const struct record_word record_usi_words[] = {
    {"resign", RECORD_RESIGNED, RULES_REASON_NONE, MOVER_LOSES},
    {"win", RECORD_BY_RULES, RULES_REASON_IMPASSE, MOVER_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};

/* ---- writing ---- */

/* USI has only these two words for ends and no place for facts. So an end that they do not fully
 * express is left out, for example a resignation out of turn. */
static void write_usi_end(struct record_writing *writing)
{
    const struct record_outcome *outcome = &writing->record->ending.outcome;
    unsigned to_move = record_last_mover(writing->record);

    for (const struct record_word *word = record_usi_words; word->word[0] != '\0'; word++) {
        struct record_outcome says = record_word_outcome(word, to_move);

        if (says.end == outcome->end && says.reason == outcome->reason &&
            says.winner == outcome->winner)
            out_format(writing->out, " %s", word->word);
    }
}

bool record_write_usi(struct record_writing *writing)
{
    const struct record *record = writing->record;

    if (strcmp(record->start, even_start) == 0)
        out_add(writing->out, "position startpos");
    else
        out_format(writing->out, "position sfen %s", record->start);
    if (record->nmoves > 0)
        out_add(writing->out, " moves");
    for (size_t i = 0; i < record->nmoves; i++)
        out_format(writing->out, " %s", record->moves[i].text);
    write_usi_end(writing);
    out_add(writing->out, "\n");
    return true;
}

bool record_write_sfen(struct record_writing *writing)
{
    const struct record_move *move;
    struct record_walk walk;
    char text[RULES_POSITION_TEXT];

    if (!record_walk_begin(&walk, writing))
        return false;
    while (record_walk_next(&walk, &move))
        continue;
    writing->record->game->position_text(walk.state, text);
    out_format(writing->out, "%s\n", text);
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

/* The next word, on whatever line it stands; "" at the end. */
static const char *next_word(struct record_reading *reading, const char **at)
{
    const char *word;
    size_t len;

    while (*at != NULL && *(*at += strspn(*at, " \t")) == '\0')
        *at = record_next_line(reading);
    if (*at == NULL)
        return "";
    word = *at;
    len = strcspn(word, " \t");
    *at += len;
    return arena_copy(reading->arena, word, len);
}

/* A SFEN is four words, of which the first was read already. The last may be left out. */
static const char *read_sfen(struct record_reading *reading, const char **at, const char *board)
{
    const char *side = next_word(reading, at), *hands = next_word(reading, at), *before = *at;
    const char *number = next_word(reading, at);

    if (number[0] < '0' || number[0] > '9') {
        if (number[0] != '\0')
            *at = before;
        number = "1";
    }
    return arena_format(reading->arena, "%s %s %s %s", board, side, hands, number);
}

static bool read_start(struct record_reading *reading, const char **at)
{
    const char *word = next_word(reading, at);

    if (strcmp(word, "position") == 0)
        word = next_word(reading, at);
    if (strcmp(word, "startpos") == 0)
        return record_start(reading, NULL);
    if (strcmp(word, "sfen") == 0)
        return record_start_sfen(reading, read_sfen(reading, at, next_word(reading, at)));
    return record_bad(reading, *at, "\"startpos\" or \"sfen\" and a position is expected.");
}

static bool read_usi_moves(struct record_reading *reading, const char **at)
{
    for (;;) {
        const char *word = next_word(reading, at);
        const char *place = *at == NULL ? NULL : *at - strlen(word);
        const struct record_word *end = record_find_word(record_usi_words, word, strlen(word));

        if (*word == '\0')
            return true;
        if (reading->ending.word != NULL)
            return record_bad(reading, place, "Nothing may follow the end.");
        if (end == NULL && !record_play(reading, word, word, place))
            return false;
        if (end != NULL && !record_set_word(reading, end, word))
            return false;
    }
}

bool record_read_usi(struct record_reading *reading)
{
    const char *at = record_next_line(reading), *word;
    const struct record_word *end;

    if (!read_start(reading, &at))
        return false;
    word = next_word(reading, &at);
    if (strcmp(word, "moves") == 0)
        return read_usi_moves(reading, &at);
    end = record_find_word(record_usi_words, word, strlen(word));
    if (end != NULL && *word != '\0')
        return record_set_word(reading, end, word);
    return *word == '\0' || record_bad(reading, at, "\"moves\" is expected.");
}

bool record_read_sfen(struct record_reading *reading)
{
    const char *at = record_next_line(reading), *board = next_word(reading, &at);

    if (strcmp(board, "sfen") == 0)
        board = next_word(reading, &at);
    if (!record_start_sfen(reading, read_sfen(reading, &at, board)))
        return false;
    return *next_word(reading, &at) == '\0' ||
           record_bad(reading, at, "Nothing may follow the position.");
}
