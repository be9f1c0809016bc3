#include "api/terminal/match.h"
#include "api/record/holds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/game/from_record.h"
#include "api/game/offer_actions.h"
#include "api/game/opponent.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/record/move_notation.h"
#include "api/record/split.h"
#include "api/text/must.h"

enum { PLIES_FIRST = 64 };

/* ---- positions ---- */

static const struct rules_state *keep_state(struct match *match, const struct rules_state *state)
{
    struct rules_state *copy =
        arena_alloc(&match->arena, offsetof(struct rules_state, w) + state->bytes);

    rules_copy(state, copy);
    return copy;
}

static void make_match_room(struct match *match, size_t ply)
{
    if (ply < match->capacity)
        return;
    match->capacity = match->capacity == 0 ? PLIES_FIRST : 2 * match->capacity;
    match->ply = must_realloc(match->ply, match->capacity * sizeof(*match->ply));
}

/* Sets how the present position ends the match, as its row has it. */
static void take_outcome(struct match *match)
{
    const struct db_game *row = &match->draft.row;

    match->outcome = (struct record_outcome){.end = RECORD_OPEN};
    if (row->status == STATUS_ABORTED)
        match->outcome.end = RECORD_ABORTED;
    else if (row->status == STATUS_FINISHED)
        record_set_end(&match->outcome, row->reason, (unsigned)row->winner);
}

static void take_row(struct match *match)
{
    match->len = (size_t)match->draft.row.ply;
    match->known = (size_t)match->draft.row.tip;
    take_outcome(match);
}

/* Plays the moves of the present line up to its end, of which each is in the log. */
static bool lay_out(struct match *match)
{
    struct draft *draft = &match->draft;
    size_t tip = (size_t)draft->row.tip;
    size_t *moves = arena_zero(&match->arena, (tip + 1) * sizeof(*moves));
    struct rules_state state, next;
    struct rules_refusal why;
    rules_move move = {{0, 0}};

    if (!rules_load(match->game, &match->options, match->start, &state, &why))
        return false;
    to_record_moves(draft->events, draft->nevents, draft->row.line, draft->row.tip, moves);
    make_match_room(match, 0);
    match->ply[0] = (struct match_ply){.state = keep_state(match, &state)};
    for (size_t i = 1; i <= tip; i++) {
        const char *text = draft->events[moves[i - 1]].move;

        if (!match->game->read_move(&state, text, &move, &why))
            return false;
        match->game->play(&state, move, &next);
        rules_copy(&next, &state);
        make_match_room(match, i);
        match->ply[i] = (struct match_ply){keep_state(match, &state), move, text, moves[i - 1]};
    }
    return true;
}

/* ---- the log ---- */

static int64_t now_us(void)
{
    return (int64_t)time(NULL) * 1000000;
}

/* The log, for something that happens now. Offers that it has open are withdrawn: who made them is
 * not here. */
static struct draft *go_on_with_match(struct match *match)
{
    struct draft *draft = &match->draft;
    int64_t now = now_us();

    draft->arena = &match->arena; /* the match may have been moved */
    if (draft->now < now)
        draft->now = now;
    while (draft->offers.count > 0)
        offer_actions_withdraw(draft, draft->offers.offer[0].id);
    return draft;
}

/* Makes the log of a record, with the positions of the line that it leads to. */
static bool begin_match(struct match *match, const struct record *record,
                        struct record_error *error)
{
    struct draft *draft = &match->draft;

    match->game = record->game;
    match->options = record->options;
    match->start = record->start;
    if (!from_record(&match->arena, record, now_us(), draft, error))
        return false;
    if (!lay_out(match)) {
        *error = (struct record_error){.code = PROBLEM_BAD_RECORD,
                                       .detail = "Its log leads to no position."};
        return false;
    }
    take_row(match);
    rules_copy(match_state(match), &draft->state);
    draft->last = match->ply[match->len].move;
    return true;
}

/* ---- beginning and end ---- */

/* A game that nobody has played yet is a log of its beginning. */
bool match_start(struct match *match, const struct rules_game *game,
                 const struct rules_options *options, const char *position,
                 struct rules_refusal *why)
{
    struct rules_state state;
    struct record record;
    struct record_error error;
    char text[RULES_POSITION_TEXT];

