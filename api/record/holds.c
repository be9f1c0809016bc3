#include "api/record/holds.h"

#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/arena.h"

static const char *const words[RECORD_THINGS] = {
    "moves", "variations", "comments", "times",   "fractions", "ends",
    "names", "dates",      "headers",  "options", "marks",     "log",
};

const char *record_thing_text(size_t i)
{
    return words[i];
}

const char *record_things_text(struct arena *arena, unsigned things)
{
    const char *text = NULL;

    for (size_t i = 0; i < RECORD_THINGS; i++)
        if (things & 1U << i)
            text = text == NULL ? words[i] : arena_format(arena, "%s, %s", text, words[i]);
    return text;
}

static unsigned if_so(bool is, unsigned thing)
{
    return is ? thing : 0;
}

/* ---- what a record has ---- */

static unsigned of_time(int64_t spent_us)
{
    return if_so(spent_us >= 0, RECORD_HOLDS_TIMES) |
           if_so(spent_us > 0 && spent_us % RECORD_SECOND_US != 0, RECORD_HOLDS_FRACTIONS);
}

static unsigned of_moves(const struct record_move *moves, size_t n)
{
    unsigned things = 0;

    for (size_t i = 0; i < n; i++)
        things |= of_time(moves[i].spent_us) |
                  if_so(moves[i].comment != NULL, RECORD_HOLDS_COMMENTS) |
                  if_so(moves[i].marks != NULL, RECORD_HOLDS_MARKS);
    return things;
}

/* Whether a reader finds the end by playing the moves. A declared win is not found that way. */
static bool follows_from_moves(const struct record_outcome *outcome)
{
    return outcome->confirmed && outcome->reason != RULES_REASON_IMPASSE;
}

/* A time before an end that nobody tells is none. */
static unsigned of_ending(const struct record_ending *ending)
{
    return (record_is_said(ending) ? of_time(ending->spent_us) : 0) |
           if_so(ending->comment != NULL, RECORD_HOLDS_COMMENTS) |
           if_so(record_is_said(ending) && !follows_from_moves(&ending->outcome),
                 RECORD_HOLDS_ENDS);
}

static unsigned of_lines(const struct record *record)
{
    unsigned things = of_moves(record->moves, record->nmoves) | of_ending(&record->ending);

    for (size_t i = 0; i < record->nlines; i++)
        things |= of_moves(record->lines[i].moves, record->lines[i].nmoves) |
                  of_ending(&record->lines[i].ending);
    return things | if_so(record->nmoves > 0, RECORD_HOLDS_MOVES) |
           if_so(record->nlines > 0, RECORD_HOLDS_VARIATIONS) |
           if_so(record->comment != NULL, RECORD_HOLDS_COMMENTS);
}

static unsigned of_seats(const struct record *record)
{
    unsigned things = 0;

    for (unsigned i = 0; i < RULES_SEATS; i++)
        things |= if_so(record->name[i] != NULL || record->title[i] != NULL, RECORD_HOLDS_NAMES);
    return things;
}

static bool is_kind(const struct record *record, size_t i, const char *kind)
{
    return i < record->nevents && strcmp(record->events[i].kind, kind) == 0;
}

/* Whether an event is told by the lines, the seats and the end. An offer that was accepted at once
 * is told by what came of it: an end, an undo, or an event that is not plain. */
static bool is_plain_event(const struct record *record, size_t event)
{
    static const char *const plain[] = {"created",  "joined",   "move",    "undo",
                                        "redo",     "resigned", "aborted", "declared",
                                        "recorded", "timeout",  "accepted"};

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        if (is_kind(record, event, plain[i]))
            return true;
    return is_kind(record, event, "offered") && is_kind(record, event + 1, "accepted");
}

static unsigned of_log(const struct record *record)
{
    for (size_t i = 0; i < record->nevents; i++)
        if (!is_plain_event(record, i))
            return RECORD_HOLDS_LOG;
    return 0;
}

