/* pdn.c - PDN (GameType 30) of Turkish draughts, written; pdn_read.c reads it. */
#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/pdn.h"
#include "api/record/record.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/draw/page.h"
#include "rules/rules.h"

enum { LINE_CELLS = 79 };

static bool is_numeric(const struct record_writing *writing)
{
    return strcmp(writing->format->name, "pdn-numeric") == 0;
}

/* A move or a position as this format writes its squares. */
static const char *in_squares(struct record_writing *writing, const char *text)
{
    return is_numeric(writing) ? record_pdn_to_numbers(writing->arena, text) : text;
}

/* ---- tags ---- */

static void write_tag(struct record_writing *writing, const char *name, const char *value)
{
    value = record_one_line(writing->arena, value);
    if (value == NULL)
        return;
    out_format(writing->out, "[%s \"", name);
    for (; *value != '\0'; value++)
        out_format(writing->out, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    out_add(writing->out, "\"]\n");
}

static const char *result_of(const struct record_outcome *outcome)
{
    static const char *const wins[] = {"1/2-1/2", "1-0", "0-1"};

    return outcome->end == RECORD_OPEN || outcome->end == RECORD_ABORTED ? "*"
                                                                         : wins[outcome->winner];
}

/* What a result says. */
static struct record_outcome says_of(const char *result)
{
    const struct record_word *word = record_find_word(record_pdn_results, result, strlen(result));

    return record_word_outcome(word == NULL ? &record_unknown_word : word, 1);
}

/* A result as it was read (or NULL), for as long as it means the present one. */
static const char *result_as_read(const char *text, const char *result)
{
    struct record_outcome says;

    if (text == NULL || record_find_word(record_pdn_results, text, strlen(text)) == NULL)
        return result;
    says = says_of(text);
    return strcmp(result_of(&says), result) == 0 ? text : result;
}

static void write_date(struct record_writing *writing, const char *time)
{
    const char *blank = strchr(time, ' ');
    size_t date = blank == NULL ? strlen(time) : (size_t)(blank - time);

    write_tag(writing, "Date", arena_copy(writing->arena, time, date));
    if (blank != NULL)
        write_tag(writing, "UTCTime", blank + 1);
}

static void write_pdn_time(struct record_writing *writing, enum record_slot slot, const char *text)
{
    if (slot == RECORD_SLOT_STARTED)
        write_date(writing, text);
    else
        write_tag(writing, "EndDate", text);
}

static void write_pdn_player(struct record_writing *writing, unsigned seat)
{
    write_tag(writing, seat == 1 ? "White" : "Black", record_player(writing->record, seat));
}

/* The start as the file has it, if that is still this position and needs no numbers; else NULL. */
static const char *start_as_read(const struct record_writing *writing)
{
    const struct record *record = writing->record;
    const char *text = record_as_read(writing, RECORD_SLOT_START);
    struct rules_state *state = arena_alloc(writing->arena, sizeof(*state));
    struct rules_refusal why;
    char position[RULES_POSITION_TEXT];

    if (text == NULL || is_numeric(writing) ||
        !rules_load(record->game, &record->options, text, state, &why))
        return NULL;
    record->game->position_text(state, position);
    return strcmp(position, record->start) == 0 ? text : NULL;
}

static void write_pdn_start(struct record_writing *writing)
{
    const char *text = start_as_read(writing);

    if (text == NULL &&
        strcmp(writing->record->start, record_pdn_usual_start(writing->record->game)) == 0)
        return;
    write_tag(writing, "SetUp", "1");
    write_tag(writing, "FEN", text != NULL ? text : in_squares(writing, writing->record->start));
}

/* Whether a text of the tag Termination means, beside the result, how the game ended. A word that
 * we do not know says nothing. */
static bool tells_end(const char *text, const struct record_outcome *outcome)
{
    struct record_outcome says;

    if (outcome->confirmed)
        return true;
    if (!record_set_end(&says, text, outcome->winner))
        says = says_of(result_of(outcome));
    return record_same_end(&says, outcome);
}

static void write_termination(struct record_writing *writing)
{
    const struct record_ending *ending = &writing->record->ending;
    const char *text = record_as_read(writing, RECORD_SLOT_TERMINATION);

    if (text != NULL && tells_end(text, &ending->outcome))
        write_tag(writing, "Termination", text);
    else if (!ending->result_only)
        write_tag(writing, "Termination", record_end_text(&ending->outcome));
}

/* Squares that are written as numbers are counted from our corner, wherever the record began. */
static void write_pdn_game(struct record_writing *writing)
{
    const char *text = record_as_read(writing, RECORD_SLOT_GAME);

    if (is_numeric(writing))
        text = "30,W,8,8,N2,0";
    else if (text == NULL || strstr(text, ",N") != NULL)
        text = "30,W,8,8,A0,0";
    write_tag(writing, "GameType", text);
}

static void write_fact(struct record_writing *writing, enum record_slot slot)
{
    const struct record_outcome *outcome = &writing->record->ending.outcome;

    if (slot == RECORD_SLOT_RESULT)
        write_tag(writing, "Result",
                  result_as_read(record_as_read(writing, slot), result_of(outcome)));
    else if (slot == RECORD_SLOT_TERMINATION)
        write_termination(writing);
    else if (slot == RECORD_SLOT_GAME)
        write_pdn_game(writing);
    else if (slot == RECORD_SLOT_START)
        write_pdn_start(writing);
}

static bool is_tag_name(const char *name)
{
    for (; *name != '\0'; name++)
        if (!record_pdn_is_tag_char(*name))
            return false;
    return true;
}

bool record_pdn_holds_header(const struct record *record, size_t i)
{
    const char *name = record_header_name(RECORD_COLUMN_PDN, record->headers[i].key);

    return is_tag_name(name) && !record_pdn_is_own_tag(name);
}

static void write_pdn_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];

    if (record_pdn_holds_header(writing->record, i))
        write_tag(writing, record_header_name(RECORD_COLUMN_PDN, header->key), header->value);
}

