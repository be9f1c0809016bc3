/*
 * autosave.h - files of `plyd play`: records, the automatically saved game, tokens.
 *
 * A file is written under a temporary name beside it, flushed and renamed, so that a crash at any
 * moment leaves either the old or the new file. It keeps its permissions, and a symbolic link stays
 * one: the file that it leads to is replaced. Functions that can fail return false, and errno says
 * why.
 */
#ifndef PLYD_API_TERMINAL_AUTOSAVE_H
#define PLYD_API_TERMINAL_AUTOSAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"

/* The files that this process plays in and has written. All zero is right before the first use. */
struct autosave {
    struct arena arena;
    struct autosave_file *files;
    int lock; /* the file with the locks of all processes; 0: it is not open */
};
void autosave_close(struct autosave *autosave);

/* Reads a file of at most RECORD_BYTES_MAX bytes. */
bool autosave_read(struct arena *arena, const char *path, char **bytes, size_t *len);

/* Writes a file. A new one can be read by the user alone. */
bool autosave_write(const char *path, const char *bytes, size_t len);

/* Writes a file likewise, but first keeps what is there as NAME~, byte by byte, unless this process
 * has written it. *named is that name then, or NULL if nothing had to be kept. False: *named is the
 * file that cannot be written, which is this one or NAME~, and this one is as it was. */
bool autosave_replace(struct autosave *autosave, const char *path, const char *bytes, size_t len,
                      const char **named);

/* What is in a file now need not be kept, as if this process had written it. And: what this process
 * has written until now is kept, too, as another game will be written. */
void autosave_own(struct autosave *autosave, const char *path);
void autosave_disown(struct autosave *autosave);

/* The name under which autosave_replace() keeps what was in a file. NULL: there is no folder for
 * the file. */
const char *autosave_before(struct arena *arena, const char *path);

/* Locks a file, which need not be there yet, until the process ends. False: another process has
 * locked it; errno is EWOULDBLOCK. Where there is no state directory nothing is locked. */
bool autosave_claim(struct autosave *autosave, const char *path);

/* Whether another process has locked a file. */
bool autosave_is_claimed(struct autosave *autosave, const char *path);

/* The path of file NAME in the user's state directory, $XDG_STATE_HOME/plyd or ~/.local/state/plyd.
 * Creates the directory. NULL: there is none. */
const char *autosave_place(struct arena *arena, const char *name);

/* The file for games if none is named: play.json in the state directory. It is locked. NULL: there
 * is no such directory, or another process has locked it; errno is EWOULDBLOCK then. */
const char *autosave_usual(struct autosave *autosave);

/* The path of a file without symbolic links, which need not be there yet. NULL: there is no folder
 * for it. */
const char *autosave_real(struct arena *arena, const char *path);

/* Whether two paths lead to the same file. */
bool autosave_is_same(const char *path, const char *other);

#endif
