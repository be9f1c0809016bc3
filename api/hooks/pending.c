#include "api/hooks/pending.h"

#include <string.h>

#include "api/game/log_ends.h"
#include "api/game/messages.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/hooks/webhook_message.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "db/db.h"

/* A page of events, and what its game was like before they were read. */
struct page {
    struct request *request;
    const struct pending_of *of;
    void (*done)(void *context, const struct pending *pending);
    void *context;
    int32_t sent; /* the receiver has come there */
    int64_t made_at;
    struct ending ending;
    const char *metadata;     /* of the game, or NULL */
    struct notice_game *game; /* for a notice; else NULL */
    struct pending pending;
};

/* ---- the messages ---- */

static bool is_event_wanted(const struct page *page, const struct db_event *event)
{
    int64_t wishes = page->of->hook->events;

    return webhook_message_is_wanted(wishes, event->kind) ||
           (webhook_message_is_wanted(wishes, HOOK_WANTS_ENDS) &&
            log_ending_is(&page->request->arena, &page->ending, event));
}

/* What a game begins with is told by its first event alone. */
static bool is_told(const struct page *page, const struct db_event *event)
{
    return is_event_wanted(page, event) && (event->version == 1 || event->at > page->made_at) &&
           !(event->kind == EVENT_MESSAGE &&
             messages_are_unheard_by(&page->request->arena, event, &page->of->player));
}

static void compose_events(struct page *page, const struct db_event *events, size_t count)
{
    struct arena *arena = &page->request->arena;
    struct pending *pending = &page->pending;

    for (size_t i = 0; i < count; i++) {
        struct db_event event = messages_shown_to(arena, &events[i], &page->of->player);

        if (is_told(page, &events[i]))
            pending->message[pending->count++] = (struct pending_message){
                .version = event.version,
                .kind = event.kind,
                .at = event.at,
                .body = webhook_message_event(arena, page->of->news.game, page->metadata, &event)};
    }
}

static void compose_notice(struct page *page, const struct db_event *events, size_t count)
{
    struct pending_message *message = &page->pending.message[0];
    unsigned seats = row_seats_of(&page->game->row, page->of->player);

    page->pending.waits = notice_waits(&page->game->row, seats);
    page->pending.count = notice_of(&page->request->arena, page->game, seats, page->of->hook,
                                    events, count, &message->notice);
    message->version = page->pending.upto;
    message->kind = message->notice.kind;
    message->at = message->notice.at;
}

/* Of what was written after the game had been read nobody knows yet whether it has ended the game:
 * it is left to the look that its own announcement brings about. */
static size_t known_count(const struct page *page, const struct db_events *events)
{
    size_t count = 0;

    while (count < events->count && count < PENDING_MAX &&
           events->items[count].version <= page->ending.version)
        count++;
    return count;
}

static void on_pending_events(void *context, const struct db_reply *reply,
                              const struct db_events *events)
{
    struct page *page = context;
    size_t count;

    if (reply->outcome != DB_OK) {
        page->done(page->context, NULL);
        return;
    }
    count = known_count(page, events);
    page->pending.upto = count > 0 ? events->items[count - 1].version : page->of->news.known;
    if (page->game != NULL)
        compose_notice(page, events->items, count);
    else
        compose_events(page, events->items, count);
    page->done(page->context, &page->pending);
}

/* ---- reading ---- */

/* What came long ago a notice does not tell, but for what still is so. */
static void read_pending(struct page *page)
{
    int32_t latest = page->ending.version - PENDING_MAX;

    if (page->game != NULL && page->sent < latest) {
        page->game->skips = true;
        page->sent = latest;
    }
    db_get_events(db_of(page->request), page->of->news.game, 0, page->sent, PENDING_MAX,
                  on_pending_events, page);
}

static void on_version_before(void *context, const struct db_reply *reply,
                              const struct db_version *version)
{
    struct page *page = context;

    if (reply->outcome != DB_OK) {
        page->done(page->context, NULL);
        return;
    }
    page->sent = version->version;
    read_pending(page);
}

/* A receiver is told of what has happened since it was made. */
static void find_beginning(struct page *page)
{
    int64_t since = page->of->hook->created_at;

    if (page->made_at >= since) {
        page->sent = 0;
        read_pending(page);
    } else {
        db_get_version_before(db_of(page->request), page->of->news.game, since, on_version_before,
                              page);
    }
}

static void on_pending_game(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct page *page = context;
    struct arena *arena = &page->request->arena;
    bool missing = reply->outcome == DB_NOT_FOUND;

    if (reply->outcome != DB_OK && !missing) {
        page->done(page->context, NULL);
        return;
    }
    if (missing || row_seats_of(game, page->of->player) == 0) {
        page->pending.upto = page->of->news.known;
        page->done(page->context, &page->pending);
        return;
    }
    page->made_at = game->created_at;
    page->ending = log_ending_of(game);
    if (page->of->hook->kind != HOOK_WEB)
        page->game = notice_game(arena, game);
    if (game->metadata != NULL)
        page->metadata = arena_copy(arena, game->metadata, strlen(game->metadata));
    if (page->sent < 0)
        find_beginning(page);
    else
        read_pending(page);
}

void pending_read(struct request *request, const struct pending_of *of,
                  void (*done)(void *context, const struct pending *pending), void *context)
{
    struct page *page = arena_zero(&request->arena, sizeof(*page));

    page->request = request;
    page->of = of;
    page->done = done;
    page->context = context;
    page->sent = of->news.sent;
    db_get_game(db_of(request), of->news.game, on_pending_game, page);
}
