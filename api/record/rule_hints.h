/*
 * rule_hints.h - the option under which a start or a move is allowed that was refused. Many
 * records do not say by which rules they were played.
 */
#ifndef PLYD_API_RECORD_RULE_HINTS_H
#define PLYD_API_RECORD_RULE_HINTS_H

struct record_reading;

/* The option with its other value, as the query of an import gives it: options.NAME=VALUE, with the
 * variant where other games have that option, too. It is one that allows the start at `position`
 * or, where `text` is not NULL, this move there, with all other options as they are. NULL: there is
 * none. */
const char *record_other_rules(const struct record_reading *reading, const char *position,
                               const char *text);

#endif
