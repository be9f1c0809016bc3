/* deliver_player.c - sends what the webhooks of one player lack. */
#include <string.h>

#include "api/duty/due.h"
#include "api/duty/heartbeat.h"
#include "api/game/words.h"
#include "api/hooks/deliver_game.h"
#include "api/hooks/hooks.h"
#include "api/hooks/mail_server.h"
#include "api/hooks/notice.h"
#include "api/hooks/send_queue.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/text/json.h"
#include "db/due.h"
#include "db/hooks.h"

/* A delivery to a player has the lease of the player's due work, which is longer than the time in
 * which attempts begin and that of the last attempt together (due.c). */
enum {
    DELIVERY_US = 12 * 1000 * 1000,
    DELIVERIES_MAX = 1024, /* of a daemon */
    FRESH_MAX = 512,       /* of them, those that are younger than this; a claim may add some */
    FRESH_US = 500 * 1000,
    RECEIVERS = DB_RECEIVERS_MAX + 3, /* a few may be there beyond the bound (db.h) */
    PLACES = 2                        /* games of a quick receiver that are told at a time */
};

struct player_delivery {
    struct hooks *hooks;
    struct request *request;
    struct db_due due;
    struct round round;
    struct receiver *receiver[RECEIVERS]; /* as many as were there at a time */
    size_t receivers;
    int64_t since; /* on loop->now */
    bool looking;
    bool is_whole; /* the last look has begun all that there was */
    bool has_receivers;
    bool heard;       /* there are news since it began */
    int64_t retry_at; /* when a webhook that fails may be tried again */
    int64_t oldest;   /* since when the oldest event waits that may be sent; DB_NEVER: none */
    struct player_delivery *next;
};

static void look_for_news(struct player_delivery *delivery);

/* ---- the end of a delivery ---- */

/* As long as there are webhooks the due work stays, if only for a time that will not come (db.h).
 */
static int64_t when_next(const struct player_delivery *delivery)
{
    if (round_is_over(&delivery->round))
        return db_now(db_of(delivery->request));
    if (!delivery->has_receivers)
        return DB_NEVER;
    return delivery->retry_at < JSON_TIME_MAX ? delivery->retry_at : JSON_TIME_MAX;
}

static void end_player_delivery(struct player_delivery *delivery)
{
    struct player_delivery **at = &delivery->hooks->deliveries;
    struct loop *loop = delivery->request->loop;

    while (*at != delivery)
        at = &(*at)->next;
    *at = delivery->next;
    if (delivery->hooks->deliveries == NULL)
        metrics_set(&loop->metrics.webhooks_oldest_us, 0);
    if (delivery->round.failed)
        reply_problem(delivery->request, PROBLEM_DATABASE_DOWN, NULL);
    else if (delivery->heard)
        due_settle_anew(delivery->request, &delivery->due);
    else
        due_settle(delivery->request, &delivery->due, when_next(delivery));
}

/* ---- looking ---- */

/* `news` NULL: a test. */
static void begin_delivery(struct player_delivery *delivery, struct receiver *receiver,
                           const struct db_hook_news *news)
{
    if (game_delivery_is_at_work(&delivery->round, receiver, news))
        delivery->is_whole = false; /* it may not know of all */
    else
        game_delivery_begin(&delivery->round, receiver, due_request(delivery->request, NULL, NULL),
                            news);
}

static struct receiver *receiver_of(struct player_delivery *delivery, const db_id *hook)
{
    for (size_t i = 0; i < delivery->receivers; i++)
        if (delivery->receiver[i]->here &&
            memcmp(&delivery->receiver[i]->hook.id, hook, sizeof(*hook)) == 0)
            return delivery->receiver[i];
    return NULL;
}

/* One that does not answer fast is told of one game at a time. */
static bool has_receiver_room(const struct receiver *receiver)
{
    bool quick = receiver->hook.failures == 0 && receiver->hook.took_ms >= 0 &&
                 receiver->hook.took_ms <= SEND_QUEUE_QUICK_MS;

    return receiver->at_work < (quick ? PLACES : 1);
}