    *match = (struct match){.game = NULL};
    record_init(&record, game);
    record.options = *options;
    if (!rules_start(game, &record.options, position, &state, why))
        return false;
    game->position_text(&state, text);
    record.options.position = NULL; /* the caller's; `start` has it */
    record.start = arena_copy(&match->arena, text, strlen(text));
    const struct record_point point = {.position = record.start,
                                       .key = game->key(&state),
                                       .outcome = rules_outcome_now(game, &state),
                                       .to_move = game->to_move(&state)};
    const struct record_point *points[] = {&point};
    struct record_event created = {.kind = "created", .line = 1, .at = now_us(), .point = &point};

    record.points = points;
    record.state = &state;
    record.events = &created;
    record.nevents = 1;
    begin_match(match, &record, &error);
    draft_judge(&match->draft);
    take_outcome(match);
    return true;
}

void match_close(struct match *match)
{
    arena_free(&match->arena);
    free(match->ply);
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
    return (struct rules_history){match->draft.keys, match->len};
}

/* ---- moves ---- */

/* What was played here has taken a time that nobody tells. */
static void leave_time_untold(struct draft *draft)
{
    struct db_event *event = &draft->events[draft->nevents - 1];

    if (event->data == NULL)
        event->data = "{}";
}

void match_add(struct match *match, rules_move move)
{
    struct draft *draft = go_on_with_match(match);
    struct rules_refusal why;
    char text[RULES_MOVE_TEXT];
    int32_t from;

    match->game->move_text(match_state(match), move, text);
    draft_play(draft, text, &why, &from);
    leave_time_untold(draft);
    make_match_room(match, (size_t)draft->row.ply);
    match->ply[draft->row.ply] = (struct match_ply){keep_state(match, &draft->state), draft->last,
                                                    draft->row.last_move, draft->nevents - 1};
    take_row(match);
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

/* ---- ends ---- */

bool match_declare(struct match *match, struct rules_refusal *why)
{
    struct rules_outcome outcome;

    if (match->game->declare == NULL)
        return rules_refuse(why, RULES_CANNOT_DECLARE, NULL);
    if (!match->game->declare(match_state(match), &outcome, why))
        return false;
    draft_stop(go_on_with_match(match), STATUS_FINISHED, (int)outcome.winner,
               rules_reason_text(outcome.reason), EVENT_DECLARED, match->draft.row.to_move);
    take_row(match);
    return true;
}

void match_resign(struct match *match)
{
    unsigned seat = match_to_move(match);

    draft_stop(go_on_with_match(match), STATUS_FINISHED, (int)rules_other(seat), "resign",
               EVENT_RESIGNED, (int)seat);
    take_row(match);
}

void match_agree(struct match *match)
{
    struct draft *draft = go_on_with_match(match);
    struct offer draw = {.kind = OFFER_DRAW, .seat = draft->row.to_move};

    offer_actions_accept(draft, offer_actions_offer(draft, &draw)->id);
    take_row(match);
}

/* ---- undo and redo ---- */

/* Goes to a ply of the line, as a daemon does. The keys of the line stay where they are until other
 * moves are played over them. */
static bool go_to_match(struct match *match, int kind, size_t ply)
{
    struct draft *draft = go_on_with_match(match);
    const struct db_event *move = ply == 0 ? NULL : &draft->events[match->ply[ply].event];

    if (!draft_go_to(draft, &match->options, (int32_t)ply, move))
        return false;
    draft->last = match->ply[ply].move;
    draft->nkeys = ply + 1;
    draft_judge(draft);
    draft_data(draft, draft_event(draft, kind, 0),
               arena_format(draft->arena, "\"from_ply\":%zu,\"to_ply\":%zu", match->len, ply));
    take_row(match);
    return true;
}

/* Whether the match has ended by something that is no move. */
static bool was_ended(const struct match *match)
{
    struct rules_history history = match_history(match);

    return !match_goes_on(match) &&
           match->game->outcome(match_state(match), &history).status == RULES_ONGOING;
}

bool match_can_undo(const struct match *match)
{
    return match->outcome.end != RECORD_ABORTED && (match->len > 0 || was_ended(match));
}

bool match_undo(struct match *match)
{
    return match_can_undo(match) &&
           go_to_match(match, EVENT_UNDO, was_ended(match) ? match->len : match->len - 1);
}

bool match_redo(struct match *match)
{
    return match->len < match->known && match_goes_on(match) &&
           go_to_match(match, EVENT_REDO, match->len + 1);
}

/* ---- records ---- */

/* The row as it is stored: with those who play. An engine of another program has no place there. */
static struct db_game row_of(const struct match *match)
{
    struct db_game row = match->draft.row;

    row.seed = match->seed;
    for (int i = 0; i < RULES_SEATS; i++) {
        const char *engine = match->engine[i];
        const char *stored =
            engine == NULL ? NULL : opponent_stored(engine, (unsigned)match->level[i]);

        row.seat[i].name = match->name[i];
        row.seat[i].state = stored == NULL ? SEAT_TAKEN : SEAT_ENGINE;
        row.seat[i].engine = stored;
    }
    return row;
}

static bool make_record(const struct match *match, struct arena *arena, struct record *record,
                        struct record_error *error)
{
    const struct draft *draft = &match->draft;
    struct db_game row = row_of(match);

    if (!to_record(arena, &row, draft->events, draft->nevents, row.line, row.ply, record, error))
        return false;
    record->undo = match->undo;
    record->visibility = match->visibility;
    for (int i = 0; i < RULES_SEATS; i++) {
        record->engine[i] = match->engine[i];
        record->level[i] = match->level[i];
    }
    return true;
}

bool match_write(const struct match *match, const struct record_format *format, const char *charset,
                 struct out *out, struct record_error *error)
{
    struct record record;

    return make_record(match, out->arena, &record, error) &&
           record_write(format, &record, charset, out, error);
}

unsigned match_left_out(const struct match *match, const struct record_format *format,
                        struct arena *arena)
{
    struct record record;
    struct record_error error;

    return make_record(match, arena, &record, &error) ? record_left_out(arena, format, &record) : 0;
}

/* Takes those who play out of a record. An earlier plyd has written its engine as "plyd:3", with
 * the name "plyd, level 3". */
static void take_match_seats(struct match *match, struct record *record)
{
    for (int i = 0; i < RULES_SEATS; i++) {
        const char *engine = record->engine[i];
        int level;

        match->name[i] = record->name[i];
        match->level[i] = record->level[i];
        if (engine != NULL && sscanf(engine, "plyd:%d", &level) == 1) {
            engine = "plyd";
            match->level[i] = level;
            match->name[i] = NULL;
        }
        match->engine[i] = engine;
        record->engine[i] = NULL;
    }
}

/* The id of the game that follows is the game's own still: a match is no copy of it. */
static void take_rematches(struct match *match, const struct record *record)
{
    for (size_t i = 0; i < record->nevents; i++)
        if (match->draft.events[i].kind == EVENT_REMATCH)
            match->draft.events[i].data = record->events[i].data;
}

static bool read(struct match *match, const char *bytes, size_t len, bool course,
                 struct record_error *error)
{
    size_t games = record_split_count(bytes, len);
    struct record record;

    *match = (struct match){.game = NULL};
    if (!record_read(&match->arena, bytes, len, NULL, NULL, &record, error))
        return false;
    if (course)
        record.nevents = 0;
    take_match_seats(match, &record);
    match->format = record.format;
    match->charset = record.charset;
    match->other_games = games > 1 ? games - 1 : 0;
    match->seed = record.seed;
    match->undo = record.undo;
    match->visibility = record.visibility;
    if (!begin_match(match, &record, error))
        return false;
    take_rematches(match, &record);
    return true;
}

bool match_read(struct match *match, const char *bytes, size_t len, struct record_error *error)
{
    return read(match, bytes, len, false, error);
}

bool match_read_course(struct match *match, const char *bytes, size_t len,
                       struct record_error *error)
{
    return read(match, bytes, len, true, error);
}
