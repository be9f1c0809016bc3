/* h_docs.c - the contract, as it was when the daemon was built. */
#include "handlers.h"
#include "reply.h"

static const char openapi_yaml[] =
#include "embed/openapi.yaml.inc"
    ;

static const char openapi_json[] =
#include "embed/openapi.json.inc"
    ;

static void reply_contract(struct request *request, const char *type, const char *text, size_t len)
{
    static const char *const known[] = {NULL};

    if (request_query_ok(request, known))
        reply_document(request, "no-cache", type, text, len);
}

void handle_openapi_yaml(struct request *request)
{
    reply_contract(request, "application/yaml", openapi_yaml, sizeof(openapi_yaml) - 1);
}

void handle_openapi_json(struct request *request)
{
    reply_contract(request, "application/json", openapi_json, sizeof(openapi_json) - 1);
}
