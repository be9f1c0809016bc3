/*
 * http.h - the HTTP side of a loop, and the only place that knows libmicrohttpd.
 *
 * A request is read, named, admitted and dispatched here, and its answer sent. One that is not
 * answered at once is suspended: it holds its connection and nothing else, until http_answered().
 */
#ifndef PLYD_API_HTTP_HTTP_H
#define PLYD_API_HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "api/http/request.h"

struct http;

/* What requests are handed to. */
struct http_service {
    size_t (*body_max)(const char *url); /* how many bytes of a body are taken */
    void (*handle)(struct request *request);
};

/* Serves what comes in at a listening socket, for loop->http. NULL: it could not be begun. */
struct http *http_open(struct loop *loop, int listener, const struct http_service *service);

/* Sends what is to be sent and ends. Nothing may wait for an answer any more. */
void http_close(struct http *http);

/* Readable when http_run() has something to do; it must also be called after this many
 * milliseconds (-1: any time), and when there are answers to send. */
int http_fd(const struct http *http);
int http_timeout_ms(const struct http *http);
void http_run(struct http *http);

/* Whether requests were answered since http_run(): nothing else wakes it for them. */
bool http_has_answers(const struct http *http);

/* Cuts the clients that do not get on (clients.h). */
void http_cut_idle(struct http *http);

/* Takes no new connections from now on. The listening socket stays the caller's. */
void http_quiesce(struct http *http);

/* Whether no request waits for its answer; how many connections there are. */
bool http_idle(const struct http *http);
size_t http_connections(const struct http *http);

#endif
