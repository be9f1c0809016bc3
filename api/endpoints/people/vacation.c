/*
 * vacation.c - the vacation of a player: a time in which no clock that heeds vacations runs against
 * them.
 *
 * It begins at once and is for all of their games; these learn of it by a promise
 * (player_games.c). A player has 30 days in 365. Each vacation counts for a day at least, or a
 * clock could be stopped at any moment; what is not used of it because it ends early is given back.
 */
#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/clock.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"

#define ALLOWED_US (30 * CLOCK_DAY)

#define WINDOW_US (365 * CLOCK_DAY)

enum deed { SHOW, BEGIN, END };

struct leave {
    struct request *request;
    enum deed deed;
    int64_t span_us; /* of BEGIN */
    int64_t now;
    int64_t before_us;       /* what counts of the vacations that are over */
    struct db_span vacation; /* the present one; to 0: there is none */
    unsigned status;
    struct db_due due;
};

/* ---- counting ---- */

/* What a vacation counts for. */
static int64_t cost(const struct db_span *vacation)
{
    int64_t span = vacation->to - vacation->from;

    return vacation->to == 0 ? 0 : span > CLOCK_DAY ? span : CLOCK_DAY;
}

/* The same of one that was, as far as it lies within the last 365 days. */
static int64_t cost_lately(const struct db_span *vacation, int64_t now)
{
    int64_t from = vacation->from, to = from + cost(vacation);

    if (from < now - WINDOW_US)
        from = now - WINDOW_US;
    return to > from ? to - from : 0;
}

static void count_vacations(struct leave *leave, const struct db_spans *spans)
{
    leave->before_us = 0;
    leave->vacation = (struct db_span){0, 0};
    for (size_t i = 0; i < spans->count; i++) {
        if (spans->items[i].to > leave->now)
            leave->vacation = spans->items[i];
        else
            leave->before_us += cost_lately(&spans->items[i], leave->now);
    }
}

static int64_t left_us(const struct leave *leave)
{
    int64_t left = ALLOWED_US - leave->before_us - cost(&leave->vacation);

    return left > 0 ? left : 0;
}

/* ---- answers ---- */

static void answer_text(struct leave *leave)
{
    struct arena *arena = &leave->request->arena;
    const char *left =
        arena_format(arena, "left   %.1f days\n", (double)left_us(leave) / (double)CLOCK_DAY);

    reply_text(leave->request, leave->status,
               leave->vacation.to == 0
                   ? left
                   : arena_format(arena, "from   %s\nuntil  %s\n%s",
                                  json_time_text(arena, leave->vacation.from),
                                  json_time_text(arena, leave->vacation.to), left));
}

static void answer_vacation(struct leave *leave)
{
    struct json json;

    reply_private(leave->request);
    if (leave->request->form == FORM_TEXT) {
        answer_text(leave);
        return;
    }
    json_init(&json, &leave->request->arena);
    json_open(&json, '{');
    json_key(&json, "vacation");
    if (leave->vacation.to == 0) {
        json_null(&json);
    } else {
        json_open(&json, '{');
        json_member_time(&json, "from_at", leave->vacation.from);
        json_member_time(&json, "until_at", leave->vacation.to);
        json_close(&json, '}');
    }
    json_member_seconds(&json, "left_s", left_us(leave));
    json_finish(&json);
    reply_json(leave->request, leave->status, &json);
}

static void refuse_spent(struct leave *leave)
{
    struct request *request = leave->request;
    int64_t left = ALLOWED_US - leave->before_us;
    struct json json;

    if (left < 0)
        left = 0;
    reply_problem_open(request, &json, PROBLEM_VACATION_SPENT,
                       arena_format(&request->arena,
                                    "A vacation can take %.1f days now: the others of the last 365 "
                                    "days count for %.1f of 30.",
                                    (double)left / (double)CLOCK_DAY,
                                    (double)leave->before_us / (double)CLOCK_DAY));
    json_member_seconds(&json, "left_s", left);
    reply_problem_send(request, &json, PROBLEM_VACATION_SPENT);
}

/* ---- changing it ---- */

static void vacation_written(void *context)
{
    struct leave *leave = context;
    struct loop *loop = leave->request->loop;

    leave->request->made = leave->deed == BEGIN;
    if (due_of(loop) != NULL)
        due_soon(due_of(loop));
    if (leave->vacation.to <= leave->now) {
        leave->before_us += cost(&leave->vacation);
        leave->vacation.to = 0;
    }
    answer_vacation(leave);
}

static void set_vacation(struct leave *leave)
{
    struct request *request = leave->request;

    leave->due = (struct db_due){request->player->id, DUE_VACATION, leave->now};
    db_set_vacation(db_of(request), request->player->id, &leave->vacation, &leave->due,
                    ASK(done, request, vacation_written, leave));
}

/* The same request again changes nothing: the span counts from the beginning of the vacation. */
static void begin_vacation(struct leave *leave)
{
    struct db_span *vacation = &leave->vacation;

    if (vacation->to == 0) {
        vacation->from = leave->now;
        leave->status = 201;
    }
    vacation->to = vacation->from + leave->span_us;
    if (vacation->to < leave->now)
        vacation->to = leave->now;
    if (cost(vacation) > ALLOWED_US - leave->before_us) {
        refuse_spent(leave);
        return;
    }
    set_vacation(leave);
}

static void know_own_vacations(void *context, const struct db_spans *spans)
{
    struct leave *leave = context;

    count_vacations(leave, spans);
    if (leave->deed == BEGIN) {
        begin_vacation(leave);
    } else if (leave->deed == END && leave->vacation.to != 0) {
        leave->vacation.to = leave->now;
        set_vacation(leave);
    } else {
        answer_vacation(leave);
    }
}

static void find_vacation(struct request *request, enum deed deed, int64_t span_us)
{
    struct leave *leave = arena_zero(&request->arena, sizeof(*leave));
    int64_t now = db_now(db_of(request));

    if (!auth_require_player(request))
        return;
    *leave = (struct leave){
        .request = request, .deed = deed, .span_us = span_us, .now = now, .status = 200};
    db_get_vacations(db_of(request), request->player->id, now - WINDOW_US,
                     ASK(spans, request, know_own_vacations, leave));
}

/* Each is for the player who asks, and answers with their vacation and with what they have left.
 * vacation_begin() lets it take `span_us` from its beginning on: a new one, or that on which the
 * player is already. */
static void vacation_show(struct request *request)
{
    find_vacation(request, SHOW, 0);
}

/* Many games may have an event of it, so it is counted like making one. */
static void vacation_begin(struct request *request, int64_t span_us)
{
    if (admission_may_make(request))
        find_vacation(request, BEGIN, span_us);
}

static void vacation_end(struct request *request)
{
    find_vacation(request, END, 0);
}

/* ---- requests ---- */

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
