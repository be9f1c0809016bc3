/*
 * subscriber.h - a browser that has subscribed to Web Push, for tests: its keys, and what it reads.
 *
 * It reads by GnuTLS, and not by the code that it tests: HKDF, AES-128-GCM, and ECDSA. Only the
 * product of its key and a point of the curve is nettle's, which GnuTLS cannot be asked for
 * everywhere.
 */
#ifndef PLYD_TESTS_SUPPORT_SUBSCRIBER_H
#define PLYD_TESTS_SUPPORT_SUBSCRIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUBSCRIBER_POINT = 65 };

struct subscriber {
    uint8_t secret[32], point[SUBSCRIBER_POINT], auth[16];
};

/* Makes its keys. */
void subscriber_make(struct subscriber *subscriber);

/* Its subscription at an endpoint, as PushSubscription.toJSON() gives it, with further members
 * before the closing brace, such as ",\"lang\":\"ja\"". The caller frees it. */
char *subscriber_json(const struct subscriber *subscriber, const char *endpoint, const char *more);

/* What a message says, which the caller frees. NULL: it is not for this browser, or is broken. */
char *subscriber_read(const struct subscriber *subscriber, const void *message, size_t len);

/* Whether r and s are the signature of a text by the key with this public half. */
bool subscriber_is_signed(const uint8_t point[SUBSCRIBER_POINT], const char *text, size_t len,
                          const uint8_t signature[64]);

#endif
