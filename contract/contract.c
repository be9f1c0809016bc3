/* contract.c - trying promises (contract.h). */
#include "contract/promise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const struct contract_promise *const contract_promises[] = {
    contract_catalogue, contract_moves, contract_positions, contract_show, contract_draw, NULL};

/* Where the promise that is tried ends, and what is to be said then. */
static jmp_buf ended;
static char *told;

_Noreturn void contract_break(const char *condition, const char *format, ...)
{
    static char where[CONTRACT_TEXT / 2];
    va_list list;

    va_start(list, format);
    vsnprintf(where, sizeof(where), format, list);
    va_end(list);
    if (told == NULL) {
        fprintf(stderr, "%s: it should be so that %s\n", where, condition);
        abort();
    }
    snprintf(told, CONTRACT_TEXT, "%s: it should be so that %s", where, condition);
    longjmp(ended, 1);
}

bool contract_keeps(const struct rules_game *game, const struct contract_promise *promise,
                    char how[CONTRACT_TEXT])
{
    bool kept = false;

    told = how;
    if (setjmp(ended) == 0) {
        promise->look(game);
        how[0] = '\0';
    }
    kept = how[0] == '\0';
    told = NULL;
    return kept;
}
