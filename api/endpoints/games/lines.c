/* lines.c - the lines of a game as a tree. */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/game/log_lines.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/live/game_log.h"
#include "api/live/op.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"
#include "db/db.h"

enum { COMMENT_MAX = 1 << 16 };

struct lines_args {
    int64_t after, limit;
    struct game_log log;
};

/* What a record says of a move. */
static const char *comment_of(struct arena *arena, const struct db_event *move)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *data;
    const char *comment = NULL;

    if (move->data == NULL || strstr(move->data, "\"comment\"") == NULL)
        return NULL;
    data = json_read(arena, move->data, strlen(move->data), &error);
    if (data == NULL)
        return NULL;
    json_fields(&fields, arena, data, &error);
    if (json_take_string(&fields, "comment", COMMENT_MAX, &comment))
        comment = arena_copy(arena, comment, strlen(comment));
    json_free(data);
    return comment;
}

/* The number of a line: that of its last move. The present one may have none of its own. */
static int32_t number_of_line(const struct op *op, const struct log_line *line, size_t i)
{
    const struct lines_args *args = op->args;

    return i == 0 ? op->live->row.line : args->log.events[line->moves[line->nmoves - 1]].line;
}

static void write_listed_line(struct json *json, const struct op *op, const struct log_line *lines,
                              size_t i)
{
    const struct lines_args *args = op->args;
    const struct log_line *line = &lines[i];
    const struct db_event *first = line->nmoves == 0 ? NULL : &args->log.events[line->moves[0]];
    const char *comment = first == NULL ? NULL : comment_of(json->out.arena, first);

    json_open(json, '{');
    json_member_int(json, "line", number_of_line(op, line, i));
    if (i > 0)
        json_member_int(json, "parent", number_of_line(op, &lines[line->parent], line->parent));
    json_member_int(json, "from_ply", line->ply);
    json_member_int(json, "tip", line->ply + (int32_t)line->nmoves);
    if (first != NULL)
        json_member(json, "move", first->move);
    if (comment != NULL)
        json_member(json, "comment", comment);
    json_member_bool(json, "present", i == 0);
    json_close(json, '}');
}

static void write_text_line(struct json *json, const struct op *op, const struct log_line *lines,
                            size_t i)
{
    const struct lines_args *args = op->args;
    const struct log_line *line = &lines[i];

    out_format(&json->out, "%c %4d  %4d-%-4d  %s\n", i == 0 ? '*' : ' ',
               number_of_line(op, line, i), line->ply, line->ply + (int32_t)line->nmoves,
               line->nmoves == 0 ? "-" : args->log.events[line->moves[0]].move);
}

static void answer_lines(struct op *op)
{
    const struct lines_args *args = op->args;
    struct request *request = op->request;
    struct arena *arena = &request->arena;
    const struct db_game *row = &op->live->row;
    struct log_line *lines;
    size_t n =
        log_lines(arena, args->log.events, args->log.count, row->tip, SIZE_MAX, NULL, &lines);
    size_t from = (size_t)args->after < n ? (size_t)args->after : n;
    size_t to = n - from > (size_t)args->limit ? from + (size_t)args->limit : n;
    const char *next = NULL;
    struct json json;

    if (to < n)
        next = arena_format(arena, "/v1/games/%s/lines?after=%zu&limit=%d", request->param[0], to,
                            (int)args->limit);
    reply_next(request, next);
    look_label(op, NULL);
    json_init(&json, arena);
    if (request->form != FORM_TEXT)
        reply_list_open(&json);
    for (size_t i = from; i < to; i++)
        (request->form == FORM_TEXT ? write_text_line : write_listed_line)(&json, op, lines, i);
    if (request->form == FORM_TEXT)
        reply_text(request, 200, json.out.text);
    else
        reply_list_send(request, &json, next);
}

static enum step step_lines(struct op *op)
{
    struct lines_args *args = op->args;
    enum step step = look_may_anew(op);

    if (step == STEP_GO)
        step = game_log_need(op, &args->log);
    return step == STEP_GO ? op_offload(op, answer_lines) : step;
}

void handle_lines(struct request *request)
{
    static const char *const known[] = {"after", "limit", NULL};
    struct lines_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (query_ok(request, known) && query_int(request, "after", 0, INT32_MAX, 0, &args->after) &&
        query_limit(request, &args->limit) && input_id(request, &id))
        op_submit(op_new(request, step_lines, args), id);
}
