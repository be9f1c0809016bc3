/*
 * http.h - the HTTP side of a loop, and the only module that knows libmicrohttpd.
 *
 * It reads requests, asks whether they are admitted, hands them to a service and sends the answers.
 * A request that is not answered at once is suspended: it holds its connection, no thread and no
 * descriptor that is watched, until it is answered. One that waits for long is parked: its
 * connection leaves libmicrohttpd until it goes on (request_park()). One struct http belongs to one
 * loop, and only the loop's thread calls these functions.
 */
#ifndef PLYD_API_HTTP_HTTP_H
#define PLYD_API_HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct http;
struct loop;
struct request;

/* What requests are handed to (routes.c). */
struct http_service {
    /* How many bytes of a body are taken at this address. */
    size_t (*body_max)(const struct loop *loop, const char *url);

    /* Answers a complete request now or later, exactly once. */
    void (*handle)(struct request *request);
};

/* ---- opening and closing ---- */

/* Serves what comes in at a listening socket, for a loop whose `http` this becomes. The socket
 * stays the caller's. NULL: it could not be started. */
struct http *http_open(struct loop *loop, int listener, const struct http_service *service);

/* Accepts no further connections. Those that are open go on; the caller may close the listening
 * socket. */
void http_quiesce(struct http *http);

/* Sends the answers that are complete, closes all connections and frees everything. Every request
 * must have been answered. */
void http_close(struct http *http);

/* ---- running ---- */

/* A descriptor that is readable when http_run() has something to do. It stays the same. */
int http_fd(const struct http *http);

/* How long the loop may wait before it calls http_run(), in milliseconds; -1: any time. */
int http_timeout_ms(const struct http *http);

/* One pass: accepts, reads, hands over complete requests, sends answers. */
void http_run(struct http *http);

/* Whether suspended requests were answered since the last http_run() began. Another one sends their
 * answers. */
bool http_has_answers(const struct http *http);

/* A descriptor that is readable when http_run_parked() has something to do. It stays the same. */
int http_parked_fd(const struct http *http);

/* Notices clients that have closed their side while their requests are parked. */
void http_run_parked(struct http *http);

/* Cuts the clients that take too long to send a request or to take its answer (clients.h). */
void http_cut_idle(struct http *http);

/* ---- looking ---- */

/* Whether every request that has begun to come is answered, and every client has its answer to the
 * last byte. It is asked while the daemon drains, and looks at every connection. */
bool http_idle(struct http *http);

/* How many connections are open. */
size_t http_connections(const struct http *http);

#endif