/* Until when nothing is sent to a receiver, since it was put back or all mails wait; a time that is
 * over: it may be now. */
static int64_t put_back_until(const struct player_delivery *delivery,
                              const struct receiver *receiver, int64_t now)
{
    int64_t until = receiver_may_be_sent_to(receiver, now) ? now : receiver->hook.retry_at,
            rest_until = now;

    if (receiver->hook.kind == HOOK_MAIL)
        rest_until += send_queue_mails_rest_us(delivery->hooks->send_queue);
    return until > rest_until ? until : rest_until;
}

/* Until when a receiver is not told of a game; a time that is over: it may be now. */
static int64_t rests_until(const struct player_delivery *delivery, const struct receiver *receiver,
                           const struct db_hook_news *news, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;
    int64_t quiet = hook->kind != HOOK_WEB ? notice_quiet_until(hook, now) : DB_NEVER,
            put_back = put_back_until(delivery, receiver, now);

    if (receiver_has_digest(receiver))
        return now; /* it is counted, and nothing is sent */
    if (put_back > now)
        return put_back;
    return quiet != DB_NEVER ? quiet : round_put_off_until(&delivery->round, news);
}

static void retry_by(struct player_delivery *delivery, int64_t at)
{
    if (at < delivery->retry_at)
        delivery->retry_at = at;
}

/* A test, or the end of an address that nobody has confirmed. */
static void consider_test(struct player_delivery *delivery, struct receiver *receiver, int64_t now)
{
    bool is_asked = receiver->hook.test_at != DB_NEVER;

    if (receiver_is_confirmed(receiver)) {
        if (is_asked)
            begin_delivery(delivery, receiver, NULL);
    } else if (receiver_waits_until(receiver) <= now ||
               (is_asked && put_back_until(delivery, receiver, now) <= now)) {
        begin_delivery(delivery, receiver, NULL);
    } else {
        retry_by(delivery, receiver_waits_until(receiver));
        if (is_asked)
            retry_by(delivery, put_back_until(delivery, receiver, now));
    }
}

static bool has_news_of(const struct db_news *news, const struct db_hook *hook)
{
    for (size_t i = 0; i < news->count; i++)
        if (memcmp(&news->items[i].hook, &hook->id, sizeof(hook->id)) == 0)
            return true;
    return false;
}

/* It tells what is counted by then, so whatever came before comes first. */
static void consider_digest(struct player_delivery *delivery, struct receiver *receiver,
                            const struct db_news *news, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;
    int64_t put_back = put_back_until(delivery, receiver, now);

    if (!receiver_has_digest(receiver))
        return;
    if (hook->digest_at > now)
        retry_by(delivery, hook->digest_at);
    else if (put_back > now)
        retry_by(delivery, put_back);
    else if (!has_news_of(news, hook) && receiver->at_work == 0)
        begin_delivery(delivery, receiver, NULL);
    else
        delivery->is_whole = false;
}

static void consider(struct player_delivery *delivery, const struct db_hook_news *news, int64_t now)
{
    struct receiver *receiver = receiver_of(delivery, &news->hook);
    int64_t until;

    delivery->is_whole &= receiver != NULL; /* it may be at work for another URL */
    if (receiver == NULL || receiver->hook.disabled != HOOK_ENABLED ||
        !receiver_is_confirmed(receiver))
        return;
    until = rests_until(delivery, receiver, news, now);
    if (until > now) {
        retry_by(delivery, until);
    } else {
        if (news->since < delivery->oldest)
            delivery->oldest = news->since;
        if (has_receiver_room(receiver))
            begin_delivery(delivery, receiver, news);
        else
            delivery->is_whole = false;
    }
}

static bool look_done(struct player_delivery *delivery, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    delivery->round.failed = true;
    delivery->looking = false;
    if (delivery->round.deliveries == NULL)
        end_player_delivery(delivery);
    return false;
}

