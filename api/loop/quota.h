/*
 * quota.h - token buckets: how much an address and a token may have in a window of time.
 *
 * A client that has taken nothing for a whole window may take all that is allowed at once. Each
 * unit comes back after its share of the window, so they come back one by one and evenly. What has
 * turned out to cost more than was taken for it is charged afterwards, also to a client that has
 * nothing left: it owes that, and waits until it has come back. A debt is two windows at most.
 *
 * A table has a fixed size and forgets those who owe least when it is full. It lives as long as its
 * loop and is used by the loop's thread alone: each loop counts for itself, and grants its share of
 * the quota.
 */
#ifndef PLYD_API_LOOP_QUOTA_H
#define PLYD_API_LOOP_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted, and whose it is. */
enum quota_thing { QUOTA_REQUESTS, QUOTA_GAMES, QUOTA_THINGS };
enum quota_owner { QUOTA_OF_ADDRESS, QUOTA_OF_TOKEN, QUOTA_OWNERS };

enum { QUOTA_ADDRESS_BYTES = 16 };

/* How many of a thing an owner may take in a window; 0: any number. */
struct quota_limit {
    uint32_t allowed, window_s;
};

struct quota;

/* Makes an empty table. */
struct quota *quota_open(const struct quota_limit limits[QUOTA_THINGS][QUOTA_OWNERS]);
void quota_close(struct quota *quota);

/* What quota_open() was told. */
struct quota_limit quota_limit(const struct quota *quota, enum quota_thing thing,
                               enum quota_owner owner);

/* A quota's name in headers and metrics: "address", "token", "address-games", "token-games". */
const char *quota_name(enum quota_thing thing, enum quota_owner owner);

/* ---- counting ---- */

/* Who takes: for each owner some bytes; NULL: there is none, and nothing is counted. */
struct quota_subject {
    const void *bytes[QUOTA_OWNERS];
    size_t len[QUOTA_OWNERS];
};

/* The same for the table that made it, kept for the charges to come. 0: there is none. */
struct quota_account {
    uint64_t hash[QUOTA_OWNERS];
};

/* How an account stands with a quota. */
struct quota_state {
    bool counted;    /* there is such a quota for it; else the rest means nothing */
    bool exceeded;   /* what was to be taken is one too many */
    uint32_t left;   /* units that may still be taken at once */
    uint32_t wait_s; /* until there is one more of them */
};

struct quota_account quota_account(const struct quota *quota, const struct quota_subject *subject);

/* Takes one of a thing. `now` is in microseconds and never runs backwards. False: a quota is
 * exceeded, and nothing was taken from any. */
bool quota_take(struct quota *quota, const struct quota_account *account, enum quota_thing thing,
                int64_t now, struct quota_state states[QUOTA_OWNERS]);

/* Charges more units of a thing, whether or not there are so many; fewer than 0 are given back.
 * Then tells how the account stands. */
void quota_charge(struct quota *quota, const struct quota_account *account, enum quota_thing thing,
                  int64_t units, int64_t now, struct quota_state states[QUOTA_OWNERS]);

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
