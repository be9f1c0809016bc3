/* picture_men.c - the men of a picture: on squares, in hands, in stacks (sheet.h). */
#include <string.h>

#include "rules/draw/board_words.h"
#include "rules/draw/sheet.h"

enum {
    LAYERS = 6, /* men seen below another, of a taller stack */
    LAYER_HEIGHT = 8,
    STACK_FLOOR = 42, /* where the lowest layer stands, below the middle of its square */
    BADGE = 38,       /* height of a badge, and of the number in it */
    BADGE_LETTERS = 26,
    HAND_WIDTH = 102,
    HAND_STEP = 86, /* from one man in a hand to the next */
    HAND_GAP = 12,  /* between the hands and the board */
    LIST_STEP = 44, /* between the men of a stack in full */
    LIST_LINE = 56,
    LIST_PAD = 10,
    LIST_NAME = 64 /* room for the square's name */
};

/* What is drawn of a man upon its body. */
static const struct rules_shape *figure_of(const struct sheet *sheet, unsigned seat, unsigned kind)
{
    const struct rules_set *set = sheet->frame->set;

    return (set == NULL ? sheet->art->figure : set->figure)[seat - 1][kind];
}

/* Whether men of this kind look the same on both sides. */
static bool is_common(const struct sheet *sheet, unsigned kind)
{
    const struct rules_art *art = sheet->art;

    if (art->body[0] != art->body[1] || figure_of(sheet, 1, kind) != figure_of(sheet, 2, kind))
        return false;
    for (int paint = RULES_PAINT_SHADE; paint < RULES_PAINTS; paint += 2)
        if (strcmp(sheet_colour(sheet, paint), sheet_colour(sheet, paint + 1)) != 0)
            return false;
    return true;
}

/* Writes under what id a man was defined. */
static void put_man_id(struct sheet *sheet, struct rules_man man)
{
    SHEET_PUT(sheet, "&m%-", is_common(sheet, man.kind) ? 1 : man.seat);
    page_put(&sheet->page, sheet->game->pieces[man.kind].name);
}

/* Begins an element that shows a man as sheet_definitions() defined it. */
static void use_man(struct sheet *sheet, struct rules_man man)
{
    SHEET_PUT(sheet, "<use href='#");
    put_man_id(sheet, man);
    SHEET_PUT(sheet, "'");
}

static bool is_turned(const struct sheet *sheet, unsigned seat)
{
    return sheet->art->turned && seat != sheet->look->view;
}

/* ---- what is used more than once ---- */

/* Whether all men of a square are listed below the board. */
static bool is_listed(const struct sheet *sheet, unsigned square)
{
    return square == sheet->look->selected || (sheet->look->stacks && sheet->cell[square].men > 1);
}

static bool is_in_list(const struct sheet *sheet, struct rules_man man)
{
    struct rules_man men[RULES_STACK_MAX];

    for (unsigned square = 0; square < sheet->squares; square++) {
        size_t n = sheet->cell[square].men;

        if (!is_listed(sheet, square))
            continue;
        sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);
        for (size_t i = 0; i < n; i++)
            if (men[i].seat == man.seat && men[i].kind == man.kind)
                return true;
    }
    return false;
}

/* Only men that are shown are defined, so that a small position is a small picture. */
static bool is_used(const struct sheet *sheet, struct rules_man man)
{
    for (unsigned square = 0; square < sheet->squares; square++)
        if (sheet->cell[square].top.seat == man.seat && sheet->cell[square].top.kind == man.kind)
            return true;
    if (sheet->game->hand != NULL && sheet->game->hand(sheet->state, man.seat, man.kind) > 0)
        return true;
    return is_in_list(sheet, man);
}

static bool is_full_size(const struct sheet *sheet, struct rules_man man)
{
    return sheet->art->size == NULL || sheet->art->size[man.kind] == 100;
}

/* Draws a man; what it stands on is left to the caller. */
static void draw_figure(struct sheet *sheet, struct rules_man man)
{
    const char *frame = sheet->art->frame;

    SHEET_PUT(sheet, "<g transform='");
    page_put(&sheet->page, frame != NULL ? frame : "translate(-50-50)");
    SHEET_PUT(sheet, "'>");
    sheet_shapes(sheet, figure_of(sheet, man.seat, man.kind), man.seat);
    SHEET_PUT(sheet, "</g>");
}

