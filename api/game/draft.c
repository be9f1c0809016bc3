#include "api/game/draft.h"

#include <string.h>

#include "api/game/opponent.h"
#include "api/game/plans.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/record/move_notation.h"
#include "api/text/move_text.h"

void draft_new(struct draft *draft, struct arena *arena, const struct rules_game *game, int64_t now)
{
    memset(draft, 0, offsetof(struct draft, state)); /* a state is large and is filled anyway */
    draft->arena = arena;
    draft->game = game;
    draft->last = (rules_move){{0, 0}};
    draft->now = now;
    draft->keys_size = 64;
    draft->keys = arena_alloc(arena, draft->keys_size * sizeof(*draft->keys));
    draft->nkeys = draft->old_keys = 0;
    draft->keys_from = 0;
    draft->events = arena_alloc(arena, 4 * sizeof(*draft->events));
    draft->nevents = 0;
    draft->kept_to_ply = 0;
    draft->played = NULL;
    draft->also = NULL;
    draft->clock = NULL;
    draft->gaps = (struct clock_gaps){NULL, 0};
    draft->ndues = 0;
    draft->due_at = 0;
    draft->expires_at = 0;
    draft->follows = false;
    draft->offers.count = 0;
    draft->seats = 0;
    draft->joins = draft->dry_run = false;
    draft->row.deadline_at = DB_NEVER;
}

bool draft_goes_on(const struct draft *draft)
{
    return status_goes_on(draft->row.status);
}

void draft_push_key(struct draft *draft, uint64_t key)
{
    /* A new list and no larger one: the old one may be a live game's. */
    if (draft->nkeys == draft->keys_size) {
        uint64_t *keys = arena_alloc(draft->arena, 2 * draft->keys_size * sizeof(*keys));

        memcpy(keys, draft->keys, draft->nkeys * sizeof(*keys));
        draft->keys = keys;
        draft->keys_size *= 2;
    }
    draft->keys[draft->nkeys++] = key;
}

bool draft_go_to(struct draft *draft, const struct rules_options *options, int32_t ply,
                 const struct db_event *move)
{
    struct db_game *row = &draft->row;
    struct rules_refusal why;

    row_set_move(row, ply, move);
    row->status = STATUS_ACTIVE; /* a move followed there once, so the position did not end it */
    row->winner = 0;
    row->reason = NULL;
    row->plans = plans_without_any(row->plans);
    draft->last = (rules_move){{0, 0}};
    if (!rules_load(draft->game, options, row->position, &draft->state, &why))
        return false;
    row->to_move = (int16_t)draft->game->to_move(&draft->state);
    if (draft->clock != NULL)
        clock_go_to(draft->clock, draft->arena, move == NULL ? NULL : move->data, draft->now);
    return true;
}

struct db_event *draft_event(struct draft *draft, int kind, int seat)
{
    /* There is room for 4, and then up to the next power of two. */
    if (draft->nevents >= 4 && (draft->nevents & (draft->nevents - 1)) == 0) {
        struct db_event *events = arena_alloc(draft->arena, 2 * draft->nevents * sizeof(*events));

        memcpy(events, draft->events, draft->nevents * sizeof(*events));
        draft->events = events;
    }
    draft->row.version++;
    draft->row.updated_at = draft->now;
    struct db_event *event = &draft->events[draft->nevents++];
    *event = (struct db_event){.version = draft->row.version,
                               .kind = (int16_t)kind,
                               .seat = (int16_t)seat,
                               .line = draft->row.line,
                               .ply = draft->row.ply,
                               .at = draft->now};
    return event;
}

void draft_data(struct draft *draft, struct db_event *event, const char *members)
{
    if (*members == '\0')
        return;
    if (event->data == NULL || strcmp(event->data, "{}") == 0)
        event->data = arena_format(draft->arena, "{%s}", members);
    else
        event->data = arena_format(draft->arena, "%.*s,%s}", (int)strlen(event->data) - 1,
                                   event->data, members);
}

struct db_event *draft_stop(struct draft *draft, int status, int winner, const char *reason,
                            int kind, int seat)
{
    struct db_game *row = &draft->row;
    struct db_event *event;
    struct json told;

    json_init(&told, draft->arena);
    if (draft->clock != NULL && row->status == STATUS_ACTIVE)
        json_member_int(&told, "spent_us", clock_stop(draft->clock, row->to_move, draft->now));
    row->status = (int16_t)status;
    row->winner = (int16_t)winner;
    row->reason = reason;
    event = draft_event(draft, kind, seat);
    offers_end_all(&draft->offers, &told);
    draft_data(draft, event, told.out.text);
    return event;
}

/* ---- the clock and offers ---- */

void draft_take(struct draft *draft, const struct clock *clock, const struct offers *offers,
                struct clock_gaps gaps)
{
    draft->gaps = gaps;
    draft->offers = *offers;
    if (clock == NULL)
        return;
    draft->clock = arena_alloc(draft->arena, sizeof(*draft->clock));
    *draft->clock = *clock;
    draft->due_at = clock->state.due_at;
}

enum { CREDITS_TOLD = 16 };

