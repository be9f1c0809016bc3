/*
 * trace.h - W3C Trace Context: the trace that a request belongs to, for the logs. Pure; any thread
 * may call it.
 */
#ifndef PLYD_API_LOOP_TRACE_H
#define PLYD_API_LOOP_TRACE_H

#include <stdbool.h>

enum { TRACE_ID_TEXT = 33 }; /* 32 hexadecimal digits and the NUL */

/* Reads the trace-id of a traceparent header. False if the header is absent (NULL) or malformed; a
 * malformed one is treated as absent, as the standard asks. */
bool trace_id_of(const char *traceparent, char id[TRACE_ID_TEXT]);

#endif
