/* mask.h - texts of two runs, made comparable. */
#ifndef PLYD_TESTS_HTTP_MASK_H
#define PLYD_TESTS_HTTP_MASK_H

/* Replaces ids, tokens, times and request ids, which differ from run to run, each by a sign of its
 * kind; in place. */
void mask_text(char *text);

#endif
