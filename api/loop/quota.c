#include "api/loop/quota.h"
#include "api/text/must.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A table of fixed size: an account has its place in one of the sets, in any of its ways. A look-up
 * compares four hashes, and no crowd of clients makes the table grow. */
enum { SETS = 8192, WAYS = 4, DEBT_WINDOWS = 2 };

/* A token bucket, kept as one number: the time at which it will be full again. What is taken moves
 * that time on by its price, and the bucket fills by itself as time passes. How much is left
 * follows from how far off `full` is: a window means that the bucket is empty, and more is a debt.
 * Once the time has gone by, the bucket is full, which is the same as no bucket at all; so nothing
 * has to be cleaned up. */
struct bucket {
    uint64_t hash; /* of the account and the thing */
    int64_t full;  /* nanoseconds */
};

/* A limit, and what follows from it, in nanoseconds. */
struct rate {
    struct quota_limit limit;
    int64_t window;
    int64_t price; /* what one unit takes to come back */
};

struct quota {
    unsigned char key[crypto_shorthash_KEYBYTES];
    struct rate rate[QUOTA_THINGS][QUOTA_OWNERS];
    struct bucket bucket[SETS][WAYS];
};

static const int64_t second = 1000000000;

const char *quota_name(enum quota_thing thing, enum quota_owner owner)
{
    static const char *const names[QUOTA_THINGS][QUOTA_OWNERS] = {
        [QUOTA_REQUESTS] = {"address", "token"}, [QUOTA_GAMES] = {"address-games", "token-games"}};

    return names[thing][owner];
}

struct quota *quota_open(const struct quota_limit limits[QUOTA_THINGS][QUOTA_OWNERS])
{
    struct quota *quota = must_zero(sizeof(*quota));

    crypto_shorthash_keygen(quota->key);
    for (int thing = 0; thing < QUOTA_THINGS; thing++)
        for (int owner = 0; owner < QUOTA_OWNERS; owner++) {
            struct rate *rate = &quota->rate[thing][owner];

            rate->limit = limits[thing][owner];
            rate->window = rate->limit.window_s * second;
            rate->price = rate->limit.allowed == 0 ? 0 : rate->window / rate->limit.allowed;
        }
    return quota;
}

void quota_close(struct quota *quota)
{
    free(quota);
}

struct quota_limit quota_limit(const struct quota *quota, enum quota_thing thing,
                               enum quota_owner owner)
{
    return quota->rate[thing][owner].limit;
}

/* ---- accounts ---- */

/* The lowest bits of a hash are the owner and the thing, so that a token and an address of the same
 * bytes have buckets of their own, and each of them one for each thing. */
enum { OWNER_BIT = 1, THING_BIT = 2, OTHER_BITS = 2 };

_Static_assert(QUOTA_OWNERS == 2 && QUOTA_THINGS == 2, "a bit is enough for each");

/* The hash is keyed with a random key: otherwise a client could choose tokens that fall into the
 * set of another client and push it out. */
static uint64_t hash_of(const struct quota *quota, int owner, const void *bytes, size_t len)
{
    uint64_t hash;

    crypto_shorthash((unsigned char *)&hash, bytes, len, quota->key);
    hash = hash >> OTHER_BITS << OTHER_BITS;
    return (hash == 0 ? 1 << OTHER_BITS : hash) | (owner == QUOTA_OF_TOKEN ? OWNER_BIT : 0);
}

struct quota_account quota_account(const struct quota *quota, const struct quota_subject *subject)
{
    struct quota_account account = {{0}};

    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        if (subject->bytes[owner] != NULL)
            account.hash[owner] = hash_of(quota, owner, subject->bytes[owner], subject->len[owner]);
    return account;
}

/* ---- buckets ---- */

/* The account's bucket for a thing. An account without one takes that of the set which is nearest
 * to full: the account that loses it is forgiven the least, and often it was full anyway. */