static void on_news(void *context, const struct db_reply *reply, const struct db_news *news)
{
    struct player_delivery *delivery = context;
    int64_t now = db_now(db_of(delivery->request));

    if (!look_done(delivery, reply))
        return;
    delivery->retry_at = delivery->oldest = DB_NEVER;
    delivery->is_whole = news->count < DB_HOOK_NEWS_MAX;
    for (size_t i = 0; i < delivery->receivers && !round_is_over(&delivery->round); i++)
        if (delivery->receiver[i]->here) {
            consider_test(delivery, delivery->receiver[i], now);
            consider_digest(delivery, delivery->receiver[i], news, now);
        }
    for (size_t i = 0; i < news->count && !round_is_over(&delivery->round); i++)
        consider(delivery, &news->items[i], now);
    delivery->looking = false;
    if (delivery->round.deliveries == NULL)
        end_player_delivery(delivery);
}

/* NULL: there is room for no other. */
static struct receiver *free_receiver(struct player_delivery *delivery)
{
    for (size_t i = 0; i < delivery->receivers; i++)
        if (!delivery->receiver[i]->here && delivery->receiver[i]->at_work == 0)
            return delivery->receiver[i];
    if (delivery->receivers == RECEIVERS)
        return NULL;
    return delivery->receiver[delivery->receivers++] =
               arena_zero(&delivery->request->arena, sizeof(struct receiver));
}

/* Whether this daemon can: a newer one may have made it, or one that sends mails. */
static bool is_sent_to(const struct db_hook *hook)
{
    return hook->kind < HOOK_MAIL || (hook->kind == HOOK_MAIL && mail_server() != NULL);
}

/* What a delivery at work has found out is younger than what was read; it is stored by then or will
 * be. If the receiver has another URL by now, nothing else is begun at the old one, and the new one
 * waits until that delivery has ended. */
static void know_receiver(struct player_delivery *delivery, const struct db_hook *hook)
{
    struct receiver *receiver = NULL;

    for (size_t i = 0; i < delivery->receivers && receiver == NULL; i++)
        if (delivery->receiver[i]->at_work > 0 &&
            memcmp(&delivery->receiver[i]->hook.id, &hook->id, sizeof(db_id)) == 0)
            receiver = delivery->receiver[i];
    if (receiver == NULL) {
        if (!is_sent_to(hook) || strlen(hook->url) > HTTP_CLIENT_URL_MAX)
            return;
        receiver = free_receiver(delivery);
        if (receiver == NULL)
            return;
        receiver->hook = *hook;
        strcpy(receiver->url, hook->url);
        if (hook->kind == HOOK_MAIL)
            strcpy(receiver->host, mail_server()->host);
        else
            http_client_url_fault(receiver->url, true, receiver->host);
    }
    receiver->here = strcmp(receiver->url, hook->url) == 0;
}

static void on_hooks(void *context, const struct db_reply *reply, const struct db_hooks *hooks)
{
    struct player_delivery *delivery = context;

    if (!look_done(delivery, reply))
        return;
    for (size_t i = 0; i < delivery->receivers; i++)
        delivery->receiver[i]->here = false;
    delivery->has_receivers = hooks->count > 0;
    for (size_t i = 0; i < hooks->count; i++)
        know_receiver(delivery, &hooks->items[i]);
    db_get_hook_news(db_of(delivery->request), delivery->due.id, on_news, delivery);
}

/* The delivery ends when a look finds nothing to begin, and nothing is under way any more. */
static void look_for_news(struct player_delivery *delivery)
{
    if (delivery->looking)
        return;
    if (round_is_over(&delivery->round)) {
        if (delivery->round.deliveries == NULL)
            end_player_delivery(delivery);
        return;
    }
    delivery->looking = true;
    db_get_hooks(db_of(delivery->request), delivery->due.id, on_hooks, delivery);
}

/* What has come since the last look is due work of its own (due_settle_anew()), so as a rule there
 * is no other one. */
