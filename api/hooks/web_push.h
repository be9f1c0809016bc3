/*
 * web_push.h - what Web Push asks of cryptography, by nettle: messages that only one browser can
 * read (RFC 8291, in the coding aes128gcm of RFC 8188), and signatures by ES256. Pure, but for the
 * random numbers.
 *
 * A public key is a point of the curve P-256, uncompressed: 4, x, y. Whatever else comes from
 * outside is refused before it is used, since a point of another curve would betray the key that it
 * is multiplied by.
 */
#ifndef PLYD_API_HOOKS_WEB_PUSH_H
#define PLYD_API_HOOKS_WEB_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WEB_PUSH_PUBLIC = 65, /* bytes */
    WEB_PUSH_PRIVATE = 32,
    WEB_PUSH_AUTH = 16,
    WEB_PUSH_SALT = 16,
    WEB_PUSH_SIGNATURE = 64,
    WEB_PUSH_RECORD = 4096,            /* as much as every push service takes, with the head */
    WEB_PUSH_HEAD = WEB_PUSH_SALT + 5, /* and the id of the key */
    WEB_PUSH_OVERHEAD = WEB_PUSH_HEAD + WEB_PUSH_PUBLIC + 1 + 16, /* of an encrypted message */
    WEB_PUSH_TEXT_MAX = WEB_PUSH_RECORD - WEB_PUSH_OVERHEAD
};

/* A key pair of plyd's own. */
struct web_push_key {
    uint8_t secret[WEB_PUSH_PRIVATE];
    uint8_t public[WEB_PUSH_PUBLIC];
};

/* Makes one. */
void web_push_key_make(struct web_push_key *key);

/* The pair of a private key. False: it is none. */
bool web_push_key_of(struct web_push_key *key, const uint8_t secret[WEB_PUSH_PRIVATE]);

/* Whether bytes are a public key. */
bool web_push_is_public(const uint8_t *bytes, size_t len);

/* What a browser has given: its subscription's keys. */
struct web_push_receiver {
    uint8_t p256dh[WEB_PUSH_PUBLIC];
    uint8_t auth[WEB_PUSH_AUTH];
};

/* Encrypts a text of at most WEB_PUSH_TEXT_MAX bytes to a receiver, whose key was judged before, by
 * a pair and a salt that are used only once. `out` has room for WEB_PUSH_OVERHEAD more. Returns the
 * length of the message. */
size_t web_push_encrypt(const struct web_push_receiver *receiver, const struct web_push_key *once,
                        const uint8_t salt[WEB_PUSH_SALT], const void *text, size_t len,
                        uint8_t *out);

/* The coding alone (RFC 8188): one record, by key material and the id of that key. */
size_t web_push_seal(const uint8_t *material, size_t material_len,
                     const uint8_t salt[WEB_PUSH_SALT], const uint8_t *id, uint8_t id_len,
                     const void *text, size_t len, uint8_t *out);

/* Signs by ES256, as JWTs have it: r and s. */
void web_push_sign(const struct web_push_key *key, const void *bytes, size_t len,
                   uint8_t signature[WEB_PUSH_SIGNATURE]);

#endif
