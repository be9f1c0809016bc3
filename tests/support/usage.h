/*
 * usage.h - what processes use: processor time and memory, as the kernel counts them.
 */
#ifndef PLYD_TESTS_SUPPORT_USAGE_H
#define PLYD_TESTS_SUPPORT_USAGE_H

#include <sys/types.h>

/* Seconds of processor time of a process and its children, including those that ended. */
double usage_cpu(pid_t pid);

/* Bytes of memory that a process holds. */
double usage_memory(pid_t pid);

pid_t usage_parent(pid_t pid);

#endif
