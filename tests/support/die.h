/*
 * die.h - the end of a test, bench or tool that cannot go on.
 */
#ifndef PLYD_TESTS_SUPPORT_DIE_H
#define PLYD_TESTS_SUPPORT_DIE_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Tells why on standard error, behind the program's name, and ends the process, which fails the
 * test that it runs. "%m" is what errno means. */
__attribute__((format(printf, 1, 2))) static inline _Noreturn void die(const char *format, ...)
{
    va_list values;
    int error = errno;

    fprintf(stderr, "%s: ", program_invocation_short_name);
    errno = error;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}

#endif
