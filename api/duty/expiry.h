/*
 * expiry.h - deletes stored answers that are older than --answers-days.
 *
 * One loop of each daemon deletes them in small steps of one short statement, with rests between.
 * Any number of daemons may do so at once; none waits for another (db_forget_answers()). Marks in
 * the log stay. A struct expiry belongs to its loop and that one's thread.
 */
#ifndef PLYD_API_DUTY_EXPIRY_H
#define PLYD_API_DUTY_EXPIRY_H

struct expiry;
#include <stdbool.h>

struct loop;

/* False if memory is out. */
bool expiry_open(struct loop *loop);

/* Frees it, after the loop's db was closed. */
void expiry_close(struct loop *loop);

/* Called in each pass of the loop: begins the next step when its time has come. */
void expiry_run(struct loop *loop);

/* Milliseconds until expiry_run() has something to do; -1: a step is under way. */
int expiry_timeout_ms(const struct loop *loop);

#endif
