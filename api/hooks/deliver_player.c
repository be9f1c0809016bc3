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

/* A visit has the lease of the player's due work, which is longer than the time in which attempts
 * begin and that of the last attempt together (due.c). */
enum {
    VISIT_US = 12 * 1000 * 1000,
    VISITS_MAX = 512, /* of a daemon */
    FRESH_MAX = 128,  /* of them, those that are younger than this; a claim may add some */
    FRESH_US = 500 * 1000,
    RECEIVERS = DB_RECEIVERS_MAX + 3, /* a few may be there beyond the bound (db.h) */
    PLACES = 2                        /* games of a quick receiver that are told at a time */
};

struct visit {
    struct hooks *hooks;
    struct request *request;
    struct db_due due;
    struct round round;
    struct receiver receiver[RECEIVERS];
    int64_t since; /* on loop->now */
    bool looking;
    bool has_receivers;
    int64_t retry_at; /* when a webhook that fails may be tried again */
    int64_t oldest;   /* since when the oldest event waits that may be sent; DB_NEVER: none */
    struct visit *next;
};

static void look_for_news(struct visit *visit);

/* ---- the end of a visit ---- */

/* As long as there are webhooks the due work stays, if only for a time that will not come (db.h).
 */
static int64_t next_visit(const struct visit *visit)
{
    if (round_is_over(&visit->round))
        return db_now(db_of(visit->request));
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
    if (visit->round.failed)
        reply_problem(visit->request, PROBLEM_DATABASE_DOWN, NULL);
    else
        due_settle(visit->request, &visit->due, next_visit(visit));
}

/* ---- looking ---- */

