/*
 * key_source.h - where the key set of an identity provider is read: at a URL, by libcurl, or in a
 * file.
 *
 * Reading takes seconds where the provider does not answer, so it is for a thread that may wait:
 * SOURCE_PATIENCE_MS at most, and no longer than `stop` allows. Redirects are not followed, the
 * status must be 200, and more than KEY_SET_BYTES_MAX is not read.
 */
#ifndef PLYD_API_IDENTITY_KEY_SOURCE_H
#define PLYD_API_IDENTITY_KEY_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SOURCE_PATIENCE_MS = 10000, SOURCE_CONNECT_MS = 5000 };

/* Whether a source is a URL, and not the path of a file. */
bool key_source_is_url(const char *source);

/* What is wrong with a source before it is read, in a sentence; NULL: nothing is. Called before
 * there are threads. */
const char *key_source_fault(const char *source);

/* Reads it. The text is the caller's, with a NUL behind it. NULL: *why, of SOURCE_WHY bytes, says
 * why. It gives up once *stop is true. */
enum { SOURCE_WHY = 256 };
char *key_source_read(const char *source, const atomic_bool *stop, size_t *len,
                      char why[SOURCE_WHY]);

#endif
