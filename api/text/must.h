/*
 * must.h - malloc() that aborts when memory is out, for what outlives a request.
 *
 * When memory is out, these functions end the process instead of failing. A daemon that keeps no
 * state of its own is better restarted than run on without the memory that it needs, and no caller
 * has a branch for a failure that is hardly ever tested. Any thread may call them. What they
 * return is the caller's, to be freed with free().
 */
#ifndef PLYD_API_TEXT_MUST_H
#define PLYD_API_TEXT_MUST_H

#include <stddef.h>

/* As malloc(), realloc() and strdup(). must_zero() is malloc() with cleared memory. */
void *must_alloc(size_t size);
void *must_zero(size_t size);
void *must_realloc(void *old, size_t size);
char *must_copy(const char *text);

#endif
