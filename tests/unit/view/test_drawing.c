/*
 * test_drawing.c - an SVG as pixels: what each element and each command of a path paints. What
 * whole boards look like is compared with a browser (tests/browser/test_board.mjs).
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "api/view/drawing.h"
#include "api/view/png.h"

static struct arena arena;

static void forget(void)
{
    arena_free(&arena);
}

TestSuite(drawing, .fini = forget);

enum { SIDE = 40 };

/* Draws elements on a canvas of SIDE by SIDE units and pixels. */
static struct canvas draw(const char *elements)
{
    struct canvas canvas;

    drawing_open(&canvas, &arena,
                 arena_format(&arena,
                              "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                              "fill=\"none\">%s</svg>",
                              SIDE, SIDE, SIDE, SIDE, elements));
    return canvas;
}

static struct canvas draw_path(const char *how, const char *data)
{
    return draw(arena_format(&arena, "<path %s d=\"%s\"/>", how, data));
}

static unsigned pixel(const struct canvas *canvas, int x, int y)
{
    const unsigned char *rgb = canvas->rgb + 3 * (y * canvas->width + x);

    return (unsigned)rgb[0] << 16 | (unsigned)rgb[1] << 8 | rgb[2];
}

/* How many pixels are painted, by the part that is covered, if they were painted black. */
static double painted(const struct canvas *canvas)
{
    double sum = 0;

    for (int i = 0; i < SIDE * SIDE; i++)
        sum += (255 - canvas->rgb[3 * i]) / 255.;
    return sum;
}

static void assert_pixel(const char *elements, int x, int y, unsigned expected)
{
    struct canvas canvas = draw(elements);

    cr_assert_eq(pixel(&canvas, x, y), expected, "%s: %06x at %d %d", elements,
                 pixel(&canvas, x, y), x, y);
}

static void assert_painted(const char *how, const char *data, double expected)
{
    struct canvas canvas = draw_path(how, data);

    cr_assert_float_eq(painted(&canvas), expected, .02 * expected + .1, "%s: %f", data,
                       painted(&canvas));
}

Test(drawing, a_shape_has_the_colour_of_its_element_or_of_those_around_it)
{
    assert_pixel("<rect x=\"10\" y=\"10\" width=\"5\" height=\"5\" fill=\"#f80\"/>", 12, 12,
                 0xff8800);
    assert_pixel("<g fill=\"#123456\"><g><path d=\"M0 0h9v9h-9z\"/></g></g>", 4, 4, 0x123456);
    assert_pixel("<g fill=\"#123456\"><path fill=\"none\" d=\"M0 0h9v9h-9z\"/></g>", 4, 4,
                 0xffffff);
    assert_pixel("<g fill=\"#f00\"/><path d=\"M0 0h9v9h-9z\"/>", 4, 4, 0xffffff);
    assert_pixel("<path d=\"M0 0h9v9h-9z\" fill=\"#000\" fill-opacity=\".5\"/>", 4, 4, 0x808080);
    assert_pixel("<g stroke=\"#000\" stroke-opacity=\".5\" stroke-width=\"4\"><path d=\"M0 "
                 "9H30\"/></g>",
                 9, 9, 0x808080);
}

Test(drawing, a_pixel_is_painted_as_far_as_it_is_covered)
{
    assert_pixel("<rect x=\"10.5\" y=\"10\" width=\"5\" height=\"5\" fill=\"#000\"/>", 10, 12,
                 0x808080);
    assert_pixel("<rect x=\"10\" y=\"9.75\" width=\"5\" height=\"5\" fill=\"#000\"/>", 12, 9,
                 0xbfbfbf);
    assert_painted("fill=\"#000\"", "M2.25 3.5L37.1 9.3L11.7 33.3z", 491.66);
}

Test(drawing, what_is_encircled_in_both_directions_is_not_filled)
{
    assert_painted("fill=\"#000\"", "M5 5h20v20h-20zM10 10v10h10v-10z", 300);
    assert_painted("fill=\"#000\"", "M5 5h20v20h-20zM10 10h10v10h-10z", 400);
}

Test(drawing, a_stroke_has_its_width_and_round_ends)
{
    static const double pi = 3.14159265;

    assert_painted("stroke=\"#000\" stroke-width=\"8\"", "M10 20H30", 160 + 16 * pi);
    assert_painted("stroke=\"#000\" stroke-width=\"8\"", "M10 10L30 30", 8 * sqrt(800) + 16 * pi);
    assert_painted("stroke=\"#000\" stroke-width=\"8\"", "M20 20h0", 16 * pi);
    assert_painted("stroke=\"#000\" stroke-width=\"8\"", "M20 20", 0);
    assert_painted("stroke=\"#000\" stroke-width=\".5\"", "M5 20.5H35", 15.2);
    assert_painted("stroke=\"#000\" stroke-width=\"2\" stroke-dasharray=\"6 4\"", "M5 20H35",
                   3 * (12 + pi));
}

