/* drawing.c - an SVG of ours as pixels (drawing.h). */
#include "api/view/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/view/outline.h"

enum {
    ATTRIBUTES_MAX = 16,
    NAMES_MAX = 128, /* of elements that are used again */
    DEPTH_MAX = 24,  /* of elements within each other, used ones included */
    DASHES = 2
};

/* A part of the text. */
struct piece {
    const char *at;
    size_t len;
};

struct tag {
    struct piece name;
    struct {
        struct piece name, value;
    } attribute[ATTRIBUTES_MAX];
    size_t attributes;
    bool is_closed;    /* the element has nothing in it */
    const char *after; /* what comes behind the tag */
};

struct ink {
    bool is_none;
    unsigned char rgb[3];
    float opacity;
};

/* What an element has from those around it. */
struct style {
    struct outline_matrix matrix;
    struct ink fill, stroke;
    double width, dash[DASHES]; /* of strokes; dash[0] 0: they have no gaps */
    bool is_hidden;
};

struct named {
    struct piece name;
    const char *element;
};

struct drawing {
    struct canvas *canvas;
    struct arena *arena;
    struct named named[NAMES_MAX];
    size_t names;
};

/* ---- the text ---- */

static bool piece_is(struct piece piece, const char *text)
{
    return strlen(text) == piece.len && memcmp(piece.at, text, piece.len) == 0;
}

static struct piece piece_until(const char *at, const char *ends)
{
    return (struct piece){at, strcspn(at, ends)};
}

/* Reads the tag that begins at `at` with "<". */
static void read_element_tag(const char *at, struct tag *tag)
{
    *tag = (struct tag){.name = piece_until(at + 1, " />")};
    at = tag->name.at + tag->name.len;
    while (*at == ' ') {
        struct piece name = piece_until(at + 1, "=>"), value = {NULL, 0};

        at = name.at + name.len;
        if (at[0] == '=' && at[1] == '"') {
            value = piece_until(at + 2, "\"");
            at = value.at + value.len;
            at += *at == '"';
        }
        if (value.at == NULL || tag->attributes == ATTRIBUTES_MAX)
            continue;
        tag->attribute[tag->attributes].name = name;
        tag->attribute[tag->attributes++].value = value;
    }
    tag->is_closed = *at == '/';
    tag->after = at + strcspn(at, ">");
    tag->after += *tag->after == '>';
}

/* An attribute of a tag; one that it has not is empty. */
static struct piece attribute_of(const struct tag *tag, const char *name)
{
    for (size_t i = 0; i < tag->attributes; i++)
        if (piece_is(tag->attribute[i].name, name))
            return tag->attribute[i].value;
    return (struct piece){"", 0};
}

static double number_of(const struct tag *tag, const char *name, double otherwise)
{
    const char *at = attribute_of(tag, name).at;
    double number;

    return outline_number(&at, &number) ? number : otherwise;
}

/* ---- elements that are used again ---- */

static void find_named(struct drawing *drawing, const char *svg)
{
    struct tag tag;

    for (const char *at = strchr(svg, '<'); at != NULL && drawing->names < NAMES_MAX;
         at = strchr(tag.after, '<')) {
        read_element_tag(at, &tag);
        if (piece_is(tag.name, "/defs"))
            return;
        if (attribute_of(&tag, "id").len > 0)
            drawing->named[drawing->names++] = (struct named){attribute_of(&tag, "id"), at};
    }
}

static const char *element_of(const struct drawing *drawing, const struct tag *use)
{
    struct piece href = attribute_of(use, "href");

    for (size_t i = 0; href.len > 0 && i < drawing->names; i++)
        if (drawing->named[i].name.len == href.len - 1 &&
            memcmp(drawing->named[i].name.at, href.at + 1, href.len - 1) == 0)
            return drawing->named[i].element;
    return NULL;
}

/* ---- style ---- */

static int colour_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *digit = c == '\0' ? NULL : strchr(digits, c | 0x20);

    return digit == NULL ? 0 : (int)(digit - digits);
}

static void read_ink(struct ink *ink, struct piece colour)
{
    size_t digits = colour.len == 7 ? 2 : 1;

    if (colour.len == 0)
        return;
    ink->is_none = colour.at[0] != '#';
    for (size_t i = 0; i < 3 && !ink->is_none; i++)
        ink->rgb[i] = (unsigned char)(16 * colour_digit(colour.at[1 + i * digits]) +
                                      colour_digit(colour.at[i * digits + digits]));
}

