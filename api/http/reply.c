#include "api/http/reply.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "api/http/accept.h"
#include "api/text/arena.h"

/* ---- compression ---- */

/* Only documents that are the same for everybody who may see them are compressed, and never an
 * answer that tells a token: the length of a compressed answer says something about what it holds.
 */
enum {
    GZIP_LEAST = 1000,   /* bytes; of less the client would hardly notice it */
    GZIP_MOST = 64 << 10 /* bytes; they take a millisecond */
};

/* Whether an Accept-Encoding header (or NULL) takes gzip. */
static bool gzip_is_taken(const char *accept_encoding)
{
    return accept_encoding != NULL && accept_weight(accept_encoding, "gzip") > 0;
}

/* A small window costs little memory to set up, and answers are short. The men of two seats, which
 * are drawn alike, are up to 16 KiB apart. */
enum { WINDOW = 14, GZIP_HEADER = 16, LEVEL = 6, MEMORY = 7 };

/* Compresses a text of GZIP_LEAST to GZIP_MOST bytes into the arena, and sets *len. NULL: it has
 * another length, or would not become shorter. */
static const char *gzip_text(struct arena *arena, const char *text, size_t *len)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)*len};
    char *out;

    if (*len < GZIP_LEAST || *len > GZIP_MOST ||
        deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW + GZIP_HEADER, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    out = arena_alloc(arena, *len);
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)*len;
    if (deflate(&stream, Z_FINISH) == Z_STREAM_END)
        *len = stream.total_out;
    else
        out = NULL;
    deflateEnd(&stream);
    return out;
}

void reply_header(struct request *request, const char *name, const char *value)
{
    struct reply *reply = &request->reply;

    /* No answer has so many. If one ever had, it would rather lack a header than fail. */
    if (reply->headers < REPLY_HEADERS_MAX)
        reply->header[reply->headers++] = (struct reply_header){name, value};
}

void reply_private(struct request *request)
{
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Accept, Authorization, Origin");
}

static const char *value_of_header(const struct reply *reply, const char *name)
{
    for (size_t i = 0; i < reply->headers; i++)
        if (strcmp(reply->header[i].name, name) == 0)
            return reply->header[i].value;
    return NULL;
}

bool reply_has_header(const struct request *request, const char *name)
{
    return value_of_header(&request->reply, name) != NULL;
}

bool reply_is_private(const struct request *request)
{
    const char *cache = value_of_header(&request->reply, "Cache-Control");
    const char *vary = value_of_header(&request->reply, "Vary");

    if (cache == NULL)
        return false;
    return strcmp(cache, "no-store") == 0 ||
           (vary != NULL && strstr(vary, "Authorization") != NULL);
}

void reply_replayed(struct request *request)
{
    reply_header(request, "Idempotent-Replayed", "true");
}

void reply_deprecated(struct request *request, const char *since, const char *until)
{
    reply_header(request, "Deprecation", since);
    reply_header(request, "Sunset", until);
}

/* Every answer goes through here. The source sends it: at once if it is still handing the request
 * over, else by waking the connection. */
void reply_body(struct request *request, unsigned status, const char *type, const char *body,
                size_t len)
{
    request->reply.status = status;
    request->reply.type = type;
    request->reply.body = body;
    request->reply.len = len;
    request->source->answered(request);
}

bool reply_stream_head(struct request *request, const char *type)
{
    if (request->method != METHOD_HEAD)
        return false;
    request->reply.endless = true;
    reply_body(request, 200, type, "", 0);
    return true;
}

void reply_stream(struct request *request, const char *type, struct stream *stream,
                  const char *text)
{
    request->reply.stream = stream;
    reply_body(request, 200, type, text, strlen(text));
}

void reply_json(struct request *request, unsigned status, const struct json *json)
{
    reply_body(request, status, "application/json", json->out.text, json->out.len);
}

void reply_text(struct request *request, unsigned status, const char *text)
{
    reply_body(request, status, "text/plain; charset=utf-8", text, strlen(text));
}

/* Our JSON is an object, and no text for people begins with a brace. */
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

