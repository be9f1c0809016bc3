/*
 * invitations.c - invitations to an open seat.
 *
 * An open seat is kept for whoever has a code.
 *
 * Somebody who plays a seat makes the code and sends it to a friend. It is shown once, and only its
 * hash is stored, with the seat. Whoever joins with it takes the seat, and that ends it. Until it
 * expires nobody else can take the seat; afterwards anybody may join as if there had been no
 * invitation. A newer one for the same seat replaces it. It lets nobody see the game.
 *
 * The answer shows an address for the friend, with the code behind a '#': browsers keep that part
 * to themselves, so the code stands in no log.
 */
#include <string.h>

#include "api/endpoints/game_page.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/games/seats.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/clock.h"
#include "api/game/draft.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/view.h"
#include "db/db.h"

struct invite_args {
    struct guard guard;
    const char *seat; /* its number or its name; NULL: the one that is open */
    int64_t span_us;  /* how long it is valid */
};

/* An invitation that is made. */
struct invitation {
    char code[AUTH_INVITATION_TEXT];
    const char *url;
    int seat;
    int64_t until;
};

static const char *invitation_url(struct request *request, db_id game, const char *code)
{
    return arena_format(&request->arena, "%s#invitation=%s", game_page_url(request, game), code);
}

static const char *invitation_document(const struct op *op, struct draft *draft,
                                       const struct invitation *made)
{
    struct arena *arena = &op->request->arena;
    struct game_view view = use_case_draft_view(op->request, draft, draft->seats);
    struct json json;

    if (op->request->form == FORM_TEXT)
        return arena_format(arena, "code   %s\nurl    %s\nuntil  %s\n\n%s", made->code, made->url,
                            json_time_text(arena, made->until), view_game_text(arena, &view));
    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "code", made->code);
    json_member(&json, "url", made->url);
    json_member_int(&json, "seat", made->seat);
    json_member_time(&json, "expires_at", made->until);
    use_case_add_game(&json, op, &view);
    json_finish(&json);
    return json.out.text;
}

static enum step invite(struct op *op, int seat)
{
    const struct invite_args *args = op->args;
    struct draft *draft = use_case_draft(op);
    struct db_seat *row = &draft->row.seat[seat - 1];
    struct invitation made = {.seat = seat, .until = op->now + args->span_us};

    auth_new_invitation(made.code, row->invitation);
    made.url = invitation_url(op->request, draft->row.id, made.code);
    row->has_invitation = true;
    row->invited_until = made.until;
    draft_data(draft, draft_event(draft, EVENT_INVITED, seat),
               arena_format(draft->arena, "\"until_us\":%lld", (long long)made.until));
    draft->joins = true;
    return use_case_write(op, draft, 201, invitation_document(op, draft, &made));
}

static int first_open_seat(const struct db_game *row)
{
    int seat = 1;

    while (seat < DB_SEATS && row->seat[seat - 1].state != SEAT_OPEN)
        seat++;
    return seat;
}

/* Lets the request invite to a seat, which *seat is then, or withdraw its invitation. */
static enum step may_invite(struct op *op, int *seat)
{
    const struct invite_args *args = op->args;
    const struct db_game *row = &op->live->row;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);
    enum problem why;

    if (step != STEP_GO)
        return step;
    *seat = seats_named(op->live->game, args->seat);
    if (*seat < 0)
        return seats_refuse_name(op);
    if (*seat == 0)
        *seat = first_open_seat(row);
    why = may_not_invite(row, seats);
    if (why == PROBLEM_NONE && row->seat[*seat - 1].state != SEAT_OPEN)
        why = PROBLEM_SEAT_TAKEN;
    return why == PROBLEM_NONE ? STEP_GO : use_case_refuse(op, why, NULL);
}

static enum step step_make_invitation(struct op *op)
{
    int seat;
    enum step step = may_invite(op, &seat);

    return step == STEP_GO ? invite(op, seat) : step;
}

/* Makes an invitation, or withdraws the one of a seat, and answers. `args` must live as long as the
 * request. */
static void invite_make(struct request *request, db_id id, struct invite_args *args)
{
    use_case_submit(request, id, step_make_invitation, NULL, args);
}

/* Without an invitation there is nothing to do, and the answer is the same. */
static enum step step_withdraw(struct op *op)
{
    struct draft *draft;
    int seat;
    enum step step = may_invite(op, &seat);

    if (step != STEP_GO)
        return step;
    if (!op->live->row.seat[seat - 1].has_invitation)
        return use_case_answer_game(op);
    draft = use_case_draft(op);
    draft->row.seat[seat - 1].has_invitation = false;
    draft_data(draft, draft_event(draft, EVENT_INVITED, seat), "\"until_us\":null");
    draft->joins = true;
    return use_case_write_game(op, draft);
}

static void invite_withdraw(struct request *request, db_id id, struct invite_args *args)
{
    use_case_submit(request, id, step_withdraw, retries_game, args);
}

/* ---- requests ---- */

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