/* Reads one function of a transform and moves *at behind it. False: there is none. */
static bool read_function(const char **at, struct outline_matrix *matrix)
{
    double n[6] = {0};
    struct piece name;
    int count = 0;

    while (**at == ' ' || **at == ',')
        ++*at;
    name = piece_until(*at, "(\"");
    if (name.at[name.len] != '(')
        return false;
    *at = name.at + name.len + 1;
    while (count < 6 && outline_number(at, &n[count]))
        count++;
    if (**at != ')')
        return false;
    ++*at;
    *matrix = (struct outline_matrix){1, 0, 0, 1, 0, 0};
    if (piece_is(name, "translate")) {
        matrix->e = n[0];
        matrix->f = n[1];
    } else if (piece_is(name, "scale")) {
        matrix->a = n[0];
        matrix->d = count > 1 ? n[1] : n[0];
    } else if (piece_is(name, "rotate")) {
        double angle = n[0] * acos(-1) / 180;

        *matrix =
            (struct outline_matrix){cos(angle), sin(angle), -sin(angle), cos(angle), n[1], n[2]};
        *matrix = outline_multiply(*matrix, (struct outline_matrix){1, 0, 0, 1, -n[1], -n[2]});
    } else if (piece_is(name, "matrix")) {
        *matrix = (struct outline_matrix){n[0], n[1], n[2], n[3], n[4], n[5]};
    }
    return true;
}

static void read_style(struct style *style, const struct tag *tag)
{
    const char *transform = attribute_of(tag, "transform").at;
    const char *dash = attribute_of(tag, "stroke-dasharray").at;
    struct outline_matrix matrix;

    while (read_function(&transform, &matrix))
        style->matrix = outline_multiply(style->matrix, matrix);
    read_ink(&style->fill, attribute_of(tag, "fill"));
    read_ink(&style->stroke, attribute_of(tag, "stroke"));
    style->fill.opacity = (float)number_of(tag, "fill-opacity", (double)style->fill.opacity);
    style->stroke.opacity = (float)number_of(tag, "stroke-opacity", (double)style->stroke.opacity);
    style->width = number_of(tag, "stroke-width", style->width);
    for (int i = 0; i < DASHES && outline_number(&dash, &style->dash[i]); i++)
        ;
}

/* ---- shapes ---- */

static struct canvas_paint paint_of(const struct ink *ink)
{
    return (struct canvas_paint){{ink->rgb[0], ink->rgb[1], ink->rgb[2]}, ink->opacity};
}

/* Each line is closed, if only for its inside. */
static void fill_outline(struct canvas *canvas, const struct outline *outline)
{
    size_t began = 0;

    for (size_t i = 0; i < outline->n; i++) {
        bool ends = i + 1 == outline->n || outline->points[i + 1].begins;

        if (outline->points[i].begins)
            began = i;
        canvas_add_edge(canvas, outline->points[i].at, outline->points[ends ? began : i + 1].at);
    }
}

/* Where a stroke with gaps is: `left` pixels before it begins or ends. */
struct dash {
    double length[DASHES], left;
    int at;
};

static void add_dashes(struct canvas *canvas, struct dash *dash, struct canvas_point from,
                       struct canvas_point to, double width)
{
    double length = hypot(to.x - from.x, to.y - from.y), done = 0;

    while (done < length) {
        double end = fmin(done + dash->left, length), a = done / length, b = end / length;

        if (dash->at == 0)
            canvas_add_line(
                canvas,
                (struct canvas_point){from.x + a * (to.x - from.x), from.y + a * (to.y - from.y)},
                (struct canvas_point){from.x + b * (to.x - from.x), from.y + b * (to.y - from.y)},
                width);
        dash->left -= end - done;
        if (end < length) {
            dash->at = 1 - dash->at;
            dash->left = fmax(dash->length[dash->at], 1);
        }
        done = end;
    }
}

/* A line that is a mere point is a dot. */
static void stroke_outline(struct canvas *canvas, const struct outline *outline,
                           const struct style *style, double scale)
{
    struct dash dash = {
        {style->dash[0] * scale, style->dash[1] * scale}, style->dash[0] * scale, 0};

    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_point *point = &outline->points[i];

        if (point->begins && (i + 1 == outline->n || point[1].begins))
            continue; /* nothing was drawn from there */
        if (point->begins)
            dash = (struct dash){{dash.length[0], dash.length[1]}, dash.length[0], 0};
        else if (style->dash[0] > 0)
            add_dashes(canvas, &dash, point[-1].at, point->at, style->width * scale);
        else
            canvas_add_line(canvas, point[-1].at, point->at, style->width * scale);
    }
}

static void draw_path(struct drawing *drawing, const struct style *style, const char *data)
{
    const struct outline_matrix *matrix = &style->matrix;
    struct outline outline = outline_read(drawing->arena, data, matrix);

    if (!style->fill.is_none) {
        fill_outline(drawing->canvas, &outline);
        canvas_fill(drawing->canvas, paint_of(&style->fill));
    }
    if (!style->stroke.is_none) {
        stroke_outline(drawing->canvas, &outline, style,
                       sqrt(fabs(matrix->a * matrix->d - matrix->b * matrix->c)));
        canvas_stroke(drawing->canvas, paint_of(&style->stroke));
    }
}

