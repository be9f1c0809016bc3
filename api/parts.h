/* parts.h - the parts that every loop of the daemon has (loop/part.h). */
#ifndef PLYD_API_PARTS_H
#define PLYD_API_PARTS_H

#include "api/loop/loop.h"
#include "api/loop/part.h"

extern const struct part *const parts_all[PARTS];

#endif
