/* offers.c - offers: making, accepting, declining and withdrawing them. */
#include <stdlib.h>
#include <string.h>

#include "api/endpoints/games/goto_ply.h"
#include "api/endpoints/games/offers.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/refuse.h"
#include "api/endpoints/use_case.h"
#include "api/game/clock.h"
#include "api/game/offer_actions.h"
#include "api/game/offers.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/game_log.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

struct offering_args {
    struct guard guard;
    struct offer wanted; /* its kind, to_ply (MAY_ANY: the asker's last move) and span_us */
    int32_t id;          /* of the offer that is answered */
    struct offers_made made;
};

/* ---- answers ---- */

/* Composes an offer with the game. What the asker may do with it is shown while it is open. */
static const char *offer_document(struct op *op, const struct game_view *view,
                                  const struct offer *offer, bool open)
{
    struct arena *arena = &op->request->arena;
    struct json json;

    if (op->request->form == FORM_TEXT)
        return view_game_text(arena, view);
    json_init(&json, arena);
    json_open(&json, '{');
    json_key(&json, "offer");
    offers_view_one(&json, offer, open ? view->seats : 0);
    use_case_add_game(&json, op, view);
    json_finish(&json);
    return json.out.text;
}

/* Answers with an offer that was made before, and the game as it is now, which is confirmed. */
static enum step tell_offer(struct op *op, unsigned status, const struct offer *offer)
{
    struct game_view view = use_case_view(op);
    bool open = offers_find(view.offers, offer->id) != NULL;

    reply_header(op->request, "ETag", reply_etag(&op->request->arena, view.row->version));
    reply_made(op->request, status, offer_document(op, &view, offer, open));
    return STEP_OVER;
}

/* It may have been withdrawn at another daemon. */
static enum step tell_standing(struct op *op, const struct offer *offer)
{
    enum step step = op_need_confirmed(op);

    return step == STEP_GO ? tell_offer(op, 200, offer) : step;
}

/* The offer is the last one in the few events up to the mark: its acceptance and what was agreed on
 * may have followed at once. */
enum step offering_again(struct op *op, unsigned status)
{
    enum { WINDOW = 3 };
    int32_t version = op->told.version;
    const struct game_log *log;
    struct offer offer;
    enum step step = op_need_confirmed(op);

    if (step == STEP_GO)
        step = game_log_need_part(op, version > WINDOW ? version - WINDOW : 0, version, &log);
    if (step != STEP_GO)
        return step;
    for (size_t i = log->count; i > 0; i--)
        if (offer_actions_made(&op->request->arena, &log->events[i - 1], &offer)) {
            reply_replayed(op->request);
            return tell_offer(op, status, &offer);
        }
    return use_case_fail(op);
}

/* ---- making one ---- */

/* Has an offer accepted, with all that comes of it. False: what is stored does not fit together. */
static bool settle_offer(struct draft *draft, const struct op *op, int32_t id)
{
    struct offer offer = *offers_find(&draft->offers, id);

    offer_actions_accept(draft, id);
    return offer.kind != OFFER_UNDO || goto_back(draft, op, offer.to_ply);
}

/* The offer that both sides agree on by a new one: the opposite one; or the new one, if nobody else
 * is to be asked. NULL: they do not. */
static const struct offer *agreed(const struct draft *draft, const struct offer *offer)
{
    const struct offer *opposite = NULL;

    if (offer->kind == OFFER_DRAW || offer->kind == OFFER_ABORT)
        opposite = offers_of(&draft->offers, offer->kind, (int)rules_other((unsigned)offer->seat));
    return opposite == NULL && draft->seats == SEATS_BOTH ? offer : opposite;
}

static enum step make_offer(struct op *op, const struct offer *wanted, unsigned status)
{
    struct draft *draft = use_case_draft(op);
    struct offer offer = *offer_actions_offer(draft, wanted);
    const struct offer *settled = agreed(draft, &offer);
    bool open = settled == NULL;
    struct game_view view;

    if (settled != NULL && !settle_offer(draft, op, settled->id))
        return use_case_fail(op);
    view = use_case_draft_view(op->request, draft, draft->seats);
    return use_case_write(op, draft, status, offer_document(op, &view, &offer, open));
}

/* Whether the game as it stands is against an offer. Its ply becomes the one that is meant. */
static enum problem is_against(const struct db_game *row, unsigned seats, struct offer *offer)
{
    return offer->kind == OFFER_UNDO ? may_not_offer_undo_to(row, seats, &offer->to_ply)
                                     : may_not_offer(row, seats, offer->kind);
}

/* What a count needs of the op. */
struct counting {
    const struct db_game *row;
    struct offers_made *made;
    int seat;
};

