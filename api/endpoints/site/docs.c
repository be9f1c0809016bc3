/* docs.c - the contract, the API reference, the guides for frontends. */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/accept.h"
#include "api/http/files.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/text/out.h"

/* ---- files of the program ---- */

/* Clients check a file by its ETag each time, for the daemon may be replaced by one with other
 * files. */
static void reply_as(struct request *request, const char *name, const char *type)
{
    const struct file *file = files_find(name);

    if (!input_no_query(request))
        return;
    reply_header(request, "Vary", "Accept, Origin");
    reply_file(request, "no-cache", type == NULL ? file->type : type, file);
}

void handle_openapi_yaml(struct request *request)
{
    reply_as(request, "/openapi.yaml", NULL);
}

void handle_openapi_json(struct request *request)
{
    reply_as(request, "/openapi.json", NULL);
}

static const char plain[] = "text/plain; charset=utf-8";

/* ---- guides for frontends ---- */

static void guide_page(struct request *request, const char *title, const char *name)
{
    struct out out;

    page_open(&out, request, title, NULL);
    page_top(&out);
    out_add(&out, "<main class=\"page text\">\n");
    markdown_write(&out, files_find(name)->text);
    out_add(&out, "</main>\n");
    page_send(request, &out);
}

static void reply_guide(struct request *request, const char *title, const char *name)
{
    if (request->form != FORM_HTML)
        reply_as(request, name, request->form == FORM_TEXT ? plain : NULL);
    else if (input_no_query(request))
        guide_page(request, title, name);
}

void handle_frontends(struct request *request)
{
    reply_guide(request, "plyd: writing a frontend", "/FRONTENDS.md");
}

void handle_module_guide(struct request *request)
{
    reply_guide(request, "plyd: the module plyd.js", "/module.md");
}

void handle_board_guide(struct request *request)
{
    reply_guide(request, "plyd: the board element", "/board.md");
}

/* ---- the reference ---- */

static const char docs_html[] =
#include "embed/api/pages/docs.html.inc"
    ;

void handle_docs(struct request *request)
{
    static const char *const files[] = {"docs.js", "docs.css", NULL};
    struct out out;

    if (request->form == FORM_TEXT) {
        reply_as(request, "/operations.txt", NULL);
        return;
    }
    if (!input_no_query(request))
        return;
    page_open(&out, request, "plyd: API reference", files);
    out_add(&out, docs_html);
    page_send(request, &out);
}
