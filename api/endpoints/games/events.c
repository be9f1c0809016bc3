/* events.c - the log of a game: a page, a stream, a long poll. Its numbered log, page by page or as
 * a stream. */
#include <stdlib.h>
#include <string.h>

#include "api/endpoints/games/ticket.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/prefer.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "api/loop/loop.h"
#include "api/stream/channels.h"
#include "api/stream/game_stream.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"

/* ---- a page of the log ---- */

/* The events for people, one a line. */
static const char *events_text(struct arena *arena, const struct db_event *events, size_t count)
{
    struct out out;

    out_init(&out, arena);
    for (size_t i = 0; i < count; i++)
        out_add(&out, view_event_line(arena, &events[i]));
    return out.text;
}

/* How far a page looks. If it is of one kind of events, that is further than it is long. */
static int32_t page_end(const struct op *op)
{
    enum { WINDOW = 1000 };
    const struct reading *args = op->args;
    int32_t version = op->live->row.version;
    int64_t end = args->after + (args->kind == 0 ? args->limit : WINDOW);

    if (args->after >= version)
        return (int32_t)args->after;
    return end < version ? (int32_t)end : version;
}

static const char *mark_of_events(const struct op *op)
{
    return look_hears(op) ? NULL : "withheld";
}

static void answer_events(struct op *op, const struct db_events *events)
{
    struct request *request = op->request;
    const struct reading *args = op->args;
    size_t count = events->count < (size_t)args->limit ? events->count : (size_t)args->limit;
    const struct db_event *items = look_events(op, events->items, count);
    int32_t end = count < events->count ? events->items[count - 1].version : page_end(op);
    const char *next = NULL;
    struct json json;

    look_label(op, mark_of_events(op));
    if (end < op->live->row.version)
        next = look_next_url(request, "events", args, end);
    reply_next(request, next);
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, events_text(&request->arena, items, count));
        return;
    }
    json_init(&json, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < count; i++)
        view_event(&json, &items[i]);
    reply_list_send(request, &json, next);
}

/* Other news than those that a client waits for are no news to it: it goes on to wait. */
static void show_events(void *context, const struct db_events *events)
{
    struct op *op = context;
    struct reading *args = op->args;

    if (args->kind != 0 && events->count == 0 && op->wait_s > 0)
        args->after = page_end(op);
    else
        answer_events(op, events);
}

/* Events are read from the database each time: a live game holds the present state only. */
static enum step step_events(struct op *op)
{
    const struct reading *args = op->args;
    struct request *request = op->request;
    enum step step = look_may(op);

    if (step == STEP_GO && args->after >= op->live->row.version)
        step = channels_wait(op);
    if (step != STEP_GO)
        return step;
    if (look_unchanged(op, mark_of_events(op)))
        return STEP_OVER;
    db_get_events(db_of(request), op->live->row.id, args->kind, (int32_t)args->after,
                  page_end(op) - (int32_t)args->after, ASK_STEP(events, op, show_events, op));
    return STEP_LATER;
}

static bool read_type(struct request *request, struct reading *args)
{
    const char *type = query_text(request, "type");

    args->kind = type == NULL ? 0 : (int16_t)words_event_kind(type);
    if (type == NULL || args->kind != 0)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?type",
                     arena_format(&request->arena, "No type of event has that name.%s",
                                  words_nearest_event(&request->arena, type)));
    return false;
}

static void handle_page(struct request *request)
{
    static const char *const known[] = {"after", "limit", "type", NULL};
    struct reading *args = look_new(request);
    struct op *op;
    db_id id;

    if (!query_ok(request, known) || !query_int(request, "after", 0, INT32_MAX, 0, &args->after) ||
        !query_limit(request, &args->limit) || !read_type(request, args) || !input_id(request, &id))
        return;
    op = op_new(request, step_events, args);
    op->wait_s = prefer_wait_s(request_header_list(request, "Prefer"));
    op_submit(op, id);
}

/* ---- a stream ---- */

enum { NOW = -1 }; /* for an `after`: what comes from now on */

struct following {
    db_id game;
    int64_t after;
    bool snapshot;
};

/* The game as its first message, which says of itself what it is, as events do. */
static const char *snapshot(struct op *op)
{
    struct game_view view = use_case_view(op);
    struct json json;

    json_init(&json, &op->request->arena);
    json_open(&json, '{');
    json_member(&json, "type", "game");
    view_game(&json, &view, NULL);
    json_close(&json, '}');
    return json.out.text;
}

static enum step step_follow(struct op *op)
{
    const struct following *wish = op->args;
    struct request *request = op->request;
    int32_t version = op->live->row.version;
    enum step step = look_may(op);

    if (step != STEP_GO)
        return step;
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "X-Accel-Buffering", "no");
    reply_header(request, "Vary", "Accept, Authorization, Origin");
    return game_stream_follow(op, request->form == FORM_SSE ? STREAM_SSE : STREAM_LINES,
                              wish->after == NOW ? version : (int32_t)wish->after,
                              wish->snapshot ? snapshot(op) : NULL);
}

/* A browser that connects again asks at the same address as before, and says in the header how far
 * it had come. So the header has the last word, and with it no snapshot is needed. */
static bool read_last_id(struct request *request, struct following *wish)
{
    const char *id = request_header(request, "Last-Event-ID");
    char *end;
    long long number;

    if (id == NULL || *id == '\0')
        return true;
    number = strtoll(id, &end, 10);
    end += strspn(end, " \t");
    if (*id < '0' || *id > '9' || *end != '\0' || number > INT32_MAX) {
        reply_problem(request, PROBLEM_BAD_PARAMETER,
                      "Last-Event-ID must be the id of an event: its version.");
        return false;
    }
    wish->after = number;
    wish->snapshot = false;
    return true;
}

static bool read_following(struct request *request, struct following *wish)
{
    static const char *const known[] = {"after", "snapshot", "ticket", NULL};

    if (!query_ok(request, known) ||
        !query_int(request, "after", 0, INT32_MAX, NOW, &wish->after) ||
        !query_bool(request, "snapshot", &wish->snapshot))
        return false;
    if (wish->snapshot && wish->after != NOW) {
        reply_problem(request, PROBLEM_BAD_PARAMETER,
                      "With snapshot=true the events follow from the game as it is: leave out "
                      "after.");
        return false;
    }
    return read_last_id(request, wish);
}

static void follow_events(struct request *request, void *args)
{
    struct following *wish = args;

    op_submit(op_new(request, step_follow, wish), wish->game);
}

static void handle_stream(struct request *request)
{
    struct following *wish = arena_zero(&request->arena, sizeof(*wish));
    const char *ticket;

    if (!read_following(request, wish) || !input_id(request, &wish->game))
        return;
    ticket = query_text(request, "ticket");
    if (ticket == NULL)
        follow_events(request, wish);
    else
        ticket_use(request, wish->game, ticket, follow_events, wish);
}

void handle_ticket(struct request *request)
{
    db_id id;

    if (input_no_query(request) && input_id(request, &id) && input_no_body(request))
        ticket_make(request, id);
}

void handle_events(struct request *request)
{
    if (request->form == FORM_SSE || request->form == FORM_NDJSON)
        handle_stream(request);
    else
        handle_page(request);
}
