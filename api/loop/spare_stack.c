/* spare_stack.c - a stack for what a thread says when its own is full (spare_stack.h). */
#include "api/loop/spare_stack.h"

#include <signal.h>
#include <stdlib.h>

enum { SPARE_STACK = 64 << 10 }; /* room for walking up the other stack, with wide registers */

void spare_stack_take(void)
{
    stack_t there, spare = {.ss_size = SPARE_STACK};

    if (sigaltstack(NULL, &there) != 0 || !(there.ss_flags & SS_DISABLE))
        return;
    spare.ss_sp = malloc(SPARE_STACK);
    if (spare.ss_sp != NULL)
        sigaltstack(&spare, NULL);
}
