/*
 * record_json.c - our own format, written: a JSON object with everything that another plyd needs to
 * have the same game. Its members, in this order; what is not known is left out:
 *
 *   format          "plyd-record"
 *   format_version  1
 *   variant, rules_version, options   as the API shows them; `options` has all of them
 *   start           the position at ply 0
 *   position        the position after the last of `moves`
 *   to_move         1 or 2: whose turn it would be there
 *   outcome         {"winner": 1 or 2 (not in a draw), "reason": a word of record_end_text(),
 *                   "confirmed": whether the rules say so}; not there while the game goes on
 *   seats           [{"seat": 1, "name": ..., "engine": ...}, {"seat": 2, ...}]
 *   seed            of an engine
 *   undo, visibility                  as the API shows them
 *   headers         [{"key": "event", "value": ...}, ...]
 *   started_at, ended_at              RFC 3339, UTC
 *   comment         on the start
 *   moves           [{"move": canonical text, "spent_us": ..., "comment": ...}, ...]: the line that
 *                   the game is on, from the start to the present position
 *   end_spent_us    thought before the end by the side to move
 *   events          the whole log: [{"version": 1, "kind": "created", "line": 1, "ply": 0,
 *                   "at": ...}, {"version": 2, "kind": "move", "seat": 1, "line": 1, "ply": 1,
 *                   "move": "7g7f", "at": ...}, {"version": 3, "kind": "undo", ..., "data": {...}}]
 *                   Versions go from 1 without a gap; `line` and `ply` are where the game is after
 *                   the event. An undo or redo goes to a ply of its line, and a move after an undo
 *                   opens the next line. Played from the first to the last, the moves give `moves`.
 *
 * Times have microseconds, as they are stored.
 */
#include <string.h>
#include <time.h>

#include "api/record/parts.h"
#include "api/view/view.h"

static void write_text(struct json *out, const char *key, const char *text)
{
    if (text != NULL)
        json_member(out, key, text);
}

static void write_time(struct json *out, const char *key, int64_t us)
{
    time_t seconds = (time_t)(us / 1000000);
    struct tm utc;

    if (us == RECORD_NO_TIME)
        return;
    if (us % 1000000 < 0)
        seconds--;
    gmtime_r(&seconds, &utc);
    json_member(out, key,
                arena_format(out->arena, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", utc.tm_year + 1900,
                             utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                             (int)(us - (int64_t)seconds * 1000000)));
}

static void write_outcome(struct json *out, const struct record_outcome *outcome)
{
    if (outcome->end == RECORD_OPEN)
        return;
    json_key(out, "outcome");
    json_open(out, '{');
    if (outcome->winner != 0)
        json_member_int(out, "winner", outcome->winner);
    json_member(out, "reason", record_end_text(outcome));
    json_member_bool(out, "confirmed", outcome->confirmed);
    json_close(out, '}');
}

static void write_seats(struct json *out, const struct record *record)
{
    json_key(out, "seats");
    json_open(out, '[');
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        json_open(out, '{');
        json_member_int(out, "seat", seat);
        write_text(out, "name", record_one_line(out->arena, record->name[seat - 1]));
        write_text(out, "engine", record->engine[seat - 1]);
        json_close(out, '}');
    }
    json_close(out, ']');
    if (record->engine[0] != NULL || record->engine[1] != NULL)
        json_member(out, "seed", arena_format(out->arena, "%lld", (long long)record->seed));
}

static void write_headers(struct json *out, const struct record *record)
{
    if (record->nheaders == 0)
        return;
    json_key(out, "headers");
    json_open(out, '[');
    for (size_t i = 0; i < record->nheaders; i++) {
        json_open(out, '{');
        json_member(out, "key", record->headers[i].key);
        json_member(out, "value", record->headers[i].value);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_moves(struct json *out, const struct record *record)
{
    json_key(out, "moves");
    json_open(out, '[');
    for (size_t i = 0; i < record->nmoves; i++) {
        json_open(out, '{');
        json_member(out, "move", record->moves[i].text);
        if (record->moves[i].spent_us >= 0)
            json_member_int(out, "spent_us", record->moves[i].spent_us);
        write_text(out, "comment", record->moves[i].comment);
        json_close(out, '}');
    }
    json_close(out, ']');
    if (record->end_spent_us >= 0)
        json_member_int(out, "end_spent_us", record->end_spent_us);
}

static void write_event(struct json *out, const struct record_event *event, size_t version)
{
    json_open(out, '{');
    json_member_int(out, "version", (int64_t)version);
    json_member(out, "kind", event->kind);
    if (event->seat != 0)
        json_member_int(out, "seat", event->seat);
    json_member_int(out, "line", event->line);
    json_member_int(out, "ply", event->ply);
    write_text(out, "move", event->move);
    write_time(out, "at", event->at);
    if (event->data != NULL) {
        json_key(out, "data");
        json_raw(out, event->data);
    }
    json_close(out, '}');
}

static void write_events(struct json *out, const struct record *record)
{
    if (record->nevents == 0)
        return;
    json_key(out, "events");
    json_open(out, '[');
    for (size_t i = 0; i < record->nevents; i++)
        write_event(out, &record->events[i], i + 1);
    json_close(out, ']');
}

bool record_write_json(struct record_writing *writing)
{
    const struct record *record = writing->record;
    struct json *out = writing->out;
    const struct record_move *move;
    char position[RULES_POSITION_TEXT];
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    while (record_walk_next(&walk, writing, &move))
        continue;
    record->game->position_text(walk.state, position);
    json_open(out, '{');
    json_member(out, "format", "plyd-record");
    json_member_int(out, "format_version", 1);
    json_member(out, "variant", record->game->name);
    json_member_int(out, "rules_version", record->game->version);
    json_key(out, "options");
    json_raw(out, options_to_json(record->game, writing->arena, &record->options, record->start));
    json_member(out, "start", record->start);
    json_member(out, "position", position);
    json_member_int(out, "to_move", record->game->to_move(walk.state));
    write_outcome(out, &record->outcome);
    write_seats(out, record);
    write_text(out, "undo", record->undo);
    write_text(out, "visibility", record->visibility);
    write_headers(out, record);
    write_time(out, "started_at", record->started_at);
    write_time(out, "ended_at", record->ended_at);
    write_text(out, "comment", record->comment);
    write_moves(out, record);
    write_events(out, record);
    json_finish(out);
    return writing->error->code == NULL;
}
