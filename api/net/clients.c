#include "api/net/clients.h"

#include <sys/ioctl.h>

#include "api/http/request.h"
#include "api/net/linger.h"

enum { LOOKED_AT = 64 }; /* of a list, to find one that gives way */

static struct client_list *list_of(struct clients *clients, const struct client *client)
{
    return client->place == CLIENT_IDLE   ? &clients->idle
           : client->place == CLIENT_BUSY ? &clients->busy
                                          : &clients->resting;
}

/* No client was touched later than this one, so the end of a list is its place in the order. */
static void append(struct clients *clients, struct client *client, enum client_place place,
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

static void take_out(struct clients *clients, struct client *client)
{
    struct client_list *list = list_of(clients, client);

    *(client->earlier != NULL ? &client->earlier->later : &list->first) = client->later;
    *(client->later != NULL ? &client->later->earlier : &list->last) = client->earlier;
    list->count--;
}

void clients_add(struct clients *clients, struct client *client, int64_t now)
{
    append(clients, client, CLIENT_IDLE, now);
}

void clients_remove(struct clients *clients, struct client *client)
{
    take_out(clients, client);
}

void clients_idle(struct clients *clients, struct client *client, int64_t now)
{
    take_out(clients, client);
    append(clients, client, CLIENT_IDLE, now);
}

void clients_touch(struct clients *clients, struct client *client, int64_t now)
{
    take_out(clients, client);
    append(clients, client, CLIENT_BUSY, now);
}

void clients_rest(struct clients *clients, struct client *client, int64_t now)
{
    take_out(clients, client);
    append(clients, client, CLIENT_RESTING, now);
}

struct client *clients_late(struct clients *clients, int64_t since, int64_t now)
{
    struct client *client = clients->idle.first;

    if (client != NULL && client->since < since)
        return client;
    while ((client = clients->busy.first) != NULL && client->since < since) {
        if (client->request == NULL || !client->request->suspended)
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

/* One that has sent something meanwhile is about to be served. */
static bool gives_way(const struct client *client)
{
    if (client->place == CLIENT_IDLE)
        return !clients_has_unread(client);
    return client->request != NULL && !client->request->suspended &&
           client->framing.requests < client->begun;
}

static struct client *least_of(const struct client_list *list)
{
    struct client *client = list->first;

    for (int i = 0; client != NULL && i < LOOKED_AT; i++, client = client->later)
        if (gives_way(client))
            return client;
    return NULL;
}

struct client *clients_least(const struct clients *clients)
{
    struct client *client = least_of(&clients->idle);

    return client != NULL ? client : least_of(&clients->busy);
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
