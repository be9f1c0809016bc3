/*
 * caller.h - who asks, as a value.
 *
 * It is made once, when the head of the request has been read and it is known whose its token is
 * (live/players.h), and never again from a text. What is kept for a caller's keys goes by this
 * value; quotas still go by the token and the address (loop/admission.h). The kind is a number and
 * no part of a text, so no header makes one kind of caller look like another.
 *
 * - A stranger shows no token, or one that is nobody's; all of them are one.
 * - A seat shows a token of the form of a seat's. Whether the seat still has it, its game knows.
 * - A player shows a token that is theirs now.
 * - An account shows a good token of an identity provider.
 */
#ifndef PLYD_API_HTTP_CALLER_H
#define PLYD_API_HTTP_CALLER_H

#include <stdint.h>

enum caller_kind { CALLER_STRANGER, CALLER_SEAT, CALLER_PLAYER, CALLER_ACCOUNT };

enum { CALLER_ID_BYTES = 32 };

struct caller {
    uint8_t kind;                /* enum caller_kind */
    uint8_t id[CALLER_ID_BYTES]; /* of a seat the hash of its token, of a player their id; filled
                                  * up with zeros. It has no padding: all of its bytes are hashed */
};

_Static_assert(sizeof(struct caller) == 1 + CALLER_ID_BYTES, "it has no padding");

#endif
