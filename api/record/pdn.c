/* pdn.c - PDN (GameType 30) of Turkish draughts. */
#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/reading.h"
#include "api/record/record.h"
#include "api/record/remarks.h"
#include "api/record/times.h"
#include "api/record/writing.h"
#include "api/record/written.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "rules/draw/page.h"
#include "rules/rules.h"

enum { LINE_CELLS = 79 };

static const char looks_like_chess[] =
    "This looks like a game of chess (PGN), which is not played here. PDN of Turkish draughts has "
    "GameType 30, and moves such as a3-a4.";

/* Tags for what has a place of its own in a record, and is no header. */
static const char *const own_tags[] = {"White",   "Black", "Result", "GameType",    "SetUp",  "FEN",
                                       "EndDate", "Plyd",  "Date",   "Termination", "UTCTime"};

static bool is_own_tag(const char *name)
{
    for (size_t i = 0; i < sizeof(own_tags) / sizeof(own_tags[0]); i++)
        if (strcmp(own_tags[i], name) == 0)
            return true;
    return false;
}

static bool is_tag_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_tag_name(const char *name)
{
    for (; *name != '\0'; name++)
        if (!is_tag_char(*name))
            return false;
    return true;
}

/* ---- writing: tags ---- */

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

static void write_date(struct record_writing *writing, const char *time)
{
    const char *blank = strchr(time, ' ');
    size_t date = blank == NULL ? strlen(time) : (size_t)(blank - time);

    write_tag(writing, "Date", arena_copy(writing->arena, time, date));
    if (blank != NULL)
        write_tag(writing, "UTCTime", blank + 1);
}

static void write_time(struct record_writing *writing, enum record_slot slot, int64_t time)
{
    const char *text = record_time_text(writing->arena, time, '.');

    if (slot == RECORD_SLOT_STARTED)
        write_date(writing, text);
    else
        write_tag(writing, "EndDate", text);
}

static void write_player(struct record_writing *writing, unsigned seat)
{
    write_tag(writing, seat == 1 ? "White" : "Black", record_player(writing->record, seat));
}

static const char *usual_start(const struct rules_game *game)
{
    return game->position.examples[0];
}

static void write_start(struct record_writing *writing)
{
    if (strcmp(writing->record->start, usual_start(writing->record->game)) == 0)
        return;
    write_tag(writing, "SetUp", "1");
    write_tag(writing, "FEN", writing->record->start);
}

static void write_fact(struct record_writing *writing, enum record_slot slot)
{
    const struct record *record = writing->record;

    if (slot == RECORD_SLOT_RESULT)
        write_tag(writing, "Result", result_of(&record->outcome));
    else if (slot == RECORD_SLOT_TERMINATION && !record->result_only)
        write_tag(writing, "Termination", record_end_text(&record->outcome));
    else if (slot == RECORD_SLOT_GAME)
        write_tag(writing, "GameType", "30,W,8,8,A0,0");
    else if (slot == RECORD_SLOT_START)
        write_start(writing);
}

static void write_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];
    const char *name = record_header_name(RECORD_COLUMN_PDN, header->key);

    if (is_tag_name(name) && !is_own_tag(name))
        write_tag(writing, name, header->value);
}

static void write_tags(struct record_writing *writing)
{
    static const struct record_order usual_order = {
        .before = {RECORD_SLOTS},
        .after = {RECORD_SLOT_STARTED, RECORD_SLOT_ENDED, RECORD_SLOT_FIRST, RECORD_SLOT_SECOND,
                  RECORD_SLOT_RESULT, RECORD_SLOT_TERMINATION, RECORD_SLOT_GAME, RECORD_SLOT_START,
                  RECORD_SLOTS},
        .player = write_player,
        .time = write_time,
        .other = write_fact,
        .header = write_other,
    };
    const char *facts = record_options_text(writing->arena, writing->record);

    record_write_headers(writing, &usual_order);
    if (*facts != '\0')
        write_tag(writing, "Plyd", facts);
    out_add(writing->out, "\n");
}

/* ---- writing: moves ---- */

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
static void write_comment(struct lines *lines, const char *comment)
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

static void write_line(struct lines *lines, struct record_walk *walk);

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
            write_word(lines, walk->at.before);
        }
        write_line(lines, walk);
        write_word(lines, ")");
        any = true;
    }
    return any;
}

