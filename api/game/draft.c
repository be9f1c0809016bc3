#include "api/game/draft.h"

#include <string.h>

#include "api/game/opponent.h"
#include "api/game/plans.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/record/move_notation.h"
#include "api/text/move_text.h"

void course_new(struct course *course, struct arena *arena, const struct rules_game *game,
                int64_t now)
{
    memset(course, 0, offsetof(struct course, state)); /* a state is large and is filled anyway */
    course->arena = arena;
    course->game = game;
    course->last = (rules_move){{0, 0}};
    course->now = now;
    course->keys_size = 64;
    course->keys = arena_alloc(arena, course->keys_size * sizeof(*course->keys));
    course->nkeys = course->old_keys = 0;
    course->keys_from = 0;
    course->events = arena_alloc(arena, 4 * sizeof(*course->events));
    course->nevents = 0;
    course->kept_ply = 0;
    course->played = NULL;
    course->also = NULL;
    course->clock = NULL;
    course->gaps = (struct clock_gaps){NULL, 0};
    course->ndues = 0;
    course->promised = 0;
    course->offers.count = 0;
    course->seats = 0;
    course->joins = course->dry_run = false;
    course->row.deadline_at = DB_NEVER;
}

bool course_goes_on(const struct course *course)
{
    return status_goes_on(course->row.status);
}

void course_push_key(struct course *course, uint64_t key)
{
    /* A new list and no larger one: the old one may be a table's. */
    if (course->nkeys == course->keys_size) {
        uint64_t *keys = arena_alloc(course->arena, 2 * course->keys_size * sizeof(*keys));

        memcpy(keys, course->keys, course->nkeys * sizeof(*keys));
        course->keys = keys;
        course->keys_size *= 2;
    }
    course->keys[course->nkeys++] = key;
}

bool course_go_to(struct course *course, const struct rules_options *options, int32_t ply,
                  const struct db_event *move)
{
    struct db_game *row = &course->row;
    struct rules_refusal why;

    row_set_move(row, ply, move);
    row->status = STATUS_ACTIVE; /* a move followed there once, so the position did not end it */
    row->winner = 0;
    row->reason = NULL;
    row->plans = plans_without_any(row->plans);
    course->last = (rules_move){{0, 0}};
    if (!rules_load(course->game, options, row->position, &course->state, &why))
        return false;
    row->to_move = (int16_t)course->game->to_move(&course->state);
    if (course->clock != NULL)
        clock_go_to(course->clock, course->arena, move == NULL ? NULL : move->data, course->now);
    return true;
}

struct db_event *course_event(struct course *course, int kind, int seat)
{
    /* There is room for 4, and then up to the next power of two. */
    if (course->nevents >= 4 && (course->nevents & (course->nevents - 1)) == 0) {
        struct db_event *events = arena_alloc(course->arena, 2 * course->nevents * sizeof(*events));

        memcpy(events, course->events, course->nevents * sizeof(*events));
        course->events = events;
    }
    course->row.version++;
    course->row.updated_at = course->now;
    struct db_event *event = &course->events[course->nevents++];
    *event = (struct db_event){.version = course->row.version,
                               .kind = (int16_t)kind,
                               .seat = (int16_t)seat,
                               .line = course->row.line,
                               .ply = course->row.ply,
                               .at = course->now};
    return event;
}

void course_data(struct course *course, struct db_event *event, const char *members)
{
    if (*members == '\0')
        return;
    if (event->data == NULL || strcmp(event->data, "{}") == 0)
        event->data = arena_format(course->arena, "{%s}", members);
    else
        event->data = arena_format(course->arena, "%.*s,%s}", (int)strlen(event->data) - 1,
                                   event->data, members);
}

struct db_event *course_stop(struct course *course, int status, int winner, const char *reason,
                             int kind, int seat)
{
    struct db_game *row = &course->row;
    struct db_event *event;
    struct json told;

    json_init(&told, course->arena);
    if (course->clock != NULL && row->status == STATUS_ACTIVE)
        json_member_int(&told, "spent_us", clock_stop(course->clock, row->to_move, course->now));
    row->status = (int16_t)status;
    row->winner = (int16_t)winner;
    row->reason = reason;
    event = course_event(course, kind, seat);
    offers_end_all(&course->offers, &told);
    course_data(course, event, told.out.text);
    return event;
}

/* ---- the clock and offers ---- */

void course_take(struct course *course, const struct clock *clock, const struct offers *offers,
                 struct clock_gaps gaps)
{
    course->gaps = gaps;
    course->offers = *offers;
    if (clock == NULL)
        return;
    course->clock = arena_alloc(course->arena, sizeof(*course->clock));
    *course->clock = *clock;
    course->promised = clock->state.due_at;
}

enum { CREDITS_TOLD = 16 };

