/*
 * picture_replay.c - a game as one animated picture (picture.h).
 *
 * On an empty board lies everything that any square ever holds, and each of these things is shown
 * from one position to another. So only changes take room, and one pass over the positions is
 * enough: when a square changes, it is known how long its old content was there.
 */
#include <string.h>

#include "rules/draw/board_words.h"
#include "rules/draw/picture.h"
#include "rules/draw/sheet.h"

enum {
    LAST_LASTS = 3,    /* times as long as the others */
    FRACTION = 100000, /* the finest part of the whole time in keyTimes */
    PLACES_MAX = 32    /* places in a hand */
};

struct reel {
    struct sheet sheet; /* of the position before the present one */
    const struct rules_film *film;
    unsigned since[RULES_SQUARES_MAX]; /* the position from which a square is as it is */
    unsigned held_since[RULES_SEATS][PLACES_MAX];
    char number[16];
};

/* ---- time ---- */

static void put_moment(struct reel *reel, unsigned position)
{
    uint64_t all = reel->film->count - 1 + LAST_LASTS;
    uint64_t moment = position * (uint64_t)FRACTION / all;

    page_put(&reel->sheet.page, "0.");
    for (unsigned digit = FRACTION / 10; digit > 0; digit /= 10)
        page_number(&reel->sheet.page, moment / digit % 10);
}

/* Begins an element that is shown from one position up to another. The caller writes its content
 * and
 * </g>. What is there at the end is visible without animation, too. */
static void open_shown(struct reel *reel, unsigned from, unsigned to)
{
    struct sheet *sheet = &reel->sheet;
    bool begins = from > 0, ends = to < reel->film->count;

    SHEET_PUT(sheet, "<g");
    if (ends)
        SHEET_PUT(sheet, " visibility='hidden'");
    SHEET_PUT(sheet, ">");
    if (!begins && !ends)
        return;
    SHEET_PUT(sheet,
              "<animate attributeName='visibility' calcMode='discrete' dur='%s' "
              "repeatCount='indefinite' values='",
              (int)((reel->film->count - 1 + LAST_LASTS) * reel->film->pace));
    page_put(&sheet->page,
             begins ? ends ? "hidden;visible;hidden" : "hidden;visible" : "visible;hidden");
    SHEET_PUT(sheet, "' keyTimes='0");
    if (begins) {
        page_put(&sheet->page, ";");
        put_moment(reel, from);
    }
    if (ends) {
        page_put(&sheet->page, ";");
        put_moment(reel, to);
    }
    SHEET_PUT(sheet, "'/>");
}

/* ---- what is shown ---- */

/* The middle of a square in the picture. */
static struct place middle_of(const struct reel *reel, unsigned square)
{
    struct place place = sheet_middle(&reel->sheet, square);

    return (struct place){reel->sheet.left + place.x, reel->sheet.top + place.y};
}

static void show_men(struct reel *reel, unsigned square, unsigned until)
{
    struct sheet *sheet = &reel->sheet;
    struct place place = middle_of(reel, square);

    if (sheet->cell[square].men == 0)
        return;
    open_shown(reel, reel->since[square], until);
    SHEET_PUT(sheet, "<g transform='translate(% %)'>", place.x, place.y);
    sheet_men(sheet, square);
    SHEET_PUT(sheet, "</g></g>\n");
}

static void show_held(struct reel *reel, unsigned seat, size_t place, unsigned until)
{
    struct sheet *sheet = &reel->sheet;
    unsigned kind = (unsigned)rules_hand_kind(sheet->game, place);

    if (sheet->game->hand(sheet->state, seat, kind) == 0)
        return;
    open_shown(reel, reel->held_since[seat - 1][place], until);
    SHEET_PUT(sheet, "<g");
    sheet_held(sheet, seat, place);
    SHEET_PUT(sheet, "</g></g>\n");
}

static bool differs(const struct sheet *a, const struct sheet *b, unsigned square)
{
    const struct cell *x = &a->cell[square], *y = &b->cell[square];

    return x->men != y->men || x->top.seat != y->top.seat || x->top.kind != y->top.kind;
}

static void show_won_lines(struct sheet *sheet)
{
    struct rules_line line[RULES_LINES_MAX];

    if (rules_won_lines(sheet->game, sheet->state, line) == 0)
        return;
    SHEET_PUT(sheet, "<g transform='translate(% %)'>", sheet->left, sheet->top);
    sheet_won_lines(sheet);
    SHEET_PUT(sheet, "</g>\n");
}

