/*
 * subscribed.c - what other programs read of a player's games by themselves, every hour or so:
 * their deadlines as a calendar, and their news as a feed.
 */
#include "api/endpoints/game_page.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/atom.h"
#include "api/endpoints/people/calendar.h"
#include "api/endpoints/people/listing.h"
#include "api/endpoints/people/my_etag.h"
#include "api/http/page.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/out.h"

enum { GAMES = 100 }; /* in an answer */

struct reading {
    struct request *request;
    const char *type, *etag;
    bool by_key; /* a reader's */
    struct db_player_list wanted;
    void (*write)(const struct reading *reading, struct out *out, const struct db_games *page);
};

static void add_all(const struct reading *reading, struct out *out, const struct db_games *page,
                    void (*add)(struct out *out, const struct game_view *view, const char *url))
{
    struct request *request = reading->request;
    struct rules_state state;
    struct game_view view;

    for (size_t i = 0; i < page->count; i++)
        if (listing_item(request, &page->items[i], &state, &view))
            add(out, &view, game_page_url(request, page->items[i].id));
}

static void write_calendar(const struct reading *reading, struct out *out,
                           const struct db_games *page)
{
    calendar_open(out, reading->request->lang);
    add_all(reading, out, page, calendar_add);
    calendar_close(out);
}

/* The games come in the order of their news. A feed without any is as old as its player. */
static void write_feed(const struct reading *reading, struct out *out, const struct db_games *page)
{
    struct request *request = reading->request;
    const struct player *player = request->player;

    atom_open(out, request->lang, player->id,
              page->count == 0 ? player->created_at : page->items[0].updated_at,
              page_url(request, "/v1/me/games.atom"));
    add_all(reading, out, page, atom_add);
    atom_close(out);
}

static void show_subscribed(void *context, const struct db_games *page)
{
    const struct reading *reading = context;
    struct request *request = reading->request;
    struct out out;

    out_init(&out, &request->arena);
    reading->write(reading, &out, page);
    reply_header(request, "ETag", reading->etag);
    reply_private(request);
    reply_body(request, 200, reading->type, out.text, out.len);
}

static void read_games(struct request *request, const struct my_state *state, void *args)
{
    struct reading *reading = args;

    reading->etag = state->etag;
    db_player_games(db_of(request), &reading->wanted,
                    ASK(games, request, show_subscribed, reading));
}

static void begin_reading(struct request *request, void *args)
{
    struct reading *reading = args;

    if (reading->by_key && request->player == NULL)
        reply_problem(request, PROBLEM_TOKEN_UNKNOWN, "The key is no reader's, or has ended.");
    if (request->player == NULL && (reading->by_key || !auth_require_player(request)))
        return;
    reading->wanted.player = request->player->id;
    my_state(request, read_games, reading);
}

/* The key of a reader. NULL: the request shows none. */
static const char *reader_key(struct request *request)
{
    const char *key = query_text(request, "key"), *token = request_token(request);
    db_id player;

    if (key != NULL)
        return key;
    return token != NULL && auth_reader_of(token, &player) ? token : NULL;
}

/* Calendars and feed readers send no headers, so a key may stand in the address, which is theirs
 * alone. */
static void handle_reading(struct request *request, const struct reading *reading)
{
    static const char *const known[] = {"key", "lang", NULL};
    struct reading *kept = arena_alloc(&request->arena, sizeof(*kept));
    const char *key;

    if (!query_ok(request, known) || !input_choice(request))
        return;
    *kept = *reading;
    kept->request = request;
    kept->wanted.list.limit = GAMES;
    key = reader_key(request);
    kept->by_key = key != NULL;
    if (key == NULL)
        begin_reading(request, kept);
    else
        players_identify_reader(request, key, begin_reading, kept);
}

void handle_my_deadlines(struct request *request)
{
    static const struct reading deadlines = {.type = CALENDAR_TYPE,
                                             .wanted = {.by_turn = true, .turn_only = true},
                                             .write = write_calendar};

    handle_reading(request, &deadlines);
}

void handle_my_news(struct request *request)
{
    static const struct reading news = {.type = ATOM_TYPE, .write = write_feed};

    handle_reading(request, &news);
}
