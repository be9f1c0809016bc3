#include "api/http/request.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/http/reply.h"
#include "api/text/json_read.h"
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

/* ---- queries ---- */

/* The next `name=value` of a query from *at on; false at the end. */
static bool next_pair(const char **at, const char **name, size_t *name_len, const char **value,
                      size_t *value_len)
{
    size_t len;

    while (**at == '&')
        ++*at;
    if (**at == '\0')
        return false;
    len = strcspn(*at, "&");
    *name = *at;
    *name_len = strcspn(*at, "=&");
    *value = *name + *name_len + (*name_len < len);
    *value_len = *name_len < len ? len - *name_len - 1 : 0;
    *at += len;
    return true;
}

const char *request_query(struct request *request, const char *wanted)
{
    const char *at = request->query, *name, *value;
    size_t name_len, value_len;

    while (next_pair(&at, &name, &name_len, &value, &value_len))
        if (name_len == strlen(wanted) && strncmp(name, wanted, name_len) == 0)
            return url_decode(&request->arena, value, value_len, true);
    return NULL;
}

static bool is_listed(const char *const *known, const char *name)
{
    for (; *known != NULL; known++)
        if (strcmp(*known, name) == 0)
            return true;
    return false;
}

bool request_query_ok(struct request *request, const char *const *known)
{
    const char *at = request->query, *name, *value;
    const char *seen[16];
    size_t name_len, value_len, nseen = 0;

    while (next_pair(&at, &name, &name_len, &value, &value_len)) {
        char *key = url_decode(&request->arena, name, name_len, true);
        const char *pointer;

        if (key == NULL || url_decode(&request->arena, value, value_len, true) == NULL) {
            reply_problem(request, "bad-parameter",
                          "The query has a broken percent-escape, or is not UTF-8.");
            return false;
        }
        pointer = arena_format(&request->arena, "?%s", key);
        if (!is_listed(known, key)) {
            reply_problem_at(request, "unknown-field", pointer,
                             "No query parameter of that name is known here.");
            return false;
        }
        for (size_t i = 0; i < nseen; i++)
            if (strcmp(seen[i], key) == 0) {
                reply_problem_at(request, "bad-parameter", pointer,
                                 "The parameter stands there twice.");
                return false;
            }
        seen[nseen++] = key; /* cannot overflow: each is one of `known`, and none comes twice */
    }
    return true;
}

bool request_query_bool(struct request *request, const char *name, bool *value)
{
    const char *text = request_query(request, name);

    *value = text != NULL && strcmp(text, "true") == 0;
    if (text == NULL || *value || strcmp(text, "false") == 0)
        return true;
    reply_problem_at(request, "bad-parameter", arena_format(&request->arena, "?%s", name),
                     "true or false is expected.");
    return false;
}

bool request_query_int(struct request *request, const char *name, int64_t min, int64_t max,
                       int64_t fallback, int64_t *value)
{
    const char *text = request_query(request, name);
    char *end;

    *value = fallback;
    if (text == NULL)
        return true;
    *value = strtoll(text, &end, 10);
    if (*text != '\0' && strchr("-0123456789", *text) != NULL && *end == '\0' && *value >= min &&
        *value <= max)
        return true;
    reply_problem_at(request, "bad-parameter", arena_format(&request->arena, "?%s", name),
                     arena_format(&request->arena, "A whole number from %lld to %lld is expected.",
                                  (long long)min, (long long)max));
    return false;
}

bool request_query_limit(struct request *request, int64_t *limit)
{
    enum { USUAL = 50, MOST = 200 };

    if (!request_query_int(request, "limit", 1, INT32_MAX, USUAL, limit))
        return false;
    if (*limit > MOST)
        *limit = MOST;
    return true;
}

bool request_query_words(struct request *request, const char *parameter, const char *const *words,
                         uint32_t *bits)
{
    struct arena *arena = &request->arena;
    const char *list = request_query(request, parameter), *known = "";
    char *copy, *save = NULL;

    *bits = 0;
    if (list == NULL)
        return true;
    copy = arena_copy(arena, list, strlen(list));
    for (char *word = strtok_r(copy, ",", &save); word != NULL; word = strtok_r(NULL, ",", &save)) {
        size_t i = 0;

        while (words[i] != NULL && strcmp(words[i], word) != 0)
            i++;
        if (words[i] == NULL) {
            for (i = 0; words[i] != NULL; i++)
                known = arena_format(arena, "%s%s%s", known, i == 0 ? "" : ", ", words[i]);
            reply_problem_at(request, "bad-parameter", arena_format(arena, "?%s", parameter),
                             arena_format(arena, "\"%s\" is none of: %s.", word, known));
            return false;
        }
        *bits |= 1U << i;
    }
    return true;
}

/* ---- what the client sends and takes ---- */

