/*
 * same.h - whether JSON is what is expected.
 */
#ifndef PLYD_TESTS_WALK_SAME_H
#define PLYD_TESTS_WALK_SAME_H

#include <cjson/cJSON.h>
#include <stdbool.h>

enum { SAME_WHERE = 256 };

/* Whether there are the same members and items, no more and no fewer. What is expected as raw may
 * be anything but null; where a list of moves is expected, a tree of clicks that has them will do.
 * `where` becomes the path of the first difference; it begins empty. */
bool same_json(const cJSON *expected, const cJSON *got, char where[SAME_WHERE]);

#endif
