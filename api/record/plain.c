/* plain.c - a record as a text for people. It is read back too. */
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/draw/page.h"
#include "rules/draw/textboard.h"
#include "rules/rules.h"

enum { MOVE_CELLS = 17 };

/* ---- writing ---- */

static void write_plain_line(struct record_writing *writing, const char *key, const char *value)
{
    value = record_one_line(writing->arena, value);
    if (value != NULL)
        out_format(writing->out, "%s: %s\n", key, value);
}

/* "Sente" for "sente". */
static const char *seat_title(struct arena *arena, const struct rules_game *game, unsigned seat)
{
    char *title = arena_copy(arena, game->seat[seat - 1].name, strlen(game->seat[seat - 1].name));

    title[0] = (char)(title[0] + 'A' - 'a');
    return title;
}

static bool is_own_key(const struct rules_game *game, const char *key)
{
    static const char *const own[] = {"Game", "Options", "Start", "Started", "Ended", "Result"};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(own[i], key) == 0)
            return true;
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        const char *name = game->seat[seat - 1].name;

        if (key[0] == name[0] + 'A' - 'a' && strcmp(key + 1, name + 1) == 0)
            return true;
    }
    return false;
}

/* The start by its name, or by its position if it has none; NULL if it is the usual one. */
static const char *start_text(struct record_writing *writing)
{
    const struct record *record = writing->record;
    const struct rules_game *game = record->game;
    char *text = arena_alloc(writing->arena, RULES_POSITION_TEXT);
    struct rules_options options = record->options;
    struct rules_state *state = arena_alloc(writing->arena, sizeof(*state));
    struct rules_refusal why;

    for (size_t i = 0; i < game->noptions; i++) {
        if (game->options[i].kind != RULES_OPTION_START)
            continue;
        rules_option_text(game, &options, i, text);
        if (options.position == NULL && options.value[i] != game->options[i].fallback)
            return text;
        options.value[i] = game->options[i].fallback;
    }
    options.position = NULL;
    if (!rules_start(game, &options, NULL, state, &why))
        return record->start;
    game->position_text(state, text);
    return strcmp(text, record->start) == 0 ? NULL : record->start;
}

static void write_plain_player(struct record_writing *writing, unsigned seat)
{
    write_plain_line(writing, seat_title(writing->arena, writing->record->game, seat),
                     record_player(writing->record, seat));
}

static void write_plain_time(struct record_writing *writing, enum record_slot slot,
                             const char *text)
{
    write_plain_line(writing, slot == RECORD_SLOT_STARTED ? "Started" : "Ended", text);
}

bool record_plain_holds_header(const struct record *record, size_t i)
{
    const char *key = record->headers[i].key;

    return strchr(key, ':') == NULL && key[0] != '#' && !is_own_key(record->game, key);
}

static void write_plain_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];

    if (record_plain_holds_header(writing->record, i))
        write_plain_line(writing, header->key, header->value);
}

static const struct record_order usual_order = {
    .before = {RECORD_SLOT_FIRST, RECORD_SLOT_SECOND, RECORD_SLOTS},
    .after = {RECORD_SLOT_STARTED, RECORD_SLOT_ENDED, RECORD_SLOTS},
    .player = write_plain_player,
    .date = '-',
    .time = write_plain_time,
    .header = write_plain_other,
};

static void write_headers(struct record_writing *writing)
{
    const struct record *record = writing->record;
    struct arena *arena = writing->arena;

    write_plain_line(writing, "Game", record->game->title);
    record_write_headers(writing, &usual_order);
    write_plain_line(writing, "Options", record_options_text(arena, record));
    write_plain_line(writing, "Start", start_text(writing));
    out_add(writing->out, "\n");
}

static void write_plain_comment(struct record_writing *writing, const char *comment)
{
    const char *line;

    while ((line = record_text_line(writing->arena, &comment)) != NULL)
        out_format(writing->out, "      # %s\n", line);
}

static const char *spent_text(struct arena *arena, int64_t spent_us)
{
    long long ms = (long long)(spent_us / 1000);

    return spent_us < 0 ? "" : arena_format(arena, "(%lld.%03lld s)", ms / 1000, ms % 1000);
}

