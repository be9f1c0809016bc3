/*
 * flags.h - the command line of `plyd play`, and the flags that exclude each other.
 */
#ifndef PLYD_API_TERMINAL_FLAGS_H
#define PLYD_API_TERMINAL_FLAGS_H

#include <stdbool.h>

#include "api/terminal/visit.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, SEED_NONE = -1 };
enum { SEAT_1, SEAT_2, SEAT_BOTH, SEAT_NONE, SEAT_OPEN /* not given */, STYLE_OPEN = 4 };

/* The flags as they were given. Options are parsed later, when the game is known. */
struct flags {
    const char *name;        /* of the game, or NULL */
    unsigned seat, style;    /* SEAT_*; enum rules_style or STYLE_OPEN */
    const struct lang *lang; /* NULL: that of the locale */
    long long level, seed;   /* 0, SEED_NONE: not given */
    const char *option[RULES_OPTIONS_MAX];
    size_t noptions;
    const char *position, *file;
    struct visit visit;
    bool resume, help, lines;
};

/* Reads the command line. Returns EXIT_OK, or EXIT_USAGE after printing what is wrong. */
int flags_read(struct flags *flags, int argc, char **argv);

/* Prints that a value is wrong, and returns EXIT_USAGE. */
int flags_refuse(const char *what, const char *value);

/* Prints what `plyd play --help` shows. */
void flags_help(void);

#endif
