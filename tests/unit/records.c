/* records.c - records for tests (records.h). */
#include "records.h"
#include "api/record/ends.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena records_arena;

void records_free(void)
{
    arena_free(&records_arena);
}

const char *records_file(const char *name, size_t *len)
{
    static char bytes[1 << 16];
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "tests/records/%s", name);
    file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    *len = fread(bytes, 1, sizeof(bytes) - 1, file);
    bytes[*len] = '\0';
    fclose(file);
    return bytes;
}

static const struct record_format *format_of(const char *name)
{
    const struct record_format *format = name == NULL ? NULL : record_find_format(name);

    cr_assert(name == NULL || format != NULL, "%s", name);
    return format;
}

struct record records_read(const char *text, const char *format)
{
    struct record record;
    struct record_error error;

    cr_assert(
        record_read(&records_arena, text, strlen(text), format_of(format), NULL, &record, &error),
        "%zu:%zu %s %s in\n%s", error.line, error.column, problem_kind(error.code)->code,
        error.detail, text);
    return record;
}

struct record_error records_error(const char *text, const char *format)
{
    struct record record;
    struct record_error error;

    cr_assert_not(
        record_read(&records_arena, text, strlen(text), format_of(format), NULL, &record, &error),
        "accepted: %s", text);
    cr_assert_neq(error.code, PROBLEM_NONE);
    cr_assert_not_null(error.detail);
    return error;
}

const char *records_write(const struct record *record, const char *format)
{
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    cr_assert(record_write(format_of(format), record, NULL, &out, &error), "%s: %s", format,
              error.detail);
    return out.text;
}

struct record records_read_back(const struct record *record)
{
    return records_read(records_write(record, "json"), "json");
}

const char *records_moves(const struct record *record)
{
    struct out out;

    out_init(&out, &records_arena);
    for (size_t i = 0; i < record->nmoves; i++) {
        out_add(&out, i == 0 ? "" : " ");
        out_add(&out, record->moves[i].text);
    }
    return out.text;
}

const char *records_header(const struct record *record, const char *key)
{
    for (size_t i = 0; i < record->nheaders; i++)
        if (strcmp(record->headers[i].key, key) == 0)
            return record->headers[i].value;
    return NULL;
}

/* ---- playing ---- */

struct player {
    struct record record;
    struct rules_state state, next;
    uint64_t keys[RECORD_MOVES_MAX + 1];
    struct rules_outcome outcome;
};

static void judge(struct player *player)
{
    struct rules_history history = {player->keys, player->record.nmoves};

    player->outcome = player->record.game->outcome(&player->state, &history);
}

static void begin(struct player *player)
{
    char text[RULES_POSITION_TEXT];

    player->record.game->position_text(&player->state, text);
    player->record.start = arena_copy(&records_arena, text, strlen(text));
    player->record.moves =
        arena_alloc(&records_arena, RECORD_MOVES_MAX * sizeof(*player->record.moves));
    if (player->record.options.position != NULL)
        player->record.options.position = player->record.start;
    judge(player);
}

static void play(struct player *player, rules_move move)
{
    const struct rules_game *game = player->record.game;
    char text[RULES_MOVE_TEXT];

    game->move_text(&player->state, move, text);
    player->keys[player->record.nmoves] = game->key(&player->state);
    player->record.moves[player->record.nmoves++] = (struct record_move){
        .text = arena_copy(&records_arena, text, strlen(text)), .spent_us = -1};
    game->play(&player->state, move, &player->next);
    rules_copy(&player->next, &player->state);
    judge(player);
}

static void end_by_rules(struct player *player)
{
    if (player->outcome.status != RULES_ONGOING)
        player->record.ending.outcome = (struct record_outcome){
            RECORD_BY_RULES, player->outcome.reason, player->outcome.winner, true};
}

struct record records_game(const char *variant, const char *options, const char *moves)
{
    struct player *player = arena_zero(&records_arena, sizeof(*player));
    char *list = arena_copy(&records_arena, options, strlen(options)), *save = NULL;
    struct rules_refusal why;
    rules_move move;

    record_init(&player->record, rules_find(variant));
    for (char *option = strtok_r(list, " ", &save); option != NULL;
         option = strtok_r(NULL, " ", &save)) {
        *strchr(option, '=') = '\0';
        cr_assert(rules_option_set(player->record.game, &player->record.options, option,
                                   option + strlen(option) + 1, &why));
    }
    cr_assert(
        rules_start(player->record.game, &player->record.options, NULL, &player->state, &why));
    begin(player);
    list = arena_copy(&records_arena, moves, strlen(moves));
    for (char *text = strtok_r(list, " ", &save); text != NULL; text = strtok_r(NULL, " ", &save)) {
        cr_assert(player->record.game->read_move(&player->state, text, &move, &why), "%s", text);
        play(player, move);
    }
    end_by_rules(player);
    return player->record;
}

