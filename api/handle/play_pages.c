/* play_pages.c - the pages that show a game: one to play it, one for frames in pages of others.
 *
 * Both are the same for every game. Their scripts ask for the game, with the token that the browser
 * keeps, so that nobody but its players learns whether a private game exists. */
#include <string.h>

#include "api/handle/handlers.h"
#include "api/http/page.h"
#include "api/play/input.h"

static const char play_html[] =
#include "embed/api/pages/play.html.inc"
    ;

/* Without scripts there are the picture and the text. */
static void add_picture(struct out *out, const char *id)
{
    out_format(out,
               "<noscript><p><img src=\"/v1/games/%s/board.svg\" alt=\"The board as text: "
               "/v1/games/%s/board.txt\"></p>\n<p>This page needs JavaScript to play. "
               "<a href=\"/v1/games/%s/board.txt\">The board as text</a></p></noscript>\n",
               id, id, id);
}

void handle_play(struct request *request)
{
    static const char *const files[] = {"play.js", "page.js", "plyd.js", "board.js", NULL};
    struct out out;
    db_id id;

    if (!input_id(request, &id) || !input_no_query(request))
        return;
    page_open(&out, request, "A game on plyd", files);
    page_top(&out);
    out_add(&out, play_html);
    add_picture(&out, request->param[0]);
    page_send(request, &out);
}

void handle_embed(struct request *request)
{
    static const char *const files[] = {"embed.js", "plyd.js", "board.js", NULL};
    struct out out;
    db_id id;

    if (!input_id(request, &id) || !input_no_query(request))
        return;
    page_open(&out, request, "A game on plyd", files);
    out_add(&out,
            "<main class=\"frame\" id=\"frame\"><h1 class=\"hidden\">A game on plyd</h1></main>\n");
    add_picture(&out, request->param[0]);
    page_send_frame(request, &out);
}
