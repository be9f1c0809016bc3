/*
 * jwt.h - tokens of an identity provider: whether one is good, and what it says.
 *
 * A JWT (RFC 7519) as a JWS in its short form: three parts of base64url. Everything is refused that
 * is not exactly that (RFC 8725):
 *
 * - The algorithm is RS256, ES256 or EdDSA, and that of the key: the token chooses neither "none"
 *   nor a secret (HS256), and keys in its own header are not looked at.
 * - Header and claims are JSON objects without a byte order mark, in which no member appears twice,
 *   and none that is read here is null. `crit` is refused, since no extension is known, and `typ`
 *   is JWT or at+jwt if it is there: what the same provider signs for other ends is no token here.
 * - `iss` is that of the provider to the letter, `aud` is or has the audience, `sub` is a text of 1
 *   to 255 bytes, and `exp` is there. `exp`, `nbf` and `iat` may be off by JWT_LEEWAY_S.
 * - It is good for a time that is bounded from its `iat` on, whatever its `exp` says; without `iat`
 *   it must expire within that time from now on.
 *
 * The signature is looked at before the claims. To check one takes some 50 to 200 microseconds.
 * Pure functions: the time is told. Any thread may call them.
 */
#ifndef PLYD_API_IDENTITY_JWT_H
#define PLYD_API_IDENTITY_JWT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/identity/key_set.h"
#include "api/text/arena.h"
#include "api/text/problem.h"

enum {
    JWT_BYTES_MAX = 8 << 10, /* of a token: as many as all headers may have */
    JWT_SUBJECT_MAX = 255,   /* bytes */
    JWT_LEEWAY_S = 60
};

/* What a token must say, and when. */
struct jwt_demand {
    const char *issuer, *audience;
    int64_t age_s; /* that it may have; 0: any */
    int64_t now_s; /* since 1970 */
};

/* What it says. The texts lie in the arena. */
struct jwt {
    const char *subject;
    const char *name;   /* as a player may have it (game/name.h) */
    const char *locale; /* "" if it says none */
    int64_t until_s;    /* it is good until then, the leeway included, */
    uint64_t key;       /* as long as the provider has the key that signed it: key_print() */
};

/* Whether a token of ours is meant to be a JWT: none of plyd's has a dot. */
bool jwt_is_one(const char *token);

/* Judges a token. PROBLEM_NONE: it is good, and *jwt is what it says. Else *detail is a sentence or
 * NULL. PROBLEM_JWT_KEY_UNKNOWN means the set that was asked, and a newer one may have the key. */
enum problem jwt_judge(struct arena *arena, const struct key_set *keys,
                       const struct jwt_demand *demand, const char *token, struct jwt *jwt,
                       const char **detail);

#endif
