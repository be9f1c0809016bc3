/*
 * json.c - our own format, written: a JSON object with everything that another plyd needs to have
 * the same game. These are its members, in this order; one that is not known is left out:
 *
 *   format          "plyd-record"
 *   format_version  1
 *   variant, rules_version, options   as the API shows them; `options` has all of them
 *   start           the position at ply 0
 *   position        the position after the last of `moves`
 *   to_move         1 or 2: whose turn it would be there
 *   outcome         {"winner": 1 or 2 (not in a draw), "reason": a word of record_end_text(),
 *                   "confirmed": whether the rules say so}; absent while the game goes on
 *   seats           [{"seat": 1, "name": ..., "engine": ..., "level": ...}, {"seat": 2, ...}]
 *   seed            of an engine
 *   undo, visibility                  as the API shows them
 *   headers         [{"key": "event", "value": ...}, ...]
 *   spots           [{"of": "started", "before": 2, "text": "2001/12/22(土)"}, ...]: names, times
 *                   and the like stood before the header of that number, in these words
 *   started_at, ended_at              RFC 3339, UTC
 *   comment         on the start
 *   moves           [{"move": canonical text, "spent_us": ..., "comment": ...}, ...]: the line that
 *                   the game is on, from the start to the present position
 *   end_spent_us    thought before the end by the side to move
 *   end_word, end_comment             how the record that was read told its end, and what stood
 *                   behind it; a log has them in its first event
 *   events          the whole log: [{"version": 1, "kind": "created", "line": 1, "ply": 0,
 *                   "at": ...}, {"version": 2, "kind": "move", "seat": 1, "line": 1, "ply": 1,
 *                   "move": "7g7f", "at": ...}, {"version": 3, "kind": "undo", ..., "data": {...}}]
 *                   Versions go from 1 without a gap; `line` and `ply` are where the game is after
 *                   the event. An undo or redo goes to a ply of its line, and a move after an undo
 *                   opens the next line. Played from the first to the last, the moves give `moves`.
 *                   `data` is what is stored: the clock after a move, which offer was answered.
 *                   What each kind must have in it is judged when the game is stored.
 *
 * The clock's terms are not in it: a copy has no clock, unless its importer gives it one.
 *
 * Times have microseconds, as they are stored.
 */
#include <string.h>

#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "rules/rules.h"

static void write_text(struct json *json, const char *key, const char *text)
{
    if (text != NULL)
        json_member(json, key, text);
}

static void write_json_time(struct json *json, const char *key, int64_t us)
{
    if (us != RECORD_NO_TIME)
        json_member(json, key, record_time_exact(json->out.arena, us));
}

static void write_outcome(struct json *json, const struct record_outcome *outcome)
{
    if (outcome->end == RECORD_OPEN)
        return;
    json_key(json, "outcome");
    json_open(json, '{');
    if (outcome->winner != 0)
        json_member_int(json, "winner", outcome->winner);
    json_member(json, "reason", record_end_text(outcome));
    json_member_bool(json, "confirmed", outcome->confirmed);
    json_close(json, '}');
}

static void write_seats(struct json *json, const struct record *record)
{
    json_key(json, "seats");
    json_open(json, '[');
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        json_open(json, '{');
        json_member_int(json, "seat", seat);
        write_text(json, "name", record_one_line(json->out.arena, record->name[seat - 1]));
        write_text(json, "engine", record->engine[seat - 1]);
        if (record->level[seat - 1] > 0)
            json_member_int(json, "level", record->level[seat - 1]);
        json_close(json, '}');
    }
    json_close(json, ']');
    if (record->engine[0] != NULL || record->engine[1] != NULL)
        json_member(json, "seed", arena_format(json->out.arena, "%lld", (long long)record->seed));
}

static void write_json_moves(struct json *json, const struct record *record)
{
    const struct record_ending *ending = &record->ending;
    const char *reason = record_end_text(&ending->outcome);

    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < record->nmoves; i++) {
        json_open(json, '{');
        json_member(json, "move", record->moves[i].text);
        if (record->moves[i].spent_us >= 0)
            json_member_int(json, "spent_us", record->moves[i].spent_us);
        write_text(json, "comment", record->moves[i].comment);
        json_close(json, '}');
    }
    json_close(json, ']');
    if (record->ending.spent_us >= 0)
        json_member_int(json, "end_spent_us", record->ending.spent_us);
    if (record->nevents > 0)
        return;
    if (ending->word != NULL && (reason == NULL || strcmp(ending->word, reason) != 0))
        json_member(json, "end_word", ending->word);
    write_text(json, "end_comment", ending->comment);
}

static void write_json_event(struct json *json, const struct record_event *event, size_t version)
{
    json_open(json, '{');
    json_member_int(json, "version", (int64_t)version);
    json_member(json, "kind", event->kind);
    if (event->seat != 0)
        json_member_int(json, "seat", event->seat);
    json_member_int(json, "line", event->line);
    json_member_int(json, "ply", event->ply);
    write_text(json, "move", event->move);
    write_json_time(json, "at", event->at);
    if (event->data != NULL) {
        json_key(json, "data");
        json_raw(json, event->data);
    }
    json_close(json, '}');
}

static void write_events(struct json *json, const struct record *record)
{
    if (record->nevents == 0)
        return;
    json_key(json, "events");
    json_open(json, '[');
    for (size_t i = 0; i < record->nevents; i++)
        write_json_event(json, &record->events[i], i + 1);
    json_close(json, ']');
}

/* The log is the game, so it is told as a whole or not at all. */
static bool knows_log(struct record_writing *writing)
{
    for (size_t i = 0; i < writing->record->nevents; i++)
        if (strcmp(writing->record->events[i].kind, "unknown") == 0) {
            *writing->error = (struct record_error){
                .code = PROBLEM_NEWER_PROGRAM,
                .detail = "The log has an event of a kind that only a newer program knows, so it "
                          "cannot be written down here. Other formats have the moves."};
            return false;
        }
    return true;
}

bool record_write_json(struct record_writing *writing)
{
    const struct record *record = writing->record;
    struct json *json = writing->json;
    const struct record_move *move;
    char position[RULES_POSITION_TEXT];
    struct record_walk walk;

    if (!knows_log(writing) || !record_walk_begin(&walk, writing))
        return false;
    while (record_walk_next(&walk, &move))
        continue;
    record->game->position_text(walk.state, position);
    json_open(json, '{');
    json_member(json, "format", "plyd-record");
    json_member_int(json, "format_version", 1);
    json_member(json, "variant", record->game->name);
    json_member_int(json, "rules_version", record->game->version);
    json_key(json, "options");
    json_raw(json, options_to_json(record->game, writing->arena, &record->options, record->start));
    json_member(json, "start", record->start);
    json_member(json, "position", position);
    json_member_int(json, "to_move", record->game->to_move(walk.state));
    write_outcome(json, &record->ending.outcome);
    write_seats(json, record);
    write_text(json, "undo", record->undo);
    write_text(json, "visibility", record->visibility);
    record_write_header_list(json, record);
    record_write_spots(json, record);
    write_json_time(json, "started_at", record->started_at);
    write_json_time(json, "ended_at", record->ended_at);
    write_text(json, "comment", record->comment);
    write_json_moves(json, record);
    write_events(json, record);
    json_finish(json);
    return writing->error->code == PROBLEM_NONE;
}
