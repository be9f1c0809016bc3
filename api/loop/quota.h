/*
 * quota.h - how many requests an address and a token may make in a window of time.
 *
 * A client that has made no request for a whole window may make all of its requests at once. Each
 * comes back after its share of the window, so they come back one by one and evenly. A table has a
 * fixed size and forgets those who owe least when it is full. It lives as long as its loop and is
 * used by the loop's thread alone: each loop counts for itself, and grants its share of the quota.
 */
#ifndef PLYD_API_LOOP_QUOTA_H
#define PLYD_API_LOOP_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quota_kind { QUOTA_ADDRESS, QUOTA_TOKEN, QUOTA_KINDS };

enum { QUOTA_ADDRESS_BYTES = 16 };

struct quota;

/* Makes an empty table. allowed[kind] is the number of requests in a window; 0: any number. NULL if
 * memory is out. */
struct quota *quota_open(const uint32_t allowed[QUOTA_KINDS], uint32_t window_s);
void quota_close(struct quota *quota);

/* What quota_open() was told. */
uint32_t quota_allowed(const struct quota *quota, enum quota_kind kind);
uint32_t quota_window_s(const struct quota *quota);

/* The kind's name in headers and metrics: "address", "token". */
const char *quota_name(enum quota_kind kind);

/* ---- counting ---- */

/* Whose request it is: for each kind some bytes; NULL: none, and nothing is counted. */
struct quota_subject {
    const void *bytes[QUOTA_KINDS];
    size_t len[QUOTA_KINDS];
};

/* How a subject stands with a quota. */
struct quota_state {
    bool counted;    /* there is such a quota for it; else the rest means nothing */
    bool exceeded;   /* this request is one too many */
    uint32_t left;   /* requests that may still be made at once */
    uint32_t wait_s; /* until there is one more of them */
};

/* A number that stands for the subject: for its address, else for its token. 0: it has neither. */
uint64_t quota_client(const struct quota *quota, const struct quota_subject *subject);

/* Counts a request. `now` is in microseconds and never runs backwards. False: a quota is exceeded;
 * the request is to be refused and counts against no quota. */
bool quota_take(struct quota *quota, const struct quota_subject *subject, int64_t now,
                struct quota_state states[QUOTA_KINDS]);

/* ---- addresses ---- */

/* The part of an address that stands for one client: all of IPv4, the first 64 bits of IPv6, which
 * is what one household gets. */
struct quota_address {
    uint8_t bytes[QUOTA_ADDRESS_BYTES];
    size_t len;
    bool loopback; /* the machine itself */
};

/* Reads "203.0.113.7", "203.0.113.7:4711", "2001:db8::7" or "[2001:db8::7]:4711", with blanks
 * around it. False if the text is none of these. */
bool quota_address_read(const char *text, size_t len, struct quota_address *address);

/* Reads the client's address from X-Forwarded-For. Each of the `proxies` trusted proxies (at least
 * 1) has added the address that came to it, so the client is the entry that the outermost of them
 * wrote; anybody may have made up the entries before it. With fewer entries than proxies, the
 * request did not pass all of them, and the first entry is the client. False if that is no
 * address. */
bool quota_address_forwarded(const char *list, unsigned proxies, struct quota_address *address);

/* Takes the address of a socket. False if it is neither IPv4 nor IPv6. */
struct sockaddr;
bool quota_address_peer(const struct sockaddr *peer, struct quota_address *address);

#endif
