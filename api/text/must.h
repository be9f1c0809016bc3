/*
 * must.h - memory that cannot be refused, for what outlives a request.
 *
 * When memory is out, these functions end the process instead of failing. A daemon that keeps no
 * state of its own is safer restarted than working on without the memory that it needs; and no
 * caller has a branch for a failure that nobody can test. What they return is freed with free().
 * Any thread may use them.
 */
#ifndef PLYD_API_TEXT_MUST_H
#define PLYD_API_TEXT_MUST_H

#include <stddef.h>

/* malloc(), realloc() and strdup(). */
void *must_alloc(size_t size);
void *must_realloc(void *old, size_t size);
char *must_copy(const char *text);

#endif
