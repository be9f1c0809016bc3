/* picture.c - a position as an SVG picture (picture.h): the board and what is around it. */
#include "rules/draw/picture.h"

#include <string.h>

#include "rules/draw/board_words.h"
#include "rules/draw/sheet.h"

enum {
    PAD = 30,  /* around everything */
    BAND = 44, /* for coordinates */
    DOT = 14   /* where a move may end */
};

/* ---- what is where ---- */

void sheet_look(struct sheet *sheet)
{
    struct rules_man men[RULES_STACK_MAX];

    sheet->squares = (unsigned)sheet->board.width * sheet->board.height;
    for (unsigned square = 0; square < sheet->squares; square++) {
        size_t n = sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);

        sheet->cell[square].men = (uint16_t)n;
        sheet->cell[square].top = n > 0 ? men[n - 1] : (struct rules_man){0, 0};
    }
}

/* Where files are digits, as in shogi, coordinates stand above and to the right of the board. Where
 * files are letters, they stand below and to the left. */
static bool labels_above(const struct sheet *sheet)
{
    return sheet->board.coordinates == RULES_DIGIT_LETTER;
}

void sheet_measure(struct sheet *sheet)
{
    int band = sheet->frame->coords ? BAND : 0, hands = sheet_hands_width(sheet);
    int height = sheet->board.height * SHEET_SQUARE;

    sheet->left = PAD + hands + (labels_above(sheet) ? 0 : band);
    sheet->top = PAD + (labels_above(sheet) ? band : 0);
    sheet->right = sheet->left + sheet->board.width * SHEET_SQUARE;
    sheet->bottom =
        sheet->top + (height > sheet_hand_height(sheet) ? height : sheet_hand_height(sheet));
    sheet->width = sheet->right + (labels_above(sheet) ? band : 0) + hands + PAD;
    sheet->list = sheet->bottom + (labels_above(sheet) ? 0 : band) + PAD;
    sheet->height = sheet_stacks(sheet, sheet->list, false);
}

/* ---- the board ---- */

static void draw_ground(struct sheet *sheet, unsigned square)
{
    unsigned row = square / sheet->board.width, column = square % sheet->board.width;
    bool other = sheet->art->chequered && (row + column + sheet->board.height) % 2 == 1;
    const struct rules_ground *ground = NULL;
    int paint = other ? RULES_PAINT_OTHER : RULES_PAINT_NONE;
    size_t zone = sheet->art->ground == NULL ? sheet->game->nzones : 0;

    for (; zone < sheet->game->nzones && ground == NULL; zone++)
        if (sheet->game->zones[zone].has(sheet->state, square))
            ground = &sheet->art->ground[zone];
    if (ground != NULL && ground->paint != RULES_PAINT_NONE)
        paint = (int)ground->paint;
    if (paint == RULES_PAINT_NONE)
        SHEET_PUT(sheet, "<use href='#&plain'/>");
    else
        SHEET_PUT(sheet, "<use href='#&any' fill='$'/>", paint);
    if (ground != NULL && ground->shapes != NULL)
        SHEET_PUT(sheet, "<use href='#&zone%'/>", (int)zone - 1);
}

/* Draws the marks that lie on top: a ring for check, and where a move may end a dot, or four
 * corners around a man. */
static void draw_marks(struct sheet *sheet, unsigned square)
{
    uint8_t mark = sheet->look->mark[square];

    if (mark & RULES_MARK_CHECK)
        SHEET_PUT(sheet, "<circle r='46' stroke='$' stroke-width='6'/>", RULES_PAINT_CHECK);
    if ((mark & RULES_MARK_LEGAL) && sheet->cell[square].men == 0)
        SHEET_PUT(sheet, "<circle r='%' fill='$'/>", DOT, RULES_PAINT_LEGAL);
    else if (mark & RULES_MARK_LEGAL)
        SHEET_PUT(sheet,
                  "<path d='M-50-50h24l-24 24zM50-50v24l-24-24zM50 50h-24l24-24zM-50 50v-24l24 "
                  "24z' fill='$'/>",
                  RULES_PAINT_LEGAL);
}

static void draw_square(struct sheet *sheet, unsigned row, unsigned column)
{
    unsigned square = sheet_square(sheet, row, column);
    char name[RULES_SQUARE_TEXT];

    rules_square_text(sheet->board, square, name);
    SHEET_PUT(sheet, "<g id='@sq-");
    page_put(&sheet->page, name);
    SHEET_PUT(sheet, "' data-square='");
    page_put(&sheet->page, name);
    SHEET_PUT(sheet, "' transform='translate(% %)'>", (int)column * SHEET_SQUARE + SHEET_SQUARE / 2,
              (int)row * SHEET_SQUARE + SHEET_SQUARE / 2);
    draw_ground(sheet, square);
    if (sheet->look->mark[square] & RULES_MARK_LAST)
        SHEET_PUT(sheet, "<use href='#&any' fill='$' fill-opacity='.5'/>", RULES_PAINT_LAST);
    sheet_men(sheet, square);
    draw_marks(sheet, square);
    SHEET_PUT(sheet, "</g>\n");
}

