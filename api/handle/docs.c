/* docs.c - what plyd is and how it is used: the start page, the API reference, the contract. */
#include <string.h>

#include "api/handle/handlers.h"
#include "api/http/accept.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/play/input.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "rules/rules.h"

/* ---- the contract, as it was when the daemon was built ---- */

static const char openapi_yaml[] =
#include "embed/openapi.yaml.inc"
    ;

static const char openapi_json[] =
#include "embed/openapi.json.inc"
    ;

static const char operations_text[] =
#include "embed/operations.txt.inc"
    ;

/* Answers with a text of the program. Clients check it by its ETag each time, for the daemon may be
 * replaced by one with other documents. */
static void reply_constant(struct request *request, const char *type, const char *text, size_t len)
{
    if (!input_no_query(request))
        return;
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, "no-cache", type, text, len);
}

void handle_openapi_yaml(struct request *request)
{
    reply_constant(request, "application/yaml", openapi_yaml, sizeof(openapi_yaml) - 1);
}

void handle_openapi_json(struct request *request)
{
    reply_constant(request, "application/json", openapi_json, sizeof(openapi_json) - 1);
}

/* ---- a guide for frontends ---- */

static const char frontends[] =
#include "embed/FRONTENDS.md.inc"
    ;

void handle_frontends(struct request *request)
{
    reply_constant(request,
                   request->form == FORM_TEXT ? "text/plain; charset=utf-8"
                                              : "text/markdown; charset=utf-8",
                   frontends, sizeof(frontends) - 1);
}

/* ---- the reference ---- */

static const char docs_html[] =
#include "embed/api/pages/docs.html.inc"
    ;

void handle_docs(struct request *request)
{
    struct out out;

    if (request->form == FORM_TEXT) {
        reply_constant(request, "text/plain; charset=utf-8", operations_text,
                       sizeof(operations_text) - 1);
        return;
    }
    if (!input_no_query(request))
        return;
    page_open(&out, request, "plyd: API reference");
    out_add(&out, docs_html);
    page_script(&out);
    page_send(request, &out);
}

/* ---- the start ---- */

static const struct line {
    const char *before, *after, *what; /* the address of this daemon comes between */
} how_to[] = {
    {"curl -H 'Accept: text/plain' ", "/v1/variants", "the games"},
    {"curl ", "/v1/variants/shogi/rules", "the rules of a game"},
    {"curl -d variant=shogi ", "/v1/games", "a new game; keep its id and its token"},
    {"curl -H 'Accept: text/plain' ", "/v1/games/ID", "the board"},
    {"curl ", "/v1/games/ID/legal-moves", "the legal moves"},
    {"curl -u TOKEN: -d 7g7f ", "/v1/games/ID/moves", "a move"},
    {"curl -u TOKEN: -X PUT -d 3c3d ", "/v1/games/ID/moves/2", "a move that is safe to repeat"},
    {"curl -u TOKEN: -d '' ", "/v1/games/ID/undo", "take it back (redo, resign, abort)"},
    {"curl ", "/v1/games/ID/moves", "the history"},
    {"curl ", "/v1/games/ID/positions/0",
     "any position, with links to the next and the previous one"},
    {"curl -H 'Accept: text/plain' ", "/v1/games/ID/replay", "the whole game, move by move"},
    {"curl ", "/v1/games/ID/board.svg", "a picture"},
    {"curl ", "/v1/games/ID.kif",
     "the record: .kif .csa .usi .pdn .json .txt ..., depending on the game"},
    {"curl --data-binary @game.kif ", "/v1/games/import", "a game from a record"},
    {"curl -d name=Ada ", "/v1/players", "one token for all games of a player"},
    {"curl -u TOKEN: -H 'Accept: text/plain' ", "/v1/me/games", "the player's games"},
    {"curl -H 'Accept: text/plain' ", "/v1/games", "public games"},
};

enum { LINES = sizeof(how_to) / sizeof(how_to[0]) };

static const char about[] =
    "plyd keeps board games. It accepts only legal moves, stores each one before it answers, and "
    "lets any client resume or replay any game.";

/* The commands name the host as the client knows it, so that they can be pasted. */
static void root_text(struct request *request)
{
    const char *host = page_host(request);
    struct out out;

    out_init(&out, &request->arena);
    out_format(&out, "%s\n\n", about);
    for (size_t i = 0; i < rules_games(); i++)
        out_format(&out, "  %-18s%s\n", rules_game(i)->name, rules_game(i)->doc);
    out_add(&out, "\n");
    for (size_t i = 0; i < LINES; i++)
        out_format(&out, "# %s\n%s%s%s\n", how_to[i].what, how_to[i].before, host, how_to[i].after);
    out_add(&out, "\nGET /docs lists every address, /openapi.yaml is the exact contract, /problems "
                  "explains every error code,\n/healthz, /readyz and /metrics report the daemon's "
                  "state.\n");
    reply_constant(request, "text/plain; charset=utf-8", out.text, out.len);
}

static void games_table(struct out *out)
{
    out_add(out, "<h2>Games</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
                 "<th scope=\"col\">Game</th><th scope=\"col\">In requests</th>"
                 "<th scope=\"col\">Description</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < rules_games(); i++) {
        out_add(out, "<tr><th scope=\"row\">");
        page_text(out, rules_game(i)->title);
        out_add(out, "</th><td><code>");
        page_text(out, rules_game(i)->name);
        out_add(out, "</code></td><td>");
        page_text(out, rules_game(i)->doc);
        out_format(out, " <a href=\"/v1/variants/%s/rules\">Rules</a></td></tr>\n",
                   rules_game(i)->name);
    }
    out_add(out, "</tbody>\n</table></div>\n");
}

static void root_page(struct request *request)
{
    const char *host = page_host(request);
    struct out out;

    page_open(&out, request, "plyd, the daemon that keeps board games");
    out_add(&out, "<main class=\"page\">\n<h1>plyd</h1>\n<p class=\"lead\">");
    page_text(&out, about);
    out_add(&out, "</p>\n<ul class=\"links\">\n"
                  "<li><a href=\"/docs\">API reference</a></li>\n"
                  "<li><a href=\"/openapi.yaml\">openapi.yaml</a></li>\n"
                  "<li><a href=\"/problems\">Problem codes</a></li>\n</ul>\n"
                  "<h2>A game with curl</h2>\n<pre tabindex=\"0\"><code>");
    for (size_t i = 0; i < LINES; i++)
        page_text(&out, arena_format(&request->arena, "# %s\n%s%s%s\n", how_to[i].what,
                                     how_to[i].before, host, how_to[i].after));
    out_add(&out, "</code></pre>\n");
    games_table(&out);
    out_add(&out, "</main>\n");
    page_send(request, &out);
}

void handle_root(struct request *request)
{
    if (request->form == FORM_TEXT)
        root_text(request);
    else if (input_no_query(request))
        root_page(request);
}
