/*
 * shuffle.h - games of shogi of any length, in which rooks go to and fro. Their options are
 * {"repetition":1000000}.
 */
#ifndef PLYD_TESTS_SHUFFLE_H
#define PLYD_TESTS_SHUFFLE_H

#include <stddef.h>

/* The move of this ply, which counts from 0. */
const char *shuffle_move(int ply);

/* A record in our own format of so many plies, with a comment of so many bytes on each. The caller
 * frees it. */
char *shuffle_record(int plies, size_t comment);

#endif
