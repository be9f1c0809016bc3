#include "api/record/reader.h"

#include <string.h>

#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/text/lang.h"
#include "api/text/move_text.h"
#include "api/text/refusal.h"
#include "rules/rules.h"

/* ---- lines ---- */

char *record_next_line(struct record_reading *reading)
{
    char *line = reading->at, *end;

    if (*line == '\0')
        return NULL;
    end = line + strcspn(line, "\r\n");
    reading->at = end;
    if (*end != '\0')
        reading->at += end[0] == '\r' && end[1] == '\n' ? 2 : 1;
    *end = '\0';
    for (char *at = line; *at != '\0'; at++)
        if (((unsigned char)*at < ' ' && *at != '\t') || *at == '\x7f')
            *at = ' ';
    reading->line_text = line;
    reading->line++;
    return line;
}

static bool points_into_line(const struct record_reading *reading, const char *at)
{
    const char *line = reading->line_text;

    return at != NULL && line != NULL && at >= line && at <= line + strlen(line);
}

/* Sets line and column of the error. */
static void locate(struct record_reading *reading, const char *at)
{
    struct record_error *error = reading->error;

    error->line = reading->line;
    error->column = reading->line > 0 ? 1 : 0;
    if (points_into_line(reading, at))
        for (const char *c = reading->line_text; c < at; c += record_char_length(c))
            error->column++;
}

bool record_bad(struct record_reading *reading, const char *at, const char *detail)
{
    *reading->error = (struct record_error){.code = PROBLEM_BAD_RECORD, .detail = detail};
    locate(reading, at);
    return false;
}

bool record_bad_json(struct record_reading *reading, const struct json_error *error)
{
    const char *at = error->pointer == NULL ? "" : error->pointer;

    return record_bad(
        reading, NULL,
        arena_format(reading->arena, "%s%s%s", at, *at == '\0' ? "" : ": ", error->detail));
}

/* ---- the game ---- */

bool record_set_game(struct record_reading *reading, const char *name)
{
    const struct rules_game *game = rules_find(name);

    if (game == NULL)
        return record_bad(reading, NULL, "The record is of a game that is not known here.");
    if (reading->hint->game != NULL && reading->hint->game != game)
        return record_bad(reading, NULL,
                          arena_format(reading->arena, "This is a record of %s.", game->title));
    reading->game = reading->record->game = game;
    return true;
}

bool record_refused(struct record_reading *reading, const struct rules_refusal *why,
                    const char *shown, const char *at)
{
    struct record_error *error = reading->error;
    struct rules_state *state = NULL;

    if (record_started(reading) || why->visible) {
        state = arena_alloc(reading->arena, sizeof(*state));
        rules_copy(reading->state, state);
    }
    *error = (struct record_error){
        .code = problem_of(why->code),
        .detail =
            refusal_text(reading->arena, reading->game, state, shown, why, reading->hint->lang),
        .move = shown == NULL ? NULL : arena_copy(reading->arena, shown, strlen(shown)),
        .game = reading->game,
        .state = state,
        .refusal = *why};
    if (record_started(reading))
        error->ply = (int32_t)reading->record->nmoves + 1;
    locate(reading, at);
    return false;
}

/* Options of the caller override those of the record. */
static void merge_options(struct record_reading *reading)
{
    const struct rules_options *given = reading->hint->options;

    for (size_t i = 0; given != NULL && i < RULES_OPTIONS_MAX; i++)
        if (given->given & 1U << i) {
            reading->options.value[i] = given->value[i];
            reading->options.given |= 1U << i;
        }
    if (given != NULL && given->position != NULL)
        reading->options.position = given->position;
}

/* Room for another move and the point that it leads to. */
static void make_reading_room(struct record_reading *reading)
{
    struct record *record = reading->record;
    size_t n = record->nmoves, capacity = reading->capacity == 0 ? 64 : 2 * reading->capacity;
    struct record_move *moves = arena_alloc(reading->arena, capacity * sizeof(*moves));
    uint64_t *keys = arena_alloc(reading->arena, (capacity + 1) * sizeof(*keys));
    const struct record_point **points =
        arena_alloc(reading->arena, (capacity + 1) * sizeof(const struct record_point *));

    if (reading->capacity > 0) {
        memcpy(moves, record->moves, n * sizeof(*moves));
        memcpy(keys, reading->keys, (n + 1) * sizeof(*keys));
        memcpy(points, record->points, (n + 1) * sizeof(const struct record_point *));
    }
    record->moves = moves;
    record->points = points;
    reading->keys = keys;
    reading->capacity = capacity;
}