/* Whether `range` ("text/ *", "text/plain") takes in a type. */
static bool range_takes(const char *range, size_t len, const char *type)
{
    size_t slash = strcspn(type, "/");

    if (len == 3 && strncmp(range, "*/*", 3) == 0)
        return true;
    if (len == slash + 2 && range[len - 1] == '*')
        return strncasecmp(range, type, slash + 1) == 0;
    return len == strlen(type) && strncasecmp(range, type, len) == 0;
}

/* A q such as 0.5 in thousandths; what is no number below 1 counts as 1. */
static int thousandths(const char *text)
{
    double q = strtod(text, NULL);

    return q >= 0 && q < 1 ? (int)(q * 1000) : 1000;
}

/* The weight that an Accept header gives to a type: its q in thousandths, by the most telling
 * range (a full type before type/ * before * / *); 0 if it is not welcome. */
static int weight(const char *accept, const char *type)
{
    int best = 0;
    size_t best_len = 0;

    while (*accept != '\0') {
        size_t item = strcspn(accept, ","), skip = strspn(accept, " \t");
        size_t len = strcspn(accept + skip, ",; \t");
        const char *q = memmem(accept, item, ";q=", 3);
        int value = 1000;

        if (q == NULL)
            q = memmem(accept, item, "; q=", 4);
        if (q != NULL)
            value = thousandths(strchr(q, '=') + 1);
        if (range_takes(accept + skip, len, type) && len >= best_len) {
            best = value;
            best_len = len;
        }
        accept += item + (accept[item] == ',');
    }
    return best;
}

static const struct form {
    unsigned form;
    const char *type;
} forms[] = {{FORM_PAGE, "text/html"},         {FORM_JSON, "application/json"},
             {FORM_MARKDOWN, "text/markdown"}, {FORM_TEXT, "text/plain"},
             {FORM_HTML, "text/html"},         {FORM_YAML, "application/yaml"},
             {FORM_SVG, "image/svg+xml"},      {FORM_NDJSON, "application/x-ndjson"}};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

unsigned request_accepts(const struct request *request, unsigned wanted)
{
    const char *accept = request_header(request, "Accept");
    unsigned best = 0;
    int best_weight = 0;

    if (accept != NULL && *accept == '\0')
        accept = NULL;
    for (size_t i = 0; i < FORMS; i++) {
        int here = (wanted & forms[i].form) == 0 ? 0
                   : accept == NULL              ? 1
                                                 : weight(accept, forms[i].type);

        /* Who reads problems reads JSON. */
        if (here == 0 && (wanted & forms[i].form & FORM_JSON) != 0)
            here = weight(accept, "application/problem+json");
        if (here > best_weight) {
            best = forms[i].form;
            best_weight = here;
        }
    }
    return best;
}

const char *request_form_types(struct request *request, unsigned wanted)
{
    const char *types = "";

    for (size_t i = 0; i < FORMS; i++)
        if ((wanted & forms[i].form) != 0)
            types = arena_format(&request->arena, "%s%s%s", types, *types == '\0' ? "" : ", ",
                                 forms[i].type);
    return types;
}

static bool is_type(const char *header, const char *type)
{
    size_t len = strcspn(header, "; \t");

    return len == strlen(type) && strncasecmp(header, type, len) == 0;
}

/* What `curl -d` sends is marked as a form whatever it is. JSON is taken for what it is, and a text
 * without '=' is a bare one, taken raw, so that the '+' of a promotion is not lost. */
static struct json_value *read_form(struct request *request, const char *bare_key,
                                    struct json_error *error)
{
    struct arena *arena = &request->arena;
    const char *body = request->body;
    size_t len = request->body_len, blank = strspn(body, " \t\r\n");

    if (body[blank] == '{')
        return json_read(arena, body, len, error);
    if (memchr(body, '=', len) == NULL && bare_key != NULL)
        return json_read_bare(arena, bare_key, body, len, error);
    return json_read_form(arena, body, len, error);
}

static struct json_value *read_body(struct request *request, const char *type, const char *bare_key,
                                    struct json_error *error)
{
    size_t len = request->body_len;

    if (type != NULL && is_type(type, "application/x-www-form-urlencoded"))
        return read_form(request, bare_key, error);
    if (type != NULL && is_type(type, "text/plain") && bare_key != NULL) {
        while (len > 0 && strchr("\r\n", request->body[len - 1]) != NULL)
            len--;
        return json_read_bare(&request->arena, bare_key, request->body, len, error);
    }
    if (type == NULL || is_type(type, "application/json"))
        return json_read(&request->arena, request->body, len, error);
    *error = (struct json_error){"unsupported-media-type", NULL,
                                 "Send application/json, a form, or (a bare move) text/plain."};
    return NULL;
}

struct json_value *request_body(struct request *request, const char *bare_key)
{
    struct json_error error = {NULL, NULL, NULL};
    struct json_value *object;

    if (request->body_len == 0)
        return json_read_nothing();
    object = read_body(request, request_header(request, "Content-Type"), bare_key, &error);
    if (object == NULL)
        reply_problem_at(request, error.code, error.pointer, error.detail);
    return object;
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
