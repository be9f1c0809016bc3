/* deliver_game.c - a receiver is told of a game. */
#include "api/hooks/deliver_game.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "api/game/words.h"
#include "api/hooks/mail_message.h"
#include "api/hooks/mail_server.h"
#include "api/hooks/notice.h"
#include "api/hooks/pending.h"
#include "api/hooks/push_key.h"
#include "api/hooks/push_message.h"
#include "api/hooks/send_queue.h"
#include "api/hooks/webhook_message.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/stream/presence.h"

/* ---- when a failed delivery is tried again ---- */

int64_t game_delivery_backoff_us(int failures, uint32_t chance)
{
    static const int64_t seconds[DELIVERY_FAILURES - 1] = {
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600};
    int64_t tenth;

    if (failures >= DELIVERY_FAILURES)
        return -1;
    tenth = seconds[failures - 1] * 100000;
    return 10 * tenth + (int64_t)(chance % 1024) * tenth / 1024;
}

#define SECOND_US       INT64_C(1000000)
#define DAY_US          (24 * 3600 * SECOND_US)
#define WISHED_MAX_S    (24 * 3600)       /* that a push service may ask for */
#define PRESENT_MAX_US  (120 * SECOND_US) /* that a player may leave a game open that waits */
#define PRESENT_LOOK_US (20 * SECOND_US)

/* A mail tells of nothing that is younger, so who plays a quick game gets none; unless news have
 * waited for so long, as messages alone always do. Who gets mails looks after them now and then: so
 * it may wait for longer, too, if they have the game open. */
#define MAIL_AGE_US         (5 * 60 * SECOND_US)
#define MAIL_AGE_MAX_US     (3600 * SECOND_US)
#define MAIL_PRESENT_MAX_US (1800 * SECOND_US)

struct game_delivery {
    struct round *round;
    struct receiver *receiver;
    struct request *request;
    bool alone;                    /* of no game: a test, a mail that asks, or a digest */
    struct pending_of of;          /* `news` is that of the delivery */
    const struct pending *pending; /* NULL: of a test, or not read yet */
    size_t next;                   /* of its messages */
    bool over;                     /* no other one is sent */
    struct parcel parcel;
    char id[WEBHOOK_MESSAGE_ID_TEXT];
    struct db_delivery attempt;
    struct db_delivered delivered;
    struct game_delivery *beside;
};

bool round_is_over(const struct round *round)
{
    return round->failed || round->loop->draining || round->loop->now >= round->until;
}

/* ---- what is put off ---- */

struct put_off {
    db_id hook, game;
    int64_t until;
    struct put_off *next;
};

static void put_off(struct round *round, const struct db_hook_news *news, int64_t until)
{
    struct put_off *later = arena_alloc(round->arena, sizeof(*later));

    *later = (struct put_off){news->hook, news->game, until, round->put_off};
    round->put_off = later;
}

int64_t round_put_off_until(const struct round *round, const struct db_hook_news *news)
{
    for (const struct put_off *at = round->put_off; at != NULL; at = at->next)
        if (memcmp(&at->hook, &news->hook, sizeof(at->hook)) == 0 &&
            memcmp(&at->game, &news->game, sizeof(at->game)) == 0)
            return at->until;
    return 0;
}

/* ---- the end of a delivery ---- */

static void end_delivery(struct game_delivery *delivery)
{
    struct round *round = delivery->round;
    struct game_delivery **at = &round->deliveries;

    while (*at != delivery)
        at = &(*at)->beside;
    *at = delivery->beside;
    assert(delivery->receiver->at_work > 0);
    delivery->receiver->at_work--;
    reply_empty(delivery->request, 204);
    round->ended(round->context);
}

static void end_badly(struct game_delivery *delivery)
{
    delivery->round->failed = true;
    end_delivery(delivery);
}