static void on_delivery_ended(void *context)
{
    struct player_delivery *delivery = context;

    if (delivery->is_whole && delivery->round.left == 0 && !delivery->looking &&
        delivery->round.deliveries == NULL)
        end_player_delivery(delivery);
    else
        look_for_news(delivery);
}

/* ---- deliveries ---- */

void player_deliveries_hear(struct hooks *hooks, const db_id *player)
{
    struct player_delivery *delivery = hooks->deliveries;

    while (delivery != NULL && memcmp(&delivery->round.player, player, sizeof(*player)) != 0)
        delivery = delivery->next;
    if (delivery != NULL)
        delivery->heard = true;
}

static size_t player_deliveries_count(const struct hooks *hooks)
{
    size_t count = 0;

    for (const struct player_delivery *delivery = hooks->deliveries; delivery != NULL;
         delivery = delivery->next)
        count++;
    return count;
}

/* The youngest stand first. */
static size_t fresh_count(const struct hooks *hooks)
{
    int64_t since = hooks->loop->now - FRESH_US;
    size_t count = 0;

    for (const struct player_delivery *delivery = hooks->deliveries;
         delivery != NULL && delivery->since > since; delivery = delivery->next)
        count++;
    return count;
}

int64_t player_deliveries_until(const struct loop *loop)
{
    int64_t stored = heartbeat_stored(loop);

    return stored == INT64_MIN ? INT64_MIN : stored + HOOKS_HOLD_US;
}

/* Of other players nothing is leased that would have to wait here: it would wait for the end of its
 * lease. Deliveries that last are at receivers that let them wait, so the others do not wait for
 * them.
 */
void player_deliveries_tell_room(struct hooks *hooks)
{
    due_leave_out(due_of(hooks->loop), DUE_HOOKS,
                  fresh_count(hooks) >= FRESH_MAX ||
                      player_deliveries_count(hooks) > DELIVERIES_MAX - DB_DUE_MAX ||
                      hooks->loop->now >= player_deliveries_until(hooks->loop));
}

void hooks_keep_delivery(struct request *request, const struct db_due *due)
{
    struct hooks *hooks = hooks_of(request->loop);
    struct player_delivery *delivery;

    if (request->loop->now >= player_deliveries_until(request->loop)) {
        due_settle(request, due, db_now(db_of(request)));
        return;
    }
    if (player_deliveries_count(hooks) >= DELIVERIES_MAX) {
        reply_problem(request, PROBLEM_OVERLOADED, NULL);
        return;
    }
    delivery = arena_zero(&request->arena, sizeof(*delivery));
    delivery->hooks = hooks;
    delivery->request = request;
    delivery->due = *due;
    delivery->since = request->loop->now;
    delivery->round = (struct round){.loop = request->loop,
                                     .send_queue = hooks->send_queue,
                                     .player = due->id,
                                     .until = request->loop->now + DELIVERY_US,
                                     .arena = &request->arena,
                                     .ended = on_delivery_ended,
                                     .context = delivery};
    delivery->retry_at = delivery->oldest = DB_NEVER;
    delivery->next = hooks->deliveries;
    hooks->deliveries = delivery;
    look_for_news(delivery);
}

/* The due work is not settled: it may be another daemon's by now. */
void player_deliveries_leave(struct hooks *hooks)
{
    struct player_delivery *delivery = hooks->deliveries, *next;

    for (; delivery != NULL; delivery = next) {
        next = delivery->next;
        delivery->round.failed = true;
        look_for_news(delivery);
    }
}

/* A look may end its delivery. */
void player_deliveries_run(struct hooks *hooks)
{
    int64_t now = db_now(hooks->loop->db), oldest = now;
    struct player_delivery *delivery = hooks->deliveries, *next;

    for (; delivery != NULL; delivery = next) {
        next = delivery->next;
        if (delivery->oldest < oldest)
            oldest = delivery->oldest;
        look_for_news(delivery);
    }
    metrics_set(&hooks->loop->metrics.webhooks_oldest_us, (uint64_t)(now - oldest));
}
