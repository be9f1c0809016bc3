/* markdown.c - the documents of the program, which are Markdown, as parts of a page. */
#include "api/http/page.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A part of the document. */
struct span {
    const char *at;
    size_t len;
};

static struct span span(const char *at, size_t len)
{
    return (struct span){at, len};
}

static struct span rest_of_markdown(struct span text, size_t from)
{
    return span(text.at + from, text.len - from);
}

static bool span_begins(struct span text, const char *with)
{
    return text.len >= strlen(with) && memcmp(text.at, with, strlen(with)) == 0;
}

/* Where a text stands in another one; its length if it does not. */
static size_t find_in_markdown(struct span text, const char *what)
{
    const char *at = memmem(text.at, text.len, what, strlen(what));

    return at == NULL ? text.len : (size_t)(at - text.at);
}

static size_t blanks(struct span text)
{
    size_t n = 0;

    while (n < text.len && text.at[n] == ' ')
        n++;
    return n;
}

static struct span trimmed(struct span text)
{
    text = rest_of_markdown(text, blanks(text));
    while (text.len > 0 && text.at[text.len - 1] == ' ')
        text.len--;
    return text;
}

static void add_text(struct out *out, struct span text)
{
    page_bytes(out, text.at, text.len);
}

/* ---- within a line ---- */

static const struct mark {
    const char *mark, *tag;
} marks[] = {{"`", "code"}, {"**", "strong"}, {"*", "em"}};

static const struct mark *mark_at(struct span text)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (span_begins(text, marks[i].mark))
            return &marks[i];
    return NULL;
}

static void add_inline(struct out *out, struct span text);

/* The pages that link to each other as files of the source, and where the daemon serves them. */
static const struct {
    const char *file, *address;
} served[] = {{"../FRONTENDS.md", "/docs/frontends"},
              {"docs/module.md", "/docs/module"},
              {"module.md", "/docs/module"},
              {"docs/board.md", "/docs/board"},
              {"board.md", "/docs/board"},
              {"docs/people.md", "/docs/people"},
              {"people.md", "/docs/people"}};

/* Whether a link leads to a file of the source that is served nowhere. */
static bool is_unserved(struct span target)
{
    static const char ending[] = ".md";
    size_t len = find_in_markdown(target, "#");

    for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++)
        if (span_begins(target, served[i].file))
            return false;
    return len > strlen(ending) && find_in_markdown(target, "://") == target.len &&
           strncmp(target.at + len - strlen(ending), ending, strlen(ending)) == 0;
}

static void add_address(struct out *out, struct span target)
{
    for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++)
        if (span_begins(target, served[i].file)) {
            out_add(out, served[i].address);
            target = rest_of_markdown(target, strlen(served[i].file));
            break;
        }
    add_text(out, target);
}

/* Writes a link if the text begins with one, and returns its length; else 0. Of one that leads
 * nowhere the text alone is written. */
static size_t add_link(struct out *out, struct span text)
{
    struct span target;
    size_t middle = find_in_markdown(text, "]("), end;

    if (text.at[0] != '[' || middle == text.len)
        return 0;
    end = middle + find_in_markdown(rest_of_markdown(text, middle), ")");
    if (end == text.len)
        return 0;
    target = span(text.at + middle + 2, end - middle - 2);
    if (is_unserved(target)) {
        add_inline(out, span(text.at + 1, middle - 1));
        return end + 1;
    }
    out_add(out, "<a href=\"");
    add_address(out, target);
    out_add(out, "\">");
    add_inline(out, span(text.at + 1, middle - 1));
    out_add(out, "</a>");
    return end + 1;
}

/* Writes what stands between two marks, and returns the length of all; 0: there is no second. */
static size_t add_marked(struct out *out, struct span text, const struct mark *mark)
{
    size_t width = strlen(mark->mark),
           len = find_in_markdown(rest_of_markdown(text, width), mark->mark);
    struct span inside = span(text.at + width, len);

    if (width + len >= text.len || len == 0)
        return 0;
    out_format(out, "<%s>", mark->tag);
    if (mark == marks)
        add_text(out, inside);
    else
        add_inline(out, inside);
    out_format(out, "</%s>", mark->tag);
    return len + 2 * width;
}

static void add_inline(struct out *out, struct span text)
{
    while (text.len > 0) {
        const struct mark *mark = mark_at(text);
        size_t done = mark != NULL ? add_marked(out, text, mark) : add_link(out, text);

        if (done == 0) {
            done = 1;
            while (done < text.len && strchr("`*[", text.at[done]) == NULL)
                done++;
            add_text(out, span(text.at, done));
        }
        text = rest_of_markdown(text, done);
    }
}

/* ---- lines ---- */

struct document {
    struct out *out;
    const char *next; /* the line behind the present one */
    struct span line; /* the present one, without its end */
    bool is_over;
};

static void next_markdown_line(struct document *document)
{
    document->is_over = *document->next == '\0';
    document->line = span(document->next, strcspn(document->next, "\n"));
    document->next += document->line.len;
    document->next += *document->next == '\n';
}

