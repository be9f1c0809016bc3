/* play_pages.c - the pages that show a game: one to play it, one for frames in pages of others.
 *
 * Their scripts ask for the game, with the token that the browser keeps, so that nobody but its
 * players learns whether a private game exists. The pages are the same for every game, but for the
 * card of a public one, which programs show that find its address in a text. */
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/ids.h"
#include "api/game/opponent.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/page.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/text/lang.h"
#include "db/db.h"

static const char play_html[] =
#include "embed/api/pages/play.html.inc"
    ;

/* The game is not named here, so that the answer is the same for all of them. */
static const char no_script[] =
    "<noscript><p class=\"page\">{{needs-javascript}} {{board-without-script}} "
    "<code>/v1/games/ID/board.svg</code>, <code>/v1/games/ID/board.txt</code></p></noscript>\n";

/* ---- the card of a game that everybody may see ---- */

/* How the one of a seat is called, as in the title of a match. */
static const char *name_on_card(struct arena *arena, const struct db_game *row,
                                const struct rules_game *game, unsigned seat)
{
    const struct db_seat *sits = &row->seat[seat - 1];

    if (sits->name != NULL)
        return sits->name;
    return sits->state == SEAT_ENGINE ? opponent_title(arena, lang_find("en"), sits->engine)
                                      : game->seat[seat - 1].name;
}

static const char *news_on_card(struct arena *arena, const struct db_game *row,
                                const struct rules_game *game)
{
    if (row->status == STATUS_OPEN)
        return "A seat is open: come and play.";
    if (row->status == STATUS_ACTIVE)
        return arena_format(arena, "After move %d, %s is to move. Come and watch.", row->ply,
                            name_on_card(arena, row, game, (unsigned)row->to_move));
    if (row->winner != 0)
        return arena_format(arena, "%s has won, after move %d.",
                            name_on_card(arena, row, game, (unsigned)row->winner), row->ply);
    return arena_format(arena, "It is over, after move %d.", row->ply);
}

static struct page_card card_of(struct arena *arena, const struct db_game *row,
                                const struct rules_game *game)
{
    char id[IDS_TEXT];

    ids_text(row->id, id);
    return (struct page_card){
        .title = arena_format(arena, "%s: %s and %s", game->title,
                              name_on_card(arena, row, game, 1), name_on_card(arena, row, game, 2)),
        .description = news_on_card(arena, row, game),
        .path = arena_format(arena, "/play/%s", id),
        .picture = arena_format(arena, "/v1/games/%s/board.png?size=800", id),
    };
}

/* ---- to play ---- */

/* `row`: the game, if it has a card. */
static void send_play(struct request *request, const struct db_game *row)
{
    const char *texts = page_texts(request);
    const char *const files[] = {"play.js", "page.js", texts, "play.css", NULL};
    struct out out;

    if (row != NULL) {
        struct page_card card = card_of(&request->arena, row, rules_find(row->variant));

        page_open_with_card(&out, request, &card, files);
    } else {
        page_open(&out, request, lang_word(request->lang, "game-page"), files);
    }
    page_top_to_choose(&out, request);
    page_template(&out, request, play_html, NULL);
    page_template(&out, request, no_script, NULL);
    page_send(request, &out);
}

/* A game that not everybody may see, one that is not there and a database that does not answer
 * look the same. */
static void send_found(void *context, const struct db_reply *reply, const struct db_game *row)
{
    bool has_card = reply->outcome == DB_OK && row_is_known(row) && row_is_public(row);

    send_play(context, has_card ? row : NULL);
}

void handle_play(struct request *request)
{
    db_id id;

    if (!input_id(request, &id) || !input_page(request))
        return;
    if (db_ready(db_of(request)))
        db_get_game(db_of(request), id, ASK_ALSO(game, request, ASK_ALL, send_found, request));
    else
        send_play(request, NULL);
}

void handle_embed(struct request *request)
{
    struct out out;
    db_id id;

    if (!input_id(request, &id) || !input_page(request))
        return;
    page_open(&out, request, lang_word(request->lang, "game-page"),
              (const char *const[]){"embed.js", page_texts(request), NULL});
    page_template(&out, request,
                  "<main class=\"frame\" id=\"frame\"><h1 class=\"hidden\">{{game-page}}</h1>"
                  "</main>\n",
                  NULL);
    page_template(&out, request, no_script, NULL);
    page_send_frame(request, &out);
}
