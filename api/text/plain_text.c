#include "api/text/plain_text.h"

#include <stdbool.h>
#include <string.h>

#include "api/text/out.h"
#include "rules/draw/page.h"

enum { CELLS_MAX = 12, BETWEEN = 2 /* blanks between columns */ };

/* A table: its rows, the first of which are the headings, and how wide its columns are. */
struct table {
    const char *(*row)[CELLS_MAX];
    size_t rows, rows_size, cells;
    unsigned width[CELLS_MAX];
};

static bool plain_text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const char *end_of_line(const char *line)
{
    return line + strcspn(line, "\n");
}

static const char *next_plain_text_line(const char *line)
{
    line = end_of_line(line);
    return *line == '\n' ? line + 1 : line;
}

static const char *behind_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* ---- within a line ---- */

static const char *find_in_plain_text(const char *text, const char *end, const char *what)
{
    return text < end ? memmem(text, (size_t)(end - text), what, strlen(what)) : NULL;
}

static void add_inline(struct out *out, const char *text, const char *end);

/* Adds what stands between two marks and returns where it ends; NULL: there is no second mark. */
static const char *add_marked(struct out *out, const char *text, const char *end, const char *mark)
{
    const char *inside = text + strlen(mark), *close = find_in_plain_text(inside, end, mark);

    if (close == NULL || close == inside)
        return NULL;
    if (*mark == '`')
        out_bytes(out, inside, (size_t)(close - inside));
    else
        add_inline(out, inside, close);
    return close + strlen(mark);
}

/* Adds the text of a link and its address, and returns where it ends; NULL: it is none. */
static const char *add_link(struct out *out, const char *text, const char *end)
{
    const char *middle = find_in_plain_text(text, end, "]("),
               *close = middle == NULL ? NULL : find_in_plain_text(middle, end, ")");

    if (close == NULL)
        return NULL;
    add_inline(out, text + 1, middle);
    out_format(out, " (%.*s)", (int)(close - middle - 2), middle + 2);
    return close + 1;
}

static void add_inline(struct out *out, const char *text, const char *end)
{
    while (text < end) {
        const char *rest = *text == '`'                    ? add_marked(out, text, end, "`")
                           : plain_text_begins(text, "**") ? add_marked(out, text, end, "**")
                           : *text == '*'                  ? add_marked(out, text, end, "*")
                           : *text == '['                  ? add_link(out, text, end)
                                                           : NULL;

        if (rest == NULL) {
            rest = text + 1;
            out_bytes(out, text, 1);
        }
        text = rest;
    }
}

/* ---- paragraphs ---- */

static bool is_item(const char *line)
{
    return plain_text_begins(behind_blanks(line), "- ");
}

/* Whether a line may continue the one before it. */
static bool continues(const char *line)
{
    return strchr("\n", *behind_blanks(line)) == NULL && strchr("#|", *line) == NULL &&
           !plain_text_begins(line, "```") && !is_item(line);
}

/* The line at `line` and those that continue it, as one. Moves *line behind them. */
static const char *joined(struct arena *arena, const char **line)
{
    struct out out;

    out_init(&out, arena);
    do {
        const char *text = behind_blanks(*line);

        out_format(&out, "%s%.*s", out.len > 0 ? " " : "", (int)(end_of_line(text) - text), text);
        *line = next_plain_text_line(*line);
    } while (continues(*line));
    return out.text;
}

/* Adds the number of a rule, if the text begins with one, and returns what follows. */
static const char *add_number(struct out *out, const char *text)
{
    const char *end = plain_text_begins(text, "**") ? strstr(text + 2, "** ") : NULL;

    if (end == NULL || memchr(text, ' ', (size_t)(end - text)) != NULL)
        return text;
    out_format(out, "%.*s  ", (int)(end - text - 2), text + 2);
    return behind_blanks(end + 2);
}

static const char *add_paragraph(struct out *out, const char *line)
{
    const char *text = joined(out->arena, &line);

    text = add_number(out, text);
    add_inline(out, text, text + strlen(text));
    out_add(out, "\n");
    return line;
}

static const char *add_item(struct out *out, const char *line)
{
    out_format(out, "%*s- ", (int)(behind_blanks(line) - line), "");
    return add_paragraph(out, behind_blanks(line) + 2);
}

static void add_repeated(struct out *out, const char *sign, unsigned n)
{
    while (n-- > 0)
        out_add(out, sign);
}

static const char *add_heading(struct out *out, const char *line, unsigned columns)
{
    const char *title = line + strspn(line, "# ");
    bool is_first = title - line == 2;
    size_t start = out->len;
    unsigned width;

    add_inline(out, title, end_of_line(title));
    width = page_width(out->text + start);
    out_add(out, "\n");
    add_repeated(out, is_first ? "=" : "-", width < columns ? width : columns);
    out_add(out, "\n");
    return next_plain_text_line(line);
}

static const char *add_code(struct out *out, const char *line)
{
    const char *end;

    for (line = next_plain_text_line(line); *line != '\0' && !plain_text_begins(line, "```");
         line = end) {
        end = next_plain_text_line(line);
        out_bytes(out, line, (size_t)(end - line));
    }
    return next_plain_text_line(line);
}

/* ---- tables ---- */

/* The text of a cell without marks and the blanks around it. Moves *text behind the bar after it.
 */
