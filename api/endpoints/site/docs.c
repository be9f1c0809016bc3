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

/* Writes the names of the games that there are, parted by `between`. */
static const char *list_games(struct arena *arena, const char *quote, const char *between)
{
    struct out out;

    out_init_short(&out, arena);
    for (size_t i = 0; i < rules_games(); i++)
        out_format(&out, "%s%s%s%s", i > 0 ? between : "", quote, rules_game(i)->name, quote);
    return out.text;
}

/* The contract, in whose list of games, behind `before`, those that were added have their place. */
static void reply_contract(struct request *request, const char *name, const char *before,
                           const char *games)
{
    const struct file *file = files_find(name);
    const char *list = strstr(file->text, before) + strlen(before);
    size_t head = (size_t)(list - file->text), len = strcspn(list, "]");
    struct out out;

    if (strlen(games) == len && memcmp(list, games, len) == 0) {
        reply_as(request, name, NULL);
        return;
    }
    if (!input_no_query(request))
        return;
    out_init(&out, &request->arena);
    out_bytes(&out, file->text, head);
    out_add(&out, games);
    out_bytes(&out, list + len, file->len - head - len);
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, "no-cache", file->type, out.text, out.len);
}

void handle_openapi_yaml(struct request *request)
{
    reply_contract(request, "/openapi.yaml",
                   "\n    VariantName:\n      type: string\n      enum: [",
                   list_games(&request->arena, "", ", "));
}

void handle_openapi_json(struct request *request)
{
    reply_contract(request, "/openapi.json", "\"VariantName\":{\"type\":\"string\",\"enum\":[",
                   list_games(&request->arena, "\"", ","));
}

static const char plain[] = "text/plain; charset=utf-8";

/* ---- guides for frontends ---- */

static void guide_page(struct request *request, const char *title, const char *name)
{
    struct out out;

    page_open(&out, request, title, NULL);
    page_top(&out, request);
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

void handle_people_guide(struct request *request)
{
    reply_guide(request, "plyd: people who know each other", "/people.md");
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
