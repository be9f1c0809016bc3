/*
 * A list is read page by page. Where a page ends is a cursor: the last game's activity and id, with
 * its rank where games are sorted by turns. The next page is what lies behind that point, so games
 * that are made or moved in meanwhile shift nothing, and no page costs more than the first.
 */
#include <string.h>

#include "api/endpoints/people/listing.h"

#include "api/endpoints/input.h"
#include "api/game/ids.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/http/route.h"
#include "api/live/auth.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/text/url.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

/* ---- cursors ---- */

/* A cursor's text has no meaning for clients; it is not signed, for any point of a list may be
 * asked for. */

enum { CURSOR_BYTES = 25, CURSOR_TEXT = 41 };

const char *listing_cursor_text(struct arena *arena, const struct db_cursor *cursor)
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
    listing->all_variants = bits == 0;
    return true;
}

/* Has the games of a player come with those whose rules are not loaded here, unless it was asked
 * for others. A list of all public games has none of them: it asks for each variant by its name. */
void listing_also_not_loaded(struct listing *listing)
{
    if (listing->all_variants)
        listing->wanted.list.nvariants = 0;
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
struct listing *listing_read(struct request *request, const char *const *known, bool by_turn)
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

/* The address of the same list from another point on. Also values that were understood are escaped:
 * a language is known by its beginning, and what follows would stand in the header Link. */
static const char *next_url(const struct listing *listing, const struct db_cursor *next)
{
    struct request *request = listing->request;
    struct arena *arena = &request->arena;
    const char *url = arena_format(arena, "%s?cursor=%s", request->route->pattern,
                                   listing_cursor_text(arena, next));

    for (size_t i = 0; listing->known[i] != NULL; i++) {
        const char *value = query_text(request, listing->known[i]);

        if (value != NULL && strcmp(listing->known[i], "cursor") != 0)
            url = arena_format(arena, "%s&%s=%s", url, listing->known[i], url_encode(arena, value));
    }
    return url;
}

bool listing_item(struct request *request, const struct db_game *row, struct rules_state *state,
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

static void view_items(struct json *json, const struct listing *listing,
                       const struct db_games *page)
{
    struct request *request = listing->request;
    struct rules_state state;
    struct game_view view;

    for (size_t i = 0; i < page->count; i++) {
        if (!listing_item(request, &page->items[i], &state, &view))
            continue;
        if (listing->news != NULL)
            view.news = &listing->news[i];
        json_open(json, '{');
        view_game(json, &view, request->choice);
        json_close(json, '}');
    }
}

static bool is_not_loaded(const struct db_game *row)
{
    return rules_find(row->variant) == NULL;
}

/* What can be told of a game without its rules. */
static void view_not_loaded(struct json *json, const struct db_game *row)
{
    char id[IDS_TEXT];

    ids_text(row->id, id);
    json_open(json, '{');
    json_member(json, "id", id);
    json_member(json, "variant", row->variant);
    json_member(json, "status", words_status(row->status));
    json_member_time(json, "updated_at", row->updated_at);
    json_member(json, "code", "game-not-loaded");
    json_close(json, '}');
}

/* Those games of the page, in a list of their own: clients read each of the items as a game. */
static void view_all_not_loaded(struct json *json, const struct db_games *page)
{
    bool any = false;

    for (size_t i = 0; i < page->count; i++) {
        if (!is_not_loaded(&page->items[i]))
            continue;
        if (!any) {
            json_key(json, "not_loaded");
            json_open(json, '[');
        }
        any = true;
        view_not_loaded(json, &page->items[i]);
    }
    if (any)
        json_close(json, ']');
}

static const char *not_loaded_line(struct arena *arena, const struct db_game *row)
{
    char id[IDS_TEXT];

    ids_text(row->id, id);
    return arena_format(arena, "%s %s game-not-loaded\n", id, row->variant);
}

static const char *lines_text(struct request *request, const struct db_games *page)
{
    int64_t now = db_now(db_of(request));
    struct rules_state state;
    struct game_view view;
    struct out out;

    out_init(&out, &request->arena);
    for (size_t i = 0; i < page->count; i++)
        if (is_not_loaded(&page->items[i]))
            out_add(&out, not_loaded_line(&request->arena, &page->items[i]));
        else if (listing_item(request, &page->items[i], &state, &view))
            out_add(&out, view_game_line(&request->arena, &view, now));
    return out.text;
}

void listing_label(const struct listing *listing)
{
    struct request *request = listing->request;

    if (listing->etag != NULL)
        reply_header(request, "ETag", listing->etag);
    reply_private(request);
}

/* `next` is the address of the next page; NULL: there is none. */
void listing_answer(const struct listing *listing, const struct db_games *page, const char *next)
{
    struct request *request = listing->request;
    struct json json;

    listing_label(listing);
    reply_next(request, next);
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, lines_text(request, page));
        return;
    }
    json_init(&json, &request->arena);
    reply_list_open(&json);
    view_items(&json, listing, page);
    json_close(&json, ']');
    view_all_not_loaded(&json, page);
    if (listing->news != NULL)
        json_member_int(&json, "waiting", (int64_t)listing->waiting);
    reply_list_end(request, &json, next);
}

void listing_show(void *context, const struct db_games *page)
{
    const struct listing *listing = context;

    listing_answer(listing, page, page->next == NULL ? NULL : next_url(listing, page->next));
}