/* Credits outages in one event. False: they have taken no time from the side to move. */
static bool credit(struct draft *draft, const struct clock_gaps *gaps)
{
    struct db_span owed;
    int64_t us = clock_owed(draft->clock, &draft->row, gaps, draft->now, &owed);

    if (us == 0)
        return false;
    clock_credit(draft->clock, draft->row.to_move, gaps, draft->now);
    draft_data(draft, draft_event(draft, EVENT_CREDITED, draft->row.to_move),
               arena_format(draft->arena, "\"us\":%lld,\"from_us\":%lld,\"to_us\":%lld",
                            (long long)us, (long long)owed.from, (long long)owed.to));
    return true;
}

/* Each outage is an event of its own, so that the log says when the clock stood still. It may have
 * to be known: a vacation that is told later gives the same time once, not twice. */
void draft_credit(struct draft *draft)
{
    struct clock_gaps rest = draft->gaps;

    if (draft->clock == NULL || draft->row.status != STATUS_ACTIVE)
        return;
    for (int told = 0; rest.count > 0;) {
        size_t n = told < CREDITS_TOLD ? 1 : rest.count;

        told += credit(draft, &(struct clock_gaps){rest.gap, n});
        rest = (struct clock_gaps){rest.gap + n, rest.count - n};
    }
}

void draft_leave(struct draft *draft, int seat, const struct db_span *vacation)
{
    clock_leave(draft->clock, draft->row.to_move, seat, vacation->from, vacation->to, draft->now);
    draft_data(draft, draft_event(draft, EVENT_VACATION, seat),
               arena_format(draft->arena, "\"from_us\":%lld,\"until_us\":%lld",
                            (long long)vacation->from, (long long)vacation->to));
}

/* What was an outage until now is credited, so the deadline is that of the clock alone. */
void draft_warn(struct draft *draft)
{
    static const struct clock_gaps none = {NULL, 0};
    int64_t deadline = clock_deadline(draft->clock, &draft->row, &none);

    draft->clock->state.warned = true;
    draft_data(draft, draft_event(draft, EVENT_DEADLINE, draft->row.to_move),
               arena_format(draft->arena, "\"deadline_us\":%lld", (long long)deadline));
}

static void add_due(struct draft *draft, int kind, int64_t at)
{
    draft->dues[draft->ndues++] = (struct db_due){draft->row.id, (int16_t)kind, at};
}

/* When the clock is to be looked at again: the side to move is to be warned, or its time is over.
 */
static int64_t next_look(const struct draft *draft)
{
    int64_t warning = clock_warning(draft->clock, &draft->row, &draft->gaps, draft->now);
    int64_t deadline = clock_deadline(draft->clock, &draft->row, &draft->gaps);

    return warning < deadline ? warning : deadline;
}

/* Due work costs a write of its own, and most moves move the deadline away. So a new one is only
 * made where the one that stands would come too late: whoever keeps it looks at the clock and makes
 * the next one. One whose time has passed may be kept already. */
static void store_clock(struct draft *draft)
{
    struct clock *clock = draft->clock;
    int64_t look = next_look(draft);

    clock->state.due_at = draft->due_at;
    if (look < draft->due_at || (draft->due_at <= draft->now && look != DB_NEVER))
        clock->state.due_at = look;
    clock_store(draft->arena, clock, &draft->row);
    if (clock->state.due_at != draft->due_at)
        add_due(draft, DUE_CLOCK, clock->state.due_at);
}

/* An opponent whose turn it was before is due to think anew: the pause that held it up may be
 * over. Who does it sees what is left to do. */
void draft_store(struct draft *draft)
{
    draft->row.offers = offers_text(draft->arena, &draft->offers);
    draft->ndues = 0;
    if (draft->clock != NULL)
        store_clock(draft);
    if (opponent_is_due(&draft->row) || opponent_asked(&draft->row, &draft->offers) != NULL)
        add_due(draft, DUE_OPPONENT, draft->now);
    if (draft->expires_at != 0)
        add_due(draft, DUE_CHALLENGE, draft->expires_at);
    if (draft->follows)
        add_due(draft, DUE_REMATCH, draft->now);
}

/* ---- judging ---- */

/* Whether the keys reach back far enough to judge the state, which is one ply beyond the row and
 * the keys. span() says how many plies back an equal position can lie at most. After a capture none
 * can, so most moves need few keys, and those of a whole line are fetched only where the rules ask
 * for them. False: *from is the ply from which on keys are needed. */
static bool knows_past(const struct draft *draft, int32_t *from)
{
    size_t span = draft->game->span(&draft->state);
    int32_t ply = draft->row.ply + 1;

    if (span <= draft->nkeys || draft->keys_from == 0)
        return true;
    *from = (size_t)ply > span ? ply - (int32_t)span : 0;
    return false;
}

/* How the state ends the game, by the first `past` keys, which are those of the positions before.
 */
static struct rules_outcome outcome_of(const struct draft *draft, size_t past)
{
    size_t span = draft->game->span(&draft->state);
    struct rules_history history;