/* ---- at random ---- */

static const char *const texts[] = {
    "Ada",
    "先手番の人",
    "O\"Brien \\ \"",
    "\xf0\x9f\x90\x89 dragon",
    "a：b:c, d",
    "]}{[()$*",
    "% 1-0 ▲７六歩",
    "'quoted' #1",
    "x=y & z;w",
    "Ñandú",
    "(77)",
    "まで3手で先手の勝ち",
    "[%emt 0:00:01]",
    "-7776FU",
    "變化",
    "~/../..",
    "1. a3-a4",
    "Result: open (x)",
    "{\"a\":1}",
    "＃全角　空白",
};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

static const char *random_text(uint64_t *seed)
{
    return texts[rules_choose(seed, TEXTS)];
}

static const char *random_comment(uint64_t *seed)
{
    const char *text = random_text(seed);

    if (rules_choose(seed, 8) > 0)
        return NULL;
    if (rules_choose(seed, 2) == 0)
        return text;
    return arena_format(&records_arena, "%s\n%s%s", text, rules_choose(seed, 2) == 0 ? "\n" : "",
                        random_text(seed));
}

static void random_options(const struct rules_game *game, struct rules_options *options,
                           uint64_t *seed)
{
    char text[32];
    struct rules_refusal why;

    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];
        size_t choices = 0;

        /* Small numbers make short games, so they are chosen seldom. */
        if (rules_choose(seed, option->kind == RULES_OPTION_INT ? 12 : 3) > 0)
            continue;
        while (option->choices != NULL && option->choices[choices] != NULL)
            choices++;
        if (choices > 0)
            snprintf(text, sizeof(text), "%s", option->choices[rules_choose(seed, choices)]);
        else if (option->kind == RULES_OPTION_BOOL)
            snprintf(text, sizeof(text), "%s", rules_choose(seed, 2) == 0 ? "true" : "false");
        else
            snprintf(text, sizeof(text), "%d", option->min + (int)rules_choose(seed, 4));
        cr_assert(rules_option_set(game, options, option->name, text, &why), "%s=%s", option->name,
                  text);
    }
}

static void random_headers(struct record *record, uint64_t *seed)
{
    static const char *const keys[] = {"event", "site", "round", "time_limit", "opening", "備考"};
    size_t n = rules_choose(seed, 4);

    for (unsigned seat = 0; seat < RULES_SEATS; seat++)
        if (rules_choose(seed, 4) > 0)
            record->name[seat] = random_text(seed);
    record->headers = arena_alloc(&records_arena, 4 * sizeof(*record->headers));
    for (size_t i = 0; i < n; i++)
        record->headers[record->nheaders++] =
            (struct record_header){keys[(n + i) % 6], random_text(seed)};
    if (rules_choose(seed, 2) == 0)
        record->started_at = INT64_C(1700000000) * 1000000 +
                             (int64_t)rules_choose(seed, 1000000) * INT64_C(86399999999) / 1000;
    if (rules_choose(seed, 2) == 0)
        record->ended_at = INT64_C(1700006400) * 1000000;
    record->comment = random_comment(seed);
}

static void random_end(struct player *player, uint64_t *seed)
{
    struct record_outcome *outcome = &player->record.ending.outcome;
    enum record_end end = (enum record_end)rules_choose(seed, RECORD_ENDS);
    unsigned winner = 1 + (unsigned)rules_choose(seed, RULES_SEATS);

    end_by_rules(player);
    if (outcome->confirmed)
        return;
    *outcome = (struct record_outcome){end, RULES_REASON_NONE, winner, false};
    if (end == RECORD_BY_RULES)
        outcome->reason =
            player->record.game->reasons[rules_choose(seed, player->record.game->nreasons)];
    if (end == RECORD_OPEN || end == RECORD_AGREED || end == RECORD_ABORTED ||
        outcome->reason == RULES_REASON_REPETITION)
        outcome->winner = 0;
    if (rules_choose(seed, 3) > 0)
        player->record.ending.spent_us = (int64_t)rules_choose(seed, 100000) * 1000000;
}

static void play_at_random(struct player *player, size_t plies, uint64_t *seed)
{
    const struct rules_game *game = player->record.game;

    while (player->record.nmoves < plies && player->outcome.status == RULES_ONGOING) {
        size_t n = game->count(&player->state);
        rules_move *moves = malloc(n * sizeof(*moves));

        game->legal(&player->state, moves, n);
        play(player, moves[rules_choose(seed, n)]);
        free(moves);
    }
}

