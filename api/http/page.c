#include "api/http/page.h"

#include <string.h>

#include "api/http/accept.h"
#include "api/http/files.h"
#include "api/http/reply.h"
#include "api/text/lang.h"

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

/* ---- what its reader wants ---- */

/* The value of a cookie, from the arena; "" if there is none. The header comes under a name that
 * libmicrohttpd does not know (net/framing.c). */
static const char *cookie(struct request *request, const char *name)
{
    const char *at = request_header(request, "Cooki_");
    size_t len = strlen(name);

    for (; at != NULL; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, name, len) == 0 && at[len] == '=')
            return arena_copy(&request->arena, at + len + 1, strcspn(at + len + 1, "; "));
    }
    return "";
}

/* The language that an Accept-Language header likes best; English unless it names another one. */
static const struct lang *wanted_lang(const char *header)
{
    static const char *const tags[] = {"en", "ja", "tr"};
    int best = 0;
    const char *tag = tags[0];

    for (size_t i = 0; header != NULL && i < sizeof(tags) / sizeof(tags[0]); i++) {
        int weight = accept_language(header, tags[i]);

        if (weight > best) {
            best = weight;
            tag = tags[i];
        }
    }
    return lang_find(tag);
}

void page_speak(struct request *request)
{
    if (request->lang == NULL)
        request->lang = lang_find(cookie(request, "plyd-lang"));
    if (request->lang == NULL)
        request->lang = wanted_lang(request_header(request, "Accept-Language"));
}

const char *page_texts(struct request *request)
{
    return arena_format(&request->arena, "texts.%s.js", lang_tag(request->lang));
}

const char *page_theme(struct request *request)
{
    const char *theme = cookie(request, "plyd-theme");

    return strcmp(theme, "light") == 0 || strcmp(theme, "dark") == 0 ? theme : NULL;
}

unsigned page_rows(struct request *request, const char *name)
{
    const char *rows = cookie(request, name);

    return *rows >= '1' && *rows <= '9' ? (unsigned)(*rows - '0') : 0;
}

/* ---- the head ---- */

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

/* The browser paints by these before any style is there. */
static void add_colours(struct out *out, const char *theme)
{
    static const char dark[] = "#16181a", light[] = "#fbf9f4";

    out_format(out, "<meta name=\"color-scheme\" content=\"%s\">\n",
               theme == NULL ? "light dark" : theme);
    if (theme == NULL)
        out_format(out,
                   "<meta name=\"theme-color\" content=\"%s\" "
                   "media=\"(prefers-color-scheme: dark)\">\n",
                   dark);
    out_format(out, "<meta name=\"theme-color\" content=\"%s\">\n",
               theme != NULL && strcmp(theme, "dark") == 0 ? dark : light);
}

static void open_head(struct out *out, struct request *request, const char *title,
                      const char *const *files)
{
    const char *theme = page_theme(request);

    out_init(out, &request->arena);
    out_format(out, "<!doctype html>\n<html lang=\"%s\"", lang_tag(request->lang));
    if (theme != NULL)
        out_format(out, " data-theme=\"%s\"", theme);
    out_add(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    add_colours(out, theme);
    out_add(out, "<link rel=\"manifest\" href=\"/manifest.webmanifest\">\n<title>");
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

/* ---- the body ---- */

static const char top[] =
    "<header class=\"top\"><a class=\"brand\" href=\"/\">plyd</a>\n<nav aria-label=\"plyd\">"
    "<a href=\"/\">{{nav-games}}</a> <a href=\"/docs\">API</a> "
    "<a href=\"/docs/frontends\">{{nav-guide}}</a></nav>{{wishes}}</header>\n";

static void no_wishes(struct out *out, struct request *request)
{
    (void)out;
    (void)request;
}

static void add_choice(struct out *out, const char *value, bool is_chosen, const char *text)
{
    out_format(out, "<option value=\"%s\"%s>", value, is_chosen ? " selected" : "");
    page_text(out, text);
    out_add(out, "</option>");
}

/* The switches. What they show follows from the cookies that they set. */
static void wishes(struct out *out, struct request *request)
{
    static const char *const langs[][2] = {{"en", "English"}, {"ja", "日本語"}, {"tr", "Türkçe"}};
    static const char *const themes[][2] = {
        {"", "theme-system"}, {"light", "theme-light"}, {"dark", "theme-dark"}};
    const char *theme = page_theme(request) == NULL ? "" : page_theme(request);

    out_format(
        out, "\n<div class=\"wishes\"><select id=\"lang\" autocomplete=\"off\" aria-label=\"%s\">",
        lang_word(request->lang, "language"));
    for (size_t i = 0; i < sizeof(langs) / sizeof(langs[0]); i++)
        add_choice(out, langs[i][0], request->lang == lang_find(langs[i][0]), langs[i][1]);
    out_format(out, "</select>\n<select id=\"theme\" autocomplete=\"off\" aria-label=\"%s\">",
               lang_word(request->lang, "theme"));
    for (size_t i = 0; i < sizeof(themes) / sizeof(themes[0]); i++)
        add_choice(out, themes[i][0], strcmp(theme, themes[i][0]) == 0,
                   lang_word(request->lang, themes[i][1]));
    out_add(out, "</select></div>");
}

void page_top(struct out *out, struct request *request)
{
    page_template(out, request, top,
                  (const struct page_part[]){{"wishes", no_wishes}, {NULL, NULL}});
}

void page_top_to_choose(struct out *out, struct request *request)
{
    page_template(out, request, top, (const struct page_part[]){{"wishes", wishes}, {NULL, NULL}});
}

/* Writes what belongs in the place of a key. */
static void fill_place(struct out *out, struct request *request, const char *key,
                       const struct page_part *parts)
{
    for (; parts != NULL && parts->key != NULL; parts++) {
        if (strcmp(parts->key, key) != 0)
            continue;
        parts->write(out, request);
        return;
    }
    page_text(out, lang_word(request->lang, key));
}

void page_template(struct out *out, struct request *request, const char *html,
                   const struct page_part *parts)
{
    const char *place;

    while ((place = strstr(html, "{{")) != NULL) {
        const char *end = strstr(place, "}}");

        out_bytes(out, html, (size_t)(place - html));
        fill_place(out, request, arena_copy(&request->arena, place + 2, (size_t)(end - place) - 2),
                   parts);
        html = end + 2;
    }
    out_add(out, html);
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
    reply_header(request, "Vary", "Accept, Accept-Language, Cookie, Origin");
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
