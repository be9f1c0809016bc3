/* play_pages.c - the pages that show a game: one to play it, one for frames in pages of others.
 *
 * Both are the same for every game. Their scripts ask for the game, with the token that the browser
 * keeps, so that nobody but its players learns whether a private game exists. */
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/page.h"

static const char play_html[] =
#include "embed/api/pages/play.html.inc"
    ;

/* The game is not named here, so that the answer is the same for all of them. */
static const char no_script[] = "<noscript><p class=\"page\">This page needs JavaScript to play. "
                                "Without it, the board of a game is a "
                                "picture at <code>/v1/games/ID/board.svg</code> and a text at "
                                "<code>/v1/games/ID/board.txt</code>, with "
                                "the ID that stands in this page's address.</p></noscript>\n";

void handle_play(struct request *request)
{
    static const char *const files[] = {"play.js",  "page.js",  "plyd.js",  "seen.js", "face.js",
                                        "words.js", "board.js", "play.css", NULL};
    struct out out;
    db_id id;

    if (!input_id(request, &id) || !input_no_query(request))
        return;
    page_open(&out, request, "A game on plyd", files);
    page_top(&out);
    out_add(&out, play_html);
    out_add(&out, no_script);
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
    out_add(&out, no_script);
    page_send_frame(request, &out);
}