static void count_offers(void *context, const struct db_events *events)
{
    const struct counting *counting = context;
    const struct db_game *row = counting->row;
    struct offers_made *made = counting->made;

    *made = (struct offers_made){.version = row->version};
    for (size_t i = 0; i < events->count; i++)
        made->count += events->items[i].seat == counting->seat &&
                       events->items[i].line == row->line && events->items[i].ply == row->ply;
}

/* A ply has no more events than this: its offers, what ended them, and messages, which have a bound
 * of their own (messages.c). */
enum { PLY_EVENTS = 1000 };

/* There is room for one more. A short log need not be counted. */
static enum step need_room(struct op *op, int seat, struct offers_made *made)
{
    const struct db_game *row = &op->live->row;
    int32_t after = row->version - PLY_EVENTS;
    struct counting *counting;

    if (row->version <= OFFERS_AT_PLY)
        return STEP_GO;
    if (made->version == row->version)
        return made->count < OFFERS_AT_PLY ? STEP_GO
                                           : use_case_refuse(op, PROBLEM_TOO_MANY_OFFERS, NULL);
    counting = arena_alloc(&op->request->arena, sizeof(*counting));
    *counting = (struct counting){row, made, seat};
    db_get_events(db_of(op->request), row->id, EVENT_OFFERED, after > 0 ? after : 0, PLY_EVENTS,
                  ASK_STEP(events, op, count_offers, counting));
    return STEP_LATER;
}

enum step offering_ask(struct op *op, unsigned seats, struct offer wanted, unsigned status,
                       struct offers_made *made)
{
    const struct db_game *row = &op->live->row;
    enum problem why = is_against(row, seats, &wanted);
    const struct offer *open;
    enum step step;

    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    wanted.seat = use_case_seat(row, seats);
    open = offers_of(live_offers(op->live), wanted.kind, wanted.seat);
    if (open != NULL && open->to_ply == wanted.to_ply && open->span_us == wanted.span_us)
        return tell_standing(op, open);
    step = need_room(op, wanted.seat, made);
    if (step == STEP_GO && wanted.kind == OFFER_UNDO && seats == SEATS_BOTH)
        step = goto_need_back(op, wanted.to_ply);
    return step == STEP_GO ? make_offer(op, &wanted, status) : step;
}

static enum step step_make_offer(struct op *op)
{
    struct offering_args *args = op->args;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    return step == STEP_GO ? offering_ask(op, seats, args->wanted, 201, &args->made) : step;
}

static enum step retries_make(struct op *op)
{
    return offering_again(op, 201);
}

/* Each does what `args` ask for in a game, and answers. `args` must live as long as the request. */
static void offering_make(struct request *request, db_id id, struct offering_args *args)
{
    use_case_submit(request, id, step_make_offer, retries_make, args);
}

void offering_ride(struct draft *draft, int seat)
{
    const struct offer *open = offers_of(&draft->offers, OFFER_DRAW, seat);

    if (open == NULL)
        open = offer_actions_offer(draft, &(struct offer){.kind = OFFER_DRAW, .seat = seat});
    if (draft->seats == SEATS_BOTH)
        offer_actions_accept(draft, open->id);
}

/* ---- answering one ---- */

enum { SEARCHED = 1024 }; /* events of the log, for what has become of an offer or a pause */

/* Refuses an offer that was open once, and says what ended it. Only so many events are searched: a
 * request must not read a long log. `own`: it is to be withdrawn; if that is how its own side ended
 * it, the request has come again and is answered with the game. */
static enum step refuse_void(struct op *op, const struct game_log *log, int32_t id, bool own)
{
    struct arena *arena = &op->request->arena;
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);
    const char *detail = NULL;
    const struct db_event *by = NULL;
    struct json json;

    if (step != STEP_GO)
        return step;
    for (size_t i = 1; i < log->count && by == NULL; i++)
        if (offer_actions_ended(arena, &log->events[i], id))
            by = &log->events[i];
    if (own && by != NULL && by->kind == EVENT_WITHDRAWN && (view.seats & seat_bit(by->seat)) != 0)
        return use_case_answer_game(op);
    if (by != NULL)
        detail =
            arena_format(arena, "Event %d (%s) has ended it.", by->version, words_event(by->kind));
    refuse_open(op->request, &json, &view, PROBLEM_OFFER_VOID, detail);
    if (by != NULL) {
        json_key(&json, "ended_by");
        json_open(&json, '{');
        json_member_int(&json, "version", by->version);
        json_member(&json, "type", words_event(by->kind));
        json_close(&json, '}');
    }
    reply_problem_send(op->request, &json, PROBLEM_OFFER_VOID);
    return STEP_OVER;
}

/* Refuses an offer that is not open: an event with its id may have made it. */
static enum step refuse_closed(struct op *op, int32_t id, bool own)
{
    int32_t version = op->live->row.version;
    const struct game_log *log;
    struct offer offer;
    enum step step;

