/*
 * board_query.h - the parameters of a board: view, marks, size, theme.
 *
 * ?view=, ?style=, ?marks= and ?stacks= of a query, and for pictures ?size=, ?theme=, ?coords= and
 * ?ids=.
 *
 * What depends on the query alone is read at once; what depends on the position, marks and stacks,
 * is read when that is known. A function that returns NULL or false has answered the request.
 */
#ifndef PLYD_API_ENDPOINTS_BOARD_QUERY_H
#define PLYD_API_ENDPOINTS_BOARD_QUERY_H

#include "api/http/request.h"
#include "api/view/view.h"

/* Reads view and style. An ASCII board is in English, whatever ?lang= says. */
struct rules_look *board_query_look(struct request *request);

/* How wide a picture may be, in pixels. */
enum { BOARD_SVG_WIDEST = 4096, BOARD_PNG_WIDEST = 1200 };

/* Reads size, theme, coords and ids. */
struct rules_picture_options *board_query_frame(struct request *request, unsigned widest);

/* Marks what ?marks= asks for, or else what is usual. Legal moves are marked as far as they are
 * listed (look_can_list). */
bool board_query_mark(struct request *request, struct rules_look *look,
                      const struct game_view *view);

/* Chooses the stacks that ?stacks= asks to have shown in full: all of them, or that of a square. */
bool board_query_stacks(struct request *request, struct rules_look *look,
                        const struct game_view *view);

/* Answers with an SVG, and with headers by which a browser runs and loads nothing that is in it.
 * `cache` is for Cache-Control. */
void board_query_reply(struct request *request, const char *cache, const char *picture);

/* Answers with the same picture as a PNG. That is work for a worker. */
void board_query_reply_png(struct request *request, const char *cache, const char *picture);

#endif
