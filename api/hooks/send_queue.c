#include "api/hooks/send_queue.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/hooks/mail_pause.h"
#include "api/loop/log.h"
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
    struct mail_pause mail_pause;
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

/* ---- the mail server ---- */

int64_t send_queue_mails_rest_us(const struct send_queue *send_queue)
{
    return mail_pause_left(&send_queue->mail_pause, send_queue->loop->now);
}

static bool is_resting_mail(const struct send_queue *send_queue, const struct parcel *parcel)
{
    return parcel->transfer.mail != NULL && send_queue_mails_rest_us(send_queue) > 0;
}

static void begin_pause(struct send_queue *send_queue, const struct transfer *transfer)
{
    char seconds[16];

    snprintf(seconds, sizeof(seconds), "%d", (int)(send_queue->mail_pause.us / 1000000));
    log_event(LOG_WARN, "mail-server-fails", "failure", words_hook_failure(transfer->failure),
              "why", transfer->why, "pause_s", seconds, NULL);
    metrics_set(&send_queue->loop->metrics.mail_server_down, 1);
}

static void end_pause(struct send_queue *send_queue)
{
    log_event(LOG_INFO, "mail-server-works", NULL);
    metrics_set(&send_queue->loop->metrics.mail_server_down, 0);
}

/* What a mail tells of the server. */
static void learn_of_server(struct send_queue *send_queue, const struct parcel *parcel)
{
    const struct transfer *transfer = &parcel->transfer;

    if (transfer->server_failed) {
        if (mail_pause_failed(&send_queue->mail_pause, parcel->turn, send_queue->loop->now))
            begin_pause(send_queue, transfer);
    } else if (transfer->heard && mail_pause_end(&send_queue->mail_pause)) {
        end_pause(send_queue);
    }
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

static size_t most_at_once(const struct parcel *parcel)
{
    return parcel->to_service && !is_slow(parcel) ? SEND_QUEUE_OF_SERVICE : SEND_QUEUE_OF_HOST;
}

static bool has_turn(const struct send_queue *send_queue, const struct parcel *parcel)
{
    return send_queue->count < SEND_QUEUE_MAX &&
           (is_slow(parcel) ? send_queue->slow < SEND_QUEUE_SLOW
                            : send_queue->quick < SEND_QUEUE_QUICK) &&
           sent_to(send_queue, parcel->host) < most_at_once(parcel);
}

static void begin_parcel(struct send_queue *send_queue, struct parcel *parcel)
{
    send_queue->sent[send_queue->count++] = parcel;
    send_queue->slow += is_slow(parcel);
    parcel->is_quick = !is_slow(parcel);
    send_queue->quick += parcel->is_quick;
    parcel->since = send_queue->loop->now;
    if (parcel->transfer.mail != NULL)
        parcel->turn = mail_pause_try(&send_queue->mail_pause, send_queue->loop->now);
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
    if (transfer->mail != NULL)
        learn_of_server(parcel->send_queue, parcel);
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
    if (is_resting_mail(send_queue, parcel)) {
        parcel->done(parcel, false);
        return;
    }
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
            assert(send_queue->quick > 0);
            send_queue->quick--;
        }
    }
}

/* It goes back to whoever sent it: its time is over, or it is a mail that has to wait. */
static bool goes_back(const struct send_queue *send_queue, const struct parcel *parcel)
{
    int64_t now = send_queue->loop->now;

    return parcel->until <= now || send_queue->until <= now || is_resting_mail(send_queue, parcel);
}

/* Takes the next parcel whose turn it is, or that goes back. */
static struct parcel *take_next(struct send_queue *send_queue)
{
    struct parcel **at = &send_queue->waiting, *parcel;

    while (*at != NULL && !goes_back(send_queue, *at) && !has_turn(send_queue, *at))
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
        if (goes_back(send_queue, parcel))
            parcel->done(parcel, false);
        else
            begin_parcel(send_queue, parcel);
    }
}
