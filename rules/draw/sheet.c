/* sheet.c - how a picture is written (sheet.h). */
#include "rules/draw/sheet.h"

#include <stddef.h>
#include <stdint.h>

#include "rules/draw/brush.h"

/* ---- signs as strokes, so that a picture needs no font ---- */

enum { RULES_SIGN_HEIGHT = 100 };

/* One sign: an SVG path to be stroked, on a grid as high as RULES_SIGN_HEIGHT and `width` wide. */
struct rules_sign {
    uint32_t character;
    uint8_t width;
    const char *path;
};

enum { NARROW = 60, WIDE = 100, FULL_WIDTH_ZERO = 0xff10 };

static const struct rules_sign signs[] = {
    {'0', NARROW, "M30 8C6 8 6 92 30 92C54 92 54 8 30 8Z"},
    {'1', NARROW, "M14 26L34 8V92"},
    {'2', NARROW, "M10 30C10 0 50 0 50 31C50 52 12 70 9 92H52"},
    {'3', NARROW, "M10 20C18 0 50 4 48 28C47 42 38 47 25 47C42 47 52 56 51 70C49 97 15 99 8 77"},
    {'4', NARROW, "M41 92V8L6 67H55"},
    {'5', NARROW, "M48 8H16L12 45C24 34 52 37 52 64C52 96 16 101 8 79"},
    {'6', NARROW, "M47 15C32 0 10 16 10 60C10 103 52 101 52 66C52 35 14 37 10 63"},
    {'7', NARROW, "M8 8H52Q28 44 24 92"},
    {'8', NARROW, "M30 47C8 43 9 8 30 8C51 8 52 43 30 47C3 51 3 92 30 92C57 92 57 51 30 47Z"},
    {'9', NARROW, "M13 85C28 100 50 84 50 40C50 -3 8 -1 8 34C8 65 46 63 50 37"},
    {'a', NARROW, "M49 40V92M49 66C49 31 9 31 9 66C9 101 49 101 49 66"},
    {'b', NARROW, "M11 8V92M11 66C11 31 52 31 52 66C52 101 11 101 11 66"},
    {'c', NARROW, "M50 48C37 30 8 37 8 66C8 95 37 102 50 84"},
    {'d', NARROW, "M49 8V92M49 66C49 31 8 31 8 66C8 101 49 101 49 66"},
    {'e', NARROW, "M9 64H51C51 31 9 31 9 66C9 99 38 100 50 83"},
    {'f', NARROW, "M46 13C32 2 22 13 22 28V92M8 42H42"},
    {'g', NARROW, "M49 40V96C49 120 18 120 10 106M49 66C49 31 8 31 8 66C8 101 49 101 49 66"},
    {'h', NARROW, "M11 8V92M11 62C14 32 49 30 49 60V92"},
    {'i', NARROW, "M30 42V92M30 17V18"},
    {'j', NARROW, "M36 42V102C36 116 22 118 14 111M36 17V18"},
    {'k', NARROW, "M12 8V92M46 42L13 71M27 60L49 92"},
    {'l', NARROW, "M22 8V78C22 90 32 93 40 90"},
    {'m', WIDE, "M10 40V92M10 62C14 33 50 31 50 60V92M50 62C54 33 90 31 90 60V92"},
    {'n', NARROW, "M11 40V92M11 62C14 32 49 30 49 60V92"},
    {'o', NARROW, "M30 40C1 40 1 92 30 92C59 92 59 40 30 40Z"},
    {'p', NARROW, "M11 40V116M11 66C11 31 52 31 52 66C52 101 11 101 11 66"},
    {'q', NARROW, "M49 40V116M49 66C49 31 8 31 8 66C8 101 49 101 49 66"},
    {'r', NARROW, "M16 40V92M16 63C19 42 34 37 46 43"},
    {'s', NARROW, "M47 47C36 34 12 38 12 53C12 69 49 62 49 79C49 97 18 96 9 83"},
    {'t', NARROW, "M24 17V76C24 92 36 95 45 88M8 42H43"},
    {'u', NARROW, "M11 40V70C11 102 46 100 49 70M49 40V92"},
    {'v', NARROW, "M8 40L30 92L52 40"},
    {'w', WIDE, "M10 40L30 92L50 46L70 92L90 40"},
    {'x', NARROW, "M10 40L50 92M50 40L10 92"},
    {'y', NARROW, "M9 40L31 90M52 40L27 103C23 114 15 117 8 113"},
    {'z', NARROW, "M11 40H49L10 92H51"},
    {0x4e00, WIDE, "M10 50H90"},                                                       /* 一 */
    {0x4e8c, WIDE, "M20 24H80M8 80H92"},                                               /* 二 */
    {0x4e09, WIDE, "M16 16H84M24 50H76M8 86H92"},                                      /* 三 */
    {0x56db, WIDE, "M12 90V18H88V90M12 82H88M38 18Q38 50 22 62M61 18V50Q61 58 78 57"}, /* 四 */
    {0x4e94, WIDE, "M14 14H86M47 14Q43 52 35 86M22 46H74V86M8 87H92"},                 /* 五 */
    {0x516d, WIDE, "M50 8V30M8 34H92M36 52Q28 76 10 92M62 52Q76 70 90 92"},            /* 六 */
    {0x4e03, WIDE, "M8 48Q50 44 92 34M44 8V74Q44 88 58 88H76Q90 88 90 72"},            /* 七 */
    {0x516b, WIDE, "M38 22Q34 66 8 90M56 14Q64 66 94 90"},                             /* 八 */
    {0x4e5d, WIDE, "M40 8Q42 64 8 92M12 32H68V74Q68 90 80 90Q92 90 92 74"},            /* 九 */
};

/* The sign of a character, or NULL if there is none. Full-width digits have the signs of digits. */
static const struct rules_sign *rules_sign(uint32_t character)
{
    if (character >= FULL_WIDTH_ZERO && character <= FULL_WIDTH_ZERO + 9)
        character = character - FULL_WIDTH_ZERO + '0';
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        if (signs[i].character == character)
            return &signs[i];
    return NULL;
}

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

/* Pictures of one game in one theme and set define the same things. Others must not have the same
 * ids, so these begin with letters that follow from the names of all three. */
static void put_own_id(struct sheet *sheet)
{
    uint32_t hash = 2166136261U ^ (uint32_t)sheet->frame->theme;

    for (const char *c = sheet->game->name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    for (const char *c = sheet->frame->set == NULL ? "" : sheet->frame->set->name; *c != '\0'; c++)
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
    return shape_square(&sheet->shape, (int)row, (int)column);
}

struct place sheet_place(const struct sheet *sheet, int row, int column)
{
    int x = shape_halves(&sheet->shape, row, column) * (SHEET_SQUARE / 2) + SHEET_SQUARE / 2;

    return sheet->shape.hexagons ? (struct place){x, row * SHEET_ROW + SHEET_TIP}
                                 : (struct place){x, row * SHEET_SQUARE + SHEET_SQUARE / 2};
}

struct place sheet_middle(const struct sheet *sheet, unsigned square)
{
    unsigned seen = shape_square(&sheet->shape, 0, (int)square); /* turned twice it is itself */

    return sheet_place(sheet, (int)(seen / sheet->board.width), (int)(seen % sheet->board.width));
}
