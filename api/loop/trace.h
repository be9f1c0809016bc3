/*
 * trace.h - W3C Trace Context: whose trace a request belongs to, for the logs.
 */
#ifndef PLYD_API_LOOP_TRACE_H
#define PLYD_API_LOOP_TRACE_H

#include <stdbool.h>

enum { TRACE_ID_TEXT = 33 };

/* The trace-id of a traceparent header: 32 hexadecimal digits. False where the header is absent
 * (NULL) or ill-formed: it is then as if it were not there. */
bool trace_id_of(const char *traceparent, char id[TRACE_ID_TEXT]);

#endif
