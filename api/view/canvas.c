/* canvas.c - pixels, and shapes on them (canvas.h). */
#include "api/view/canvas.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void canvas_open(struct canvas *canvas, struct arena *arena, int width, int height)
{
    size_t pixels = (size_t)width * (size_t)height;

    *canvas = (struct canvas){.width = width, .height = height};
    canvas->rgb = arena_alloc(arena, 3 * pixels);
    memset(canvas->rgb, 0xff, 3 * pixels);
    canvas->cover = arena_zero(arena, pixels * sizeof(*canvas->cover));
    canvas->left = width;
    canvas->top = height;
}

static int floor_within(double n, int most)
{
    return n <= 0 ? 0 : n >= most ? most : (int)n;
}

/* Notes that the shape may have touched these pixels, the last ones not included. */
static void touch(struct canvas *canvas, int left, int top, int right, int bottom)
{
    canvas->left = left < canvas->left ? left : canvas->left;
    canvas->top = top < canvas->top ? top : canvas->top;
    canvas->right = right > canvas->right ? right : canvas->right;
    canvas->bottom = bottom > canvas->bottom ? bottom : canvas->bottom;
}

/* ---- filling ---- */

/*
 * The cover of a pixel is the sum of what each edge contributes: the height of the edge within the
 * row, positive downwards, times the part of the pixel that lies to the right of it. To the right
 * of the edge that is the same for all pixels of the row, so what is added is the difference to the
 * pixel at the left; canvas_fill() sums it up.
 */

/* How far the places from x0 to x1 (not equal) lie to the left of `at`, on average, those to the
 * right counted as 0. */
static double mean_to_left(double at, double x0, double x1)
{
    double a = at > x0 ? at - x0 : 0, b = at > x1 ? at - x1 : 0;

    return (a - b) * (a + b) / (2 * (x1 - x0));
}

/* Adds a piece of an edge that lies in one row, from x0 to x1, which is not less. */
static void add_piece(struct canvas *canvas, int row, double height, double x0, double x1)
{
    float *cover = canvas->cover + (size_t)row * (size_t)canvas->width;
    int first = floor_within(x0, canvas->width), i = first;
    double before = 0, to_left = 0;

    if (x0 < 0)
        x0 = 0;
    if (x1 < x0 + 1e-4)
        x1 = x0 + 1e-4;
    for (; i < canvas->width && before < 1; i++) {
        double next = mean_to_left(i + 1, x0, x1), right = i >= x1 ? 1 : next - to_left;

        cover[i] += (float)(height * (right - before));
        before = right;
        to_left = next;
    }
    touch(canvas, first, row, i, row + 1);
}

void canvas_add_edge(struct canvas *canvas, struct canvas_point from, struct canvas_point to)
{
    bool down = from.y < to.y;
    struct canvas_point upper = down ? from : to, lower = down ? to : from;
    double slope = (lower.x - upper.x) / (lower.y - upper.y);

    if (!(lower.y > upper.y) || lower.y <= 0)
        return;
    for (int row = floor_within(upper.y, canvas->height); row < canvas->height && row < lower.y;
         row++) {
        double y0 = upper.y > row ? upper.y : row, y1 = lower.y < row + 1 ? lower.y : row + 1;
        double a = upper.x + (y0 - upper.y) * slope, b = upper.x + (y1 - upper.y) * slope;

        add_piece(canvas, row, down ? y1 - y0 : y0 - y1, a < b ? a : b, a < b ? b : a);
    }
}

/* ---- strokes ---- */

void canvas_add_line(struct canvas *canvas, struct canvas_point from, struct canvas_point to,
                     double width)
{
    double half = width / 2, reach = half + 1, most = width < 1 ? width : 1;
    double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    int left = floor_within(fmin(from.x, to.x) - reach, canvas->width);
    int right = floor_within(fmax(from.x, to.x) + reach + 1, canvas->width);
    int top = floor_within(fmin(from.y, to.y) - reach, canvas->height);
    int bottom = floor_within(fmax(from.y, to.y) + reach + 1, canvas->height);

    for (int row = top; row < bottom; row++) {
        float *cover = canvas->cover + (size_t)row * (size_t)canvas->width;

        for (int i = left; i < right; i++) {
            double x = i + .5 - from.x, y = row + .5 - from.y;
            double along = square > 0 ? (x * dx + y * dy) / square : 0;

            along = along < 0 ? 0 : along > 1 ? 1 : along;
            x -= along * dx;
            y -= along * dy;
            if (x * x + y * y < reach * reach) {
                double covered = fmin(half + .5 - sqrt(x * x + y * y), most);

                if (covered > (double)cover[i])
                    cover[i] = (float)covered;
            }
        }
    }
    touch(canvas, left, top, right, bottom);
}

/* ---- painting ---- */

static void blend(unsigned char *pixel, const struct canvas_paint *paint, float cover)
{
    float part = cover < 1 ? cover * paint->opacity : paint->opacity;

    for (int i = 0; i < 3; i++)
        pixel[i] =
            part >= 1
                ? paint->rgb[i]
                : (unsigned char)((float)pixel[i] + part * (float)(paint->rgb[i] - pixel[i]) + .5F);
}

static void paint_shape(struct canvas *canvas, const struct canvas_paint *paint, bool is_sum)
{
    for (int row = canvas->top; row < canvas->bottom; row++) {
        size_t at = (size_t)row * (size_t)canvas->width;
        float sum = 0;

        for (int i = canvas->left; i < (is_sum ? canvas->width : canvas->right); i++) {
            float *cover = &canvas->cover[at + (size_t)i], covered = *cover;

            *cover = 0;
            if (is_sum)
                covered = fabsf(sum += covered);
            if (covered > 1.F / 512)
                blend(canvas->rgb + 3 * (at + (size_t)i), paint, covered);
            else if (is_sum && i >= canvas->right)
                break;
        }
    }
    canvas->left = canvas->width;
    canvas->top = canvas->height;
    canvas->right = canvas->bottom = 0;
}

void canvas_fill(struct canvas *canvas, struct canvas_paint paint)
{
    paint_shape(canvas, &paint, true);
}

void canvas_stroke(struct canvas *canvas, struct canvas_paint paint)
{
    paint_shape(canvas, &paint, false);
}
