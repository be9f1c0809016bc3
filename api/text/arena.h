/*
 * arena.h - memory that lives as long as one request.
 *
 * Everything a request needs is taken from its arena and given back with it in one go, so that
 * handlers free nothing. Memory that cannot be had ends the process: a daemon that keeps no state
 * of its own is safer restarted than guessing its way on.
 */
#ifndef PLYD_API_TEXT_ARENA_H
#define PLYD_API_TEXT_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunks;
    char *at, *end;
};

/* An empty arena is all zero. arena_free() makes it so again; arena_reset() only takes everything
 * back and keeps the first piece of memory for the next request. */
void arena_free(struct arena *arena);
void arena_reset(struct arena *arena);

/* Aligned for any type, not cleared. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zero(struct arena *arena, size_t size);
char *arena_copy(struct arena *arena, const char *text, size_t len); /* NUL-terminated */

/* A formatted text. */
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
