/*
 * numbers.h - numbers that were measured.
 */
#ifndef PLYD_TESTS_SUPPORT_NUMBERS_H
#define PLYD_TESTS_SUPPORT_NUMBERS_H

#include <stdlib.h>

static inline int numbers_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The smallest first. */
static inline void numbers_sort(double *numbers, size_t n)
{
    qsort(numbers, n, sizeof(*numbers), numbers_compare);
}

#endif