    if (id > version)
        return use_case_refuse(op, PROBLEM_NO_SUCH_OFFER, NULL);
    step = game_log_need_part(op, id - 1, version - id < SEARCHED ? version : id + SEARCHED, &log);
    if (step != STEP_GO)
        return step;
    return offer_actions_made(&op->request->arena, &log->events[0], &offer)
               ? refuse_void(op, log, id, own)
               : use_case_refuse(op, PROBLEM_NO_SUCH_OFFER, NULL);
}

/* The open offer that the request is about, in *offer. `own`: it is answered by the side that made
 * it. */
static enum step find_offer(struct op *op, bool own, struct offer *offer)
{
    const struct offering_args *args = op->args;
    const struct offer *found;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);
    int seat;

    if (step != STEP_GO)
        return step;
    found = offers_find(live_offers(op->live), args->id);
    if (found == NULL)
        return refuse_closed(op, args->id, own);
    seat = own ? found->seat : (int)rules_other((unsigned)found->seat);
    if ((seats & seat_bit(seat)) == 0)
        return use_case_refuse(op, PROBLEM_NOT_YOUR_SEAT,
                               own ? "The other side made that offer. You may accept or decline it."
                                   : "You made that offer yourself. You may withdraw it.");
    *offer = *found;
    return STEP_GO;
}

/* An offer that came with the log of another game need not be possible in this one: there may be no
 * clock. */
static enum step step_accept(struct op *op)
{
    struct draft *draft;
    enum problem why;
    struct offer offer = {0};
    enum step step = find_offer(op, false, &offer);

    if (step != STEP_GO)
        return step;
    why = is_against(&op->live->row, SEATS_BOTH, &offer);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    if (offer.kind == OFFER_UNDO)
        step = goto_need_back(op, offer.to_ply);
    if (step != STEP_GO)
        return step;
    draft = use_case_draft(op);
    return settle_offer(draft, op, offer.id) ? use_case_write_game(op, draft) : use_case_fail(op);
}

static void offering_accept(struct request *request, db_id id, struct offering_args *args)
{
    use_case_submit(request, id, step_accept, retries_game, args);
}

/* Ends an offer by a deed that has no other consequence. */
static enum step end_offer(struct op *op, bool own, void (*deed)(struct draft *draft, int32_t id))
{
    struct draft *draft;
    struct offer offer = {0};
    enum step step = find_offer(op, own, &offer);

    if (step != STEP_GO)
        return step;
    draft = use_case_draft(op);
    deed(draft, offer.id);
    return use_case_write_game(op, draft);
}

static enum step step_decline(struct op *op)
{
    return end_offer(op, false, offer_actions_decline);
}

static void offering_decline(struct request *request, db_id id, struct offering_args *args)
{
    use_case_submit(request, id, step_decline, retries_game, args);
}

static enum step step_withdraw(struct op *op)
{
    return end_offer(op, true, offer_actions_withdraw);
}

static void offering_withdraw(struct request *request, db_id id, struct offering_args *args)
{
    use_case_submit(request, id, step_withdraw, retries_game, args);
}

/* ---- the end of a pause ---- */

/* Whether the last pause of a log was ended by one of these seats. */
static bool have_resumed(const struct game_log *log, unsigned seats)
{
    for (size_t i = log->count; i-- > 0;)
        if (log->events[i].kind == EVENT_PAUSED || log->events[i].kind == EVENT_RESUMED)
            return log->events[i].kind == EVENT_RESUMED &&
                   (seats & seat_bit(log->events[i].seat)) != 0;
    return false;
}

/* The game is not paused. If the asker has ended its pause, the request has come again and is
 * answered with the game. */
static enum step refuse_running(struct op *op, unsigned seats)
{
    int32_t version = op->live->row.version;
    const struct game_log *log;
    enum step step =
        game_log_need_part(op, version > SEARCHED ? version - SEARCHED : 0, version, &log);

    if (step != STEP_GO)
        return step;
    return have_resumed(log, seats) ? use_case_answer_game(op)
                                    : use_case_refuse(op, PROBLEM_NOT_PAUSED, NULL);
}

static enum step step_resume(struct op *op)
{
    const struct offering_args *args = op->args;
    struct draft *draft;
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    draft = use_case_draft(op);
    why = may_not_resume(&draft->row, draft->clock, op->now);
    if (why == PROBLEM_NOT_PAUSED)
        return refuse_running(op, seats);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, NULL);
    offer_actions_resume(draft, use_case_seat(&draft->row, seats));
    return use_case_write_game(op, draft);
}

static void offering_resume(struct request *request, db_id id, struct offering_args *args)
{
    use_case_submit(request, id, step_resume, retries_game, args);
}

/* ---- requests ---- */

enum { WORD_MAX = 32 };

#define TIME_MAX (30 * CLOCK_DAY)

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

static void take_wanted_offer(struct json_fields *fields, struct offer *wanted)
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
    take_wanted_offer(fields, &((struct offering_args *)args)->wanted);
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
