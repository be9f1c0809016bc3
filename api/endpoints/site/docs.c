/* docs.c - the root, the contract, the guides for frontends. The start page, the API reference, the
 * contract. */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/accept.h"
#include "api/http/files.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "rules/rules.h"

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
    if (!input_no_query(request))
        return;
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, "no-cache", plain, out.text, out.len);
}

/* One game as a choice of the lobby, with the picture of its board. */
static void game_card(struct out *out, const struct rules_game *game, bool is_first)
{
    out_format(out,
               "<label class=\"game\"><input type=\"radio\" name=\"variant\" value=\"%s\"%s>\n"
               "<picture><source media=\"(prefers-color-scheme: dark)\" "
               "srcset=\"/v1/variants/%s/board.svg?coords=false&amp;theme=dark\">\n"
               "<img src=\"/v1/variants/%s/board.svg?coords=false\" width=\"160\" height=\"160\" "
               "alt=\"\"></picture>\n<span class=\"title\">",
               game->name, is_first ? " checked" : "", game->name, game->name);
    page_text(out, game->title);
    out_add(out, "</span> <span class=\"soft\">");
    page_text(out, game->doc);
    out_add(out, "</span></label>\n");
}

static const char lobby_html[] =
#include "embed/api/pages/lobby.html.inc"
    ;

static void root_page(struct request *request)
{
    static const char *const files[] = {"lobby.js", "page.js",  "plyd.js",
                                        "seen.js",  "words.js", NULL};
    static const char mark[] = "<!-- games -->\n";
    const char *here = strstr(lobby_html, mark);
    struct out out;

    page_open(&out, request, "plyd: board games", files);
    page_top(&out);
    out_bytes(&out, lobby_html, (size_t)(here - lobby_html));
    for (size_t i = 0; i < rules_games(); i++)
        game_card(&out, rules_game(i), i == 0);
    out_add(&out, here + strlen(mark));
    page_send(request, &out);
}

void handle_root(struct request *request)
{
    if (request->form == FORM_TEXT)
        root_text(request);
    else if (input_no_query(request))
        root_page(request);
}
