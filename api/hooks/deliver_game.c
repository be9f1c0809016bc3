/* deliver_game.c - a receiver is told of a game. */
#include "api/hooks/deliver_game.h"

#include <sodium.h>
#include <string.h>

#include "api/game/log_ends.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/hooks/message.h"
#include "api/hooks/send_queue.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"

/* ---- when a failed delivery is tried again ---- */

int64_t delivery_backoff_us(int failures, uint32_t chance)
{
    static const int64_t seconds[DELIVERY_FAILURES - 1] = {
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600};
    int64_t tenth;

    if (failures >= DELIVERY_FAILURES)
        return -1;
    tenth = seconds[failures - 1] * 100000;
    return 10 * tenth + (int64_t)(chance % 1024) * tenth / 1024;
}

enum { PAGE = 16 }; /* events of a game that are composed at a time */

struct message {
    int32_t version;
    int16_t kind;
    int64_t at;
    const char *body;
};

struct delivery {
    struct round *round;
    struct receiver *receiver;
    struct request *request;
    bool is_test;
    struct db_hook_news news;
    struct message message[PAGE];
    size_t count, next;
    int32_t upto; /* the version that was looked at last */
    struct parcel parcel;
    char id[MESSAGE_ID_TEXT];
    struct db_delivery delivery;
    struct db_delivered delivered;
    struct delivery *next_place;
};

bool round_is_over(const struct round *round)
{
    return round->failed || round->loop->draining || round->loop->now >= round->until;
}

/* ---- the end of a place ---- */

static void end_place(struct delivery *place)
{
    struct round *round = place->round;
    struct delivery **at = &round->places;

    while (*at != place)
        at = &(*at)->next_place;
    *at = place->next_place;
    place->receiver->at_work--;
    reply_empty(place->request, 204);
    round->ended(round->context);
}

static bool delivery_done(struct delivery *place, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    /* A webhook that was deleted has nothing to be told. */
    place->round->failed |= reply->outcome != DB_NOT_FOUND;
    end_place(place);
    return false;
}

/* ---- attempts ---- */

bool receiver_may_be_sent_to(const struct receiver *receiver, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;

    return hook->disabled == HOOK_ENABLED && (hook->retry_at == DB_NEVER || hook->retry_at <= now);
}

static void send_next(struct delivery *place);

static void on_noted(void *context, const struct db_reply *reply)
{
    struct delivery *place = context;

    if (!delivery_done(place, reply))
        return;
    if (place->is_test || place->next == place->count)
        end_place(place);
    else
        send_next(place);
}

static void note(struct delivery *place)
{
    place->delivered.player = place->round->player;
    place->delivered.hook = place->receiver->hook.id;
    place->delivered.delivery = &place->delivery;
    db_note_delivered(db_of(place->request), &place->delivered, on_noted, place);
}

/* Notes that the webhook has come to a version without an attempt. */
static void note_version(struct delivery *place, int32_t version)
{
    place->delivery =
        (struct db_delivery){.has_game = true, .game = place->news.game, .retry_at = DB_NEVER};
    place->delivered = (struct db_delivered){.sent = version};
    place->next = place->count;
    note(place);
}

static void delivered(struct delivery *place)
{
    struct loop *loop = place->request->loop;
    struct db_hook *hook = &place->receiver->hook;

    hook->failures = 0;
    hook->retry_at = place->delivery.retry_at = DB_NEVER;
    if (!place->is_test) {
        int64_t lag = db_now(loop->db) - place->message[place->next].at;

        metrics_time(loop->metrics.webhook_lag, lag > 0 ? (uint64_t)lag : 0);
        place->next++;
        place->delivered.sent = place->next == place->count ? place->upto : place->delivery.version;
    }
}

static void set_back(struct db_hook *hook, int status, int64_t now)
{
    int64_t wait;

    hook->failures++;
    wait = delivery_backoff_us(hook->failures, randombytes_random());
    if (status == 410)
        hook->disabled = HOOK_GONE;
    else if (wait < 0)
        hook->disabled = HOOK_FAILING;
    hook->retry_at = hook->disabled == HOOK_ENABLED ? now + wait : DB_NEVER;
}