/* The lines between the squares, and around them unless the game has none there. */
static void draw_lines(struct sheet *sheet)
{
    int columns = sheet->board.width, rows = sheet->board.height;
    int inset = sheet->game->drawing.grid == RULES_GRID_BETWEEN ? 1 : 0;

    SHEET_PUT(sheet, "<path pointer-events='none' stroke='$' stroke-width='3' d='",
              RULES_PAINT_LINE);
    for (int row = inset; row <= rows - inset; row++)
        SHEET_PUT(sheet, "M0 %H%", row * SHEET_SQUARE, columns * SHEET_SQUARE);
    for (int column = inset; column <= columns - inset; column++)
        SHEET_PUT(sheet, "M% 0V%", column * SHEET_SQUARE, rows * SHEET_SQUARE);
    SHEET_PUT(sheet, "'/>\n");
}

void sheet_board(struct sheet *sheet)
{
    SHEET_PUT(sheet, "<g transform='translate(% %)'>\n", sheet->left, sheet->top);
    for (unsigned row = 0; row < sheet->board.height; row++)
        for (unsigned column = 0; column < sheet->board.width; column++)
            draw_square(sheet, row, column);
    draw_lines(sheet);
    SHEET_PUT(sheet, "<g pointer-events='none'>");
    sheet_shapes(sheet, sheet->art->upon, 0);
    SHEET_PUT(sheet, "</g></g>\n");
}

/* ---- around the board ---- */

void sheet_labels(struct sheet *sheet)
{
    int half = SHEET_SQUARE / 2;
    int y = labels_above(sheet) ? sheet->top - BAND + 8 : sheet->bottom + 12;
    int x = labels_above(sheet) ? sheet->right + BAND / 2 : sheet->left - BAND / 2;
    char part[RULES_SQUARE_TEXT];

    if (!sheet->frame->coords)
        return;
    SHEET_PUT(sheet, "<g stroke='$' stroke-width='11'>", RULES_PAINT_LABEL);
    for (unsigned column = 0; column < sheet->board.width; column++)
        sheet_letters(sheet,
                      rules_file_label(sheet->game, sheet->board, sheet_square(sheet, 0, column),
                                       false, part),
                      sheet->left + (int)column * SHEET_SQUARE + half, y, SHEET_LETTERS,
                      ANCHOR_MIDDLE);
    for (unsigned row = 0; row < sheet->board.height; row++)
        sheet_letters(
            sheet,
            rules_rank_label(sheet->game, sheet->board, sheet_square(sheet, row, 0), false, part),
            x, sheet->top + (int)row * SHEET_SQUARE + half - SHEET_LETTERS / 2, SHEET_LETTERS,
            ANCHOR_MIDDLE);
    SHEET_PUT(sheet, "</g>\n");
}

bool sheet_is_open(const struct sheet *sheet)
{
    return sheet->look->ending == NULL &&
           rules_outcome_now(sheet->game, sheet->state).status == RULES_ONGOING;
}

void sheet_turn(struct sheet *sheet, const char *open)
{
    unsigned seat = sheet->game->to_move(sheet->state);
    bool below = seat == sheet->look->view, left = labels_above(sheet);
    int half = SHEET_SQUARE / 2;

    SHEET_PUT(sheet, open);
    SHEET_PUT(sheet, " data-seat='%' fill='$' d='M% %l% -11v22z'/>\n", (int)seat, RULES_PAINT_LABEL,
              left ? sheet->left - 6 : sheet->right + 6,
              below ? sheet->bottom - half : sheet->top + half, left ? -16 : 16);
}

void sheet_open(struct sheet *sheet)
{
    int width = (int)sheet->frame->width;
    int64_t pixels = (int64_t)sheet->width * RULES_PICTURE_SQUARE / SHEET_SQUARE;

    if (width == 0)
        width = (int)pixels;
    SHEET_PUT(sheet,
              "<svg xmlns='http://www.w3.org/2000/svg' role='img' viewBox='0 0 % %' width='%' "
              "height='%' fill='none' stroke-linecap='round' stroke-linejoin='round'>\n",
              sheet->width, sheet->height, width,
              (int)(((int64_t)width * sheet->height + sheet->width / 2) / sheet->width));
}

size_t rules_board_picture(const struct rules_game *game, const struct rules_state *state,
                           const struct rules_look *look, const struct rules_frame *frame,
                           char *out, size_t cap)
{
    struct sheet sheet = {.page = {.out = out, .cap = cap},
                          .game = game,
                          .state = state,
                          .look = look,
                          .frame = frame,
                          .art = game->art,
                          .board = game->board(state)};

    sheet_look(&sheet);
    sheet_measure(&sheet);
    sheet_open(&sheet);
    sheet_words(&sheet);
    sheet_definitions(&sheet, false);
    sheet_hands(&sheet, true);
    sheet_board(&sheet);
    sheet_labels(&sheet);
    if (sheet_is_open(&sheet))
        sheet_turn(&sheet, "<path id='@turn'");
    sheet_stacks(&sheet, sheet.list, true);
    SHEET_PUT(&sheet, "</svg>\n");
    return page_close(&sheet.page);
}