static const char *read_cell(struct arena *arena, const char **text)
{
    const char *start = behind_blanks(*text), *bar = start + strcspn(start, "|\n"), *end = bar;
    struct out cell;

    while (end > start && end[-1] == ' ')
        end--;
    out_init(&cell, arena);
    add_inline(&cell, start, end);
    *text = *bar == '|' ? bar + 1 : bar;
    return cell.text;
}

static void read_row(struct table *table, struct arena *arena, const char *line)
{
    const char *text = line + 1, *end = end_of_line(line);
    size_t n = 0;

    table->row = arena_grow(arena, table->row, table->rows, &table->rows_size, sizeof(*table->row));
    for (size_t i = 0; i < CELLS_MAX; i++)
        table->row[table->rows][i] = "";
    for (; text < end && n < CELLS_MAX; n++) {
        const char *cell = read_cell(arena, &text);
        unsigned width = page_width(cell);

        table->row[table->rows][n] = cell;
        table->width[n] = width > table->width[n] ? width : table->width[n];
    }
    table->cells = n > table->cells ? n : table->cells;
    table->rows++;
}

/* Where the last column begins. */
static unsigned last_column(const struct table *table)
{
    unsigned cells = 0;

    for (size_t i = 0; i + 1 < table->cells; i++)
        cells += table->width[i] + BETWEEN;
    return cells;
}

/* Whether at most the last column has to be folded, and that has half of the line. */
static bool plain_text_fits(const struct table *table, unsigned columns)
{
    unsigned last = last_column(table);

    return last <= columns / 2 || last + table->width[table->cells - 1] <= columns;
}

/* Whether a row has something behind a column. */
static bool goes_on(const char *const row[CELLS_MAX], size_t column)
{
    for (size_t i = column + 1; i < CELLS_MAX; i++)
        if (*row[i] != '\0')
            return true;
    return false;
}

static void add_row(struct out *out, const char *const row[CELLS_MAX], const struct table *table)
{
    for (size_t i = 0; i < table->cells; i++) {
        out_add(out, row[i]);
        if (goes_on(row, i))
            add_repeated(out, " ", table->width[i] - page_width(row[i]) + BETWEEN);
    }
    out_add(out, "\n");
}

static const char *underline(struct arena *arena, const char *heading)
{
    struct out out;

    out_init_short(&out, arena);
    add_repeated(&out, "-", page_width(heading));
    return out.text;
}

static void add_rows(struct out *out, const struct table *table)
{
    const char *lines[CELLS_MAX];

    for (size_t i = 0; i < CELLS_MAX; i++)
        lines[i] = underline(out->arena, table->row[0][i]);
    add_row(out, table->row[0], table);
    add_row(out, lines, table);
    for (size_t i = 1; i < table->rows; i++)
        add_row(out, table->row[i], table);
}

/* The width of the widest heading but the first. */
static unsigned widest_heading(const struct table *table)
{
    unsigned widest = 0;

    for (size_t i = 1; i < table->cells; i++) {
        unsigned width = page_width(table->row[0][i]);

        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Adds a row as a list: "K", and below it "  moves  one square in any direction". `values`: the
 * column of the values; 0: each stands right behind its heading. */
static void add_list(struct out *out, const struct table *table, size_t row, unsigned values)
{
    const char *const *cell = table->row[row];

    out_format(out, "%s\n", cell[0]);
    for (size_t i = 1; i < table->cells; i++) {
        const char *heading = table->row[0][i];

        if (*cell[i] == '\0')
            continue;
        out_format(out, "%*s%s%s", BETWEEN, "", heading, values == 0 ? ": " : "");
        if (values > 0)
            add_repeated(out, " ", values - BETWEEN - page_width(heading));
        out_format(out, "%s\n", cell[i]);
    }
}

static void add_lists(struct out *out, const struct table *table, unsigned columns)
{
    unsigned values = BETWEEN + widest_heading(table) + BETWEEN;

    for (size_t row = 1; row < table->rows; row++)
        add_list(out, table, row, values <= columns / 2 ? values : 0);
}

static const char *add_table(struct out *out, const char *line, unsigned columns)
{
    struct table table = {.rows = 0};

    for (; *line == '|'; line = next_plain_text_line(line))
        if (!plain_text_begins(line, "|--"))
            read_row(&table, out->arena, line);
    if (plain_text_fits(&table, columns))
        add_rows(out, &table);
    else
        add_lists(out, &table, columns);
    return line;
}

/* ---- the whole ---- */

static const char *add_block(struct out *out, const char *line, unsigned columns)
{
    if (*line == '#')
        return add_heading(out, line, columns);
    if (*line == '|')
        return add_table(out, line, columns);
    if (plain_text_begins(line, "```"))
        return add_code(out, line);
    return is_item(line) ? add_item(out, line) : add_paragraph(out, line);
}

const char *plain_text(struct arena *arena, const char *markdown, unsigned columns)
{
    const char *line = markdown;
    struct out out;

    out_init(&out, arena);
    while (*line != '\0') {
        const char *text = behind_blanks(line);

        if (*text != '\0' && *text != '\n') {
            line = add_block(&out, line, columns);
            continue;
        }
        out_add(&out, "\n");
        line = next_plain_text_line(line);
    }
    return out.text;
}
