/*
 * http_client.h - the HTTP client of the daemon, by libcurl.
 *
 * POSTs to receivers of webhooks and to push services, and mails to the operator's server (SMTP).
 *
 * One thread makes them all, by libcurl's multi interface. It is not the loop's, since a TLS
 * handshake takes milliseconds, and names are looked up by libcurl as it likes. The loop lends it
 * a struct transfer and gets it back when all is over; what the struct points to is the thread's in
 * between.
 *
 * A transfer takes HTTP_CLIENT_PATIENCE_MS at most. Redirects are not followed, no proxy is asked,
 * and only http and https are spoken. A connection is made only to an address that may be
 * (address.h), whatever name has led there. Of the answer the status is kept: once all of its
 * headers have come, it stands, and whatever becomes of the body makes no difference. No more than
 * HTTP_CLIENT_ANSWER_MAX is read of either.
 *
 * A mail goes to a server that the operator has named, so its address may be any. It is delivered
 * when that server has taken it, or has all of it and falls silent; the status is that of its last
 * reply.
 */
#ifndef PLYD_API_HOOKS_HTTP_CLIENT_H
#define PLYD_API_HOOKS_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HTTP_CLIENT_PATIENCE_MS = 10000,
    HTTP_CLIENT_CONNECT_MS = 5000,
    HTTP_CLIENT_ANSWER_MAX = 64 << 10, /* bytes of the headers, and of the body */
    HTTP_CLIENT_WHY_TEXT = 256,
    HTTP_CLIENT_HEADERS = 6
};

struct http_client;

/* What is said to a mail server. */
struct transfer_mail {
    const char *from, *to;       /* addresses */
    const char *user, *password; /* NULL: none */
    bool needs_tls;              /* else it is used where the server has it */
};

struct transfer {
    /* Set by the caller. */
    const char *url, *body;
    size_t body_len;
    const struct transfer_mail *mail;        /* NULL: it is a POST */
    const char *header[HTTP_CLIENT_HEADERS]; /* "Name: value", up to a NULL or the last */
    void *context;                           /* the caller's own */
    void (*done)(struct transfer *transfer); /* on the loop's thread, from http_client_run() */

    /* What became of it: HOOK_DELIVERED or another hook_failure (words.h), the status of the answer
     * (0: none came), and how long it took. */
    int failure, status;
    int32_t took_ms;
    int64_t retry_after_s; /* as the answer says; 0: it does not */
    bool mail_refused;     /* the server takes no mail for this address, and never will */
    bool server_failed;    /* the mail server would have failed any mail: it is not there, takes no
                            * connection, login or TLS, or says nothing */
    char why[HTTP_CLIENT_WHY_TEXT]; /* in that case, as libcurl tells; nobody's address is in it */
    bool given_up; /* it was ended by http_client_hold(), and nothing else is known of it */

    /* Private to http_client.c. */
    void *easy;
    void *headers; /* or whom a mail is for */
    size_t head_bytes, body_bytes, put_bytes;
    bool head_complete, refused, any_address, at_mail, at_recipient, heard;
    struct http_client *client;
    struct transfer *next;
};

/* Starts the thread. `any_address`: private addresses are allowed. NULL: it cannot be started. */
struct http_client *http_client_open(bool any_address);

/* Ends the thread and gives up what it is at; nobody is told of that. NULL is fine. */
void http_client_close(struct http_client *transfers);

/* Begins a transfer. How many there are at a time is for the caller to bound. */
void http_client_begin(struct http_client *transfers, struct transfer *transfer);

/* Transfers may go on until this time (loop_clock_us()), and are given up then, whatever the loop
 * does meanwhile. At the beginning they may for ever. */
void http_client_hold(struct http_client *transfers, int64_t until);

/* A descriptor that is readable when http_client_run() has something to do. It stays the same. */
int http_client_fd(const struct http_client *transfers);

/* Calls done() of the transfers that are over. */
void http_client_run(struct http_client *transfers);

/* What is wrong with a URL, as a sentence; NULL: nothing is. `host` gets the lower-case name and
 * the port, by which receivers are told apart. */
enum { HTTP_CLIENT_URL_MAX = 1024, HTTP_CLIENT_HOST_TEXT = 264 };
const char *http_client_url_fault(const char *url, bool any_address,
                                  char host[HTTP_CLIENT_HOST_TEXT]);

/* The same for the URL of a mail server. */
const char *http_client_mail_url_fault(const char *url, char host[HTTP_CLIENT_HOST_TEXT]);

#endif
