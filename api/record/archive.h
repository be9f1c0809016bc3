/*
 * archive.h - ZIP archives in memory: iterates over the entries and unpacks them.
 *
 * Entries are found by the central directory at the end of the archive. Entries that are stored or
 * deflated can be unpacked; all others (encrypted, ZIP64, other methods) are refused one by one.
 * Nothing in the archive is trusted: every offset is checked to lie inside the archive, and an
 * entry never unpacks to more bytes than the caller allows, whatever size it claims. Pure
 * functions; an unpacked entry is memory of its own.
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
    const char *name; /* in an unknown encoding, without a final NUL */
    size_t name_len;
    size_t next; /* offset of the next directory entry */

    /* Private to archive.c. */
    uint16_t method, flags;
    uint32_t size, offset;
};

/* Whether bytes begin as an archive does. */
bool archive_is(const void *bytes, size_t len);

/* Finds the directory. False: this is not an archive, it is one part of a split archive, or it is
 * broken. */
bool archive_open(struct archive *archive, const void *bytes, size_t len);

/* The entry at offset `at` of the directory: archive->begin, or `next` of the previous entry.
 * False: the directory ends or is broken there. */
bool archive_entry(const struct archive *archive, size_t at, struct archive_entry *entry);

/* Whether the entry is a folder, or a file that operating systems add on their own. */
bool archive_is_chaff(const struct archive_entry *entry);

/* The unpacked content of an entry, followed by a NUL; free() it. NULL and *why, a sentence: the
 * entry cannot be unpacked, or would have more than `most` bytes. *len says in any case how many
 * bytes were unpacked. */
char *archive_unfold(const struct archive *archive, const struct archive_entry *entry, size_t most,
                     size_t *len, const char **why);

#endif
