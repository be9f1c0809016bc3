/* h_docs.c - the contract, as it was when the daemon was built. */
#include <sodium.h>
#include <string.h>

#include "handlers.h"
#include "reply.h"

static const char openapi_yaml[] =
#include "embed/openapi.yaml.inc"
    ;

static const char openapi_json[] =
#include "embed/openapi.json.inc"
    ;

/* A text that changes with the program alone. To hash it costs less than to send it. */
static void reply_document(struct request *request, const char *type, const char *text, size_t len)
{
    static const char *const known[] = {NULL};
    unsigned char hash[crypto_generichash_BYTES_MIN];
    char hex[2 * sizeof(hash) + 1];
    const char *etag;

    if (!request_query_ok(request, known))
        return;
    crypto_generichash(hash, sizeof(hash), (const unsigned char *)text, len, NULL, 0);
    sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
    etag = arena_format(&request->arena, "\"%s\"", hex);
    reply_header(request, "ETag", etag);
    reply_header(request, "Cache-Control", "no-cache");
    if (request_has(request, etag))
        reply_empty(request, 304);
    else
        reply_body(request, 200, type, text, len);
}

void handle_openapi_yaml(struct request *request)
{
    reply_document(request, "application/yaml", openapi_yaml, sizeof(openapi_yaml) - 1);
}

void handle_openapi_json(struct request *request)
{
    reply_document(request, "application/json", openapi_json, sizeof(openapi_json) - 1);
}
