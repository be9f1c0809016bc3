/*
 * ready.h - databases that have the program's schema and nothing in it, as `plyd migrate` leaves
 * them.
 *
 * To make one takes longer than most tests do, so tests borrow them: there are as many as tests run
 * at once. A test may do there whatever it likes, and may end without giving it back, by whatever
 * end. The next one finds it empty, and made anew if its tables are others than they were.
 */
#ifndef PLYD_TESTS_SUPPORT_READY_H
#define PLYD_TESTS_SUPPORT_READY_H

/* Returns a connection string. No other test gets that database until it is returned, or until this
 * process ends. */
char *ready_borrow(void);

/* Frees the string. */
void ready_return(char *url);

#endif