/* Makes the present position the start, with nothing before it. */
static void begin_here(struct player *player)
{
    struct rules_options *options = &player->record.options;
    char text[RULES_POSITION_TEXT];
    struct rules_refusal why;

    player->record.game->position_text(&player->state, text);
    options->given = 0;
    cr_assert(rules_start(player->record.game, options, text, &player->state, &why));
    player->record.nmoves = 0;
    begin(player);
}

struct record records_random(const struct rules_game *game, uint64_t seed, size_t plies)
{
    struct player *player = arena_zero(&records_arena, sizeof(*player));
    bool timed = rules_choose(&seed, 3) > 0;
    struct rules_refusal why;

    record_init(&player->record, game);
    random_options(game, &player->record.options, &seed);
    if (!rules_start(game, &player->record.options, NULL, &player->state, &why)) {
        rules_options_init(&player->record.options);
        cr_assert(rules_start(game, &player->record.options, NULL, &player->state, &why));
    }
    begin(player);
    if (rules_choose(&seed, 5) == 0) {
        play_at_random(player, rules_choose(&seed, 60), &seed);
        begin_here(player);
    }
    play_at_random(player, plies, &seed);
    for (size_t i = 0; i < player->record.nmoves; i++) {
        if (timed)
            player->record.moves[i].spent_us = (int64_t)rules_choose(&seed, 4000000) * 1234;
        player->record.moves[i].comment = random_comment(&seed);
    }
    random_headers(&player->record, &seed);
    random_end(player, &seed);
    return player->record;
}

/* ---- variations ---- */

static const struct record_move *moves_of(const struct record *record, size_t line, size_t *n,
                                          size_t *begin)
{
    *n = line == 0 ? record->nmoves : record->lines[line - 1].nmoves;
    *begin = line == 0 ? 0 : record->lines[line - 1].ply;
    return line == 0 ? record->moves : record->lines[line - 1].moves;
}

static void tell_move(struct out *out, const struct record_move *move)
{
    out_format(out, " %s", move->text);
    if (move->spent_us >= 0)
        out_format(out, " %llds", (long long)(move->spent_us / 1000000));
    if (move->comment != NULL)
        out_format(out, " {%s}", move->comment);
}

static void tell_line(struct out *out, const struct record *record, size_t line);

static void tell_lines_at(struct out *out, const struct record *record, size_t line, size_t ply)
{
    struct record_tree tree = record_tree(&records_arena, record);

    for (size_t i = tree.first[line]; i < tree.first[line + 1]; i++)
        if (record->lines[tree.line[i] - 1].ply == ply) {
            out_add(out, " (");
            tell_line(out, record, tree.line[i]);
            out_add(out, " )");
        }
}

static void tell_end(struct out *out, const struct record_ending *ending)
{
    if (!record_is_said(ending))
        return;
    if (ending->outcome.end != RECORD_OPEN)
        out_format(out, " %s %u", record_end_text(&ending->outcome), ending->outcome.winner);
    if (ending->spent_us >= 0)
        out_format(out, " %llds", (long long)(ending->spent_us / 1000000));
    if (ending->comment != NULL)
        out_format(out, " {%s}", ending->comment);
}

static void tell_line(struct out *out, const struct record *record, size_t line)
{
    size_t n, begin;
    const struct record_move *moves = moves_of(record, line, &n, &begin);

    for (size_t i = 0; i < n; i++) {
        tell_move(out, &moves[i]);
        tell_lines_at(out, record, line, begin + i);
    }
    tell_lines_at(out, record, line, begin + n);
    if (line > 0)
        tell_end(out, &record->lines[line - 1].ending);
}

const char *records_tree(const struct record *record)
{
    struct out out;

    out_init(&out, &records_arena);
    tell_line(&out, record, 0);
    return out.text;
}

/* The state at a ply of a line. */
static void state_at(const struct record *record, size_t line, size_t ply,
                     struct rules_state *state)
{
    const struct rules_game *game = record->game;
    struct rules_state before;
    struct rules_refusal why;
    rules_move move;
    size_t n, begin;
    const struct record_move *moves = moves_of(record, line, &n, &begin);

    if (line == 0)
        cr_assert(rules_load(game, &record->options, record->start, state, &why));
    else
        state_at(record, record->lines[line - 1].parent, begin, state);
    for (size_t i = begin; i < ply; i++) {
        cr_assert(game->read_move(state, moves[i - begin].text, &move, &why));
        rules_copy(state, &before);
        game->play(&before, move, state);
    }
}

