/* problems.c - what each code of a problem means, for programs, terminals and browsers. */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/accept.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/text/problem.h"

static void kind_json(struct json *json, const struct problem_kind *kind)
{
    json_member(json, "code", kind->code);
    json_member_int(json, "status", kind->status);
    json_member(json, "title", kind->title);
    json_member(json, "meaning", kind->meaning);
}

/* ---- one ---- */

static void problem_page(struct request *request, const struct problem_kind *kind)
{
    struct out out;

    page_open(&out, request, kind->title, NULL);
    page_top(&out, request);
    out_format(&out,
               "<main class=\"page\">\n<p><span class=\"status s%u\">%u</span>"
               "<code>%s</code></p>\n<h1>",
               kind->status / 100, kind->status, kind->code);
    page_text(&out, kind->title);
    out_add(&out, "</h1>\n<p class=\"lead\">");
    page_text(&out, kind->meaning);
    out_add(&out, "</p>\n<ul class=\"links\">\n"
                  "<li><a href=\"/problems\">All problem codes</a></li>\n"
                  "<li><a href=\"/docs\">API reference</a></li>\n</ul>\n</main>\n");
    page_send(request, &out);
}

void handle_problem(struct request *request)
{
    enum problem problem = problem_find(request->param[0]);
    const struct problem_kind *kind = problem_kind(problem);
    struct json json;

    if (!input_no_query(request))
        return;
    if (problem == PROBLEM_NONE) {
        reply_problem(request, PROBLEM_NO_SUCH_ROUTE,
                      "No problem has that code; GET /problems lists them.");
    } else if (request->form == FORM_HTML) {
        problem_page(request, kind);
    } else if (request->form == FORM_TEXT) {
        reply_text(request, 200,
                   arena_format(&request->arena, "%s (%u)\n%s\n%s\n", kind->code, kind->status,
                                kind->title, kind->meaning));
    } else {
        json_init(&json, &request->arena);
        json_open(&json, '{');
        kind_json(&json, kind);
        json_finish(&json);
        reply_json(request, 200, &json);
    }
}

/* ---- all ---- */

/* The next problem after *problem. A code that both the rules and the API use is a problem of each,
 * and is told once, where problem_find() finds it. NULL: there are no more. */
static const struct problem_kind *next_kind(enum problem *problem)
{
    while (++*problem < PROBLEMS)
        if (problem_find(problem_kind(*problem)->code) == *problem)
            return problem_kind(*problem);
    return NULL;
}

static void problems_page(struct request *request)
{
    const struct problem_kind *kind;
    struct out out;

    page_open(&out, request, "plyd: problem codes", NULL);
    page_top(&out, request);
    out_add(&out, "<main class=\"page\">\n<h1>Problem codes</h1>\n<p class=\"lead\">Every error "
                  "is <code>application/problem+json</code> (RFC 9457) with one of these codes."
                  "</p>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Code</th>"
                  "<th scope=\"col\">Status</th><th scope=\"col\">Meaning</th></tr></thead>\n"
                  "<tbody>\n");
    for (enum problem at = PROBLEM_NONE; (kind = next_kind(&at)) != NULL;) {
        out_format(&out,
                   "<tr><th scope=\"row\"><a href=\"/problems/%s\"><code>%s"
                   "</code></a></th><td>%u</td><td><strong>",
                   kind->code, kind->code, kind->status);
        page_text(&out, kind->title);
        out_add(&out, "</strong><br>");
        page_text(&out, kind->meaning);
        out_add(&out, "</td></tr>\n");
    }
    out_add(&out, "</tbody>\n</table></div>\n</main>\n");
    page_send(request, &out);
}

static void problems_text(struct request *request)
{
    const struct problem_kind *kind;
    struct out out;

    out_init(&out, &request->arena);
    for (enum problem at = PROBLEM_NONE; (kind = next_kind(&at)) != NULL;)
        out_format(&out, "%u %-22s %s\n", kind->status, kind->code, kind->title);
    reply_text(request, 200, out.text);
}

void handle_problems(struct request *request)
{
    const struct problem_kind *kind;
    struct json json;

    if (!input_no_query(request))
        return;
    if (request->form == FORM_HTML) {
        problems_page(request);
        return;
    }
    if (request->form == FORM_TEXT) {
        problems_text(request);
        return;
    }
    json_init(&json, &request->arena);
    reply_list_open(&json);
    for (enum problem at = PROBLEM_NONE; (kind = next_kind(&at)) != NULL;) {
        json_open(&json, '{');
        kind_json(&json, kind);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_finish(&json);
    reply_json(request, 200, &json);
}
