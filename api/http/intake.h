/*
 * intake.h - takes in the body of a request, piece by piece.
 *
 * Of a body that is too large the rest is read and dropped, up to a point: a client that still
 * sends when its connection is cut may never see the answer.
 */
#ifndef PLYD_API_HTTP_INTAKE_H
#define PLYD_API_HTTP_INTAKE_H

#include <stdbool.h>
#include <stddef.h>

struct request;

/* The headers are complete, and the body may have `most` bytes. False if it is not to be read: it
 * is far too large, or too large and the client asks first (Expect: 100-continue). */
bool intake_begin(struct request *request, size_t most);

/* The memory that the body has once `len` further bytes are taken. */
size_t intake_size(const struct request *request, size_t len);

/* Takes a piece, or drops it. False if a body that is too large goes on for too long. */
bool intake_take(struct request *request, const char *data, size_t len);

/* Forgets what was taken, but not how much that was. */
void intake_drop(struct request *request);

#endif
