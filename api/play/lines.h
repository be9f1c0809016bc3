/*
 * lines.h - undo and redo. Nothing is deleted: the present position moves back and forth on its
 * line, and a move after an undo opens a new line (course.h).
 */
#ifndef PLYD_API_PLAY_LINES_H
#define PLYD_API_PLAY_LINES_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

struct line_args {
    struct guard guard;
    int32_t to_ply; /* MAY_ANY: undo the asker's last move, redo as much */
};
void lines_undo(struct request *request, db_id id, struct line_args *args);
void lines_redo(struct request *request, db_id id, struct line_args *args);

#endif
