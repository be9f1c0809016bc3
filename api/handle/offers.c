/* offers.c - reading requests to make and to answer offers, to end a pause, and to claim the end of
 * the game. */
#include <stdlib.h>
#include <string.h>

#include "api/game/clock.h"
#include "api/game/may.h"
#include "api/game/offers.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/play/claims.h"
#include "api/play/guard.h"
#include "api/play/input.h"
#include "api/play/offering.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"

enum { WORD_MAX = 32 };

#define TIME_MAX  (30 * CLOCK_DAY)
#define PAUSE_MAX (365 * CLOCK_DAY)

/* ---- making one ---- */

/* Takes what an offer of this kind asks for. What only other kinds have is left, and so refused. */
static void take_terms(struct json_fields *fields, struct offer *wanted)
{
    int64_t number;

    if (wanted->kind == OFFER_UNDO)
        wanted->to_ply =
            json_take_int(fields, "to_ply", 0, INT32_MAX, &number) ? (int32_t)number : MAY_ANY;
    if (wanted->kind == OFFER_TIME &&
        !clock_take_span(fields, "add", CLOCK_SECOND, TIME_MAX, &wanted->span_us))
        json_missing(fields, "add", "Say how much time is offered: \"add\":\"24h\".");
    if (wanted->kind == OFFER_PAUSE &&
        !clock_take_span(fields, "for", CLOCK_SECOND, PAUSE_MAX, &wanted->span_us))
        json_missing(fields, "for", "Say how long the pause is: \"for\":\"7d\".");
}

static void take_offer(struct json_fields *fields, struct offer *wanted)
{
    static const char kinds[] = "draw, undo, abort, time or pause is expected.";
    const char *kind;

    if (!json_take_string(fields, "kind", WORD_MAX, &kind)) {
        json_missing(fields, "kind", kinds);
        return;
    }
    wanted->kind = (enum offer_kind)offers_kind(kind);
    if (offers_kind(kind) == 0)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "kind", kinds);
    else
        take_terms(fields, wanted);
}

static void take_wanted(struct json_fields *fields, void *args)
{
    take_offer(fields, &((struct offering_args *)args)->wanted);
}

void handle_offer(struct request *request)
{
    struct offering_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "kind", take_wanted, args))
        offering_make(request, id, args);
}

/* ---- answering one ---- */

/* Reads the id of an offer, the second place of the address. */
static bool read_offer_id(struct request *request, int32_t *id)
{
    const char *text = request->param[1];
    char *end;
    long number = strtol(text, &end, 10);

    *id = (int32_t)number;
    if (strchr("0123456789", *text) != NULL && *end == '\0' && number >= 1 && number <= INT32_MAX)
        return true;
    reply_problem(request, PROBLEM_NO_SUCH_OFFER, NULL);
    return false;
}

static void handle_answer(struct request *request,
                          void (*play)(struct request *, db_id, struct offering_args *))
{
    struct offering_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && read_offer_id(request, &args->id) &&
        guard_read_args(request, &args->guard, NULL, NULL, NULL))
        play(request, id, args);
}

void handle_accept(struct request *request)
{
    handle_answer(request, offering_accept);
}

void handle_decline(struct request *request)
{
    handle_answer(request, offering_decline);
}

void handle_withdraw(struct request *request)
{
    handle_answer(request, offering_withdraw);
}

void handle_resume(struct request *request)
{
    struct offering_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, NULL, NULL, NULL))
        offering_resume(request, id, args);
}

/* ---- claims ---- */

enum { CLAIM_WORD_MAX = 32 };

static void take_claim(struct json_fields *fields, void *args)
{
    static const char kinds[] = "timeout, impasse or repetition is expected.";
    struct claim_args *claim = args;
    const char *kind;
    int i = 0;

    if (!json_take_string(fields, "kind", CLAIM_WORD_MAX, &kind)) {
        json_missing(fields, "kind", kinds);
        return;
    }
    while (claims_words[i] != NULL && strcmp(claims_words[i], kind) != 0)
        i++;
    claim->kind = (enum claim)i;
    if (claims_words[i] == NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "kind", kinds);
}

void handle_claim(struct request *request)
{
    struct claim_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, "kind", take_claim, args))
        claims_make(request, id, args);
}
