/* visit.c - what the webhooks of a player have to send is sent. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/game/ending.h"
#include "api/game/words.h"
#include "api/hooks/backoff.h"
#include "api/hooks/hooks.h"
#include "api/hooks/message.h"
#include "api/hooks/outbox.h"
#include "api/hooks/signature.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/table/due.h"
#include "api/text/json.h"
#include "db/hooks.h"

/* A visit has the lease of the player's promise, which is longer than the time in which attempts
 * begin and that of the last attempt together (due.c). */
enum {
    VISIT_US = 12 * 1000 * 1000,
    VISITS_MAX = 128, /* of a daemon; what is beyond comes again when its lease is over */
    RECEIVERS = DB_HOOKS_MAX + 3, /* a few may be there beyond the bound (db.h) */
    PLACES = 2,                   /* games of a quick receiver that are told at a time */
    PAGE = 16                     /* events of a game that are composed at a time */
};

/* A webhook, as it was last read. */
struct receiver {
    struct db_hook hook;
    char url[TRANSFERS_URL_MAX + 1];
    char host[TRANSFERS_HOST_TEXT];
    size_t at_work; /* places */
    bool here;      /* it was there at the last look */
};

struct message {
    int32_t version;
    int16_t kind;
    int64_t at;
    const char *body;
};

/* A game of which a webhook is told, or its test. It is a request of its own, which ends with it.
 */
struct place {
    struct visit *visit;
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
    struct place *next_place;
};

struct visit {
    struct hooks *hooks;
    struct request *request;
    struct db_due promise;
    int64_t until; /* on loop->now: no attempt begins later */
    struct receiver receiver[RECEIVERS];
    struct place *places; /* at work */
    bool looking;
    bool has_receivers;
    bool failed;      /* a call to the database */
    int64_t retry_at; /* when a webhook that fails may be tried again */
    int64_t oldest;   /* since when the oldest event waits that may be sent; DB_NEVER: none */
    struct visit *next;
};

static void look(struct visit *visit);

/* ---- the end of a visit ---- */

static bool is_over(const struct visit *visit)
{
    return visit->failed || visit->request->loop->draining ||
           visit->request->loop->now >= visit->until;
}

/* As long as there are webhooks the promise stays, if only for a time that will not come (db.h). */
static int64_t next_visit(const struct visit *visit)
{
    if (is_over(visit))
        return db_now(visit->request->loop->db);
    if (!visit->has_receivers)
        return DB_NEVER;
    return visit->retry_at < JSON_TIME_MAX ? visit->retry_at : JSON_TIME_MAX;
}

static void end_visit(struct visit *visit)
{
    struct visit **at = &visit->hooks->visits;
    struct loop *loop = visit->request->loop;

    while (*at != visit)
        at = &(*at)->next;
    *at = visit->next;
    if (visit->hooks->visits == NULL)
        metrics_set(&loop->metrics.webhooks_oldest_us, 0);
    if (visit->failed)
        reply_problem(visit->request, PROBLEM_DATABASE_DOWN, NULL);
    else
        due_settle(visit->request, &visit->promise, next_visit(visit));
}

/* ---- the end of a place ---- */

static void end_place(struct place *place)
{
    struct visit *visit = place->visit;
    struct place **at = &visit->places;

    while (*at != place)
        at = &(*at)->next_place;
    *at = place->next_place;
    place->receiver->at_work--;
    reply_empty(place->request, 204);
    look(visit);
}

static bool place_done(struct place *place, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    /* A webhook that was deleted has nothing to be told. */
    place->visit->failed |= reply->outcome != DB_NOT_FOUND;
    end_place(place);
    return false;
}

/* ---- attempts ---- */

static bool may_be_sent_to(const struct receiver *receiver, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;

    return hook->disabled == HOOK_ENABLED && (hook->retry_at == DB_NEVER || hook->retry_at <= now);
}

static void send_next(struct place *place);

static void on_noted(void *context, const struct db_reply *reply)
{
    struct place *place = context;

    if (!place_done(place, reply))
        return;
    if (place->is_test || place->next == place->count)
        end_place(place);
    else
        send_next(place);
}

static void note(struct place *place)
{
    place->delivered.player = place->visit->promise.id;
    place->delivered.hook = place->receiver->hook.id;
    place->delivered.delivery = &place->delivery;
    db_note_delivered(place->request->loop->db, &place->delivered, on_noted, place);
}

