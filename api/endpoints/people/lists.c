/*
 * A list is read page by page. Where a page ends is a cursor: the last game's activity and id, with
 * its rank where games are sorted by turns. The next page is what lies behind that point, so games
 * that are made or moved in meanwhile shift nothing, and no page costs more than the first.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/endpoints/people/lists.h"

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/library/positions.h"
#include "api/endpoints/people/my_etag.h"
#include "api/game/ids.h"
#include "api/game/metadata.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/http/route.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/text/url.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "db/library.h"
#include "rules/rules.h"

enum { STATUSES = STATUS_ABORTED };

/* A list that is asked for. */
struct listing {
    struct request *request;
    const char *const *known; /* the parameters that its query may have */
    struct db_player_list wanted;
    struct db_cursor after;
    int16_t statuses[STATUSES];
    const char *etag; /* of the answer, or NULL */
};

/* ---- cursors ---- */

/* A cursor's text has no meaning for clients; it is not signed, for any point of a list may be
 * asked for. */

enum { CURSOR_BYTES = 25, CURSOR_TEXT = 41 };

static const char *cursor_text(struct arena *arena, const struct db_cursor *cursor)
{
    uint8_t bytes[CURSOR_BYTES] = {(uint8_t)cursor->rank};
    char *text = arena_alloc(arena, CURSOR_TEXT);

    for (int i = 0; i < 8; i++)
        bytes[1 + i] = (uint8_t)(cursor->at >> (56 - 8 * i));
    memcpy(bytes + 9, cursor->id.byte, sizeof(cursor->id.byte));
    ids_base32(bytes, sizeof(bytes), text);
    return text;
}

/* Reads a cursor. False: it is not one of a list in this order. */
static bool cursor_read(const char *text, bool by_turn, struct db_cursor *cursor)
{
    uint8_t bytes[CURSOR_BYTES];
    uint64_t at = 0;

    if (!ids_base32_read(text, bytes, sizeof(bytes)))
        return false;
    for (int i = 0; i < 8; i++)
        at = at << 8 | bytes[1 + i];
    cursor->rank = bytes[0] == (uint8_t)DB_RANK_DEADLINE ? DB_RANK_DEADLINE : bytes[0];
    cursor->at = (int64_t)at;
    memcpy(cursor->id.byte, bytes + 9, sizeof(cursor->id.byte));
    return at <= (uint64_t)JSON_TIME_MAX &&
           (by_turn ? cursor->rank >= DB_RANK_DEADLINE && cursor->rank <= DB_RANK_OVER
                    : cursor->rank == DB_RANK_OTHER);
}

/* ---- what is asked for ---- */

/* Games of all variants, if none are named: the statement takes a list in any case. */
static bool read_variants(struct listing *listing)
{
    struct request *request = listing->request;
    size_t count = rules_games(), n = 0;
    const char **names = arena_zero(&request->arena, (count + 1) * sizeof(*names));
    const char **wanted = arena_alloc(&request->arena, count * sizeof(*wanted));
    uint32_t bits;

    for (size_t i = 0; i < count; i++)
        names[i] = rules_game(i)->name;
    if (!query_words(request, "variant", names, &bits))
        return false;
    for (size_t i = 0; i < count; i++)
        if (bits == 0 || (bits & 1U << i) != 0)
            wanted[n++] = names[i];
    listing->wanted.list.variants = wanted;
    listing->wanted.list.nvariants = n;
    return true;
}

/* All statuses, if none are named. ?open_seat=true is another way to say "open", since that is the
 * status of every game with an open seat. */
static bool read_statuses(struct listing *listing)
{
    static const char *const names[] = {"open", "active", "finished", "aborted", NULL};
    static const char *const truth[] = {"true", NULL};
    struct db_list *list = &listing->wanted.list;
    uint32_t bits, open_seat;

    if (!query_words(listing->request, "status", names, &bits) ||
        !query_words(listing->request, "open_seat", truth, &open_seat))
        return false;
    list->statuses = listing->statuses;
    for (int16_t status = STATUS_OPEN; status <= STATUS_ABORTED; status++)
        if ((bits == 0 || (bits & 1U << (status - 1)) != 0) &&
            (open_seat == 0 || status == STATUS_OPEN))
            listing->statuses[list->nstatuses++] = status;
    return true;
}

static bool read_listed_page(struct listing *listing)
{
    struct request *request = listing->request;
    const char *cursor = query_text(request, "cursor");
    struct db_list *list = &listing->wanted.list;
    int64_t limit;

    if (!query_limit(request, &limit))
        return false;
    list->limit = (int32_t)limit;
    if (cursor == NULL)
        return true;
    list->after = &listing->after;
    if (cursor_read(cursor, listing->wanted.by_turn, &listing->after))
        return true;
    reply_problem_at(request, PROBLEM_BAD_CURSOR, "?cursor", NULL);
    return false;
}

/* Reads what all lists have in common. NULL: it was answered. */
static struct listing *read_listing(struct request *request, const char *const *known, bool by_turn)
{
    struct listing *listing = arena_zero(&request->arena, sizeof(*listing));

    listing->request = request;
    listing->known = known;
    listing->wanted.by_turn = by_turn;
    return query_ok(request, known) && input_choice(request) && read_variants(listing) &&
                   read_statuses(listing) && read_listed_page(listing)
               ? listing
               : NULL;
}

