/*
 * load.h - many clients at once from one thread, with every answer checked.
 *
 * Each connection plays games of its own, one request at a time, with legal moves that the rules
 * choose. A move counts only when its 201 came and shows the position that it must lead to. All
 * games are made first, then all connections begin at once. Making them asks for more at once than
 * a daemon takes: what it refuses as overloaded is sent again until all have begun.
 */
#ifndef PLYD_TESTS_SUPPORT_LOAD_H
#define PLYD_TESTS_SUPPORT_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LOAD_WATCHED = 2 };

enum load_kind {
    LOAD_MOVES,   /* random games, one after the other */
    LOAD_SHUFFLE, /* shogi games in which rooks go to and fro, so that a game can be of any length
                   */
    LOAD_READS,   /* reads of one game a connection */
    LOAD_PATH     /* GETs of one address */
};

struct load_plan {
    int port;
    enum load_kind kind;
    unsigned connections;
    double warm_up, seconds;
    bool keyed;          /* moves carry an Idempotency-Key */
    const char *variant; /* of LOAD_MOVES and LOAD_READS */
    unsigned prelude;    /* plies that games of LOAD_SHUFFLE have before it begins */
    const char *path;    /* of LOAD_PATH */
    const char *expect;  /* what every answer to LOAD_PATH must hold */
    uint64_t seed;
    pid_t watched[LOAD_WATCHED]; /* processes whose cost is measured, with their children; or 0 */
};

struct load_result {
    uint64_t done, wrong;
    double seconds;
    double per_second;
    double mean_us, p50_us, p99_us;
    double cpu_us[LOAD_WATCHED]; /* processor time of the watched processes, each time */
    double client_cpu;           /* seconds of this thread, warm-up included */
};

void load_run(const struct load_plan *plan, struct load_result *result);

#endif
