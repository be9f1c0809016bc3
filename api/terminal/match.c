#include "api/terminal/match.h"

#include <stdlib.h>
#include <string.h>

#include "api/record/move_notation.h"
#include "api/text/must.h"

enum { PLIES_FIRST = 64 };

/* ---- positions ---- */

static struct rules_state *keep_state(struct match *match, const struct rules_state *state)
{
    struct rules_state *copy =
        arena_alloc(&match->arena, offsetof(struct rules_state, w) + state->bytes);

    rules_copy(state, copy);
    return copy;
}

static void make_room(struct match *match)
{
    if (match->len + 1 < match->capacity)
        return;
    match->capacity = match->capacity == 0 ? PLIES_FIRST : 2 * match->capacity;
    match->ply = must_realloc(match->ply, match->capacity * sizeof(*match->ply));
    match->keys = must_realloc(match->keys, match->capacity * sizeof(*match->keys));
}

/* Sets the outcome if the rules end the match at the present position. */
static void judge(struct match *match)
{
    struct rules_history history = match_history(match);
    struct rules_outcome outcome = match->game->outcome(match_state(match), &history);

    match->outcome = (struct record_outcome){.end = RECORD_OPEN};
    if (outcome.status != RULES_ONGOING)
        match->outcome =
            (struct record_outcome){RECORD_BY_RULES, outcome.reason, outcome.winner, true};
}

static void begin(struct match *match, const struct rules_state *state)
{
    match->len = 0;
    match->known = 0;
    make_room(match);
    match->ply[0] = (struct match_ply){.state = keep_state(match, state)};
    match->keys[0] = match->game->key(state);
    judge(match);
}

/* ---- beginning and end ---- */

bool match_start(struct match *match, const struct rules_game *game,
                 const struct rules_options *options, const char *position, int64_t now,
                 struct rules_refusal *why)
{
    struct rules_state state;
    char text[RULES_POSITION_TEXT];

    *match = (struct match){.game = game, .options = *options, .started_at = now};
    if (!rules_start(game, &match->options, position, &state, why))
        return false;
    game->position_text(&state, text);
    match->start = arena_copy(&match->arena, text, strlen(text));
    match->options.position = NULL; /* the caller's; `start` has it */
    begin(match, &state);
    return true;
}

void match_close(struct match *match)
{
    arena_free(&match->arena);
    free(match->ply);
    free(match->keys);
    *match = (struct match){.game = NULL};
}

/* The option that chooses the start is ignored, because the start positions are compared. */
bool match_begins_like(const struct match *match, const struct match *other)
{
    const struct rules_game *game = match->game;

    if (game != other->game || strcmp(match->start, other->start) != 0)
        return false;
    for (size_t i = 0; i < game->noptions; i++)
        if (game->options[i].kind != RULES_OPTION_START &&
            match->options.value[i] != other->options.value[i])
            return false;
    return true;
}

bool match_goes_on(const struct match *match)
{
    return match->outcome.end == RECORD_OPEN;
}

const struct rules_state *match_state(const struct match *match)
{
    return match->ply[match->len].state;
}

unsigned match_to_move(const struct match *match)
{
    return match->game->to_move(match_state(match));
}

struct rules_history match_history(const struct match *match)
{
    return (struct rules_history){match->keys, match->len};
}

/* ---- moves ---- */

void match_add(struct match *match, rules_move move)
{
    struct rules_state next;
    char text[RULES_MOVE_TEXT];

    match->game->move_text(match_state(match), move, text);
    match->game->play(match_state(match), move, &next);
    match->len++;
    match->known = match->len;
    make_room(match);
    match->ply[match->len] = (struct match_ply){keep_state(match, &next), move,
                                                arena_copy(&match->arena, text, strlen(text))};
    match->keys[match->len] = match->game->key(&next);
    judge(match);
}

bool match_play(struct match *match, const char *text, struct rules_refusal *why)
{
    rules_move move;

    if (!record_read_move(&match->arena, match->game, match_state(match),
                          match->ply[match->len].move, text, &move, why))
        return false;
    match_add(match, move);
    return true;
}

bool match_declare(struct match *match, struct rules_refusal *why)
{
    struct rules_outcome outcome;

    if (match->game->declare == NULL)
        return rules_refuse(why, RULES_CANNOT_DECLARE, NULL);
    if (!match->game->declare(match_state(match), &outcome, why))
        return false;
    match->outcome = (struct record_outcome){RECORD_BY_RULES, outcome.reason, outcome.winner, true};
    return true;
}

