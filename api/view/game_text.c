/* game_text.c - games as texts for a terminal. */
#include "api/view/view.h"

#include <string.h>

#include "api/game/clock.h"
#include "api/game/ids.h"
#include "api/game/offers.h"
#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/text/lang.h"
#include "api/view/board.h"
#include "api/view/game.h"
#include "rules/draw/page.h"

static const char *name_of_game(struct arena *arena, const struct game_view *view,
                                const struct db_seat *seat)
{
    if (seat->name != NULL)
        return seat->name;
    if (seat->state == SEAT_ENGINE)
        return opponent_title(arena, view->lang, seat->engine);
    if (seat->state == SEAT_CHALLENGED)
        return lang_word(view->lang, "kept-seat");
    return lang_word(view->lang, seat->state == SEAT_OPEN ? "open-seat" : "somebody");
}

/* Who sits where: "sente: Ada, gote: the computer". Nothing, if two nameless people play. */
static const char *sitters_text(struct arena *arena, const struct game_view *view)
{
    const char *text = "";
    bool any = false;

    for (unsigned i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &view->row->seat[i];

        any |= seat->name != NULL || seat->state != SEAT_TAKEN;
        text = arena_format(arena, "%s%s%s: %s", text, i == 0 ? "" : ", ",
                            view_side(arena, view, i + 1), name_of_game(arena, view, seat));
    }
    return any ? arena_format(arena, "%s\n", text) : "";
}

/* A span in its two largest units: "9d 23h", "3m 05s". */
static const char *span_text(struct arena *arena, int64_t us)
{
    int64_t s = us / CLOCK_SECOND;

    if (us >= CLOCK_DAY)
        return arena_format(arena, "%dd %dh", (int)(us / CLOCK_DAY),
                            (int)(us % CLOCK_DAY / CLOCK_HOUR));
    if (us >= CLOCK_HOUR)
        return arena_format(arena, "%dh %02dm", (int)(s / 3600), (int)(s % 3600 / 60));
    return arena_format(arena, "%dm %02ds", (int)(s / 60), (int)(s % 60));
}

/* What a seat has left: "white 9d 23h", "sente 3m 05s + 2 periods". */
static const char *left_text(struct arena *arena, const struct game_view *view,
                             const struct clock *clock, int seat)
{
    int32_t periods;
    int64_t left = clock_left(clock, view->row, seat, &view->gaps, view->now, &periods);
    const char *text = arena_format(arena, "%s %s", view_side(arena, view, (unsigned)seat),
                                    span_text(arena, left));

    if (clock->terms.kind != CLOCK_BYOYOMI)
        return text;
    return lang_fill(arena, view->lang, periods == 1 ? "period" : "periods", "time", text, "n",
                     arena_format(arena, "%d", periods), NULL);
}

/* What both sides have left, and until when the side to move has time. Nothing, if the game has no
 * clock. */
static const char *clock_text(struct arena *arena, const struct game_view *view)
{
    const struct clock *clock = view_clock(arena, view);
    int64_t deadline;
    const char *text;

    if (clock == NULL)
        return "";
    text = lang_fill(arena, view->lang, "clock", "first", left_text(arena, view, clock, 1),
                     "second", left_text(arena, view, clock, 2), NULL);
    deadline = clock_deadline(clock, view->row, &view->gaps);
    if (deadline != DB_NEVER)
        text = lang_fill(arena, view->lang, "clock-until", "clock", text, "side",
                         view_side(arena, view, (unsigned)view->row->to_move), "time",
                         json_time_text(arena, deadline), NULL);
    return arena_format(arena, "%s\n", text);
}

const char *view_offer_text(struct arena *arena, const struct lang *lang, const struct offer *offer)
{
    const char *span = span_text(arena, offer->span_us);

    switch (offer->kind) {
    case OFFER_DRAW:
        return lang_word(lang, "offers-draw");
    case OFFER_UNDO:
        return lang_fill(arena, lang, "asks-undo", "ply", arena_format(arena, "%d", offer->to_ply),
                         NULL);
    case OFFER_ABORT:
        return lang_word(lang, "asks-abort");
    case OFFER_TIME:
        return lang_fill(arena, lang, "offers-time", "span", span, NULL);
    case OFFER_PAUSE:
        return lang_fill(arena, lang, "asks-pause", "span", span, NULL);
    }
    return "";
}

/* Each offer that is open, on a line of its own: "offer 18: sente offers a draw". */
static const char *offers_lines(struct arena *arena, const struct game_view *view)
{
    const struct offers *offers = view_offers(arena, view);
    const char *text = "";

    for (size_t i = 0; i < offers->count; i++) {
        const struct offer *offer = &offers->offer[i];

        text = arena_format(arena, "%s%s\n", text,
                            lang_fill(arena, view->lang, "offer", "id",
                                      arena_format(arena, "%d", offer->id), "side",
                                      view_side(arena, view, (unsigned)offer->seat), "what",
                                      view_offer_text(arena, view->lang, offer), NULL));
    }
    return text;
}

