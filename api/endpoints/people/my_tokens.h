/*
 * my_tokens.h - what may act as a player: their token, and the account that is joined to them.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_MY_TOKENS_H
#define PLYD_API_ENDPOINTS_PEOPLE_MY_TOKENS_H

#include <stdint.h>

/* Their ids, which are names, since there is one of each. */
#define MY_TOKENS_TOKEN   "token"
#define MY_TOKENS_ACCOUNT "account"

/* For so long after it was joined, an account neither ends the player's token nor leaves. */
#define MY_TOKENS_YOUNG_US (INT64_C(7) * 24 * 3600 * 1000 * 1000)

#endif
