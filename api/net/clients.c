#include "api/net/clients.h"

#include <assert.h>
#include <sys/ioctl.h>

#include "api/http/request.h"
#include "api/net/linger.h"

static struct client_list *list_of(struct clients *clients, const struct client *client)
{
    return client->place == CLIENT_IDLE   ? &clients->idle
           : client->place == CLIENT_BUSY ? &clients->busy
                                          : &clients->resting;
}

/* No client was touched later than this one, so the end of a list is its place in the order. */
static void append_client(struct clients *clients, struct client *client, enum client_place place,
                          int64_t now)
{
    struct client_list *list;

    client->place = place;
    client->since = now;
    list = list_of(clients, client);
    client->later = NULL;
    client->earlier = list->last;
    *(list->last != NULL ? &list->last->later : &list->first) = client;
    list->last = client;
    list->count++;
}

static void take_client_out(struct clients *clients, struct client *client)
{
    struct client_list *list = list_of(clients, client);

    *(client->earlier != NULL ? &client->earlier->later : &list->first) = client->later;
    *(client->later != NULL ? &client->later->earlier : &list->last) = client->earlier;
    assert(list->count > 0);
    list->count--;
}

void clients_add(struct clients *clients, struct client *client, int64_t now)
{
    append_client(clients, client, CLIENT_IDLE, now);
}

void clients_remove(struct clients *clients, struct client *client)
{
    take_client_out(clients, client);
}

void clients_idle(struct clients *clients, struct client *client, int64_t now)
{
    take_client_out(clients, client);
    append_client(clients, client, CLIENT_IDLE, now);
}

void clients_touch(struct clients *clients, struct client *client, int64_t now)
{
    take_client_out(clients, client);
    append_client(clients, client, CLIENT_BUSY, now);
}

void clients_rest(struct clients *clients, struct client *client, int64_t now)
{
    take_client_out(clients, client);
    append_client(clients, client, CLIENT_RESTING, now);
}

static bool waits_for_us(const struct client *client)
{
    return client->request != NULL && client->request->suspended;
}

struct client *clients_late(struct clients *clients, int64_t since, int64_t now)
{
    struct client *client = clients->idle.first;

    if (client != NULL && client->since < since)
        return client;
    while ((client = clients->busy.first) != NULL && client->since < since) {
        if (!waits_for_us(client))
            return client;
        clients_touch(clients, client, now);
    }
    return NULL;
}

bool clients_has_unread(const struct client *client)
{
    int bytes = 0;

    return ioctl(client->fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

/* Which clients give way first. */
enum rank { RANK_IDLE, RANK_RESTS, RANK_SENDS_BODY, RANK_TAKES_NO_ANSWER, RANK_STAYS };

/* What has just come may be a whole request. But if a byte now and then were enough, those that
 * send one would hold their places. */
static bool is_idle(const struct client *client)
{
    return client->leaving || framing_in_request(&client->framing) || !clients_has_unread(client);
}

static enum rank rank_of(const struct client *client)
{
    if (client->cut)
        return RANK_STAYS;
    if (client->place != CLIENT_BUSY)
        return !is_idle(client)               ? RANK_STAYS
               : client->place == CLIENT_IDLE ? RANK_IDLE
                                              : RANK_RESTS;
    if (client->request == NULL || waits_for_us(client))
        return RANK_STAYS;
    if (client->framing.requests < client->begun)
        return RANK_SENDS_BODY;
    return linger_is_sending(client->fd) ? RANK_TAKES_NO_ANSWER : RANK_STAYS;
}

struct client *clients_of_two(struct client *one, struct client *other)
{
    enum rank rank = one == NULL ? RANK_STAYS : rank_of(one), of_other = rank_of(other);

    if (rank == of_other)
        return rank == RANK_STAYS ? NULL : one->since <= other->since ? one : other;
    return rank < of_other ? one : other;
}

/* Those that wait for us go to the end: else some long waits would hide all others. */
static struct client *least_of(struct clients *clients, const struct client_list *list, int64_t now)
{
    struct client *client = list->first, *later, *least = NULL;

    for (int i = 0; client != NULL && i < CLIENTS_LOOKED_AT; i++, client = later) {
        later = client->later;
        least = clients_of_two(least, client);
        if (waits_for_us(client))
            clients_touch(clients, client, now);
    }
    return least;
}

struct client *clients_least(struct clients *clients, int64_t now)
{
    const struct client_list *lists[] = {&clients->idle, &clients->resting, &clients->busy};
    struct client *least = NULL;

    for (size_t i = 0; least == NULL && i < sizeof(lists) / sizeof(lists[0]); i++)
        least = least_of(clients, lists[i], now);
    return least;
}

size_t clients_count(const struct clients *clients)
{
    return clients->idle.count + clients->busy.count + clients->resting.count;
}

static bool has_read_more(const struct client *client)
{
    return client->framing.requests > client->begun || framing_in_request(&client->framing);
}

bool clients_is_quiet(const struct client *client)
{
    return client->request == NULL && client->framing.wrong == NULL && !has_read_more(client);
}

bool clients_has_more(const struct client *client)
{
    return has_read_more(client) || clients_has_unread(client);
}

static bool any_busy(const struct client_list *list)
{
    for (const struct client *client = list->last; client != NULL; client = client->earlier)
        if (client->begun > client->answered || clients_has_more(client) ||
            linger_is_sending(client->fd))
            return true;
    return false;
}

bool clients_any_busy(const struct clients *clients)
{
    return any_busy(&clients->idle) || any_busy(&clients->busy) || any_busy(&clients->resting);
}