/* A test changes nothing about when the next event is sent. Two attempts that fail side by side
 * count as one. */
static void failed(struct delivery *place, int status)
{
    struct db_hook *hook = &place->receiver->hook;
    int64_t now = db_now(db_of(place->request));

    if (place->is_test) {
        place->delivered.failures = hook->failures;
        place->delivery.retry_at = hook->retry_at;
        return;
    }
    if (receiver_may_be_sent_to(place->receiver, now))
        set_back(hook, status, now);
    place->delivered.failures = hook->failures;
    place->delivered.disabled = hook->disabled;
    place->delivery.retry_at = hook->retry_at;
    place->next = place->count;
}

static void on_parcel(struct parcel *parcel, bool tried)
{
    struct delivery *place = parcel->transfer.context;
    const struct transfer *transfer = &parcel->transfer;

    if (!tried) {
        end_place(place);
        return;
    }
    place->delivered = (struct db_delivered){.sent = -1, .counts = true};
    place->delivery.status = (int16_t)transfer->status;
    place->delivery.failure = (int16_t)transfer->failure;
    place->delivery.took_ms = place->receiver->hook.took_ms = transfer->took_ms;
    metrics_add(&place->request->loop->metrics.webhook_attempts[transfer->failure], 1);
    if (place->is_test)
        place->receiver->hook.test_at = DB_NEVER;
    if (transfer->failure == HOOK_DELIVERED)
        delivered(place);
    else
        failed(place, transfer->status);
    note(place);
}

static const char *signature_header(struct arena *arena, const struct delivery *place,
                                    const char *seconds, const char *body, int64_t now)
{
    const struct db_hook *hook = &place->receiver->hook;
    char text[MESSAGE_SIGNATURE_TEXT], old[MESSAGE_SIGNATURE_TEXT];

    message_sign(hook->secret, place->id, seconds, body, text);
    if (hook->old_until == DB_NEVER || hook->old_until <= now)
        return arena_format(arena, "webhook-signature: %s", text);
    message_sign(hook->old_secret, place->id, seconds, body, old);
    return arena_format(arena, "webhook-signature: %s %s", text, old);
}

static void send_body(struct delivery *place, const char *body)
{
    struct arena *arena = &place->request->arena;
    struct loop *loop = place->request->loop;
    int64_t now = db_now(loop->db);
    const char *seconds = arena_format(arena, "%lld", (long long)(now / 1000000));

    place->delivery.at = now;
    place->parcel = (struct parcel){
        .transfer = {.url = place->receiver->url,
                     .body = body,
                     .context = place,
                     .header = {"Content-Type: application/json",
                                arena_format(arena, "webhook-id: %s", place->id),
                                arena_format(arena, "webhook-timestamp: %s", seconds),
                                signature_header(arena, place, seconds, body, now)}},
        .host = place->receiver->host,
        .took_ms = place->receiver->hook.took_ms,
        .until = place->round->until,
        .done = on_parcel};
    send_queue_send(place->round->send_queue, &place->parcel);
}

/* Of two games of one webhook, the other one may have found out meanwhile that it fails. */
static void send_next(struct delivery *place)
{
    const struct message *message = &place->message[place->next];

    if (round_is_over(place->round) ||
        !receiver_may_be_sent_to(place->receiver, db_now(db_of(place->request)))) {
        end_place(place);
        return;
    }
    message_id(&place->receiver->hook.id, &place->news.game, message->version, place->id);
    place->delivery = (struct db_delivery){.has_game = true,
                                           .game = place->news.game,
                                           .version = message->version,
                                           .kind = message->kind};
    send_body(place, message->body);
}

static void send_test(struct delivery *place)
{
    const struct db_hook *hook = &place->receiver->hook;
    int32_t number = hook->attempts + 1;

    message_id(&hook->id, NULL, number, place->id);
    place->delivery = (struct db_delivery){.kind = MESSAGE_TEST, .version = 0};
    send_body(place, message_test(&place->request->arena, hook->id, hook->test_at));
}

/* ---- what there is to tell of a game ---- */

/* A page of events, and what its game was like before they were read. */
struct page {
    struct delivery *place;
    int64_t made_at;
    struct ending ending;
    const char *metadata; /* of the game, or NULL */
};

