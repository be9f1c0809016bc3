#include "api/terminal/autosave.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/record/record.h"

bool autosave_read(struct arena *arena, const char *path, char **bytes, size_t *len)
{
    FILE *file = fopen(path, "re");
    bool read;

    if (file == NULL)
        return false;
    *bytes = arena_alloc(arena, RECORD_BYTES_MAX + 1);
    *len = fread(*bytes, 1, RECORD_BYTES_MAX + 1, file);
    read = !ferror(file) && *len <= RECORD_BYTES_MAX;
    if (*len > RECORD_BYTES_MAX)
        errno = EFBIG;
    else
        (*bytes)[*len] = '\0';
    fclose(file);
    return read;
}

/* Writes all bytes and flushes them to the disk, before the file is renamed. */
static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return fsync(fd) == 0;
}

bool autosave_write(const char *path, const char *bytes, size_t len)
{
    struct arena arena = {NULL, NULL, NULL};
    const char *beside = arena_format(&arena, "%s.new", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write_all(fd, bytes, len);
    int error;

    if (fd >= 0)
        written = close(fd) == 0 && written;
    written = written && rename(beside, path) == 0;
    error = errno;
    if (fd >= 0 && !written)
        unlink(beside); /* for example if the disk is full, or `path` is a folder */
    arena_free(&arena);
    errno = error;
    return written;
}

/* Creates a folder and its parents. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

const char *autosave_place(struct arena *arena, const char *name)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *path = NULL;

    if (state != NULL && state[0] == '/')
        path = arena_format(arena, "%s/plyd/%s", state, name);
    else if (home != NULL && home[0] == '/')
        path = arena_format(arena, "%s/.local/state/plyd/%s", home, name);
    return path != NULL && make_folders(path) ? path : NULL;
}

const char *autosave_usual(struct arena *arena)
{
    const char *lock = autosave_place(arena, "play.lock");
    int fd = lock == NULL ? -1 : open(lock, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
        return NULL;
    return autosave_place(arena, "play.json");
}

const char *autosave_before(struct arena *arena, const char *path)
{
    return arena_format(arena, "%s.before", path);
}

bool autosave_aside(const char *path)
{
    struct arena arena = {NULL, NULL, NULL};
    bool renamed = rename(path, autosave_before(&arena, path)) == 0;

    arena_free(&arena);
    return renamed;
}

bool autosave_is_same(const char *path, const char *other)
{
    struct stat one, two;

    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}
