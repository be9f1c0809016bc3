/*
 * key_set.h - the public keys of an identity provider, as it publishes them: a JWK Set (RFC 7517).
 *
 * Of the keys in it those are kept by which a signature of ours can be checked: RSA of 2048 to 8192
 * bits with an odd exponent of 3 to 2^32 (RS256), P-256 (ES256) and Ed25519 (EdDSA, by its newer
 * name Ed25519), for signatures and not for encryption. Others are passed over, since a provider
 * may have them for other purposes, and so are keys by which everybody can sign. The private part
 * of a key is not looked at. A set in which no key is left is one, too: nobody signs any more.
 *
 * GnuTLS judges the signatures. It has all three kinds, and libmicrohttpd brings it along anyway.
 * Of the JOSE libraries in Debian 12, cjose and jose have no EdDSA and libjwt reads no key sets;
 * librhonabwy has all, would bring four more libraries along, and takes forms of a token that are
 * refused here. Any of them would save some hundred lines.
 *
 * A set does not change after it was read, so any thread may use it.
 */
#ifndef PLYD_API_IDENTITY_KEY_SET_H
#define PLYD_API_IDENTITY_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KEY_SET_BYTES_MAX = 256 << 10, /* of its text */
    KEY_SET_KEYS_MAX = 64,         /* in it, others included */
    KEY_SET_ID_MAX = 255,          /* bytes of a kid */
    KEY_SET_SIGNATURE_MAX = 1024   /* bytes: of RSA with 8192 bits */
};

enum key_algorithm { KEY_RS256, KEY_ES256, KEY_EDDSA, KEY_ALGORITHMS };

struct key_set;
struct key;

/* Reads a set. NULL: it is none, and *fault says why, in a sentence that is static. */
struct key_set *key_set_read(const char *text, size_t len, const char **fault);
void key_set_free(struct key_set *set);

/* How many of its keys are of use. */
size_t key_set_count(const struct key_set *set);

/* What stands for a key, with its id, after its set has ended; and whether a set has that key. */
uint64_t key_print(const struct key *key);
bool key_set_has(const struct key_set *set, uint64_t print);

/* The algorithm of this name, of which EdDSA has two; KEY_ALGORITHMS: it is none of ours. */
enum key_algorithm key_algorithm(const char *name);

/* The key with this id (NULL: the token names none) for an algorithm. A token without an id is by
 * the only key of the set that fits. NULL: there is no such key; *misfit says whether there is one
 * with this id for another algorithm. */
const struct key *key_set_find(const struct key_set *set, const char *id,
                               enum key_algorithm algorithm, bool *misfit);

/* Whether a signature of the bytes is by this key. */
bool key_has_signed(const struct key *key, const void *bytes, size_t len, const uint8_t *signature,
                    size_t signature_len);

#endif
