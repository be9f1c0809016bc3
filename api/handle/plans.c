/* plans.c - reading requests about the plan of a seat. */
#include "api/play/plans.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/request.h"
#include "api/play/guard.h"
#include "api/play/input.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"

static bool read_plan(struct request *request, struct plan_args *args)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    int64_t number;

    if (!input_no_query(request) || !guard_read(request, &args->guard))
        return false;
    body = body_read_deep(request, PLAN_LEVELS);
    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (json_take_int(&fields, "after_ply", 0, INT32_MAX - 1, &number))
        args->after_ply = (int32_t)number;
    else
        json_missing(&fields, "after_ply", "The ply that the game is at is expected.");
    if (json_take_int(&fields, "line", 1, INT32_MAX, &number))
        args->guard.line = (int32_t)number;
    plans_take(&fields, &args->plan);
    return body_done(request, body, &fields);
}

void handle_put_plan(struct request *request)
{
    struct plan_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && read_plan(request, args))
        plan_set(request, id, args);
}

void handle_plan(struct request *request)
{
    db_id id;

    if (input_id(request, &id) && input_no_query(request))
        plan_show(request, id);
}

void handle_delete_plan(struct request *request)
{
    db_id id;

    if (input_id(request, &id) && input_no_query(request))
        plan_delete(request, id);
}
