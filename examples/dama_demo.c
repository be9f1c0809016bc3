/* dama_demo.c - prints the sample games: `dama 1`, `dama 2`, or both. */
#include <stdio.h>
#include <string.h>

#include "examples/dama.h"

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "12";

    if (argc > 2 || strspn(which, "12") != strlen(which)) {
        fprintf(stderr, "usage: dama [1|2]\n");
        return 2;
    }
    if (strchr(which, '1') != NULL)
        sample_game_1();
    if (strchr(which, '2') != NULL)
        sample_game_2();
    return 0;
}