static struct bucket *find_bucket(struct quota *quota, uint64_t account, enum quota_thing thing)
{
    uint64_t hash = account | (thing == QUOTA_GAMES ? THING_BIT : 0);
    struct bucket *set = quota->bucket[(hash >> OTHER_BITS) % SETS], *least = set;

    for (struct bucket *bucket = set; bucket < set + WAYS; bucket++) {
        if (bucket->hash == hash)
            return bucket;
        if (bucket->full < least->full)
            least = bucket;
    }
    *least = (struct bucket){hash, 0};
    return least;
}

static uint32_t seconds_up(int64_t nanoseconds)
{
    return (uint32_t)((nanoseconds + second - 1) / second);
}

/* How an account stands whose bucket is full at `full`. */
static struct quota_state state_of(const struct rate *rate, int64_t full, int64_t now)
{
    int64_t room = rate->window - (full > now ? full - now : 0);
    int64_t left = room < 0 ? 0 : room / rate->price;

    if (left > rate->limit.allowed)
        left = rate->limit.allowed;
    return (struct quota_state){.counted = true,
                                .exceeded = left < 1,
                                .left = (uint32_t)left,
                                .wait_s = seconds_up((left + 1) * rate->price - room)};
}

/* Charges a bucket. What it had beyond full is lost, so that nobody saves up more than a window's
 * worth; and a debt beyond its bound is forgiven, so that nobody waits for ever. */
static void charge_bucket(const struct rate *rate, struct bucket *bucket, int64_t now,
                          int64_t units)
{
    int64_t most = now + (1 + DEBT_WINDOWS) * rate->window;
    int64_t all = (1 + DEBT_WINDOWS) * (int64_t)rate->limit.allowed;

    if (units > all)
        units = all;
    bucket->full = (bucket->full > now ? bucket->full : now) + units * rate->price;
    if (bucket->full > most)
        bucket->full = most;
}

static bool is_counted(const struct quota *quota, const struct quota_account *account,
                       enum quota_thing thing, int owner)
{
    return account->hash[owner] != 0 && quota->rate[thing][owner].limit.allowed != 0;
}

void quota_charge(struct quota *quota, const struct quota_account *account, enum quota_thing thing,
                  int64_t units, int64_t now, struct quota_state states[QUOTA_OWNERS])
{
    now *= 1000; /* prices in microseconds would be rounded too much where a quota is large */
    for (int owner = 0; owner < QUOTA_OWNERS; owner++) {
        const struct rate *rate = &quota->rate[thing][owner];
        struct bucket *bucket;

        states[owner] = (struct quota_state){.counted = false};
        if (!is_counted(quota, account, thing, owner))
            continue;
        bucket = find_bucket(quota, account->hash[owner], thing);
        charge_bucket(rate, bucket, now, units);
        states[owner] = state_of(rate, bucket->full, now);
    }
}

/* What one quota refuses is not counted by the other, since it is not carried out. So both are
 * looked at before anything is taken. */
bool quota_take(struct quota *quota, const struct quota_account *account, enum quota_thing thing,
                int64_t now, struct quota_state states[QUOTA_OWNERS])
{
    bool ok = true;

    quota_charge(quota, account, thing, 0, now, states);
    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        ok &= !states[owner].exceeded;
    if (!ok)
        return false;
    quota_charge(quota, account, thing, 1, now, states);
    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        states[owner].exceeded = false; /* the next one may be one too many, this one was not */
    return true;
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
static bool read_plain_address(const char *text, struct quota_address *address)
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
        return strchr(copy, ':') != NULL && read_plain_address(copy + 1, address);
    }
    end = strchr(copy, ':');
    if (end != NULL && strchr(copy, '.') != NULL && strchr(end + 1, ':') == NULL) {
        if (!is_port(end + 1))
            return false;
        *end = '\0';
    }
    return read_plain_address(copy, address);
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
