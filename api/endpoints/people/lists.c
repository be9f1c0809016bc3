/* lists.c - lists of games: the public ones, those of a player, one's own, those of a collection.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/library/positions.h"
#include "api/endpoints/people/listing.h"
#include "api/endpoints/people/my_etag.h"
#include "api/endpoints/people/read_marks.h"
#include "api/game/ids.h"
#include "api/game/metadata.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/live_game.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/record/times.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/url.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "db/library.h"
#include "rules/rules.h"

/* ---- the lists ---- */

/* Reads ?player=; *found tells whether it is there. False: it is not an id, and was answered. */
static bool read_listed_player(struct listing *listing, bool *found)
{
    const char *player = query_text(listing->request, "player");

    *found = player != NULL;
    if (player == NULL || ids_read(player, &listing->wanted.player))
        return true;
    reply_problem_at(listing->request, PROBLEM_BAD_PARAMETER, "?player",
                     "A player's id is expected.");
    return false;
}

void handle_games(struct request *request)
{
    static const char *const known[] = {"variant", "status", "player", "open_seat", "cursor",
                                        "limit",   "fields", "lang",   NULL};
    struct listing *listing;
    bool of_player;

    if (!auth_nobody_or_player(request)) /* a player sees their seats in the list */
        return;
    listing = listing_read(request, known, false);
    if (listing == NULL || !read_listed_player(listing, &of_player))
        return;
    listing->wanted.public_only = true;
    if (!of_player) { /* the names of those that are loaded are at hand, those of others are not */
        listing->wanted.list.also_others = listing->all_variants;
        db_list_games(db_of(request), &listing->wanted.list,
                      ASK(games, request, listing_show, listing));
        return;
    }
    listing_also_not_loaded(listing);
    db_player_games(db_of(request), &listing->wanted, ASK(games, request, listing_show, listing));
}

/* Reads ?metadata=NAME:TEXT. False: it is none, and was answered. */
static bool read_metadata(struct listing *listing)
{
    struct request *request = listing->request;
    const char *wish = query_text(request, "metadata");
    size_t len = wish == NULL ? 0 : strcspn(wish, ":");

    if (wish == NULL)
        return true;
    if (wish[len] == ':')
        listing->wanted.metadata = metadata_member(&request->arena, wish, len, wish + len + 1);
    if (listing->wanted.metadata != NULL)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?metadata",
                     "A name and a text are expected: ?metadata=table:5");
    return false;
}

static void list_mine(struct request *request, const struct my_state *state, void *args)
{
    struct listing *listing = args;

    listing->etag = state->etag;
    db_player_games(db_of(request), &listing->wanted, ASK(games, request, listing_show, listing));
}

static void show_mine(void *context, const struct game_news *news)
{
    struct listing *listing = context;

    listing->news = news;
    listing_show(listing, &listing->page);
}

/* What is new is counted behind the page, which is kept for so long. */
static void count_mine(void *context, const struct db_games *page)
{
    struct listing *listing = context;
    struct request *request = listing->request;
    struct db_game *games = arena_alloc(&request->arena, (page->count + 1) * sizeof(*games));

    for (size_t i = 0; i < page->count; i++)
        live_copy_row(&request->arena, &page->items[i], &games[i]);
    listing->page = (struct db_games){games, page->count, NULL};
    if (page->next != NULL) {
        listing->next = *page->next;
        listing->page.next = &listing->next;
    }
    read_marks_count(request, &listing->page, show_mine, listing);
}

static void show_or_count_mine(void *context, const struct db_games *page)
{
    struct listing *listing = context;
    struct request *request = listing->request;

    if (request->form != FORM_TEXT && view_wants_unread(request->choice)) {
        count_mine(listing, page);
        return;
    }
    listing->news = read_marks_of(request, page);
    listing_show(listing, page);
}

static void list_my_games(struct request *request, const struct my_state *state, void *args)
{
    struct listing *listing = args;

    listing->etag = state->etag;
    listing->waiting = state->waiting;
    db_player_games(db_of(request), &listing->wanted,
                    ASK(games, request, show_or_count_mine, listing));
}

