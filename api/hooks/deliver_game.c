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
    struct db_delivery attempt;
    struct db_delivered delivered;
    struct delivery *beside;
};

bool round_is_over(const struct round *round)
{
    return round->failed || round->loop->draining || round->loop->now >= round->until;
}

/* ---- the end of a delivery ---- */

static void end_delivery(struct delivery *delivery)
{
    struct round *round = delivery->round;
    struct delivery **at = &round->deliveries;

    while (*at != delivery)
        at = &(*at)->beside;
    *at = delivery->beside;
    delivery->receiver->at_work--;
    reply_empty(delivery->request, 204);
    round->ended(round->context);
}

static bool delivery_done(struct delivery *delivery, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    /* A webhook that was deleted has nothing to be told. */
    delivery->round->failed |= reply->outcome != DB_NOT_FOUND;
    end_delivery(delivery);
    return false;
}

/* ---- attempts ---- */

bool receiver_may_be_sent_to(const struct receiver *receiver, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;

    return hook->disabled == HOOK_ENABLED && (hook->retry_at == DB_NEVER || hook->retry_at <= now);
}

static void send_next(struct delivery *delivery);

static void on_noted(void *context, const struct db_reply *reply)
{
    struct delivery *delivery = context;

    if (!delivery_done(delivery, reply))
        return;
    if (delivery->is_test || delivery->next == delivery->count)
        end_delivery(delivery);
    else
        send_next(delivery);
}

static void note(struct delivery *delivery)
{
    delivery->delivered.player = delivery->round->player;
    delivery->delivered.hook = delivery->receiver->hook.id;
    delivery->delivered.delivery = &delivery->attempt;
    db_note_delivered(db_of(delivery->request), &delivery->delivered, on_noted, delivery);
}

/* Notes that the webhook has come to a version without an attempt. */
static void note_version(struct delivery *delivery, int32_t version)
{
    delivery->attempt =
        (struct db_delivery){.has_game = true, .game = delivery->news.game, .retry_at = DB_NEVER};
    delivery->delivered = (struct db_delivered){.sent = version};
    delivery->next = delivery->count;
    note(delivery);
}

