#include "api/loop/trace.h"

#include <string.h>

/* Whether a field is `len` lower-case hexadecimal digits that are not all the digit `never`. The
 * standard forbids version ff and ids of zeros alone. */
static bool is_field(const char *text, size_t len, char never)
{
    static const char digits[] = "0123456789abcdef";
    char all[] = {never, '\0'};

    return strspn(text, digits) >= len && strspn(text, all) < len;
}

/* A header is VERSION-TRACE_ID-PARENT_ID-FLAGS. Versions after 00 may add further fields. */
bool trace_id_of(const char *traceparent, char id[TRACE_ID_TEXT])
{
    enum { TRACE = 3, PARENT = 36, FLAGS = 53, END = 55 };
    size_t len = traceparent == NULL ? 0 : strlen(traceparent);

    if (len < END || traceparent[TRACE - 1] != '-' || traceparent[PARENT - 1] != '-' ||
        traceparent[FLAGS - 1] != '-')
        return false;
    if (!is_field(traceparent, 2, 'f') || !is_field(traceparent + TRACE, 32, '0') ||
        !is_field(traceparent + PARENT, 16, '0') || !is_field(traceparent + FLAGS, 2, 'x'))
        return false;
    if (len > END && (strncmp(traceparent, "00", 2) == 0 || traceparent[END] != '-'))
        return false;
    memcpy(id, traceparent + TRACE, TRACE_ID_TEXT - 1);
    id[TRACE_ID_TEXT - 1] = '\0';
    return true;
}
