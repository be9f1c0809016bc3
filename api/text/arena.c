#include "api/text/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/must.h"

enum {
    CHUNK = 24 << 10, /* a move and its answer need about 20 KiB */
    CHUNK_MAX = 1 << 20,
    ALIGN = 16
};

/* Chunks are linked from the newest to the oldest. Pieces are taken from the newest alone; what is
 * left at the end of an older one is not used any more. */
struct arena_chunk {
    struct arena_chunk *next;
    size_t capacity;
    _Alignas(ALIGN) char bytes[];
};

void arena_free(struct arena *arena)
{
    while (arena->chunks != NULL) {
        struct arena_chunk *next = arena->chunks->next;

        free(arena->chunks);
        arena->chunks = next;
    }
    arena->at = arena->end = NULL;
}

void arena_reset(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunks;

    /* The oldest chunk stays. A request begins with small pieces, so it has the usual size; what
     * one big request needed beyond it goes back to malloc(). */
    while (chunk != NULL && chunk->next != NULL) {
        struct arena_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    arena->chunks = chunk;
    if (chunk != NULL) {
        arena->at = chunk->bytes;
        arena->end = chunk->bytes + chunk->capacity;
    }
}

size_t arena_held(const struct arena *arena)
{
    size_t held = 0;

    for (const struct arena_chunk *chunk = arena->chunks; chunk != NULL; chunk = chunk->next)
        held += sizeof(*chunk) + chunk->capacity;
    return held;
}

/* Each chunk is twice as large as the one before it. A large request is a few chunks then, which
 * the system gets back when they are freed, and not a thousand between those of other requests. */
static void add_chunk(struct arena *arena, size_t size)
{
    size_t usual = arena->chunks == NULL ? CHUNK : 2 * arena->chunks->capacity;
    size_t most = usual < CHUNK_MAX ? usual : CHUNK_MAX;
    size_t capacity = size > most ? size : most;
    struct arena_chunk *chunk = must_alloc(sizeof(*chunk) + capacity);

    chunk->next = arena->chunks;
    chunk->capacity = capacity;
    arena->chunks = chunk;
    arena->at = chunk->bytes;
    arena->end = chunk->bytes + capacity;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    void *memory;

    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (arena->chunks == NULL || (size_t)(arena->end - arena->at) < size)
        add_chunk(arena, size);
    memory = arena->at;
    arena->at += size;
    return memory;
}

void *arena_zero(struct arena *arena, size_t size)
{
    return memset(arena_alloc(arena, size), 0, size);
}

void *arena_grow(struct arena *arena, void *list, size_t count, size_t *capacity, size_t size)
{
    void *grown;

    if (count < *capacity)
        return list;
    *capacity = *capacity == 0 ? 16 : 2 * *capacity;
    grown = arena_alloc(arena, *capacity * size);
    if (count > 0)
        memcpy(grown, list, count * size);
    return grown;
}

char *arena_copy(struct arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1);

    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    char *text;
    int len;

    va_start(args, format);
    va_copy(again, args); /* measured first, then written: a list of arguments is read once */
    len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}
