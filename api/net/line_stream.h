/*
 * line_stream.h - an answer of many lines, each sent as soon as a search has found it.
 *
 * A telling is a stream (stream.h) and one search after the other. It outlives its request: what it
 * needs lies in an arena of its own. Each search is a thought of its own, so that those of other
 * clients come between them. The search under way ends when the client is gone, and what the
 * searches cost is charged to the client's quotas.
 *
 * The loop's thread calls these functions, but for line_stream_add(), which is a thinker's.
 */
#ifndef PLYD_API_NET_LINE_STREAM_H
#define PLYD_API_NET_LINE_STREAM_H

#include "api/http/request.h"

struct line_stream;
struct thought;

/* A stream for a request. NULL: only its head was asked for, or there is no room for it, and the
 * request was answered. */
struct line_stream *line_stream_new(struct request *request);

/* Memory that lives as long as the telling. */
struct arena *line_stream_arena(struct line_stream *telling);

/* Answers the request with the stream, and has a thinker call `think` again and again, until it
 * returns false or the client is gone; each call visits up to so many nodes. `scratch` is empty
 * each time. If too many searches wait, the request is answered with 503. The telling frees itself.
 */
void line_stream_begin(struct line_stream *telling, struct request *request, uint64_t nodes,
                       bool (*think)(struct line_stream *telling, void *args, struct arena *scratch,
                                     struct thought *thought),
                       void *args);

/* Sends a line, or what is to become one. */
void line_stream_add(struct line_stream *telling, const char *text, size_t len);

#endif