/* Notes that the webhook has come to a version without an attempt. */
static void note_version(struct place *place, int32_t version)
{
    place->delivery =
        (struct db_delivery){.has_game = true, .game = place->news.game, .retry_at = DB_NEVER};
    place->delivered = (struct db_delivered){.sent = version};
    place->next = place->count;
    note(place);
}

static void delivered(struct place *place)
{
    struct loop *loop = place->request->loop;
    struct db_hook *hook = &place->receiver->hook;

    hook->failures = 0;
    hook->retry_at = place->delivery.retry_at = DB_NEVER;
    if (!place->is_test) {
        int64_t lag = db_now(loop->db) - place->message[place->next].at;

        metrics_webhook_lag(&loop->metrics, lag > 0 ? (uint64_t)lag : 0);
        place->next++;
        place->delivered.sent = place->next == place->count ? place->upto : place->delivery.version;
    }
}

static void set_back(struct db_hook *hook, int status, int64_t now)
{
    int64_t wait;

    hook->failures++;
    wait = backoff_us(hook->failures, randombytes_random());
    if (status == 410)
        hook->disabled = HOOK_GONE;
    else if (wait < 0)
        hook->disabled = HOOK_FAILING;
    hook->retry_at = hook->disabled == HOOK_ENABLED ? now + wait : DB_NEVER;
}

/* A test changes nothing about when the next event is sent. Two attempts that fail side by side
 * count as one. */
static void failed(struct place *place, int status)
{
    struct db_hook *hook = &place->receiver->hook;
    int64_t now = db_now(place->request->loop->db);

    if (place->is_test) {
        place->delivered.failures = hook->failures;
        place->delivery.retry_at = hook->retry_at;
        return;
    }
    if (may_be_sent_to(place->receiver, now))
        set_back(hook, status, now);
    place->delivered.failures = hook->failures;
    place->delivered.disabled = hook->disabled;
    place->delivery.retry_at = hook->retry_at;
    place->next = place->count;
}

static void on_parcel(struct parcel *parcel, bool tried)
{
    struct place *place = parcel->transfer.context;
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

static const char *signature_header(struct arena *arena, const struct place *place,
                                    const char *seconds, const char *body, int64_t now)
{
    const struct db_hook *hook = &place->receiver->hook;
    char text[SIGNATURE_TEXT], old[SIGNATURE_TEXT];

    signature_make(hook->secret, place->id, seconds, body, text);
    if (hook->old_until == DB_NEVER || hook->old_until <= now)
        return arena_format(arena, "webhook-signature: %s", text);
    signature_make(hook->old_secret, place->id, seconds, body, old);
    return arena_format(arena, "webhook-signature: %s %s", text, old);
}

static void send_body(struct place *place, const char *body)
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
        .until = place->visit->until,
        .done = on_parcel};
    outbox_send(place->visit->hooks->outbox, &place->parcel);
}

/* Of two games of one webhook, the other one may have found out meanwhile that it fails. */
static void send_next(struct place *place)
{
    const struct message *message = &place->message[place->next];

    if (is_over(place->visit) ||
        !may_be_sent_to(place->receiver, db_now(place->request->loop->db))) {
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

static void send_test(struct place *place)
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
    struct place *place;
    int64_t made_at;
    struct ending ending;
};

static bool is_wanted(const struct page *page, const struct db_event *event)
{
    int64_t wishes = page->place->receiver->hook.events;

    return message_is_wanted(wishes, event->kind) ||
           (message_is_wanted(wishes, HOOK_WANTS_ENDS) &&
            ending_is(&page->place->request->arena, &page->ending, event));
}

/* What a game begins with is told by its first event alone. */
static bool is_told(const struct page *page, const struct db_event *event)
{
    return is_wanted(page, event) && (event->version == 1 || event->at > page->made_at);
}

/* Of what was written after the game had been read nobody knows yet whether it has ended the game:
 * it is left to the look that its own announcement brings about. */
static void compose(const struct page *page, const struct db_reply *reply)
{
    struct place *place = page->place;
    struct arena *arena = &place->request->arena;

    place->upto = place->news.sent;
    for (size_t i = 0; i < reply->count && i < PAGE; i++) {
        const struct db_event *event = &reply->events[i];

        if (event->version > page->ending.version)
            break;
        place->upto = event->version;
        if (is_told(page, event))
            place->message[place->count++] =
                (struct message){event->version, event->kind, event->at,
                                 message_event(arena, place->news.game, event)};
    }
}

static void on_events(void *context, const struct db_reply *reply)
{
    const struct page *page = context;
    struct place *place = page->place;

    if (!place_done(place, reply))
        return;
    compose(page, reply);
    if (place->count > 0)
        send_next(place);
    else
        note_version(place, place->upto > place->news.sent ? place->upto : place->news.known);
}

static void read_events(struct page *page)
{
    struct place *place = page->place;

    db_get_events(place->request->loop->db, place->news.game, 0, place->news.sent, PAGE, on_events,
                  page);
}

static void on_version_before(void *context, const struct db_reply *reply)
{
    struct page *page = context;

    if (!place_done(page->place, reply))
        return;
    page->place->news.sent = reply->version;
    read_events(page);
}

/* A webhook is told of what has happened since it was made. */
static void find_beginning(struct page *page)
{
    struct place *place = page->place;
    int64_t since = place->receiver->hook.created_at;

    if (page->made_at >= since) {
        place->news.sent = 0;
        read_events(page);
    } else {
        db_get_version_before(place->request->loop->db, place->news.game, since, on_version_before,
                              page);
    }
}

static bool sits_there(const struct place *place, const struct db_game *game)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (game->seat[i].has_player &&
            memcmp(&game->seat[i].player, &place->visit->promise.id, sizeof(db_id)) == 0)
            return true;
    return false;
}

