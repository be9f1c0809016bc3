#include "api/http/intake.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/request.h"
#include "api/text/must.h"

enum { PATIENCE = 2 << 20 }; /* bytes of a body that is refused */

bool intake_begin(struct request *request, size_t most)
{
    const char *length = request_header(request, "Content-Length");
    unsigned long long declared = length == NULL ? 0 : strtoull(length, NULL, 10);

    request->body_is_declared = length != NULL;
    request->body_too_large = declared > most;
    request->body_most = length == NULL || declared > most ? most : (size_t)declared;
    return declared <= most || (declared <= PATIENCE && request_header(request, "Expect") == NULL);
}

/* Doubles, but takes no more than the body may need. */
static void reserve(struct request *request, size_t needed)
{
    size_t usual = 2 * needed;

    if (needed <= request->body_size)
        return;
    request->body_size = usual < request->body_most + 1 ? usual : request->body_most + 1;
    request->body = must_realloc(request->body, request->body_size);
}

bool intake_take(struct request *request, const char *data, size_t len)
{
    if (request->body_len + len > request->body_most)
        request->body_too_large = true;
    if (request->body_too_large || request->body_refused) {
        request->body_len += len;
        return request->body_len <= PATIENCE;
    }
    reserve(request, request->body_len + len + 1);
    memcpy(request->body + request->body_len, data, len);
    request->body_len += len;
    request->body[request->body_len] = '\0';
    return true;
}
