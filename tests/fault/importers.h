/*
 * importers.h - players who import one file after the other while things break, and wait for each
 * job to end. As players.h: each repeats every request until it is answered.
 */
#ifndef PLYD_TESTS_FAULT_IMPORTERS_H
#define PLYD_TESTS_FAULT_IMPORTERS_H

#include <stdint.h>

#include "stubborn.h"

enum { IMPORTER_JOBS_MAX = 200, IMPORTER_GAMES = 60 /* of a file */ };

struct importer {
    struct importers *all;
    int number;
    char player[96];
    char job[IMPORTER_JOBS_MAX][32];
    int jobs;
    char *answer;
};

struct importers {
    struct stubborn net;
    _Atomic uint64_t jobs; /* that have ended */
    int count;
    struct importer *importer;
    void *threads;
};

void importers_start(struct importers *importers, int count, int port);

/* Waits until so many more jobs have ended. Fails the test if they do not. */
void importers_progress(struct importers *importers, uint64_t jobs);

/* Stops all importers, once their jobs have ended. */
void importers_stop(struct importers *importers);

/* Asserts that every game of every file is an item of its job, and is there. Frees the importers.
 * Returns how many games they have made. */
int importers_judge(struct importers *importers);

#endif
