/*
 * replay.c - one stored game, played again and compared with what is stored (commands.h).
 *
 * Every event is repeated with nothing but the rules and the events before it, by code of its own:
 * draft.c, which made them, would repeat its mistakes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/clock.h"
#include "api/game/event_data.h"
#include "api/game/ids.h"
#include "api/game/offers.h"
#include "api/game/row.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "api/text/move_text.h"
#include "api/text/must.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "api/tool/check_clock.h"
#include "api/tool/check_offers.h"
#include "api/tool/commands.h"
#include "api/tool/mismatch.h"
#include "db/db.h"
#include "db/scan.h"
#include "rules/rules.h"

/* The game as it stands after the events so far. */
struct replay {
    const struct db_scan_game *stored;
    struct arena *arena;
    const struct rules_game *game;
    struct rules_options options;
    struct rules_state state;
    const char **positions; /* of the present line by ply, up to its tip */
    uint64_t *keys;
    int32_t ply, tip, line, lines;
    int status, winner;
    const char *reason;
    const char *next; /* the id of the rematch, as a text */
    struct mismatch mismatch;
    struct check_offers offers;
    struct check_clock *clock; /* NULL: the game has none */
};

static bool differs(struct replay *replay, const struct db_event *event, const char *subject,
                    const char *stored, const char *found)
{
    return mismatch_say(&replay->mismatch, event, subject, stored, found);
}

static bool check_text(struct replay *replay, const struct db_event *event, const char *subject,
                       const char *stored, const char *found)
{
    return mismatch_text(&replay->mismatch, event, subject, stored, found);
}

static bool check_number(struct replay *replay, const struct db_event *event, const char *subject,
                         int64_t stored, int64_t found)
{
    return mismatch_number(&replay->mismatch, event, subject, stored, found);
}

/* How the present position ends the game, by every rule, with its past. */
static void judge_replay(struct replay *replay)
{
    struct rules_history history = {replay->keys, (size_t)replay->ply};
    struct rules_outcome outcome = replay->game->outcome(&replay->state, &history);

    replay->status = outcome.status == RULES_ONGOING ? STATUS_ACTIVE : STATUS_FINISHED;
    replay->winner = outcome.status == RULES_WON ? outcome.winner : 0;
    replay->reason = outcome.status == RULES_ONGOING ? NULL : rules_reason_text(outcome.reason);
}

/* Compares the present position with the one of the event, and keeps it. */
static bool keep_position(struct replay *replay, const struct db_event *event)
{
    char text[RULES_POSITION_TEXT];
    uint64_t key = replay->game->key(&replay->state);

    replay->game->position_text(&replay->state, text);
    replay->positions[replay->ply] = event->position;
    replay->keys[replay->ply] = key;
    return check_text(replay, event, "position", event->position, text) &&
           check_number(replay, event, "key", event->key, (int64_t)key);
}

static bool replay_created(struct replay *replay, const struct db_event *event)
{
    const struct db_game *row = replay->stored->game;
    struct rules_refusal why;

    if (!rules_load(replay->game, &replay->options, row->start, &replay->state, &why))
        return differs(replay, event, "start", row->start, rules_code_text(why.code));
    judge_replay(replay);
    return keep_position(replay, event);
}

static bool replay_move(struct replay *replay, const struct db_event *event)
{
    char text[RULES_MOVE_TEXT];
    struct rules_state before;
    struct rules_refusal why;
    rules_move move;

    if (replay->status != STATUS_ACTIVE)
        return differs(replay, event, "move", event->move, "a game that is over");
    if (!check_number(replay, event, "seat", event->seat,
                      (int64_t)replay->game->to_move(&replay->state)))
        return false;
    if (!replay->game->read_move(&replay->state, event->move, &move, &why))
        return differs(replay, event, "move", event->move, rules_code_text(why.code));
    replay->game->move_text(&replay->state, move, text);
    if (!check_text(replay, event, "move", event->move, text))
        return false;
    rules_copy(&replay->state, &before);
    replay->game->play(&before, move, &replay->state);
    if (replay->ply < replay->tip)
        replay->line = ++replay->lines;
    replay->tip = ++replay->ply;
    judge_replay(replay);
    return check_number(replay, event, "ply", event->ply, replay->ply) &&
           check_number(replay, event, "line", event->line, replay->line) &&
           keep_position(replay, event);
}

