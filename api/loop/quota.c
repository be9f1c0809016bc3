#include "api/loop/quota.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A table of fixed size: a subject has its place in one of the sets, in any of its ways. A look-up
 * compares four hashes, and no crowd of clients makes the table grow. */
enum { SETS = 8192, WAYS = 4 };

/* A token bucket, kept as one number: the time at which it will be full again. A request that is
 * counted moves that time on by its price, and the bucket fills by itself as time passes. How many
 * requests are left follows from how far off `full` is. Once it has gone by, the bucket is full,
 * which is the same as no bucket at all; so nothing has to be cleaned up. */
struct bucket {
    uint64_t hash; /* of the subject */
    int64_t full;  /* nanoseconds */
};

struct quota {
    unsigned char key[crypto_shorthash_KEYBYTES];
    uint32_t allowed[QUOTA_KINDS];
    int64_t price[QUOTA_KINDS]; /* nanoseconds that one request takes to come back */
    int64_t window;             /* nanoseconds */
    struct bucket bucket[SETS][WAYS];
};

static const int64_t second = 1000000000;

const char *quota_name(enum quota_kind kind)
{
    return kind == QUOTA_ADDRESS ? "address" : "token";
}

struct quota *quota_open(const uint32_t allowed[QUOTA_KINDS], uint32_t window_s)
{
    struct quota *quota = calloc(1, sizeof(*quota));

    if (quota == NULL)
        return NULL;
    crypto_shorthash_keygen(quota->key);
    quota->window = window_s * second;
    for (int kind = 0; kind < QUOTA_KINDS; kind++) {
        quota->allowed[kind] = allowed[kind];
        quota->price[kind] = allowed[kind] == 0 ? 0 : quota->window / allowed[kind];
    }
    return quota;
}

void quota_close(struct quota *quota)
{
    free(quota);
}

uint32_t quota_allowed(const struct quota *quota, enum quota_kind kind)
{
    return quota->allowed[kind];
}

uint32_t quota_window_s(const struct quota *quota)
{
    return (uint32_t)(quota->window / second);
}

/* ---- buckets ---- */

/* The hash is keyed with a random key: otherwise a client could choose tokens that fall into the
 * set of another client and push it out. The lowest bit is the kind, so that a token and an address
 * of the same bytes are two subjects. */
static uint64_t hash_of(const struct quota *quota, int kind, const void *bytes, size_t len)
{
    uint64_t hash;

    crypto_shorthash((unsigned char *)&hash, bytes, len, quota->key);
    return (hash & ~UINT64_C(1)) | (uint64_t)kind;
}

/* The subject's bucket. A subject without one takes that of the set which is nearest to full: the
 * subject that loses it is forgiven the fewest requests, and often it was full anyway. */
static struct bucket *find(struct quota *quota, uint64_t hash)
{
    struct bucket *set = quota->bucket[(hash >> 1) % SETS], *least = set;

    for (struct bucket *bucket = set; bucket < set + WAYS; bucket++) {
        if (bucket->hash == hash)
            return bucket;
        if (bucket->full < least->full)
            least = bucket;
    }
    *least = (struct bucket){hash, 0};
    return least;
}

uint64_t quota_client(const struct quota *quota, const struct quota_subject *subject)
{
    for (int kind = 0; kind < QUOTA_KINDS; kind++)
        if (subject->bytes[kind] != NULL)
            return hash_of(quota, kind, subject->bytes[kind], subject->len[kind]);
    return 0;
}

static uint32_t seconds_up(int64_t nanoseconds)
{
    return (uint32_t)((nanoseconds + second - 1) / second);
}

/* How a subject stands whose bucket is full at `full`. */
static struct quota_state state_of(const struct quota *quota, int kind, int64_t full, int64_t now)
{
    int64_t price = quota->price[kind], room = quota->window - (full > now ? full - now : 0);
    int64_t left = room / price;

    if (left > quota->allowed[kind])
        left = quota->allowed[kind];
    return (struct quota_state){.counted = true,
                                .exceeded = left < 1,
                                .left = (uint32_t)(left < 0 ? 0 : left),
                                .wait_s = seconds_up(price - (room - left * price))};
}

/* Counts `requests` (1, or -1 to take it back) against a bucket. What it had beyond full is lost,
 * so that nobody saves up more than a window's worth. */
static void charge(const struct quota *quota, int kind, struct bucket *bucket, int64_t now,
                   int requests)
{
    bucket->full = (bucket->full > now ? bucket->full : now) + requests * quota->price[kind];
}

/* Counts a request against a bucket that has room for it. False: it has none. *state is how the
 * subject stands afterwards. */