void sheet_man(struct sheet *sheet, struct rules_man man)
{
    if (!is_full_size(sheet, man))
        SHEET_PUT(sheet, "<g transform='scale(~)'>", sheet->art->size[man.kind]);
    sheet_shapes(sheet, sheet->art->body[man.seat - 1], man.seat);
    draw_figure(sheet, man);
    SHEET_PUT(sheet, is_full_size(sheet, man) ? "" : "</g>");
}

/* All men of a seat stand on the same body. */
static void define_body(struct sheet *sheet, unsigned seat)
{
    if (sheet->art->body[seat - 1] == NULL)
        return;
    SHEET_PUT(sheet, "<g id='&body%'>", (int)seat);
    sheet_shapes(sheet, sheet->art->body[seat - 1], seat);
    SHEET_PUT(sheet, "</g>\n");
}

static void define_man(struct sheet *sheet, struct rules_man man)
{
    SHEET_PUT(sheet, "<g id='");
    put_man_id(sheet, man);
    SHEET_PUT(sheet, "'");
    if (!is_full_size(sheet, man))
        SHEET_PUT(sheet, " transform='scale(~)'", sheet->art->size[man.kind]);
    SHEET_PUT(sheet, ">");
    if (sheet->art->body[man.seat - 1] != NULL)
        SHEET_PUT(sheet, "<use href='#&body%'/>", man.seat);
    draw_figure(sheet, man);
    SHEET_PUT(sheet, "</g>\n");
}

/* Men that look the same are defined once, with those of seat 1. */
static void define_men(struct sheet *sheet, unsigned seat, bool all)
{
    for (size_t kind = 0; kind < sheet->game->npieces; kind++) {
        struct rules_man man = {(uint8_t)seat, (uint8_t)kind};
        struct rules_man other = {(uint8_t)rules_other(seat), (uint8_t)kind};
        bool common = is_common(sheet, (unsigned)kind);

        if (seat == 2 && common)
            continue;
        if (all || is_used(sheet, man) || (common && is_used(sheet, other)))
            define_man(sheet, man);
    }
}

const char *sheet_ground_path(const struct rules_game *game)
{
    if (game->tiling == RULES_HEXAGONS)
        return game->art->tiled ? "M0-54l46 27v54l-46 27l-46-27v-54z"
                                : "M0-58l50 29v58l-50 29l-50-29v-58z";
    return game->art->tiled ? "M-46-34a12 12 0 0 1 12-12h68a12 12 0 0 1 12 12v68"
                              "a12 12 0 0 1-12 12h-68a12 12 0 0 1-12-12z"
                            : "M-50-50h100v100h-100z";
}

void sheet_definitions(struct sheet *sheet, bool all)
{
    SHEET_PUT(sheet, "<defs><path id='&any' d='");
    page_put(&sheet->page, sheet_ground_path(sheet->game));
    SHEET_PUT(sheet, "'/>\n");
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        define_body(sheet, seat);
        define_men(sheet, seat, all);
        if (sheet->art->layer != NULL) {
            SHEET_PUT(sheet, "<g id='&layer%'>", (int)seat);
            sheet_shapes(sheet, sheet->art->layer, seat);
            SHEET_PUT(sheet, "</g>\n");
        }
    }
    for (size_t i = 0; sheet->art->ground != NULL && i < sheet->game->nzones; i++)
        if (sheet->art->ground[i].shapes != NULL) {
            SHEET_PUT(sheet, "<g id='&zone%'>", (int)i);
            sheet_shapes(sheet, sheet->art->ground[i].shapes, sheet->game->zones[i].seat);
            SHEET_PUT(sheet, "</g>\n");
        }
    SHEET_PUT(sheet, "</defs>\n<rect width='%' height='%' fill='$'/>\n", sheet->width,
              sheet->height, RULES_PAINT_PAPER);
}

/* ---- on a square ---- */

