/*
 * brush.c - strokes of a brush as outlines (brush.h).
 *
 * Places are counted in 64ths of a unit of the skeleton's grid. `w` is the weight of the brush; a
 * length that is written as a number of PARTS is that part of it.
 */
#include "rules/draw/brush.h"

enum {
    FINE = 64,       /* a unit of the skeleton */
    PARTS = 20,      /* of the weight */
    UNIT = 1024,     /* the length of a direction */
    POINTS_MAX = 12, /* of one stroke */
    THIN = 13        /* parts: how thick a horizontal line is */
};

struct point {
    int x, y;
};

struct brush {
    struct page *page;
    int w;
    struct point at; /* as it was written */
    char command;
};

/* ---- places ---- */

static int root(int64_t n)
{
    int64_t r = 1;

    for (int i = 0; i < 24; i++)
        r = (r + n / r) / 2;
    return (int)r;
}

static struct point direction(struct point from, struct point to)
{
    int64_t dx = to.x - from.x, dy = to.y - from.y;
    int length = root(dx * dx + dy * dy + 1);

    if (length == 0)
        length = 1;
    return (struct point){(int)(dx * UNIT / length), (int)(dy * UNIT / length)};
}

/* The place some parts of the weight along a direction from a point, and some to its right hand. */
static struct point beside(const struct brush *brush, struct point p, struct point along, int ahead,
                           int right)
{
    int64_t a = (int64_t)ahead * brush->w, r = (int64_t)right * brush->w;

    return (struct point){p.x + (int)((along.x * a - along.y * r) / (PARTS * UNIT)),
                          p.y + (int)((along.y * a + along.x * r) / (PARTS * UNIT))};
}

static struct point shifted(const struct brush *brush, struct point p, int x, int y)
{
    return (struct point){p.x + x * brush->w / PARTS, p.y + y * brush->w / PARTS};
}

/* ---- writing ---- */

static int written(int place)
{
    int n = place * (BRUSH_GRID / 100);

    return (n + (n < 0 ? -FINE / 2 : FINE / 2)) / FINE;
}

static void put_step(struct brush *brush, int n, bool first)
{
    if (n < 0)
        page_byte(brush->page, '-');
    else if (!first)
        page_byte(brush->page, ' ');
    page_number(brush->page, (uint64_t)(n < 0 ? -n : n));
}

static void put_command(struct brush *brush, char command)
{
    if (command != brush->command)
        page_byte(brush->page, command);
    brush->command = command;
}

static void put_place(struct brush *brush, struct point p, bool first)
{
    put_step(brush, written(p.x) - brush->at.x, first);
    put_step(brush, written(p.y) - brush->at.y, false);
}

static void go_to(struct brush *brush, struct point p)
{
    brush->at = (struct point){written(p.x), written(p.y)};
}

static void begin(struct brush *brush, struct point p)
{
    brush->at = (struct point){0, 0};
    brush->command = '\0';
    put_command(brush, 'M');
    put_place(brush, p, true);
    go_to(brush, p);
}

static void line(struct brush *brush, struct point p)
{
    bool first = brush->command != 'l';

    put_command(brush, 'l');
    put_place(brush, p, first);
    go_to(brush, p);
}

static void bow(struct brush *brush, struct point bend, struct point p)
{
    bool first = brush->command != 'q';

    put_command(brush, 'q');
    put_place(brush, bend, first);
    put_place(brush, p, false);
    go_to(brush, p);
}

static void end(struct brush *brush)
{
    put_command(brush, 'z');
}

/* ---- strokes ---- */

/* The upper edge of a horizontal line, from its head on, up to its shoulder before `p`. */
static void begin_flat(struct brush *brush, struct point from, struct point p)
{
    begin(brush, shifted(brush, from, -3, -8));
    bow(brush, shifted(brush, from, 4, -6), shifted(brush, from, 12, -THIN / 2));
    line(brush, shifted(brush, p, -20, -THIN / 2));
}