/* Draws what lies below the men while position i is shown: the squares that changed, whose turn it
 * is, and the number. */
static void show_position(struct reel *reel, const struct sheet *now, unsigned i)
{
    struct sheet *sheet = &reel->sheet;
    const struct rules_state *before = sheet->state;
    struct text number = text_open(reel->number, sizeof(reel->number));

    text_number(&number, reel->film->first + i);
    open_shown(reel, i, i + 1);
    for (unsigned square = 0; i > 0 && square < sheet->squares; square++) {
        struct place place = middle_of(reel, square);

        if (differs(sheet, now, square))
            SHEET_PUT(sheet, "<use href='#&any' x='%' y='%' fill='$' fill-opacity='.5'/>", place.x,
                      place.y, RULES_PAINT_LAST);
    }
    sheet->state = now->state;
    if (i + 1 < reel->film->count || sheet_is_open(sheet))
        sheet_turn(sheet, "<path");
    show_won_lines(sheet);
    sheet->state = before;
    SHEET_PUT(sheet, "<g stroke='$' stroke-width='11'>", RULES_PAINT_LABEL);
    sheet_letters(sheet, reel->number, sheet->width / 2, sheet->height - SHEET_LETTERS - 8,
                  SHEET_LETTERS, ANCHOR_MIDDLE);
    SHEET_PUT(sheet, "</g></g>\n");
}

/* Draws what was there before position i and is there no longer. If `now` is NULL, that is
 * everything. */
static void show_past(struct reel *reel, const struct sheet *now, unsigned i)
{
    struct sheet *sheet = &reel->sheet;

    for (unsigned square = 0; square < sheet->squares; square++)
        if (now == NULL || differs(sheet, now, square)) {
            show_men(reel, square, i);
            reel->since[square] = i;
        }
    for (unsigned seat = 1; seat <= RULES_SEATS && sheet->game->hand != NULL; seat++)
        for (size_t place = 0; rules_hand_kind(sheet->game, place) >= 0; place++) {
            unsigned kind = (unsigned)rules_hand_kind(sheet->game, place);

            if (now == NULL ||
                sheet->game->hand(sheet->state, seat, kind) !=
                    sheet->game->hand(now->state, seat, kind) ||
                sheet_held_before(sheet, seat, place) != sheet_held_before(now, seat, place)) {
                show_held(reel, seat, place, i);
                reel->held_since[seat - 1][place] = i;
            }
        }
}

/* Draws the board without any men, with the words of the last position. */
static void draw_empty(struct sheet *sheet)
{
    sheet_look(sheet);
    sheet_measure(sheet);
    sheet->height += SHEET_LETTERS + 8;
    sheet_open(sheet);
    sheet_words(sheet);
    sheet_definitions(sheet, true);
    memset(sheet->cell, 0, sizeof(sheet->cell));
    sheet_hands(sheet, false);
    sheet_board(sheet);
    sheet_labels(sheet);
    sheet_names(sheet);
}

/* Two states take turns: the sheet of the reel still shows the position before the one that is
 * loaded. */
static bool draw_film(struct reel *reel, struct rules_state *state)
{
    const struct rules_film *film = reel->film;
    struct sheet now = reel->sheet;
    unsigned here = 0;

    for (unsigned i = 0; i < film->count; i++) {
        now.state = &state[here];
        if (!film->load(film->context, i, &state[here]))
            return false;
        sheet_look(&now);
        show_position(reel, &now, i);
        if (i > 0)
            show_past(reel, &now, i);
        reel->sheet.state = now.state;
        memcpy(reel->sheet.cell, now.cell, sizeof(now.cell));
        here = 1 - here;
    }
    show_past(reel, NULL, film->count);
    return true;
}

size_t rules_replay_picture(const struct rules_game *game, const struct rules_film *film,
                            const struct rules_look *look,
                            const struct rules_picture_options *frame, char *out, size_t cap)
{
    struct rules_state state[2];
    struct reel reel = {.film = film,
                        .sheet = {.page = {.out = out, .cap = cap},
                                  .game = game,
                                  .state = &state[0],
                                  .look = look,
                                  .frame = frame,
                                  .art = game->art}};

    if (!film->load(film->context, film->count - 1, &state[0]))
        return 0;
    reel.sheet.board = game->board(&state[0]);
    draw_empty(&reel.sheet);
    if (!draw_film(&reel, state))
        return 0;
    SHEET_PUT(&reel.sheet, "</svg>\n");
    return page_close(&reel.sheet.page);
}
