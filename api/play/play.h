/*
 * play.h - the use cases at a table: what happens when somebody moves, undoes, resigns ... Each is
 * a job (tables.h) whose request was parsed already; handlers fill the arguments.
 */
#ifndef PLYD_API_PLAY_PLAY_H
#define PLYD_API_PLAY_PLAY_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

struct move_args {
    struct guard guard;
    const char *const *texts; /* the moves; or, where `clicked`, the clicks of a single one */
    size_t count;             /* of the moves */
    size_t clicked;
    int32_t ply; /* of the first move; GUARD_NONE: the next one */
    bool put;    /* the same move again is 200 */
    bool single; /* answered as a move, not as a list */
    bool dry_run;
};
void play_moves(struct request *request, db_id id, struct move_args *args);

struct undo_args {
    struct guard guard;
    int32_t to_ply; /* GUARD_NONE: undo the asker's last move, redo as much */
};
void play_undo(struct request *request, db_id id, struct undo_args *args);
void play_redo(struct request *request, db_id id, struct undo_args *args);

struct seat_args {
    struct guard guard;
    const char *seat; /* its number or its name in the variant; NULL: the one that is meant */
    const char *name;
};
void play_join(struct request *request, db_id id, struct seat_args *args);
void play_resign(struct request *request, db_id id, struct seat_args *args);
void play_abort(struct request *request, db_id id, struct seat_args *args);

#endif