/* A receiver that was deleted has nothing to be told. */
static bool delivery_done(struct game_delivery *delivery, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    if (reply->outcome == DB_NOT_FOUND)
        end_delivery(delivery);
    else
        end_badly(delivery);
    return false;
}

/* ---- attempts ---- */

bool receiver_is_confirmed(const struct receiver *receiver)
{
    return receiver->hook.kind != HOOK_MAIL || receiver->hook.confirmed_at != DB_NEVER;
}

int64_t receiver_waits_until(const struct receiver *receiver)
{
    return receiver->hook.created_at + MAIL_CONFIRM_US;
}

bool receiver_has_digest(const struct receiver *receiver)
{
    return receiver->hook.digest_minute >= 0 && receiver_is_confirmed(receiver);
}

bool receiver_may_be_sent_to(const struct receiver *receiver, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;

    return hook->disabled == HOOK_ENABLED && (hook->retry_at == DB_NEVER || hook->retry_at <= now);
}

static bool is_all_told(const struct game_delivery *delivery)
{
    return delivery->alone || delivery->over || delivery->next == delivery->pending->count;
}

static void send_next(struct game_delivery *delivery);

static void on_noted(void *context, const struct db_reply *reply)
{
    struct game_delivery *delivery = context;

    if (!delivery_done(delivery, reply))
        return;
    if (!is_all_told(delivery)) {
        send_next(delivery);
        return;
    }
    if (!delivery->alone && delivery->delivered.sent >= delivery->of.news.known)
        delivery->round->left--;
    end_delivery(delivery);
}

static void note(struct game_delivery *delivery)
{
    delivery->delivered.player = delivery->round->player;
    delivery->delivered.hook = delivery->receiver->hook.id;
    delivery->delivered.url = delivery->receiver->url;
    delivery->delivered.delivery = &delivery->attempt;
    db_note_delivered(db_of(delivery->request), &delivery->delivered, on_noted, delivery);
}

/* That of today is told, or has nothing to tell. */
static void note_digest(struct game_delivery *delivery)
{
    struct db_hook *hook = &delivery->receiver->hook;

    if (!receiver_has_digest(delivery->receiver))
        return;
    hook->digest_at = notice_digest_after(hook, db_now(db_of(delivery->request)));
    delivery->delivered.digest_at = hook->digest_at;
}

static void delivered(struct game_delivery *delivery)
{
    struct loop *loop = delivery->request->loop;
    struct db_hook *hook = &delivery->receiver->hook;

    hook->failures = 0;
    hook->retry_at = delivery->attempt.retry_at = DB_NEVER;
    if (delivery->alone) {
        note_digest(delivery);
    } else {
        int64_t lag = db_now(loop->db) - delivery->pending->message[delivery->next].at;

        if (hook->kind == HOOK_WEB)
            metrics_time(loop->metrics.webhook_lag, lag > 0 ? (uint64_t)lag : 0);
        delivery->next++;
        delivery->delivered.sent =
            is_all_told(delivery) ? delivery->pending->upto : delivery->attempt.version;
        delivery->delivered.waits = delivery->pending->waits;
    }
}

/* A push service says by 404, too, that it does not know the subscription any more. */
static bool is_gone(const struct db_hook *hook, const struct transfer *transfer)
{
    if (hook->kind == HOOK_MAIL)
        return transfer->mail_refused;
    return transfer->status == 410 || (transfer->status == 404 && hook->kind == HOOK_PUSH);
}

/* How long a push service wants to be left alone at least. */
static int64_t wished_wait(const struct db_hook *hook, const struct transfer *transfer)
{
    int64_t wait_s = hook->kind == HOOK_PUSH ? transfer->retry_after_s : 0;

    return (wait_s < WISHED_MAX_S ? wait_s : WISHED_MAX_S) * SECOND_US;
}

/* A mail that its server would have failed whomever it is for says nothing about the address. */
static void set_back_by_server(struct db_hook *hook, int64_t until)
{
    if (hook->failures == 0)
        hook->failures = 1;
    hook->retry_at = until;
}