static void write_line(struct lines *lines, struct record_walk *walk)
{
    size_t first = walk->record->start[0] == 'B';
    const struct record_move *move;
    bool dots = true;

    while (record_walk_next(walk, &move)) {
        write_number(lines, first + record_walk_ply(walk) - 1, dots);
        write_word(lines, move->text);
        if (move->marks != NULL)
            write_word(lines, move->marks);
        write_spent(lines, move->spent_us);
        write_comment(lines, move->comment);
        dots = write_variations(lines, walk);
    }
    write_variations(lines, walk);
}

bool record_write_pdn(struct record_writing *writing)
{
    struct lines lines = {writing, 0};
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    write_tags(writing);
    write_comment(&lines, writing->record->comment);
    write_line(&lines, &walk);
    write_word(&lines, result_of(&writing->record->outcome));
    out_add(writing->out, "\n");
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

struct pdn {
    struct record_reading *reading;
    const char *position, *date, *time, *termination, *result;
    struct out comment; /* the one that is open */
    bool tagged, named; /* it has headers; one tells the game, or the board */
    bool in_comment, in_moves, done;
    size_t lost; /* brackets that are open in a variation that was cut */
};

/* Where the tags that have a place of their own stood; names and the end tell it themselves. */
static void spot_of(struct record *record, const char *name)
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
            record_spot(record, tags[i].slot);
}