/* `news` NULL: a test. */
static void begin_delivery(struct visit *visit, struct receiver *receiver,
                           const struct db_hook_news *news)
{
    if (!delivery_is_at_work(&visit->round, receiver, news))
        delivery_begin(&visit->round, receiver, due_request(visit->request, NULL, NULL), news);
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
static bool has_receiver_room(const struct receiver *receiver)
{
    bool quick = receiver->hook.failures == 0 && receiver->hook.took_ms >= 0 &&
                 receiver->hook.took_ms <= SEND_QUEUE_QUICK_MS;

    return receiver->at_work < (quick ? PLACES : 1);
}

/* Until when a receiver is not told of a game; a time that is over: it may be now. */
static int64_t rests_until(const struct visit *visit, const struct receiver *receiver,
                           const struct db_hook_news *news, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;
    int64_t quiet = hook->kind != HOOK_WEB ? notice_quiet_until(hook, now) : DB_NEVER;

    if (receiver_has_digest(receiver))
        return now; /* it is counted, and nothing is sent */
    if (!receiver_may_be_sent_to(receiver, now))
        return hook->retry_at;
    return quiet != DB_NEVER ? quiet : round_put_off_until(&visit->round, news);
}

static void retry_by(struct visit *visit, int64_t at)
{
    if (at < visit->retry_at)
        visit->retry_at = at;
}

/* A test, or the end of an address that nobody has confirmed. */
static void consider_test(struct visit *visit, struct receiver *receiver, int64_t now)
{
    bool is_asked = receiver->hook.test_at != DB_NEVER;

    if (receiver_is_confirmed(receiver)) {
        if (is_asked)
            begin_delivery(visit, receiver, NULL);
    } else if (receiver_waits_until(receiver) <= now ||
               (is_asked && receiver_may_be_sent_to(receiver, now))) {
        begin_delivery(visit, receiver, NULL);
    } else {
        retry_by(visit, receiver_waits_until(receiver));
        if (is_asked)
            retry_by(visit, receiver->hook.retry_at);
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
static void consider_digest(struct visit *visit, struct receiver *receiver,
                            const struct db_news *news, int64_t now)
{
    const struct db_hook *hook = &receiver->hook;

    if (!receiver_has_digest(receiver))
        return;
    if (hook->digest_at > now)
        retry_by(visit, hook->digest_at);
    else if (!receiver_may_be_sent_to(receiver, now))
        retry_by(visit, hook->retry_at);
    else if (!has_news_of(news, hook) && receiver->at_work == 0)
        begin_delivery(visit, receiver, NULL);
}

static void consider(struct visit *visit, const struct db_hook_news *news, int64_t now)
{
    struct receiver *receiver = receiver_of(visit, &news->hook);
    int64_t until;

    if (receiver == NULL || receiver->hook.disabled != HOOK_ENABLED ||
        !receiver_is_confirmed(receiver))
        return;
    until = rests_until(visit, receiver, news, now);
    if (until > now) {
        retry_by(visit, until);
    } else {
        if (news->since < visit->oldest)
            visit->oldest = news->since;
        if (has_receiver_room(receiver))
            begin_delivery(visit, receiver, news);
    }
}

static bool look_done(struct visit *visit, const struct db_reply *reply)
{
    if (reply->outcome == DB_OK)
        return true;
    visit->round.failed = true;
    visit->looking = false;
    if (visit->round.deliveries == NULL)
        end_visit(visit);
    return false;
}

static void on_news(void *context, const struct db_reply *reply, const struct db_news *news)
{
    struct visit *visit = context;
    int64_t now = db_now(db_of(visit->request));

    if (!look_done(visit, reply))
        return;
    visit->retry_at = visit->oldest = DB_NEVER;
    for (size_t i = 0; i < RECEIVERS && !round_is_over(&visit->round); i++)
        if (visit->receiver[i].here) {
            consider_test(visit, &visit->receiver[i], now);
            consider_digest(visit, &visit->receiver[i], news, now);
        }
    for (size_t i = 0; i < news->count && !round_is_over(&visit->round); i++)
        consider(visit, &news->items[i], now);
    visit->looking = false;
    if (visit->round.deliveries == NULL)
        end_visit(visit);
}

static struct receiver *free_receiver(struct visit *visit)
{
    for (size_t i = 0; i < RECEIVERS; i++)
        if (!visit->receiver[i].here && visit->receiver[i].at_work == 0)
            return &visit->receiver[i];
    return NULL;
}

/* Whether this daemon can: a newer one may have made it, or one that sends mails. */
static bool is_sent_to(const struct db_hook *hook)
{
    return hook->kind < HOOK_MAIL || (hook->kind == HOOK_MAIL && mail_server() != NULL);
}

/* What a delivery at work has found out is younger than what was read; it is stored by then or will
 * be. If the receiver has another URL by now, nothing else is begun at the old one, and the new one
 * waits until that delivery has ended. */
static void know_receiver(struct visit *visit, const struct db_hook *hook)
{
    struct receiver *receiver = NULL;

    for (size_t i = 0; i < RECEIVERS && receiver == NULL; i++)
        if (visit->receiver[i].at_work > 0 &&
            memcmp(&visit->receiver[i].hook.id, &hook->id, sizeof(db_id)) == 0)
            receiver = &visit->receiver[i];
    if (receiver == NULL) {
        receiver = free_receiver(visit);
        if (receiver == NULL || !is_sent_to(hook) || strlen(hook->url) > TRANSFERS_URL_MAX)
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
    struct visit *visit = context;

    if (!look_done(visit, reply))
        return;
    for (size_t i = 0; i < RECEIVERS; i++)
        visit->receiver[i].here = false;
    visit->has_receivers = hooks->count > 0;
    for (size_t i = 0; i < hooks->count; i++)
        know_receiver(visit, &hooks->items[i]);
    db_get_hook_news(db_of(visit->request), visit->due.id, on_news, visit);
}

/* The visit ends when a look finds nothing to begin, and nothing is under way any more. */
static void look_for_news(struct visit *visit)
{
    if (visit->looking)
        return;
    if (round_is_over(&visit->round)) {
        if (visit->round.deliveries == NULL)
            end_visit(visit);
        return;
    }
    visit->looking = true;
    db_get_hooks(db_of(visit->request), visit->due.id, on_hooks, visit);
}

static void on_delivery_ended(void *context)
{
    look_for_news(context);
}

/* ---- visits ---- */

static size_t visits_count(const struct hooks *hooks)
{
    size_t count = 0;

    for (const struct visit *visit = hooks->visits; visit != NULL; visit = visit->next)
        count++;
    return count;
}

/* The youngest stand first. */
static size_t fresh_count(const struct hooks *hooks)
{
    int64_t since = hooks->loop->now - FRESH_US;
    size_t count = 0;

    for (const struct visit *visit = hooks->visits; visit != NULL && visit->since > since;
         visit = visit->next)
        count++;
    return count;
}

int64_t visits_until(const struct loop *loop)
{
    int64_t stored = heartbeat_stored(loop);

    return stored == INT64_MIN ? INT64_MIN : stored + HOOKS_HOLD_US;
}

/* Of other players nothing is leased that would have to wait here: it would wait for the end of its
 * lease. Visits that last are at receivers that let them wait, so the others do not wait for them.
 */
void visits_tell_room(struct hooks *hooks)
{
    due_leave_out(due_of(hooks->loop), DUE_HOOKS,
                  fresh_count(hooks) >= FRESH_MAX ||
                      visits_count(hooks) > VISITS_MAX - DB_DUE_MAX ||
                      hooks->loop->now >= visits_until(hooks->loop));
}

void hooks_keep_visit(struct request *request, const struct db_due *due)
{
    struct hooks *hooks = hooks_of(request->loop);
    struct visit *visit;

    if (request->loop->now >= visits_until(request->loop)) {
        due_settle(request, due, db_now(db_of(request)));
        return;
    }
    if (visits_count(hooks) >= VISITS_MAX) {
        reply_problem(request, PROBLEM_OVERLOADED, NULL);
        return;
    }
    visit = arena_zero(&request->arena, sizeof(*visit));
    visit->hooks = hooks;
    visit->request = request;
    visit->due = *due;
    visit->since = request->loop->now;
    visit->round = (struct round){.loop = request->loop,
                                  .send_queue = hooks->send_queue,
                                  .player = due->id,
                                  .until = request->loop->now + VISIT_US,
                                  .arena = &request->arena,
                                  .ended = on_delivery_ended,
                                  .context = visit};
    visit->retry_at = visit->oldest = DB_NEVER;
    visit->next = hooks->visits;
    hooks->visits = visit;
    look_for_news(visit);
}

/* The due work is not settled: it may be another daemon's by now. */
void visits_leave(struct hooks *hooks)
{
    struct visit *visit = hooks->visits, *next;

    for (; visit != NULL; visit = next) {
        next = visit->next;
        visit->round.failed = true;
        look_for_news(visit);
    }
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
        look_for_news(visit);
    }
    metrics_set(&hooks->loop->metrics.webhooks_oldest_us, (uint64_t)(now - oldest));
}
