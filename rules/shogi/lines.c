/*
 * lines.c - the tables of lines.h, computed by the compiler.
 *
 * The tables are constants, so that nothing has to be set up before the first move and rules/ has
 * no variable. A line crosses each file in one rank at most, and a broad line in a run of ranks:
 * RUN() is that run in one file, and BAND_LO() and BAND_HI() put the runs of all files together,
 * one for each word of a set.
 */
#include "rules/shogi/lines.h"

/* The ranks from `rank - n` to `rank + n` as far as they are on the board; rank >= -8. */
#define RUN(rank, n) ((((2ULL << 2 * (n)) - 1) << ((rank) + 8) >> (8 + (n))) & 0x1ff)

#define FILE_RUN(x, f, r, slope, n) \
    (RUN((r) + (slope) * ((x) - (f)), n) << (x) % SHOGI_LOW_FILES * SHOGI_FILE_BITS)

/* The line through a square that sinks by `slope` ranks a file, and n ranks more on either side. */
#define BAND_LO(f, r, slope, n)                                                                \
    (FILE_RUN(0, f, r, slope, n) | FILE_RUN(1, f, r, slope, n) | FILE_RUN(2, f, r, slope, n) | \
     FILE_RUN(3, f, r, slope, n) | FILE_RUN(4, f, r, slope, n))
#define BAND_HI(f, r, slope, n)                                                                \
    (FILE_RUN(5, f, r, slope, n) | FILE_RUN(6, f, r, slope, n) | FILE_RUN(7, f, r, slope, n) | \
     FILE_RUN(8, f, r, slope, n))

/* All squares of the files from `file - n` to `file + n`. */
#define WHOLE(x, f, n) \
    ((x) - (f) <= (n) && (f) - (x) <= (n) ? 0x1ffULL << (x) % SHOGI_LOW_FILES * SHOGI_FILE_BITS : 0)
#define FILES_LO(f, n) \
    (WHOLE(0, f, n) | WHOLE(1, f, n) | WHOLE(2, f, n) | WHOLE(3, f, n) | WHOLE(4, f, n))
#define FILES_HI(f, n) (WHOLE(5, f, n) | WHOLE(6, f, n) | WHOLE(7, f, n) | WHOLE(8, f, n))

/* The square itself. */
#define SELF_LO(f, r) (FILES_LO(f, 0) & BAND_LO(f, r, 0, 0))
#define SELF_HI(f, r) (FILES_HI(f, 0) & BAND_HI(f, r, 0, 0))

#define SET(first, second)    \
    {                         \
        {                     \
            (first), (second) \
        }                     \
    }

#define LINE(f, r, slope) \
    SET(BAND_LO(f, r, slope, 0) & ~SELF_LO(f, r), BAND_HI(f, r, slope, 0) & ~SELF_HI(f, r))

#define LINES(f, r)                                                                            \
    {                                                                                          \
        .on = {                                                                                \
            [ON_FILE] = SET(FILES_LO(f, 0) & ~SELF_LO(f, r), FILES_HI(f, 0) & ~SELF_HI(f, r)), \
            [ON_RANK] = LINE(f, r, 0),                                                         \
            [ON_FALLING] = LINE(f, r, 1),                                                      \
            [ON_RISING] = LINE(f, r, -1)                                                       \
        }                                                                                      \
    }

/* A king steps one square. Any man that attacks it there stands within two files and three ranks,
 * since a knight jumps two ranks. */
#define REACH(f, r)                                                                              \
    {                                                                                            \
        .steps = SET(FILES_LO(f, 1) & BAND_LO(f, r, 0, 1) & ~SELF_LO(f, r),                      \
                     FILES_HI(f, 1) & BAND_HI(f, r, 0, 1) & ~SELF_HI(f, r)),                     \
        .near = SET(FILES_LO(f, 2) & BAND_LO(f, r, 0, 3), FILES_HI(f, 2) & BAND_HI(f, r, 0, 3)), \
        .straight =                                                                              \
            SET(FILES_LO(f, 1) | BAND_LO(f, r, 0, 1), FILES_HI(f, 1) | BAND_HI(f, r, 0, 1)),     \
        .diagonal = SET(BAND_LO(f, r, 1, 2) | BAND_LO(f, r, -1, 2),                              \
                        BAND_HI(f, r, 1, 2) | BAND_HI(f, r, -1, 2))                              \
    }

#define SQUARE(f, r)                                   \
    ((f) < SHOGI_LOW_FILES ? (f)*SHOGI_FILE_BITS + (r) \
                           : 64 + ((f)-SHOGI_LOW_FILES) * SHOGI_FILE_BITS + (r))

#define FILE_OF(entry, f)                                                                     \
    [SQUARE(f, 0)] = entry(f, 0), [SQUARE(f, 1)] = entry(f, 1), [SQUARE(f, 2)] = entry(f, 2), \
               [SQUARE(f, 3)] = entry(f, 3), [SQUARE(f, 4)] = entry(f, 4),                    \
               [SQUARE(f, 5)] = entry(f, 5), [SQUARE(f, 6)] = entry(f, 6),                    \
               [SQUARE(f, 7)] = entry(f, 7), [SQUARE(f, 8)] = entry(f, 8)
#define EVERY_SQUARE(entry)                                                                        \
    FILE_OF(entry, 0), FILE_OF(entry, 1), FILE_OF(entry, 2), FILE_OF(entry, 3), FILE_OF(entry, 4), \
        FILE_OF(entry, 5), FILE_OF(entry, 6), FILE_OF(entry, 7), FILE_OF(entry, 8)

const struct shogi_lines shogi_lines[SHOGI_SQUARES] = {EVERY_SQUARE(LINES)};
const struct shogi_reach shogi_reach[SHOGI_SQUARES] = {EVERY_SQUARE(REACH)};
