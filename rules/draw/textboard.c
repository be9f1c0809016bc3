/*
 * textboard.c - a position as a text that people read (textboard.h).
 *
 * The board is measured first: the widest symbol, the tallest stack and the marks decide how many
 * cells every square takes. Then it is written line by line, since the list of a selected stack
 * stands beside it.
 */
#include "rules/draw/textboard.h"

#include <string.h>

#include "rules/draw/board_words.h"
#include "rules/draw/page.h"
#include "rules/draw/shape.h"

enum {
    SELECTED_GAP = 3 /* blanks between the board and the list of the selected stack */
};

void rules_look_init(struct rules_look *look)
{
    memset(look, 0, sizeof(*look));
    look->view = 1;
    look->style = RULES_STYLE_UNICODE;
    look->selected = RULES_NO_SQUARE;
    look->ending = NULL;
}

/* ---- the measures of a board ---- */

/* The lines of each kind of grid. Rows begin at line `first_row` and come every `step` lines. All
 * other lines are rules. */
static const struct grid {
    const char *edge, *between; /* in a row of squares: at its ends, and between the squares */
    const char *corner, *cross; /* the same in a rule */
    unsigned first_row, step;
} grids[] = {
    [RULES_GRID_NONE] = {"", "", "", "", 0, 1},
    [RULES_GRID_BETWEEN] = {"", "|", "", "|", 0, 2},
    [RULES_GRID_BOXES] = {"|", "|", "+", "+", 1, 2},
    [RULES_GRID_FRAME] = {"|", "", "+", "", 1, 1},
};

struct sheet {
    struct page page;
    const struct rules_game *game;
    const struct rules_state *state;
    const struct rules_look *look;
    const struct grid *grid;
    struct rules_board board;
    struct shape shape;
    struct rules_man selected[RULES_STACK_MAX]; /* the men on the selected square */
    unsigned nselected;
    unsigned symbol; /* cells of the widest sign in a square */
    unsigned height; /* cells for the height of a stack; 0 if there is none */
    unsigned tail;   /* cells for the mark behind a square */
    unsigned margin; /* cells of the labels to the left */
    unsigned width;  /* cells of the board, with its lines and labels */
};

static bool is_ascii(const struct sheet *sheet)
{
    return sheet->look->style == RULES_STYLE_ASCII;
}

static bool is_coloured(const struct sheet *sheet)
{
    return sheet->look->style == RULES_STYLE_ANSI;
}

static const char *symbol_of(const struct sheet *sheet, struct rules_man man)
{
    const struct rules_piece *piece = &sheet->game->pieces[man.kind];

    bool letters = sheet->game->drawing.lettered && sheet->look->style != RULES_STYLE_FIGURES;

    return is_ascii(sheet) || letters ? piece->ascii[man.seat - 1] : piece->symbol[man.seat - 1];
}

static const char *empty_sign(const struct sheet *sheet)
{
    const struct rules_drawing *drawing = &sheet->game->drawing;
    const char *sign = is_ascii(sheet) ? drawing->empty_ascii : drawing->empty;

    return sign != NULL ? sign : " ";
}

/* The square in a row and column of the drawing, counted from the viewer's top left. */
static unsigned square_at(const struct sheet *sheet, unsigned row, unsigned column)
{
    return shape_square(&sheet->shape, (int)row, (int)column);
}

static const char *file_label(const struct sheet *sheet, unsigned column, char *part)
{
    return rules_file_label(sheet->game, sheet->board, square_at(sheet, 0, column), is_ascii(sheet),
                            part);
}

static const char *rank_label(const struct sheet *sheet, unsigned row, char *part)
{
    return rules_rank_label(sheet->game, sheet->board, square_at(sheet, row, 0), is_ascii(sheet),
                            part);
}

static void widen(unsigned *width, const char *text)
{
    unsigned other = page_width(text);

    if (other > *width)
        *width = other;
}

static unsigned widest_symbol(const struct sheet *sheet)
{
    const struct rules_game *game = sheet->game;
    unsigned width = 1;
    char part[RULES_SQUARE_TEXT];

    widen(&width, empty_sign(sheet));
    for (size_t kind = 0; kind < game->npieces; kind++)
        for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
            widen(&width, symbol_of(sheet, (struct rules_man){(uint8_t)seat, (uint8_t)kind}));
    for (size_t i = 0; i < game->nzones; i++)
        if (game->zones[i].mark != NULL)
            widen(&width, game->zones[i].mark);
    for (unsigned column = 0; column < sheet->board.width; column++)
        widen(&width, file_label(sheet, column, part));
    return width;
}

