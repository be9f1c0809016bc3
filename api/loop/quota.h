/*
 * quota.h - how many requests an address and a token may make in a stretch of time.
 *
 * Whoever has used nothing for a whole window may make all of its requests at once; after that they
 * come back one by one, evenly. Of each subject only one number is kept, the time at which all of
 * its requests will be back, in a table of fixed size in which the least indebted give way.
 * Subjects are found by a keyed hash, so that nobody can choose whose place he takes.
 *
 * A loop has its own table, and so its own share of every quota.
 */
#ifndef PLYD_API_LOOP_QUOTA_H
#define PLYD_API_LOOP_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quota_kind { QUOTA_ADDRESS, QUOTA_TOKEN, QUOTA_KINDS };

enum { QUOTA_ADDRESS_BYTES = 16 };

/* "address", "token": in headers and metrics. */
const char *quota_name(enum quota_kind kind);

struct quota;

/* allowed[kind] requests a window; 0: as many as one likes. NULL if memory is out. */
struct quota *quota_open(const uint32_t allowed[QUOTA_KINDS], uint32_t window_s);
void quota_close(struct quota *quota);

uint32_t quota_allowed(const struct quota *quota, enum quota_kind kind);
uint32_t quota_window_s(const struct quota *quota);

/* Who asks: bytes by kind; NULL: there is none. */
struct quota_subject {
    const void *bytes[QUOTA_KINDS];
    size_t len[QUOTA_KINDS];
};

/* Where a subject is with a quota. */
struct quota_state {
    bool counted;    /* it has such a quota */
    bool exceeded;   /* this request is one too many */
    uint32_t left;   /* requests that may still be made at once */
    uint32_t wait_s; /* until there is one more of them */
};

/* Counts a request at a time in microseconds that never runs backwards. False: it is refused, and
 * counts against no quota. */
bool quota_take(struct quota *quota, const struct quota_subject *subject, int64_t now,
                struct quota_state states[QUOTA_KINDS]);

/* ---- addresses ---- */

/* The part of an address that stands for one client: all of IPv4, the first 64 bits of IPv6, since
 * those are what a household gets. */
struct quota_address {
    uint8_t bytes[QUOTA_ADDRESS_BYTES];
    size_t len;
    bool loopback;
};

/* From "203.0.113.7", "203.0.113.7:4711", "2001:db8::7" or "[2001:db8::7]:4711", blanks around it
 * included. False if it is none of these. */
bool quota_address_read(const char *text, size_t len, struct quota_address *address);

/* From X-Forwarded-For, to which each of `proxies` trusted proxies has added who came to it: the
 * entry that the first of them wrote. What stands before it anybody may have made up. Where there
 * are fewer entries, not all of the proxies were passed, and the first entry is it. */
bool quota_address_forwarded(const char *list, unsigned proxies, struct quota_address *address);

/* From a socket's address. False if it is of another family. */
struct sockaddr;
bool quota_address_peer(const struct sockaddr *peer, struct quota_address *address);

#endif