/* Credits outages in one event. False: they have taken no time from the side to move. */
static bool credit(struct course *course, const struct clock_gaps *gaps)
{
    struct db_span owed;
    int64_t us = clock_owed(course->clock, &course->row, gaps, course->now, &owed);

    if (us == 0)
        return false;
    clock_credit(course->clock, course->row.to_move, gaps, course->now);
    course_data(course, course_event(course, EVENT_CREDITED, course->row.to_move),
                arena_format(course->arena, "\"us\":%lld,\"from_us\":%lld,\"to_us\":%lld",
                             (long long)us, (long long)owed.from, (long long)owed.to));
    return true;
}

/* Each outage is an event of its own, so that the log says when the clock stood still. It may have
 * to be known: a vacation that is told later gives the same time once, not twice. */
void course_credit(struct course *course)
{
    struct clock_gaps rest = course->gaps;

    if (course->clock == NULL || course->row.status != STATUS_ACTIVE)
        return;
    for (int told = 0; rest.count > 0;) {
        size_t n = told < CREDITS_TOLD ? 1 : rest.count;

        told += credit(course, &(struct clock_gaps){rest.gap, n});
        rest = (struct clock_gaps){rest.gap + n, rest.count - n};
    }
}

void course_leave(struct course *course, int seat, const struct db_span *vacation)
{
    clock_leave(course->clock, course->row.to_move, seat, vacation->from, vacation->to,
                course->now);
    course_data(course, course_event(course, EVENT_VACATION, seat),
                arena_format(course->arena, "\"from_us\":%lld,\"until_us\":%lld",
                             (long long)vacation->from, (long long)vacation->to));
}

/* What was an outage until now is credited, so the deadline is that of the clock alone. */
void course_warn(struct course *course)
{
    static const struct clock_gaps none = {NULL, 0};
    int64_t deadline = clock_deadline(course->clock, &course->row, &none);

    course->clock->state.warned = true;
    course_data(course, course_event(course, EVENT_DEADLINE, course->row.to_move),
                arena_format(course->arena, "\"deadline_us\":%lld", (long long)deadline));
}

static void promise(struct course *course, int kind, int64_t at)
{
    course->dues[course->ndues++] = (struct db_due){course->row.id, (int16_t)kind, at};
}

/* When the clock is to be looked at again: the side to move is to be warned, or its time is over.
 */
static int64_t next_look(const struct course *course)
{
    int64_t warning = clock_warning(course->clock, &course->row, &course->gaps, course->now);
    int64_t deadline = clock_deadline(course->clock, &course->row, &course->gaps);

    return warning < deadline ? warning : deadline;
}

/* A promise costs a write of its own, and most moves move the deadline away. So a new one is only
 * made where the one that stands would come too late: whoever keeps it looks at the clock and makes
 * the next one. One whose time has passed may be kept already. */
static void store_clock(struct course *course)
{
    struct clock *clock = course->clock;
    int64_t look = next_look(course);

    clock->state.due_at = course->promised;
    if (look < course->promised || (course->promised <= course->now && look != DB_NEVER))
        clock->state.due_at = look;
    clock_store(course->arena, clock, &course->row);
    if (clock->state.due_at != course->promised)
        promise(course, DUE_CLOCK, clock->state.due_at);
}

/* An opponent whose turn it was before is promised to think anew: the pause that held it up may be
 * over. Who keeps the promise sees what is left to do. */
void course_store(struct course *course)
{
    course->row.offers = offers_text(course->arena, &course->offers);
    course->ndues = 0;
    if (course->clock != NULL)
        store_clock(course);
    if (opponent_is_due(&course->row) || opponent_asked(&course->row, &course->offers) != NULL)
        promise(course, DUE_OPPONENT, course->now);
}

/* ---- judging ---- */

/* Whether the keys reach back far enough to judge the state, which is one ply beyond the row and
 * the keys. span() says how many plies back an equal position can lie at most. After a capture none
 * can, so most moves need few keys, and those of a whole line are fetched only where the rules ask
 * for them. False: *from is the ply from which on keys are needed. */
static bool knows_past(const struct course *course, int32_t *from)
{
    size_t span = course->game->span(&course->state);
    int32_t ply = course->row.ply + 1;

    if (span <= course->nkeys || course->keys_from == 0)
        return true;
    *from = (size_t)ply > span ? ply - (int32_t)span : 0;
    return false;
}

/* How the state ends the game, by the first `past` keys, which are those of the positions before.
 */
static struct rules_outcome outcome_of(const struct course *course, size_t past)
{
    size_t span = course->game->span(&course->state);
    struct rules_history history;

    if (span > past)
        span = past;
    history = (struct rules_history){course->keys + past - span, span};
    return course->game->outcome(&course->state, &history);
}

void course_end(struct course *course, const struct rules_outcome *outcome)
{
    if (outcome->status == RULES_ONGOING)
        return;
    course->row.status = STATUS_FINISHED;
    course->row.winner = outcome->status == RULES_WON ? outcome->winner : 0;
    course->row.reason = rules_reason_text(outcome->reason);
}