static void write_tags(struct record_writing *writing)
{
    static const struct record_order usual_order = {
        .before = {RECORD_SLOTS},
        .after = {RECORD_SLOT_STARTED, RECORD_SLOT_ENDED, RECORD_SLOT_FIRST, RECORD_SLOT_SECOND,
                  RECORD_SLOT_RESULT, RECORD_SLOT_TERMINATION, RECORD_SLOT_GAME, RECORD_SLOT_START,
                  RECORD_SLOTS},
        .player = write_pdn_player,
        .date = '.',
        .time = write_pdn_time,
        .other = write_fact,
        .header = write_pdn_other,
    };
    const char *facts = record_options_text(writing->arena, writing->record);

    record_write_headers(writing, &usual_order);
    if (*facts != '\0')
        write_tag(writing, "Plyd", facts);
    out_add(writing->out, "\n");
}

/* ---- moves ---- */

struct lines {
    struct record_writing *writing;
    size_t cells;
};

static void write_word(struct lines *lines, const char *word)
{
    size_t cells = page_width(word);

    if (lines->cells > 0 && lines->cells + 1 + cells > LINE_CELLS) {
        out_add(lines->writing->out, "\n");
        lines->cells = 0;
    }
    if (lines->cells > 0) {
        out_add(lines->writing->out, " ");
        lines->cells++;
    }
    out_add(lines->writing->out, word);
    lines->cells += cells;
}

/* A comment on one line, in braces. PDN has no way to write a brace in a comment, so those become
 * round; and a comment that looks like the time of a move is changed, so that it is not read as
 * one. */
static void write_pdn_comment(struct lines *lines, const char *comment)
{
    struct arena *arena = lines->writing->arena;
    const char *line = record_one_line(arena, comment);
    char *text;

    if (line == NULL)
        return;
    text = arena_format(arena, "{%s}", line);
    if (strncmp(text, "{[%emt", strlen("{[%emt")) == 0)
        text[1] = '(';
    for (char *at = text + 1; at[1] != '\0'; at++)
        if (*at == '{' || *at == '}')
            *at = *at == '{' ? '(' : ')';
    write_word(lines, text);
}

static void write_spent(struct lines *lines, int64_t spent_us)
{
    int64_t s = spent_us / RECORD_SECOND_US, ms = spent_us / 1000 % 1000;
    struct arena *arena = lines->writing->arena;
    const char *fraction = ms == 0 ? "" : arena_format(arena, ".%03lld", (long long)ms);

    if (spent_us >= 0)
        write_word(lines,
                   arena_format(arena, "{[%%emt %lld:%02lld:%02lld%s]}", (long long)(s / 3600),
                                (long long)(s / 60 % 60), (long long)(s % 60), fraction));
}

static void write_number(struct lines *lines, size_t halves, bool dots)
{
    if (halves % 2 == 0)
        write_word(lines, arena_format(lines->writing->arena, "%zu.", halves / 2 + 1));
    else if (dots)
        write_word(lines, arena_format(lines->writing->arena, "%zu...", halves / 2 + 1));
}

/* The result behind a line. The main line has one even if the game goes on. */
static void write_pdn_end(struct lines *lines, const struct record_walk *walk)
{
    const struct record_ending *ending = record_walk_ending(walk);

    if (walk->at.line != 0 && !record_is_told(lines->writing, ending))
        return;
    write_word(lines, result_as_read(record_is_own(lines->writing) ? ending->word : NULL,
                                     result_of(&ending->outcome)));
    write_spent(lines, ending->spent_us);
    write_pdn_comment(lines, ending->comment);
}

static void write_pdn_line(struct lines *lines, struct record_walk *walk);

/* The variations that begin here. One that goes on behind the end has no move that it takes the
 * place of, so it begins with the last one again. */
static bool write_variations(struct lines *lines, struct record_walk *walk)
{
    size_t first = walk->record->start[0] == 'B';
    bool any = false;

    for (; record_walk_enter(walk); record_walk_leave(walk)) {
        bool on = !walk->places[walk->nplaces - 1].fresh && walk->at.before != NULL;

        write_word(lines, "(");
        if (on) {
            write_number(lines, first + record_walk_ply(walk) - 1, true);
            write_word(lines, in_squares(lines->writing, walk->at.before));
        }
        write_pdn_line(lines, walk);
        write_word(lines, ")");
        any = true;
    }
    return any;
}

static void write_pdn_line(struct lines *lines, struct record_walk *walk)
{
    size_t first = walk->record->start[0] == 'B';
    const struct record_move *move;
    bool dots = true;

    while (record_walk_next(walk, &move)) {
        write_number(lines, first + record_walk_ply(walk) - 1, dots);
        write_word(lines, in_squares(lines->writing, move->text));
        if (move->marks != NULL)
            write_word(lines, move->marks);
        write_spent(lines, move->spent_us);
        write_pdn_comment(lines, move->comment);
        dots = write_variations(lines, walk);
    }
    write_variations(lines, walk);
    write_pdn_end(lines, walk);
}

bool record_write_pdn(struct record_writing *writing)
{
    struct lines lines = {writing, 0};
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    write_tags(writing);
    write_pdn_comment(&lines, writing->record->comment);
    write_pdn_line(&lines, &walk);
    out_add(writing->out, "\n");
    return writing->error->code == PROBLEM_NONE;
}