void match_end(struct match *match, enum record_end end, unsigned winner)
{
    match->outcome = (struct record_outcome){.end = end, .winner = winner};
}

bool match_undo(struct match *match)
{
    struct record_outcome before = match->outcome;

    judge(match);
    if (before.end != match->outcome.end)
        return true;
    if (match->len == 0)
        return false;
    match->len--;
    judge(match);
    return true;
}

bool match_redo(struct match *match)
{
    if (match->len == match->known || !match_goes_on(match))
        return false;
    match->len++;
    judge(match);
    return true;
}

/* ---- records ---- */

/* Saves the undone moves as a log of events: all moves, then one undo. Only our own JSON can hold a
 * log. */
static void write_log(const struct match *match, struct arena *arena, struct record *record)
{
    int64_t at = match->started_at;
    struct record_event *event = arena_zero(arena, (match->known + 2) * sizeof(*event));

    record->events = event;
    record->nevents = match->known + 2;
    *event++ = (struct record_event){.kind = "created", .line = 1, .at = at};
    for (size_t i = 0; i < match->known; i++)
        *event++ = (struct record_event){.kind = "move",
                                         .move = match->ply[i + 1].text,
                                         .seat = match->game->to_move(match->ply[i].state),
                                         .line = 1,
                                         .ply = (int32_t)i + 1,
                                         .at = at};
    *event = (struct record_event){.kind = "undo",
                                   .seat = match->game->to_move(match_state(match)),
                                   .line = 1,
                                   .ply = (int32_t)match->len,
                                   .at = at};
}

bool match_write(const struct match *match, const struct record_format *format, struct out *out,
                 struct record_error *error)
{
    struct record record;

    record_init(&record, match->game);
    record.options = match->options;
    record.start = match->start;
    record.moves = arena_zero(out->arena, (match->len + 1) * sizeof(*record.moves));
    record.nmoves = match->len;
    for (size_t i = 0; i < match->len; i++) {
        record.moves[i].text = match->ply[i + 1].text;
        record.moves[i].spent_us = -1;
    }
    memcpy(record.name, match->name, sizeof(record.name));
    memcpy(record.engine, match->engine, sizeof(record.engine));
    record.seed = match->seed;
    record.started_at = match->started_at;
    record.outcome = match->outcome;
    if (match->known > match->len && match_goes_on(match))
        write_log(match, out->arena, &record);
    return record_write(format, &record, NULL, out, error);
}

/* Restores the undone moves of a record's log, so that redo can play them: plays the moves that
 * last followed the present position, then goes back to it. */
static void replay_undone(struct match *match, const struct record *record)
{
    const char **next = arena_zero(&match->arena, (record->nevents + 1) * sizeof(*next));
    struct rules_refusal why;
    size_t len = match->len;

    for (size_t i = 0; i < record->nevents; i++) {
        const struct record_event *event = &record->events[i];

        if (strcmp(event->kind, "move") != 0 || event->ply < 1 ||
            (size_t)event->ply > record->nevents)
            continue;
        next[event->ply - 1] = event->move;
        next[event->ply] = NULL; /* what followed the move that it replaces is gone */
    }
    while (match->len < record->nevents && next[match->len] != NULL &&
           match_play(match, next[match->len], &why))
        continue;
    match->len = len;
    judge(match);
}

/* Plays a record's moves from its start. The reader has judged them, so none is refused. */
static bool replay(struct match *match, const struct record *record)
{
    struct rules_state state;
    struct rules_refusal why;

    if (!rules_load(match->game, &match->options, match->start, &state, &why))
        return false;
    begin(match, &state);
    for (size_t i = 0; i < record->nmoves; i++)
        if (!match_play(match, record->moves[i].text, &why))
            return false;
    if (record->outcome.end == RECORD_OPEN)
        replay_undone(match, record);
    else
        match->outcome = record->outcome;
    return true;
}

bool match_read(struct match *match, const char *bytes, size_t len, int64_t now,
                struct record_error *error)
{
    struct record record;

    *match = (struct match){.game = NULL};
    if (!record_read(&match->arena, bytes, len, NULL, NULL, &record, error))
        return false;
    match->game = record.game;
    match->options = record.options;
    match->start = record.start;
    memcpy(match->name, record.name, sizeof(match->name));
    memcpy(match->engine, record.engine, sizeof(match->engine));
    match->seed = record.seed;
    match->started_at = record.started_at == RECORD_NO_TIME ? now : record.started_at;
    return replay(match, &record);
}
