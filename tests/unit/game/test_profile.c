/* test_profile.c - what a player may show of themself, and the colours that follow from an id. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/game/profile.h"

static struct arena arena;

static void end(void)
{
    arena_free(&arena);
}

TestSuite(profile, .fini = end);

/* ---- the line ---- */

Test(profile, a_line_has_160_characters_of_any_script_and_no_more)
{
    char text[161 * 3 + 1] = "";

    for (int i = 0; i < 160; i++)
        strcat(text, "\xe6\xad\xa9");
    cr_assert_null(profile_about_fault(&arena, text));
    strcat(text, "\xe6\xad\xa9");
    cr_assert_not_null(profile_about_fault(&arena, text));
}

Test(profile, a_line_is_one_and_nothing_in_it_disturbs_the_text_around_it)
{
    static const char *const bad[] = {"a\nb", "a\tb", "a\x01", "a\xe2\x80\xae", "a\x7f"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not_null(profile_about_fault(&arena, bad[i]), "row %zu", i);
    cr_assert_null(profile_about_fault(&arena, ""));
    cr_assert_null(profile_about_fault(&arena, "I <play> \"for\" the endgames & more."));
}

/* ---- the picture ---- */

Test(profile, a_picture_is_an_address_of_https_that_ends_no_string_and_names_a_host_alone)
{
    static const struct {
        const char *url;
        bool fits;
    } rows[] = {{"", true},
                {"https://example.org/a.png?size=64#x", true},
                {"HTTPS://example.org", true},
                {"https://cdn-2.example.org:8443/%20a", true},
                {"https://192.0.2.1:65535", true},
                {"https://[2001:db8::1]:8443/a", false},
                {"https://[", false},
                {"https://example.org:", false},
                {"https://example.org:65536/", false},
                {"https://example.org:000443/", false},
                {"https://example.org:8a/", false},
                {"https://example.org:80:81/", false},
                {"https://exa+mple.org/", false},
                {"https://example.org/a)(b", false},
                {"https://example.org/a]", false},
                {"http://example.org/a.png", false},
                {"//example.org/a.png", false},
                {"javascript:alert(1)", false},
                {"data:image/png;base64,AAAA", false},
                {"https://", false},
                {"https:///a.png", false},
                {"https://:443/", false},
                {"https://ada@example.org/", false},
                {"https://ada:secret@example.org/", false},
                {"https://example.org/@ada", true},
                {"https://example.org/\"onload=", false},
                {"https://example.org/a'b", false},
                {"https://example.org/a b", false},
                {"https://example.org/<a>", false},
                {"https://example.org\\a", false},
                {"https://example.org/\n", false},
                {"https://b\xc3\xbc"
                 "cher.example/",
                 false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_assert_eq(profile_picture_fault(rows[i].url) == NULL, rows[i].fits, "%s", rows[i].url);
}

Test(profile, a_picture_has_500_bytes_at_most)
{
    char url[600] = "https://example.org/";

    memset(url + strlen(url), 'a', 500 - strlen(url));
    cr_assert_null(profile_picture_fault(url));
    strcat(url, "a");
    cr_assert_not_null(profile_picture_fault(url));
}

/* ---- colours ---- */

/* As WCAG has it. */
static double luminance(const char *colour)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    unsigned rgb[3];
    double sum = 0;

    cr_assert_eq(sscanf(colour, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]), 3);
    for (int i = 0; i < 3; i++) {
        double part = rgb[i] / 255.0;

        sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

Test(profile, whatever_the_id_a_text_in_either_colour_can_be_read_upon_the_other)
{
    char dark[PROFILE_COLOUR_TEXT], light[PROFILE_COLOUR_TEXT];

    for (unsigned i = 0; i < 5000; i++) {
        db_id id = {{(uint8_t)i, (uint8_t)(i >> 8)}};

        profile_colours(id, dark, light);
        cr_assert_geq((luminance(light) + 0.05) / (luminance(dark) + 0.05), 4.5, "%s %s", dark,
                      light);
    }
}

Test(profile, the_same_id_has_the_same_colours_and_one_that_differs_in_a_byte_has_others)
{
    char first[PROFILE_COLOUR_TEXT], again[PROFILE_COLOUR_TEXT], light[PROFILE_COLOUR_TEXT];
    db_id id = {{1, 2, 3}};

    profile_colours(id, first, light);
    profile_colours(id, again, light);
    cr_assert_str_eq(first, again);
    id.byte[15] = 1;
    profile_colours(id, again, light);
    cr_assert_str_neq(first, again);
}