    if (span > past)
        span = past;
    history = (struct rules_history){draft->keys + past - span, span};
    return draft->game->outcome(&draft->state, &history);
}

void draft_end(struct draft *draft, const struct rules_outcome *outcome)
{
    if (outcome->status == RULES_ONGOING)
        return;
    draft->row.status = STATUS_FINISHED;
    draft->row.winner = outcome->status == RULES_WON ? outcome->winner : 0;
    draft->row.reason = rules_reason_text(outcome->reason);
}

void draft_judge(struct draft *draft)
{
    struct rules_outcome outcome = outcome_of(draft, draft->nkeys - 1);

    draft_end(draft, &outcome);
}

/* ---- moves ---- */

static const char *copy_position(struct draft *draft)
{
    char text[RULES_POSITION_TEXT];

    draft->game->position_text(&draft->state, text);
    return arena_copy(draft->arena, text, strlen(text));
}

/* Sets the row to the position after a move. A move after an undo opens a line of its own: what was
 * undone keeps its line and its plies, and can still be read. */
static void advance(struct draft *draft, const struct draft_step *step)
{
    struct db_game *row = &draft->row;

    if (row->ply < row->tip)
        row->line = ++row->lines;
    row->ply++;
    row->tip = row->ply;
    row->to_move = (int16_t)step->to_move;
    row->last_seat = (int16_t)step->seat;
    row->last_move = step->text;
    row->last_at = draft->now;
    row->position = step->position;
}

/* Charges the clock for a move, and ends the offers that it makes void. */
static void tell_what_follows(struct draft *draft, struct db_event *event)
{
    struct json json;

    if (draft->clock == NULL && draft->offers.count == 0)
        return;
    json_init(&json, draft->arena);
    if (draft->clock != NULL) {
        int64_t spent = clock_move(draft->clock, event->seat, draft->now);

        clock_data(&json, draft->clock, spent);
    }
    if (draft_goes_on(draft))
        offers_end_by_move(&draft->offers, event->seat, &json);
    else
        offers_end_all(&draft->offers, &json);
    draft_data(draft, event, json.out.text);
}

struct db_event *draft_add(struct draft *draft, const struct draft_step *step)
{
    struct db_event *event;

    advance(draft, step);
    draft_end(draft, &step->outcome);
    draft_push_key(draft, step->key);
    event = draft_event(draft, EVENT_MOVE, step->seat);
    event->move = step->text;
    event->position = step->position;
    event->key = (int64_t)step->key;
    tell_what_follows(draft, event);
    if (draft->also != NULL)
        draft_data(draft, event, draft->also);
    return event;
}

static void tell_draft_move(const struct draft *draft, const struct rules_state *before,
                            rules_move move, const struct db_event *event)
{
    struct draft_move played = {.game = draft->game,
                                .before = before,
                                .last = draft->last,
                                .move = move,
                                .ply = draft->row.ply,
                                .line = draft->row.line,
                                .seat = event->seat,
                                .at = draft->now,
                                .data = event->data};

    draft->played(draft->context, &played);
}

/* Plays a legal move, if the past that judges the position after it is known. */
static enum draft_result take_draft_move(struct draft *draft, rules_move move, int32_t *from)
{
    struct rules_state before;
    int seat = (int)draft->game->to_move(&draft->state);
    const struct db_event *event;
    const char *text = move_text(draft->arena, draft->game, &draft->state, move);

    rules_copy(&draft->state, &before);
    draft->game->play(&before, move, &draft->state);
    if (!knows_past(draft, from)) {
        rules_copy(&before, &draft->state);
        return DRAFT_NEEDS_KEYS;
    }
    event =
        draft_add(draft, &(struct draft_step){.text = text,
                                              .position = copy_position(draft),
                                              .key = draft->game->key(&draft->state),
                                              .outcome = outcome_of(draft, draft->nkeys),
                                              .seat = seat,
                                              .to_move = (int)draft->game->to_move(&draft->state)});
    if (draft->played != NULL)
        tell_draft_move(draft, &before, move, event);
    draft->last = move;
    return DRAFT_PLAYED;
}

enum draft_result draft_play(struct draft *draft, const char *text, struct rules_refusal *why,
                             int32_t *from)
{
    rules_move move;

    if (!record_read_move(draft->arena, draft->game, &draft->state, draft->last, text, &move, why))
        return DRAFT_REFUSED;
    return take_draft_move(draft, move, from);
}

/* A person plays one side at least, so this ends after a move. The bound is that of one write,
 * should the computer ever play both. */
enum draft_result draft_answer(struct draft *draft, int32_t *from)
{
    while (draft->row.status == STATUS_ACTIVE && draft->nevents < DB_EVENTS_MAX &&
           draft->row.seat[draft->row.to_move - 1].state == SEAT_ENGINE &&
           !opponent_is_due(&draft->row)) {
        enum draft_result result =
            take_draft_move(draft,
                            opponent_random_move(draft->arena, draft->game, &draft->state,
                                                 opponent_seed(&draft->row)),
                            from);

        if (result != DRAFT_PLAYED)
            return result;
    }
    return DRAFT_PLAYED;
}
