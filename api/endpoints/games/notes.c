/*
 * notes.c - what a seat writes for itself at the plies of its game.
 *
 * Notes are in no log and change no version. Nobody but the seat sees them. Somebody who plays both
 * seats has those of seat 1.
 */
#include <stdint.h>
#include <string.h>

#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "db/db.h"

enum { NOTES_TEXT_MAX = 2000 /* characters */ };

struct note_args {
    struct request *request;
    struct db_note note; /* to be set */
    int32_t after, limit;
};

/* The seat whose notes they are. Who plays is judged by the present state: a token may have been
 * replaced meanwhile. */
static enum step need_seat(struct op *op, int16_t *seat)
{
    unsigned seats;
    enum step step = use_case_may_act(op, &guard_none, &seats);

    if (step == STEP_GO)
        step = op_need_confirmed(op);
    if (step == STEP_GO)
        *seat = (seats & seat_bit(1)) != 0 ? 1 : 2;
    return step;
}

/* ---- looking ---- */

static void view_note(struct json *json, const struct db_note *note)
{
    json_open(json, '{');
    json_member_int(json, "ply", note->ply);
    json_member(json, "text", note->text);
    json_member_time(json, "at", note->at);
    json_close(json, '}');
}

static const char *note_text(struct arena *arena, const struct db_note *note)
{
    return arena_format(arena, "ply %d, %s\n%s\n", note->ply, json_time_text(arena, note->at),
                        note->text);
}

static const char *next_url(const struct note_args *args, int32_t after)
{
    return arena_format(&args->request->arena, "/v1/games/%s/notes?after=%d&limit=%d",
                        args->request->param[0], after, args->limit);
}

static void show_page(void *context, const struct db_notes *notes)
{
    const struct note_args *args = context;
    struct request *request = args->request;
    const char *next = notes->count < (size_t)args->limit
                           ? NULL
                           : next_url(args, notes->items[notes->count - 1].ply);
    struct json json;
    struct out out;

    reply_private(request);
    reply_next(request, next);
    if (request->form == FORM_TEXT) {
        out_init(&out, &request->arena);
        for (size_t i = 0; i < notes->count; i++)
            out_add(&out, note_text(&request->arena, &notes->items[i]));
        reply_text(request, 200, out.text);
        return;
    }
    json_init(&json, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < notes->count; i++)
        view_note(&json, &notes->items[i]);
    reply_list_send(request, &json, next);
}

/* The game is not needed any more, and the next op at it runs. */
static enum step step_list(struct op *op)
{
    struct note_args *args = op->args;
    int16_t seat;
    enum step step = need_seat(op, &seat);

    if (step != STEP_GO)
        return step;
    db_get_notes(db_of(op->request), op->live->row.id, seat, args->after, args->limit,
                 ASK(notes, args->request, show_page, args));
    return STEP_OVER;
}

/* Answers with a page of the asker's notes, those behind ply `after`. */
static void notes_list(struct request *request, db_id id, int32_t after, int32_t limit)
{
    struct note_args *args = arena_zero(&request->arena, sizeof(*args));

    *args = (struct note_args){.request = request, .after = after, .limit = limit};
    op_submit(op_new(request, step_list, args), id);
}

/* ---- writing ---- */

static void answer_note(struct request *request, const struct db_note *note)
{
    struct json json;

    if (note->text == NULL) {
        reply_empty(request, 204);
    } else if (request->form == FORM_TEXT) {
        reply_text(request, 200, note_text(&request->arena, note));
    } else {
        json_init(&json, &request->arena);
        view_note(&json, note);
        out_add(&json.out, "\n");
        reply_json(request, 200, &json);
    }
}

static void note_written(void *context, const struct db_reply *reply)
{
    const struct note_args *args = context;

    if (reply->outcome == DB_OK)
        answer_note(args->request, &args->note);
    else
        reply_problem(args->request, PROBLEM_TOO_MANY_NOTES, NULL);
}

static enum step step_set(struct op *op)
{
    struct note_args *args = op->args;
    int16_t seat;
    enum step step = need_seat(op, &seat);

    if (step != STEP_GO)
        return step;
    if (args->note.ply > op->live->row.tip && args->note.text != NULL)
        return use_case_refuse(op, PROBLEM_NO_SUCH_PLY, NULL);
    args->note.at = op->now;
    db_set_note(db_of(op->request), op->live->row.id, seat, &args->note,
                ASK_ALSO(done, args->request, ASK_CONFLICT, note_written, args));
    return STEP_OVER;
}

/* Sets the note of a ply, or deletes it (text NULL), and answers. */
static void notes_set(struct request *request, db_id id, int32_t ply, const char *text)
{
    struct note_args *args = arena_zero(&request->arena, sizeof(*args));

    *args = (struct note_args){.request = request, .note = {.ply = ply, .text = text}};
    op_submit(op_new(request, step_set, args), id);
}

/* ---- requests ---- */

void handle_notes(struct request *request)
{
    static const char *const known[] = {"after", "limit", NULL};
    int64_t after, limit;
    db_id id;

    if (query_ok(request, known) && query_int(request, "after", -1, INT32_MAX, -1, &after) &&
        query_limit(request, &limit) && input_id(request, &id))
        notes_list(request, id, (int32_t)after, (int32_t)limit);
}

static bool read_posted_note(struct request *request, const char **text)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body = body_read(request, "text");

    *text = NULL;
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (!input_text(&fields, NOTES_TEXT_MAX, text))
        json_missing(&fields, "text", "A text is expected; an empty one deletes the note.");
    return body_done(request, body, &fields);
}

void handle_put_note(struct request *request)
{
    const char *text;
    int32_t ply;
    db_id id;

    if (input_no_query(request) && input_id(request, &id) && input_ply(request, 0, &ply) &&
        read_posted_note(request, &text))
        notes_set(request, id, ply, *text == '\0' ? NULL : text);
}

void handle_delete_note(struct request *request)
{
    int32_t ply;
    db_id id;

    if (input_no_query(request) && input_id(request, &id) && input_ply(request, 0, &ply))
        notes_set(request, id, ply, NULL);
}