Test(drawing, bows_and_arcs_enclose_what_they_should)
{
    static const double pi = 3.14159265;

    assert_painted("fill=\"#000\"", "M5 20a15 15 0 0 1 30 0a15 15 0 0 1-30 0z", 225 * pi);
    assert_painted("fill=\"#000\"", "M10 20A10 15 0 0 0 30 20z", 75 * pi);
    assert_painted("fill=\"#000\"", "M20 5A10 15 90 0 0 20 25z", 75 * pi);
    assert_painted("fill=\"#000\"", "M20 10a10 10 0 1 1-10 10h10z", 75 * pi);
    assert_painted("fill=\"#000\"", "M20 10a10 10 0 0 0-10 10h10z", 25 * pi);
    assert_painted("fill=\"#000\"", "M15 20a1 1 0 0 1 20 0z", 50 * pi); /* it grows */
    assert_painted("fill=\"#000\"", "M5 10Q20 40 35 10z", 300);
    assert_painted("fill=\"#000\"", "M5 10C5 30 35 30 35 10z", 360);
}

/* Each writes the same shape in two ways. */
Test(drawing, the_commands_of_a_path_mean_what_they_mean_in_a_browser)
{
    static const char *const same[][2] = {
        {"M5 5h20v10h-20z", "M5 5H25V15H5Z"},
        {"M5 5h20v10h-20z", "M 5,5 L 25,5 25,15 5,15"},
        {"M5 5h20v10h-20z", "m5 5 20 0 0 10-20 0z"},
        {"M5 5h20v10h-20z", "M5 5l2e1 0 0 10-20 0z"},
        {"M5.5.5h20v10h-20z", "M5.5 0.5h20v10h-20z"},
        {"M5 5h9v9h-9zm12 12h9v9h-9z", "M5 5h9v9h-9zM17 17h9v9h-9z"},
        {"M5 5h9v9h-9zh-4v-4z", "M5 5h9v9h-9zM5 5h-4v-4z"},
        {"M5 20C5 10 15 10 15 20S25 30 25 20z", "M5 20C5 10 15 10 15 20C15 30 25 30 25 20z"},
        {"M5 20c0-10 10-10 10 0s10 10 10 0z", "M5 20C5 10 15 10 15 20C15 30 25 30 25 20z"},
        {"M5 20S15 10 15 20z", "M5 20C5 20 15 10 15 20z"},
        {"M5 20Q10 10 15 20T25 20z", "M5 20Q10 10 15 20Q20 30 25 20z"},
        {"M5 20q5-10 10 0t10 0z", "M5 20Q10 10 15 20Q20 30 25 20z"},
        {"M5 20a10 10 0 0110 10z", "M5 20A10 10 0 0 1 15 30z"},
        {"M5 5h20v10h-20z junk", "M5 5h20v10h-20z"},
        {"M5 5h20v10h-20zL9", "M5 5h20v10h-20z"},
    };

    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        struct canvas a = draw_path("fill=\"#000\"", same[i][0]);
        struct canvas b = draw_path("fill=\"#000\"", same[i][1]);

        cr_assert_gt(painted(&a), 0, "%s", same[i][0]);
        for (int at = 0; at < 3 * SIDE * SIDE; at++)
            cr_assert_leq(abs(a.rgb[at] - b.rgb[at]), 1, "%s", same[i][0]);
    }
}

Test(drawing, what_is_moved_scaled_and_turned_is_where_it_should_be)
{
    static const char *const moved[] = {"translate(20 10)",
                                        "translate(20,10)",
                                        "translate(10)translate(10 10)",
                                        "rotate(90)translate(10-30)",
                                        "rotate(90 20 10) translate(20 0)",
                                        "matrix(1 0 0 1 20 10)",
                                        "translate(20 10)scale(1)"};

    for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++)
        assert_pixel(arena_format(&arena,
                                  "<g transform=\"%s\"><rect width=\"10\" height=\"10\" "
                                  "fill=\"#f00\"/></g>",
                                  moved[i]),
                     25, 15, 0xff0000);
    assert_pixel("<rect transform=\"scale(2 4)\" width=\"5\" height=\"5\" fill=\"#f00\"/>", 9, 19,
                 0xff0000);
    assert_pixel("<rect transform=\"scale(2 4)\" width=\"5\" height=\"5\" fill=\"#f00\"/>", 11, 19,
                 0xffffff);
}

