/* writing.c - what players write beside their moves: messages to each other, notes to themselves.
 */
#include <string.h>

#include "api/game/may.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/request.h"
#include "api/play/guard.h"
#include "api/play/input.h"
#include "api/play/messages.h"
#include "api/play/notes.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"

static void take_message(struct json_fields *fields, void *context)
{
    struct message_args *args = context;
    int64_t ply = MAY_ANY;

    if (!input_text(fields, MESSAGES_TEXT_MAX, &args->text) || *args->text == '\0')
        json_missing(fields, "text", "A text is expected.");
    json_take_int(fields, "ply", 0, INT32_MAX, &ply);
    args->ply = (int32_t)ply;
}

void handle_post_message(struct request *request)
{
    struct message_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) &&
        guard_read_args(request, &args->guard, "text", take_message, args))
        messages_post(request, id, args);
}

void handle_notes(struct request *request)
{
    static const char *const known[] = {"after", "limit", NULL};
    int64_t after, limit;
    db_id id;

    if (query_ok(request, known) && query_int(request, "after", -1, INT32_MAX, -1, &after) &&
        query_limit(request, &limit) && input_id(request, &id))
        notes_list(request, id, (int32_t)after, (int32_t)limit);
}

static bool read_note(struct request *request, const char **text)
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
        read_note(request, &text))
        notes_set(request, id, ply, *text == '\0' ? NULL : text);
}

void handle_delete_note(struct request *request)
{
    int32_t ply;
    db_id id;

    if (input_no_query(request) && input_id(request, &id) && input_ply(request, 0, &ply))
        notes_set(request, id, ply, NULL);
}
