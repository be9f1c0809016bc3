/*
 * priority.h - priorities of threads: workers give way to loops.
 *
 * Short requests wait for loops and PostgreSQL, so those get the processor before workers do. On
 * Linux a thread has a priority of its own. Since 6.12 it also says how long it would like to run
 * in one go: those that ask for less interrupt it at once, whereas without a word it may finish
 * some milliseconds first. So those that give way ask for the longest time.
 */
#ifndef PLYD_LOOP_PRIORITY_H
#define PLYD_LOOP_PRIORITY_H

/* Gives this thread so much less priority than the others have (as nice(1) counts it), and lets it
 * give way at any moment. Where the system does not permit that, nothing changes. */
void priority_give_way(int nice);

#endif