/* Keeps what the rules say of the state, which is that of ply nmoves. */
static void arrive_by_move(struct record_reading *reading, rules_move move)
{
    struct record *record = reading->record;
    const struct rules_game *game = reading->game;
    struct record_point *point = arena_alloc(reading->arena, sizeof(*point));
    char text[RULES_POSITION_TEXT];

    game->position_text(reading->state, text);
    *point = (struct record_point){
        .position = arena_copy(reading->arena, text, strlen(text)),
        .key = game->key(reading->state),
        .outcome =
            game->outcome(reading->state, &(struct rules_history){reading->keys, record->nmoves}),
        .to_move = game->to_move(reading->state),
        .move = move};
    reading->keys[record->nmoves] = point->key;
    reading->here = record->points[record->nmoves] = point;
}

/* Adds to the error the option under which the record may have been played. */
static void tell_other_rules(struct record_reading *reading, const char *other)
{
    if (other != NULL)
        reading->error->detail = arena_format(
            reading->arena, "%s %s", reading->error->detail,
            lang_fill(reading->arena, reading->hint->lang, "legal-with", "option", other, NULL));
}

static bool refuse_start(struct record_reading *reading, const struct rules_refusal *why,
                         const char *position)
{
    record_refused(reading, why, position, NULL);
    reading->error->move = NULL; /* what was refused is a position */
    if (why->visible && position != NULL)
        tell_other_rules(reading, record_other_rules(reading, position, NULL));
    return false;
}

bool record_start(struct record_reading *reading, const char *position)
{
    struct record *record = reading->record;
    struct rules_refusal why;

    merge_options(reading);
    record->options = reading->options;
    reading->state = arena_alloc(reading->arena, sizeof(*reading->state));
    reading->next = arena_alloc(reading->arena, sizeof(*reading->next));
    if (position != NULL)
        position = arena_copy(reading->arena, position, strlen(position));
    if (!rules_start(reading->game, &record->options, position, reading->state, &why))
        return refuse_start(reading, &why, position);
    make_reading_room(reading);
    arrive_by_move(reading, (rules_move){{0, 0}});
    record->start = reading->here->position;
    if (record->options.position != NULL)
        record->options.position = record->start;
    return true;
}

static bool refuse_read_move(struct record_reading *reading, const struct rules_refusal *why,
                             const char *text, const char *shown, const char *at)
{
    const char *other = record_other_rules(reading, reading->here->position, text);

    record_refused(reading, why, shown, at);
    tell_other_rules(reading, other);
    return false;
}

static bool go_back(struct record_reading *reading, size_t ply)
{
    struct record *record = reading->record;
    struct rules_refusal why;

    if (!rules_load(reading->game, &record->options, record->points[ply]->position, reading->state,
                    &why))
        return false;
    record->nmoves = ply;
    reading->here = record->points[ply];
    return true;
}

bool record_return(struct record_reading *reading, size_t ply)
{
    reading->nmoves = ply;
    return go_back(reading, ply);
}

/* ---- variations ---- */

bool record_cut(struct record_reading *reading, const char *text)
{
    struct record_branch *branch = record_innermost(reading);

    if (branch == NULL)
        return false;
    *reading->error = (struct record_error){.code = PROBLEM_NONE};
    reading->record->cut += !branch->cut;
    branch->cut = true;
    record_add_comment(reading, text);
    return true;
}

/* If a variation repeats the next move of the path that it leaves, moves its beginning one ply on
 * and returns true. So a variation begins where it really differs. */
