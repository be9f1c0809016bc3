#include "api/net/listen.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/loop/config.h"

enum { BACKLOG = 4096 }; /* connections that wait to be accepted; the system may allow fewer */

/* Connections inherit TCP_NODELAY: an answer is written in one piece, so to wait for more to send
 * would only delay it. */
static bool bind_to(int fd, const struct addrinfo *address, bool shared)
{
    int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (shared)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return bind(fd, address->ai_addr, address->ai_addrlen) == 0;
}

static int bound_socket(const char *host, const char *port, bool shared)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found;
    int fd = -1;

    if (getaddrinfo(host, port, &hints, &found) != 0)
        return -1;
    for (struct addrinfo *a = found; a != NULL && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd >= 0 && !bind_to(fd, a, shared)) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    return fd;
}

/* The port that a socket is bound to, which the system chose if port 0 was asked for. */
static void port_of(int fd, char port[8])
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {.v6 = {.sin6_family = AF_UNSPEC}};
    socklen_t len = sizeof(address);

    if (getsockname(fd, &address.any, &len) == 0)
        snprintf(
            port, 8, "%u",
            ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port));
}

bool listen_all(const char *where, int *sockets, size_t n, char address[LISTEN_ADDRESS])
{
    char host[64], port[8];
    int first;

    config_split_listen(where, host, port);
    /* The first is bound alone. With SO_REUSEPORT a port that another daemon of the same user
     * serves would be shared without a word, and each would get some of the other's requests. */
    first = bound_socket(host, port, false);
    if (first < 0)
        return false;
    port_of(first, port);
    if (n == 1) {
        sockets[0] = first;
    } else {
        close(first);
        for (size_t i = 0; i < n; i++)
            sockets[i] = bound_socket(host, port, true);
    }
    for (size_t i = 0; i < n; i++)
        if (sockets[i] < 0 || listen(sockets[i], BACKLOG) != 0)
            return false;
    snprintf(address, LISTEN_ADDRESS, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
    return true;
}
