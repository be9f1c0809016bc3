/* moves.c - reading requests to play moves, to undo and to redo. */
#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/query.h"
#include "api/http/request.h"
#include "api/play/guard.h"
#include "api/play/input.h"
#include "api/play/lines.h"
#include "api/play/moves.h"
#include "api/play/wanted.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "rules/rules.h"

enum { MOVE_BYTES_MAX = 128 };

/* ---- posting moves ---- */

/* Takes a list of texts, which are kept beyond the body. */
static const char *const *take_texts(struct json_fields *fields, const struct json_value *array,
                                     const char *name, size_t count, size_t bytes)
{
    const char **texts = arena_alloc(fields->arena, (count + 1) * sizeof(*texts));

    for (size_t i = 0; i < count; i++)
        if (json_element_string(fields, array, name, i, bytes, &texts[i]))
            texts[i] = body_keep(fields, texts[i]);
    return texts;
}

static bool take_move(struct json_fields *fields, struct move_args *args)
{
    const char **text = arena_alloc(fields->arena, sizeof(*text));

    if (!json_take_string(fields, "move", MOVE_BYTES_MAX, text))
        return false;
    *text = body_keep(fields, *text);
    args->texts = text;
    args->count = 1;
    args->single = true;
    return true;
}

static bool take_clicks(struct json_fields *fields, struct move_args *args)
{
    const struct json_value *array;
    size_t count;

    if (!json_take_array(fields, "clicks", RULES_PATH_MAX, &array, &count))
        return false;
    args->texts = take_texts(fields, array, "clicks", count, RULES_SQUARE_TEXT - 1);
    args->clicked = count;
    args->count = count > 0;
    args->single = true;
    return true;
}

static bool take_list(struct json_fields *fields, struct move_args *args)
{
    const struct json_value *array;
    size_t count;

    if (!json_take_array(fields, "moves", COURSE_MOVES_MAX, &array, &count))
        return false;
    args->texts = take_texts(fields, array, "moves", count, MOVE_BYTES_MAX);
    args->count = count;
    args->single = false;
    return true;
}

/* Takes the one of three members that says what is played. All three are taken in any case: one
 * that is left would be refused as unknown. */
static void take_moves(struct json_fields *fields, struct move_args *args)
{
    int given;

    if (json_has(fields, "from") || json_has_object(fields, "move"))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "move",
                    "A move is one text, {\"move\":\"a3a4\"}, or the clicks that make it, "
                    "{\"clicks\":[\"a3\",\"a4\"]}.");
    given = take_move(fields, args);
    given += take_clicks(fields, args);
    given += take_list(fields, args);
    if (given > 1 || (given == 1 && args->count == 0))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, given == 1 && args->single ? "clicks" : "moves",
                    "Exactly one of move, clicks and moves is expected; a list must not be empty.");
    else if (given == 0)
        json_missing(fields, "move", "A move is expected.");
}

/* A draw may be offered with the move, by a member or (beside a bare text) by a parameter. */
static const char *const offers[] = {"draw", NULL};

static void take_offer(struct json_fields *fields, struct move_args *args)
{
    const char *offer;

    if (!json_take_string(fields, "offer", MOVE_BYTES_MAX, &offer))
        return;
    if (strcmp(offer, offers[0]) == 0)
        args->offers_draw = true;
    else
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "offer",
                    "Only a draw can be offered with a move.");
}

static bool read_moves(struct request *request, struct move_args *args, bool put)
{
    static const char *const known[] = {"dry_run", "include", "offer", "lang", NULL};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    uint32_t offered;
    int64_t number;

    if (!query_ok(request, known) || !input_choice(request) ||
        !query_bool(request, "dry_run", &args->dry_run) ||
        !query_words(request, "offer", offers, &offered) || !guard_read(request, &args->guard))
        return false;
    args->offers_draw = offered != 0;
    args->wait_s = prefer_wait_s(request_header_list(request, "Prefer"));
    body = body_read(request, "move");
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    take_moves(&fields, args);
    take_offer(&fields, args);
    if (!put && json_take_int(&fields, "ply", 1, INT32_MAX, &number))
        args->ply = (int32_t)number;
    if (json_take_int(&fields, "line", 1, INT32_MAX, &number))
        args->guard.line = (int32_t)number;
    if (put && args->count > 0 && !args->single)
        json_refuse(&fields, PROBLEM_BAD_PARAMETER, "moves", "PUT takes a single move.");
    if (put && json_has(&fields, "ply"))
        json_refuse(&fields, PROBLEM_UNKNOWN_FIELD, "ply",
                    "With PUT the ply stands in the address alone.");
    return body_done(request, body, &fields);
}

static struct move_args *new_move_args(struct request *request)
{
    struct move_args *args = arena_zero(&request->arena, sizeof(*args));

    args->ply = MAY_ANY;
    return args;
}

void handle_post_moves(struct request *request)
{
    struct move_args *args = new_move_args(request);
    db_id id;

    if (input_id(request, &id) && read_moves(request, args, false))
        moves_play(request, id, args);
}

void handle_put_move(struct request *request)
{
    struct move_args *args = new_move_args(request);
    db_id id;

    args->put = true;
    if (input_id(request, &id) && input_ply(request, 1, &args->ply) &&
        read_moves(request, args, true))
        moves_play(request, id, args);
}

/* ---- undo and redo ---- */

static void take_ply(struct json_fields *fields, struct line_args *args)
{
    int64_t number;

    args->to_ply = MAY_ANY;
    if (json_take_int(fields, "to_ply", 0, INT32_MAX, &number))
        args->to_ply = (int32_t)number;
}

static void refuse_count(struct json_fields *fields)
{
    if (json_has(fields, "count"))
        json_refuse(fields, PROBLEM_UNKNOWN_FIELD, "count",
                    "Say to which ply the game goes, {\"to_ply\": 0}, or nothing for one step. Its "
                    "member `ply` says where it is.");
}

static void take_undo(struct json_fields *fields, void *args)
{
    take_ply(fields, args);
    refuse_count(fields);
}

static void take_redo(struct json_fields *fields, void *context)
{
    struct line_args *args = context;
    int64_t number;

    take_ply(fields, args);
    if (json_take_int(fields, "line", 1, INT32_MAX, &number))
        args->line = (int32_t)number;
    refuse_count(fields);
}

void handle_undo(struct request *request)
{
    struct line_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "to_ply", take_undo, args))
        lines_undo(request, id, args);
}

void handle_redo(struct request *request)
{
    struct line_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "to_ply", take_redo, args))
        lines_redo(request, id, args);
}
