/*
 * page.h - answers for browsers.
 *
 * All pages share one style, and none loads anything from elsewhere: their Content-Security-Policy
 * holds the browser to that. A handler calls page_open(), writes the body with out_add() for markup
 * and page_text() for texts, and ends with page_send(). The loop's thread alone calls these.
 */
#ifndef PLYD_API_HTTP_PAGE_H
#define PLYD_API_HTTP_PAGE_H

#include "api/http/request.h"
#include "api/text/out.h"

/* Begins a page in the request's arena: everything before its body. */
void page_open(struct out *out, struct request *request, const char *title);

/* Writes a text, with what HTML would take for markup escaped. */
void page_text(struct out *out, const char *text);

/* Writes the script of the API reference, the only one that a page may run. */
void page_script(struct out *out);

/* Ends the page and answers with it. */
void page_send(struct request *request, struct out *out);

/* The daemon as this client reached it: "localhost:8080", "https://play.example"; "HOST" if the
 * request does not tell. Safe to show in a page. */
const char *page_host(struct request *request);

#endif
