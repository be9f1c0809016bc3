/* vacation.c - the vacation of a player. */
#include "api/play/vacation.h"
#include "api/game/clock.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/request.h"
#include "api/play/input.h"
#include "api/table/auth.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"

void handle_vacation(struct request *request)
{
    if (input_no_query(request))
        vacation_show(request);
}

void handle_begin_vacation(struct request *request)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    int64_t span_us = 0;

    if (!input_no_query(request) || !auth_require_player(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    if (!clock_take_span(&fields, "for", CLOCK_DAY, 30 * CLOCK_DAY, &span_us))
        json_missing(&fields, "for", "A time of 1 to 30 days is expected, such as \"7d\".");
    if (body_done(request, body, &fields))
        vacation_begin(request, span_us);
}

void handle_end_vacation(struct request *request)
{
    if (input_no_query(request))
        vacation_end(request);
}
