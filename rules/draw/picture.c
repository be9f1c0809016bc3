/* picture.c - a position as an SVG picture (picture.h): the board and what is around it. */
#include "rules/draw/picture.h"

#include "rules/draw/board_words.h"
#include "rules/draw/sheet.h"

enum {
    PAD = 20,    /* around everything */
    BAND = 44,   /* for coordinates */
    DOT = 14,    /* where a move may end */
    BEYOND = 36, /* how far a line that has won goes beyond the middle of its last square */
    STRIP = 42,  /* for a player's name */
    NAME = 28,   /* the height of its letters */
    TIP = 36     /* how far before that an arrow ends */
};

/* ---- what is where ---- */

void sheet_look(struct sheet *sheet)
{
    struct rules_man men[RULES_STACK_MAX];

    if (sheet->look->words != NULL)
        sheet->words = *sheet->look->words;
    else
        rules_words_init(&sheet->words, sheet->game);
    shape_make(&sheet->shape, sheet->game, sheet->state, sheet->look->view);
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

/* The size of the board. */
static int board_width(const struct sheet *sheet)
{
    return shape_width(&sheet->shape) * (SHEET_SQUARE / 2);
}

static int board_height(const struct sheet *sheet)
{
    int rows = sheet->board.height;

    return sheet->shape.hexagons ? (rows - 1) * SHEET_ROW + 2 * SHEET_TIP : rows * SHEET_SQUARE;
}

void sheet_measure(struct sheet *sheet)
{
    int band = sheet->frame->coords ? BAND : 0, hands = sheet_hands_width(sheet);
    int height = board_height(sheet);
    int strip = sheet->frame->name[0] != NULL ? STRIP : 0;

    sheet->left = PAD + hands + (labels_above(sheet) ? 0 : band);
    sheet->top = PAD + strip + (labels_above(sheet) ? band : 0);
    sheet->right = sheet->left + board_width(sheet);
    sheet->bottom =
        sheet->top + (height > sheet_hand_height(sheet) ? height : sheet_hand_height(sheet));
    sheet->width = sheet->right + (labels_above(sheet) ? band : 0) + hands + PAD;
    sheet->list = sheet->bottom + (labels_above(sheet) ? 0 : band) + strip + PAD;
    sheet->height = sheet_stacks(sheet, sheet->list, false);
}

/* ---- the ground ---- */

static const struct rules_ground *ground_of(const struct sheet *sheet, unsigned square,
                                            size_t *zone)
{
    for (*zone = 0; sheet->art->ground != NULL && *zone < sheet->game->nzones; ++*zone)
        if (sheet->game->zones[*zone].has(sheet->state, square))
            return &sheet->art->ground[*zone];
    return NULL;
}

/* A square that does not look like any other. */
static void draw_zone(struct sheet *sheet, unsigned square)
{
    size_t zone;
    const struct rules_ground *ground = ground_of(sheet, square, &zone);
    struct place place = sheet_middle(sheet, square);

    if (ground == NULL || (ground->paint == RULES_PAINT_NONE && ground->shapes == NULL))
        return;
    SHEET_PUT(sheet, "<g transform='translate(% %)'>", place.x, place.y);
    if (ground->paint != RULES_PAINT_NONE)
        SHEET_PUT(sheet, "<use href='#&any' fill='$'/>", (int)ground->paint);
    if (ground->shapes != NULL)
        SHEET_PUT(sheet, "<use href='#&zone%'/>", (int)zone);
    SHEET_PUT(sheet, "</g>\n");
}

/* Whether each square is drawn by itself, as a board that is no rectangle needs it. */
static bool has_tiles(const struct sheet *sheet)
{
    return sheet->art->tiled || sheet->shape.hexagons || !sheet->shape.whole;
}

/* Whether it is one of the other squares of a chequered board. */
static bool is_other(const struct sheet *sheet, unsigned row, unsigned column)
{
    return sheet->art->chequered && !sheet->shape.hexagons &&
           (row + column + sheet->board.height) % 2 == 1;
}

static void draw_tiles(struct sheet *sheet)
{
    SHEET_PUT(sheet, "<g fill='$' stroke='$' stroke-width='2'>", RULES_PAINT_BOARD,
              RULES_PAINT_LINE);
    for (unsigned i = 0; i < sheet->squares; i++) {
        unsigned row = i / sheet->board.width, column = i % sheet->board.width;
        struct place place = sheet_place(sheet, (int)row, (int)column);

        if (!shape_has(&sheet->shape, (int)row, (int)column))
            continue;
        SHEET_PUT(sheet, "<use href='#&any' x='%' y='%'", place.x, place.y);
        if (is_other(sheet, row, column))
            SHEET_PUT(sheet, " fill='$'", RULES_PAINT_OTHER);
        SHEET_PUT(sheet, "/>");
    }
    SHEET_PUT(sheet, "</g>\n");
}

static void draw_plane(struct sheet *sheet)
{
    int width = sheet->board.width * SHEET_SQUARE, height = sheet->board.height * SHEET_SQUARE;

    if (sheet_colour(sheet, RULES_PAINT_FRAME)[0] == '#')
        SHEET_PUT(sheet, "<rect x='%' y='%' width='%' height='%' rx='6' fill='$'/>", -SHEET_FRAME,
                  -SHEET_FRAME, width + 2 * SHEET_FRAME, height + 2 * SHEET_FRAME,
                  RULES_PAINT_FRAME);
    SHEET_PUT(sheet, "<path d='M0 0h%v%h-%z' fill='$'/>\n", width, height, width,
              RULES_PAINT_BOARD);
    if (!sheet->art->chequered)
        return;
    SHEET_PUT(sheet, "<path d='");
    for (unsigned row = 0; row < sheet->board.height; row++)
        for (unsigned column = 0; column < sheet->board.width; column++)
            if (is_other(sheet, row, column))
                SHEET_PUT(sheet, "M% %h100v100h-100z", (int)column * SHEET_SQUARE,
                          (int)row * SHEET_SQUARE);
    SHEET_PUT(sheet, "' fill='$'/>\n", RULES_PAINT_OTHER);
}

/* The lines between the squares, and around them. */
static void draw_lines(struct sheet *sheet)
{
    int columns = sheet->board.width, rows = sheet->board.height;

    SHEET_PUT(sheet, "<path stroke='$' stroke-width='2' d='", RULES_PAINT_LINE);
    for (int row = 1; row < rows; row++)
        SHEET_PUT(sheet, "M0 %H%", row * SHEET_SQUARE, columns * SHEET_SQUARE);
    for (int column = 1; column < columns; column++)
        SHEET_PUT(sheet, "M% 0V%", column * SHEET_SQUARE, rows * SHEET_SQUARE);
    SHEET_PUT(sheet, "'/><path d='M0 0H%V%H0Z' stroke='$' stroke-width='4'/>\n",
              columns * SHEET_SQUARE, rows * SHEET_SQUARE, RULES_PAINT_LINE);
}

static void draw_ground(struct sheet *sheet)
{
    if (has_tiles(sheet))
        draw_tiles(sheet);
    else
        draw_plane(sheet);
    for (unsigned row = 0; row < sheet->board.height; row++)
        for (unsigned column = 0; column < sheet->board.width; column++)
            if (shape_has(&sheet->shape, (int)row, (int)column))
                draw_zone(sheet, sheet_square(sheet, row, column));
    if (!has_tiles(sheet))
        draw_lines(sheet);
    sheet_shapes(sheet, sheet->art->upon, 0);
}

/* ---- the squares ---- */

static void draw_tints(struct sheet *sheet, unsigned square)
{
    uint8_t mark = sheet->look->mark[square];

    if (mark & RULES_MARK_WIN)
        SHEET_PUT(sheet, "<use href='#&any' fill='$' fill-opacity='.3'/>", RULES_PAINT_LEGAL);
    else if (mark & RULES_MARK_LAST)
        SHEET_PUT(sheet, "<use href='#&any' fill='$' fill-opacity='.5'/>", RULES_PAINT_LAST);
}

/* Draws the marks that lie on top: a ring for check, a cross for a man that was taken, and where a
 * move may end a dot, or four corners around a man: of a hexagon, its rim. */
static void draw_marks(struct sheet *sheet, unsigned square, const char *name)
{
    uint8_t mark = sheet->look->mark[square];

    if (mark & RULES_MARK_CHECK)
        SHEET_PUT(sheet, "<circle r='46' stroke='$' stroke-width='6'/>", RULES_PAINT_CHECK);
    if (mark & RULES_MARK_TAKEN) {
        SHEET_PUT(sheet, "<g data-taken='");
        page_put(&sheet->page, name);
        SHEET_PUT(sheet,
                  "' stroke='$' stroke-width='6'><circle r='30' stroke-dasharray='9 11'/>"
                  "<path d='M-13-13L13 13M13-13L-13 13'/></g>",
                  RULES_PAINT_CHECK);
    }
    if ((mark & RULES_MARK_LEGAL) && sheet->cell[square].men == 0)
        SHEET_PUT(sheet, "<circle r='%' fill='$'/>", DOT, RULES_PAINT_LEGAL);
    else if ((mark & RULES_MARK_LEGAL) && sheet->shape.hexagons)
        SHEET_PUT(sheet, "<use href='#&any' transform='scale(.92)' stroke='$' stroke-width='7'/>",
                  RULES_PAINT_LEGAL);
    else if (mark & RULES_MARK_LEGAL)
        SHEET_PUT(sheet,
                  "<path d='M-50-50h24l-24 24zM50-50v24l-24-24zM50 50h-24l24-24zM-50 50v-24l24 "
                  "24z' fill='$'/>",
                  RULES_PAINT_LEGAL);
}

static void draw_square(struct sheet *sheet, unsigned row, unsigned column)
{
    unsigned square = sheet_square(sheet, row, column);
    struct place place = sheet_place(sheet, (int)row, (int)column);
    char name[RULES_SQUARE_TEXT];

    rules_square_text(sheet->board, square, name);
    SHEET_PUT(sheet, "<g id='@sq-");
    page_put(&sheet->page, name);
    SHEET_PUT(sheet, "' data-square='");
    page_put(&sheet->page, name);
    SHEET_PUT(sheet, "' transform='translate(% %)'><use href='#&any'/>", place.x, place.y);
    draw_tints(sheet, square);
    sheet_men(sheet, square);
    draw_marks(sheet, square, name);
    SHEET_PUT(sheet, "</g>\n");
}

/* ---- lines across the squares ---- */

/* The way from one square to another, shortened so that its longer side has this many units. */
static struct place towards(struct place from, struct place to, int units)
{
    int dx = to.x - from.x, dy = to.y - from.y;
    int across = dx < 0 ? -dx : dx, down = dy < 0 ? -dy : dy,
        longer = across > down ? across : down;

    return longer == 0 ? (struct place){0, 0}
                       : (struct place){dx * units / longer, dy * units / longer};
}

static bool has_mark(const struct sheet *sheet, enum rules_mark mark)
{
    for (unsigned square = 0; square < sheet->squares; square++)
        if (sheet->look->mark[square] & mark)
            return true;
    return false;
}

void sheet_won_lines(struct sheet *sheet)
{
    struct rules_line line[RULES_LINES_MAX];
    size_t n = rules_won_lines(sheet->game, sheet->state, line);

    for (size_t i = 0; i < n; i++) {
        struct place a = sheet_middle(sheet, line[i].from), b = sheet_middle(sheet, line[i].to);
        struct place beyond = towards(a, b, BEYOND);

        SHEET_PUT(sheet, "<path d='M% %L% %' stroke='$' stroke-width='26' stroke-opacity='.6'/>\n",
                  a.x - beyond.x, a.y - beyond.y, b.x + beyond.x, b.y + beyond.y,
                  RULES_PAINT_LEGAL);
    }
}

/* The way of the last move, with an arrow to the man that went it. */
static void draw_path(struct sheet *sheet)
{
    const struct rules_look *look = sheet->look;
    struct place to = sheet_middle(sheet, look->path[look->npath - 1]);
    struct place tip = towards(sheet_middle(sheet, look->path[look->npath - 2]), to, TIP);

    SHEET_PUT(sheet, "<g stroke='$' stroke-opacity='.85'><path stroke-width='8' d='",
              RULES_PAINT_TURN);
    for (unsigned i = 0; i + 1 < look->npath; i++) {
        struct place at = sheet_middle(sheet, look->path[i]);

        SHEET_PUT(sheet, i == 0 ? "M% %" : "L% %", at.x, at.y);
    }
    to.x -= tip.x;
    to.y -= tip.y;
    SHEET_PUT(sheet, "L% %'/><path stroke-width='8' d='M% %L% %L% %'/></g>\n", to.x, to.y,
              to.x - (tip.x + tip.y) / 2, to.y - (tip.y - tip.x) / 2, to.x, to.y,
              to.x - (tip.x - tip.y) / 2, to.y - (tip.y + tip.x) / 2);
}

void sheet_board(struct sheet *sheet)
{
    SHEET_PUT(sheet, "<g transform='translate(% %)'>\n", sheet->left, sheet->top);
    draw_ground(sheet);
    if (has_mark(sheet, RULES_MARK_WIN))
        sheet_won_lines(sheet);
    SHEET_PUT(sheet, "<g pointer-events='all'>\n");
    for (unsigned row = 0; row < sheet->board.height; row++)
        for (unsigned column = 0; column < sheet->board.width; column++)
            if (shape_has(&sheet->shape, (int)row, (int)column))
                draw_square(sheet, row, column);
    SHEET_PUT(sheet, "</g><g pointer-events='none'>\n");
    if (sheet->look->npath > 2 || (sheet->look->npath > 1 && has_mark(sheet, RULES_MARK_TAKEN)))
        draw_path(sheet);
    SHEET_PUT(sheet, "</g></g>\n");
}

/* ---- around the board ---- */

/* The upper end of the label of a column, in the middle. Of hexagons it stands behind its column.
 */
static bool find_file_label(const struct sheet *sheet, int column, struct place *place)
{

    *place = sheet_place(sheet, 0, column);
    place->y = labels_above(sheet) ? -SHEET_FRAME - SHEET_LETTERS - 8
                                   : board_height(sheet) + SHEET_FRAME + 8;
    if (!sheet->shape.hexagons)
        return true;
    for (int row = -1; row <= sheet->board.height; row++)
        if (shape_has_label(&sheet->shape, row, column)) {
            *place = sheet_place(sheet, row, column);
            place->y -= SHEET_LETTERS / 2;
            return true;
        }
    return false;
}

/* The middle of the label of a row: beside the board, or of hexagons beside the row. */
static bool find_rank_label(const struct sheet *sheet, int row, struct place *place)
{
    int beside = SHEET_FRAME + BAND / 2 - 4;
    int first = shape_first(&sheet->shape, row), last = shape_last(&sheet->shape, row);

    *place = sheet_place(sheet, row, 0);
    place->x = labels_above(sheet) ? board_width(sheet) + beside : -beside;
    if (sheet->shape.hexagons)
        place->x = labels_above(sheet)
                       ? sheet_place(sheet, row, last).x + SHEET_SQUARE / 2 + beside
                       : sheet_place(sheet, row, first).x - SHEET_SQUARE / 2 - beside;
    return !sheet->shape.hexagons || last >= 0;
}

void sheet_labels(struct sheet *sheet)
{
    char part[RULES_SQUARE_TEXT];
    struct place place;

    if (!sheet->frame->coords)
        return;
    SHEET_PUT(sheet, "<g stroke='$' stroke-width='11'>", RULES_PAINT_LABEL);
    for (unsigned column = 0; column < sheet->board.width; column++)
        if (find_file_label(sheet, (int)column, &place))
            sheet_letters(sheet,
                          rules_file_label(sheet->game, sheet->board,
                                           sheet_square(sheet, 0, column), false, part),
                          sheet->left + place.x, sheet->top + place.y, SHEET_LETTERS,
                          ANCHOR_MIDDLE);
    for (unsigned row = 0; row < sheet->board.height; row++)
        if (find_rank_label(sheet, (int)row, &place))
            sheet_letters(sheet,
                          rules_rank_label(sheet->game, sheet->board, sheet_square(sheet, row, 0),
                                           false, part),
                          sheet->left + place.x, sheet->top + place.y - SHEET_LETTERS / 2,
                          SHEET_LETTERS, ANCHOR_MIDDLE);
    SHEET_PUT(sheet, "</g>\n");
}

/* Writes a text with the fonts of whoever looks at the picture. */
static void put_text(struct sheet *sheet, const char *text, const char *anchor, int x, int y)
{
    SHEET_PUT(sheet, "<text text-anchor='");
    page_put(&sheet->page, anchor);
    SHEET_PUT(sheet, "' x='%' y='%' font-family='sans-serif' font-size='%' fill='$'>", x, y, NAME,
              RULES_PAINT_LABEL);
    for (; *text != '\0'; text++) {
        bool markup = *text == '<' || *text == '>' || *text == '&';

        page_byte(&sheet->page, markup ? '&' : *text);
        if (markup)
            SHEET_PUT(sheet, "#%;", *text);
    }
    SHEET_PUT(sheet, "</text>\n");
}

void sheet_names(struct sheet *sheet)
{
    const char *const *name = sheet->frame->name;
    unsigned view = sheet->look->view;
    int below = sheet->list - PAD - 6;

    if (name[0] == NULL || name[1] == NULL)
        return;
    put_text(sheet, name[rules_other(view) - 1], "start", sheet->left, PAD + NAME - 4);
    put_text(sheet, name[view - 1], "start", sheet->left, below);
    if (sheet->frame->move != NULL)
        put_text(sheet, sheet->frame->move, "end", sheet->right, below);
}

bool sheet_is_open(const struct sheet *sheet)
{
    return sheet->look->ending == NULL &&
           rules_outcome_now(sheet->game, sheet->state).status == RULES_ONGOING;
}

void sheet_turn(struct sheet *sheet, const char *open)
{
    unsigned seat = sheet->game->to_move(sheet->state);
    bool below = seat == sheet->look->view;
    int edge = sheet->top + (below ? board_height(sheet) + 2 : -SHEET_FRAME);
    int length = sheet->right - sheet->left;

    SHEET_PUT(sheet, open);
    SHEET_PUT(sheet, " data-seat='%' fill='$' d='M% %h%v%h-%z'/>\n", (int)seat, RULES_PAINT_TURN,
              sheet->left, edge, length, SHEET_FRAME - 2, length);
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
                           const struct rules_look *look, const struct rules_picture_options *frame,
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
    sheet_names(&sheet);
    if (sheet_is_open(&sheet))
        sheet_turn(&sheet, "<path id='@turn'");
    sheet_stacks(&sheet, sheet.list, true);
    SHEET_PUT(&sheet, "</svg>\n");
    return page_close(&sheet.page);
}