/* Undo and redo lead to a ply of the present line that was reached before. */
static bool replay_jump(struct replay *replay, const struct db_event *event)
{
    struct rules_refusal why;

    if (event->ply < 0 || event->ply > replay->tip)
        return check_number(replay, event, "ply", event->ply, replay->tip);
    replay->ply = event->ply;
    if (!rules_load(replay->game, &replay->options, replay->positions[event->ply], &replay->state,
                    &why))
        return differs(replay, event, "position", replay->positions[event->ply],
                       rules_code_text(why.code));
    judge_replay(replay);
    return true;
}

static bool replay_declared(struct replay *replay, const struct db_event *event)
{
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (replay->game->declare == NULL || !replay->game->declare(&replay->state, &outcome, &why))
        return differs(replay, event, "declaration", "a win", "a refusal");
    replay->status = STATUS_FINISHED;
    replay->winner = outcome.winner;
    replay->reason = rules_reason_text(outcome.reason);
    return true;
}

static bool replay_recorded(struct replay *replay, const struct db_event *event)
{
    unsigned winner;

    if (event->data == NULL || !to_record_end(replay->arena, event->data, &replay->reason, &winner))
        return differs(replay, event, "recorded end", event->data, "nothing");
    replay->status = STATUS_FINISHED;
    replay->winner = (int)winner;
    return true;
}

/* What both sides have agreed on ends the game, if it was a draw or to call it off. */
static bool replay_accepted(struct replay *replay, const struct event_data_write *data)
{
    if (data->offer_kind == OFFER_DRAW) {
        replay->status = STATUS_FINISHED;
        replay->winner = 0;
        replay->reason = "agreement";
    }
    if (data->offer_kind == OFFER_ABORT)
        replay->status = STATUS_ABORTED;
    return true;
}

static bool replay_timeout(struct replay *replay, const struct db_event *event,
                           const struct event_data_write *data)
{
    if (replay->status != STATUS_ACTIVE)
        return differs(replay, event, "timeout", "an end", "a game that is over");
    replay->status = data->no_start ? STATUS_ABORTED : STATUS_FINISHED;
    replay->winner = data->no_start ? 0 : (int)rules_other((unsigned)event->seat);
    replay->reason = data->no_start ? "no_start" : "timeout";
    return true;
}

/* There is one rematch, the same for both. */
static bool replay_rematch(struct replay *replay, const struct db_event *event,
                           const struct event_data_write *data)
{
    if (replay->next != NULL)
        return differs(replay, event, "rematch", data->rematch, replay->next);
    replay->next = data->rematch;
    return true;
}

static bool replay_event(struct replay *replay, const struct db_event *event,
                         const struct event_data_write *data)
{
    switch ((enum event_kind)event->kind) {
    case EVENT_CREATED:
        return replay_created(replay, event);
    case EVENT_MOVE:
        return replay_move(replay, event);
    case EVENT_UNDO:
    case EVENT_REDO:
        return replay_jump(replay, event);
    case EVENT_RESIGNED:
        replay->status = STATUS_FINISHED;
        replay->winner = (int)rules_other((unsigned)event->seat);
        replay->reason = "resign";
        return true;
    case EVENT_ABORTED:
        replay->status = STATUS_ABORTED;
        replay->reason = data->reason;
        return true;
    case EVENT_DECLARED:
        return replay_declared(replay, event);
    case EVENT_RECORDED:
        return replay_recorded(replay, event);
    case EVENT_ACCEPTED:
        return replay_accepted(replay, data);
    case EVENT_TIMEOUT:
        return replay_timeout(replay, event, data);
    case EVENT_REMATCH:
        return replay_rematch(replay, event, data);
    case EVENT_JOINED:
    case EVENT_OFFERED:
    case EVENT_DECLINED:
    case EVENT_WITHDRAWN:
    case EVENT_CREDITED:
    case EVENT_PAUSED:
    case EVENT_RESUMED:
    case EVENT_TIME_ADDED:
    case EVENT_VACATION:
    case EVENT_INVITED:
    case EVENT_SEAT:
    case EVENT_MESSAGE:
    case EVENT_DEADLINE:
    case EVENT_CHALLENGED:
        break;
    }
    return true;
}

