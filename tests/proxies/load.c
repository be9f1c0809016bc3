/* load.c PORT CONNECTIONS FILE - plays games through a proxy until the file is there. Prints how
 * many moves were played. The exit code is 1 if one answer was wrong, or a connection was cut. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/load.h"

int main(int argc, char **argv)
{
    struct load_plan plan = {.kind = LOAD_MOVES, .keyed = true, .variant = "jungle", .seconds = 5};
    struct load_result result = {.wrong = 0};
    unsigned long long moves = 0;

    if (argc != 4)
        return 2;
    plan.port = atoi(argv[1]);
    plan.connections = (unsigned)atoi(argv[2]);
    do {
        load_run(&plan, &result);
        moves += result.done;
        plan.seed++;
    } while (result.wrong == 0 && access(argv[3], F_OK) != 0);
    printf("%llu moves\n", moves);
    return result.wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
