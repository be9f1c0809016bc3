#include "api/text/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* abort(), not exit(): a core shows who asked, and nothing more runs without memory. */
static void out_of_memory(void)
{
    static const char message[] = "plyd: out of memory\n";

    fwrite(message, 1, sizeof(message) - 1, stderr);
    abort();
}

void *must_alloc(size_t size)
{
    void *memory = malloc(size);

    if (memory == NULL && size > 0)
        out_of_memory();
    return memory;
}

void *must_zero(size_t size)
{
    void *memory = calloc(1, size);

    if (memory == NULL && size > 0)
        out_of_memory();
    return memory;
}

void *must_realloc(void *old, size_t size)
{
    void *memory = realloc(old, size);

    if (memory == NULL && size > 0)
        out_of_memory();
    return memory;
}

char *must_copy(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(must_alloc(size), text, size);
}