/* ---- a page ---- */

/* The address of the same list from another point on. The values but that of ?metadata= need no
 * escapes: each was understood, so it is a number or made of words and ids. */
static const char *next_url(const struct listing *listing, const struct db_cursor *next)
{
    struct request *request = listing->request;
    struct arena *arena = &request->arena;
    const char *url =
        arena_format(arena, "%s?cursor=%s", request->route->pattern, cursor_text(arena, next));

    for (size_t i = 0; listing->known[i] != NULL; i++) {
        const char *value = query_text(request, listing->known[i]);

        if (value != NULL && strcmp(listing->known[i], "cursor") != 0)
            url = arena_format(arena, "%s&%s=%s", url, listing->known[i],
                               strcmp(listing->known[i], "metadata") == 0 ? url_encode(arena, value)
                                                                          : value);
    }
    return url;
}

bool lists_item(struct request *request, const struct db_game *row, struct rules_state *state,
                struct game_view *view)
{
    struct rules_options options;

    *view = (struct game_view){.row = row,
                               .game = row_position(row, &options, state),
                               .state = state,
                               .seats = auth_seats(request, row),
                               .hints = thinkers_anywhere(),
                               .now = db_now(db_of(request)),
                               .gaps = {request->loop->outages, request->loop->outages_count},
                               .lang = request->lang};
    view->clock = view_clock(&request->arena, view);
    view->offers = view_offers(&request->arena, view);
    return view->game != NULL && (view->clock != NULL) == (row->clock != NULL) &&
           (view->offers->count > 0) == (row->offers != NULL);
}

static void view_items(struct json *json, struct request *request, const struct db_games *page)
{
    struct rules_state state;
    struct game_view view;

    for (size_t i = 0; i < page->count; i++) {
        if (!lists_item(request, &page->items[i], &state, &view))
            continue;
        json_open(json, '{');
        view_game(json, &view, request->choice);
        json_close(json, '}');
    }
}

static const char *lines_text(struct request *request, const struct db_games *page)
{
    int64_t now = db_now(db_of(request));
    struct rules_state state;
    struct game_view view;
    struct out out;

    out_init(&out, &request->arena);
    for (size_t i = 0; i < page->count; i++)
        if (lists_item(request, &page->items[i], &state, &view))
            out_add(&out, view_game_line(&request->arena, &view, now));
    return out.text;
}

static void label(const struct listing *listing)
{
    struct request *request = listing->request;

    if (listing->etag != NULL)
        reply_header(request, "ETag", listing->etag);
    reply_private(request);
}

/* `next` is the address of the next page; NULL: there is none. */
static void answer_page(const struct listing *listing, const struct db_games *page,
                        const char *next)
{
    struct request *request = listing->request;
    struct json json;

    label(listing);
    reply_next(request, next);
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, lines_text(request, page));
        return;
    }
    json_init(&json, &request->arena);
    reply_list_open(&json);
    view_items(&json, request, page);
    reply_list_send(request, &json, next);
}

static void show_page(void *context, const struct db_games *page)
{
    const struct listing *listing = context;

    answer_page(listing, page, page->next == NULL ? NULL : next_url(listing, page->next));
}

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
    listing = read_listing(request, known, false);
    if (listing == NULL || !read_listed_player(listing, &of_player))
        return;
    listing->wanted.public_only = true;
    if (of_player)
        db_player_games(db_of(request), &listing->wanted, ASK(games, request, show_page, listing));
    else
        db_list_games(db_of(request), &listing->wanted.list,
                      ASK(games, request, show_page, listing));
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
    db_player_games(db_of(request), &listing->wanted, ASK(games, request, show_page, listing));
}

void handle_my_games(struct request *request)
{
    static const char *const known[] = {"turn",   "sort",  "variant", "status", "metadata",
                                        "cursor", "limit", "fields",  "lang",   NULL};
    static const char *const whose[] = {"me", NULL};
    static const char *const orders[] = {"deadline", NULL}; /* there is no other */
    struct listing *listing;
    uint32_t turn, order;

    if (!auth_require_player(request))
        return;
    listing = read_listing(request, known, true);
    if (listing == NULL || !query_words(request, "turn", whose, &turn) ||
        !query_words(request, "sort", orders, &order) || !read_metadata(listing))
        return;
    listing->wanted.player = request->player->id;
    listing->wanted.turn_only = turn != 0;
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
    const struct rules_game *game = search->variant == NULL ? NULL : rules_find(search->variant);
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
    const char *url = arena_format(arena, "%s?cursor=%s", request->path, cursor_text(arena, next));

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
        answer_page(searching->listing, page,
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
    searching->listing = read_listing(
        request,
        input_option_names(&request->arena, named == NULL ? NULL : rules_find(named), known),
        false);
    if (searching->listing == NULL)
        return;
    list = &searching->listing->wanted.list;
    search->player = request->player->id;
    search->name = query_text(request, "name");
    search->variant = list->nvariants == 1 ? list->variants[0] : NULL;
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

    label(listing);
    if (page->count == 0 || !lists_item(request, &page->items[0], &state, &view)) {
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
    listing = read_listing(request, known, true);
    if (listing == NULL)
        return;
    listing->wanted.list.limit = 1;
    listing->wanted.player = request->player->id;
    listing->wanted.turn_only = true;
    my_state(request, find_next, listing);
}
