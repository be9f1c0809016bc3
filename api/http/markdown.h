/*
 * markdown.h - the documents of the program, which are Markdown, as parts of a page. Pure.
 *
 * It knows what they use: headings, paragraphs, lists, tables, blocks of code, and in a line
 * `code`, **strong**, *emphasis* and [links](address). Anything else is text, and all texts are
 * escaped.
 */
#ifndef PLYD_API_HTTP_MARKDOWN_H
#define PLYD_API_HTTP_MARKDOWN_H

#include "api/text/out.h"

/* Writes a document as HTML. A heading has its text in small letters as its id ("the-board"), and a
 * paragraph that begins with a number of a rule, such as **2.1**, has that. */
void markdown_write(struct out *out, const char *text);

#endif
