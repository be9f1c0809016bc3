/*
 * detect.h - which format a text looks like.
 */
#ifndef PLYD_API_RECORD_DETECT_H
#define PLYD_API_RECORD_DETECT_H

#include "api/text/arena.h"

/* The name of a format, or NULL. Only the reader of the format finds out whether the text is in it.
 */
const char *record_recognise(struct arena *arena, const char *text);

/* A line itself; or, of an address with "usen=", the value of that without its escapes. */
const char *record_usen_text(struct arena *arena, const char *line);

#endif