static void draw_rect(struct drawing *drawing, const struct style *style, const struct tag *tag)
{
    double width = number_of(tag, "width", 0), height = number_of(tag, "height", 0);
    double r = number_of(tag, "rx", 0);

    r = fmin(r, fmin(width, height) / 2);
    draw_path(drawing, style,
              arena_format(drawing->arena,
                           "M%g %gh%ga%g %g 0 0 1 %g %gv%ga%g %g 0 0 1 %g %gh%ga%g %g 0 0 1 %g %g"
                           "v%ga%g %g 0 0 1 %g %gz",
                           number_of(tag, "x", 0) + r, number_of(tag, "y", 0), width - 2 * r, r, r,
                           r, r, height - 2 * r, r, r, -r, r, 2 * r - width, r, r, -r, -r,
                           2 * r - height, r, r, r, -r));
}

static void draw_circle(struct drawing *drawing, const struct style *style, const struct tag *tag)
{
    double r = number_of(tag, "r", 0);

    draw_path(drawing, style,
              arena_format(drawing->arena, "M%g %ga%g %g 0 0 1 %g 0a%g %g 0 0 1 %g 0z",
                           number_of(tag, "cx", 0) - r, number_of(tag, "cy", 0), r, r, 2 * r, r, r,
                           -2 * r));
}

static bool is_unseen(struct piece name)
{
    static const char *const unseen[] = {"defs", "title", "desc", "text", "style", "symbol"};

    for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
        if (piece_is(name, unseen[i]))
            return true;
    return false;
}

static const char *draw_element(struct drawing *drawing, const char *at, struct style style,
                                int depth);

static void draw_used(struct drawing *drawing, const struct tag *use, struct style style, int depth)
{
    const char *element = element_of(drawing, use);
    struct outline_matrix moved = {1, 0, 0, 1, number_of(use, "x", 0), number_of(use, "y", 0)};

    style.matrix = outline_multiply(style.matrix, moved);
    if (element != NULL)
        draw_element(drawing, element, style, depth + 1);
}

static void draw_shape(struct drawing *drawing, const struct tag *tag, const struct style *style,
                       int depth)
{
    if (style->is_hidden)
        return;
    if (piece_is(tag->name, "path"))
        draw_path(drawing, style, attribute_of(tag, "d").at);
    else if (piece_is(tag->name, "rect"))
        draw_rect(drawing, style, tag);
    else if (piece_is(tag->name, "circle"))
        draw_circle(drawing, style, tag);
    else if (piece_is(tag->name, "use"))
        draw_used(drawing, tag, *style, depth);
}

/* Draws the element that begins at `at`, and returns what comes behind it. Elements lie but a few
 * deep in each other: those of our own pictures. NOLINTNEXTLINE(misc-no-recursion) */
static const char *draw_element(struct drawing *drawing, const char *at, struct style style,
                                int depth)
{
    struct tag tag;

    read_element_tag(at, &tag);
    read_style(&style, &tag);
    style.is_hidden = style.is_hidden || depth > DEPTH_MAX || is_unseen(tag.name);
    draw_shape(drawing, &tag, &style, depth);
    at = tag.after;
    while (!tag.is_closed && (at = strchr(at, '<')) != NULL && at[1] != '/')
        at = draw_element(drawing, at, style, depth + 1);
    if (tag.is_closed || at == NULL)
        return at == NULL ? tag.after + strlen(tag.after) : at;
    at += strcspn(at, ">");
    return at + (*at == '>');
}

void drawing_open(struct canvas *canvas, struct arena *arena, const char *svg)
{
    struct drawing drawing = {.canvas = canvas, .arena = arena};
    struct style style = {.fill = {.is_none = true, .opacity = 1},
                          .stroke = {.is_none = true, .opacity = 1},
                          .width = 1};
    double width, height, scale;
    const char *box;
    struct tag tag;

    read_element_tag(svg, &tag);
    width = fmax(number_of(&tag, "width", 1), 1);
    height = fmax(number_of(&tag, "height", 1), 1);
    scale = fmin(1, sqrt(DRAWING_PIXELS_MAX / (width * height)));
    box = attribute_of(&tag, "viewBox").at;
    canvas_open(canvas, arena, (int)fmax(width * scale, 1), (int)fmax(height * scale, 1));
    for (int i = 0; i < 4; i++)
        if (!outline_number(&box, i < 2 ? &scale : i == 2 ? &width : &height))
            return;
    scale = fmin(canvas->width / width, canvas->height / height);
    style.matrix = (struct outline_matrix){scale, 0, 0, scale, 0, 0};
    find_named(&drawing, svg);
    draw_element(&drawing, svg, style, 0);
}
