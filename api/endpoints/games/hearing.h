/*
 * hearing.h - whether a player hears what another one writes to them: not if they have blocked
 * them.
 *
 * Whoever writes learns nothing of it: both are asked the same, and what is stored has the same
 * text (game/messages.h).
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_HEARING_H
#define PLYD_API_ENDPOINTS_GAMES_HEARING_H

#include <stdbool.h>

#include "api/live/op.h"
#include "api/text/json.h"
#include "db/db.h"

/* Zero to begin with, in the args of a step. */
struct hearing {
    bool is_known, is_unheard;
    db_id reader;
};

/* In a step: asks whether `reader` hears `writer`, unless that is known. */
enum step hearing_know(struct op *op, struct hearing *hearing, db_id writer, db_id reader);

/* Adds to the data of an event who does not read it, if that is so. */
void hearing_note(const struct hearing *hearing, struct json *json);

#endif