/* How many digits the height of the tallest stack has. Single men show no height. */
static unsigned height_digits(const struct sheet *sheet)
{
    size_t tallest = 0;
    unsigned digits = 0;

    for (unsigned square = 0; square < sheet->board.width * sheet->board.height; square++) {
        size_t men = sheet->game->at(sheet->state, square, NULL, 0);

        if (men > tallest)
            tallest = men;
    }
    if (tallest > 1)
        for (; tallest > 0; tallest /= 10)
            digits++;
    return digits;
}

static bool has_marks(const struct sheet *sheet)
{
    for (unsigned square = 0; square < sheet->board.width * sheet->board.height; square++)
        if (sheet->look->mark[square] != 0)
            return true;
    return false;
}

static bool has_marked_zones(const struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->game->nzones; i++)
        if (sheet->game->zones[i].mark != NULL)
            return true;
    return false;
}

static unsigned left_margin(const struct sheet *sheet)
{
    unsigned width = 0;
    char part[RULES_SQUARE_TEXT];

    if (sheet->board.coordinates == RULES_DIGIT_LETTER)
        return 0;
    for (unsigned row = 0; row < sheet->board.height; row++)
        widen(&width, rank_label(sheet, row, part));
    return width + 1;
}

/* The cells that the signs of a square take. */
static unsigned signs_width(const struct sheet *sheet)
{
    return 1 + sheet->symbol + sheet->height + sheet->tail;
}

/* Of hexagons it is even, since rows are set off by half of it. */
static unsigned cell_width(const struct sheet *sheet)
{
    unsigned width = signs_width(sheet);

    return sheet->shape.hexagons ? width + width % 2 : width;
}

static void measure(struct sheet *sheet)
{
    const struct grid *grid = sheet->grid;
    unsigned lines =
        2 * page_width(grid->edge) + (sheet->board.width - 1U) * page_width(grid->between);

    sheet->symbol = widest_symbol(sheet);
    sheet->height = height_digits(sheet);
    sheet->tail =
        grid->step > 1 || has_marked_zones(sheet) || (has_marks(sheet) && !is_coloured(sheet));
    sheet->margin = left_margin(sheet);
    sheet->width =
        sheet->margin + (unsigned)shape_width(&sheet->shape) * cell_width(sheet) / 2 + lines;
    if (sheet->shape.hexagons)
        sheet->width += cell_width(sheet); /* of the last label below the board */
    if (sheet->margin == 0)
        sheet->width += 2;
}

/* ---- one square ---- */

static const struct rules_zone *marked_zone(const struct sheet *sheet, unsigned square)
{
    for (size_t i = 0; i < sheet->game->nzones; i++)
        if (sheet->game->zones[i].mark != NULL && sheet->game->zones[i].has(sheet->state, square))
            return &sheet->game->zones[i];
    return NULL;
}

/* The ANSI colour of a seat's men. */
static unsigned ink_of(const struct rules_game *game, unsigned seat)
{
    static const uint8_t usual[RULES_SEATS] = {34, 31};
    uint8_t ink = game->drawing.ink[seat - 1];

    return ink != 0 ? ink : usual[seat - 1];
}

const char *rules_seat_color(const struct rules_game *game, unsigned seat)
{
    static const char *const names[] = {"black", "red",     "green", "yellow",
                                        "blue",  "magenta", "cyan",  "white"};
    const char *color = game->drawing.color[seat - 1];

    return color != NULL ? color : names[ink_of(game, seat) % 10];
}

/* Starts the colours of a square: the background for its mark, the foreground for its man or its
 * zone. Returns whether it has any. */
static bool begin_colours(struct sheet *sheet, unsigned square, unsigned seat, bool in_zone)
{
    uint8_t mark = sheet->look->mark[square];
    bool reverse = square == sheet->look->selected || (mark & RULES_MARK_CURSOR) != 0;
    const char *behind = reverse                    ? "\033[7m"
                         : mark & RULES_MARK_PICKED ? "\033[46m"
                         : mark & RULES_MARK_CHECK  ? "\033[45m"
                         : mark & RULES_MARK_WIN    ? "\033[42m"
                         : mark & RULES_MARK_LAST   ? "\033[43m"
                         : mark & RULES_MARK_LEGAL  ? "\033[42m"
                         : mark & RULES_MARK_TAKEN  ? "\033[41m"
                                                    : "";
    char front[] = "\033[36m";

    if (seat != 0)
        front[3] = (char)('0' + ink_of(sheet->game, seat) % 10);
    if (seat == 0 && !in_zone)
        front[0] = '\0';
    page_colour(&sheet->page, behind);
    page_colour(&sheet->page, front);
    return behind[0] != '\0' || front[0] != '\0';
}