/* Says that the computer thinks about its move. */
static const char *computer_moves_line(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;
    const char *engine;

    if (!opponent_is_due(row))
        return "";
    engine = opponent_title(arena, view->lang, row->seat[row->to_move - 1].engine);
    return arena_format(arena, "%s\n",
                        lang_fill(arena, view->lang, "thinking", "engine", engine, NULL));
}

/* What the game is: "Shogi, game 1f..., active, ply 12". */
static const char *title_text(struct arena *arena, const struct game_view *view)
{
    const struct lang *lang = view->lang;
    const char *status = words_status(view->row->status);
    char id[IDS_TEXT];

    ids_text(view->row->id, id);
    return lang_fill(arena, lang, "game", "title",
                     lang_say(lang, LANG_GAME, view->game->name, view->game->title), "id", id,
                     "status", lang_say(lang, LANG_STATUS, status, status), "ply",
                     arena_format(arena, "%d", view->row->ply), NULL);
}

const char *view_game_text(struct arena *arena, const struct game_view *view)
{
    return arena_format(arena, "%s\n%s%s%s%s\n%s", title_text(arena, view),
                        sitters_text(arena, view), clock_text(arena, view),
                        offers_lines(arena, view), computer_moves_line(arena, view),
                        view_position_text(arena, view));
}

const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token)
{
    char id[IDS_TEXT];

    ids_text(view->row->id, id);
    return arena_format(arena, "id     %s\ntoken  %s\n\n%s", id, token,
                        view_game_text(arena, view));
}

const char *view_against(struct arena *arena, const struct game_view *view)
{
    const char *title = lang_say(view->lang, LANG_GAME, view->game->name, view->game->title);
    int other = view->seats == seat_bit(1) ? 2 : 1;

    if (view->seats == SEATS_BOTH)
        return title;
    return lang_fill(arena, view->lang, "against", "game", title, "name",
                     name_of_game(arena, view, &view->row->seat[other - 1]), NULL);
}

/* ---- a line of a list ---- */

enum { LINE_NAME = 12 }; /* characters */

/* How long ago something was, in minutes, hours or days. */
static const char *age_text(struct arena *arena, int64_t us)
{
    int64_t minutes = us / 60000000;

    if (minutes < 1)
        return "now";
    if (minutes < 60)
        return arena_format(arena, "%dm ago", (int)minutes);
    if (minutes < 48 * 60)
        return arena_format(arena, "%dh ago", (int)(minutes / 60));
    return arena_format(arena, "%dd ago", (int)(minutes / (24 * 60)));
}

/* The first characters of a name; it is cut between characters of UTF-8, never inside one. */
static const char *short_name(struct arena *arena, const char *name)
{
    size_t at = 0;
    int characters = 0;

    while (name[at] != '\0' && (characters < LINE_NAME || (name[at] & 0xc0) == 0x80)) {
        at++;
        characters += (name[at] & 0xc0) != 0x80;
    }
    return name[at] == '\0' ? name : arena_format(arena, "%.*s\xe2\x80\xa6", (int)at, name);
}

static const char *seat_text(struct arena *arena, const struct game_view *view,
                             const struct db_seat *seat)
{
    if (seat->state == SEAT_CHALLENGED)
        return arena_format(arena, "(%s)", lang_word(view->lang, "kept-seat"));
    if (seat->state == SEAT_OPEN)
        return view->lang == NULL ? "(open)"
                                  : arena_format(arena, "(%s)", lang_word(view->lang, "open-seat"));
    if (seat->name != NULL)
        return short_name(arena, seat->name);
    return seat->state == SEAT_ENGINE ? opponent_title(arena, view->lang, seat->engine) : "?";
}

/* Text and blanks behind it, so that it takes so many cells. */
static const char *padded(struct arena *arena, const char *text, size_t cells)
{
    size_t taken = page_width(text);

    return arena_format(arena, "%s%*s", text, taken < cells ? (int)(cells - taken) : 0, "");
}

/* The names stand last: only a terminal knows how wide they are, and nothing behind them has to
 * stay in its column. */
const char *view_game_line(struct arena *arena, const struct game_view *view, int64_t now)
{
    const struct db_game *row = view->row;
    const char *status = words_status(row->status), *turn = "-", *title = row->variant;
    char id[IDS_TEXT];

    if (status_goes_on(row->status))
        turn = view_side(arena, view, (unsigned)row->to_move);
    if (view->lang != NULL)
        title = lang_say(view->lang, LANG_GAME, row->variant, row->variant);
    ids_text(row->id, id);
    return arena_format(arena, "%s %s %s %4d %s %8s  %s - %s\n", id, padded(arena, title, 19),
                        padded(arena, lang_say(view->lang, LANG_STATUS, status, status), 8),
                        row->ply, padded(arena, turn, 7), age_text(arena, now - row->updated_at),
                        seat_text(arena, view, &row->seat[0]),
                        seat_text(arena, view, &row->seat[1]));
}
