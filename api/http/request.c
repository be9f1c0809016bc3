#include "api/http/request.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/loop/quota.h"
#include "api/text/must.h"
#include "api/text/url.h"

/* ---- a request's life ---- */

/* Memory for a request and its first chunk of arena is what malloc() would be asked for most often;
 * a loop that is warm asks for neither. */
struct request *request_new(struct request_pool *pool)
{
    struct request *request;
    struct arena arena = {NULL, NULL, NULL};

    if (pool->spares > 0) {
        request = pool->spare[--pool->spares];
        arena = request->arena;
    } else {
        request = must_alloc(sizeof(*request));
    }
    *request = (struct request){.arena = arena};
    return request;
}

static void free_request(struct request *request)
{
    arena_free(&request->arena);
    free(request);
}

/* What a crowd of requests needed beyond the spares goes back to malloc(). */
void request_end(struct request_pool *pool, struct request *request)
{
    free(request->body);
    if (pool->spares < REQUEST_SPARES) {
        arena_reset(&request->arena);
        pool->spare[pool->spares++] = request;
    } else {
        free_request(request);
    }
}

void request_pool_free(struct request_pool *pool)
{
    while (pool->spares > 0)
        free_request(pool->spare[--pool->spares]);
}

/* The client's Request-Id goes into logs and into a header of the answer, so it may hold nothing
 * that means something there. */
void request_choose_id(struct request *request, uint64_t *last)
{
    static const char harmless[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:";
    const char *given = request_header(request, "Request-Id");

    if (given != NULL && *given != '\0' && strlen(given) < sizeof(request->id) &&
        given[strspn(given, harmless)] == '\0') {
        strcpy(request->id, given);
        return;
    }
    ++*last;
    sodium_bin2hex(request->id, sizeof(request->id), (const uint8_t *)last, sizeof(*last));
}

/* ---- addresses ---- */

/* Where the host of an address begins, since a client may send all of it, as to a proxy. NULL: it
 * has none. */
static const char *host_of(const char *url)
{
    if (strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0)
        return NULL;
    return strstr(url, "//") + 2;
}

static bool is_host_of(const struct request *request, const char *host, size_t len)
{
    const char *header = request_header(request, "Host");

    return header == NULL || (strlen(header) == len && strncasecmp(header, host, len) == 0);
}

int request_parse_url(struct request *request, const char *url)
{
    size_t len, path_len;
    const char *mark, *host = host_of(url);

    if (host != NULL) {
        url = host + strcspn(host, "/?");
        if (!is_host_of(request, host, (size_t)(url - host)))
            return REQUEST_HOST_OTHER;
        url = *url == '/' ? url : "/";
    }
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
} methods[] = {{"GET", METHOD_GET},    {"PUT", METHOD_PUT},       {"POST", METHOD_POST},
               {"HEAD", METHOD_HEAD},  {"DELETE", METHOD_DELETE}, {"OPTIONS", METHOD_OPTIONS},
               {"PATCH", METHOD_PATCH}};

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

uint64_t request_sharer(const struct request *request)
{
    if (request->client != 0)
        return request->client;
    return request->bearer != 0 ? request->bearer : (uint64_t)(uintptr_t)request->connection;
}

bool request_is_answered(const struct request *request)
{
    return !request->offloaded && request->reply.status != 0;
}

bool request_peer(const struct request *request, struct quota_address *address)
{
    return request->source->peer(request, address);
}

bool request_park(struct request *request, struct request_parking parking)
{
    request->parking = parking;
    return request->body_len == 0 && request_header(request, "Transfer-Encoding") == NULL &&
           request->source->park(request);
}

void request_unpark(struct request *request)
{
    request->source->unpark(request);
}

bool request_has(struct request *request, const char *etag)
{
    const char *header = request_header_list(request, "If-None-Match");

    /* An ETag of ours stands between quotes, so it is found in a list of them, weak ones (W/"17")
     * included, and never as a part of another one. */
    return header != NULL && (strcmp(header, "*") == 0 || strstr(header, etag) != NULL);
}

/* `curl -u TOKEN:` puts it before the colon. Where nothing stands there it is behind it. */
static const char *basic_token(struct request *request, const char *encoded)
{
    size_t len, user;
    char *plain = arena_alloc(&request->arena, strlen(encoded) + 1);

    if (sodium_base642bin((unsigned char *)plain, strlen(encoded), encoded, strlen(encoded), NULL,
                          &len, NULL, sodium_base64_VARIANT_ORIGINAL) != 0)
        return NULL;
    plain[len] = '\0';
    user = strcspn(plain, ":");
    if (user == 0 && plain[0] == ':')
        return plain + 1;
    plain[user] = '\0'; /* the password is ignored */
    return plain;
}

const char *request_token(struct request *request)
{
    const char *header = request_header(request, "Authorization"), *token = NULL;

    if (header != NULL && strncasecmp(header, "Bearer ", 7) == 0)
        token = header + 7 + strspn(header + 7, " ");
    else if (header != NULL && strncasecmp(header, "Basic ", 6) == 0)
        token = basic_token(request, header + 6);
    return token == NULL || *token == '\0' ? NULL : token;
}
