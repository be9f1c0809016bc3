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
#include "api/text/lang.h"
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
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, "no-cache", "text/plain; charset=utf-8", out.text, out.len);
}

/* ---- for browsers ---- */

/* The picture of a game's board, light or dark as the page is. */
static void game_picture(struct out *out, const struct rules_game *game, const char *theme)
{
    const char *address =
        arena_format(out->arena, "/v1/variants/%s/board.svg?coords=false", game->name);
    bool is_dark = theme != NULL && strcmp(theme, "dark") == 0;

    out_add(out, "<picture>");
    if (theme == NULL)
        out_format(out,
                   "<source media=\"(prefers-color-scheme: dark)\" srcset=\"%s&amp;theme=dark\">\n",
                   address);
    out_format(out, "<img src=\"%s%s\" width=\"160\" height=\"160\" alt=\"\"></picture>\n", address,
               is_dark ? "&amp;theme=dark" : "");
}

/* One game: a button that begins it, and one for other terms. */
static void game_card(struct out *out, struct request *request, const struct rules_game *game)
{
    const char *title = view_variant_title(request->lang, game);

    out_format(out,
               "<li class=\"game\" data-variant=\"%s\"><button type=\"button\" class=\"start\" "
               "value=\"%s\">\n",
               game->name, game->name);
    game_picture(out, game, page_theme(request));
    out_add(out, "<span class=\"title\">");
    page_text(out, title);
    out_add(out, "</span> <span class=\"soft\">");
    page_text(out, view_variant_doc(request->lang, game));
    out_format(out,
               "</span></button>\n"
               "<button type=\"button\" class=\"more\" value=\"%s\"><span class=\"hidden\">",
               game->name);
    page_text(out, title);
    out_add(out, ": </span>");
    page_text(out, lang_word(request->lang, "with-a-friend"));
    out_add(out, "</button></li>\n");
}

static void game_cards(struct out *out, struct request *request)
{
    for (size_t i = 0; i < rules_games(); i++)
        game_card(out, request, rules_game(i));
}

/* How strong the computer is to be: the levels of the engine, and chance. The value of each is the
 * seat of a new game. */
static void strengths(struct out *out, struct request *request)
{
    unsigned levels = thinkers_any(thinkers_of(request->loop)) ? ENGINE_LEVELS : 0;

    for (unsigned level = 1; level <= levels; level++) {
        out_format(out, "<option value='{\"engine\":\"plyd\",\"level\":%u}'%s>", level,
                   level == OPPONENT_LEVEL ? " selected" : "");
        page_text(out, lang_fill(out->arena, request->lang, "level-doc", "level",
                                 arena_format(out->arena, "%u", level), "doc",
                                 view_level_doc(request->lang, level), NULL));
        out_add(out, "</option>\n");
    }
    out_add(out, "<option value='{\"engine\":\"random\"}'>");
    page_text(out, lang_word(request->lang, "chance"));
    out_add(out, "</option>\n");
}

/* Room for the games and the challenges of who has some, so that nothing jumps when they come. */
static void hide_without(struct out *out, struct request *request, const char *rows)
{
    out_add(out, page_rows(request, rows) == 0 ? " hidden" : "");
}

static void blank_rows(struct out *out, struct request *request, const char *rows)
{
    for (unsigned i = page_rows(request, rows); i > 0; i--)
        out_add(out, "<li class=\"blank\"></li>");
}

static void mine_hidden(struct out *out, struct request *request)
{
    hide_without(out, request, "plyd-mine");
}

static void mine_rows(struct out *out, struct request *request)
{
    blank_rows(out, request, "plyd-mine");
}

static void asked_hidden(struct out *out, struct request *request)
{
    hide_without(out, request, "plyd-asked");
}

static void asked_rows(struct out *out, struct request *request)
{
    blank_rows(out, request, "plyd-asked");
}

static const char lobby_html[] =
#include "embed/api/pages/lobby.html.inc"
    ;

static void root_page(struct request *request)
{
    static const struct page_part parts[] = {{"games", game_cards},
                                             {"strengths", strengths},
                                             {"mine-hidden", mine_hidden},
                                             {"mine-rows", mine_rows},
                                             {"asked-hidden", asked_hidden},
                                             {"asked-rows", asked_rows},
                                             {NULL, NULL}};
    struct out out;

    page_open(&out, request, lang_word(request->lang, "lobby-page"),
              (const char *const[]){"lobby.js", "page.js", page_texts(request), NULL});
    page_top_to_choose(&out, request);
    page_template(&out, request, lobby_html, parts);
    page_send(request, &out);
}

void handle_root(struct request *request)
{
    if (!input_page(request))
        return;
    if (request->form == FORM_TEXT)
        root_text(request);
    else
        root_page(request);
}
