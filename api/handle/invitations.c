/* invitations.c - invitations to an open seat: making one, withdrawing it. */
#include "api/game/clock.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/request.h"
#include "api/play/guard.h"
#include "api/play/input.h"
#include "api/play/invite.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"

static void take_invitation(struct json_fields *fields, void *context)
{
    struct invite_args *args = context;
    const char *seat = NULL;

    if (json_take_scalar(fields, "seat", &seat))
        args->seat = body_keep(fields, seat);
    args->span_us = 7 * CLOCK_DAY;
    clock_take_span(fields, "expires", 60 * CLOCK_SECOND, 365 * CLOCK_DAY, &args->span_us);
}

void handle_invite(struct request *request)
{
    struct invite_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) &&
        guard_read_args(request, &args->guard, NULL, take_invitation, args))
        invite_make(request, id, args);
}

void handle_withdraw_invitation(struct request *request)
{
    struct invite_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    args->seat = request->param[1];
    if (input_only_choice(request) && guard_read(request, &args->guard) && input_id(request, &id))
        invite_withdraw(request, id, args);
}
