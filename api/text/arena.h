/*
 * arena.h - memory that lives as long as one request.
 *
 * Everything that a request needs is taken from its arena, piece by piece, and given back in one
 * go when the request is over. So handlers free nothing, and nothing from an arena may be kept
 * longer than that (must.h is for what lives longer). Memory that cannot be had ends the process.
 * An arena belongs to one thread at a time.
 */
#ifndef PLYD_API_TEXT_ARENA_H
#define PLYD_API_TEXT_ARENA_H

#include <stddef.h>

/* All zero is an empty arena. The members are private to arena.c. */
struct arena {
    struct arena_chunk *chunks;
    char *at, *end;
};

/* Gives all memory back. The arena is empty again and may be used anew. */
void arena_free(struct arena *arena);

/* Takes back everything that was handed out, but keeps one chunk for the next request. */
void arena_reset(struct arena *arena);

/* Bytes of memory that it has. */
size_t arena_held(const struct arena *arena);

/* Memory that is aligned for any type; arena_zero() also clears it. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zero(struct arena *arena, size_t size);

/* A list of `count` elements of `size` bytes with room for one more. There is room for *capacity of
 * them now; if that is full, the list is copied to one that is twice as large. */
void *arena_grow(struct arena *arena, void *list, size_t count, size_t *capacity, size_t size);

/* A copy of `len` bytes, with a NUL behind them. */
char *arena_copy(struct arena *arena, const char *text, size_t len);

/* A text as printf() would print it. */
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
