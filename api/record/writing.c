/* record_write.c - what the writers of all formats share (record_parts.h). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/record/parts.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "rules/rules.h"

enum { PRINT_MAX = 512 };

void record_print(struct record_writing *writing, const char *format, ...)
{
    char text[PRINT_MAX];
    va_list args, again;
    int len;

    va_start(args, format);
    va_copy(again, args);
    len = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if ((size_t)len < sizeof(text)) {
        out_add(writing->out, text);
    } else {
        char *longer = arena_alloc(writing->arena, (size_t)len + 1);

        vsnprintf(longer, (size_t)len + 1, format, again);
        out_add(writing->out, longer);
    }
    va_end(again);
}

bool record_unwritable(struct record_writing *writing, const char *detail)
{
    *writing->error = (struct record_error){.code = PROBLEM_CANNOT_EXPORT, .detail = detail};
    return false;
}

/* ---- the moves ---- */

/* A record's start: its options may name a position of their own. */
static bool begin(const struct record *record, struct rules_state *state, struct rules_refusal *why)
{
    return rules_load(record->game, &record->options, record->start, state, why);
}

bool record_walk_begin(struct record_walk *walk, struct record_writing *writing)
{
    struct rules_refusal why;

    *walk = (struct record_walk){.record = writing->record};
    walk->state = arena_alloc(writing->arena, sizeof(*walk->state));
    walk->next = arena_alloc(writing->arena, sizeof(*walk->next));
    return begin(writing->record, walk->state, &why) ||
           record_unwritable(writing, "The start position is not valid.");
}

bool record_walk_next(struct record_walk *walk, struct record_writing *writing,
                      const struct record_move **move)
{
    const struct rules_game *game = walk->record->game;
    struct rules_refusal why;

    if (walk->played > 0) {
        struct rules_state *state = walk->state;

        walk->state = walk->next;
        walk->next = state;
        walk->last = walk->move;
    }
    if (walk->played >= walk->record->nmoves)
        return false;
    *move = &walk->record->moves[walk->played];
    if (!game->read_move(walk->state, (*move)->text, &walk->move, &why))
        return record_unwritable(
            writing, arena_format(writing->arena, "Move %zu is not legal.", walk->played + 1));
    game->play(walk->state, walk->move, walk->next);
    walk->played++;
    return true;
}

/* ---- the end ---- */

const struct record_word *record_find_word(const struct record_word *words, const char *word,
                                           size_t len)
{
    for (; words->word[0] != '\0'; words++)
        if (strlen(words->word) == len && memcmp(words->word, word, len) == 0)
            return words;
    return NULL;
}

struct record_outcome record_word_outcome(const struct record_word *word, unsigned to_move)
{
    const unsigned winners[] = {[NOBODY_WINS] = 0,
                                [MOVER_WINS] = to_move,
                                [MOVER_LOSES] = RULES_SEATS + 1 - to_move,
                                [FIRST_WINS] = 1,
                                [SECOND_WINS] = 2};

    return (struct record_outcome){word->end, word->reason, winners[word->who], false};
}

static bool same_outcome(const struct record_outcome *a, const struct record_outcome *b)
{
    return a->end == b->end && a->winner == b->winner &&
           (a->end != RECORD_BY_RULES || a->reason == b->reason);
}

unsigned record_last_mover(const struct record *record)
{
    struct rules_state state;
    struct rules_refusal why;
    unsigned first = begin(record, &state, &why) ? record->game->to_move(&state) : 1;

    return record->nmoves % 2 == 0 ? first : RULES_SEATS + 1 - first;
}

/* The best entry says it all; else one with the same end, whatever it says of the winner. */
static const struct record_word *choose(const struct record_word *words,
                                        const struct record_outcome *outcome, unsigned to_move)
{
    const struct record_word *same_end = NULL, *open = words;

    for (; words->word[0] != '\0'; words++) {
        struct record_outcome says = record_word_outcome(words, to_move);

        if (same_outcome(&says, outcome))
            return words;
        if (says.end == RECORD_OPEN && open->end != RECORD_OPEN)
            open = words;
        if (same_end == NULL && says.end == outcome->end && says.reason == outcome->reason)
            same_end = words;
    }
    return same_end != NULL ? same_end : open;
}

/* A word that several entries have is read by the first of them. */
const char *record_choose_word(const struct record_writing *writing,
                               const struct record_word *words, struct record_outcome *said)
{
    unsigned to_move = record_last_mover(writing->record);
    const char *word = choose(words, &writing->record->outcome, to_move)->word;

    *said = record_word_outcome(record_find_word(words, word, strlen(word)), to_move);
    return word;
}