Test(drawing, what_is_defined_is_drawn_where_it_is_used_and_nowhere_else)
{
    static const char definition[] =
        "<defs><g id=\"a\"><rect width=\"5\" height=\"5\"/></g></defs>";

    assert_pixel(definition, 2, 2, 0xffffff);
    assert_pixel(
        arena_format(&arena, "%s<use href=\"#a\" x=\"20\" y=\"10\" fill=\"#00f\"/>", definition),
        22, 12, 0x0000ff);
    assert_pixel(arena_format(&arena, "%s<use href=\"#b\" fill=\"#00f\"/>", definition), 2, 2,
                 0xffffff);
}

Test(drawing, texts_are_passed_over_and_what_uses_itself_ends)
{
    assert_pixel("<title>a</title><text fill=\"#000\">b<rect width=\"9\" height=\"9\"/></text>"
                 "<rect width=\"9\" height=\"9\" fill=\"#f00\"/>",
                 2, 2, 0xff0000);
    assert_pixel("<defs><g id=\"a\"><use href=\"#a\"/></g></defs><use href=\"#a\"/>"
                 "<rect width=\"9\" height=\"9\" fill=\"#f00\"/>",
                 2, 2, 0xff0000);
}

Test(drawing, what_lies_beyond_the_edge_is_cut_off)
{
    assert_pixel("<circle cx=\"20\" cy=\"20\" r=\"90\" fill=\"#f00\"/>", 39, 0, 0xff0000);
    assert_pixel("<path d=\"M-900 20H900\" stroke=\"#f00\" stroke-width=\"9\"/>", 0, 20, 0xff0000);
    assert_painted("fill=\"#000\"", "M-50-50h60v60h-60z", 100);
    assert_painted("fill=\"#000\"", "M30 30h60v60h-60z", 100);
    assert_painted("fill=\"#000\"", "M-9 50h60v60h-60z", 0);
}

/* Cut off anywhere, or with any one byte replaced, it is drawn as far as it can be. */
Test(drawing, no_text_makes_it_fail)
{
    static const char text[] =
        "<svg viewBox=\"0 0 9 9\" width=\"9\" height=\"9\"><defs><g id=\"a\"><path "
        "d=\"M0 0a1 1 0 0 1 2 2zC1e999 3 4\" stroke-width=\"1e30\"/></g></defs><use href=\"#a\" "
        "transform=\"scale(1e99)rotate(\"/><circle r=\"-4\"/><rect rx=\"9\"/></svg>";
    static const char bytes[] = "<>/\"= -9#e";
    char copy[sizeof(text)];
    struct canvas canvas;

    for (size_t i = 0; i < sizeof(text); i++) {
        memcpy(copy, text, sizeof(text));
        copy[i] = '\0';
        drawing_open(&canvas, &arena, copy);
        for (size_t j = 0; j < sizeof(bytes) - 1 && i + 1 < sizeof(text); j++) {
            memcpy(copy, text, sizeof(text));
            copy[i] = bytes[j];
            drawing_open(&canvas, &arena, copy);
            arena_reset(&arena);
        }
    }
}

/* ---- PNG ---- */

Test(drawing, a_png_unfolds_to_the_pixels_that_it_was_made_of)
{
    struct canvas canvas = draw("<circle cx=\"20\" cy=\"20\" r=\"15\" fill=\"#1f6feb\"/>");
    size_t len, row = 3 * SIDE + 1;
    const unsigned char *png = (const unsigned char *)png_write(&arena, &canvas, &len);
    unsigned char pixels[SIDE * (3 * SIDE + 1)];
    uLongf unfolded = sizeof(pixels);
    size_t data = (size_t)png[33] << 24 | (size_t)png[34] << 16 | (size_t)png[35] << 8 | png[36];
    uLong sum = crc32(0, png + 37, (uInt)data + 4);

    cr_assert_arr_eq(png + 37, "IDAT", 4);
    cr_assert_eq(png[41 + data] << 24 >> 24 & 0xff, sum >> 24);
    cr_assert_eq(uncompress(pixels, &unfolded, png + 41, data), Z_OK);
    cr_assert_eq(unfolded, sizeof(pixels));
    for (size_t y = 0; y < SIDE; y++) {
        cr_assert_eq(pixels[y * row], 2);
        for (size_t i = 0; i < row - 1; i++) {
            unsigned char *here = &pixels[y * row + 1 + i];

            *here = (unsigned char)(*here + (y == 0 ? 0 : here[-(int)row]));
            cr_assert_eq(*here, canvas.rgb[y * (row - 1) + i]);
        }
    }
}