static void on_game(void *context, const struct db_reply *reply)
{
    struct place *place = context;
    bool missing = reply->outcome == DB_NOT_FOUND;
    struct page *page;

    if (!missing && !place_done(place, reply))
        return;
    if (missing || !sits_there(place, reply->game)) {
        note_version(place, place->news.known);
        return;
    }
    page = arena_alloc(&place->request->arena, sizeof(*page));
    *page = (struct page){place, reply->game->created_at, ending_of(reply->game)};
    if (place->news.sent < 0)
        find_beginning(page);
    else
        read_events(page);
}

/* ---- looking ---- */

static bool is_at_work(const struct visit *visit, const struct receiver *receiver,
                       const struct db_hook_news *news)
{
    for (const struct place *place = visit->places; place != NULL; place = place->next_place)
        if (place->receiver == receiver &&
            (news == NULL
                 ? place->is_test
                 : !place->is_test && memcmp(&place->news.game, &news->game, sizeof(db_id)) == 0))
            return true;
    return false;
}

/* `news` NULL: a test. */
static void begin_place(struct visit *visit, struct receiver *receiver,
                        const struct db_hook_news *news)
{
    struct request *request;
    struct place *place;

    if (is_at_work(visit, receiver, news))
        return;
    request = due_request(visit->request, NULL, NULL);
    if (request == NULL)
        return;
    place = arena_zero(&request->arena, sizeof(*place));
    place->visit = visit;
    place->receiver = receiver;
    place->request = request;
    place->is_test = news == NULL;
    place->next_place = visit->places;
    visit->places = place;
    receiver->at_work++;
    if (news == NULL) {
        send_test(place);
    } else {
        place->news = *news;
        db_get_game(request->loop->db, news->game, on_game, place);
    }
}

static struct receiver *receiver_of(struct visit *visit, const db_id *hook)
{
    for (size_t i = 0; i < RECEIVERS; i++)
        if (visit->receiver[i].here &&
            memcmp(&visit->receiver[i].hook.id, hook, sizeof(*hook)) == 0)
            return &visit->receiver[i];
    return NULL;
}

/* One that does not answer fast is told of one game at a time. */
static bool has_room(const struct receiver *receiver)
{
    bool quick = receiver->hook.failures == 0 && receiver->hook.took_ms >= 0 &&
                 receiver->hook.took_ms <= OUTBOX_QUICK_MS;

    return receiver->at_work < (quick ? PLACES : 1);
}

static void consider(struct visit *visit, const struct db_hook_news *news, int64_t now)
{
    struct receiver *receiver = receiver_of(visit, &news->hook);

    if (receiver == NULL || receiver->hook.disabled != HOOK_ENABLED)
        return;
    if (!may_be_sent_to(receiver, now)) {
        if (receiver->hook.retry_at < visit->retry_at)
            visit->retry_at = receiver->hook.retry_at;
    } else {
        if (news->since < visit->oldest)
            visit->oldest = news->since;
        if (has_room(receiver))
            begin_place(visit, receiver, news);
    }
}

