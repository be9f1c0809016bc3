#include "api/http/reply.h"

#include <sodium.h>
#include <string.h>

#include "api/http/http.h"
#include "rules/rules.h"

static const struct problem_kind kinds[] = {
#define PROBLEM(code, status, title, meaning) {code, title, meaning, status},
#include "api/http/problem.def"
#undef PROBLEM
};

void reply_header(struct request *request, const char *name, const char *value)
{
    struct reply *reply = &request->reply;

    if (reply->headers < REPLY_HEADERS_MAX)
        reply->header[reply->headers++] = (struct reply_header){name, value};
}

void reply_body(struct request *request, unsigned status, const char *type, const char *body,
                size_t len)
{
    request->reply.status = status;
    request->reply.type = type;
    request->reply.body = body;
    request->reply.len = len;
    http_answered(request);
}

void reply_json(struct request *request, unsigned status, const struct json *json)
{
    reply_body(request, status, "application/json", json->out.text, json->out.len);
}

void reply_text(struct request *request, unsigned status, const char *text)
{
    reply_body(request, status, "text/plain; charset=utf-8", text, strlen(text));
}

void reply_made(struct request *request, unsigned status, const char *document)
{
    if (*document == '{')
        reply_body(request, status, "application/json", document, strlen(document));
    else
        reply_text(request, status, document);
}

void reply_empty(struct request *request, unsigned status)
{
    reply_body(request, status, NULL, "", 0);
}

static const char *hash_tag(struct arena *arena, const char *body, size_t len)
{
    unsigned char hash[crypto_generichash_BYTES_MIN];
    char hex[2 * sizeof(hash) + 1];

    crypto_generichash(hash, sizeof(hash), (const unsigned char *)body, len, NULL, 0);
    return arena_format(arena, "\"%s\"", sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)));
}

void reply_document(struct request *request, const char *cache, const char *type, const char *body,
                    size_t len)
{
    const char *etag = hash_tag(&request->arena, body, len);

    reply_header(request, "ETag", etag);
    reply_header(request, "Cache-Control", cache);
    if (request_has(request, etag))
        reply_empty(request, 304);
    else
        reply_body(request, 200, type, body, len);
}

/* ---- pages of lists ---- */

void reply_next(struct request *request, const char *next)
{
    if (next != NULL)
        reply_header(request, "Link", arena_format(&request->arena, "<%s>; rel=\"next\"", next));
}

void list_open(struct json *json)
{
    json_open(json, '{');
    json_key(json, "items");
    json_open(json, '[');
}

void list_send(struct request *request, struct json *json, const char *next)
{
    json_close(json, ']');
    json_key(json, "next");
    if (next == NULL)
        json_null(json);
    else
        json_string(json, next);
    json_finish(json);
    reply_json(request, 200, json);
}

/* ---- problems ---- */

bool problem_at(size_t i, struct problem_kind *kind)
{
    enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };
    enum rules_code code = (enum rules_code)(i - KINDS + RULES_OK + 1);

    if (i < KINDS)
        *kind = kinds[i];
    else if (code < RULES_CODES)
        *kind =
            (struct problem_kind){rules_code_text(code), rules_code_title(code),
                                  rules_code_meaning(code), code == RULES_GAME_OVER ? 409 : 422};
    else
        return false;
    return true;
}

bool problem_find(const char *code, struct problem_kind *kind)
{
    for (size_t i = 0; problem_at(i, kind); i++)
        if (strcmp(kind->code, code) == 0)
            return true;
    return false;
}

void problem_members(struct json *json, const char *code, const char *detail)
{
    struct problem_kind kind = {code, code, "", 500};

    problem_find(code, &kind);
    json_member(json, "type", arena_format(json->out.arena, "/problems/%s", code));
    json_member(json, "title", kind.title);
    json_member_int(json, "status", kind.status);
    json_member(json, "code", code);
    json_member(json, "detail", detail);
}

void problem_open(struct request *request, struct json *json, const char *code, const char *detail)
{
    struct problem_kind kind = {code, code, "", 500};

    problem_find(code, &kind);
    request->refusal = detail != NULL ? detail : kind.meaning;
    json_init(json, &request->arena);
    json_open(json, '{');
    problem_members(json, code, request->refusal);
}

void problem_send(struct request *request, struct json *json, const char *code)
{
    struct problem_kind kind = {code, code, "", 500};

    problem_find(code, &kind);
    if (kind.status == 401)
        reply_header(request, "WWW-Authenticate", "Bearer realm=\"plyd\"");
    if (kind.status == 503)
        reply_header(request, "Retry-After", "1");
    if (request_accepts(request, FORM_JSON | FORM_TEXT) == FORM_TEXT) {
        bool somewhere = request->refused_at != NULL;

        reply_text(request, kind.status,
                   arena_format(&request->arena, "%s\n%s\n(%u %s%s%s: see /problems/%s)\n",
                                kind.title, request->refusal, kind.status, code,
                                somewhere ? " at " : "", somewhere ? request->refused_at : "",
                                code));
        return;
    }
    json_member(json, "request_id", request->id);
    json_finish(json);
    reply_body(request, kind.status, "application/problem+json", json->out.text, json->out.len);
}

void problem_point(struct request *request, struct json *json, const char *pointer)
{
    request->refused_at = pointer;
    json_member(json, "pointer", pointer);
}

void reply_problem_at(struct request *request, const char *code, const char *pointer,
                      const char *detail)
{
    struct json json;

    problem_open(request, &json, code, detail);
    if (pointer != NULL && *pointer != '\0')
        problem_point(request, &json, pointer);
    problem_send(request, &json, code);
}

void reply_problem(struct request *request, const char *code, const char *detail)
{
    reply_problem_at(request, code, NULL, detail);
}
