/*
 * connection.h - the HTTP daemon of a loop, and a request's connection in it.
 *
 * This is shared by the files that speak with libmicrohttpd: http.c, which has its callbacks,
 * handout.c, which takes connections out of it and gives them back, and connection.c. It is theirs
 * alone. What others ask of a connection, they ask by struct request_source (request.h).
 */
#ifndef PLYD_API_NET_CONNECTION_H
#define PLYD_API_NET_CONNECTION_H

#include <microhttpd.h>

#include "api/http/request.h"
#include "api/http/turns.h"
#include "api/net/clients.h"
#include "api/net/linger.h"
#include "api/net/net.h"
#include "api/net/parking.h"

struct net {
    struct MHD_Daemon *daemon;
    struct loop *loop;
    const struct net_service *service;
    struct clients clients;
    struct linger_list lingering; /* connections that were closed since the daemon drains */
    int64_t patience;             /* with a client that does not get on, microseconds */
    uint64_t last_id;             /* of a request; counts up from a random number */
    struct request_pool pool;
    struct turns turns;
    struct parking parking;
    size_t parked;                    /* requests whose connections libmicrohttpd does not have */
    struct parked *returning, **last; /* those of them that are to get it back */
    struct parked *taken_back;        /* while libmicrohttpd takes its connection */
    bool resumed; /* a connection was resumed since libmicrohttpd last began to run */
};

struct net *connection_net(const struct request *request);
struct client *connection_client(struct MHD_Connection *connection);

/* libmicrohttpd leaves a suspended connection alone until it is resumed. */
void connection_suspend(struct request *request);
void connection_resume(struct request *request);

/* Has libmicrohttpd ask for the answer of a connection before it reads from it (`on`), or read
 * first as usual. */
void connection_answer_first(struct net *net, struct MHD_Connection *connection, bool on);

/* Frees a request. One whose client has gone is charged, too. */
void connection_end_request(struct net *net, struct request *request);

/* ---- of struct request_source ---- */

const char *connection_header(const struct request *request, const char *name);
const char *connection_header_list(struct request *request, const char *name);
/* What all headers of a request together say of it. */
struct connection_heads {
    size_t bytes;      /* of their names and values */
    const char *twice; /* one that takes one value, and has several; NULL: none */
};

struct connection_heads connection_heads(const struct request *request);

bool connection_peer(const struct request *request, struct quota_address *address);
int connection_socket(const struct request *request);
void connection_answered(struct request *request);

#endif