static bool take_one(const struct quota *quota, int kind, struct bucket *bucket, int64_t now,
                     struct quota_state *state)
{
    *state = state_of(quota, kind, bucket->full, now);
    if (state->exceeded)
        return false;
    charge(quota, kind, bucket, now, 1);
    *state = state_of(quota, kind, bucket->full, now);
    state->exceeded = false; /* the next request may be one too many, this one was not */
    return true;
}

bool quota_take(struct quota *quota, const struct quota_subject *subject, int64_t now,
                struct quota_state states[QUOTA_KINDS])
{
    uint64_t hash[QUOTA_KINDS];
    struct bucket *charged[QUOTA_KINDS] = {NULL};
    bool ok = true;

    now *= 1000; /* prices in microseconds would be rounded too much where a quota is large */
    for (int kind = 0; kind < QUOTA_KINDS; kind++) {
        struct bucket *bucket;

        states[kind] = (struct quota_state){.counted = false};
        if (subject->bytes[kind] == NULL || quota->allowed[kind] == 0)
            continue;
        hash[kind] = hash_of(quota, kind, subject->bytes[kind], subject->len[kind]);
        bucket = find(quota, hash[kind]);
        if (take_one(quota, kind, bucket, now, &states[kind]))
            charged[kind] = bucket;
        else
            ok = false;
    }
    /* What one quota refuses is not counted by the other: the request is not carried out. If both
     * subjects fell into one set, the second may have taken the bucket of the first. */
    for (int kind = 0; kind < QUOTA_KINDS && !ok; kind++) {
        struct bucket *bucket = charged[kind];

        if (bucket == NULL || bucket->hash != hash[kind])
            continue;
        charge(quota, kind, bucket, now, -1);
        states[kind] = state_of(quota, kind, bucket->full, now);
    }
    return ok;
}

/* ---- addresses ---- */

/* IPv4 written as IPv6 (::ffff:203.0.113.7) is the same client as without. */
static void take_v6(const struct in6_addr *v6, struct quota_address *address)
{
    if (IN6_IS_ADDR_V4MAPPED(v6)) {
        address->len = 4;
        memcpy(address->bytes, v6->s6_addr + 12, 4);
        address->loopback = address->bytes[0] == 127;
    } else {
        address->len = 8;
        memcpy(address->bytes, v6->s6_addr, 8);
        address->loopback = IN6_IS_ADDR_LOOPBACK(v6);
    }
}

/* Reads an address without a port. */
static bool read_plain(const char *text, struct quota_address *address)
{
    struct in6_addr v6;

    *address = (struct quota_address){.len = 4};
    if (inet_pton(AF_INET, text, address->bytes) == 1) {
        address->loopback = address->bytes[0] == 127;
        return true;
    }
    if (inet_pton(AF_INET6, text, &v6) != 1)
        return false;
    take_v6(&v6, address);
    return true;
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits >= 1 && digits <= 5 && text[digits] == '\0';
}

/* A colon is part of IPv6 or stands before a port. Only with brackets, or with one colon after an
 * address that has dots, it is a port. */
bool quota_address_read(const char *text, size_t len, struct quota_address *address)
{
    char copy[INET6_ADDRSTRLEN + 8], *end;

    while (len > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        len--;
    }
    while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (copy[0] == '[') {
        end = strchr(copy, ']');
        if (end == NULL || (end[1] != '\0' && (end[1] != ':' || !is_port(end + 2))))
            return false;
        *end = '\0';
        return strchr(copy, ':') != NULL && read_plain(copy + 1, address);
    }
    end = strchr(copy, ':');
    if (end != NULL && strchr(copy, '.') != NULL && strchr(end + 1, ':') == NULL) {
        if (!is_port(end + 1))
            return false;
        *end = '\0';
    }
    return read_plain(copy, address);
}

bool quota_address_forwarded(const char *list, unsigned proxies, struct quota_address *address)
{
    const char *end = list + strlen(list), *start;

    /* Counted from the end, since whoever is nearest wrote last. */
    for (;; end = start - 1) {
        start = end;
        while (start > list && start[-1] != ',')
            start--;
        if (--proxies == 0 || start == list)
            return quota_address_read(start, (size_t)(end - start), address);
    }
}

bool quota_address_peer(const struct sockaddr *peer, struct quota_address *address)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (peer->sa_family == AF_INET6) {
        memcpy(&v6, peer, sizeof(v6));
        *address = (struct quota_address){.len = 0};
        take_v6(&v6.sin6_addr, address);
        return true;
    }
    if (peer->sa_family != AF_INET)
        return false;
    memcpy(&v4, peer, sizeof(v4)); /* copied: `peer` may not be aligned for it */
    *address = (struct quota_address){.len = 4};
    memcpy(address->bytes, &v4.sin_addr, 4);
    address->loopback = address->bytes[0] == 127;
    return true;
}
