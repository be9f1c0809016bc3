/*
 * seen.h - JSON as a client sees it: read by cJSON and not by what wrote it, and looked at by paths
 * such as "seats.0.name". A path is a format with its arguments.
 */
#ifndef PLYD_TESTS_UNIT_SEEN_H
#define PLYD_TESTS_UNIT_SEEN_H

#include <stdbool.h>
#include <stddef.h>

struct seen;

#define SEEN_PATH __attribute__((format(printf, 2, 3)))

/* A text that must be JSON and nothing else. */
struct seen *seen_read(const char *json);
void seen_free(struct seen *seen);

/* Whether there is something at a path, and whether it is null. */
bool seen_has(const struct seen *seen, const char *path, ...) SEEN_PATH;
bool seen_is_null(const struct seen *seen, const char *path, ...) SEEN_PATH;

/* A text, a number, a truth value that must be there. */
const char *seen_text(const struct seen *seen, const char *path, ...) SEEN_PATH;
long long seen_number(const struct seen *seen, const char *path, ...) SEEN_PATH;
bool seen_bool(const struct seen *seen, const char *path, ...) SEEN_PATH;

/* How many elements or members something has. */
size_t seen_count(const struct seen *seen, const char *path, ...) SEEN_PATH;

/* A list of texts, or the names of an object's members, parted by blanks. Static, overwritten. */
const char *seen_list(const struct seen *seen, const char *path, ...) SEEN_PATH;

/* Whether what is at a path is this JSON, whatever the order of members. */
bool seen_is(const struct seen *seen, const char *json, const char *path, ...)
    __attribute__((format(printf, 3, 4)));

#endif