static bool is_item(struct span line)
{
    return span_begins(rest_of_markdown(line, blanks(line)), "- ");
}

/* Whether a line is of no other kind, so that it may continue a paragraph. */
static bool is_plain_markdown(const struct document *document)
{
    struct span line = document->line;

    return !document->is_over && blanks(line) < line.len && !span_begins(line, "#") &&
           !span_begins(line, "|") && !span_begins(line, "```") && !is_item(line);
}

/* Adds the present line and those that continue it. */
static void add_lines(struct document *document, struct span first)
{
    struct out joined;

    out_init(&joined, document->out->arena);
    out_bytes(&joined, first.at, first.len);
    for (next_markdown_line(document); is_plain_markdown(document); next_markdown_line(document)) {
        struct span more = trimmed(document->line);

        out_add(&joined, "\n");
        out_bytes(&joined, more.at, more.len);
    }
    add_inline(document->out, span(joined.text, joined.len));
}

/* ---- blocks ---- */

static void add_heading(struct document *document)
{
    struct out *out = document->out;
    size_t level = strspn(document->line.at, "#");
    struct span title = trimmed(rest_of_markdown(document->line, level));

    out_format(out, "<h%zu id=\"", level);
    for (size_t i = 0; i < title.len; i++) {
        char c = (char)tolower((unsigned char)title.at[i]);

        if (isalnum((unsigned char)c) || c == ' ')
            out_bytes(out, c == ' ' ? "-" : &c, 1);
    }
    out_add(out, "\">");
    add_inline(out, title);
    out_format(out, "</h%zu>\n", level);
    next_markdown_line(document);
}

static void add_paragraph(struct document *document)
{
    struct out *out = document->out;
    struct span line = document->line,
                number = rest_of_markdown(line, span_begins(line, "**") ? 2 : line.len);

    number.len = find_in_markdown(number, "**");
    if (number.len > 0 && memchr(number.at, ' ', number.len) == NULL) {
        out_add(out, "<p id=\"");
        add_text(out, number);
        out_add(out, "\">");
    } else {
        out_add(out, "<p>");
    }
    add_lines(document, trimmed(line));
    out_add(out, "</p>\n");
}

static void add_code(struct document *document)
{
    out_add(document->out, "<pre tabindex=\"0\"><code>");
    for (next_markdown_line(document); !document->is_over && !span_begins(document->line, "```");
         next_markdown_line(document)) {
        add_text(document->out, document->line);
        out_add(document->out, "\n");
    }
    out_add(document->out, "</code></pre>\n");
    next_markdown_line(document);
}

static void add_cells(struct document *document, const char *tag)
{
    struct span row = trimmed(document->line);

    out_add(document->out, "<tr>");
    for (row = rest_of_markdown(row, 1); row.len > 0;) {
        size_t len = find_in_markdown(row, "|");

        out_format(document->out, "<%s>", tag);
        add_inline(document->out, trimmed(span(row.at, len)));
        out_format(document->out, "</%s>", strcmp(tag, "td") == 0 ? "td" : "th");
        row = rest_of_markdown(row, len < row.len ? len + 1 : len);
    }
    out_add(document->out, "</tr>\n");
    next_markdown_line(document);
}

static void add_table(struct document *document)
{
    out_add(document->out, "<div class=\"wide\"><table><thead>\n");
    add_cells(document, "th scope=\"col\"");
    if (span_begins(document->line, "|--"))
        next_markdown_line(document);
    out_add(document->out, "</thead><tbody>\n");
    while (!document->is_over && span_begins(document->line, "|"))
        add_cells(document, "td");
    out_add(document->out, "</tbody></table></div>\n");
}

/* An item may hold a list of its own, which is indented, and no deeper one: each level counts
 * alike. */
static void add_list(struct document *document, bool is_inner)
{
    size_t indent = blanks(document->line);

    out_add(document->out, "<ul>\n");
    while (!document->is_over && is_item(document->line) && blanks(document->line) >= indent) {
        out_add(document->out, "<li>");
        add_lines(document, trimmed(rest_of_markdown(document->line, blanks(document->line) + 2)));
        if (!is_inner && !document->is_over && is_item(document->line) &&
            blanks(document->line) > indent)
            add_list(document, true);
        out_add(document->out, "</li>\n");
    }
    out_add(document->out, "</ul>\n");
}

void markdown_write(struct out *out, const char *text)
{
    struct document document = {.out = out, .next = text};

    next_markdown_line(&document);
    while (!document.is_over) {
        struct span line = document.line;

        if (blanks(line) == line.len)
            next_markdown_line(&document);
        else if (span_begins(line, "#") && strspn(line.at, "#") <= 6)
            add_heading(&document);
        else if (span_begins(line, "```"))
            add_code(&document);
        else if (span_begins(line, "|"))
            add_table(&document);
        else if (is_item(line))
            add_list(&document, false);
        else
            add_paragraph(&document);
    }
}
