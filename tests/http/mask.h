/* mask.h - makes texts of two runs comparable. */
#ifndef PLYD_TESTS_HTTP_MASK_H
#define PLYD_TESTS_HTTP_MASK_H

/* Replaces ids, tokens, times and request ids, which differ from run to run, in place: each by a
 * sign of its kind. */
void mask_text(char *text);

#endif
