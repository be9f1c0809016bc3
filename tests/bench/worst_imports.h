/*
 * worst_imports.h - for bench-worst: a client that imports one file after the other, each as a new
 * player, so that none of them waits for a quota; and another player's import beside it.
 */
#ifndef PLYD_TESTS_BENCH_WORST_IMPORTS_H
#define PLYD_TESTS_BENCH_WORST_IMPORTS_H

enum worst_file {
    WORST_FILE_NONE,
    WORST_FILE_LONG, /* as many games as a file may have, of as many plies as its bytes allow */
    WORST_FILE_VAIN  /* an archive that names a file that is too long 20,000 times */
};

/* Starts the client, and returns when its first job is at work. */
void worst_imports_begin(int port, enum worst_file file);

/* Ends it, and its job. */
void worst_imports_end(void);

/* Seconds until another player's file of 80 games of one move is imported. */
double worst_imports_other(int port);

#endif
