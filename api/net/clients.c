#include "api/net/clients.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include "api/http/request.h"
#include "api/net/linger.h"

void clients_add(struct clients *clients, struct client *client, int64_t now)
{
    client->since = now;
    client->later = NULL;
    client->earlier = clients->last;
    *(clients->last != NULL ? &clients->last->later : &clients->first) = client;
    clients->last = client;
    clients->count++;
}

void clients_remove(struct clients *clients, struct client *client)
{
    *(client->earlier != NULL ? &client->earlier->later : &clients->first) = client->later;
    *(client->later != NULL ? &client->later->earlier : &clients->last) = client->earlier;
    clients->count--;
}

/* No client was touched later than this one, so the end of the list is its place in the order. */
void clients_touch(struct clients *clients, struct client *client, int64_t now)
{
    clients_remove(clients, client);
    clients_add(clients, client, now);
}

void clients_cut(struct clients *clients, int64_t since, int64_t now)
{
    while (clients->first != NULL && clients->first->since < since) {
        struct client *client = clients->first;

        /* Not close(): the descriptor is libmicrohttpd's, and its number may be another's next. */
        if (client->request == NULL || !client->request->suspended)
            shutdown(client->fd, SHUT_RDWR);
        clients_touch(clients, client, now);
    }
}

static bool has_unread(int fd)
{
    int bytes = 0;

    return ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

bool clients_has_more(const struct client *client)
{
    return client->framing.requests > client->begun || framing_in_request(&client->framing) ||
           has_unread(client->fd);
}

bool clients_any_busy(const struct clients *clients)
{
    for (const struct client *client = clients->last; client != NULL; client = client->earlier)
        if (client->begun > client->answered || clients_has_more(client) ||
            linger_is_sending(client->fd))
            return true;
    return false;
}
