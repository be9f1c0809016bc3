/*
 * import_job.h - the import of a file of many games, piece by piece, as a task (tasks.h).
 *
 * The file is the body: records one after the other (split.h), or a ZIP archive of such files. It
 * is stored in parts, and the request is answered with 202. Then a few games at a time are made,
 * as a single import would be (import_record.h). What is not a record, or breaks the rules, becomes
 * an item with its problem, and the others go on. A game's id follows from the task and its number,
 * so nothing is made twice.
 *
 * Nobody holds a seat of these games. They are in a collection of the player: one that the player
 * names, or one that is made with the task, has its id, and is named after the file.
 *
 * The file is in memory while the task is worked on, with one entry of an archive at a time. What
 * an archive may unfold to is bounded in entries, in bytes of each and in all; what was unfolded in
 * vain counts, too. The owner pays for what is read and unfolded (tasks_charge()).
 */
#ifndef PLYD_API_ENDPOINTS_LIBRARY_IMPORT_JOB_H
#define PLYD_API_ENDPOINTS_LIBRARY_IMPORT_JOB_H

#include "api/duty/tasks.h"

enum {
    IMPORT_GAMES_MAX = 20000,      /* of a file */
    IMPORT_ENTRY_MAX = 8 << 20,    /* bytes of an entry, unfolded */
    IMPORT_ARCHIVE_MAX = 256 << 20 /* of all entries together */
};

extern const struct task_kind import_job;

#endif
