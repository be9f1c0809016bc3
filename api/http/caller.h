/*
 * caller.h - who asks, as a value.
 *
 * It is made once, when the head of the request has been read and it is known whose its token is
 * (live/players.h), and never again from a text. Whatever belongs to a caller goes by this value:
 * what is kept for their keys, what they are charged, whose turn it is. Their kind is a number and
 * no part of a text, so no header makes one kind of caller look like another.
 *
 *   a stranger  shows no token, or one that is nobody's; all of them are one
 *   a seat      shows a token of the form of a seat's. Whether the seat still has it, its game
 * knows a player    shows a token that is theirs now an account  shows a good token of an identity
 * provider
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