/* A number on a badge, of which this is the lower right corner. */
static void draw_badge(struct sheet *sheet, unsigned number, int x, int y)
{
    char digits[8];
    struct text text = text_open(digits, sizeof(digits));
    int width;

    text_number(&text, number);
    width = sheet_letters_width(digits, BADGE_LETTERS);
    width += number < 10 ? BADGE - width : BADGE / 2;
    SHEET_PUT(sheet,
              "<rect x='%' y='%' width='%' height='%' rx='19' fill='$' stroke='$' "
              "stroke-width='2'/><g stroke='$' stroke-width='14'>",
              x - width, y - BADGE, width, BADGE, RULES_PAINT_PAPER, RULES_PAINT_LABEL,
              RULES_PAINT_LABEL);
    sheet_letters(sheet, digits, x - width / 2, y - (BADGE + BADGE_LETTERS) / 2, BADGE_LETTERS,
                  ANCHOR_MIDDLE);
    SHEET_PUT(sheet, "</g>");
}

/* The top man stands on those below it, of which the edges are seen. The number says how many there
 * are in all. */
static void draw_stack(struct sheet *sheet, unsigned square)
{
    struct rules_man men[RULES_STACK_MAX];
    unsigned n = (unsigned)sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);
    unsigned layers = n - 1 < LAYERS ? n - 1 : LAYERS;
    int floor = STACK_FLOOR;

    sheet_stack_title(sheet, square);
    for (unsigned i = n - 1 - layers; sheet->art->layer != NULL && i < n - 1; i++) {
        SHEET_PUT(sheet, "<use href='#&layer%' y='%'/>", men[i].seat, floor);
        floor -= LAYER_HEIGHT;
    }
    use_man(sheet, men[n - 1]);
    SHEET_PUT(sheet, " y='%'/>", floor - STACK_FLOOR);
    draw_badge(sheet, n, 48, 48);
}

void sheet_men(struct sheet *sheet, unsigned square)
{
    const struct cell *cell = &sheet->cell[square];

    if (cell->men > 1) {
        draw_stack(sheet, square);
    } else if (cell->men == 1) {
        use_man(sheet, cell->top);
        SHEET_PUT(sheet, is_turned(sheet, cell->top.seat) ? " transform='rotate(180)'/>" : "/>");
    }
}

/* ---- in the hands ---- */

int sheet_hands_width(const struct sheet *sheet)
{
    return sheet->game->hand == NULL ? 0 : HAND_WIDTH + HAND_GAP;
}

static int hand_places(const struct sheet *sheet)
{
    int n = 0;

    while (rules_hand_kind(sheet->game, (size_t)n) >= 0)
        n++;
    return n;
}

int sheet_hand_height(const struct sheet *sheet)
{
    return sheet->game->hand == NULL ? 0 : hand_places(sheet) * HAND_STEP + 2 * SHEET_FRAME;
}

static int hand_left(const struct sheet *sheet, unsigned seat)
{
    return seat == sheet->look->view ? sheet->width - HAND_GAP - HAND_WIDTH : HAND_GAP;
}

static int hand_top(const struct sheet *sheet, unsigned seat)
{
    return seat == sheet->look->view ? sheet->bottom + SHEET_FRAME - sheet_hand_height(sheet)
                                     : sheet->top - SHEET_FRAME;
}

unsigned sheet_held_before(const struct sheet *sheet, unsigned seat, size_t place)
{
    unsigned n = 0;

    for (size_t i = 0; i < place; i++)
        n += sheet->game->hand(sheet->state, seat, (unsigned)rules_hand_kind(sheet->game, i)) > 0;
    return n;
}

/* The men of a hand lie close together, in the order as its owner sees them. */
void sheet_held(struct sheet *sheet, unsigned seat, size_t place)
{
    unsigned kind = (unsigned)rules_hand_kind(sheet->game, place);
    unsigned count = sheet->game->hand(sheet->state, seat, kind);
    bool below = seat == sheet->look->view;
    int y = (int)sheet_held_before(sheet, seat, place) * HAND_STEP + HAND_STEP / 2 + SHEET_FRAME;

    SHEET_PUT(sheet, " transform='translate(% %)'>", hand_left(sheet, seat) + HAND_WIDTH / 2,
              hand_top(sheet, seat) + (below ? y : sheet_hand_height(sheet) - y));
    use_man(sheet, (struct rules_man){(uint8_t)seat, (uint8_t)kind});
    SHEET_PUT(sheet, is_turned(sheet, seat) ? " transform='rotate(180)scale(.9)'/>"
                                            : " transform='scale(.9)'/>");
    if (count > 1)
        draw_badge(sheet, count, 52, 46);
}

