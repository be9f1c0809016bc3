/*
 * keys.h - the present keys of the identity provider, for all loops of the process.
 *
 * One thread of the process reads them (key_source.h), so no loop ever waits for the provider:
 *
 * - at the start. A file that has no keys then is a mistake, and the daemon does not start. Of a
 *   provider that does not answer the daemon asks again after 1, 2, 4 ... KEYS_PAUSE_S seconds, and
 *   serves meanwhile;
 * - when a token names a key that is not known, once in KEYS_MISS_S at most, since a stranger can
 *   make up any number of such tokens;
 * - every KEYS_RENEW_S, so that a key that was withdrawn is not honoured for much longer; and at
 *   once when the operator says so (SIGHUP).
 *
 * What cannot be read, or is no set of keys, changes nothing: the known keys go on. They are never
 * forgotten because they are old, since the daemon must not lose its users with the provider. A set
 * in which no key is of use takes the place of any other: the provider has withdrawn them all.
 *
 * A set that a loop holds stays until it lets it go. Any thread may call these functions between
 * keys_start() and keys_stop(), which the main thread calls, with no other thread of the daemon.
 */
#ifndef PLYD_API_IDENTITY_KEYS_H
#define PLYD_API_IDENTITY_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/identity/key_set.h"

enum { KEYS_MISS_S = 6, KEYS_PAUSE_S = 60, KEYS_RENEW_S = 900, KEYS_LISTENERS_MAX = 64 };

/* Starts the thread. `source` is a URL or the path of a file. False: *why says why, in a few words
 * that stay. */
bool keys_start(const char *source, const char **why);

/* Ends it. Nothing if it was not started. */
void keys_stop(void);

/* Has them read now. Nothing if it was not started. */
void keys_reload(void);

/* A held set of keys. `version` grows with each set that differs from the one before. */
struct keys_held {
    const struct key_set *set; /* NULL: there were no keys yet */
    uint64_t version;
    struct keys_shared *shared; /* private to keys.c */
};

void keys_hold(struct keys_held *held);
void keys_let_go(const struct keys_held *held);

/* The version that keys_hold() would give now. */
uint64_t keys_version(void);

/* Whether the present set has the key of this print (key_print()). */
bool keys_have(uint64_t print);

/* What a token that names a key which a held set does not have may be told, if it came at a moment
 * of loop_clock_us(). They are read soon in any case. */
enum keys_miss {
    KEYS_LATEST, /* the set was read since then: there is no such key */
    KEYS_COMING, /* nobody knows yet: they are being read, or will be within KEYS_MISS_S, and all
                  * listeners are told when that is over */
    KEYS_AWAY    /* nobody knows, since the provider did not answer the last time */
};
enum keys_miss keys_miss(const struct keys_held *held, int64_t came_at);

/* Seconds until they are read the next time, at least one. */
unsigned keys_next_s(void);

/* `fd` is an eventfd to which one is added whenever a reading is over, well or not. */
void keys_listen(int fd);
void keys_listen_no_more(int fd);

/* For /metrics: how many keys there are, how often they were read, how often in vain, and the
 * seconds since they were read the last time (-1: never). False: there is no provider. */
struct keys_report {
    size_t keys;
    uint64_t reads, failures;
    int64_t age_s;
};
bool keys_report(struct keys_report *report);

#endif