/* The lower edge, back from `p`. */
static void end_flat(struct brush *brush, struct point from, struct point p)
{
    line(brush, p);
    line(brush, shifted(brush, from, 10, THIN / 2));
    bow(brush, shifted(brush, from, 4, THIN / 2), shifted(brush, from, -3, -8));
    end(brush);
}

static void draw_horizontal(struct brush *brush, const struct point *p)
{
    begin_flat(brush, p[0], p[1]);
    bow(brush, shifted(brush, p[1], -13, -9), shifted(brush, p[1], -8, -15));
    bow(brush, shifted(brush, p[1], 0, -8), shifted(brush, p[1], 5, 0));
    bow(brush, shifted(brush, p[1], 4, 7), shifted(brush, p[1], -5, 7));
    end_flat(brush, p[0], shifted(brush, p[1], -5, THIN / 2));
}

/* The head of a line that goes down: from the left edge over its spur to the right edge. */
static void begin_steep(struct brush *brush, struct point from, struct point along)
{
    begin(brush, beside(brush, from, along, 12, 10));
    bow(brush, beside(brush, from, along, 4, 11), beside(brush, from, along, -3, 17));
    bow(brush, beside(brush, from, along, 0, 0), beside(brush, from, along, 9, -10));
}

static void draw_vertical(struct brush *brush, const struct point *p)
{
    struct point along = direction(p[0], p[1]);

    begin_steep(brush, p[0], along);
    line(brush, beside(brush, p[1], along, -4, -9));
    bow(brush, beside(brush, p[1], along, 5, -8), beside(brush, p[1], along, 5, -1));
    bow(brush, beside(brush, p[1], along, 4, 9), beside(brush, p[1], along, -5, 9));
    end(brush);
}

static void draw_inner(struct brush *brush, const struct point *p)
{
    struct point along = direction(p[0], p[1]);
    int half = p[0].x == p[1].x ? 9 : THIN / 2;

    begin(brush, beside(brush, p[0], along, 0, half));
    line(brush, beside(brush, p[0], along, 0, -half));
    line(brush, beside(brush, p[1], along, 0, -half));
    line(brush, beside(brush, p[1], along, 0, half));
    end(brush);
}

static void draw_needle(struct brush *brush, const struct point *p)
{
    struct point along = direction(p[0], p[1]);

    begin_steep(brush, p[0], along);
    bow(brush, beside(brush, p[1], along, -34, -10), p[1]);
    bow(brush, beside(brush, p[1], along, -28, 10), beside(brush, p[1], along, -42, 9));
    end(brush);
}

static void draw_taper(struct brush *brush, const struct point *p)
{
    struct point first = direction(p[0], p[1]), whole = direction(p[0], p[2]);

    begin_steep(brush, p[0], first);
    bow(brush, beside(brush, p[1], whole, 0, -9), p[2]);
    bow(brush, beside(brush, p[1], whole, 0, 8), beside(brush, p[0], first, 12, 10));
    end(brush);
}

static void draw_foot(struct brush *brush, const struct point *p)
{
    struct point first = direction(p[0], p[1]), whole = direction(p[0], p[2]);
    struct point last = direction(p[1], p[2]), knee = beside(brush, p[2], last, -26, 0);

    begin(brush, beside(brush, p[0], first, 2, 4));
    bow(brush, beside(brush, p[0], first, -3, 0), beside(brush, p[0], first, 2, -4));
    bow(brush, beside(brush, p[1], whole, 0, -7), beside(brush, knee, last, 0, -9));
    bow(brush, beside(brush, knee, last, 14, -10), shifted(brush, p[2], 8, -5));
    bow(brush, beside(brush, knee, last, 20, 8), beside(brush, knee, last, 2, 14));
    bow(brush, beside(brush, p[1], whole, 0, 8), beside(brush, p[0], first, 2, 4));
    end(brush);
}

