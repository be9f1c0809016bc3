/*
 * page.h - answers for browsers: one look, and nothing that comes from outside, which the
 * Content-Security-Policy of every page holds the browser to.
 */
#ifndef PLYD_API_HTTP_PAGE_H
#define PLYD_API_HTTP_PAGE_H

#include "api/http/request.h"
#include "api/text/out.h"

/* Begins a page: its head, with the style that all pages share. The body follows by out_add()
 * for markup and page_text() for texts. */
void page_open(struct out *out, struct request *request, const char *title);
void page_text(struct out *out, const char *text);

/* The script of the API reference. It is the only one that a page may run. */
void page_script(struct out *out);

/* Ends the page and answers with it. */
void page_send(struct request *request, struct out *out);

/* How to reach this daemon, as the client did: "localhost:8080", "https://play.example". */
const char *page_host(struct request *request);

#endif
