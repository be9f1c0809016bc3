#include "api/http/reply_problem.h"

#include <string.h>

#include "api/http/accept.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/text/lang.h"

void reply_problem_members(struct json *json, enum problem problem, const char *detail,
                           const struct lang *lang)
{
    const struct problem_kind *kind = problem_kind(problem);

    json_member(json, "type", arena_format(json->out.arena, "/problems/%s", kind->code));
    json_member(json, "title", lang_say(lang, LANG_TITLE, kind->code, kind->title));
    json_member_int(json, "status", kind->status);
    json_member(json, "code", kind->code);
    json_member(json, "detail", detail != NULL ? detail : kind->meaning);
}

void reply_problem_open(struct request *request, struct json *json, enum problem problem,
                        const char *detail)
{
    request->refusal = detail != NULL ? detail : problem_kind(problem)->meaning;
    json_init(json, &request->arena);
    json_open(json, '{');
    reply_problem_members(json, problem, request->refusal, request->lang);
}

/* The title in the request's language. */
static const char *title_of_problem(const struct request *request, const struct problem_kind *kind)
{
    return lang_say(request->lang, LANG_TITLE, kind->code, kind->title);
}

/* The same as the JSON, for people at a terminal: title, sentence, and where to read on. */
static const char *problem_text(struct request *request, const struct problem_kind *kind)
{
    bool somewhere = request->refused_at != NULL;

    return arena_format(&request->arena, "%s\n%s\n(%u %s%s%s: see /problems/%s)\n",
                        title_of_problem(request, kind), request->refusal, kind->status, kind->code,
                        somewhere ? " at " : "", somewhere ? request->refused_at : "", kind->code);
}

/* The same as a page, for people who have followed a link. */
static void problem_page(struct request *request, const struct problem_kind *kind)
{
    struct out out;

    page_open(&out, request, title_of_problem(request, kind), NULL);
    page_top(&out, request);
    out_format(&out, "<main class=\"page\">\n<p class=\"status s%u\">%u</p>\n<h1>",
               kind->status / 100, kind->status);
    page_text(&out, title_of_problem(request, kind));
    out_add(&out, "</h1>\n<p class=\"lead\">");
    page_text(&out, request->refusal);
    out_format(&out,
               "</p>\n<ul class=\"links\">\n<li><a href=\"/\">Play a game</a></li>\n"
               "<li><a href=\"/problems/%s\">What <code>%s</code> means</a></li>\n"
               "<li><a href=\"/docs\">All addresses</a></li>\n</ul>\n</main>\n",
               kind->code, kind->code);
    page_send_status(request, &out, kind->status);
}

/* Whether another daemon may be able to do it, now and later. */
static bool is_left_to_others(enum problem problem)
{
    return problem == PROBLEM_NEWER_PROGRAM || problem == PROBLEM_GAME_NOT_LOADED;
}

/* RFC 6750: a token that came and is not good is called so. Titles are plain ASCII. */
static const char *challenge(struct request *request, const struct problem_kind *kind)
{
    return strncmp(kind->code, "jwt-", 4) != 0
               ? "Bearer realm=\"plyd\""
               : arena_format(&request->arena,
                              "Bearer realm=\"plyd\", error=\"invalid_token\", "
                              "error_description=\"%s\"",
                              kind->title);
}

void reply_problem_send(struct request *request, struct json *json, enum problem problem)
{
    const struct problem_kind *kind = problem_kind(problem);
    unsigned form;

    /* HTTP wants a 401 to say how to authenticate. */
    if (kind->status == 401)
        reply_header(request, "WWW-Authenticate", challenge(request, kind));
    /* A queue that is full, or a database that is away, may be back in a second. Another daemon, if
     * there is one that knows more, is met by chance. */
    if (kind->status == 503 && !reply_has_header(request, "Retry-After"))
        reply_header(request, "Retry-After", is_left_to_others(problem) ? "10" : "1");
    /* What the address offers does not matter: a refusal is never a picture. */
    form = accept_form(request_header_list(request, "Accept"), FORM_JSON | FORM_TEXT | FORM_HTML);
    if (form == FORM_TEXT) {
        reply_text(request, kind->status, problem_text(request, kind));
        return;
    }
    if (form == FORM_HTML) {
        problem_page(request, kind);
        return;
    }
    json_member(json, "request_id", request->id);
    json_finish(json);
    reply_body(request, kind->status, "application/problem+json", json->out.text, json->out.len);
}

void reply_problem_point(struct request *request, struct json *json, const char *pointer)
{
    request->refused_at = pointer;
    json_member(json, "pointer", pointer);
}

void reply_problem_at(struct request *request, enum problem problem, const char *pointer,
                      const char *detail)
{
    struct json json;

    reply_problem_open(request, &json, problem, detail);
    if (pointer != NULL && *pointer != '\0')
        reply_problem_point(request, &json, pointer);
    reply_problem_send(request, &json, problem);
}

void reply_problem(struct request *request, enum problem problem, const char *detail)
{
    reply_problem_at(request, problem, NULL, detail);
}