/* ---- facts ---- */

static void resolve(const struct rules_game *game, struct rules_options *options)
{
    struct rules_refusal why;

    if (game->resolve != NULL)
        game->resolve(options, &why);
    for (size_t i = 0; i < game->noptions; i++)
        if (options->value[i] == RULES_NOT_GIVEN)
            options->value[i] = game->options[i].fallback;
}

/* Defaults may depend on the options before them, so that these are given one after the other. */
const char *record_options_text(struct arena *arena, const struct record *record)
{
    const struct rules_game *game = record->game;
    char *value = arena_alloc(arena, RULES_POSITION_TEXT);
    struct rules_options given, resolved;
    const char *text = "";

    rules_options_init(&given);
    for (size_t i = 0; i < game->noptions; i++) {
        resolved = given;
        resolve(game, &resolved);
        if (game->options[i].kind == RULES_OPTION_START ||
            resolved.value[i] == record->options.value[i])
            continue;
        given.value[i] = record->options.value[i];
        rules_option_text(game, &record->options, i, value);
        text = arena_format(arena, "%s%s%s=%s", text, *text == '\0' ? "" : " ",
                            game->options[i].name, value);
    }
    return text;
}

/* The number behind the last blank of a SFEN. */
static const char *start_number(const struct record *record)
{
    const char *blank = strrchr(record->start, ' ');

    return blank == NULL ? "1" : blank + 1;
}

/* Whether whoever plays the moves finds the end by himself: a declaration must be told. */
static bool follows_from_moves(const struct record_outcome *outcome)
{
    return outcome->confirmed && outcome->reason != RULES_REASON_IMPASSE;
}

const char *record_facts(struct record_writing *writing, const struct record_outcome *said)
{
    const struct record_outcome *outcome = &writing->record->outcome;
    const char *text = record_options_text(writing->arena, writing->record);

    if (strcmp(start_number(writing->record), "1") != 0)
        text = arena_format(writing->arena, "%s number=%s", text, start_number(writing->record));
    if (!same_outcome(said, outcome) && !follows_from_moves(outcome))
        text = arena_format(writing->arena, "%s end=%s winner=%u", text,
                            outcome->end == RECORD_OPEN ? "open" : record_end_text(outcome),
                            outcome->winner);
    while (*text == ' ')
        text++;
    return *text == '\0' ? NULL : text;
}

/* ---- texts and times ---- */

const char *record_one_line(struct arena *arena, const char *text)
{
    char *line;

    if (text == NULL)
        return NULL;
    line = arena_copy(arena, text, strlen(text));
    for (char *at = line; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == '\x7f')
            *at = ' ';
    line = record_trim(arena, line);
    return *line == '\0' ? NULL : line;
}

const char *record_text_line(struct arena *arena, const char **at)
{
    const char *line = *at;
    size_t len;

    if (line == NULL)
        return NULL;
    len = strcspn(line, "\r\n");
    *at = line[len] == '\0'                            ? NULL
          : line[len] == '\r' && line[len + 1] == '\n' ? line + len + 2
                                                       : line + len + 1;
    return arena_copy(arena, line, len);
}

const char *record_time_text(struct arena *arena, int64_t us, char separator)
{
    time_t seconds = (time_t)(us / 1000000);
    struct tm utc;
    const char *date;

    gmtime_r(&seconds, &utc);
    date = arena_format(arena, "%04d%c%02d%c%02d", utc.tm_year + 1900, separator, utc.tm_mon + 1,
                        separator, utc.tm_mday);
    if (utc.tm_hour == 0 && utc.tm_min == 0 && utc.tm_sec == 0)
        return date;
    return arena_format(arena, "%s %02d:%02d:%02d", date, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

static const struct {
    const char *key, *names[3];
} headers[] = {
    {"event", {"棋戦", "EVENT", "Event"}},
    {"site", {"場所", "SITE", "Site"}},
    {"round", {"回戦", "ROUND", "Round"}},
    {"time_limit", {"持ち時間", "TIME_LIMIT", "TimeControl"}},
    {"opening", {"戦型", "OPENING", "Opening"}},
};

const char *record_header_name(enum record_column column, const char *key)
{
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        if (strcmp(headers[i].key, key) == 0)
            return headers[i].names[column];
    return key;
}

const char *record_header_key(enum record_column column, const char *name)
{
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        if (strcmp(headers[i].names[column], name) == 0)
            return headers[i].key;
    return name;
}
