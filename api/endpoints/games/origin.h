/*
 * origin.h - of which game a game is the rematch, as its log says.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_ORIGIN_H
#define PLYD_API_ENDPOINTS_GAMES_ORIGIN_H

#include <stdbool.h>

#include "api/live/op.h"
#include "db/db.h"

/* Zero to begin with, in the args of a step. */
struct origin {
    bool is_known;
    bool is_rematch;
    db_id game;     /* the one before it */
    int challenger; /* the seat whose player has asked for the game; 0: nobody was asked */
    bool knows_seats;
    struct db_seat seat[DB_SEATS]; /* of the game before it, without their texts */
};

/* In a step: asks for the origin of a game, unless it is known. */
enum step origin_know(struct op *op, struct origin *origin, db_id game);

/* The same, with the seats of the game before it. */
enum step origin_know_seats(struct op *op, struct origin *origin, db_id game);

#endif
