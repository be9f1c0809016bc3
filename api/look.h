/* look.h - how a client wants to have a board drawn: ?view=, ?style= and ?marks=. */
#ifndef PLYD_API_LOOK_H
#define PLYD_API_LOOK_H

#include "request.h"
#include "view.h"

/* Reads view and style. NULL: one of them is malformed and was answered. */
struct rules_look *look_read(struct request *request);

/* Marks what ?marks= asks for, or what `usual` does where it is absent. False: it is malformed, or
 * asks for more legal moves than are listed, and was answered. */
bool look_mark(struct request *request, struct rules_look *look, const struct game_view *view,
               const char *usual);

#endif