/* What stands before a man: a sign if it faces the viewer. */
static const char *lead_sign(const struct sheet *sheet, unsigned seat)
{
    const char *facing = is_ascii(sheet) ? NULL : sheet->game->drawing.facing;

    return facing != NULL && seat != 0 && seat != sheet->look->view ? facing : " ";
}

/* What stands behind a square: its mark, or the zone that the man on it hides. */
static const char *tail_sign(const struct sheet *sheet, unsigned square,
                             const struct rules_zone *hidden)
{
    uint8_t mark = is_coloured(sheet) ? 0 : sheet->look->mark[square];

    return mark & RULES_MARK_CURSOR   ? "<"
           : mark & RULES_MARK_PICKED ? "+"
           : mark & RULES_MARK_CHECK  ? "!"
           : mark & RULES_MARK_WIN    ? "="
           : mark & RULES_MARK_LAST   ? "*"
           : mark & RULES_MARK_LEGAL  ? "."
           : mark & RULES_MARK_TAKEN  ? "x"
           : hidden != NULL           ? hidden->mark
                                      : " ";
}

static void draw_square(struct sheet *sheet, unsigned square)
{
    struct page *page = &sheet->page;
    struct rules_man men[RULES_STACK_MAX];
    size_t n = sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);
    struct rules_man top = n > 0 ? men[n - 1] : (struct rules_man){0};
    const struct rules_zone *zone = marked_zone(sheet, square);
    const char *ground = zone != NULL ? zone->mark : empty_sign(sheet);
    unsigned end = page->column + signs_width(sheet) - sheet->tail;
    bool coloured = is_coloured(sheet) && begin_colours(sheet, square, top.seat, zone != NULL);

    page_put_padded(page, lead_sign(sheet, top.seat), 1);
    page_put_padded(page, n > 0 ? symbol_of(sheet, top) : ground, sheet->symbol);
    if (n > 1)
        page_number(page, n);
    page_to_column(page, end);
    if (sheet->tail > 0)
        page_put(page, tail_sign(sheet, square, n > 0 ? zone : NULL));
    if (coloured)
        page_colour(page, "\033[m");
}

/* ---- the lines of a board ---- */

static void draw_file_labels(struct sheet *sheet)
{
    unsigned line = page_width(sheet->grid->between);
    char part[RULES_SQUARE_TEXT];

    page_blanks(&sheet->page, sheet->margin + page_width(sheet->grid->edge));
    for (unsigned column = 0; column < sheet->board.width; column++) {
        page_blanks(&sheet->page, 1);
        page_put_padded(&sheet->page, file_label(sheet, column, part),
                        cell_width(sheet) - 1 + line);
    }
    page_end_line(&sheet->page);
}

/* Whether a line is drawn between two places: one of them is a square that is there. */
static bool is_parted(const struct sheet *sheet, int row, int column, int down, int right)
{
    return shape_has(&sheet->shape, row, column) ||
           shape_has(&sheet->shape, row + down, column + right);
}

/* Writes the sign of a line, or blanks in its place. */
static void draw_sign(struct sheet *sheet, const char *sign, bool is_there)
{
    if (is_there)
        page_put(&sheet->page, sign);
    else
        page_blanks(&sheet->page, page_width(sign));
}

/* The rule below a row; that above the board is below row -1. */
static void draw_rule(struct sheet *sheet, int row)
{
    page_blanks(&sheet->page, sheet->margin);
    for (int column = 0; column <= sheet->board.width; column++) {
        bool end = column == 0 || column == sheet->board.width;
        bool joined =
            is_parted(sheet, row, column - 1, 1, 0) || is_parted(sheet, row, column, 1, 0);

        draw_sign(sheet, end ? sheet->grid->corner : sheet->grid->cross, joined);
        for (unsigned i = 0; column < sheet->board.width && i < cell_width(sheet); i++)
            draw_sign(sheet, "-", is_parted(sheet, row, column, 1, 0));
    }
}

/* Begins a line with the label of a row, which ends one cell before this column. */
static void draw_left_label(struct sheet *sheet, const char *label, unsigned column)
{
    page_to_column(&sheet->page, column - 1 - page_width(label));
    page_put(&sheet->page, label);
    page_to_column(&sheet->page, column);
}

