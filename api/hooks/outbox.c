#include "api/hooks/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/loop/metrics.h"

struct outbox {
    struct loop *loop;
    struct http_client *transfers; /* NULL once it was stopped */
    struct parcel *sent[OUTBOX_MAX];
    size_t count, slow;
    struct parcel *waiting, **end;
};

struct outbox *outbox_open(struct loop *loop, bool any_address)
{
    struct outbox *outbox = calloc(1, sizeof(*outbox));

    if (outbox == NULL)
        return NULL;
    outbox->loop = loop;
    outbox->end = &outbox->waiting;
    outbox->transfers = http_client_open(any_address);
    if (outbox->transfers != NULL)
        return outbox;
    outbox_close(outbox);
    return NULL;
}

void outbox_stop(struct outbox *outbox)
{
    if (outbox == NULL)
        return;
    http_client_close(outbox->transfers);
    outbox->transfers = NULL;
}

void outbox_close(struct outbox *outbox)
{
    outbox_stop(outbox);
    free(outbox);
}

/* ---- turns ---- */

static bool is_slow(const struct parcel *parcel)
{
    return parcel->took_ms < 0 || parcel->took_ms > OUTBOX_QUICK_MS;
}

static size_t sent_to(const struct outbox *outbox, const char *host)
{
    size_t count = 0;

    for (size_t i = 0; i < outbox->count; i++)
        count += strcmp(outbox->sent[i]->host, host) == 0;
    return count;
}

static bool has_turn(const struct outbox *outbox, const struct parcel *parcel)
{
    return outbox->count < OUTBOX_MAX && (!is_slow(parcel) || outbox->slow < OUTBOX_SLOW) &&
           sent_to(outbox, parcel->host) < OUTBOX_OF_HOST;
}

static void begin(struct outbox *outbox, struct parcel *parcel)
{
    outbox->sent[outbox->count++] = parcel;
    outbox->slow += is_slow(parcel);
    metrics_add(&outbox->loop->metrics.webhooks_at_work, 1);
    http_client_begin(outbox->transfers, &parcel->transfer);
}

static void forget(struct outbox *outbox, const struct parcel *parcel)
{
    size_t i = 0;

    while (outbox->sent[i] != parcel)
        i++;
    outbox->sent[i] = outbox->sent[--outbox->count];
    outbox->slow -= is_slow(parcel);
    metrics_sub(&outbox->loop->metrics.webhooks_at_work, 1);
}

static void on_over(struct transfer *transfer)
{
    struct parcel *parcel = (struct parcel *)transfer; /* its first member */

    forget(parcel->outbox, parcel);
    parcel->done(parcel, true);
}

_Static_assert(offsetof(struct parcel, transfer) == 0, "a parcel is found by its transfer");

void outbox_send(struct outbox *outbox, struct parcel *parcel)
{
    parcel->outbox = outbox;
    parcel->next = NULL;
    parcel->transfer.done = on_over;
    if (outbox->transfers == NULL)
        return;
    if (has_turn(outbox, parcel)) { /* those that wait had none at the last change */
        begin(outbox, parcel);
        return;
    }
    *outbox->end = parcel;
    outbox->end = &parcel->next;
    metrics_add(&outbox->loop->metrics.webhooks_waiting, 1);
}

/* Takes the next parcel whose turn it is, or whose time is over. */
static struct parcel *take_next(struct outbox *outbox)
{
    struct parcel **at = &outbox->waiting, *parcel;

    while (*at != NULL && (*at)->until > outbox->loop->now && !has_turn(outbox, *at))
        at = &(*at)->next;
    parcel = *at;
    if (parcel == NULL)
        return NULL;
    *at = parcel->next;
    if (*at == NULL)
        outbox->end = at;
    metrics_sub(&outbox->loop->metrics.webhooks_waiting, 1);
    return parcel;
}

int outbox_fd(const struct outbox *outbox)
{
    return http_client_fd(outbox->transfers);
}

void outbox_run(struct outbox *outbox)
{
    struct parcel *parcel;

    if (outbox->transfers == NULL)
        return;
    http_client_run(outbox->transfers);
    while ((parcel = take_next(outbox)) != NULL) {
        if (parcel->until > outbox->loop->now)
            begin(outbox, parcel);
        else
            parcel->done(parcel, false);
    }
}