static void set_back(struct db_hook *hook, const struct transfer *transfer, int64_t now)
{
    int64_t wait, wished = wished_wait(hook, transfer);

    /* A mail server that does not work is the operator's, and no reason to forget an address. */
    if (hook->kind != HOOK_MAIL || hook->failures < DELIVERY_FAILURES - 1)
        hook->failures++;
    wait = game_delivery_backoff_us(hook->failures, randombytes_random());
    if (is_gone(hook, transfer))
        hook->disabled = HOOK_GONE;
    else if (wait < 0)
        hook->disabled = HOOK_FAILING;
    hook->retry_at =
        hook->disabled == HOOK_ENABLED ? now + (wait > wished ? wait : wished) : DB_NEVER;
}

static void on_receiver_deleted(void *context, const struct db_reply *reply)
{
    if (delivery_done(context, reply))
        end_delivery(context);
}

/* A webhook that is at rest its player may wake. A subscription that is over the browser replaces,
 * so it goes. The look that is promised finds out what else there is. */
static void delete_receiver(struct game_delivery *delivery)
{
    const struct receiver *receiver = delivery->receiver;
    struct db *db = db_of(delivery->request);
    db_id player = delivery->round->player;

    db_delete_hook(db,
                   &(struct db_hook_end){.player = player,
                                         .hook = receiver->hook.id,
                                         .kind = receiver->hook.kind,
                                         .url = receiver->url,
                                         .due = {player, DUE_HOOKS, db_now(db)}},
                   on_receiver_deleted, delivery);
}

/* The test of a webhook changes nothing about when the next event is sent. The mail that asks for a
 * confirmation is sent again. Two attempts that fail side by side count as one. */
static void failed(struct game_delivery *delivery, const struct transfer *transfer)
{
    struct db_hook *hook = &delivery->receiver->hook;
    int64_t now = db_now(db_of(delivery->request));

    if (delivery->alone && hook->kind == HOOK_WEB) {
        delivery->delivered.failures = hook->failures;
        delivery->attempt.retry_at = hook->retry_at;
        return;
    }
    if (transfer->server_failed)
        set_back_by_server(hook, now + send_queue_mails_rest_us(delivery->round->send_queue));
    else if (receiver_may_be_sent_to(delivery->receiver, now))
        set_back(hook, transfer, now);
    delivery->delivered.failures = hook->failures;
    delivery->delivered.disabled = hook->disabled;
    delivery->delivered.tests_again = delivery->alone;
    delivery->attempt.retry_at = hook->retry_at;
    delivery->over = true;
}

static _Atomic uint64_t *attempts_counter(const struct game_delivery *delivery, int failure)
{
    struct metrics *metrics = &delivery->request->loop->metrics;

    switch (delivery->receiver->hook.kind) {
    case HOOK_PUSH:
        return &metrics->push_attempts[failure];
    case HOOK_MAIL:
        return &metrics->mail_attempts[failure];
    default:
        return &metrics->webhook_attempts[failure];
    }
}

/* A notice that is too long for its service is too long for ever, and the next one may not be. */
static bool is_never_taken(const struct game_delivery *delivery, int status)
{
    return delivery->receiver->hook.kind == HOOK_PUSH && status == 413;
}

static void on_parcel(struct parcel *parcel, bool tried)
{
    struct game_delivery *delivery = parcel->transfer.context;
    const struct transfer *transfer = &parcel->transfer;

    if (!tried) {
        end_delivery(delivery);
        return;
    }
    delivery->delivered = (struct db_delivered){.sent = -1, .counts = true};
    delivery->attempt.status = (int16_t)transfer->status;
    delivery->attempt.failure = (int16_t)transfer->failure;
    delivery->attempt.took_ms = delivery->receiver->hook.took_ms = transfer->took_ms;
    metrics_add(attempts_counter(delivery, transfer->failure), 1);
    if (transfer->failure == HOOK_DELIVERED || is_never_taken(delivery, transfer->status))
        delivered(delivery);
    else
        failed(delivery, transfer);
    if (delivery->alone && !delivery->delivered.tests_again)
        delivery->receiver->hook.test_at = DB_NEVER;
    if (delivery->receiver->hook.kind != HOOK_WEB &&
        delivery->receiver->hook.disabled != HOOK_ENABLED)
        delete_receiver(delivery);
    else
        note(delivery);
}

