#include "api/hooks/send_queue.h"

#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/text/must.h"

struct send_queue {
    struct loop *loop;
    struct http_client *transfers; /* NULL once it was stopped */
    int64_t until;                 /* on loop->now: nothing is sent any more */
    struct parcel *sent[SEND_QUEUE_MAX];
    size_t count, quick, slow;
    struct parcel *waiting, **end;
};

struct send_queue *send_queue_open(struct loop *loop, bool any_address)
{
    struct send_queue *send_queue = must_zero(sizeof(*send_queue));

    send_queue->loop = loop;
    send_queue->end = &send_queue->waiting;
    send_queue->until = INT64_MAX;
    send_queue->transfers = http_client_open(any_address);
    if (send_queue->transfers != NULL)
        return send_queue;
    send_queue_close(send_queue);
    return NULL;
}

void send_queue_stop(struct send_queue *send_queue)
{
    if (send_queue == NULL)
        return;
    http_client_close(send_queue->transfers);
    send_queue->transfers = NULL;
}

void send_queue_close(struct send_queue *send_queue)
{
    send_queue_stop(send_queue);
    free(send_queue);
}

void send_queue_hold(struct send_queue *send_queue, int64_t until)
{
    send_queue->until = until;
    if (send_queue->transfers != NULL)
        http_client_hold(send_queue->transfers, until);
}

/* ---- turns ---- */

static bool is_slow(const struct parcel *parcel)
{
    return parcel->transfer.mail == NULL &&
           (parcel->took_ms < 0 || parcel->took_ms > SEND_QUEUE_QUICK_MS);
}

static size_t sent_to(const struct send_queue *send_queue, const char *host)
{
    size_t count = 0;

    for (size_t i = 0; i < send_queue->count; i++)
        count += strcmp(send_queue->sent[i]->host, host) == 0;
    return count;
}

static bool has_turn(const struct send_queue *send_queue, const struct parcel *parcel)
{
    return send_queue->count < SEND_QUEUE_MAX &&
           (is_slow(parcel) ? send_queue->slow < SEND_QUEUE_SLOW
                            : send_queue->quick < SEND_QUEUE_QUICK) &&
           sent_to(send_queue, parcel->host) < SEND_QUEUE_OF_HOST;
}

static void begin_parcel(struct send_queue *send_queue, struct parcel *parcel)
{
    send_queue->sent[send_queue->count++] = parcel;
    send_queue->slow += is_slow(parcel);
    parcel->is_quick = !is_slow(parcel);
    send_queue->quick += parcel->is_quick;
    parcel->since = send_queue->loop->now;
    metrics_add(&send_queue->loop->metrics.webhooks_at_work, 1);
    http_client_begin(send_queue->transfers, &parcel->transfer);
}

static void forget(struct send_queue *send_queue, const struct parcel *parcel)
{
    size_t i = 0;

    while (send_queue->sent[i] != parcel)
        i++;
    send_queue->sent[i] = send_queue->sent[--send_queue->count];
    send_queue->slow -= is_slow(parcel);
    send_queue->quick -= parcel->is_quick;
    metrics_sub(&send_queue->loop->metrics.webhooks_at_work, 1);
}

static void on_parcel_over(struct transfer *transfer)
{
    struct parcel *parcel = (struct parcel *)transfer; /* its first member */

    forget(parcel->send_queue, parcel);
    parcel->done(parcel, !transfer->given_up);
}

_Static_assert(offsetof(struct parcel, transfer) == 0, "a parcel is found by its transfer");

void send_queue_send(struct send_queue *send_queue, struct parcel *parcel)
{
    parcel->send_queue = send_queue;
    parcel->next = NULL;
    parcel->transfer.done = on_parcel_over;
    if (send_queue->transfers == NULL)
        return;
    if (has_turn(send_queue, parcel)) { /* those that wait had none at the last change */
        begin_parcel(send_queue, parcel);
        return;
    }
    *send_queue->end = parcel;
    send_queue->end = &parcel->next;
    metrics_add(&send_queue->loop->metrics.webhooks_waiting, 1);
}

/* Those that take longer than quick ones do leave their places to others. */
static void make_places(struct send_queue *send_queue)
{
    int64_t since = send_queue->loop->now - SEND_QUEUE_HOLD_US;

    for (size_t i = 0; i < send_queue->count; i++) {
        struct parcel *parcel = send_queue->sent[i];

        if (parcel->is_quick && parcel->since <= since) {
            parcel->is_quick = false;
            send_queue->quick--;
        }
    }
}

static bool is_late(const struct send_queue *send_queue, const struct parcel *parcel)
{
    int64_t now = send_queue->loop->now;

    return parcel->until <= now || send_queue->until <= now;
}

/* Takes the next parcel whose turn it is, or whose time is over. */
static struct parcel *take_next(struct send_queue *send_queue)
{
    struct parcel **at = &send_queue->waiting, *parcel;

    while (*at != NULL && !is_late(send_queue, *at) && !has_turn(send_queue, *at))
        at = &(*at)->next;
    parcel = *at;
    if (parcel == NULL)
        return NULL;
    *at = parcel->next;
    if (*at == NULL)
        send_queue->end = at;
    metrics_sub(&send_queue->loop->metrics.webhooks_waiting, 1);
    return parcel;
}

int send_queue_fd(const struct send_queue *send_queue)
{
    return http_client_fd(send_queue->transfers);
}

int send_queue_timeout_ms(const struct send_queue *send_queue)
{
    return send_queue->waiting == NULL ? -1 : SEND_QUEUE_HOLD_US / 1000;
}

void send_queue_run(struct send_queue *send_queue)
{
    struct parcel *parcel;

    if (send_queue->transfers == NULL)
        return;
    http_client_run(send_queue->transfers);
    make_places(send_queue);
    while ((parcel = take_next(send_queue)) != NULL) {
        if (is_late(send_queue, parcel))
            parcel->done(parcel, false);
        else
            begin_parcel(send_queue, parcel);
    }
}
