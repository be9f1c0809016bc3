/*
 * seats.h - joining, resigning, aborting.
 *
 * No token is needed to join: anybody who knows the id of a game with an open seat may take it,
 * unless it is kept for an invitation (invitations.c). The answer to a join has a token of its own
 * for the seat, of which only a hash is kept.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_SEATS_H
#define PLYD_API_ENDPOINTS_GAMES_SEATS_H

#include "api/endpoints/games/origin.h"
#include "api/endpoints/guard.h"
#include "api/game/draft.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "db/db.h"
#include "rules/rules.h"

struct seat_args {
    struct guard guard;
    const char *seat;       /* its number or its name; NULL: whichever fits */
    const char *name;       /* of the player who joins; NULL: none was given */
    const char *invitation; /* the code that they join with; NULL: none */
    bool hot_seat;          /* it may be one of their own */
    struct origin origin;   /* of the game, if they accept a challenge */
};

/* The seat that a text names by its number, or by its name in this variant. 0: the text is NULL.
 * -1: there is no such seat. */
int seats_named(const struct rules_game *game, const char *text);

/* Refuses a text that names no seat. Always STEP_OVER. */
enum step seats_refuse_name(struct op *op);

/* Somebody who takes a seat. */
struct sitter {
    const char *name; /* NULL: none */
    bool has_player, has_hooks;
    db_id player;
    const uint8_t *token; /* its hash */
};

/* Has them take a seat in a draft. With the last one the game begins. */
void seats_sit(struct draft *draft, int seat, const struct sitter *sitter);

void seats_resign(struct request *request, db_id id, struct seat_args *args);

#endif