static bool look_done(struct visit *visit, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    visit->failed = true;
    visit->looking = false;
    if (visit->places == NULL)
        end_visit(visit);
    return false;
}

static void on_news(void *context, const struct db_reply *reply)
{
    struct visit *visit = context;
    int64_t now = db_now(visit->request->loop->db);

    if (!look_done(visit, reply))
        return;
    visit->retry_at = visit->oldest = DB_NEVER;
    for (size_t i = 0; i < RECEIVERS && !is_over(visit); i++)
        if (visit->receiver[i].here && visit->receiver[i].hook.test_at != DB_NEVER)
            begin_place(visit, &visit->receiver[i], NULL);
    for (size_t i = 0; i < reply->count && !is_over(visit); i++)
        consider(visit, &reply->hook_news[i], now);
    visit->looking = false;
    if (visit->places == NULL)
        end_visit(visit);
}

static struct receiver *free_receiver(struct visit *visit)
{
    for (size_t i = 0; i < RECEIVERS; i++)
        if (!visit->receiver[i].here && visit->receiver[i].at_work == 0)
            return &visit->receiver[i];
    return NULL;
}

/* What a place at work has found out is younger than what was read; it is stored by then or will
 * be. The URL of a receiver that is at work stays as it is until the place has ended. */
static void know_receiver(struct visit *visit, const struct db_hook *hook)
{
    struct receiver *receiver = NULL;

    for (size_t i = 0; i < RECEIVERS && receiver == NULL; i++)
        if (visit->receiver[i].at_work > 0 &&
            memcmp(&visit->receiver[i].hook.id, &hook->id, sizeof(db_id)) == 0)
            receiver = &visit->receiver[i];
    if (receiver == NULL) {
        receiver = free_receiver(visit);
        if (receiver == NULL || strlen(hook->url) > TRANSFERS_URL_MAX)
            return;
        receiver->hook = *hook;
        strcpy(receiver->url, hook->url);
        transfers_url_fault(receiver->url, true, receiver->host);
    }
    receiver->here = true;
}

static void on_hooks(void *context, const struct db_reply *reply)
{
    struct visit *visit = context;

    if (!look_done(visit, reply))
        return;
    for (size_t i = 0; i < RECEIVERS; i++)
        visit->receiver[i].here = false;
    visit->has_receivers = reply->count > 0;
    for (size_t i = 0; i < reply->count; i++)
        know_receiver(visit, &reply->hooks[i]);
    db_get_hook_news(visit->request->loop->db, visit->promise.id, on_news, visit);
}

/* The visit ends when a look finds nothing to begin, and nothing is under way any more. */
static void look(struct visit *visit)
{
    if (visit->looking)
        return;
    if (is_over(visit)) {
        if (visit->places == NULL)
            end_visit(visit);
        return;
    }
    visit->looking = true;
    db_get_hooks(visit->request->loop->db, visit->promise.id, on_hooks, visit);
}

/* ---- visits ---- */

static size_t visits_count(const struct hooks *hooks)
{
    size_t count = 0;

    for (const struct visit *visit = hooks->visits; visit != NULL; visit = visit->next)
        count++;
    return count;
}

void hooks_keep_visit(struct request *request, const struct db_due *due)
{
    struct hooks *hooks = request->loop->hooks;
    struct visit *visit;

    if (visits_count(hooks) >= VISITS_MAX) {
        reply_problem(request, PROBLEM_OVERLOADED, NULL);
        return;
    }
    visit = arena_zero(&request->arena, sizeof(*visit));
    visit->hooks = hooks;
    visit->request = request;
    visit->promise = *due;
    visit->until = request->loop->now + VISIT_US;
    visit->retry_at = visit->oldest = DB_NEVER;
    visit->next = hooks->visits;
    hooks->visits = visit;
    look(visit);
}

/* A look may end its visit. */
void visits_run(struct hooks *hooks)
{
    int64_t now = db_now(hooks->loop->db), oldest = now;
    struct visit *visit = hooks->visits, *next;

    for (; visit != NULL; visit = next) {
        next = visit->next;
        if (visit->oldest < oldest)
            oldest = visit->oldest;
        look(visit);
    }
    metrics_set(&hooks->loop->metrics.webhooks_oldest_us, (uint64_t)(now - oldest));
}
