/*
 * stubborn.h - a client that never gives up: it sends the very same request again and again until
 * it is answered, whatever breaks meanwhile.
 */
#ifndef PLYD_TESTS_FAULT_STUBBORN_H
#define PLYD_TESTS_FAULT_STUBBORN_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { STUBBORN_ANSWER_MAX = 64 << 10 };

/* What several clients share, each of which may have a thread of its own. */
struct stubborn {
    _Atomic int port;      /* of the daemon that runs now */
    _Atomic int other;     /* of a second one, which gets every other attempt; 0: there is none */
    _Atomic long pause_ms; /* of a client after each answer */
    atomic_bool stop;
    atomic_bool held;  /* who shows a token and repeats by a key begins nothing (stubborn_hold()) */
    _Atomic int keyed; /* such requests under way */
    _Atomic uint64_t attempts;
    _Atomic uint64_t repeated;   /* requests that were sent again */
    _Atomic uint64_t refused;    /* answers of 503 */
    _Atomic uint64_t unanswered; /* the connection broke, or nothing came in ten seconds */
};

/* Connects to a port of 127.0.0.1. What is received there may take ten seconds. Negative: nobody
 * listens. */
int stubborn_connect(int port);

/* Sends a request once. Returns the status; 0: the connection broke before the whole answer was
 * there. `answer` has room for STUBBORN_ANSWER_MAX bytes. */
int stubborn_once(int port, const char *request, char *answer);

/* Sends it until the answer is not 503. 0: `stop` was set long ago, and there still is none. */
int stubborn_send(struct stubborn *stubborn, const char *request, char *answer);

/* Waits until nothing is under way that a token's holder repeats by a key, and has them wait with
 * what is next, until stubborn_go_on(). All others go on. */
void stubborn_hold(struct stubborn *stubborn);
void stubborn_go_on(struct stubborn *stubborn);

/* Copies the text behind the first `key` ("\"id\":\"") up to a quote. Fails the test if there is
 * none. */
void stubborn_member(const char *answer, const char *key, char *value, size_t size);

void stubborn_pause_ms(long ms);

#endif
