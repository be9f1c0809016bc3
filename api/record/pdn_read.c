/* pdn_read.c - PDN of Turkish draughts, read. */
#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/move_notation.h"
#include "api/record/pdn.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/times.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "rules/rules.h"

struct pdn {
    struct record_reading *reading;
    const char *position, *date, *time, *termination, *result;
    struct out comment; /* the one that is open */
    bool tagged, named; /* it has headers; one tells the game, or the board */
    bool typed;         /* that is GameType */
    bool in_comment, in_moves, done;
    enum record_pdn_corner corner; /* from which squares are numbered */
    size_t lost;                   /* brackets that are open in a variation that was cut */
};

/* Notes the place of a tag that is not kept as a header. record_set_name() and record_set_ended()
 * note theirs themselves. */
static void spot_of(struct record_reading *reading, const char *name, const char *value)
{
    static const struct {
        const char *name;
        enum record_slot slot;
    } tags[] = {
        {"Date", RECORD_SLOT_STARTED},  {"UTCTime", RECORD_SLOT_STARTED},
        {"FEN", RECORD_SLOT_START},     {"SetUp", RECORD_SLOT_START},
        {"Result", RECORD_SLOT_RESULT}, {"Termination", RECORD_SLOT_TERMINATION},
        {"GameType", RECORD_SLOT_GAME},
    };

    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
        if (strcmp(tags[i].name, name) == 0)
            record_note(reading, tags[i].slot, strcmp(name, "SetUp") == 0 ? NULL : value);
}

static bool is_game_type(const char *value, const char *number)
{
    size_t len = strlen(number);

    return strncmp(value, number, len) == 0 && (value[len] == ',' || value[len] == '\0');
}

static bool read_tag_value(struct pdn *pdn, const char *name, const char *value)
{
    struct record_reading *reading = pdn->reading;
    int64_t us;

    if (strcmp(name, "White") == 0 || strcmp(name, "Black") == 0)
        return record_set_name(reading, name[0] == 'W' ? 1 : 2, value);
    if (strcmp(name, "Plyd") == 0)
        return record_take_facts(reading, value);
    spot_of(reading, name, value);
    if (strcmp(name, "GameType") == 0) {
        pdn->corner = record_pdn_corner(value);
        pdn->typed = pdn->named = is_game_type(value, "30");
        return pdn->named ||
               record_bad(reading, NULL,
                          is_game_type(value, "31")
                              ? "GameType 31 is Thai draughts. Turkish draughts is GameType 30."
                              : "Turkish draughts is GameType 30; this is another game.");
    }
    pdn->named |= strcmp(name, "FEN") == 0;
    if (strcmp(name, "FEN") == 0)
        pdn->position = value;
    else if (strcmp(name, "Date") == 0)
        pdn->date = value;
    else if (strcmp(name, "UTCTime") == 0)
        pdn->time = value;
    else if (strcmp(name, "Termination") == 0)
        pdn->termination = value;
    else if (strcmp(name, "Result") == 0)
        pdn->result = value;
    else if (strcmp(name, "EndDate") == 0 && record_read_time(value, &us))
        record_set_ended(reading, us, value);
    else if (!record_pdn_is_own_tag(name))
        return record_add_header(reading, record_header_key(RECORD_COLUMN_PDN, name), value);
    return true;
}

