#include "api/http/body.h"

#include <string.h>
#include <strings.h>

#include "api/http/reply_problem.h"

/* Parameters such as charset are ignored: a body is UTF-8 in any case. */
static bool is_type(const char *header, const char *type)
{
    size_t len = strcspn(header, "; \t");

    return len == strlen(type) && strncasecmp(header, type, len) == 0;
}

static bool is_json(const char *body)
{
    char first = body[strspn(body, " \t\r\n")];

    return first == '{' || first == '[';
}

/* An editor or `echo` leaves a newline behind a move. */
static struct json_value *read_bare(struct request *request, const char *bare_key,
                                    struct json_error *error)
{
    size_t len = request->body_len;

    while (len > 0 && strchr("\r\n", request->body[len - 1]) != NULL)
        len--;
    return json_read_bare(&request->arena, bare_key, request->body, len, error);
}

/* `curl -d` calls everything a form. So JSON is taken for what it is, and a text without '=' is a
 * bare one. A bare text is not decoded, so that the '+' of a promotion is not lost. */
static struct json_value *read_form(struct request *request, const char *bare_key, int levels,
                                    struct json_error *error)
{
    struct arena *arena = &request->arena;
    const char *body = request->body;
    size_t len = request->body_len;

    if (is_json(body))
        return json_read_deep(arena, body, len, levels, error);
    if (memchr(body, '=', len) == NULL && bare_key != NULL)
        return read_bare(request, bare_key, error);
    return json_read_form(arena, body, len, error);
}

/* What fetch() calls plain text is mostly JSON. */
static struct json_value *read_plain_body(struct request *request, const char *bare_key, int levels,
                                          struct json_error *error)
{
    bool is_free =
        bare_key != NULL && strcmp(bare_key, "text") == 0; /* a message may begin with { */

    if (is_json(request->body) && !is_free)
        return json_read_deep(&request->arena, request->body, request->body_len, levels, error);
    if (bare_key == NULL) {
        *error = (struct json_error){PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL,
                                     "A bare text says nothing here: send JSON or a form."};
        return NULL;
    }
    return read_bare(request, bare_key, error);
}

/* Many clients forget to say what they send. */
static struct json_value *read_untyped(struct request *request, const char *bare_key, int levels,
                                       struct json_error *error)
{
    if (bare_key != NULL || is_json(request->body) ||
        memchr(request->body, '=', request->body_len) != NULL)
        return read_form(request, bare_key, levels, error);
    *error = (struct json_error){PROBLEM_MALFORMED_JSON, NULL, "A bare text says nothing here."};
    return NULL;
}

static struct json_value *read_typed(struct request *request, const char *type,
                                     const char *bare_key, int levels, struct json_error *error)
{
    const char *detail = "Send application/json or a form; a bare move may be text/plain.";

    if (type == NULL)
        return read_untyped(request, bare_key, levels, error);
    if (is_type(type, "application/json"))
        return json_read_deep(&request->arena, request->body, request->body_len, levels, error);
    if (is_type(type, "application/x-www-form-urlencoded"))
        return read_form(request, bare_key, levels, error);
    if (is_type(type, "text/plain"))
        return read_plain_body(request, bare_key, levels, error);
    if (is_type(type, "multipart/form-data"))
        detail =
            "Send the fields as application/x-www-form-urlencoded or JSON: curl -d in place of "
            "-F, URLSearchParams in place of FormData.";
    *error = (struct json_error){PROBLEM_UNSUPPORTED_MEDIA_TYPE, NULL, detail};
    return NULL;
}

/* Editors and shells of Windows put a byte order mark before a text. */
static void skip_mark(struct request *request)
{
    if (request->body_len >= 3 && memcmp(request->body, "\xef\xbb\xbf", 3) == 0) {
        request->body_len -= 3;
        memmove(request->body, request->body + 3, request->body_len + 1);
    }
}

/* Whoever sends neither an object nor what they say that they send may not know what their client
 * says. */
static const char *with_type(struct request *request, const char *type, const char *detail)
{
    if (is_json(request->body))
        return detail;
    if (type == NULL)
        return arena_format(&request->arena,
                            "%s The request has no Content-Type, so what begins with neither { nor "
                            "[ is read as a form: send application/json, "
                            "application/x-www-form-urlencoded or text/plain.",
                            detail);
    return is_type(type, "application/json")
               ? arena_format(&request->arena, "%s The Content-Type is application/json.", detail)
               : detail;
}

static struct json_value *read_any_body(struct request *request, const char *bare_key, int levels)
{
    const char *type = request_header(request, "Content-Type");
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object;

    skip_mark(request);
    if (request->body_len == 0)
        return json_read_nothing();
    object = read_typed(request, type, bare_key, levels, &error);
    if (object == NULL)
        reply_problem_at(request, error.code, error.pointer,
                         with_type(request, type, error.detail));
    return object;
}

struct json_value *body_read(struct request *request, const char *bare_key)
{
    return read_any_body(request, bare_key, JSON_LEVELS);
}

struct json_value *body_read_deep(struct request *request, int levels)
{
    return read_any_body(request, NULL, levels);
}

bool body_done(struct request *request, struct json_value *body, struct json_fields *fields)
{
    bool ok = json_ok(fields);

    if (!ok)
        reply_problem_at(request, fields->error->code, fields->error->pointer,
                         fields->error->detail);
    json_free(body);
    return ok;
}

const char *body_keep(struct json_fields *fields, const char *text)
{
    return text == NULL ? NULL : arena_copy(fields->arena, text, strlen(text));
}
