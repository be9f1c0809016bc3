#include "api/http/request.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "api/loop/quota.h"
#include "api/text/url.h"

/* ---- addresses ---- */

/* What follows the host in an address that was sent whole, as to a proxy. */
static const char *without_host(const char *url)
{
    if (strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0)
        return url;
    url = strstr(url, "//") + 2;
    url += strcspn(url, "/?");
    return *url == '/' ? url : "/";
}

int request_parse_url(struct request *request, const char *url)
{
    size_t len, path_len;
    const char *mark;

    url = without_host(url);
    len = strlen(url);
    if (len > REQUEST_URL_MAX)
        return REQUEST_PATH_LONG;
    request->url = arena_copy(&request->arena, url, len);
    mark = strchr(request->url, '?');
    path_len = mark == NULL ? len : (size_t)(mark - request->url);
    request->query = mark == NULL ? "" : mark + 1;
    request->path = url_decode(&request->arena, request->url, path_len, false);
    return request->path == NULL ? REQUEST_PATH_BAD : 0;
}

static const struct {
    const char *name;
    enum method method;
} methods[] = {{"GET", METHOD_GET},   {"PUT", METHOD_PUT},       {"POST", METHOD_POST},
               {"HEAD", METHOD_HEAD}, {"DELETE", METHOD_DELETE}, {"OPTIONS", METHOD_OPTIONS}};

enum { METHODS = sizeof(methods) / sizeof(methods[0]) };

enum method request_method(const char *name)
{
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].method;
    return METHOD_OTHER;
}

const char *request_method_name(enum method method)
{
    for (size_t i = 0; i < METHODS; i++)
        if (methods[i].method == method)
            return methods[i].name;
    return "another";
}

/* ---- headers ---- */

const char *request_header(const struct request *request, const char *name)
{
    return request->source->header(request, name);
}

const char *request_header_list(struct request *request, const char *name)
{
    return request->source->header_list(request, name);
}

bool request_peer(const struct request *request, struct quota_address *address)
{
    return request->source->peer(request, address);
}

bool request_has(const struct request *request, const char *etag)
{
    const char *header = request_header(request, "If-None-Match");

    return header != NULL && (strcmp(header, "*") == 0 || strstr(header, etag) != NULL);
}

const char *request_token(struct request *request)
{
    const char *header = request_header(request, "Authorization");
    size_t len;
    unsigned char *plain;

    if (header == NULL)
        return NULL;
    if (strncasecmp(header, "Bearer ", 7) == 0)
        return header + 7;
    if (strncasecmp(header, "Basic ", 6) != 0)
        return NULL;
    header += 6;
    plain = arena_alloc(&request->arena, strlen(header) + 1);
    if (sodium_base642bin(plain, strlen(header), header, strlen(header), NULL, &len, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        return NULL;
    plain[len] = '\0';
    plain[strcspn((char *)plain, ":")] = '\0';
    return (char *)plain;
}