static const char *signature_header(struct arena *arena, const struct game_delivery *delivery,
                                    const char *seconds, const char *body, int64_t now)
{
    const struct db_hook *hook = &delivery->receiver->hook;
    char text[WEBHOOK_MESSAGE_SIGNATURE_TEXT], old[WEBHOOK_MESSAGE_SIGNATURE_TEXT];

    webhook_message_sign(hook->secret, delivery->id, seconds, body, text);
    if (hook->old_until == DB_NEVER || hook->old_until <= now)
        return arena_format(arena, "webhook-signature: %s", text);
    webhook_message_sign(hook->old_secret, delivery->id, seconds, body, old);
    return arena_format(arena, "webhook-signature: %s %s", text, old);
}

static void fill_webhook(struct game_delivery *delivery, const char *body, int64_t now)
{
    struct arena *arena = &delivery->request->arena;
    const char *seconds = arena_format(arena, "%lld", (long long)(now / SECOND_US));
    struct transfer *transfer = &delivery->parcel.transfer;

    transfer->body = body;
    transfer->body_len = strlen(body);
    transfer->header[0] = "Content-Type: application/json";
    transfer->header[1] = arena_format(arena, "webhook-id: %s", delivery->id);
    transfer->header[2] = arena_format(arena, "webhook-timestamp: %s", seconds);
    transfer->header[3] = signature_header(arena, delivery, seconds, body, now);
}

static void fill_push(struct game_delivery *delivery, const struct notice *notice, int64_t now)
{
    struct loop *loop = delivery->request->loop;
    const struct push_sender sender = {push_key_known(loop), loop->config->push_contact};

    push_message(&delivery->request->arena, &sender, &delivery->receiver->hook,
                 delivery->receiver->url, delivery->alone ? NULL : &delivery->of.news.game, notice,
                 now, &delivery->parcel.transfer);
}

/* `notice` NULL: the mail that asks for a confirmation. */
static void fill_mail(struct game_delivery *delivery, const struct notice *notice, int64_t now)
{
    const struct mail_recipient to = {delivery->round->player, &delivery->receiver->hook,
                                      delivery->receiver->url, delivery->id};
    struct arena *arena = &delivery->request->arena;

    if (notice == NULL)
        mail_message_confirmation(arena, mail_server(), &to, now, &delivery->parcel.transfer);
    else
        mail_message_notice(arena, mail_server(), &to, notice, now, &delivery->parcel.transfer);
}

/* `body` is that of a webhook's message, `notice` that of others; of a mail's test there is
 * neither.
 */
static void send_message(struct game_delivery *delivery, const char *body,
                         const struct notice *notice)
{
    const struct db_hook *hook = &delivery->receiver->hook;
    int64_t now = db_now(db_of(delivery->request));

    delivery->attempt.at = now;
    delivery->parcel =
        (struct parcel){.transfer = {.url = delivery->receiver->url, .context = delivery},
                        .host = delivery->receiver->host,
                        .took_ms = hook->took_ms,
                        .to_service = hook->kind == HOOK_PUSH && hook->failures == 0,
                        .until = delivery->round->until,
                        .done = on_parcel};
    if (body != NULL)
        fill_webhook(delivery, body, now);
    else if (hook->kind == HOOK_MAIL)
        fill_mail(delivery, notice, now);
    else
        fill_push(delivery, notice, now);
    send_queue_send(delivery->round->send_queue, &delivery->parcel);
}