/* Reads ?ended_after=, a time. False: it is none, and was answered. */
static bool read_ended_after(struct listing *listing)
{
    struct request *request = listing->request;
    const char *text = query_text(request, "ended_after");
    int64_t *after = &listing->wanted.ended_after;

    if (text == NULL)
        return true;
    if (!record_read_date_time(text, after)) {
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?ended_after",
                         "A time is expected: 2026-05-31T12:00:00Z, or with an offset "
                         "2026-05-31T14:00:00+02:00.");
        return false;
    }
    if (*after <= 0)
        *after = 1; /* 0 would be all games */
    return true;
}

void handle_my_games(struct request *request)
{
    static const char *const known[] = {"turn",     "sort",        "variant", "status",
                                        "metadata", "ended_after", "cursor",  "limit",
                                        "fields",   "lang",        NULL};
    static const char *const whose[] = {"me", NULL};
    static const char *const orders[] = {"deadline", NULL}; /* there is no other */
    struct listing *listing;
    uint32_t turn, order;

    if (!auth_require_player(request))
        return;
    listing = listing_read(request, known, true);
    if (listing == NULL || !query_words(request, "turn", whose, &turn) ||
        !query_words(request, "sort", orders, &order) || !read_metadata(listing) ||
        !read_ended_after(listing))
        return;
    if (order != 0)
        reply_deprecated(request, "@1795824000", "Tue, 01 Jun 2027 00:00:00 GMT");
    listing->wanted.player = request->player->id;
    listing->wanted.turn_only = turn != 0;
    listing_also_not_loaded(listing);
    my_state(request, list_my_games, listing);
}

void handle_my_challenges(struct request *request)
{
    static const char *const known[] = {"variant", "cursor", "limit", "fields", "lang", NULL};
    struct listing *listing;

    if (!auth_require_player(request))
        return;
    listing = listing_read(request, known, false);
    if (listing == NULL)
        return;
    listing->wanted.player = request->player->id;
    listing->wanted.challenges_only = true;
    my_state(request, list_mine, listing);
}

/* ---- a collection ---- */

/* What of a collection is asked for, beside the page. */
struct searching {
    struct listing *listing;
    struct db_search search;
};

/* A date. False: it was answered. */
static bool read_date(struct request *request, const char *name, int64_t *at)
{
    const char *text = query_text(request, name);
    int year, month, day, used = 0;
    struct tm tm = {0};

    *at = DB_NEVER;
    if (text == NULL)
        return true;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) == 3 && used == 10 &&
        text[10] == '\0' && year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31) {
        tm.tm_year = year - 1900;
        tm.tm_mon = month - 1;
        tm.tm_mday = day;
        *at = (int64_t)timegm(&tm) * 1000000;
        return true;
    }
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, arena_format(&request->arena, "?%s", name),
                     "A date is expected: 2026-05-31.");
    return false;
}

/* The words by the numbers of winners. */
static bool read_result(struct request *request, int16_t *winner)
{
    static const char *const words[] = {"draw", "1", "2", NULL};
    uint32_t bits;

    if (!query_words(request, "result", words, &bits))
        return false;
    *winner = bits == 1 ? 0 : bits == 2 ? 1 : bits == 4 ? 2 : -1;
    if (*winner >= 0 || bits == 0)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?result", "One of 1, 2, draw is expected.");
    return false;
}

/* A position is one of a game, so that has to be named beside it, and its options, too. */
static bool read_reached(struct request *request, struct db_search *search)
{
    const char *position = query_text(request, "position");
    const struct rules_game *game = search->nvariants == 1 ? rules_find(search->variants[0]) : NULL;
    struct rules_refusal why;
    struct rules_options options;
    struct rules_state state;
    char *copy;

    if (position == NULL)
        return true;
    if (game == NULL || strlen(position) >= RULES_POSITION_TEXT) {
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?position",
                         "Name the game, too: ?variant=shogi&position=...");
        return false;
    }
    copy = arena_copy(&request->arena, position, strlen(position));
    for (char *at = copy; (at = strchr(at, '_')) != NULL;)
        *at = ' ';
    rules_options_init(&options);
    if (!input_options(request, game, &options))
        return false;
    if (!rules_resume(game, &options, copy, &state, &why)) {
        reply_problem_at(request, PROBLEM_RULE_BAD_POSITION, "?position", NULL);
        return false;
    }
    search->key = positions_key(game, &options, &state);
    return true;
}