/* What an event of any kind has: its number, a seat, a place, and data of its kind's form. */
static bool check_form(struct replay *replay, const struct db_event *event, size_t i,
                       struct event_data_write *data)
{
    if (!check_number(replay, event, "version", event->version, (int64_t)i + 1) ||
        (i == 0 && !check_number(replay, event, "kind", event->kind, EVENT_CREATED)) ||
        (event->kind <= 0 && !check_number(replay, event, "kind", event->kind, 1)))
        return false;
    if (event->seat < 0 || event->seat > RULES_SEATS)
        return check_number(replay, event, "seat", event->seat, 0);
    return event_data_read(replay->arena, event, data) ||
           differs(
               replay, event, "data", event->data,
               arena_format(replay->arena, "that of an event \"%s\"", words_event(event->kind)));
}

/* Goes through an event: what it does to the game, then to the offers, then to the clock. */
static bool go_through(struct replay *replay, const struct db_event *event, size_t i)
{
    bool went_on = replay->status == STATUS_ACTIVE, goes_on;
    int to_move = i == 0 ? 0 : (int)replay->game->to_move(&replay->state);
    struct event_data_write data;

    if (!check_form(replay, event, i, &data) || !replay_event(replay, event, &data) ||
        !check_number(replay, event, "ply", event->ply, replay->ply) ||
        !check_number(replay, event, "line", event->line, replay->line))
        return false;
    goes_on = replay->status == STATUS_ACTIVE;
    return check_offers_event(&replay->offers, event, &data,
                              (struct check_offers_going){went_on, goes_on}) &&
           (replay->clock == NULL ||
            check_clock_event(replay->clock, event, &data,
                              (struct check_clock_turn){to_move, went_on, goes_on}));
}

/* Compares the row with where the events have led. */
static bool check_row(struct replay *replay)
{
    const struct db_game *row = replay->stored->game;
    char text[RULES_POSITION_TEXT];
    int status =
        row->status == STATUS_OPEN ? STATUS_ACTIVE : row->status; /* seats are not replayed */

    replay->game->position_text(&replay->state, text);
    return check_number(replay, NULL, "number of events", row->version,
                        (int64_t)replay->stored->count) &&
           check_number(replay, NULL, "present ply", row->ply, replay->ply) &&
           check_number(replay, NULL, "present line", row->line, replay->line) &&
           check_number(replay, NULL, "line's tip", row->tip, replay->tip) &&
           check_text(replay, NULL, "present position", row->position, text) &&
           check_number(replay, NULL, "status", status, replay->status) &&
           check_number(replay, NULL, "winner", row->winner, replay->winner) &&
           check_text(replay, NULL, "reason", row->reason, replay->reason);
}

static bool check_next(struct replay *replay)
{
    char text[IDS_TEXT];

    ids_text(replay->stored->game->next, text);
    return check_text(replay, NULL, "rematch", replay->stored->game->has_next ? text : NULL,
                      replay->next);
}

static bool replay_all(struct replay *replay)
{
    const struct db_scan_game *stored = replay->stored;

    if (!check_clock_begin(replay->arena, &replay->mismatch, stored, &replay->clock))
        return false;
    for (size_t i = 0; i < stored->count; i++)
        if (!go_through(replay, &stored->events[i], i))
            return false;
    replay->mismatch.line = replay->line;
    replay->mismatch.ply = replay->ply;
    return check_row(replay) && check_offers_row(&replay->offers, stored->game) &&
           check_next(replay) && (replay->clock == NULL || check_clock_row(replay->clock));
}

