/*
 * replay.c - one stored game, played again and compared with what is stored (verify.h).
 *
 * Every event is repeated with nothing but the rules and the events before it, by code of its own:
 * course.c, which made them, would repeat its mistakes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "api/text/move_text.h"
#include "api/text/must.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "api/tool/verify.h"
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
    char *what;
    size_t size;
};

/* Says what differs: at an event, or (NULL) in the row. Always false, so that a check can return
 * it.
 */
static bool differs(struct replay *replay, const struct db_event *event, const char *subject,
                    const char *stored, const char *found)
{
    snprintf(replay->what, replay->size,
             "event %d, line %d, ply %d: the %s is stored as %s and replays as %s",
             event == NULL ? replay->stored->game->version : event->version,
             event == NULL ? replay->line : event->line, event == NULL ? replay->ply : event->ply,
             subject, stored == NULL ? "nothing" : stored, found == NULL ? "nothing" : found);
    return false;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool check_text(struct replay *replay, const struct db_event *event, const char *subject,
                       const char *stored, const char *found)
{
    return same_text(stored, found) || differs(replay, event, subject, stored, found);
}

static bool check_number(struct replay *replay, const struct db_event *event, const char *subject,
                         int64_t stored, int64_t found)
{
    char a[24], b[24];

    if (stored == found)
        return true;
    snprintf(a, sizeof(a), "%lld", (long long)stored);
    snprintf(b, sizeof(b), "%lld", (long long)found);
    return differs(replay, event, subject, a, b);
}

/* How the present position ends the game, by every rule, with its past. */
static void judge(struct replay *replay)
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
    judge(replay);
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
    judge(replay);
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

static bool replay_event(struct replay *replay, const struct db_event *event)
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
        return true;
    case EVENT_DECLARED:
        return replay_declared(replay, event);
    case EVENT_RECORDED:
        return replay_recorded(replay, event);
    case EVENT_JOINED:
    case EVENT_OFFERED:
    case EVENT_ACCEPTED:
    case EVENT_DECLINED:
    case EVENT_WITHDRAWN:
    case EVENT_TIMEOUT:
    case EVENT_CREDITED:
    case EVENT_PAUSED:
    case EVENT_RESUMED:
    case EVENT_TIME_ADDED:
    case EVENT_VACATION:
    case EVENT_INVITED:
    case EVENT_SEAT:
    case EVENT_REMATCH:
    case EVENT_MESSAGE:
        return true;
    }
    return check_number(replay, event, "kind", event->kind, 0);
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

static bool replay_all(struct replay *replay)
{
    const struct db_scan_game *stored = replay->stored;

    for (size_t i = 0; i < stored->count; i++) {
        const struct db_event *event = &stored->events[i];

        if (!check_number(replay, event, "version", event->version, (int64_t)i + 1) ||
            (i == 0 && !check_number(replay, event, "kind", event->kind, EVENT_CREATED)) ||
            !replay_event(replay, event))
            return false;
    }
    return check_row(replay);
}

bool verify_game(const struct db_scan_game *stored, char *what, size_t size)
{
    struct replay *replay = must_alloc(sizeof(*replay));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct arena arena = {NULL, NULL, NULL};
    bool ok = false;

    *replay = (struct replay){.stored = stored,
                              .arena = &arena,
                              .game = rules_find(stored->game->variant),
                              .line = 1,
                              .lines = 1,
                              .status = STATUS_ACTIVE,
                              .what = what,
                              .size = size};
    replay->positions = arena_alloc(&arena, (stored->count + 1) * sizeof(*replay->positions));
    replay->keys = arena_alloc(&arena, (stored->count + 1) * sizeof(*replay->keys));
    if (replay->game == NULL)
        differs(replay, NULL, "variant", stored->game->variant, NULL);
    else if (!options_from_json(replay->game, &arena, stored->game->options, &replay->options,
                                &error))
        differs(replay, NULL, "set of options", stored->game->options, error.detail);
    else
        ok = replay_all(replay);
    arena_free(&arena);
    free(replay);
    return ok;
}
