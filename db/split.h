/*
 * split.h - cutting a file of SQL into its statements.
 *
 * The protocol takes one statement at a time where parameters or results are binary, and some
 * databases that speak it take no more in any case. A semicolon ends a statement, but not in
 * quotes, comments, dollar quotes or parentheses.
 */
#ifndef PLYD_DB_SPLIT_H
#define PLYD_DB_SPLIT_H

#include <stddef.h>

/* Moves *at to the first character of the next statement and returns its length, without the
 * semicolon. 0 if there is no further statement. The caller adds the length to *at to go on. */
size_t split_statement(const char **at);

#endif