static void draw_dot(struct brush *brush, const struct point *p)
{
    struct point along = direction(p[0], p[1]);

    begin(brush, beside(brush, p[0], along, -3, 1));
    bow(brush, beside(brush, p[0], along, 8, -10), beside(brush, p[1], along, -8, -11));
    bow(brush, beside(brush, p[1], along, 4, -9), beside(brush, p[1], along, 5, 0));
    bow(brush, beside(brush, p[1], along, 3, 9), beside(brush, p[1], along, -7, 9));
    bow(brush, beside(brush, p[1], along, -14, 7), beside(brush, p[0], along, -3, 1));
    end(brush);
}

/* The shoulder of a corner, up to the right edge of what goes down from it. */
static void turn_down(struct brush *brush, struct point corner)
{
    bow(brush, shifted(brush, corner, -10, -9), shifted(brush, corner, -5, -15));
    bow(brush, shifted(brush, corner, 6, -10), shifted(brush, corner, 13, -2));
    bow(brush, shifted(brush, corner, 10, 3), shifted(brush, corner, 9, 10));
}

static void draw_corner(struct brush *brush, const struct point *p)
{
    begin_flat(brush, p[0], p[1]);
    turn_down(brush, p[1]);
    line(brush, shifted(brush, p[2], 9, 3));
    bow(brush, shifted(brush, p[2], 3, 8), shifted(brush, p[2], -9, 3));
    line(brush, shifted(brush, p[1], -9, THIN / 2));
    end_flat(brush, p[0], shifted(brush, p[1], -9, THIN / 2));
}

/* The end of a line that went down its right edge: to the hook's tip and up to the left edge. */
static void draw_hook_left(struct brush *brush, struct point corner, struct point tip)
{
    line(brush, shifted(brush, corner, 9, -10));
    bow(brush, shifted(brush, corner, 9, 8), shifted(brush, corner, -4, 12));
    bow(brush, shifted(brush, corner, -10, 6), tip);
    bow(brush, shifted(brush, corner, -9, 4), shifted(brush, corner, -9, -10));
}

static void draw_corner_hook(struct brush *brush, const struct point *p)
{
    begin_flat(brush, p[0], p[1]);
    turn_down(brush, p[1]);
    draw_hook_left(brush, p[2], p[3]);
    line(brush, shifted(brush, p[1], -9, THIN / 2));
    end_flat(brush, p[0], shifted(brush, p[1], -9, THIN / 2));
}

static void draw_vertical_hook(struct brush *brush, const struct point *p)
{
    struct point along = direction(p[0], p[1]);

    begin_steep(brush, p[0], along);
    if (p[2].x < p[1].x) {
        draw_hook_left(brush, p[1], p[2]);
    } else {
        line(brush, shifted(brush, p[1], 9, -12));
        bow(brush, shifted(brush, p[1], 12, -4), p[2]);
        line(brush, shifted(brush, p[1], 0, 14));
        bow(brush, shifted(brush, p[1], -10, 8), shifted(brush, p[1], -10, -4));
    }
    end(brush);
}

static void draw_round(struct brush *brush, const struct point *p)
{
    begin_steep(brush, p[0], direction(p[0], p[1]));
    line(brush, shifted(brush, p[1], 9, -22));
    bow(brush, shifted(brush, p[1], 9, -8), shifted(brush, p[1], 24, -8));
    line(brush, shifted(brush, p[2], -18, -8));
    bow(brush, shifted(brush, p[2], -6, -8), p[3]);
    bow(brush, shifted(brush, p[2], 12, -8), shifted(brush, p[2], 9, 3));
    bow(brush, shifted(brush, p[2], 6, 9), shifted(brush, p[2], -14, 9));
    line(brush, shifted(brush, p[1], 18, 9));
    bow(brush, shifted(brush, p[1], -10, 9), shifted(brush, p[1], -10, -16));
    end(brush);
}

