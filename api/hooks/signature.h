/*
 * signature.h - secrets of webhooks, and the signatures of what is sent, as Standard Webhooks 1.0
 * defines them: "v1," and the base 64 of an HMAC-SHA256 over "id.timestamp.body". Pure.
 *
 * A receiver checks them with the secret. So it is stored as it is, and not as a hash: whoever can
 * read the database can sign in the daemon's name.
 */
#ifndef PLYD_API_HOOKS_SIGNATURE_H
#define PLYD_API_HOOKS_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#include "db/db.h"
#include "db/hooks.h"

enum { SIGNATURE_SECRET_TEXT = 40, SIGNATURE_TEXT = 48 }; /* bytes, with the NUL */

/* A secret as its owner sees it: "whsec_" and its base 64. */
void signature_secret_text(const uint8_t secret[DB_SECRET_BYTES], char text[SIGNATURE_SECRET_TEXT]);

/* Signs a body. */
void signature_make(const uint8_t secret[DB_SECRET_BYTES], const char *id, const char *timestamp,
                    const char *body, char text[SIGNATURE_TEXT]);

#endif
