#include "api/view/game_text.h"

#include <string.h>

#include "api/game/clock.h"
#include "api/game/ids.h"
#include "api/game/offers.h"
#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/view/board_text.h"

/* Who sits where: "sente: Ada, gote: the computer". Nothing, if two nameless people play. */
static const char *sitters_text(struct arena *arena, const struct game_view *view)
{
    const char *text = "";
    bool any = false;

    for (int i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &view->row->seat[i];
        const char *who = seat->name != NULL           ? seat->name
                          : seat->state == SEAT_ENGINE ? opponent_title(arena, seat->engine)
                          : seat->state == SEAT_OPEN   ? "an open seat"
                                                       : "somebody";

        any |= seat->name != NULL || seat->state != SEAT_TAKEN;
        text = arena_format(arena, "%s%s%s: %s", text, i == 0 ? "" : ", ", view->game->seat[i].name,
                            who);
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
    const char *text =
        arena_format(arena, "%s %s", view->game->seat[seat - 1].name, span_text(arena, left));

    if (clock->terms.kind != CLOCK_BYOYOMI)
        return text;
    return arena_format(arena, "%s + %d %s", text, periods, periods == 1 ? "period" : "periods");
}

/* What both sides have left, and until when the side to move has time. Nothing, if the game has no
 * clock. */
static const char *clock_text(struct arena *arena, const struct game_view *view)
{
    struct clock clock;
    int64_t deadline;
    const char *text;

    if (view->row->clock == NULL || !clock_load(arena, view->row, &clock))
        return "";
    text = arena_format(arena, "clock: %s, %s", left_text(arena, view, &clock, 1),
                        left_text(arena, view, &clock, 2));
    deadline = clock_deadline(&clock, view->row, &view->gaps);
    if (deadline != DB_NEVER)
        text = arena_format(arena, "%s; %s has until %s", text,
                            view->game->seat[view->row->to_move - 1].name,
                            json_time_text(arena, deadline));
    return arena_format(arena, "%s\n", text);
}

/* What an offer asks for. */
static const char *offer_text(struct arena *arena, const struct offer *offer)
{
    switch (offer->kind) {
    case OFFER_DRAW:
        return "offers a draw";
    case OFFER_UNDO:
        return arena_format(arena, "asks to go back to ply %d", offer->to_ply);
    case OFFER_ABORT:
        return "asks to call the game off";
    case OFFER_TIME:
        return arena_format(arena, "offers %s more for both sides",
                            span_text(arena, offer->span_us));
    case OFFER_PAUSE:
        return arena_format(arena, "asks for a pause of %s", span_text(arena, offer->span_us));
    }
    return "";
}

/* Each offer that is open, on a line of its own: "offer 18: sente offers a draw". */
static const char *offers_lines(struct arena *arena, const struct game_view *view)
{
    struct offers offers;
    const char *text = "";

    if (!offers_load(arena, view->row, &offers))
        return "";
    for (size_t i = 0; i < offers.count; i++) {
        const struct offer *offer = &offers.offer[i];

        text = arena_format(arena, "%soffer %d: %s %s\n", text, offer->id,
                            view->game->seat[offer->seat - 1].name, offer_text(arena, offer));
    }
    return text;
}

/* Says that the computer thinks about its move. */
static const char *thinking_line(struct arena *arena, const struct db_game *row)
{
    if (!opponent_is_due(row))
        return "";
    return arena_format(arena, "%s is thinking\n",
                        opponent_title(arena, row->seat[row->to_move - 1].engine));
}

const char *view_game_text(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;
    char id[IDS_TEXT];

    ids_text(row->id, id);
    return arena_format(arena, "%s, game %s, %s, ply %d\n%s%s%s%s\n%s", view->game->title, id,
                        words_status(row->status), row->ply, sitters_text(arena, view),
                        clock_text(arena, view), offers_lines(arena, view),
                        thinking_line(arena, row), view_position_text(arena, view));
}

const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token)
{
    char id[IDS_TEXT];

    ids_text(view->row->id, id);
    return arena_format(arena, "id     %s\ntoken  %s\n\n%s", id, token,
                        view_game_text(arena, view));
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

static const char *seat_text(struct arena *arena, const struct db_seat *seat)
{
    if (seat->state == SEAT_OPEN)
        return "(open)";
    if (seat->name != NULL)
        return short_name(arena, seat->name);
    return seat->state == SEAT_ENGINE ? opponent_title(arena, seat->engine) : "?";
}

/* The names stand last: only a terminal knows how wide they are, and nothing behind them has to
 * stay in its column. */
const char *view_game_line(struct arena *arena, const struct game_view *view, int64_t now)
{
    const struct db_game *row = view->row;
    const char *turn = status_goes_on(row->status) ? view->game->seat[row->to_move - 1].name : "-";
    char id[IDS_TEXT];

    ids_text(row->id, id);
    return arena_format(arena, "%s %-16s %-8s %4d %-5s %8s  %s - %s\n", id, row->variant,
                        words_status(row->status), row->ply, turn,
                        age_text(arena, now - row->updated_at), seat_text(arena, &row->seat[0]),
                        seat_text(arena, &row->seat[1]));
}