/* The number, the move as it is read, the move as people write it, and the time. */
static void write_plain_move(struct record_writing *writing, const struct record_walk *walk,
                             const struct record_move *move)
{
    struct arena *arena = writing->arena;
    const char *pretty =
        move_text_pretty(arena, walk->record->game, walk->state, walk->last, walk->move);
    const char *spent = spent_text(arena, move->spent_us);
    bool has_pretty = walk->record->game->pretty != NULL;

    out_format(writing->out, "%4zu. ", record_walk_ply(walk));
    if (*spent == '\0')
        out_format(writing->out, has_pretty ? "%-8s%s\n" : "%s%s\n", move->text,
                   has_pretty ? pretty : "");
    else
        out_format(writing->out, "%-8s%s%*s  %s\n", move->text, has_pretty ? pretty : "",
                   !has_pretty || page_width(pretty) >= MOVE_CELLS
                       ? 0
                       : (int)(MOVE_CELLS - page_width(pretty)),
                   "", spent);
    write_plain_comment(writing, move->comment);
}

static const char *plain_result_text(struct record_writing *writing)
{
    const struct record *record = writing->record;
    const struct record_outcome *outcome = &record->ending.outcome;
    struct arena *arena = writing->arena;

    if (outcome->end == RECORD_OPEN)
        return "open";
    if (outcome->winner != 0)
        return arena_format(arena, "%s wins (%s)", seat_title(arena, record->game, outcome->winner),
                            record_end_text(outcome));
    return arena_format(arena, "%s (%s)", outcome->end == RECORD_ABORTED ? "none" : "draw",
                        record_end_text(outcome));
}

static void write_plain_board(struct record_writing *writing, const struct rules_state *state,
                              const char *result)
{
    const struct rules_game *game = writing->record->game;
    struct rules_look *look = arena_alloc(writing->arena, sizeof(*look));
    size_t len;
    char *text;

    rules_look_init(look);
    if (writing->record->ending.outcome.end != RECORD_OPEN)
        look->ending = result;
    len = rules_board_text(game, state, look, NULL, 0);
    text = arena_alloc(writing->arena, len + 1);
    rules_board_text(game, state, look, text, len + 1);
    out_add(writing->out, text);
}