/* ---- what a newer program has written ---- */

/* Whether a text is JSON, so that it is not broken but of somebody who knows more. */
static bool is_json(struct arena *arena, const char *text)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(arena, text, strlen(text), &error);

    json_free(value);
    return value != NULL;
}

static bool knows_clock(struct arena *arena, const struct db_game *row)
{
    struct clock clock;

    return row->clock == NULL || row->timing == NULL || clock_load(arena, row, &clock) ||
           !is_json(arena, row->clock) || !is_json(arena, row->timing);
}

static bool knows_offers(struct arena *arena, const struct db_game *row)
{
    struct offers offers;

    return offers_load(arena, row, &offers) || !is_json(arena, row->offers) ||
           strstr(row->offers, "\"kind\":") == NULL;
}

static const struct db_event *find_unknown(const struct db_scan_game *stored)
{
    for (size_t i = 0; i < stored->count; i++)
        if (stored->events[i].kind >= EVENT_KINDS)
            return &stored->events[i];
    return NULL;
}

/* What of a game this program does not know. NULL: it knows all of it, right or wrong. */
static const char *find_newer(struct arena *arena, const struct db_scan_game *stored)
{
    const struct db_event *unknown = find_unknown(stored);
    const struct db_game *row = stored->game;

    if (!row_is_known(row))
        return arena_format(arena, "its rules (version %d), or a word of its row",
                            row->rules_version);
    if (!knows_clock(arena, row))
        return arena_format(arena, "its clock: %s, %s", row->clock, row->timing);
    if (!knows_offers(arena, row))
        return arena_format(arena, "its offers: %s", row->offers);
    return unknown == NULL
               ? NULL
               : arena_format(arena, "event %d, of kind %d", unknown->version, unknown->kind);
}

/* ---- all of a game ---- */

/* An option that is not known is a newer program's. Others that cannot be read are broken. */
static enum verdict judge_game(struct arena *arena, struct replay *replay)
{
    const struct db_game *row = replay->stored->game;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const char *newer = find_newer(arena, replay->stored);
    bool reads = newer == NULL &&
                 options_from_json(replay->game, arena, row->options, &replay->options, &error);

    if (newer == NULL && error.code == PROBLEM_UNKNOWN_FIELD)
        newer = arena_format(arena, "its options: %s", row->options);
    if (newer != NULL) {
        snprintf(replay->mismatch.what, replay->mismatch.size, "only a newer program knows %s",
                 newer);
        return VERDICT_NEWER;
    }
    if (!reads)
        differs(replay, NULL, "set of options", row->options, error.detail);
    return reads && replay_all(replay) ? VERDICT_SAME : VERDICT_DIFFERS;
}

enum verdict verify_game(const struct db_scan_game *stored, char *what, size_t size)
{
    struct replay *replay = must_alloc(sizeof(*replay));
    struct arena arena = {NULL, NULL, NULL};
    enum verdict verdict;

    *replay = (struct replay){
        .stored = stored,
        .arena = &arena,
        .game = rules_find(stored->game->variant),
        .line = 1,
        .lines = 1,
        .status = STATUS_ACTIVE,
        .mismatch = {.what = what, .size = size, .version = stored->game->version, .line = 1}};
    if (replay->game == NULL) {
        snprintf(what, size, "its rules are not loaded");
        free(replay);
        return VERDICT_NOT_LOADED;
    }
    replay->offers = (struct check_offers){.arena = &arena, .mismatch = &replay->mismatch};
    replay->positions = arena_alloc(&arena, (stored->count + 1) * sizeof(*replay->positions));
    replay->keys = arena_alloc(&arena, (stored->count + 1) * sizeof(*replay->keys));
    verdict = judge_game(&arena, replay);
    arena_free(&arena);
    free(replay);
    return verdict;
}
