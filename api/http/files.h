/*
 * files.h - the files that are part of the program and are served as they are: the modules that
 * pages load, their style and icon, the contract, the guide. `make` has compressed each of them.
 *
 * What pages load has a second address, below the build, which is a hash of all files. A file below
 * its build never changes, so browsers keep it for good, and never mix files of two builds.
 */
#ifndef PLYD_API_HTTP_FILES_H
#define PLYD_API_HTTP_FILES_H

#include <stddef.h>

struct file {
    const char *name, *type;
    const char *text;
    size_t len;
    const char *gzip; /* the same compressed */
    size_t gzip_len;
};

/* The file of this name, or NULL. */
const struct file *files_find(const char *name);

/* The hash of all files, as hexadecimal digits. */
const char *files_build(void);

#endif
