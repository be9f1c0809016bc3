#include "api/terminal/autosave.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/record/record.h"

enum { MODE_OF_ALL = 07777, MODE_OF_NEW = 0600 };

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

/* ---- paths ---- */

/* The folder of a path, with the slash behind it; "" for the present one. */
static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return arena_copy(arena, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);
}

static const char *name_of_autosave(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* The real path of a file that is not there: of that which a link leads to, or of its folder with
 * its name. */
static const char *real_place(struct arena *arena, const char *path)
{
    const char *folder = folder_of(arena, path), *name = name_of_autosave(path), *place;
    char target[PATH_MAX], *real;
    ssize_t n = readlink(path, target, sizeof(target) - 1);

    if (n > 0) {
        target[n] = '\0';
        return autosave_real(arena, target[0] == '/' ? arena_copy(arena, target, (size_t)n)
                                                     : arena_format(arena, "%s%s", folder, target));
    }
    real = realpath(*folder == '\0' ? "." : folder, NULL);
    if (real == NULL || *name == '\0') {
        free(real);
        return NULL;
    }
    place = arena_format(arena, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
    free(real);
    return place;
}

const char *autosave_real(struct arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy;

    if (real == NULL)
        return errno == ENOENT ? real_place(arena, path) : NULL;
    copy = arena_copy(arena, real, strlen(real));
    free(real);
    return copy;
}

bool autosave_is_same(const char *path, const char *other)
{
    struct stat one, two;

    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

/* ---- writing ---- */

static bool write_autosave_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Gives the new file the group and the permissions of the old one. Whoever may not give it the
 * group does not give that group's permissions to another one. */
static bool take_mode(int fd, const struct stat *old)
{
    mode_t mode = old == NULL ? MODE_OF_NEW : old->st_mode & MODE_OF_ALL;

    if (old != NULL && fchown(fd, (uid_t)-1, old->st_gid) != 0)
        mode &= ~(mode_t)S_IRWXG;
    return fchmod(fd, mode) == 0;
}

/* Flushes the names of a folder, where that is possible. */
static bool flush_folder(struct arena *arena, const char *path)
{
    int fd = open(folder_of(arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed = fd < 0 || fsync(fd) == 0 || errno == EINVAL;

    if (fd >= 0)
        close(fd);
    return flushed;
}

/* Writes a temporary file. `old` is the file that it will replace, or NULL; *written is what it is
 * then. */
static bool fill(const char *beside, const char *bytes, size_t len, const struct stat *old,
                 struct stat *written)
{
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE_OF_NEW);
    bool filled;

    if (fd < 0)
        return false;
    filled = write_autosave_all(fd, bytes, len) && take_mode(fd, old) && fsync(fd) == 0 &&
             fstat(fd, written) == 0;
    return close(fd) == 0 && filled;
}

/* Puts bytes in the place of a file at a real path. */
static bool put_autosave(struct arena *arena, const char *real, const char *bytes, size_t len,
                         const struct stat *old, struct stat *written)
{
    const char *beside =
        arena_format(arena, "%s.%s.plyd", folder_of(arena, real), name_of_autosave(real));
    int error;

    unlink(beside); /* what a killed process has left */
    if (fill(beside, bytes, len, old, written) && rename(beside, real) == 0)
        return flush_folder(arena, real);
    error = errno;
    unlink(beside); /* for example if the disk is full */
    errno = error;
    return false;
}

/* Looks at the file that is to be replaced. *there: it is there. False: it is no file at all. */
static bool look_at_autosave(const char *real, struct stat *old, bool *there)
{
    *there = stat(real, old) == 0;
    if (!*there)
        return errno == ENOENT;
    if (S_ISREG(old->st_mode))
        return true;
    errno = S_ISDIR(old->st_mode) ? EISDIR : ENOTSUP;
    return false;
}

bool autosave_write(const char *path, const char *bytes, size_t len)
{
    struct arena arena = {NULL, NULL, NULL};
    const char *real = autosave_real(&arena, path);
    struct stat old, written;
    bool there, done;
    int error;

    done = real != NULL && look_at_autosave(real, &old, &there) &&
           put_autosave(&arena, real, bytes, len, there ? &old : NULL, &written);
    error = errno;
    arena_free(&arena);
    errno = error;
    return done;
}

/* ---- what was there before ---- */

/* A file as this process has written it, or has taken it over. */
struct autosave_file {
    const char *real;
    struct stat written;
    struct autosave_file *next;
};

static struct autosave_file *find_autosave(struct autosave *autosave, const char *real)
{
    struct autosave_file *file = autosave->files;

    while (file != NULL && strcmp(file->real, real) != 0)
        file = file->next;
    return file;
}

static void remember(struct autosave *autosave, const char *real, const struct stat *written)
{
    struct autosave_file *file = find_autosave(autosave, real);

    if (file == NULL) {
        file = arena_alloc(&autosave->arena, sizeof(*file));
        file->real = arena_copy(&autosave->arena, real, strlen(real));
        file->next = autosave->files;
        autosave->files = file;
    }
    file->written = *written;
}

static bool is_own(struct autosave *autosave, const char *real, const struct stat *now)
{
    const struct autosave_file *file = find_autosave(autosave, real);

    return file != NULL && file->written.st_dev == now->st_dev &&
           file->written.st_ino == now->st_ino && file->written.st_size == now->st_size &&
           file->written.st_mtim.tv_sec == now->st_mtim.tv_sec &&
           file->written.st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

void autosave_own(struct autosave *autosave, const char *path)
{
    struct arena arena = {NULL, NULL, NULL};
    const char *real = autosave_real(&arena, path);
    struct stat now;

    if (real != NULL && stat(real, &now) == 0)
        remember(autosave, real, &now);
    arena_free(&arena);
}

void autosave_disown(struct autosave *autosave)
{
    autosave->files = NULL;
}

const char *autosave_before(struct arena *arena, const char *path)
{
    const char *real = autosave_real(arena, path);

    return real == NULL ? NULL : arena_format(arena, "%s~", real);
}

/* Copies a file to its name with a tilde. */
static bool keep_before(const char *real, const struct stat *old, const char *before)
{
    struct arena arena = {NULL, NULL, NULL};
    struct stat older, written;
    bool there, kept;
    char *bytes;
    size_t len;
    int error;

    kept = look_at_autosave(before, &older, &there) && autosave_read(&arena, real, &bytes, &len) &&
           put_autosave(&arena, before, bytes, len, old, &written);
    error = errno;
    arena_free(&arena);
    errno = error;
    return kept;
}

bool autosave_replace(struct autosave *autosave, const char *path, const char *bytes, size_t len,
                      const char **named)
{
    struct arena *arena = &autosave->arena;
    const char *real = autosave_real(arena, path);
    struct stat old, written;
    bool there;

    *named = path;
    if (real == NULL || !look_at_autosave(real, &old, &there))
        return false;
    if (there && !is_own(autosave, real, &old)) {
        *named = arena_format(arena, "%s~", real);
        if (!keep_before(real, &old, *named))
            return false;
    } else {
        *named = NULL;
    }
    if (put_autosave(arena, real, bytes, len, there ? &old : NULL, &written)) {
        remember(autosave, real, &written);
        return true;
    }
    *named = path;
    return false;
}

/* ---- locks ---- */

/* The locks of all files are bytes of one file, so that nothing is left behind and a file can be
 * locked before it is there. The byte is chosen by the path: FNV-1a. */
static off_t place_of_lock(const char *real)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *real != '\0'; real++)
        hash = (hash ^ (unsigned char)*real) * UINT64_C(1099511628211);
    return (off_t)(hash >> 2);
}

/* Asks for the lock of a file, by a command of fcntl(). False: there is nothing to ask. */
static bool ask_lock(struct autosave *autosave, const char *path, int command, struct flock *lock)
{
    struct arena arena = {NULL, NULL, NULL};
    const char *real = autosave_real(&arena, path), *all = autosave_place(&arena, "play.lock");
    bool asked = false;

    if (autosave->lock <= 0 && all != NULL)
        autosave->lock = open(all, O_RDWR | O_CREAT | O_CLOEXEC, MODE_OF_NEW);
    if (real != NULL && autosave->lock > 0) {
        *lock = (struct flock){
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place_of_lock(real), .l_len = 1};
        asked = fcntl(autosave->lock, command, lock) == 0;
    }
    int error = errno;

    arena_free(&arena);
    errno = error;
    return asked;
}

bool autosave_claim(struct autosave *autosave, const char *path)
{
    struct flock lock;

    errno = 0;
    if (ask_lock(autosave, path, F_OFD_SETLK, &lock))
        return true;
    if (errno == EACCES && autosave->lock > 0)
        errno = EWOULDBLOCK;
    return errno != EWOULDBLOCK;
}

bool autosave_is_claimed(struct autosave *autosave, const char *path)
{
    struct flock lock;

    return ask_lock(autosave, path, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

void autosave_close(struct autosave *autosave)
{
    if (autosave->lock > 0)
        close(autosave->lock);
    arena_free(&autosave->arena);
    *autosave = (struct autosave){.files = NULL};
}

/* ---- the user's state directory ---- */

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

const char *autosave_usual(struct autosave *autosave)
{
    const char *path = autosave_place(&autosave->arena, "play.json");

    return path != NULL && autosave_claim(autosave, path) ? path : NULL;
}
