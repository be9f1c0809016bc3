/* my_events.c - the events of all games of a player: a page, a stream, a long poll. Page by page,
 * or as a stream. */
#include <string.h>

#include "api/endpoints/games/ticket.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/my_etag.h"
#include "api/game/feed_cursor.h"
#include "api/game/ids.h"
#include "api/game/messages.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/stream/player_stream.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/view/view.h"
#include "db/db.h"

/* What is asked for. */
struct wish {
    struct request *request;
    bool from_now; /* there is no cursor */
    struct feed_cursor cursor;
    int64_t limit; /* of a page */
    const struct my_state *state;
};

/* Reads a cursor, if there is a text. False: it was answered. */
static bool read_cursor(struct wish *wish, const char *text, const char *place)
{
    if (text == NULL || *text == '\0')
        return true;
    wish->from_now = false;
    if (feed_cursor_read(text, &wish->cursor))
        return true;
    reply_problem_at(wish->request, PROBLEM_BAD_CURSOR, place, NULL);
    return false;
}

/* ---- a page ---- */

static const char *events_text(struct request *request, const struct db_feed_page *page)
{
    struct arena *arena = &request->arena;
    char game[IDS_TEXT];
    struct out out;

    out_init(&out, arena);
    for (size_t i = 0; i < page->count; i++) {
        struct db_event event =
            messages_shown_to(arena, &page->items[i].event, &request->player->id);

        ids_text(page->items[i].game, game);
        out_add(&out, game);
        out_add(&out, " ");
        out_add(&out, view_event_line(arena, &event));
    }
    return out.text;
}

static void view_items(struct json *json, const struct wish *wish, const struct db_feed_page *page)
{
    struct feed_cursor cursor = wish->cursor;
    char text[FEED_CURSOR_TEXT];

    for (size_t i = 0; i < page->count; i++) {
        feed_cursor_pass(&cursor, &page->items[i]);
        feed_cursor_text(&cursor, text);
        view_feed_event(json, &page->items[i], &wish->request->player->id, text);
    }
}

static void answer_page(struct wish *wish, const struct db_feed_page *page)
{
    struct request *request = wish->request;
    struct feed_cursor end = wish->cursor;
    char cursor[FEED_CURSOR_TEXT];
    const char *next = NULL;
    struct json json;

    if (page->more)
        feed_cursor_pass(&end, &page->items[page->count - 1]);
    else
        feed_cursor_end(&end);
    feed_cursor_text(&end, cursor);
    reply_header(request, "ETag", wish->state->etag);
    if (end.upto != 0)
        next = arena_format(&request->arena, "/v1/me/events?after=%s&limit=%lld", cursor,
                            (long long)wish->limit);
    reply_private(request);
    reply_next(request, next);
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, events_text(request, page));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member(&json, "cursor", arena_format(&request->arena, "%s", cursor));
    json_key(&json, "items");
    json_open(&json, '[');
    view_items(&json, wish, page);
    reply_list_send(request, &json, next);
}

/* Whether the client knows all that there is. Without a cursor it wants one. */
static bool is_at_end(const struct wish *wish, const struct db_feed_page *page)
{
    return !wish->from_now && page->count == 0 && !page->more;
}

static void show_events(void *context, const struct db_feed_page *page)
{
    struct wish *wish = context;

    if (page->partial)
        feed_cursor_hold(&wish->cursor);
    if (!is_at_end(wish, page) || !my_etag_wait(wish->request, wish->state))
        answer_page(wish, page);
}

static void ask_events(struct wish *wish)
{
    struct request *request = wish->request;

    db_get_player_events(db_of(request), request->player->id, &wish->cursor.at,
                         (int32_t)wish->limit, ASK(feed, request, show_events, wish));
}

static void begin_pass(void *context, const struct db_horizon *horizon)
{
    struct wish *wish = context;

    if (wish->from_now)
        wish->cursor.at.since = horizon->at;
    feed_cursor_begin(&wish->cursor, horizon->at);
    if (wish->from_now)
        show_events(wish, &(struct db_feed_page){.count = 0});
    else
        ask_events(wish);
}

static void read_my_events_page(struct request *request, const struct my_state *state, void *args)
{
    struct wish *wish = args;

    wish->state = state;
    if (wish->cursor.upto == 0)
        db_get_horizon(db_of(request), ASK(horizon, request, begin_pass, wish));
    else
        ask_events(wish);
}

static void handle_page(struct request *request, struct wish *wish)
{
    static const char *const known[] = {"after", "limit", NULL};

    if (!auth_require_player(request) || !query_ok(request, known) ||
        !query_limit(request, &wish->limit) ||
        !read_cursor(wish, query_text(request, "after"), "?after"))
        return;
    my_state(request, read_my_events_page, wish);
}

/* ---- a stream ---- */

/* Without the blanks behind it, which are no part of it. */
static const char *last_id(struct request *request)
{
    const char *id = request_header(request, "Last-Event-ID");

    return id == NULL ? NULL : arena_copy(&request->arena, id, strcspn(id, " \t"));
}

static void follow_my_events(struct request *request, void *args)
{
    const struct wish *wish = args;

    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "X-Accel-Buffering", "no");
    reply_header(request, "Vary", "Accept, Authorization, Origin");
    player_stream_follow(request, request->form == FORM_SSE ? STREAM_SSE : STREAM_LINES,
                         wish->from_now ? NULL : &wish->cursor);
}

/* A browser that connects again asks at the same address as before, and says in the header how far
 * it had come. So the header has the last word. */
static void handle_stream(struct request *request, struct wish *wish)
{
    static const char *const known[] = {"after", "ticket", NULL};
    const char *ticket;

    if (!query_ok(request, known) || !read_cursor(wish, query_text(request, "after"), "?after") ||
        !read_cursor(wish, last_id(request), "Last-Event-ID"))
        return;
    ticket = query_text(request, "ticket");
    if (ticket != NULL)
        ticket_use_player(request, ticket, follow_my_events, wish);
    else if (auth_require_player(request))
        follow_my_events(request, wish);
}

void handle_my_events(struct request *request)
{
    struct wish *wish = arena_zero(&request->arena, sizeof(*wish));

    wish->request = request;
    wish->from_now = true;
    if (request->form == FORM_SSE || request->form == FORM_NDJSON)
        handle_stream(request, wish);
    else
        handle_page(request, wish);
}

void handle_my_ticket(struct request *request)
{
    if (input_no_query(request) && input_no_body(request) && auth_require_player(request))
        ticket_make_player(request);
}
