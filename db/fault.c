/* fault.c - dying at a chosen point, in builds for tests. */
#include "internal.h"

#ifdef PLYD_FAULTS

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void db_fault(const char *kind, const char *point)
{
    static atomic_int passed;
    const char *chosen = getenv("PLYD_FAULT");
    char here[64];

    size_t length = (size_t)snprintf(here, sizeof(here), "%s:%s", kind, point);
    if (chosen == NULL || strncmp(chosen, here, length) != 0)
        return;
    int wanted = chosen[length] == ':' ? atoi(chosen + length + 1) : 1;
    if (atomic_fetch_add(&passed, 1) + 1 == wanted)
        raise(SIGKILL);
}

#endif