static bool is_event_wanted(const struct page *page, const struct db_event *event)
{
    int64_t wishes = page->place->receiver->hook.events;

    return message_is_wanted(wishes, event->kind) ||
           (message_is_wanted(wishes, HOOK_WANTS_ENDS) &&
            log_ending_is(&page->place->request->arena, &page->ending, event));
}

/* What a game begins with is told by its first event alone. */
static bool is_told(const struct page *page, const struct db_event *event)
{
    return is_event_wanted(page, event) && (event->version == 1 || event->at > page->made_at);
}

/* Of what was written after the game had been read nobody knows yet whether it has ended the game:
 * it is left to the look that its own announcement brings about. */
static void compose_delivery(const struct page *page, const struct db_events *events)
{
    struct delivery *place = page->place;
    struct arena *arena = &place->request->arena;

    place->upto = place->news.sent;
    for (size_t i = 0; i < events->count && i < PAGE; i++) {
        const struct db_event *event = &events->items[i];

        if (event->version > page->ending.version)
            break;
        place->upto = event->version;
        if (is_told(page, event))
            place->message[place->count++] =
                (struct message){event->version, event->kind, event->at,
                                 message_event(arena, place->news.game, page->metadata, event)};
    }
}

static void on_delivered_events(void *context, const struct db_reply *reply,
                                const struct db_events *events)
{
    const struct page *page = context;
    struct delivery *place = page->place;

    if (!delivery_done(place, reply))
        return;
    compose_delivery(page, events);
    if (place->count > 0)
        send_next(place);
    else
        note_version(place, place->upto > place->news.sent ? place->upto : place->news.known);
}

static void read_events(struct page *page)
{
    struct delivery *place = page->place;

    db_get_events(db_of(place->request), place->news.game, 0, place->news.sent, PAGE,
                  on_delivered_events, page);
}

static void on_version_before(void *context, const struct db_reply *reply,
                              const struct db_version *version)
{
    struct page *page = context;

    if (!delivery_done(page->place, reply))
        return;
    page->place->news.sent = version->version;
    read_events(page);
}

/* A webhook is told of what has happened since it was made. */
static void find_beginning(struct page *page)
{
    struct delivery *place = page->place;
    int64_t since = place->receiver->hook.created_at;

    if (page->made_at >= since) {
        place->news.sent = 0;
        read_events(page);
    } else {
        db_get_version_before(db_of(place->request), place->news.game, since, on_version_before,
                              page);
    }
}

static void on_game(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct delivery *place = context;
    bool missing = reply->outcome == DB_NOT_FOUND;
    struct page *page;

    if (!missing && !delivery_done(place, reply))
        return;
    if (missing || row_seats_of(game, place->round->player) == 0) {
        note_version(place, place->news.known);
        return;
    }
    page = arena_alloc(&place->request->arena, sizeof(*page));
    *page = (struct page){.place = place,
                          .made_at = game->created_at,
                          .ending = log_ending_of(game),
                          .metadata = game->metadata == NULL
                                          ? NULL
                                          : arena_copy(&place->request->arena, game->metadata,
                                                       strlen(game->metadata))};
    if (place->news.sent < 0)
        find_beginning(page);
    else
        read_events(page);
}

/* ---- places ---- */

bool delivery_is_at_work(const struct round *round, const struct receiver *receiver,
                         const struct db_hook_news *news)
{
    for (const struct delivery *place = round->places; place != NULL; place = place->next_place)
        if (place->receiver == receiver &&
            (news == NULL
                 ? place->is_test
                 : !place->is_test && memcmp(&place->news.game, &news->game, sizeof(db_id)) == 0))
            return true;
    return false;
}

void delivery_begin(struct round *round, struct receiver *receiver, struct request *request,
                    const struct db_hook_news *news)
{
    struct delivery *place = arena_zero(&request->arena, sizeof(*place));

    place->round = round;
    place->receiver = receiver;
    place->request = request;
    place->is_test = news == NULL;
    place->next_place = round->places;
    round->places = place;
    receiver->at_work++;
    if (news == NULL) {
        send_test(place);
    } else {
        place->news = *news;
        db_get_game(db_of(request), news->game, on_game, place);
    }
}