bool record_write_plain(struct record_writing *writing)
{
    const struct record_move *move;
    const char *result = plain_result_text(writing);
    const char *spent = spent_text(writing->arena, writing->record->ending.spent_us);
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    write_headers(writing);
    write_plain_comment(writing, writing->record->comment);
    while (record_walk_next(&walk, &move))
        write_plain_move(writing, &walk, move);
    out_format(writing->out, "\nResult: %s%s%s\n", result, *spent == '\0' ? "" : "  ", spent);
    write_plain_comment(writing, writing->record->ending.comment);
    out_add(writing->out, "\n");
    write_plain_board(writing, walk.state, result);
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

struct plain {
    struct record_reading *reading;
    const char *start;
};

static bool set_game(struct plain *plain, const char *title)
{
    for (size_t i = 0; i < rules_games(); i++)
        if (strcmp(rules_game(i)->title, title) == 0)
            return record_set_game(plain->reading, rules_game(i)->name);
    return record_set_game(plain->reading, title);
}

static bool read_plain_header(struct plain *plain, const char *key, const char *value)
{
    struct record_reading *reading = plain->reading;
    int64_t us;

    if (strcmp(key, "Game") == 0)
        return set_game(plain, value);
    if (reading->game == NULL)
        return record_bad(reading, NULL, "The first line says the game, such as Game: Shogi.");
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
        if (strcmp(key, seat_title(reading->arena, reading->game, seat)) == 0)
            return record_set_name(reading, seat, value);
    if (strcmp(key, "Options") == 0)
        return record_take_facts(reading, value);
    if (strcmp(key, "Start") == 0)
        plain->start = value;
    else if (strcmp(key, "Started") == 0 && record_read_time(value, &us))
        record_set_started(reading, us, value);
    else if (strcmp(key, "Ended") == 0 && record_read_time(value, &us))
        record_set_ended(reading, us, value);
    else
        return record_add_header(reading, key, value);
    return true;
}

static bool start_plain(struct plain *plain)
{
    struct record_reading *reading = plain->reading;
    const struct rules_game *game = reading->game;
    struct rules_refusal why;

    if (record_started(reading))
        return true;
    if (game == NULL)
        return record_bad(reading, NULL, "The first line says the game, such as Game: Shogi.");
    for (size_t i = 0; plain->start != NULL && i < game->noptions; i++)
        for (int32_t j = 0;
             game->options[i].kind == RULES_OPTION_START && game->options[i].choices[j] != NULL;
             j++)
            if (strcmp(game->options[i].choices[j], plain->start) == 0) {
                rules_option_set(game, &reading->options, game->options[i].name, plain->start,
                                 &why);
                return record_start(reading, NULL);
            }
    return record_start(reading, plain->start);
}

/* "(12.345 s)" at the end of a line. */
static void read_spent(struct plain *plain, const char *line)
{
    const char *at = strrchr(line, '(');
    char *end, *rest;
    long long s, ms;

    if (at == NULL || at[1] < '0' || at[1] > '9')
        return;
    s = strtoll(at + 1, &end, 10);
    if (*end != '.' || strspn(end + 1, "0123456789") != 3 || s > 1000000000)
        return;
    ms = strtoll(end + 1, &rest, 10);
    if (strcmp(rest, " s)") == 0)
        record_set_spent(plain->reading, s * RECORD_SECOND_US + ms * 1000);
}

static bool read_plain_move(struct plain *plain, const char *line)
{
    struct record_reading *reading = plain->reading;
    const char *at = line + strspn(line, "0123456789"), *move;
    size_t len;

    if (at == line || *at != '.')
        return record_bad(reading, line, "A line of a move begins with its number, such as 1.");
    at++;
    at += strspn(at, " \t");
    len = strcspn(at, " \t");
    move = arena_copy(reading->arena, at, len);
    if (!record_play(reading, move, move, at))
        return false;
    read_spent(plain, at + len);
    return true;
}

static bool read_result(struct plain *plain, const char *value)
{
    struct record_reading *reading = plain->reading;
    const char *open = strchr(value, '('), *close = open == NULL ? NULL : strchr(open, ')');
    unsigned winner = 0;

    reading->ending.word = "open";
    if (close != NULL && strncmp(value, "open", 4) != 0) {
        for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
            const char *title = seat_title(reading->arena, reading->game, seat);

            if (strncmp(value, title, strlen(title)) == 0)
                winner = seat;
        }
        reading->ending.word = arena_copy(reading->arena, open + 1, (size_t)(close - open - 1));
        if (!record_set_end(&reading->ending.outcome, reading->ending.word, winner))
            return record_bad(reading, open, "That is not a word for the end of a game.");
    }
    read_spent(plain, value);
    return true;
}

static bool read_plain_line(struct plain *plain, char *line)
{
    struct record_reading *reading = plain->reading;
    char *trimmed = record_trim(reading->arena, line), *colon = strstr(line, ": ");

    if (*trimmed == '\0')
        return reading->game == NULL || start_plain(plain);
    if (*trimmed == '#') {
        if (!start_plain(plain))
            return false;
        line += strspn(line, " \t");
        record_add_comment(reading, line + (line[1] == ' ' ? 2 : 1));
        return true;
    }
    if (strncmp(trimmed, "Result:", 7) == 0)
        return start_plain(plain) &&
               read_result(plain, record_trim(reading->arena, trimmed + strlen("Result:")));
    if (record_started(reading))
        return read_plain_move(plain, line + strspn(line, " \t"));
    if (colon == NULL)
        return record_bad(reading, line, "A header is written as Key: value.");
    *colon = '\0';
    return read_plain_header(plain, line, record_trim(reading->arena, colon + 2));
}

static bool is_comment(const char *line)
{
    return line[strspn(line, " \t")] == '#';
}

/* The board follows the result and what is said of that. It is for people, and not read. */
bool record_read_plain(struct record_reading *reading)
{
    struct plain plain = {.reading = reading};
    char *line;

    while (reading->ending.word == NULL && (line = record_next_line(reading)) != NULL)
        if (!read_plain_line(&plain, line))
            return false;
    while (reading->ending.word != NULL && (line = record_next_line(reading)) != NULL &&
           is_comment(line))
        if (!read_plain_line(&plain, line))
            return false;
    return start_plain(&plain);
}