const char *reply_etag(struct arena *arena, int32_t version)
{
    return arena_format(arena, "\"%d\"", version);
}

const char *reply_shown_etag(struct request *request, int32_t version, const char *mark)
{
    const char *form = accept_form_name(request->form);

    return arena_format(&request->arena, "\"%d%s%s%s%s\"", version, form == NULL ? "" : "-",
                        form == NULL ? "" : form, mark == NULL ? "" : "-",
                        mark == NULL ? "" : mark);
}

/* To hash a document each time costs less than to send it, and no hash has to be kept in step. The
 * tag says how the body is encoded, for tags name bytes. */
static const char *hash_tag(struct arena *arena, const char *body, size_t len, bool gzip)
{
    unsigned char hash[crypto_generichash_BYTES_MIN];
    char hex[2 * sizeof(hash) + 1];

    crypto_generichash(hash, sizeof(hash), (const unsigned char *)body, len, NULL, 0);
    return arena_format(arena, "\"%s%s\"", sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)),
                        gzip ? "-gzip" : "");
}

bool reply_takes_gzip(struct request *request)
{
    return gzip_is_taken(request_header_list(request, "Accept-Encoding"));
}

static void open_document(struct request *request, const char *cache, const char *etag)
{
    reply_header(request, "ETag", etag);
    reply_header(request, "Cache-Control", cache);
    reply_header(request, "Vary", "Accept-Encoding");
}

static void send_gzip(struct request *request, const char *type, const char *body, size_t len)
{
    reply_header(request, "Content-Encoding", "gzip");
    reply_body(request, 200, type, body, len);
}

void reply_json_long(struct request *request, const struct json *json)
{
    size_t len = json->out.len;
    const char *small =
        reply_takes_gzip(request) ? gzip_text(&request->arena, json->out.text, &len) : NULL;

    if (small != NULL)
        send_gzip(request, "application/json", small, len);
    else
        reply_json(request, 200, json);
}

void reply_document(struct request *request, const char *cache, const char *type, const char *body,
                    size_t len)
{
    bool gzip = reply_takes_gzip(request) && len >= GZIP_LEAST && len <= GZIP_MOST;
    const char *etag = hash_tag(&request->arena, body, len, gzip), *small = NULL;
    size_t small_len = len;

    open_document(request, cache, etag);
    if (request_has(request, etag)) {
        reply_empty(request, 304);
        return;
    }
    if (gzip)
        small = gzip_text(&request->arena, body, &small_len);
    if (small != NULL)
        send_gzip(request, type, small, small_len);
    else
        reply_body(request, 200, type, body, len);
}

bool reply_follows(struct request *request, const char *cache, const char *source, size_t len)
{
    const char *etag = hash_tag(&request->arena, source, len, false);

    reply_header(request, "ETag", etag);
    reply_header(request, "Cache-Control", cache);
    if (!request_has(request, etag))
        return false;
    reply_empty(request, 304);
    return true;
}

void reply_file(struct request *request, const char *cache, const char *type,
                const struct file *file)
{
    bool gzip = reply_takes_gzip(request) && file->gzip_len < file->len;
    const char *etag = hash_tag(&request->arena, file->text, file->len, gzip);

    open_document(request, cache, etag);
    if (request_has(request, etag))
        reply_empty(request, 304);
    else if (gzip)
        send_gzip(request, type, file->gzip, file->gzip_len);
    else
        reply_body(request, 200, type, file->text, file->len);
}

/* ---- pages of lists ---- */

void reply_next(struct request *request, const char *next)
{
    if (next != NULL)
        reply_header(request, "Link", arena_format(&request->arena, "<%s>; rel=\"next\"", next));
}

void reply_list_open(struct json *json)
{
    json_open(json, '{');
    json_key(json, "items");
    json_open(json, '[');
}

void reply_list_send(struct request *request, struct json *json, const char *next)
{
    json_close(json, ']');
    reply_list_end(request, json, next);
}

void reply_list_end(struct request *request, struct json *json, const char *next)
{
    json_key(json, "next");
    if (next == NULL)
        json_null(json);
    else
        json_string(json, next);
    json_finish(json);
    reply_json(request, 200, json);
}
