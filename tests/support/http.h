/*
 * http.h - a plain HTTP client for tests: each test decides what goes over the wire.
 */
#ifndef PLYD_TESTS_SUPPORT_HTTP_H
#define PLYD_TESTS_SUPPORT_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct http_reply {
    int status;    /* 0: the connection broke before an answer came */
    char *headers; /* the lines as they came, NUL-terminated; those behind chunks, too */
    char *body;    /* NUL-terminated */
    size_t len;
};

/* Connects to 127.0.0.1 from an address of this process's own, to which a daemon grants quotas of
 * its own. Ends the process if that fails. */
int http_connect(int port);

/* Sends a request on a connection that stays open, and reads its answer. `headers` are lines that
 * end with \r\n, or NULL; Content-Length is added where there is a body. */
void http_send(int fd, const char *method, const char *path, const char *headers, const char *body,
               size_t len);
void http_receive(int fd, const char *method, struct http_reply *reply);

/* Connects, sends and receives. `body` is a text, or NULL. */
void http_request(int port, struct http_reply *reply, const char *method, const char *path,
                  const char *headers, const char *body);

/* Copies the value of a header into `value` (of 256 bytes) and returns it. NULL: there is none. */
const char *http_header(const struct http_reply *reply, const char *name, char value[256]);

/* Copies the first text of this name in a JSON body. False: there is none. */
bool http_copy_member(const char *body, const char *name, char *value, size_t size);

void http_free(struct http_reply *reply);

#endif