static bool read_tag_value(struct pdn *pdn, const char *name, const char *value)
{
    struct record_reading *reading = pdn->reading;
    int64_t us;

    if (strcmp(name, "White") == 0 || strcmp(name, "Black") == 0)
        return record_set_name(reading, name[0] == 'W' ? 1 : 2, value);
    if (strcmp(name, "Plyd") == 0)
        return record_take_facts(reading, value);
    spot_of(reading->record, name);
    if (strcmp(name, "GameType") == 0) {
        pdn->named = strncmp(value, "30", 2) == 0 && (value[2] == ',' || value[2] == '\0');
        return pdn->named ||
               record_bad(reading, NULL, "Turkish draughts is GameType 30; this is another game.");
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
        record_set_ended(reading->record, us);
    else if (!is_own_tag(name))
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
    while (is_tag_char(at[len]))
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

static bool start(struct pdn *pdn)
{
    struct record_reading *reading = pdn->reading;
    const char *date = pdn->date;
    int64_t us;

    if (record_started(reading))
        return true;
    if (date != NULL && pdn->time != NULL)
        date = arena_format(reading->arena, "%s %s", date, pdn->time);
    if (date != NULL && record_read_time(date, &us))
        reading->record->started_at = us;
    if (pdn->position != NULL && strcmp(pdn->position, usual_start(reading->game)) == 0)
        pdn->position = NULL;
    if (pdn->position != NULL && strchr(pdn->position, '/') != NULL)
        return record_bad(reading, NULL, looks_like_chess);
    return record_start(reading, pdn->position);
}

static const struct record_word results[] = {
    {"1-0", RECORD_RESIGNED, RULES_REASON_NONE, FIRST_WINS},
    {"0-1", RECORD_RESIGNED, RULES_REASON_NONE, SECOND_WINS},
    {"1/2-1/2", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"*", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"2-0", RECORD_RESIGNED, RULES_REASON_NONE, FIRST_WINS},
    {"0-2", RECORD_RESIGNED, RULES_REASON_NONE, SECOND_WINS},
    {"1-1", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"0-0", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};

/* The result says who won, and "Termination" how. */
static bool set_result(struct pdn *pdn, const char *text)
{
    const struct record_word *word = record_find_word(results, text, strlen(text));
    struct record_reading *reading = pdn->reading;
    struct record_outcome said;

    if (word == NULL || *text == '\0')
        return record_bad(reading, NULL, "A result is 1-0, 0-1, 1/2-1/2 or *.");
    if (!start(pdn) || !record_set_word(reading, word, text))
        return false;
    if (reading->nbranches == 0)
        reading->record->result_only =
            pdn->termination == NULL && reading->ending.end.end != RECORD_OPEN;
    if (pdn->termination != NULL && reading->nbranches == 0 &&
        record_set_end(&said, pdn->termination, reading->ending.end.winner))
        reading->ending.end = said;
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
    if (!start(pdn))
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

static const char *read_mark(struct pdn *pdn, const char *at)
{
    size_t len = 1 + strspn(at + 1, "0123456789");

    if (len > 1 && len < 5)
        record_add_mark(pdn->reading, arena_copy(pdn->reading->arena, at, len));
    return at + len;
}

/* 12-16 or 12x21: the games that are played on squares of one colour number these. */
static bool is_numbered(const char *word)
{
    size_t digits = strspn(word, "0123456789");

    return digits > 0 && (word[digits] == '-' || word[digits] == 'x' || word[digits] == ':') &&
           strchr("0123456789", word[digits + 1]) != NULL && word[digits + 1] != '\0';
}

/* Whether a text of `len` bytes ends with a square, and has before it what chess has there: of a
 * pawn that captures its file, of a piece its file or rank or both. */
static bool ends_as_chess(const char *text, size_t len, bool is_piece)
{
    size_t before = len - 2;

    if (len < 2 || strspn(text, "abcdefgh12345678x") < len || text[before] < 'a' ||
        text[len - 1] > '8')
        return false;
    if (is_piece)
        return before <= 3;
    return before == 0 || (before == 2 && text[0] >= 'a' && text[1] == 'x');
}

/* e4, exd5, Nf3, Qh4xe1+, e8=Q, O-O: PGN of chess looks like PDN otherwise. */
static bool is_chess(const char *word)
{
    bool is_piece = *word != '\0' && strchr("KQRBN", *word) != NULL;

    word += is_piece;
    return strncmp(word, "O-O", 3) == 0 || ends_as_chess(word, strcspn(word, "=+#"), is_piece);
}

/* Federations also write which men a capture takes. */
static bool play(struct record_reading *reading, const char *word, const char *at)
{
    char text[RULES_MOVE_TEXT];
    struct rules_refusal why;
    rules_move move;

    if (is_numbered(word) && !record_is_cut(reading))
        return record_bad(reading, at,
                          "Squares have numbers here, so this is a record of another game. Turkish "
                          "draughts is GameType 30, and its squares are a1 to h8.") ||
               record_cut(reading, word);
    if (reading->game->read_move(reading->state, word, &move, &why))
        return record_play(reading, word, word, at);
    if (is_chess(word) && !record_is_cut(reading))
        return record_bad(reading, at, looks_like_chess) || record_cut(reading, word);
    if (!record_read_taken(reading->arena, reading->game, reading->state, word, &move))
        return record_play(reading, word, word, at);
    reading->game->move_text(reading->state, move, text);
    return record_play(reading, text, word, at);
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
    if (record_find_word(results, word, len) != NULL) {
        pdn->done = reading->nbranches == 0;
        return set_result(pdn, word);
    }
    move = strcspn(word, "!?");
    mark = arena_copy(reading->arena, word + move, len - move);
    word[move] = '\0';
    if (!start(pdn) || (move > 0 && !play(reading, word, begin)))
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

    if (!start(pdn))
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

static bool read_moves(struct pdn *pdn, const char *at)
{
    while (*at != '\0' && !pdn->done) {
        bool ok = true;

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
            at = read_mark(pdn, at);
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

/* All kinds of draughts have PDN, so a file's record without moves must say which one it is. */
static bool is_known(const struct pdn *pdn)
{
    const struct record_reading *reading = pdn->reading;

    return !pdn->tagged || pdn->named || reading->hint->game != NULL || reading->record->nmoves > 0;
}

bool record_read_pdn(struct record_reading *reading)
{
    struct pdn pdn = {.reading = reading};
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
        if (tag ? !read_tag(&pdn, at) : !read_moves(&pdn, at))
            return false;
        pdn.in_moves |= !tag && *at != '\0';
    }
    if (pdn.in_comment || reading->nbranches > 0)
        return record_bad(reading, NULL, "A comment or variation is not closed.");
    if (!is_known(&pdn))
        return record_bad(reading, NULL,
                          "There is neither a GameType nor a move, so this may be any kind of "
                          "draughts. Turkish draughts is GameType 30.");
    if (!pdn.done && pdn.result != NULL)
        return set_result(&pdn, pdn.result);
    return start(&pdn);
}
