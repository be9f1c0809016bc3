#include "api/terminal/cells.h"

#include <stdbool.h>
#include <string.h>

#include "rules/draw/page.h"

/* Skips an escape sequence, such as ESC [ 1 ; 31 m. */
static void skip_escape(const char **at)
{
    *at += (*at)[1] == '[' ? 2 : 1;
    while (**at != '\0' && (**at < '@' || **at > '~'))
        ++*at;
    *at += **at != '\0';
}

/* Skips a character or an escape sequence, and returns its width in cells. */
static unsigned skip(const char **at)
{
    if (**at != '\033')
        return page_character_width(page_next_character(at));
    skip_escape(at);
    return 0;
}

/* The width in cells of a text up to `end`, which lies in the same line. */
static unsigned cells_until(const char *text, const char *end)
{
    unsigned cells = 0;

    while (text < end)
        cells += skip(&text);
    return cells;
}

/* ---- lines and places ---- */

size_t cells_lines(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

const char *cells_last(const char *text, size_t n)
{
    for (size_t skip = cells_lines(text); skip > n; skip--)
        text = strchr(text, '\n') + 1;
    return text;
}

struct cells_spot cells_difference(const char *one, const char *other)
{
    struct cells_spot spot = {0, 0};
    const char *line = one, *at = one;

    while (*at != '\0' && *at == *other) {
        if (*at == '\n') {
            spot.line++;
            line = at + 1;
        }
        at++;
        other++;
    }
    if (*at == *other)
        return (struct cells_spot){0, 0};
    spot.cell = cells_until(line, at);
    return spot;
}

/* ---- folding ---- */

/* Whether the character at `at` must not begin a line. */
static bool is_closing(const char *at)
{
    static const char *const closing[] = {"、", "。", "）", "」", "』", "：", "？", "！", "ー"};

    for (size_t i = 0; i < sizeof(closing) / sizeof(closing[0]); i++)
        if (strncmp(at, closing[i], strlen(closing[i])) == 0)
            return true;
    return false;
}

/* How many bytes of a text fit into a line of `columns` cells; at least one character. */
static size_t fit(const char *text, unsigned columns)
{
    const char *at = text, *fold = text;
    size_t indent = strspn(text, " ");
    unsigned cells = 0;

    while (*at != '\0' && *at != '\n') {
        const char *here = at;
        unsigned width = skip(&at);

        if ((*here == ' ' || (width == 2 && !is_closing(here))) && here > text + indent)
            fold = here;
        cells += width;
        if (cells > columns && fold > text)
            return (size_t)(fold - text);
        if (cells > columns && here > text)
            return (size_t)(here - text);
    }
    return (size_t)(at - text);
}

/* The cell at which the last column of a line begins: behind the last two blanks in a row, or
 * behind the line's indentation and the mark of an item. 0 if that is in the right half of the
 * window. */
static unsigned last_column(const char *line, unsigned columns)
{
    const char *end = line + strcspn(line, "\n"), *column = line + strspn(line, " ");
    unsigned cells;

    if (column[0] == '-' && column[1] == ' ')
        column += 2;
    for (const char *at = column; at + 2 < end; at++)
        if (at[0] == ' ' && at[1] == ' ' && at[2] != ' ')
            column = at + 2;
    cells = cells_until(line, column);
    return cells <= columns / 2 ? cells : 0;
}

const char *cells_fold(struct out *out, const char *text, unsigned columns, size_t lines)
{
    unsigned indent = 0, hanging = last_column(text, columns);

    for (; *text != '\0' && lines > 0; lines--) {
        size_t len = fit(text, columns - indent);

        out_format(out, "%*s%.*s\n", (int)indent, "", (int)len, text);
        text += len;
        text += strspn(text, " ");
        indent = hanging;
        if (*text != '\n')
            continue;
        text++;
        indent = 0;
        hanging = last_column(text, columns);
    }
    return text;
}

/* ---- a window on a text that is larger than the terminal ---- */

/* How many of the cells from `at` to `end` lie in the window. */
static unsigned inside(unsigned at, unsigned end, unsigned first, unsigned last)
{
    at = at > first ? at : first;
    end = end < last ? end : last;
    return end > at ? end - at : 0;
}

/* Appends at most `columns` cells of a line, from cell `first` on. All escape sequences are kept,
 * so that colours stay right. A character that is cut in two becomes blanks. */
static void crop(struct out *out, const char *line, size_t len, unsigned first, unsigned columns)
{
    const char *end = line + len;
    unsigned cell = 0;

    while (line < end) {
        const char *here = line;
        unsigned width = skip(&line), seen = inside(cell, cell + width, first, first + columns);

        if (seen == width &&
            (width > 0 || *here == '\033' || inside(cell - 1, cell, first, first + columns) > 0))
            out_bytes(out, here, (size_t)(line - here));
        else
            out_format(out, "%*s", (int)seen, "");
        cell += width;
    }
}

/* The first position of a window that is centred on `at` as far as the size of the text allows. */
static size_t window(size_t size, size_t room, size_t at)
{
    size_t first = at > room / 2 ? at - room / 2 : 0;

    if (size <= room)
        return 0;
    return first < size - room ? first : size - room;
}

static unsigned widest_line(const char *text)
{
    unsigned widest = 0;

    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        unsigned cells = cells_until(text, text + strcspn(text, "\n"));

        widest = cells > widest ? cells : widest;
    }
    return widest;
}

void cells_window(struct out *out, const char *text, unsigned columns, size_t rows,
                  struct cells_spot middle)
{
    enum { BESIDE = 4 /* cells that stay visible to the right of the place */ };
    unsigned left = middle.cell + BESIDE < columns
                        ? 0
                        : (unsigned)window(widest_line(text), columns, middle.cell);
    size_t lines = cells_lines(text), top = window(lines, rows, middle.line);

    for (size_t line = 0; line < lines && line < top + rows; line++) {
        size_t len = strcspn(text, "\n");

        if (line >= top) {
            crop(out, text, len, line + 1 < lines ? left : 0, columns);
            out_add(out, "\n");
        }
        text += len + 1;
    }
}
