#include "api/http/page.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/http/reply.h"

static const char style[] =
#include "embed/api/pages/style.css.inc"
    ;

static const char script[] =
#include "embed/api/pages/docs.js.inc"
    ;

/* The policy of all pages, written once. It names style and script by their hashes, so a browser
 * obeys nothing else, even if somebody's text found its way into a page as markup. */
static char policy[400];

static void hash_of(const char *text, size_t len, char base64[64])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)text, len);
    sodium_bin2base64(base64, 64, hash, sizeof(hash), sodium_base64_VARIANT_ORIGINAL);
}

static void write_policy(void)
{
    char of_style[64], of_script[64];

    hash_of(style, sizeof(style) - 1, of_style);
    hash_of(script, sizeof(script) - 1, of_script);
    snprintf(policy, sizeof(policy),
             "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; "
             "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             of_style, of_script);
}

void page_open(struct out *out, struct request *request, const char *title)
{
    out_init(out, &request->arena);
    out_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>");
    page_text(out, title);
    out_add(out, "</title>\n<style>");
    out_add(out, style);
    out_add(out, "</style>\n</head>\n<body>\n");
}

void page_text(struct out *out, const char *text)
{
    while (*text != '\0') {
        size_t plain = strcspn(text, "&<>\"'");

        out_bytes(out, text, plain);
        text += plain;
        if (*text == '\0')
            break;
        out_add(out, *text == '&'   ? "&amp;"
                     : *text == '<' ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '"' ? "&quot;"
                                    : "&#39;");
        text++;
    }
}

void page_script(struct out *out)
{
    out_add(out, "<script>");
    out_add(out, script);
    out_add(out, "</script>\n");
}

void page_send(struct request *request, struct out *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    out_add(out, "</body>\n</html>\n");
    pthread_once(&once, write_policy); /* any loop may be the first */
    reply_header(request, "Content-Security-Policy", policy);
    reply_header(request, "X-Content-Type-Options", "nosniff");
    reply_header(request, "Referrer-Policy", "no-referrer");
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, "no-cache", "text/html; charset=utf-8", out->text, out->len);
}

/* A Host header may hold "$(x)" (framing.h), and pages show it in commands to copy. So only the
 * characters of usual names and ports are believed. */
const char *page_host(struct request *request)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   ".-:[]";
    const char *host = request_header(request, "Host");
    const char *scheme = request_header(request, "X-Forwarded-Proto");

    if (host == NULL || *host == '\0' || host[strspn(host, harmless)] != '\0')
        return "HOST";
    if (scheme != NULL && strcmp(scheme, "https") == 0)
        return arena_format(&request->arena, "https://%s", host);
    return host;
}