static void draw_hand(struct sheet *sheet, unsigned seat, bool filled)
{
    SHEET_PUT(sheet,
              "<rect id='@hand-%' x='%' y='%' width='%' height='%' rx='6' fill='$' stroke='$' "
              "stroke-width='2'/>\n",
              (int)seat, hand_left(sheet, seat), hand_top(sheet, seat), HAND_WIDTH,
              sheet_hand_height(sheet), RULES_PAINT_OTHER, RULES_PAINT_LINE);
    for (size_t i = 0; filled && rules_hand_kind(sheet->game, i) >= 0; i++) {
        unsigned kind = (unsigned)rules_hand_kind(sheet->game, i);
        const char *letter = sheet->game->pieces[kind].letter[0];
        unsigned count = sheet->game->hand(sheet->state, seat, kind);

        if (count == 0)
            continue;
        SHEET_PUT(sheet, "<g id='@hand-%-", (int)seat);
        page_put(&sheet->page, letter);
        SHEET_PUT(sheet, "' data-hand='%' data-piece='", (int)seat);
        page_put(&sheet->page, letter);
        SHEET_PUT(sheet, "' data-count='%'", (int)count);
        sheet_held(sheet, seat, i);
        SHEET_PUT(sheet, "</g>\n");
    }
}

void sheet_hands(struct sheet *sheet, bool filled)
{
    if (sheet->game->hand == NULL)
        return;
    draw_hand(sheet, rules_other(sheet->look->view), filled);
    draw_hand(sheet, sheet->look->view, filled);
}

/* ---- stacks in full ---- */

struct list {
    int x, y;
    bool draw;
};

/* A stack that does not fit into the rest of a line begins a new one, and a long one is broken. */
static void list_stack(struct sheet *sheet, struct list *list, unsigned square)
{
    struct rules_man men[RULES_STACK_MAX];
    size_t n = sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);
    char name[RULES_SQUARE_TEXT];

    rules_square_text(sheet->board, square, name);
    if (list->x > sheet->left && list->x + LIST_NAME + (int)n * LIST_STEP > sheet->right) {
        list->x = sheet->left;
        list->y += LIST_LINE;
    }
    if (list->draw)
        sheet_letters(sheet, name, list->x, list->y + 15, SHEET_LETTERS, ANCHOR_LEFT);
    list->x += LIST_NAME;
    for (size_t i = 0; i < n; i++) {
        if (list->x + LIST_STEP > sheet->right) {
            list->x = sheet->left + LIST_NAME;
            list->y += LIST_LINE;
        }
        if (list->draw) {
            use_man(sheet, men[i]);
            SHEET_PUT(sheet, " transform='translate(% %)scale(.46)'/>", list->x + LIST_STEP / 2,
                      list->y + LIST_LINE / 2);
        }
        list->x += LIST_STEP;
    }
    list->x += LIST_STEP;
}

int sheet_stacks(struct sheet *sheet, int y, bool draw)
{
    struct list list = {sheet->left, y, draw};

    if (draw && sheet->height > y)
        SHEET_PUT(sheet,
                  "<rect x='%' y='%' width='%' height='%' rx='8' fill='$' fill-opacity='.6'/>\n",
                  sheet->left - LIST_PAD, y, sheet->right - sheet->left + 2 * LIST_PAD,
                  sheet->height - y - LIST_PAD, RULES_PAINT_BOARD);
    if (draw)
        SHEET_PUT(sheet, "<g stroke='$' stroke-width='11'>", RULES_PAINT_LABEL);
    for (unsigned i = 0; i < sheet->squares; i++) {
        unsigned square = sheet_square(sheet, i / sheet->board.width, i % sheet->board.width);

        if (is_listed(sheet, square))
            list_stack(sheet, &list, square);
    }
    if (draw)
        SHEET_PUT(sheet, "</g>\n");
    return list.x == sheet->left && list.y == y ? y : list.y + LIST_LINE + LIST_PAD;
}