/* Of two games of one webhook, the other one may have found out meanwhile that it fails. */
static void send_next(struct game_delivery *delivery)
{
    const struct pending_message *message = &delivery->pending->message[delivery->next];

    if (round_is_over(delivery->round) ||
        !receiver_may_be_sent_to(delivery->receiver, db_now(db_of(delivery->request)))) {
        end_delivery(delivery);
        return;
    }
    webhook_message_id(&delivery->receiver->hook.id, &delivery->of.news.game, message->version,
                       delivery->id);
    delivery->attempt = (struct db_delivery){.has_game = true,
                                             .game = delivery->of.news.game,
                                             .version = message->version,
                                             .kind = message->kind};
    send_message(delivery, message->body, &message->notice);
}

/* A webhook's, or the mail that asks for a confirmation. */
static void send_test(struct game_delivery *delivery)
{
    const struct db_hook *hook = &delivery->receiver->hook;

    webhook_message_id(&hook->id, NULL, hook->attempts + 1, delivery->id);
    delivery->attempt = (struct db_delivery){.kind = WEBHOOK_MESSAGE_TEST, .version = 0};
    send_message(delivery,
                 hook->kind == HOOK_WEB
                     ? webhook_message_test(&delivery->request->arena, hook->id, hook->test_at)
                     : NULL,
                 NULL);
}

/* One that is tried again has the same id: it follows from the day. */
static void send_digest(struct game_delivery *delivery)
{
    const struct db_hook *hook = &delivery->receiver->hook;
    struct notice notice;

    notice_digest(&delivery->request->arena, hook, &notice);
    notice.until = notice_digest_after(hook, db_now(db_of(delivery->request)));
    webhook_message_id(&hook->id, NULL, (int32_t)(hook->digest_at / DAY_US), delivery->id);
    delivery->attempt = (struct db_delivery){.kind = WEBHOOK_MESSAGE_TEST, .version = 0};
    send_message(delivery, NULL, &notice);
}

static void pass_digest(struct game_delivery *delivery)
{
    delivery->attempt = (struct db_delivery){.retry_at = DB_NEVER};
    delivery->delivered = (struct db_delivered){.sent = -1};
    note_digest(delivery);
    note(delivery);
}

/* ---- the key of Web Push ---- */

static void send_with_key(struct game_delivery *delivery)
{
    if (delivery->alone)
        send_digest(delivery);
    else
        send_next(delivery);
}

static void on_push_key(void *context, const struct db_reply *reply,
                        const struct db_push_key *stored)
{
    struct game_delivery *delivery = context;

    if (!delivery_done(delivery, reply))
        return;
    if (push_key_learn(delivery->request->loop, stored) != NULL)
        send_with_key(delivery);
    else
        end_badly(delivery);
}

/* Of one that is no webhook. */
static void send_by_key(struct game_delivery *delivery)
{
    struct db_push_key made;

    if (delivery->receiver->hook.kind == HOOK_MAIL ||
        push_key_known(delivery->request->loop) != NULL) {
        send_with_key(delivery);
    } else {
        made = push_key_make();
        db_get_push_key(db_of(delivery->request), &made, on_push_key, delivery);
    }
}

static void send_alone(struct game_delivery *delivery)
{
    const struct receiver *receiver = delivery->receiver;

    if (!receiver_is_confirmed(receiver) &&
        receiver_waits_until(receiver) <= db_now(db_of(delivery->request)))
        delete_receiver(delivery);
    else if (!receiver_has_digest(receiver))
        send_test(delivery);
    else if (receiver->hook.waiting == 0)
        pass_digest(delivery);
    else
        send_by_key(delivery);
}

/* ---- what there is to tell of a game ---- */

static int64_t sooner(int64_t at, int64_t other)
{
    return at < other ? at : other;
}