static bool follows(struct record_reading *reading, const char *move)
{
    struct record_branch *branch = record_innermost(reading);
    struct record *record = reading->record;

    if (branch == NULL || branch->line != 0 || branch->left == branch->ply ||
        strcmp(record->moves[branch->ply].text, move) != 0)
        return false;
    record->nmoves = ++branch->ply;
    reading->here = record->points[record->nmoves];
    return true;
}

/* The line to which a ply of the present path belongs. */
static size_t owner(const struct record_reading *reading, size_t ply)
{
    for (size_t i = reading->nbranches; i-- > 0;)
        if (reading->branch[i].line != 0 && reading->branch[i].ply < ply)
            return reading->branch[i].line;
    return 0;
}

/* Gives a variation its number, when its first move or its end is read. */
static void number_line(struct record_reading *reading, struct record_branch *branch)
{
    struct record *record = reading->record;

    if (branch->line != 0)
        return;
    record->lines = arena_grow(reading->arena, record->lines, record->nlines,
                               &reading->line_capacity, sizeof(*record->lines));
    record->lines[record->nlines] =
        (struct record_line){.parent = owner(reading, branch->ply), .ply = branch->ply};
    branch->line = ++record->nlines;
}

/* Saves the rest of the path before the first move of a variation overwrites it. */
static void begin_line(struct record_reading *reading)
{
    struct record *record = reading->record;
    struct record_branch *branch = record_innermost(reading);
    size_t n;

    if (branch == NULL || !record_is_bare(branch))
        return;
    number_line(reading, branch);
    n = branch->left - branch->ply;
    branch->moves = arena_alloc(reading->arena, (n + 1) * sizeof(*branch->moves));
    branch->points = arena_alloc(reading->arena, (n + 1) * sizeof(*branch->points));
    branch->keys = arena_alloc(reading->arena, (n + 1) * sizeof(*branch->keys));
    memcpy(branch->moves, record->moves + branch->ply, n * sizeof(*branch->moves));
    memcpy(branch->points, record->points + branch->ply + 1, n * sizeof(*branch->points));
    memcpy(branch->keys, reading->keys + branch->ply + 1, n * sizeof(*branch->keys));
}

/* How many plies of the arrays hold valid moves. A variation that has no moves yet has not
 * overwritten those of the path that it leaves. */
static size_t extent(const struct record_reading *reading)
{
    const struct record_branch *branch = record_innermost(reading);

    return branch != NULL && record_is_bare(branch) ? branch->left : reading->record->nmoves;
}

bool record_branch(struct record_reading *reading, size_t ply)
{
    struct record *record = reading->record;
    size_t left = extent(reading);

    /* Counts empty variations too: a text of nothing else must not make the daemon allocate without
     * limit. */
    if (++reading->begun > RECORD_MOVES_MAX)
        return record_bad(
            reading, NULL,
            arena_format(reading->arena, "A record has at most %d variations.", RECORD_MOVES_MAX));
    if (ply > record->nmoves)
        return record_bad(reading, NULL, "A variation begins behind the end of the game.");
    reading->branch = arena_grow(reading->arena, reading->branch, reading->nbranches,
                                 &reading->branch_capacity, sizeof(*reading->branch));
    reading->branch[reading->nbranches++] = (struct record_branch){
        .ply = ply, .left = left, .back = record->nmoves, .ending = reading->ending};
    record_ending_init(&reading->ending);
    return go_back(reading, ply);
}

/* Stores the moves of a variation that was read, and restores the moves that it replaced. */
static void end_line(struct record_reading *reading, const struct record_branch *branch)
{
    struct record *record = reading->record;
    struct record_line *line = &record->lines[branch->line - 1];
    size_t n = branch->left - branch->ply;

    line->nmoves = record->nmoves - branch->ply;
    line->moves = arena_alloc(reading->arena, line->nmoves * sizeof(*line->moves));
    line->points = arena_alloc(reading->arena, line->nmoves * sizeof(*line->points));
    memcpy(line->moves, record->moves + branch->ply, line->nmoves * sizeof(*line->moves));
    memcpy(line->points, record->points + branch->ply + 1, line->nmoves * sizeof(*line->points));
    line->ending = reading->ending;
    if (record_is_bare(branch))
        return;
    memcpy(record->moves + branch->ply, branch->moves, n * sizeof(*branch->moves));
    memcpy(record->points + branch->ply + 1, branch->points, n * sizeof(*branch->points));
    memcpy(reading->keys + branch->ply + 1, branch->keys, n * sizeof(*branch->keys));
}

