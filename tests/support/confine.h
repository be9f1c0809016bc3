/*
 * confine.h - a process with no more system calls than a unit of systemd permits.
 *
 * It takes systemd-analyze to know what a unit's groups of calls are, but no systemd that runs.
 */
#ifndef PLYD_TESTS_SUPPORT_CONFINE_H
#define PLYD_TESTS_SUPPORT_CONFINE_H

#include <stdbool.h>

bool confine_can(void);

/* From now on any system call that the unit's SystemCallFilter does not let through ends this
 * process, and whatever it executes, with SIGSYS. This is so even if the unit has such calls fail.
 */
void confine(const char *unit);

#endif
