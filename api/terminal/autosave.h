/*
 * autosave.h - files of `plyd play`: records, the automatically saved game, tokens.
 *
 * A file is written under a temporary name and then renamed, so that a crash leaves either the old
 * or the new file. Functions that can fail return false, and errno says why.
 */
#ifndef PLYD_API_TERMINAL_AUTOSAVE_H
#define PLYD_API_TERMINAL_AUTOSAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

/* Reads a file of at most RECORD_BYTES_MAX bytes. */
bool autosave_read(struct arena *arena, const char *path, char **bytes, size_t *len);

/* Writes a file that only the user can read. */
bool autosave_write(const char *path, const char *bytes, size_t len);

/* The path of file NAME in the user's state directory, $XDG_STATE_HOME/plyd or ~/.local/state/plyd.
 * Creates the directory. NULL: there is none. */
const char *autosave_place(struct arena *arena, const char *name);

/* The file for games if none is named: play.json in the state directory. It is locked until the
 * process ends. NULL: there is no such directory, or another process has the lock; errno is
 * EWOULDBLOCK then. */
const char *autosave_usual(struct arena *arena);

/* The backup name of a file, NAME.before; and a function that renames the file to it, so that
 * another file can take its place. */
const char *autosave_before(struct arena *arena, const char *path);
bool autosave_aside(const char *path);

/* Whether two paths lead to the same file. */
bool autosave_is_same(const char *path, const char *other);

#endif