bool record_rejoin(struct record_reading *reading)
{
    struct record_branch branch = reading->branch[reading->nbranches - 1];

    if (branch.line != 0)
        end_line(reading, &branch);
    reading->nbranches--;
    reading->ending = branch.ending;
    return go_back(reading, branch.back);
}

/* ---- the next move ---- */

/* The rules read and judge a move here, and nowhere else. */
bool record_play(struct record_reading *reading, const char *text, const char *shown,
                 const char *at)
{
    struct record *record = reading->record;
    struct rules_state *before = reading->state;
    char canonical[RULES_MOVE_TEXT];
    struct rules_refusal why;
    rules_move move;

    if (record_is_cut(reading))
        return record_cut(reading, shown);
    if (reading->nmoves >= RECORD_MOVES_MAX)
        return record_bad(
            reading, at,
            arena_format(reading->arena, "A record has at most %d moves.", RECORD_MOVES_MAX));
    rules_refuse(&why, RULES_GAME_OVER, NULL);
    if (reading->here->outcome.status != RULES_ONGOING ||
        !reading->game->read_move(before, text, &move, &why))
        return refuse_read_move(reading, &why, text, shown, at) || record_cut(reading, shown);
    reading->game->move_text(before, move, canonical);
    reading->game->play(before, move, reading->next);
    reading->state = reading->next;
    reading->next = before;
    if (follows(reading, canonical))
        return true;
    begin_line(reading);
    if (record->nmoves == reading->capacity)
        make_reading_room(reading);
    reading->nmoves++;
    record->moves[record->nmoves++] = (struct record_move){
        .text = arena_copy(reading->arena, canonical, strlen(canonical)), .spent_us = -1};
    arrive_by_move(reading, move);
    return true;
}

bool record_play_or_foul(struct record_reading *reading, const char *text, const char *shown,
                         const char *at)
{
    if (reading->nbranches > 0)
        return record_play(reading, text, shown, at);
    if (reading->refused) { /* the first refusal is the foul, if there is one */
        *reading->error = reading->refusal;
        return false;
    }
    if (record_play(reading, text, shown, at))
        return true;
    reading->refused = reading->error->game != NULL;
    reading->refusal = *reading->error;
    reading->refused_move = text;
    if (reading->refused)
        *reading->error = (struct record_error){.code = PROBLEM_NONE};
    return reading->refused;
}

/* ---- what goes with it ---- */

static bool too_long(struct record_reading *reading, const char *text)
{
    if (strlen(text) <= RECORD_NAME_MAX)
        return false;
    record_bad(
        reading, NULL,
        arena_format(reading->arena, "A name or header has at most %d bytes.", RECORD_NAME_MAX));
    return true;
}

bool record_add_header(struct record_reading *reading, const char *key, const char *value)
{
    struct record *record = reading->record;

    key = record_one_line(reading->arena, key);
    value = record_one_line(reading->arena, value);
    if (key == NULL || value == NULL)
        return true;
    if (too_long(reading, key) || too_long(reading, value))
        return false;
    if (record->nheaders >= RECORD_HEADERS_MAX)
        return record_bad(
            reading, NULL,
            arena_format(reading->arena, "A record has at most %d headers.", RECORD_HEADERS_MAX));
    record->headers = arena_grow(reading->arena, record->headers, record->nheaders,
                                 &reading->header_capacity, sizeof(*record->headers));
    record->headers[record->nheaders++] = (struct record_header){key, value};
    return true;
}

void record_note(struct record_reading *reading, enum record_slot slot, const char *text)
{
    struct record *record = reading->record;

    text = record_one_line(reading->arena, text);
    if (text != NULL && strlen(text) > RECORD_NAME_MAX)
        text = NULL;
    record_spot_at(record, slot, record->nheaders, text);
}

