/*
 * autosave.h - files of `plyd play`: records, the game that is kept while it is played, tokens.
 *
 * A file is written beside its name and then renamed, so that a crash leaves the old or the new
 * one. Functions that can fail return false, and errno says why.
 */
#ifndef PLYD_API_TERMINAL_AUTOSAVE_H
#define PLYD_API_TERMINAL_AUTOSAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

/* Reads a file of at most RECORD_BYTES_MAX bytes. */
bool autosave_read(struct arena *arena, const char *path, char **bytes, size_t *len);

/* Writes a file that the user alone can read. */
bool autosave_write(const char *path, const char *bytes, size_t len);

/* The path of a file of the user's own: NAME in $XDG_STATE_HOME/plyd or ~/.local/state/plyd, which
 * are made. NULL: there is no such place. */
const char *autosave_place(struct arena *arena, const char *name);

/* The file in which games are kept when none is named, play.json there. NULL: there is no such
 * place, or another process keeps its game there; errno is EWOULDBLOCK then. The file is this
 * process's until it ends. */
const char *autosave_usual(struct arena *arena);

/* The name that a file is put aside under: NAME.before. Puts it aside, so that another one can take
 * its place. */
const char *autosave_before(struct arena *arena, const char *path);
bool autosave_aside(const char *path);

/* Whether two paths lead to one file. */
bool autosave_is_same(const char *path, const char *other);

#endif