static void draw_bow_hook(struct brush *brush, const struct point *p)
{
    begin_flat(brush, p[0], p[1]);
    turn_down(brush, p[1]);
    bow(brush, shifted(brush, p[2], 10, -4), shifted(brush, p[3], -9, -9));
    bow(brush, shifted(brush, p[3], -2, -6), p[4]);
    bow(brush, shifted(brush, p[3], 11, -2), shifted(brush, p[3], 7, 6));
    bow(brush, shifted(brush, p[3], 2, 13), shifted(brush, p[3], -12, 7));
    bow(brush, shifted(brush, p[2], -10, 5), shifted(brush, p[1], -9, THIN / 2 + 2));
    end_flat(brush, p[0], shifted(brush, p[1], -9, THIN / 2));
}

static void draw_corner_taper(struct brush *brush, const struct point *p)
{
    struct point whole = direction(p[1], p[3]);

    begin_flat(brush, p[0], p[1]);
    bow(brush, shifted(brush, p[1], -10, -9), shifted(brush, p[1], -5, -15));
    bow(brush, shifted(brush, p[1], 6, -11), shifted(brush, p[1], 12, -2));
    bow(brush, beside(brush, p[2], whole, 0, -8), p[3]);
    bow(brush, beside(brush, p[2], whole, 0, 6), shifted(brush, p[1], -8, THIN / 2));
    end_flat(brush, p[0], shifted(brush, p[1], -8, THIN / 2));
}

/* Along one side and back on the other. At the joints the line is widest. */
static void draw_soft(struct brush *brush, const struct point *p, size_t n)
{
    struct point along = direction(p[0], p[1]);

    begin_steep(brush, p[0], along);
    for (size_t i = 2; i < n; i += 2) {
        along = direction(p[i - 1], p[i]);
        bow(brush, beside(brush, p[i - 1], direction(p[i - 2], p[i]), 0, -8),
            beside(brush, p[i], along, 0, -10));
    }
    bow(brush, beside(brush, p[n - 1], along, 12, -4), beside(brush, p[n - 1], along, 3, 6));
    for (size_t i = n - 1; i >= 2; i -= 2) {
        along = i > 2 ? direction(p[i - 3], p[i - 2]) : direction(p[0], p[1]);
        bow(brush, beside(brush, p[i - 1], direction(p[i - 2], p[i]), 0, 8),
            i > 2 ? beside(brush, p[i - 2], along, 0, 10) : beside(brush, p[0], along, 12, 10));
    }
    end(brush);
}

/* ---- skeletons ---- */

static int read_number(const char **at)
{
    int n = 0;

    while (**at == ' ')
        ++*at;
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = n * 10 + (**at - '0');
    return n;
}

static bool has_number(const char *at)
{
    while (*at == ' ')
        at++;
    return *at >= '0' && *at <= '9';
}

static void draw_stroke(struct brush *brush, char letter, const struct point *p, size_t n)
{
    static const struct {
        char letter;
        void (*draw)(struct brush *brush, const struct point *p);
    } strokes[] = {{'h', draw_horizontal},  {'v', draw_vertical},      {'i', draw_inner},
                   {'n', draw_needle},      {'l', draw_taper},         {'r', draw_foot},
                   {'d', draw_dot},         {'c', draw_corner},        {'k', draw_corner_hook},
                   {'u', draw_round},       {'g', draw_vertical_hook}, {'b', draw_bow_hook},
                   {'z', draw_corner_taper}};

    for (size_t i = 0; i < sizeof(strokes) / sizeof(strokes[0]); i++)
        if (strokes[i].letter == letter)
            strokes[i].draw(brush, p);
    if (letter == 's')
        draw_soft(brush, p, n);
}

void brush_outline(struct page *page, const char *skeleton)
{
    struct brush brush = {.page = page};

    while (*skeleton != '\0') {
        struct point p[POINTS_MAX] = {{0, 0}};
        char letter = *skeleton++;
        size_t n = 0;

        if (letter == 'w') {
            brush.w = read_number(&skeleton) * FINE;
            continue;
        }
        for (; n < POINTS_MAX && has_number(skeleton); n++) {
            p[n].x = read_number(&skeleton) * FINE;
            p[n].y = read_number(&skeleton) * FINE;
        }
        draw_stroke(&brush, letter, p, n);
    }
}