static void delivered(struct delivery *delivery)
{
    struct loop *loop = delivery->request->loop;
    struct db_hook *hook = &delivery->receiver->hook;

    hook->failures = 0;
    hook->retry_at = delivery->attempt.retry_at = DB_NEVER;
    if (!delivery->is_test) {
        int64_t lag = db_now(loop->db) - delivery->message[delivery->next].at;

        metrics_time(loop->metrics.webhook_lag, lag > 0 ? (uint64_t)lag : 0);
        delivery->next++;
        delivery->delivered.sent =
            delivery->next == delivery->count ? delivery->upto : delivery->attempt.version;
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
static void failed(struct delivery *delivery, int status)
{
    struct db_hook *hook = &delivery->receiver->hook;
    int64_t now = db_now(db_of(delivery->request));

    if (delivery->is_test) {
        delivery->delivered.failures = hook->failures;
        delivery->attempt.retry_at = hook->retry_at;
        return;
    }
    if (receiver_may_be_sent_to(delivery->receiver, now))
        set_back(hook, status, now);
    delivery->delivered.failures = hook->failures;
    delivery->delivered.disabled = hook->disabled;
    delivery->attempt.retry_at = hook->retry_at;
    delivery->next = delivery->count;
}

static void on_parcel(struct parcel *parcel, bool tried)
{
    struct delivery *delivery = parcel->transfer.context;
    const struct transfer *transfer = &parcel->transfer;

    if (!tried) {
        end_delivery(delivery);
        return;
    }
    delivery->delivered = (struct db_delivered){.sent = -1, .counts = true};
    delivery->attempt.status = (int16_t)transfer->status;
    delivery->attempt.failure = (int16_t)transfer->failure;
    delivery->attempt.took_ms = delivery->receiver->hook.took_ms = transfer->took_ms;
    metrics_add(&delivery->request->loop->metrics.webhook_attempts[transfer->failure], 1);
    if (delivery->is_test)
        delivery->receiver->hook.test_at = DB_NEVER;
    if (transfer->failure == HOOK_DELIVERED)
        delivered(delivery);
    else
        failed(delivery, transfer->status);
    note(delivery);
}

static const char *signature_header(struct arena *arena, const struct delivery *delivery,
                                    const char *seconds, const char *body, int64_t now)
{
    const struct db_hook *hook = &delivery->receiver->hook;
    char text[MESSAGE_SIGNATURE_TEXT], old[MESSAGE_SIGNATURE_TEXT];

    message_sign(hook->secret, delivery->id, seconds, body, text);
    if (hook->old_until == DB_NEVER || hook->old_until <= now)
        return arena_format(arena, "webhook-signature: %s", text);
    message_sign(hook->old_secret, delivery->id, seconds, body, old);
    return arena_format(arena, "webhook-signature: %s %s", text, old);
}

static void send_body(struct delivery *delivery, const char *body)
{
    struct arena *arena = &delivery->request->arena;
    struct loop *loop = delivery->request->loop;
    int64_t now = db_now(loop->db);
    const char *seconds = arena_format(arena, "%lld", (long long)(now / 1000000));

    delivery->attempt.at = now;
    delivery->parcel = (struct parcel){
        .transfer = {.url = delivery->receiver->url,
                     .body = body,
                     .context = delivery,
                     .header = {"Content-Type: application/json",
                                arena_format(arena, "webhook-id: %s", delivery->id),
                                arena_format(arena, "webhook-timestamp: %s", seconds),
                                signature_header(arena, delivery, seconds, body, now)}},
        .host = delivery->receiver->host,
        .took_ms = delivery->receiver->hook.took_ms,
        .until = delivery->round->until,
        .done = on_parcel};
    send_queue_send(delivery->round->send_queue, &delivery->parcel);
}

/* Of two games of one webhook, the other one may have found out meanwhile that it fails. */
static void send_next(struct delivery *delivery)
{
    const struct message *message = &delivery->message[delivery->next];

    if (round_is_over(delivery->round) ||
        !receiver_may_be_sent_to(delivery->receiver, db_now(db_of(delivery->request)))) {
        end_delivery(delivery);
        return;
    }
    message_id(&delivery->receiver->hook.id, &delivery->news.game, message->version, delivery->id);
    delivery->attempt = (struct db_delivery){.has_game = true,
                                             .game = delivery->news.game,
                                             .version = message->version,
                                             .kind = message->kind};
    send_body(delivery, message->body);
}

static void send_test(struct delivery *delivery)
{
    const struct db_hook *hook = &delivery->receiver->hook;
    int32_t number = hook->attempts + 1;

    message_id(&hook->id, NULL, number, delivery->id);
    delivery->attempt = (struct db_delivery){.kind = MESSAGE_TEST, .version = 0};
    send_body(delivery, message_test(&delivery->request->arena, hook->id, hook->test_at));
}

/* ---- what there is to tell of a game ---- */

/* A page of events, and what its game was like before they were read. */
struct page {
    struct delivery *delivery;
    int64_t made_at;
    struct ending ending;
    const char *metadata; /* of the game, or NULL */
};

static bool is_event_wanted(const struct page *page, const struct db_event *event)
{
    int64_t wishes = page->delivery->receiver->hook.events;

    return message_is_wanted(wishes, event->kind) ||
           (message_is_wanted(wishes, HOOK_WANTS_ENDS) &&
            log_ending_is(&page->delivery->request->arena, &page->ending, event));
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
    struct delivery *delivery = page->delivery;
    struct arena *arena = &delivery->request->arena;

    delivery->upto = delivery->news.sent;
    for (size_t i = 0; i < events->count && i < PAGE; i++) {
        const struct db_event *event = &events->items[i];

        if (event->version > page->ending.version)
            break;
        delivery->upto = event->version;
        if (is_told(page, event))
            delivery->message[delivery->count++] =
                (struct message){event->version, event->kind, event->at,
                                 message_event(arena, delivery->news.game, page->metadata, event)};
    }
}

static void on_delivered_events(void *context, const struct db_reply *reply,
                                const struct db_events *events)
{
    const struct page *page = context;
    struct delivery *delivery = page->delivery;

    if (!delivery_done(delivery, reply))
        return;
    compose_delivery(page, events);
    if (delivery->count > 0)
        send_next(delivery);
    else
        note_version(delivery,
                     delivery->upto > delivery->news.sent ? delivery->upto : delivery->news.known);
}

static void read_events(struct page *page)
{
    struct delivery *delivery = page->delivery;

    db_get_events(db_of(delivery->request), delivery->news.game, 0, delivery->news.sent, PAGE,
                  on_delivered_events, page);
}

static void on_version_before(void *context, const struct db_reply *reply,
                              const struct db_version *version)
{
    struct page *page = context;

    if (!delivery_done(page->delivery, reply))
        return;
    page->delivery->news.sent = version->version;
    read_events(page);
}

/* A webhook is told of what has happened since it was made. */
static void find_beginning(struct page *page)
{
    struct delivery *delivery = page->delivery;
    int64_t since = delivery->receiver->hook.created_at;

    if (page->made_at >= since) {
        delivery->news.sent = 0;
        read_events(page);
    } else {
        db_get_version_before(db_of(delivery->request), delivery->news.game, since,
                              on_version_before, page);
    }
}

static void on_game(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct delivery *delivery = context;
    bool missing = reply->outcome == DB_NOT_FOUND;
    struct page *page;

    if (!missing && !delivery_done(delivery, reply))
        return;
    if (missing || row_seats_of(game, delivery->round->player) == 0) {
        note_version(delivery, delivery->news.known);
        return;
    }
    page = arena_alloc(&delivery->request->arena, sizeof(*page));
    *page = (struct page){.delivery = delivery,
                          .made_at = game->created_at,
                          .ending = log_ending_of(game),
                          .metadata = game->metadata == NULL
                                          ? NULL
                                          : arena_copy(&delivery->request->arena, game->metadata,
                                                       strlen(game->metadata))};
    if (delivery->news.sent < 0)
        find_beginning(page);
    else
        read_events(page);
}

/* ---- places ---- */

bool delivery_is_at_work(const struct round *round, const struct receiver *receiver,
                         const struct db_hook_news *news)
{
    for (const struct delivery *delivery = round->deliveries; delivery != NULL;
         delivery = delivery->beside)
        if (delivery->receiver == receiver &&
            (news == NULL ? delivery->is_test
                          : !delivery->is_test &&
                                memcmp(&delivery->news.game, &news->game, sizeof(db_id)) == 0))
            return true;
    return false;
}

void delivery_begin(struct round *round, struct receiver *receiver, struct request *request,
                    const struct db_hook_news *news)
{
    struct delivery *delivery = arena_zero(&request->arena, sizeof(*delivery));

    delivery->round = round;
    delivery->receiver = receiver;
    delivery->request = request;
    delivery->is_test = news == NULL;
    delivery->beside = round->deliveries;
    round->deliveries = delivery;
    receiver->at_work++;
    if (news == NULL) {
        send_test(delivery);
    } else {
        delivery->news = *news;
        db_get_game(db_of(request), news->game, on_game, delivery);
    }
}
