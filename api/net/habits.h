/*
 * habits.h - what libmicrohttpd has to do for net/, beyond what its manual promises.
 *
 * Each of these is a habit of releases that were looked at (0.9.75 of Debian 12, 1.0.1 of Debian
 * 13). Another release may have others. So each has a probe, which has mhd.c serve a socket of its
 * own for a moment. All of them together take a few milliseconds. plyd asks them when it starts,
 * and does not start if one fails, for a habit that is missing would show as requests that are lost
 * or wait for ever.
 */
#ifndef PLYD_API_NET_HABITS_H
#define PLYD_API_NET_HABITS_H

#include <stdbool.h>
#include <stddef.h>

struct habit {
    const char *name;
    const char *what; /* libmicrohttpd ...: a sentence without its subject */
};

/* Habit i; NULL past the last. */
const struct habit *habits_at(size_t i);

/* Whether libmicrohttpd has habit i. */
bool habits_has(size_t i);

/* The first habit that it does not have; NULL: it has them all. */
const struct habit *habits_missing(void);

/* The version of libmicrohttpd. */
const char *habits_version(void);

#endif