static void draw_row(struct sheet *sheet, unsigned row)
{
    char part[RULES_SQUARE_TEXT];
    const char *label = rank_label(sheet, row, part);

    if (sheet->margin > 0)
        draw_left_label(sheet, label, sheet->margin);
    for (int column = 0; column <= sheet->board.width; column++) {
        bool end = column == 0 || column == sheet->board.width;

        draw_sign(sheet, end ? sheet->grid->edge : sheet->grid->between,
                  is_parted(sheet, (int)row, column - 1, 0, 1));
        if (shape_has(&sheet->shape, (int)row, column))
            draw_square(sheet, square_at(sheet, row, (unsigned)column));
        else if (!end || column == 0)
            page_blanks(&sheet->page, cell_width(sheet));
    }
    if (sheet->margin == 0)
        page_put(&sheet->page, label);
}

/* One row of hexagons, and the labels of files that stand in it; also the lines above and below all
 * rows, which have labels alone. */
static void draw_hexagons(struct sheet *sheet, int row)
{
    char part[RULES_SQUARE_TEXT];
    int first = shape_first(&sheet->shape, row), last = shape_last(&sheet->shape, row);

    for (int column = 0; column < sheet->board.width; column++) {
        int at = (int)sheet->margin +
                 shape_halves(&sheet->shape, row, column) * (int)cell_width(sheet) / 2;

        if (column == first && sheet->margin > 0)
            draw_left_label(sheet, rank_label(sheet, (unsigned)row, part), (unsigned)at);
        if (shape_has(&sheet->shape, row, column)) {
            page_to_column(&sheet->page, (unsigned)at);
            draw_square(sheet, square_at(sheet, (unsigned)row, (unsigned)column));
        } else if (shape_has_label(&sheet->shape, row, column)) {
            page_to_column(&sheet->page, at >= 0 ? (unsigned)at + 1 : 0);
            page_put(&sheet->page, file_label(sheet, (unsigned)column, part));
        }
        if (column == last && sheet->margin == 0) {
            page_blanks(&sheet->page, 1);
            page_put(&sheet->page, rank_label(sheet, (unsigned)row, part));
        }
    }
}

/* Of hexagons, the labels of files stand in a line more. */
static unsigned board_lines(const struct sheet *sheet)
{
    if (sheet->shape.hexagons)
        return sheet->board.height + 1U;
    return 2 * sheet->grid->first_row + (sheet->board.height - 1U) * sheet->grid->step + 1;
}

static void draw_board_line(struct sheet *sheet, unsigned line)
{
    unsigned row = (line - sheet->grid->first_row) / sheet->grid->step;

    if (sheet->shape.hexagons)
        draw_hexagons(sheet, sheet->margin > 0 ? (int)line : (int)line - 1);
    else if (line >= sheet->grid->first_row && row < sheet->board.height &&
             (line - sheet->grid->first_row) % sheet->grid->step == 0)
        draw_row(sheet, row);
    else
        draw_rule(sheet, line < sheet->grid->first_row ? -1
                         : row < sheet->board.height   ? (int)row
                                                       : sheet->board.height - 1);
}

/* Writes one line of the list beside the board: the men of the selected square from top to bottom,
 * with the square's name before the lowest. `below` is how many men come after this line. */
static void draw_selected(struct sheet *sheet, unsigned below)
{
    unsigned signs = sheet->width + SELECTED_GAP + RULES_SQUARE_TEXT + 1; /* their column */
    char name[RULES_SQUARE_TEXT];

    rules_square_text(sheet->board, sheet->look->selected, name);
    page_to_column(&sheet->page, signs - page_width(name) - 2);
    if (below == 0) {
        page_put(&sheet->page, name);
        page_put(&sheet->page, ":");
    }
    page_to_column(&sheet->page, signs);
    if (sheet->nselected > 0)
        page_put(&sheet->page, symbol_of(sheet, sheet->selected[below]));
    else
        page_put(&sheet->page, sheet->look->words == NULL ? "empty" : sheet->look->words->empty);
}

static void select_square(struct sheet *sheet)
{
    unsigned square = sheet->look->selected;

    sheet->nselected = 0;
    if (square < sheet->board.width * sheet->board.height)
        sheet->nselected =
            (unsigned)sheet->game->at(sheet->state, square, sheet->selected, RULES_STACK_MAX);
}

/* Draws the board and, from its last line upwards, the selected stack. A stack that is taller than
 * the board begins at the first line and goes on below the board. */
