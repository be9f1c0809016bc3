/*
 * archive.h - ZIP archives in memory: their entries one after the other, and what these hold.
 *
 * Entries are found by the archive's directory, which stands at its end. They are stored or
 * deflated; everything else (encrypted, ZIP64, other methods) is refused entry by entry. Nothing in
 * the archive is believed: every place is checked to lie inside of it, and an entry unfolds to no
 * more than the caller allows, whatever it claims. Pure; what is unfolded is memory of its own.
 */
#ifndef PLYD_API_RECORD_ARCHIVE_H
#define PLYD_API_RECORD_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive {
    const uint8_t *bytes;
    size_t len;
    size_t begin, end; /* of the directory */
};

struct archive_entry {
    const char *name; /* in an encoding that nobody knows, without NUL */
    size_t name_len;
    size_t next; /* where the directory goes on */

    /* Private to archive.c. */
    uint16_t method, flags;
    uint32_t size, offset;
};

/* Whether bytes begin as an archive does. */
bool archive_is(const void *bytes, size_t len);

/* Finds the directory. False: it is no archive, or a part of a larger one, or broken. */
bool archive_open(struct archive *archive, const void *bytes, size_t len);

/* The entry at a place of the directory: archive->begin, or `next` of the entry before. False: the
 * directory is over, or broken there. */
bool archive_entry(const struct archive *archive, size_t at, struct archive_entry *entry);

/* Whether it is a folder, or something that systems put beside the files. */
bool archive_is_chaff(const struct archive_entry *entry);

/* What an entry holds, with a NUL behind it; free() it. NULL and *why, a sentence: it cannot be
 * unfolded, or to more than `most` bytes. */
char *archive_unfold(const struct archive *archive, const struct archive_entry *entry, size_t most,
                     size_t *len, const char **why);

#endif
