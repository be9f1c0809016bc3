/*
 * ratios.h - the table that benches print: what plyd does, what was measured beside it, and how the
 * two compare. Rows are printed as they are measured.
 */
#ifndef PLYD_TESTS_SUPPORT_RATIOS_H
#define PLYD_TESTS_SUPPORT_RATIOS_H

void ratios_head(void);

/* Prints a row without a goal; `ratio` 0: none is shown. */
void ratios_row(const char *what, const char *plyd, const char *beside, double ratio);

/* Prints a row whose ratio must be at least, or at most, the goal. */
void ratios_at_least(const char *what, const char *plyd, const char *beside, double ratio,
                     double goal);
void ratios_at_most(const char *what, const char *plyd, const char *beside, double ratio,
                    double goal);

#endif