/* [Name "value"], where a backslash protects a quote or a backslash. */
static bool read_tag(struct pdn *pdn, const char *line)
{
    struct record_reading *reading = pdn->reading;
    const char *at = line + 1;
    char *name, *value, *to;
    size_t len = 0;

    at += strspn(at, " \t");
    while (record_pdn_is_tag_char(at[len]))
        len++;
    name = arena_copy(reading->arena, at, len);
    at += len + strspn(at + len, " \t");
    if (len == 0 || *at != '"')
        return record_bad(reading, at, "A tag is written as [Name \"value\"].");
    value = to = arena_copy(reading->arena, at, strlen(at));
    for (at++; *at != '"' && *at != '\0'; at++) {
        if (*at == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        *to++ = *at;
    }
    *to = '\0';
    if (*at != '"' || strchr(at + 1, ']') == NULL)
        return record_bad(reading, at, "A tag ends with \"].");
    return read_tag_value(pdn, name, value);
}

static const char no_such_square[] =
    "The squares of Turkish draughts are numbered from 1 (a8) to 64 (h1).";

static bool start_pdn(struct pdn *pdn)
{
    struct record_reading *reading = pdn->reading;
    const char *date = pdn->date, *other = NULL;
    int64_t us;

    if (record_started(reading))
        return true;
    if (date != NULL && pdn->time != NULL) {
        date = arena_format(reading->arena, "%s %s", date, pdn->time);
        record_note(reading, RECORD_SLOT_STARTED, date);
    }
    if (date != NULL && record_read_time(date, &us))
        reading->record->started_at = us;
    if (pdn->position != NULL)
        other = record_pdn_other_start(pdn->position);
    if (other != NULL)
        return record_bad(reading, NULL, other);
    if (pdn->position != NULL) {
        pdn->position = record_pdn_position_of(reading->arena, pdn->position, pdn->corner);
        if (pdn->position == NULL)
            return record_bad(reading, NULL, no_such_square);
        if (strcmp(pdn->position, record_pdn_usual_start(reading->game)) == 0)
            pdn->position = NULL;
    }
    return record_start(reading, pdn->position);
}

/* The result says who won, and "Termination" how. */
static bool set_result(struct pdn *pdn, const char *text)
{
    const struct record_word *word = record_find_word(record_pdn_results, text, strlen(text));
    struct record_reading *reading = pdn->reading;
    struct record_outcome said;

    if (word == NULL || *text == '\0')
        return record_bad(reading, NULL, "A result is 1-0, 0-1, 1/2-1/2 or *.");
    if (!start_pdn(pdn) || !record_set_word(reading, word, text))
        return false;
    if (reading->nbranches == 0)
        reading->ending.result_only =
            pdn->termination == NULL && reading->ending.outcome.end != RECORD_OPEN;
    if (pdn->termination != NULL && reading->nbranches == 0 &&
        record_set_end(&said, pdn->termination, reading->ending.outcome.winner))
        reading->ending.outcome = said;
    return true;
}

/* {[%emt 0:00:12.345]} is the time of the move. Anything else in braces is a comment. */
static bool read_emt(struct pdn *pdn, const char *text)
{
    int64_t parts[3] = {0, 0, 0}, us, scale = RECORD_SECOND_US;
    size_t n = 0;

    if (strncmp(text, "[%emt ", 6) != 0)
        return false;
    for (text += 6; n < 3; n++) {
        size_t digits = strspn(text, "0123456789");

        if (digits == 0 || digits > 7)
            return false;
        while (digits-- > 0)
            parts[n] = parts[n] * 10 + (*text++ - '0');
        if (*text == ':')
            text++;
    }
    us = (parts[0] * 3600 + parts[1] * 60 + parts[2]) * RECORD_SECOND_US;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++) {
            scale /= 10;
            us += (*text - '0') * scale;
        }
    if (strcmp(text, "]") != 0)
        return false;
    record_set_spent(pdn->reading, us);
    return true;
}

static bool end_comment(struct pdn *pdn)
{
    const char *text = record_one_line(pdn->reading->arena, pdn->comment.text);

    pdn->in_comment = false;
    if (!start_pdn(pdn))
        return false;
    if (text != NULL && !read_emt(pdn, text))
        record_add_comment(pdn->reading, text);
    return true;
}

/* A comment may go on over several lines, up to its brace. */
static bool read_comment(struct pdn *pdn, const char **at)
{
    size_t len = strcspn(*at, "}");

    out_add(&pdn->comment, arena_copy(pdn->reading->arena, *at, len));
    *at += len;
    if (**at == '\0') {
        out_add(&pdn->comment, " ");
        return true;
    }
    (*at)++;
    return end_comment(pdn);
}

/* The number of a mark that is written with signs. */
static const char *number_of_mark(const char *mark)
{
    static const char *const marks[][2] = {{"!", "$1"},  {"?", "$2"},  {"!!", "$3"},
                                           {"??", "$4"}, {"!?", "$5"}, {"?!", "$6"}};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (strcmp(marks[i][0], mark) == 0)
            return marks[i][1];
    return mark[0] == '!' ? "$3" : "$4";
}

static const char *read_pdn_mark(struct pdn *pdn, const char *at)
{
    size_t len = 1 + strspn(at + 1, "0123456789");

    if (len > 1 && len < 5)
        record_add_mark(pdn->reading, arena_copy(pdn->reading->arena, at, len));
    return at + len;
}

/* Why a move that the rules refuse is none of Turkish draughts; NULL: it may be a mistake. Moves
 * with numbers are taken for those of another game unless GameType says that they are not. */
static const char *stranger(const struct pdn *pdn, const char *word, const char *text)
{
    if (record_is_cut(pdn->reading))
        return NULL;
    if (!record_pdn_is_numbered(word) || !pdn->typed)
        return record_pdn_other_move(word);
    return text == NULL ? no_such_square : NULL;
}

/* Plays a move, which has squares or their numbers. Federations also write captures with the men
 * that are taken, which the rules cannot read. */
