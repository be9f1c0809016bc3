/* picture_words.c - a picture in words, for people who do not see it: title and description
 * (sheet.h). */
#include <string.h>

#include "rules/draw/board_words.h"
#include "rules/draw/sheet.h"
#include "rules/text.h"

static void put_square(struct sheet *sheet, unsigned square)
{
    char name[RULES_SQUARE_TEXT];

    rules_square_text(sheet->board, square, name);
    page_put(&sheet->page, name);
}

/* Writes each kind with all the squares where such a man stands alone: " king 5i, pawn 1g 2g". */
static bool put_single_men(struct sheet *sheet, unsigned seat)
{
    bool any = false;

    for (size_t kind = 0; kind < sheet->game->npieces; kind++) {
        bool named = false;

        for (unsigned square = 0; square < sheet->squares; square++) {
            const struct cell *cell = &sheet->cell[square];

            if (cell->men != 1 || cell->top.seat != seat || cell->top.kind != kind)
                continue;
            if (!named) {
                page_put(&sheet->page, any ? ", " : " ");
                page_put(&sheet->page, sheet->words.piece[kind]);
            }
            page_put(&sheet->page, " ");
            put_square(sheet, square);
            named = any = true;
        }
    }
    return any;
}

enum { STACK_TEXT = 256 };

/* Fills the template for a stack. */
static void put_stack(struct sheet *sheet, const struct cell *cell)
{
    char line[STACK_TEXT];
    struct text text = text_open(line, sizeof(line));

    for (const char *at = sheet->words.stack; *at != '\0'; at++) {
        if (*at != '{') {
            text_char(&text, *at);
            continue;
        }
        if (at[1] == 'n')
            text_number(&text, cell->men);
        else
            text_string(&text, sheet->words.piece[cell->top.kind]);
        at = strchr(at, '}');
    }
    page_put(&sheet->page, line);
}

static bool put_stacks(struct sheet *sheet, unsigned seat, bool any)
{
    for (unsigned square = 0; square < sheet->squares; square++) {
        const struct cell *cell = &sheet->cell[square];

        if (cell->men < 2 || cell->top.seat != seat)
            continue;
        page_put(&sheet->page, any ? ", " : " ");
        put_stack(sheet, cell);
        page_put(&sheet->page, " ");
        put_square(sheet, square);
        any = true;
    }
    return any;
}

static void put_hand(struct sheet *sheet, unsigned seat)
{
    const struct rules_game *game = sheet->game;
    bool any = false;

    for (size_t i = 0; rules_hand_kind(game, i) >= 0; i++) {
        unsigned kind = (unsigned)rules_hand_kind(game, i);
        unsigned count = game->hand(sheet->state, seat, kind);

        if (count == 0)
            continue;
        page_put(&sheet->page, any ? ", " : "; ");
        if (!any) {
            page_put(&sheet->page, sheet->words.in_hand);
            page_put(&sheet->page, " ");
        }
        page_number(&sheet->page, count);
        page_put(&sheet->page, " ");
        page_put(&sheet->page, sheet->words.piece[kind]);
        any = true;
    }
}

void sheet_words(struct sheet *sheet)
{
    struct page *page = &sheet->page;

    SHEET_PUT(sheet, "<title>");
    page_put(page, sheet->words.title);
    SHEET_PUT(sheet, "</title><desc>");
    rules_put_status(page, sheet->game, sheet->state, sheet->look);
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        page_put(page, ". ");
        page_put(page, sheet->words.side[seat - 1]);
        page_put(page, ":");
        if (!put_stacks(sheet, seat, put_single_men(sheet, seat))) {
            page_put(page, " ");
            page_put(page, sheet->words.nothing);
        }
        if (sheet->game->hand != NULL)
            put_hand(sheet, seat);
    }
    SHEET_PUT(sheet, ".</desc>");
}

/* Shown when somebody points at the stack. */
void sheet_stack_title(struct sheet *sheet, unsigned square)
{
    struct rules_man men[RULES_STACK_MAX];
    size_t n = sheet->game->at(sheet->state, square, men, RULES_STACK_MAX);

    SHEET_PUT(sheet, "<title>");
    put_square(sheet, square);
    page_put(&sheet->page, ", ");
    page_put(&sheet->page, sheet->words.from_below);
    page_put(&sheet->page, ":");
    for (size_t i = 0; i < n; i++) {
        page_put(&sheet->page, i > 0 ? ", " : " ");
        page_put(&sheet->page, sheet->words.piece[men[i].kind]);
    }
    SHEET_PUT(sheet, "</title>");
}
