/* drawing.h - how a client wants to have a board drawn: ?view=, ?style= and ?marks=; of pictures
 * also ?size=, ?theme=, ?coords= and ?stacks=. */
#ifndef PLYD_API_PLAY_DRAWING_H
#define PLYD_API_PLAY_DRAWING_H

#include "api/http/request.h"
#include "api/view/view.h"

/* Reads view and style. NULL: one of them is malformed and was answered. */
struct rules_look *drawing_look(struct request *request);

/* Reads size, theme and coords. NULL: one of them is malformed and was answered. */
struct rules_frame *drawing_frame(struct request *request);

/* Marks what ?marks= asks for, or what `usual` does where it is absent. False: it is malformed, or
 * asks for more legal moves than are listed, and was answered. */
bool drawing_mark(struct request *request, struct rules_look *look, const struct game_view *view,
                  const char *usual);

/* Chooses the stacks that ?stacks= asks to have shown in full: all, or a square's. False: it is
 * malformed and was answered. */
bool drawing_stacks(struct request *request, struct rules_look *look, struct rules_frame *frame,
                    const struct game_view *view);

/* Answers with an SVG, and with the headers that keep a browser from seeing more in it. */
void drawing_reply(struct request *request, const char *cache, const char *picture);

#endif