/* They may see it by themselves. A page that nobody looks at keeps its stream, too, so that is not
 * believed for long. */
static int64_t seen_until(const struct game_delivery *delivery, int64_t now)
{
    bool is_mail = delivery->receiver->hook.kind == HOOK_MAIL;
    int64_t at = delivery->pending->message[0].at,
            until = at + (is_mail ? MAIL_PRESENT_MAX_US : PRESENT_MAX_US);

    return presence_is(delivery->round->player, delivery->of.news.game)
               ? sooner(until, now + PRESENT_LOOK_US)
               : 0;
}

static int64_t young_until(const struct game_delivery *delivery)
{
    const struct pending_message *message = &delivery->pending->message[0];
    int64_t latest = delivery->of.news.since + MAIL_AGE_MAX_US;

    if (delivery->receiver->hook.kind != HOOK_MAIL)
        return 0;
    return message->notice.is_talk ? latest : sooner(message->at + MAIL_AGE_US, latest);
}

static bool is_put_off(const struct game_delivery *delivery)
{
    int64_t now = db_now(db_of(delivery->request)), until = young_until(delivery);

    if (until <= now)
        until = seen_until(delivery, now);
    if (until <= now)
        return false;
    put_off(delivery->round, &delivery->of.news, until);
    return true;
}

/* What is told beside this game counts it by then. */
static void count_waiting(struct game_delivery *delivery)
{
    struct db_hook_news *news = &delivery->of.news;

    delivery->receiver->hook.waiting += delivery->pending->waits - news->waits;
    news->waits = delivery->pending->waits;
}

static void send_notice(struct game_delivery *delivery)
{
    if (is_put_off(delivery)) {
        end_delivery(delivery);
        return;
    }
    count_waiting(delivery);
    send_by_key(delivery);
}

/* There is nothing to tell, or a digest tells it: notes how far the receiver has come without an
 * attempt. */
static void pass_over(struct game_delivery *delivery)
{
    const struct pending *pending = delivery->pending;

    count_waiting(delivery);
    delivery->attempt = (struct db_delivery){
        .has_game = true, .game = delivery->of.news.game, .retry_at = DB_NEVER};
    delivery->delivered = (struct db_delivered){.sent = pending->upto, .waits = pending->waits};
    delivery->over = true;
    note(delivery);
}

static void know_pending(void *context, const struct pending *pending)
{
    struct game_delivery *delivery = context;

    delivery->pending = pending;
    if (pending == NULL)
        end_badly(delivery);
    else if (pending->count == 0 || receiver_has_digest(delivery->receiver))
        pass_over(delivery);
    else if (delivery->receiver->hook.kind == HOOK_WEB)
        send_next(delivery);
    else
        send_notice(delivery);
}

/* ---- deliveries ---- */

bool game_delivery_is_at_work(const struct round *round, const struct receiver *receiver,
                              const struct db_hook_news *news)
{
    for (const struct game_delivery *delivery = round->deliveries; delivery != NULL;
         delivery = delivery->beside)
        if (delivery->receiver == receiver &&
            (news == NULL ? delivery->alone
                          : !delivery->alone &&
                                memcmp(&delivery->of.news.game, &news->game, sizeof(db_id)) == 0))
            return true;
    return false;
}

void game_delivery_begin(struct round *round, struct receiver *receiver, struct request *request,
                         const struct db_hook_news *news)
{
    struct game_delivery *delivery = arena_zero(&request->arena, sizeof(*delivery));

    delivery->round = round;
    delivery->receiver = receiver;
    delivery->request = request;
    delivery->alone = news == NULL;
    delivery->beside = round->deliveries;
    round->deliveries = delivery;
    round->left++;
    receiver->at_work++;
    if (news == NULL) {
        send_alone(delivery);
    } else {
        delivery->of = (struct pending_of){round->player, &receiver->hook, *news};
        pending_read(request, &delivery->of, know_pending, delivery);
    }
}
