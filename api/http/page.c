#include "api/http/page.h"

#include <string.h>

#include "api/http/files.h"
#include "api/http/reply.h"

/* The browser obeys nothing but the files of this daemon, even if somebody's text found its way
 * into a page as markup, and no script makes markup of a text. Boards are pictures of this daemon.
 */
#define POLICY                                                                  \
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " \
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; "                \
    "form-action 'none'; require-trusted-types-for 'script'; "

/* A page that is no frame has a worker. The one policy of trusted types, which app.js takes, lets
 * through that worker's address alone. */
#define PAGE_POLICY                                         \
    POLICY "worker-src 'self'; trusted-types plyd-worker; " \
           "frame-ancestors 'none'"
#define FRAME_POLICY POLICY "trusted-types 'none'"

/* Names a file of the page in its head, as what its name says that it is. */
static void add_file(struct out *out, const char *name, bool is_script)
{
    const char *file = arena_format(out->arena, "/assets/%s/%s", files_build(), name);

    if (strstr(name, ".css") != NULL)
        out_format(out, "<link rel=\"stylesheet\" href=\"%s\">\n", file);
    else if (is_script)
        out_format(out, "<script type=\"module\" src=\"%s\"></script>\n", file);
    else
        out_format(out, "<link rel=\"modulepreload\" href=\"%s\">\n", file);
}

static void open_head(struct out *out, struct request *request, const char *title,
                      const char *const *files)
{
    out_init(out, &request->arena);
    out_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<meta name=\"theme-color\" content=\"#16181a\" "
                 "media=\"(prefers-color-scheme: dark)\">\n"
                 "<meta name=\"theme-color\" content=\"#fbf9f4\">\n"
                 "<link rel=\"manifest\" href=\"/manifest.webmanifest\">\n<title>");
    page_text(out, title);
    out_add(out, "</title>\n");
    out_format(out,
               "<link rel=\"icon\" href=\"/assets/%s/favicon.svg\">\n"
               "<link rel=\"apple-touch-icon\" href=\"/assets/%s/icon-180.png\">\n",
               files_build(), files_build());
    add_file(out, "style.css", false);
    for (size_t i = 0; files != NULL && files[i] != NULL; i++)
        add_file(out, files[i], i == 0);
}

static void close_head(struct out *out)
{
    out_add(out, "</head>\n<body>\n");
}

void page_open(struct out *out, struct request *request, const char *title,
               const char *const *files)
{
    open_head(out, request, title, files);
    close_head(out);
}

static void add_to_card(struct out *out, const char *property, const char *text)
{
    out_format(out, "<meta property=\"og:%s\" content=\"", property);
    page_text(out, text);
    out_add(out, "\">\n");
}

void page_open_with_card(struct out *out, struct request *request, const struct page_card *card,
                         const char *const *files)
{
    open_head(out, request, card->title, files);
    add_to_card(out, "title", card->title);
    add_to_card(out, "description", card->description);
    add_to_card(out, "type", "website");
    add_to_card(out, "url", page_url(request, card->path));
    add_to_card(out, "image", page_url(request, card->picture));
    close_head(out);
}

void page_top(struct out *out)
{
    out_add(
        out,
        "<header class=\"top\"><a class=\"brand\" href=\"/\">plyd</a>\n<nav aria-label=\"plyd\">"
        "<a href=\"/\">Games</a> <a href=\"/docs\">API</a> "
        "<a href=\"/docs/frontends\">Guide</a></nav></header>\n");
}

void page_bytes(struct out *out, const char *text, size_t len)
{
    const char *end = text + len;

    while (text < end) {
        const char *plain = text;

        while (text < end && strchr("&<>\"'", *text) == NULL)
            text++;
        out_bytes(out, plain, (size_t)(text - plain));
        if (text == end)
            break;
        out_add(out, *text == '&'   ? "&amp;"
                     : *text == '<' ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '"' ? "&quot;"
                                    : "&#39;");
        text++;
    }
}

void page_text(struct out *out, const char *text)
{
    page_bytes(out, text, strlen(text));
}

/* The headers that all pages have. */
static void close_page(struct request *request, struct out *out, const char *policy)
{
    out_add(out, "</body>\n</html>\n");
    reply_header(request, "Content-Security-Policy", policy);
    reply_header(request, "Referrer-Policy", "no-referrer");
}

static const char html[] = "text/html; charset=utf-8";

static void send_page(struct request *request, struct out *out, const char *policy)
{
    close_page(request, out, policy);
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, "no-cache", html, out->text, out->len);
}

void page_send(struct request *request, struct out *out)
{
    send_page(request, out, PAGE_POLICY);
}

/* No list of frames, since "*" would not take in pages that are files. */
void page_send_frame(struct request *request, struct out *out)
{
    send_page(request, out, FRAME_POLICY);
}

void page_send_status(struct request *request, struct out *out, unsigned status)
{
    close_page(request, out, PAGE_POLICY);
    reply_body(request, status, html, out->text, out->len);
}

/* A Host header may hold "$(x)" (framing.h), and pages show it in commands to copy. So only the
 * characters of usual names and ports are believed. NULL: there are others, or no name. */
static const char *believed_host(const struct request *request)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   ".-:[]";
    const char *host = request_header(request, "Host");

    return host == NULL || *host == '\0' || host[strspn(host, harmless)] != '\0' ? NULL : host;
}

static bool came_by_tls(const struct request *request)
{
    const char *scheme =
        request->behind_proxy ? request_header(request, "X-Forwarded-Proto") : NULL;

    return scheme != NULL && strcmp(scheme, "https") == 0;
}

const char *page_host(struct request *request)
{
    const char *host = believed_host(request);

    if (host == NULL)
        return "HOST";
    return came_by_tls(request) ? arena_format(&request->arena, "https://%s", host) : host;
}

const char *page_url(struct request *request, const char *path)
{
    const char *host = believed_host(request);

    if (host == NULL)
        return path;
    return arena_format(&request->arena, "%s://%s%s", came_by_tls(request) ? "https" : "http", host,
                        path);
}
