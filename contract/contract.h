/*
 * contract.h - what every game promises in rules.h, tried on random games of it under every option.
 *
 * A promise is a function that looks at a game and says where it is broken. `plyd check-game` tries
 * all of them on a game of one's own, and the tests of rules/ on those that are part of plyd.
 */
#ifndef PLYD_CONTRACT_CONTRACT_H
#define PLYD_CONTRACT_CONTRACT_H

#include "rules/rules.h"

enum { CONTRACT_TEXT = 3 * RULES_POSITION_TEXT };

struct contract_promise {
    const char *name; /* as a sentence without its full stop */
    void (*look)(const struct rules_game *game);
};

/* The promises, in an order in which a later one may count on those before it: lists, each of which
 * ends with a name NULL. NULL ends the lists. */
extern const struct contract_promise *const contract_promises[];

/* Whether a game keeps a promise. If not, `how` says in which position, and what is wrong. A game
 * that crashes or never returns takes the caller along: it belongs into a process of its own. */
bool contract_keeps(const struct rules_game *game, const struct contract_promise *promise,
                    char how[CONTRACT_TEXT]);

#endif