static bool has_time_limit(const struct record *record)
{
    const struct record_time *time = &record->time;

    return time->initial_us != 0 || time->move_us != 0 || time->period_us != 0;
}

unsigned record_things(struct arena *arena, const struct record *record)
{
    return of_lines(record) | of_seats(record) | of_log(record) |
           if_so(record->nheaders > 0 || has_time_limit(record), RECORD_HOLDS_HEADERS) |
           if_so(*record_options_text(arena, record) != '\0', RECORD_HOLDS_OPTIONS) |
           if_so(record->started_at != RECORD_NO_TIME || record->ended_at != RECORD_NO_TIME,
                 RECORD_HOLDS_DATES);
}

/* ---- what a format cannot hold of it ---- */

/* Whether the word that is written for an outcome means it to other programs, too: a fact beside it
 * tells no more than us. */
static bool says(const struct record_word *ends, const struct record_outcome *outcome,
                 unsigned to_move)
{
    struct record_outcome said;

    record_choose_word(outcome, ends, to_move, &said);
    return record_same_end(&said, outcome);
}

/* An end without an outcome is told by its word: that a game was broken off, or a move sealed. A
 * format without words for ends keeps any, or none. */
static bool tells_end(const struct record_format *format, const struct record *record,
                      const struct record_ending *ending, unsigned to_move)
{
    if ((of_ending(ending) & RECORD_HOLDS_ENDS) == 0)
        return true;
    if (format->ends == NULL)
        return (format->holds & RECORD_HOLDS_ENDS) != 0;
    if (ending->outcome.end == RECORD_OPEN)
        return record_word_kept(format, record, ending, format->ends) != NULL;
    return format->holds_end != NULL ? format->holds_end(record, ending)
                                     : says(format->ends, &ending->outcome, to_move);
}

/* Whether a format tells each end of the record. */
static bool tells_ends(const struct record_format *format, const struct record *record)
{
    unsigned last = record_last_mover(record);
    unsigned first = record->nmoves % 2 == 1 ? RULES_SEATS + 1 - last : last;

    if (!tells_end(format, record, &record->ending, last))
        return false;
    for (size_t i = 0; format->holds & RECORD_HOLDS_VARIATIONS && i < record->nlines; i++) {
        const struct record_line *line = &record->lines[i];
        bool odd = (line->ply + line->nmoves) % 2 == 1;

        if (!tells_end(format, record, &line->ending, odd ? RULES_SEATS + 1 - first : first))
            return false;
    }
    return true;
}

static bool holds_headers(const struct record_format *format, const struct record *record)
{
    for (size_t i = 0; format->holds_header != NULL && i < record->nheaders; i++)
        if (!format->holds_header(record, i))
            return false;
    return true;
}

/* Whether the record is read by the same options if the format tells none. */
static bool has_its_options(struct arena *arena, const struct record_format *format,
                            const struct record *record)
{
    const char *usual = format->options == NULL ? "" : format->options;

    return strcmp(record_options_text(arena, record), usual) == 0;
}

unsigned record_left_out(struct arena *arena, const struct record_format *format,
                         const struct record *record)
{
    unsigned things = record_things(arena, record), out = things & ~format->holds;

    out &= ~(unsigned)RECORD_HOLDS_ENDS;
    out &= ~(unsigned)RECORD_HOLDS_OPTIONS;
    if (!(format->holds & RECORD_HOLDS_OPTIONS) && !has_its_options(arena, format, record))
        out |= RECORD_HOLDS_OPTIONS;
    if (!tells_ends(format, record))
        out |= RECORD_HOLDS_ENDS;
    if (format->holds & RECORD_HOLDS_LOG && record->nevents == 0)
        out |= things & (RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_MARKS); /* the log has them */
    if (!holds_headers(format, record))
        out |= RECORD_HOLDS_HEADERS;
    return out;
}