static void draw_board(struct sheet *sheet)
{
    bool selected = sheet->look->selected < sheet->board.width * sheet->board.height;
    unsigned list = selected ? (sheet->nselected > 0 ? sheet->nselected : 1) : 0;
    unsigned board = board_lines(sheet), lines = list > board ? list : board;

    if (!sheet->shape.hexagons)
        draw_file_labels(sheet);
    for (unsigned line = 0; line < lines; line++) {
        if (line < board)
            draw_board_line(sheet, line);
        if (line + list >= lines)
            draw_selected(sheet, lines - 1 - line);
        page_end_line(&sheet->page);
    }
}

/* ---- what stands above and below ---- */

/* Writes the men of a kind in a hand: "歩二" if there are words for counts, else " 2P". */
static void draw_held(struct sheet *sheet, struct rules_man man, unsigned count,
                      const char *const *counts)
{
    if (counts == NULL) {
        page_blanks(&sheet->page, 1);
        if (count > 1)
            page_number(&sheet->page, count);
    }
    page_put(&sheet->page, symbol_of(sheet, man));
    if (counts != NULL)
        page_put(&sheet->page, counts[count]);
}

/* The game's own words before a hand; NULL if it has none, or other words are wanted. */
static const char *own_label(const struct sheet *sheet, unsigned seat)
{
    const struct rules_game *game = sheet->game;
    const struct rules_words *words = sheet->look->words;

    if (is_ascii(sheet) || (words != NULL && words->hand[seat - 1] != NULL))
        return NULL;
    return game->at_odds != NULL && game->at_odds(sheet->state) ? game->drawing.odds[seat - 1]
                                                                : game->drawing.hand[seat - 1];
}

static void draw_label(struct sheet *sheet, unsigned seat, const char *own)
{
    const struct rules_words *words = sheet->look->words;

    if (own != NULL) {
        page_put(&sheet->page, own);
    } else if (words != NULL && words->hand[seat - 1] != NULL) {
        page_put(&sheet->page, words->hand[seat - 1]);
    } else {
        page_put(&sheet->page, sheet->game->seat[seat - 1].name);
        page_put(&sheet->page, " in hand:");
    }
}

static void draw_hand(struct sheet *sheet, unsigned seat)
{
    const struct rules_game *game = sheet->game;
    const char *own = own_label(sheet, seat);
    const char *const *counts = own == NULL ? NULL : game->drawing.counts;
    bool empty = true;

    draw_label(sheet, seat, own);
    for (size_t i = 0; rules_hand_kind(game, i) >= 0; i++) {
        unsigned kind = (unsigned)rules_hand_kind(game, i);
        unsigned count = game->hand(sheet->state, seat, kind);

        if (count > 0)
            draw_held(sheet, (struct rules_man){(uint8_t)seat, (uint8_t)kind}, count, counts);
        empty = empty && count == 0;
    }
    if (empty)
        page_put(&sheet->page, counts != NULL ? counts[0] : " -");
    page_end_line(&sheet->page);
}

/* Writes the stacks square by square, each from the bottom to the top. */
static void draw_stacks(struct sheet *sheet)
{
    struct rules_man men[RULES_STACK_MAX];
    char name[RULES_SQUARE_TEXT];

    for (unsigned i = 0; i < (unsigned)sheet->board.width * sheet->board.height; i++) {
        unsigned square = square_at(sheet, i / sheet->board.width, i % sheet->board.width);
        size_t n = sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);

        if (n < 2)
            continue;
        rules_square_text(sheet->board, square, name);
        page_put(&sheet->page, name);
        page_put(&sheet->page, ":");
        for (size_t man = 0; man < n; man++) {
            page_blanks(&sheet->page, 1);
            page_put(&sheet->page, symbol_of(sheet, men[man]));
        }
        page_end_line(&sheet->page);
    }
}

size_t rules_board_text(const struct rules_game *game, const struct rules_state *state,
                        const struct rules_look *look, char *out, size_t cap)
{
    struct sheet sheet = {
        .page = {.out = out, .cap = cap},
        .game = game,
        .state = state,
        .look = look,
        .grid = &grids[game->tiling == RULES_HEXAGONS ? RULES_GRID_NONE : game->drawing.grid],
        .board = game->board(state)};
    unsigned below = look->view, above = rules_other(below);

    shape_make(&sheet.shape, game, state, look->view);
    select_square(&sheet);
    measure(&sheet);
    if (game->hand != NULL)
        draw_hand(&sheet, above);
    draw_board(&sheet);
    if (game->hand != NULL)
        draw_hand(&sheet, below);
    if (look->stacks)
        draw_stacks(&sheet);
    rules_put_status(&sheet.page, game, state, look);
    page_end_line(&sheet.page);
    return page_close(&sheet.page);
}
