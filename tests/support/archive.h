/*
 * archive.h - ZIP archives for tests, made in memory.
 */
#ifndef PLYD_TESTS_SUPPORT_ARCHIVE_H
#define PLYD_TESTS_SUPPORT_ARCHIVE_H

#include <stddef.h>

enum archive_method { ARCHIVE_STORED = 0, ARCHIVE_DEFLATED = 8 };

/* All zero is an archive without entries. The bytes are freed with the process. */
struct archive_file {
    char *bytes;
    size_t len;
    char *directory;                     /* what archive_end() puts at the end */
    size_t directory_len, entries, last; /* where the last entry begins in it */
};

void archive_add(struct archive_file *archive, const char *name, const char *bytes, size_t len,
                 enum archive_method method);
void archive_add_text(struct archive_file *archive, const char *name, const char *text,
                      enum archive_method method);

/* Adds an entry that unfolds to so many zeros. */
void archive_add_zeros(struct archive_file *archive, const char *name, size_t count);

/* Adds another entry to the directory for the file that was added last. */
void archive_add_again(struct archive_file *archive);

/* Completes it. */
void archive_end(struct archive_file *archive);

#endif