/* Whether a line that goes on from there begins with that move already. */
static bool is_taken(const struct record *record, size_t line, size_t ply, const char *text)
{
    size_t n, begin;
    const struct record_move *moves = moves_of(record, line, &n, &begin);

    if (ply < begin + n && strcmp(moves[ply - begin].text, text) == 0)
        return true;
    for (size_t i = 0; i < record->nlines; i++)
        if (record->lines[i].parent == line && record->lines[i].ply == ply &&
            record->lines[i].nmoves > 0 && strcmp(record->lines[i].moves[0].text, text) == 0)
            return true;
    return false;
}

/* An end with `to_move` to move that no other line has: its comment is another one. */
static struct record_ending some_end(unsigned to_move, uint64_t *seed)
{
    struct record_ending ending;

    record_ending_init(&ending);
    ending.outcome.end = rules_choose(seed, 2) == 0 ? RECORD_RESIGNED : RECORD_AGREED;
    if (ending.outcome.end == RECORD_RESIGNED)
        ending.outcome.winner = rules_other(to_move);
    if (rules_choose(seed, 2) == 0)
        ending.spent_us = (int64_t)rules_choose(seed, 90) * 1000000;
    ending.comment = arena_format(&records_arena, "e%zu", rules_choose(seed, 1U << 30));
    return ending;
}

/* Adds an end at a place of a line. What a variation says first of its last place is its own end.
 */
static void add_end(struct record *record, size_t parent, size_t ply, unsigned to_move,
                    uint64_t *seed)
{
    struct record_line line = {.parent = parent, .ply = ply};
    size_t n, begin, beside = 0;

    for (size_t i = 0; i < record->nlines; i++)
        beside += record->lines[i].parent == parent && record->lines[i].ply == ply &&
                  record->lines[i].nmoves > 0;
    line.after = rules_choose(seed, beside + 1);
    line.ending = some_end(to_move, seed);
    moves_of(record, parent, &n, &begin);
    if (parent != 0 && ply == begin + n &&
        record->lines[parent - 1].ending.outcome.end == RECORD_OPEN)
        record->lines[parent - 1].ending = line.ending;
    else
        record->lines[record->nlines++] = line;
}

static void vary(struct record *record, uint64_t *seed)
{
    size_t parent = rules_choose(seed, record->nlines + 1), n, begin, ply;
    size_t most = 1 + rules_choose(seed, 6);
    struct record_line line = {.parent = parent};
    struct rules_state state, before;

    record_ending_init(&line.ending);

    moves_of(record, parent, &n, &begin);
    /* Not before the parent's first move, since that is its own parent's ply; and what goes on
     * behind the end of a variation is the same line, unless something is said of that end. */
    if (parent != 0 && n == 0)
        return;
    ply = parent == 0 ? rules_choose(seed, n + 1) : begin + 1 + rules_choose(seed, n);
    state_at(record, parent, ply, &state);
    if (rules_choose(seed, 3) == 0) {
        add_end(record, parent, ply, record->game->to_move(&state), seed);
        return;
    }
    if (parent != 0 && ply == begin + n && !record_is_said(&record->lines[parent - 1].ending))
        return;
    line.ply = ply;
    line.moves = arena_alloc(&records_arena, most * sizeof(*line.moves));
    for (; line.nmoves < most; line.nmoves++) {
        size_t count = record->game->count(&state);
        rules_move *moves = arena_alloc(&records_arena, (count + 1) * sizeof(*moves)), move;
        char text[RULES_MOVE_TEXT];

        if (count == 0 || rules_outcome_now(record->game, &state).status != RULES_ONGOING)
            break;
        record->game->legal(&state, moves, count);
        move = moves[rules_choose(seed, count)];
        record->game->move_text(&state, move, text);
        if (line.nmoves == 0 && is_taken(record, parent, ply, text))
            return;
        rules_copy(&state, &before);
        record->game->play(&before, move, &state);
        line.moves[line.nmoves] = (struct record_move){
            .text = arena_copy(&records_arena, text, strlen(text)),
            .comment =
                rules_choose(seed, 3) == 0 ? arena_format(&records_arena, "c%zu", most) : NULL,
            .spent_us = (int64_t)rules_choose(seed, 90) * 1000000};
    }
    if (line.nmoves > 0)
        record->lines[record->nlines++] = line;
}

void records_vary(struct record *record, uint64_t seed, size_t lines)
{
    for (size_t i = 0; i < record->nmoves; i++) {
        record->moves[i].spent_us = (int64_t)rules_choose(&seed, 90) * 1000000;
        record->moves[i].comment =
            rules_choose(&seed, 4) == 0 ? arena_format(&records_arena, "m%zu", i) : NULL;
    }
    record->lines = arena_alloc(&records_arena, (lines + 1) * sizeof(*record->lines));
    while (lines-- > 0)
        vary(record, &seed);
}
