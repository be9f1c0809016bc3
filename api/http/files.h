/*
 * files.h - the files that the program serves as they are.
 *
 * Those with lasting addresses, such as the modules that others may load ("/plyd.js"), the contract
 * and the guides, and those that only pages load ("play.js"). Modules are joined and have no
 * comments; `make` has compressed each of them.
 *
 * Pages load their files below the build, which is a hash of all files. A file below its build
 * never changes, so browsers keep it for good, and never mix files of two builds.
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
