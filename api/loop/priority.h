/*
 * priority.h - threads that give way.
 *
 * Loops and PostgreSQL, for whom clients wait that ask for little, come first where processors are
 * scarce. On Linux a thread has a priority of its own. Since 6.12 it has a slice of its own, too:
 * for so long it need not give way even to those who come first, 3 ms if nothing is said.
 */
#ifndef PLYD_LOOP_PRIORITY_H
#define PLYD_LOOP_PRIORITY_H

/* Gives this thread so much less priority than the others have (as nice(1) counts it), and lets it
 * give way at any moment. Where the system does not permit that, nothing changes. */
void priority_give_way(int nice);

#endif