void record_set_started(struct record_reading *reading, int64_t us, const char *text)
{
    record_note(reading, RECORD_SLOT_STARTED, text);
    reading->record->started_at = us;
}

void record_set_ended(struct record_reading *reading, int64_t us, const char *text)
{
    record_note(reading, RECORD_SLOT_ENDED, text);
    reading->record->ended_at = us;
}

bool record_set_name(struct record_reading *reading, unsigned seat, const char *name)
{
    record_note(reading, seat == 1 ? RECORD_SLOT_FIRST : RECORD_SLOT_SECOND, NULL);
    name = record_one_line(reading->arena, name);
    if (name != NULL && too_long(reading, name))
        return false;
    reading->record->name[seat - 1] = name;
    return true;
}

bool record_set_word(struct record_reading *reading, const struct record_word *word,
                     const char *shown)
{
    bool known; /* a fact says more than the word, and so does the first of several words */

    if (!record_started(reading) && !record_start(reading, NULL))
        return false;
    if (reading->nbranches > 0 && record_is_cut(reading))
        return record_cut(reading, shown);
    known = reading->ending.word != NULL || (reading->nbranches == 0 && reading->told_end);
    reading->ending.word = arena_copy(reading->arena, shown, strlen(shown));
    if (known)
        return true;
    if (reading->nbranches > 0)
        number_line(reading, record_innermost(reading));
    reading->ending.outcome = record_word_outcome(word, reading->here->to_move);
    return true;
}

/* ---- the end ---- */

/* Decides about a refused move of the main line. If the record says that a foul ended the game, the
 * move is that foul, and the record is valid up to it. Otherwise the record is refused. */
static bool finish_foul(struct record_reading *reading)
{
    struct record *record = reading->record;

    *reading->error = reading->refusal;
    if (reading->ending.outcome.end != RECORD_FOUL && !reading->says_foul)
        return false;
    record->foul = arena_alloc(reading->arena, sizeof(*record->foul));
    *record->foul = reading->refusal;
    record->ending.foul = record->foul->move;
    record->ending.foul_move = reading->refused_move;
    *reading->error = (struct record_error){.code = PROBLEM_NONE};
    record->ending.outcome = (struct record_outcome){
        .end = RECORD_FOUL, .winner = RULES_SEATS + 1 - reading->here->to_move};
    return true;
}

/* Takes the outcome that the record tells. A declared win is checked by the rules, which also
 * decide who wins. */
static void finish_said(struct record_reading *reading)
{
    struct record_outcome *outcome = &reading->record->ending.outcome, declared;
    struct rules_outcome by_rules;
    struct rules_refusal why;

    *outcome = reading->ending.outcome;
    if (reading->told_winner)
        outcome->winner = reading->winner;
    declared = *outcome;
    if (outcome->end == RECORD_BY_RULES && outcome->reason == RULES_REASON_IMPASSE &&
        reading->game->declare != NULL && reading->game->declare(reading->state, &by_rules, &why)) {
        declared.winner = by_rules.winner;
        declared.confirmed = true;
    }
    *outcome = declared;
}

/* How the main line ends: by a foul, as the rules say, or as the record says. */
static bool finish_end(struct record_reading *reading)
{
    const struct rules_outcome *outcome = &reading->here->outcome;
    struct record_ending *ending = &reading->record->ending;

    if (reading->refused)
        return finish_foul(reading);
    if (outcome->status == RULES_ONGOING) {
        finish_said(reading);
        return true;
    }
    ending->outcome = (struct record_outcome){.end = RECORD_BY_RULES,
                                              .reason = outcome->reason,
                                              .winner = outcome->winner,
                                              .confirmed = true};
    ending->silent = ending->word == NULL && !reading->told_end;
    return true;
}

bool record_finish(struct record_reading *reading)
{
    struct record *record = reading->record;

    if (!record_started(reading) && !record_start(reading, NULL))
        return false;
    while (reading->nbranches > 0)
        if (!record_rejoin(reading))
            return false;
    record->ending = reading->ending;
    record->state = reading->state;
    if (!finish_end(reading))
        return false;
    record_tree_join(reading->arena, record);
    return true;
}
