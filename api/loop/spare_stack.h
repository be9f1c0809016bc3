/*
 * spare_stack.h - a stack for what a thread says when its own is full.
 *
 * A handler of a signal runs on the stack of the thread that gets it. Where rules of a game call
 * themselves without an end there is none left of that, and the process would end without a word.
 */
#ifndef PLYD_LOOP_SPARE_STACK_H
#define PLYD_LOOP_SPARE_STACK_H

/* Gives this thread a second stack, for handlers with SA_ONSTACK, as long as the process lives. One
 * of somebody else's (a sanitizer's) stays. For each thread that runs the rules of games. */
void spare_stack_take(void);

#endif