static bool play_pdn(struct pdn *pdn, const char *word, const char *at)
{
    struct record_reading *reading = pdn->reading;
    const char *text =
        record_pdn_is_numbered(word) ? record_pdn_move_of(reading->arena, word, pdn->corner) : word;
    char taken[RULES_MOVE_TEXT];
    struct rules_refusal why;
    const char *other;
    rules_move move;

    if (text != NULL && reading->game->read_move(reading->state, text, &move, &why))
        return record_play(reading, text, word, at);
    other = stranger(pdn, word, text);
    if (other != NULL)
        return record_bad(reading, at, other) || record_cut(reading, word);
    if (text == NULL ||
        !record_read_taken(reading->arena, reading->game, reading->state, text, &move))
        return record_play(reading, text == NULL ? word : text, word, at);
    reading->game->move_text(reading->state, move, taken);
    return record_play(reading, taken, word, at);
}

static bool read_word(struct pdn *pdn, const char **at)
{
    struct record_reading *reading = pdn->reading;
    const char *begin = *at;
    size_t len = strcspn(begin, " \t{}();$"), number = strspn(begin, "0123456789"), move;
    char *word, *mark;

    if (number > 0 && begin[number] == '.') {
        *at += number + strspn(begin + number, ".");
        return true;
    }
    *at += len;
    if (len == 0)
        return record_bad(reading, begin, "A move does not begin like that.");
    word = arena_copy(reading->arena, begin, len);
    if (record_find_word(record_pdn_results, word, len) != NULL) {
        pdn->done = reading->nbranches == 0;
        return set_result(pdn, word);
    }
    move = strcspn(word, "!?");
    mark = arena_copy(reading->arena, word + move, len - move);
    word[move] = '\0';
    if (!start_pdn(pdn) || (move > 0 && !play_pdn(pdn, word, begin)))
        return false;
    if (*mark != '\0')
        record_add_mark(reading, number_of_mark(mark));
    return true;
}

/* A variation stands behind the move that it takes the place of. */
static bool read_variation(struct pdn *pdn, char bracket)
{
    struct record_reading *reading = pdn->reading;
    const char text[] = {bracket, '\0'};
    size_t ply;

    if (!start_pdn(pdn))
        return false;
    if (bracket == '(' ? record_is_cut(reading) : pdn->lost > 0) {
        pdn->lost = bracket == '(' ? pdn->lost + 1 : pdn->lost - 1;
        return record_cut(reading, text);
    }
    ply = reading->record->nmoves;
    if (bracket == '(')
        return record_branch(reading, ply == 0 ? 0 : ply - 1);
    return reading->nbranches > 0
               ? record_rejoin(reading)
               : record_bad(reading, NULL, "There is a ) without a ( before it.");
}

static bool read_pdn_moves(struct pdn *pdn, const char *at)
{
    while (*at != '\0') {
        bool ok = true;

        if (pdn->done && !pdn->in_comment && strchr(" \t{", *at) == NULL)
            return true; /* only comments belong to the end */
        if (pdn->in_comment) {
            ok = read_comment(pdn, &at);
        } else if (*at == ' ' || *at == '\t') {
            at++;
        } else if (*at == '{') {
            at++;
            pdn->in_comment = true;
            pdn->comment.len = 0;
            pdn->comment.text[0] = '\0';
        } else if (*at == ';') {
            return true;
        } else if (*at == '$') {
            at = read_pdn_mark(pdn, at);
        } else if (*at == '(' || *at == ')') {
            ok = read_variation(pdn, *at++);
        } else {
            ok = read_word(pdn, &at);
        }
        if (!ok)
            return false;
    }
    return true;
}

/* Whether the record is known to be of Turkish draughts. All kinds of draughts use PDN, so a record
 * without moves must name its game. */
static bool is_known_pdn(const struct pdn *pdn)
{
    const struct record_reading *reading = pdn->reading;

    return !pdn->tagged || pdn->named || reading->hint->game != NULL || reading->record->nmoves > 0;
}

bool record_read_pdn(struct record_reading *reading)
{
    struct pdn pdn = {.reading = reading, .corner = RECORD_PDN_TOP_LEFT};
    bool tag_before = false;
    char *line;

    out_init(&pdn.comment, reading->arena);
    while ((line = record_next_line(reading)) != NULL) {
        const char *at = line + strspn(line, " \t");
        bool tag = !pdn.in_comment && *at == '[';

        if (tag && !tag_before && pdn.in_moves)
            reading->record->other_games++;
        tag_before = tag;
        pdn.tagged |= tag;
        if (reading->record->other_games > 0 || (*line == '%' && !pdn.in_comment))
            continue;
        if (tag ? !read_tag(&pdn, at) : !read_pdn_moves(&pdn, at))
            return false;
        pdn.in_moves |= !tag && *at != '\0';
    }
    if (pdn.in_comment || reading->nbranches > 0)
        return record_bad(reading, NULL, "A comment or variation is not closed.");
    if (!is_known_pdn(&pdn))
        return record_bad(reading, NULL,
                          "There is neither a GameType nor a move, so this may be any kind of "
                          "draughts. Turkish draughts is GameType 30.");
    if (!pdn.done && pdn.result != NULL)
        return set_result(&pdn, pdn.result);
    return start_pdn(&pdn);
}
