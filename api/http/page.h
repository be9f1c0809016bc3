/*
 * page.h - answers for browsers.
 *
 * All pages share one style, and none loads anything from elsewhere: their Content-Security-Policy
 * holds the browser to that, and to scripts and styles that are files of the program. A handler
 * calls page_open(), writes the body with out_add() for markup and page_text() for texts, or all at
 * once with page_template(), and ends with page_send(). A page is in English, unless the handler
 * has called page_speak() before. The loop's thread alone calls these.
 *
 * Readers choose a language, and light or dark, by switches that set the cookies plyd-lang and
 * plyd-theme. Cookies say nothing of who asks, and no other address looks at them.
 */
#ifndef PLYD_API_HTTP_PAGE_H
#define PLYD_API_HTTP_PAGE_H

#include "api/http/request.h"
#include "api/text/out.h"

/* Chooses the language of a page that speaks several: that of the query (query_ok()), else the one
 * that its reader has chosen, else the one that their browser asks for. */
void page_speak(struct request *request);

/* The file with the texts of scripts in that language, for page_open(). */
const char *page_texts(struct request *request);

/* "light" or "dark", if the reader has chosen one of them; NULL: as their machine is. */
const char *page_theme(struct request *request);

/* How many rows a list of the reader's had in the start page, as its script has noted in a cookie:
 * so much room is kept for them. */
unsigned page_rows(struct request *request, const char *name);

/* Begins a page in the request's arena: everything before its body. `files` are what it loads, a
 * list that ends with NULL: its script, then the modules that the script imports, so that the
 * browser need not find them out one by one, and styles beside the one that all pages have. NULL:
 * it loads no more. */
void page_open(struct out *out, struct request *request, const char *title,
               const char *const *files);

/* What programs show of a page whose address somebody has pasted: its title too. */
struct page_card {
    const char *title, *description;
    const char *path;    /* of the page */
    const char *picture; /* the path of one that belongs to it */
};

/* The same for a page with a card. */
void page_open_with_card(struct out *out, struct request *request, const struct page_card *card,
                         const char *const *files);

/* Writes the line at the top that leads to the other pages; the second one with the switches of
 * language and theme, in pages that load page.js. */
void page_top(struct out *out, struct request *request);
void page_top_to_choose(struct out *out, struct request *request);

/* What the program writes in the place of a key of a template. */
struct page_part {
    const char *key;
    void (*write)(struct out *out, struct request *request);
};

/* Writes the body of a page, with words in the places of their keys (LANG_WORD): {{share}}. `parts`
 * ends with a key NULL; NULL: there are none. */
void page_template(struct out *out, struct request *request, const char *html,
                   const struct page_part *parts);

/* Writes a text, with what HTML would take for markup escaped. */
void page_text(struct out *out, const char *text);
void page_bytes(struct out *out, const char *text, size_t len);

/* Ends the page and answers with it. page_send_frame() lets pages of others show it in a frame:
 * such a page must do nothing that a click on it could be misused for. page_send_status() is for
 * refusals. */
void page_send(struct request *request, struct out *out);
void page_send_frame(struct request *request, struct out *out);
void page_send_status(struct request *request, struct out *out, unsigned status);

/* The daemon as this client reached it: "localhost:8080", "https://play.example"; "HOST" if the
 * request does not tell. Safe to show in a page. */
const char *page_host(struct request *request);

/* The whole address of a path at the daemon as this client reached it:
 * "https://play.example/docs"; the path alone if the request does not tell. */
const char *page_url(struct request *request, const char *path);

/* ---- markdown.c ------------------------------------------------------------------------------ */

/* The documents of the program, which are Markdown, as parts of a page. Pure.
 *
 * It knows what they use: headings, paragraphs, lists, tables, blocks of code, and in a line
 * `code`, **strong**, *emphasis* and [links](address). Anything else is text, and all texts are
 * escaped. */

/* Writes a document as HTML. A heading has its text in small letters as its id ("the-board"), and a
 * paragraph that begins with a number of a rule, such as **2.1**, has that. */
void markdown_write(struct out *out, const char *text);

#endif
