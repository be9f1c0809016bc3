/*
 * undo.h - undo and redo.
 *
 * Nothing is deleted: the present position moves back and forth on its line, which is an event like
 * any other, and a move after an undo opens a new line (draft.h). A redo may go over to any other
 * line (goto_ply.h). Who may do so is in rights.h. Where an undo needs the consent of the other
 * side, it becomes an offer (offers.h). A computer opponent whose turn it is at the new position
 * moves at once.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_UNDO_H
#define PLYD_API_ENDPOINTS_GAMES_UNDO_H

#include "api/endpoints/games/offers.h"
#include "api/endpoints/guard.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "db/db.h"

struct undo_args {
    struct guard guard;
    int32_t to_ply; /* MAY_ANY: one step, to the asker's own turn (rights.h) */
    int32_t line;   /* of a redo; 0: the present one, and else MAY_ANY is its end */
    struct offers_made made;
};

/* Each does what `args` ask for in a game, and answers. `args` must live as long as the request. */
void undo_to_ply(struct request *request, db_id id, struct undo_args *args);
void redo_to_ply(struct request *request, db_id id, struct undo_args *args);

#endif
