/* lobby.c - the start page: the games, each of which one tap begins; for curl, what to type. */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/opponent.h"
#include "api/http/accept.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/text/out.h"
#include "api/view/catalogue.h"
#include "engine/engine.h"
#include "rules/rules.h"

/* ---- for curl ---- */

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
    reply_document(request, "no-cache", "text/plain; charset=utf-8", out.text, out.len);
}

/* ---- for browsers ---- */

/* One game with the picture of its board: a button that begins it, and one for other terms. */
static void game_card(struct out *out, const struct rules_game *game)
{
    out_format(out,
               "<li class=\"game\" data-variant=\"%s\"><button type=\"button\" class=\"start\" "
               "value=\"%s\">\n"
               "<picture><source media=\"(prefers-color-scheme: dark)\" "
               "srcset=\"/v1/variants/%s/board.svg?coords=false&amp;theme=dark\">\n"
               "<img src=\"/v1/variants/%s/board.svg?coords=false\" width=\"160\" height=\"160\" "
               "alt=\"\"></picture>\n<span class=\"title\">",
               game->name, game->name, game->name, game->name);
    page_text(out, game->title);
    out_add(out, "</span> <span class=\"soft\">");
    page_text(out, game->doc);
    out_format(out,
               "</span></button>\n"
               "<button type=\"button\" class=\"more\" value=\"%s\"><span class=\"hidden\">",
               game->name);
    page_text(out, game->title);
    out_add(out, ": </span>With a friend …</button></li>\n");
}

static void game_cards(struct request *request, struct out *out)
{
    (void)request;
    for (size_t i = 0; i < rules_games(); i++)
        game_card(out, rules_game(i));
}

/* How strong the computer is to be: the levels of the engine, and chance. The value of each is the
 * seat of a new game. */
static void strengths(struct request *request, struct out *out)
{
    unsigned levels = thinkers_any(thinkers_of(request->loop)) ? ENGINE_LEVELS : 0;

    for (unsigned level = 1; level <= levels; level++)
        out_format(out,
                   "<option value='{\"engine\":\"plyd\",\"level\":%u}'%s>Level %u. %s</option>\n",
                   level, level == OPPONENT_LEVEL ? " selected" : "", level, view_level_doc(level));
    out_add(out,
            "<option value='{\"engine\":\"random\"}'>Chance. It plays any legal move.</option>\n");
}

static const char lobby_html[] =
#include "embed/api/pages/lobby.html.inc"
    ;

/* What the program writes in the place of a line of the page. */
static const struct part {
    const char *mark;
    void (*write)(struct request *request, struct out *out);
} parts[] = {
    {"<!-- strengths -->\n", strengths},
    {"<!-- games -->\n", game_cards},
};

static void root_page(struct request *request)
{
    static const char *const files[] = {"lobby.js", "page.js",  "plyd.js",
                                        "seen.js",  "words.js", NULL};
    const char *at = lobby_html;
    struct out out;

    page_open(&out, request, "plyd: board games", files);
    page_top(&out);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const char *here = strstr(at, parts[i].mark);

        out_bytes(&out, at, (size_t)(here - at));
        parts[i].write(request, &out);
        at = here + strlen(parts[i].mark);
    }
    out_add(&out, at);
    page_send(request, &out);
}

void handle_root(struct request *request)
{
    if (request->form == FORM_TEXT)
        root_text(request);
    else if (input_no_query(request))
        root_page(request);
}
