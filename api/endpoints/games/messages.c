/*
 * messages.c - messages of the players to each other.
 *
 * A message is an event with a text and the ply that it is about. Who reads it says
 * game/messages.h. Of the last MESSAGES_WINDOW events a seat can have written MESSAGES_MAX, so that
 * nobody fills a log with them.
 */
#include <string.h>

#include "api/endpoints/games/hearing.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/view.h"
#include "db/db.h"

enum { MESSAGES_TEXT_MAX = 1000 /* characters */, MESSAGES_MAX = 200, MESSAGES_WINDOW = 1000 };

struct message_args {
    struct guard guard;
    const char *text;
    int32_t ply; /* MAY_ANY: the present one */

    /* Private to messages.c: how many the seat has written, at this version of the game. */
    int32_t counted;
    size_t count;
    struct hearing hearing;
};

/* ---- the answer ---- */

static const char *message_document(const struct op *op, const struct game_view *view,
                                    int32_t version, int seat, int32_t ply)
{
    const struct message_args *args = op->args;
    struct json json;

    if (op->request->form == FORM_TEXT)
        return view_game_text(&op->request->arena, view);
    json_init(&json, &op->request->arena);
    json_open(&json, '{');
    json_key(&json, "message");
    json_open(&json, '{');
    json_member_int(&json, "version", version);
    json_member_int(&json, "seat", seat);
    json_member_int(&json, "ply", ply);
    json_member(&json, "text", args->text);
    json_close(&json, '}');
    use_case_add_game(&json, op, view);
    json_finish(&json);
    return json.out.text;
}

/* The request has done it before, with the same text and ply. */
static enum step retries_message(struct op *op)
{
    const struct message_args *args = op->args;
    const struct db_answer *told = &op->told;
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    int32_t ply = args->ply == MAY_ANY ? told->ply : args->ply;
    enum step step = op_need_confirmed(op);

    if (step != STEP_GO)
        return step;
    reply_replayed(request);
    reply_header(request, "ETag", reply_etag(&request->arena, view.row->version));
    reply_made(request, 201, message_document(op, &view, told->version, told->seat, ply));
    return STEP_OVER;
}

/* ---- counting ---- */

static void count_messages(void *context, const struct db_events *events)
{
    struct op *op = context;
    struct message_args *args = op->args;
    int seat = use_case_seat(&op->live->row, use_case_view(op).seats);

    args->counted = op->live->row.version;
    args->count = 0;
    for (size_t i = 0; i < events->count; i++)
        args->count += events->items[i].seat == seat;
}

/* There is room for one more. A short log need not be counted. */
static enum step need_room(struct op *op)
{
    const struct message_args *args = op->args;
    const struct db_game *row = &op->live->row;
    int32_t after = row->version - MESSAGES_WINDOW;

    if (row->version <= MESSAGES_MAX)
        return STEP_GO;
    if (args->counted == row->version)
        return args->count < MESSAGES_MAX ? STEP_GO
                                          : use_case_refuse(op, PROBLEM_TOO_MANY_MESSAGES, NULL);
    db_get_events(db_of(op->request), row->id, EVENT_MESSAGE, after > 0 ? after : 0,
                  MESSAGES_WINDOW, ASK_STEP(events, op, count_messages, op));
    return STEP_LATER;
}

/* ---- writing ---- */

/* A game's token alone does not say who writes: nobody has blocked the holder of one. */
static enum step know_who_hears(struct op *op, int seat)
{
    struct message_args *args = op->args;
    const struct db_seat *own = &op->live->row.seat[seat - 1];
    const struct db_seat *other = &op->live->row.seat[(int)rules_other((unsigned)seat) - 1];

    if (!own->has_player || !other->has_player)
        return STEP_GO;
    return hearing_know(op, &args->hearing, own->player, other->player);
}

static enum step post(struct op *op, int seat, int32_t ply)
{
    const struct message_args *args = op->args;
    struct draft *draft = use_case_draft(op);
    struct db_event *event = draft_event(draft, EVENT_MESSAGE, seat);
    struct game_view view;
    struct json json;

    json_init(&json, draft->arena);
    json_open(&json, '{');
    json_member_int(&json, "ply", ply);
    json_member(&json, "text", args->text);
    hearing_note(&args->hearing, &json);
    json_close(&json, '}');
    event->data = json.out.text;
    view = use_case_draft_view(op->request, draft, draft->seats);
    return use_case_write(op, draft, 201,
                          message_document(op, &view, draft->row.version, seat, ply));
}

static enum step step_post(struct op *op)
{
    const struct message_args *args = op->args;
    const struct db_game *row = &op->live->row;
    int32_t ply = args->ply == MAY_ANY ? row->ply : args->ply;
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    why = may_not_write(row, seats);
    if (why != PROBLEM_NONE)
        return use_case_refuse(op, why, "Messages can be written once the challenge is accepted.");
    if (ply > row->tip)
        return use_case_refuse(op, PROBLEM_NO_SUCH_PLY, NULL);
    step = need_room(op);
    if (step == STEP_GO)
        step = know_who_hears(op, use_case_seat(row, seats));
    return step == STEP_GO ? post(op, use_case_seat(row, seats), ply) : step;
}

/* Writes a message, and answers. `args` must live as long as the request. */
static void messages_post(struct request *request, db_id id, struct message_args *args)
{
    use_case_submit(request, id, step_post, retries_message, args);
}

/* ---- requests ---- */

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
