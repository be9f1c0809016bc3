/* variants.c - the games that may be played: what they are, and their rules. */
#include <string.h>

#include "api/endpoints/board_query.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/accept.h"
#include "api/http/page.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/text/json.h"
#include "api/view/board.h"
#include "api/view/catalogue.h"
#include "rules/draw/picture.h"
#include "rules/rules.h"

/* What is told of a game changes with the program alone, but that may be replaced at any time. */
static const char for_an_hour[] = "public, max-age=3600";

static const char *const lang_alone[] = {"lang", NULL};

void handle_variants(struct request *request)
{
    struct json json;

    if (!query_ok(request, lang_alone))
        return;
    reply_header(request, "Vary", "Accept, Origin");
    if (request->form == FORM_TEXT) {
        const char *text = view_variants_text(&request->arena);

        reply_document(request, for_an_hour, "text/plain; charset=utf-8", text, strlen(text));
        return;
    }
    json_init(&json, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < rules_games(); i++) {
        json_open(&json, '{');
        view_variant_members(&json, request->lang, rules_game(i),
                             thinkers_any(thinkers_of(request->loop)));
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_key(&json, "next");
    json_null(&json);
    json_key(&json, "engines");
    view_engines(&json, request->lang, thinkers_any(thinkers_of(request->loop)));
    json_finish(&json);
    reply_document(request, for_an_hour, "application/json", json.out.text, json.out.len);
}

void handle_variant(struct request *request)
{
    const struct rules_game *game = input_variant(request);
    struct json json;

    if (game == NULL || !query_ok(request, lang_alone))
        return;
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_variant(&json, request->lang, game, thinkers_any(thinkers_of(request->loop)));
    json_finish(&json);
    reply_document(request, for_an_hour, "application/json", json.out.text, json.out.len);
}

static void rules_page(struct request *request, const struct rules_game *game, const char *text)
{
    struct out out;

    page_open(&out, request, arena_format(&request->arena, "The rules of %s", game->title), NULL);
    page_top(&out, request);
    out_add(&out, "<main class=\"page text\">\n");
    markdown_write(&out, text);
    out_add(&out, "</main>\n");
    page_send(request, &out);
}

/* Markdown is text too: a client that asks for text/plain gets the same document under that type.
 */
void handle_variant_rules(struct request *request)
{
    const struct rules_game *game = input_variant(request);
    const char *text;

    if (game == NULL || !query_ok(request, lang_alone))
        return;
    text = view_rules(&request->arena, request->lang, game);
    if (request->form == FORM_HTML) {
        rules_page(request, game, text);
        return;
    }
    reply_header(request, "Vary", "Accept, Origin");
    reply_document(request, for_an_hour,
                   request->form == FORM_TEXT ? "text/plain; charset=utf-8"
                                              : "text/markdown; charset=utf-8",
                   text, strlen(text));
}

/* Reads which set of men is wanted; the usual one has no name. */
static bool read_set(struct request *request, const struct rules_game *game,
                     const struct rules_set **set)
{
    const char *name = query_text(request, "men"), *there = "";
    const struct rules_set *sets = game->art->sets;

    for (; name != NULL && sets != NULL && sets->name != NULL; sets++) {
        there = arena_format(&request->arena, "%s \"%s\"", there, sets->name);
        if (strcmp(sets->name, name) != 0)
            continue;
        *set = sets;
        return true;
    }
    if (name != NULL)
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?men",
                         *there == '\0' ? "This game has the usual men alone."
                                        : arena_format(&request->arena, "There are:%s.", there));
    return name == NULL;
}

void handle_variant_men_picture(struct request *request)
{
    static const char *const known[] = {"theme", "men", "ids", NULL};
    const struct rules_game *game = input_variant(request);
    struct rules_picture_options *frame;

    if (game == NULL || !query_ok(request, known))
        return;
    frame = board_query_frame(request, BOARD_SVG_WIDEST);
    if (frame != NULL && read_set(request, game, &frame->set))
        board_query_reply(request, for_an_hour, view_men_picture(&request->arena, game, frame));
}