void course_judge(struct course *course)
{
    struct rules_outcome outcome = outcome_of(course, course->nkeys - 1);

    course_end(course, &outcome);
}

/* ---- moves ---- */

static const char *copy_position(struct course *course)
{
    char text[RULES_POSITION_TEXT];

    course->game->position_text(&course->state, text);
    return arena_copy(course->arena, text, strlen(text));
}

/* Sets the row to the position after a move. A move after an undo opens a line of its own: what was
 * undone keeps its line and its plies, and can still be read. */
static void advance(struct course *course, const struct course_step *step)
{
    struct db_game *row = &course->row;

    if (row->ply < row->tip)
        row->line = ++row->lines;
    row->ply++;
    row->tip = row->ply;
    row->to_move = (int16_t)step->to_move;
    row->last_seat = (int16_t)step->seat;
    row->last_move = step->text;
    row->last_at = course->now;
    row->position = step->position;
}

/* Charges the clock for a move, and ends the offers that it makes void. */
static void tell_what_follows(struct course *course, struct db_event *event)
{
    struct json json;

    if (course->clock == NULL && course->offers.count == 0)
        return;
    json_init(&json, course->arena);
    if (course->clock != NULL) {
        int64_t spent = clock_move(course->clock, event->seat, course->now);

        clock_data(&json, course->clock, spent);
    }
    if (course_goes_on(course))
        offers_end_by_move(&course->offers, event->seat, &json);
    else
        offers_end_all(&course->offers, &json);
    course_data(course, event, json.out.text);
}

struct db_event *course_add(struct course *course, const struct course_step *step)
{
    struct db_event *event;

    advance(course, step);
    course_end(course, &step->outcome);
    course_push_key(course, step->key);
    event = course_event(course, EVENT_MOVE, step->seat);
    event->move = step->text;
    event->position = step->position;
    event->key = (int64_t)step->key;
    tell_what_follows(course, event);
    if (course->also != NULL)
        course_data(course, event, course->also);
    return event;
}

static void tell(const struct course *course, const struct rules_state *before, rules_move move,
                 const struct db_event *event)
{
    struct course_move played = {.game = course->game,
                                 .before = before,
                                 .last = course->last,
                                 .move = move,
                                 .ply = course->row.ply,
                                 .line = course->row.line,
                                 .seat = event->seat,
                                 .at = course->now,
                                 .data = event->data};

    course->played(course->context, &played);
}

/* Plays a legal move, if the past that judges the position after it is known. */
static enum course_result take(struct course *course, rules_move move, int32_t *from)
{
    struct rules_state before;
    int seat = (int)course->game->to_move(&course->state);
    const struct db_event *event;
    const char *text = move_text(course->arena, course->game, &course->state, move);

    rules_copy(&course->state, &before);
    course->game->play(&before, move, &course->state);
    if (!knows_past(course, from)) {
        rules_copy(&before, &course->state);
        return COURSE_NEEDS_KEYS;
    }
    event = course_add(
        course, &(struct course_step){.text = text,
                                      .position = copy_position(course),
                                      .key = course->game->key(&course->state),
                                      .outcome = outcome_of(course, course->nkeys),
                                      .seat = seat,
                                      .to_move = (int)course->game->to_move(&course->state)});
    if (course->played != NULL)
        tell(course, &before, move, event);
    course->last = move;
    return COURSE_PLAYED;
}

enum course_result course_play(struct course *course, const char *text, struct rules_refusal *why,
                               int32_t *from)
{
    rules_move move;

    if (!record_read_move(course->arena, course->game, &course->state, course->last, text, &move,
                          why))
        return COURSE_REFUSED;
    return take(course, move, from);
}

/* The move of "random": the same from a later version of this program, too. That is why the choice
 * is among the sorted texts, not among the moves in the order of legal(). Where
 * there are more moves than are ever listed, it is among the first of them. */
static rules_move random_move(struct course *course)
{
    uint64_t seed = opponent_seed(&course->row);
    struct rules_refusal why;
    rules_move move = {{0, 0}};
    const char **texts;
    size_t n = move_text_legal(course->arena, course->game, &course->state, &texts);

    course->game->read_move(&course->state, texts[rules_choose(&seed, n)], &move, &why);
    return move;
}

/* A person plays one side at least, so this ends after a move. The bound is that of one write,
 * should the computer ever play both. */
enum course_result course_answer(struct course *course, int32_t *from)
{
    while (course->row.status == STATUS_ACTIVE && course->nevents < DB_EVENTS_MAX &&
           course->row.seat[course->row.to_move - 1].state == SEAT_ENGINE &&
           !opponent_is_due(&course->row)) {
        enum course_result result = take(course, random_move(course), from);

        if (result != COURSE_PLAYED)
            return result;
    }
    return COURSE_PLAYED;
}