/* The address of the next page; free texts are escaped. */
static const char *next_found(const struct listing *listing, const struct db_cursor *next)
{
    struct request *request = listing->request;
    struct arena *arena = &request->arena;
    const char *url =
        arena_format(arena, "%s?cursor=%s", request->path, listing_cursor_text(arena, next));

    for (size_t i = 0; listing->known[i] != NULL; i++) {
        const char *value = query_text(request, listing->known[i]);

        if (value != NULL && strcmp(listing->known[i], "cursor") != 0)
            url = arena_format(arena, "%s&%s=%s", url, listing->known[i], url_encode(arena, value));
    }
    return url;
}

static void show_found(void *context, const struct db_reply *reply, const struct db_games *page)
{
    const struct searching *searching = context;

    if (reply->outcome == DB_NOT_FOUND)
        reply_problem(searching->listing->request, PROBLEM_NO_SUCH_COLLECTION, NULL);
    else
        listing_answer(searching->listing, page,
                       page->next == NULL ? NULL : next_found(searching->listing, page->next));
}

void handle_collection_games(struct request *request)
{
    static const char *const known[] = {"name",   "variant", "result", "from", "to", "position",
                                        "cursor", "limit",   "fields", "lang", NULL};
    struct searching *searching = arena_zero(&request->arena, sizeof(*searching));
    struct db_search *search = &searching->search;
    const struct db_list *list;
    const char *named;

    if (!auth_require_player(request))
        return;
    if (!ids_read(request->param[0], &search->collection)) {
        reply_problem(request, PROBLEM_NO_SUCH_COLLECTION, NULL);
        return;
    }
    named = query_text(request, "variant");
    searching->listing = listing_read(
        request,
        input_option_names(&request->arena, named == NULL ? NULL : rules_find(named), known),
        false);
    if (searching->listing == NULL)
        return;
    listing_also_not_loaded(searching->listing);
    list = &searching->listing->wanted.list;
    search->player = request->player->id;
    search->name = query_text(request, "name");
    search->variants = list->variants;
    search->nvariants = list->nvariants;
    search->after = list->after;
    search->limit = list->limit;
    if (read_result(request, &search->winner) && read_date(request, "from", &search->from) &&
        read_date(request, "to", &search->to) && read_reached(request, search))
        db_search(db_of(request), search,
                  ASK_ALSO(games, request, ASK_MISSING, show_found, searching));
}

/* ---- the next one ---- */

static void show_next(void *context, const struct db_games *page)
{
    const struct listing *listing = context;
    struct request *request = listing->request;
    struct rules_state state;
    struct game_view view;
    struct json json;

    listing_label(listing);
    if (page->count == 0 || !listing_item(request, &page->items[0], &state, &view)) {
        reply_empty(request, 204);
        return;
    }
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, view_game_text(&request->arena, &view));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_game(&json, &view, request->choice);
    json_finish(&json);
    reply_json(request, 200, &json);
}

static void find_next(struct request *request, const struct my_state *state, void *args)
{
    struct listing *listing = args;

    listing->etag = state->etag;
    db_player_games(db_of(request), &listing->wanted, ASK(games, request, show_next, listing));
}

void handle_next_game(struct request *request)
{
    static const char *const known[] = {"variant", "include", "lang", NULL};
    struct listing *listing;

    if (!auth_require_player(request))
        return;
    listing = listing_read(request, known, true);
    if (listing == NULL)
        return;
    listing->wanted.list.limit = 1;
    listing->wanted.player = request->player->id;
    listing->wanted.turn_only = true;
    my_state(request, find_next, listing);
}
