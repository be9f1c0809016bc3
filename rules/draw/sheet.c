/* sheet.c - how a picture is written (sheet.h). */
#include "rules/draw/sheet.h"

#include "rules/draw/brush.h"
#include "rules/draw/signs.h"

enum {
    LETTER_GAP = 12, /* between two letters, on their grid */
    OWN_ID = 3       /* letters that begin an id of the picture's own */
};

/* ---- colours ---- */

/* The colours that all games share. A game's own come first. */
static const char *const themes[RULES_THEMES][RULES_PAINTS] = {
    [RULES_THEME_LIGHT] = {[RULES_PAINT_PAPER] = "#fbf9f4",
                           [RULES_PAINT_LABEL] = "#4a453c",
                           [RULES_PAINT_LAST] = "#f2a900",
                           [RULES_PAINT_CHECK] = "#d4121a",
                           [RULES_PAINT_LEGAL] = "#16803a",
                           [RULES_PAINT_TURN] = "#1f6feb"},
    [RULES_THEME_DARK] = {[RULES_PAINT_PAPER] = "#16181c",
                          [RULES_PAINT_LABEL] = "#c9c5bb",
                          [RULES_PAINT_LAST] = "#f0b429",
                          [RULES_PAINT_CHECK] = "#e0242e",
                          [RULES_PAINT_LEGAL] = "#5fe08a",
                          [RULES_PAINT_TURN] = "#4c9bff"},
    [RULES_THEME_PRINT] = {[RULES_PAINT_PAPER] = "#fff",
                           [RULES_PAINT_LABEL] = "#000",
                           [RULES_PAINT_LAST] = "#999",
                           [RULES_PAINT_CHECK] = "#000",
                           [RULES_PAINT_LEGAL] = "#000",
                           [RULES_PAINT_TURN] = "#000"},
};

const char *sheet_colour(const struct sheet *sheet, int paint)
{
    const char *own = sheet->art->paint[sheet->frame->theme][paint];

    if (own == NULL)
        own = themes[sheet->frame->theme][paint];
    return own != NULL ? own : "none";
}

/* ---- templates ---- */

static void put_number(struct page *page, int n)
{
    if (n < 0)
        page_byte(page, '-');
    page_number(page, (uint64_t)(n < 0 ? -(int64_t)n : n));
}

static void put_hundredth(struct page *page, int n)
{
    page_number(page, (uint64_t)n / 100);
    page_byte(page, '.');
    page_number(page, (uint64_t)n / 10 % 10);
    page_number(page, (uint64_t)n % 10);
}

/* Pictures of one game in one theme define the same things. Others must not have the same ids, so
 * these begin with letters that follow from the names of both. */
static void put_own_id(struct sheet *sheet)
{
    uint32_t hash = 2166136261U ^ (uint32_t)sheet->frame->theme;

    for (const char *c = sheet->game->name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    for (int i = 0; i < OWN_ID; i++, hash /= 26)
        page_byte(&sheet->page, (char)('a' + hash % 26));
}

void sheet_fill(struct sheet *sheet, const char *template, const int *numbers)
{
    page_flush_blanks(&sheet->page);
    for (const char *c = template; *c != '\0'; c++)
        switch (*c) {
        case '%':
            put_number(&sheet->page, *numbers++);
            break;
        case '~':
            put_hundredth(&sheet->page, *numbers++);
            break;
        case '@':
        case '&':
            if (sheet->frame->ids != NULL)
                page_put(&sheet->page, sheet->frame->ids);
            if (*c == '&')
                put_own_id(sheet);
            break;
        case '$':
            page_put(&sheet->page, sheet_colour(sheet, *numbers++));
            break;
        default:
            page_byte(&sheet->page, *c == '\'' ? '"' : *c);
        }
}

/* The two colours of a seat stand side by side in enum rules_paint, so seat 2 takes the next one.
 */
void sheet_shapes(struct sheet *sheet, const struct rules_shape *shapes, unsigned seat)
{
    for (const struct rules_shape *shape = shapes; shape != NULL && shape->path != NULL; shape++) {
        int other = seat == 2;

        SHEET_PUT(sheet, "<path d='");
        if (shape->path[0] == 'w')
            brush_outline(&sheet->page, shape->path);
        else
            page_put(&sheet->page, shape->path);
        if (shape->fill != RULES_PAINT_NONE)
            SHEET_PUT(sheet, "' fill='$",
                      shape->fill + (shape->fill >= RULES_PAINT_SHADE ? other : 0));
        if (shape->stroke != RULES_PAINT_NONE)
            SHEET_PUT(sheet, "' stroke='$' stroke-width='%",
                      shape->stroke + (shape->stroke >= RULES_PAINT_SHADE ? other : 0),
                      shape->width);
        SHEET_PUT(sheet, "'/>");
    }
}

/* ---- letters ---- */

int sheet_letters_width(const char *letters, int height)
{
    int width = -LETTER_GAP;

    while (*letters != '\0') {
        const struct rules_sign *sign = rules_sign(page_next_character(&letters));

        width += (sign != NULL ? sign->width : 0) + LETTER_GAP;
    }
    return width * height / RULES_SIGN_HEIGHT;
}

void sheet_letters(struct sheet *sheet, const char *letters, int x, int y, int height,
                   enum anchor anchor)
{
    if (anchor == ANCHOR_MIDDLE)
        x -= sheet_letters_width(letters, height) / 2;
    while (*letters != '\0') {
        const struct rules_sign *sign = rules_sign(page_next_character(&letters));

        if (sign == NULL)
            continue;
        SHEET_PUT(sheet, "<path transform='translate(% %)scale(~)' d='", x, y, height);
        page_put(&sheet->page, sign->path);
        SHEET_PUT(sheet, "'/>");
        x += (sign->width + LETTER_GAP) * height / RULES_SIGN_HEIGHT;
    }
}

unsigned sheet_square(const struct sheet *sheet, unsigned row, unsigned column)
{
    unsigned square = row * sheet->board.width + column;

    return sheet->look->view == 2 ? sheet->squares - 1 - square : square;
}
