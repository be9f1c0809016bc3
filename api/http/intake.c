#include "api/http/intake.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/request.h"
#include "api/text/must.h"

enum {
    PATIENCE = 2 << 20, /* bytes of a body that is too large */
    STEP = 64 << 10     /* bytes by which a large body grows at least */
};

bool intake_begin(struct request *request, size_t most)
{
    const char *length = request_header(request, "Content-Length");
    unsigned long long declared = length == NULL ? 0 : strtoull(length, NULL, 10);
    bool is_chunked = length == NULL && request_header(request, "Transfer-Encoding") != NULL;

    request->body_too_large = declared > most;
    request->body_most = is_chunked || declared > most ? most : (size_t)declared;
    return declared <= most || (declared <= PATIENCE && request_header(request, "Expect") == NULL);
}

/* A small one doubles. A large one takes little more than it needs, since realloc() moves it
 * without a copy. */
size_t intake_size(const struct request *request, size_t len)
{
    size_t needed = request->body_len + len + 1, most = request->body_most + 1, usual;

    if (needed <= request->body_size)
        return request->body_size;
    if (needed <= REQUEST_BODY_MAX + 1)
        usual = 2 * needed < REQUEST_BODY_MAX + 1 ? 2 * needed : REQUEST_BODY_MAX + 1;
    else
        usual = needed + (needed / 4 > STEP ? needed / 4 : STEP);
    return usual < most ? usual : most;
}

static void reserve(struct request *request, size_t len)
{
    size_t size = intake_size(request, len);

    if (size > request->body_size)
        request->body = must_realloc(request->body, size);
    request->body_size = size;
}

bool intake_take(struct request *request, const char *data, size_t len)
{
    if (request->body_len + len > request->body_most)
        request->body_too_large = true;
    if (request->body_too_large) {
        request->body_len += len;
        return request->body_len <= PATIENCE;
    }
    reserve(request, len);
    memcpy(request->body + request->body_len, data, len);
    request->body_len += len;
    request->body[request->body_len] = '\0';
    return true;
}

void intake_drop(struct request *request)
{
    free(request->body);
    request->body = NULL;
    request->body_size = 0;
}
