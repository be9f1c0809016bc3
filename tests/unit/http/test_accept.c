/* test_accept.c - which form of an answer a client prefers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/http/accept.h"
#include "rules/rules.h"

static struct arena arena;

static void free_arena(void)
{
    arena_free(&arena);
}

TestSuite(accept, .fini = free_arena);

/* ---- a table ---- */

enum { JT = FORM_JSON | FORM_TEXT, ALL = 255 };

static const struct {
    const char *accept; /* NULL: no header */
    unsigned forms, taken;
} rows[] = {
    {NULL, JT, FORM_JSON},
    {"", JT, FORM_JSON},
    {"*/*", JT, FORM_JSON},
    {"text/plain", JT, FORM_TEXT},
    {"TEXT/Plain", JT, FORM_TEXT},
    {"text/*", JT, FORM_TEXT},
    {"TEXT/*", JT, FORM_TEXT},
    {"image/png", JT, 0},
    {"text/plain, application/json", JT, FORM_JSON},
    {"text/plain;q=0.9, application/json;q=0.8", JT, FORM_TEXT},
    {"text/plain;q=0.8,application/json;q=0.9", JT, FORM_JSON},
    {"text/plain; q=0.8 , application/json; q=0.9", JT, FORM_JSON},
    {"text/plain;charset=utf-8;q=0.2, application/json;q=0.1", JT, FORM_TEXT},
    {"text/plain;q=0.001", JT, FORM_TEXT},
    {"text/plain;q=0", JT, 0},
    {"text/plain;q=1.000, application/json;q=0.999", JT, FORM_TEXT},
    {"text/plain;q=nonsense, application/json;q=0.999", JT, FORM_JSON},
    {"text/plain;q=-1, application/json;q=0.999", JT, FORM_TEXT},
    /* A range that says more decides, also where it weighs less. */
    {"*/*, application/json;q=0.1, text/plain;q=0.2", JT, FORM_TEXT},
    {"application/json;q=0.1, text/plain;q=0.2, */*", JT, FORM_TEXT},
    {"text/*;q=0.9, text/plain;q=0.1, application/json;q=0.5", JT, FORM_JSON},
    {"text/plain;q=0.1, text/*;q=0.9, application/json;q=0.5", JT, FORM_JSON},
    {"*/*;q=0.9, text/*;q=0.1, application/json;q=0.5", JT, FORM_JSON},
    {"text/plain;q=0, */*", JT, FORM_JSON},
    {"text/plain;q=0, */*", FORM_TEXT, 0},
    /* A client that reads problems reads JSON, unless it says that it does not. */
    {"application/problem+json", JT, FORM_JSON},
    {"application/problem+json;q=0.5, text/plain;q=0.4", JT, FORM_JSON},
    {"application/problem+json;q=0.4, text/plain;q=0.5", JT, FORM_TEXT},
    {"application/problem+json", FORM_TEXT, 0},
    {"application/json;q=0, */*", JT, FORM_TEXT},
    {"application/json;q=0, application/*", JT, 0},
    /* What a browser sends gets a page where there is one. */
    {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ALL, FORM_PAGE},
    {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JT | FORM_HTML, FORM_HTML},
    {"*/*", FORM_PAGE | FORM_TEXT, FORM_PAGE},
    {"*/*", FORM_TEXT | FORM_HTML, FORM_TEXT},
    {"image/svg+xml,image/*;q=0.8", ALL, FORM_SVG},
    {"application/yaml", ALL, FORM_YAML},
    {"application/x-ndjson", ALL, FORM_NDJSON},
    {"text/markdown", ALL, FORM_MARKDOWN},
    /* Not ranges of anything here. */
    {"text", JT, 0},
    {"text/", JT, 0},
    {"text/plainer", JT, 0},
    {"tex*", JT, 0},
    {"textx*", JT, 0},
    {"*", JT, 0},
    {",,", JT, 0},
};

Test(accept, each_header_of_the_table_takes_its_form)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(accept_form(rows[i].accept, rows[i].forms), rows[i].taken,
                     "%s of %u: %u, not %u", rows[i].accept, rows[i].forms,
                     accept_form(rows[i].accept, rows[i].forms), rows[i].taken);
}

/* ---- a model ---- */

static const struct {
    unsigned form;
    const char *type;
} preferred[] = {{FORM_PAGE, "text/html"},         {FORM_JSON, "application/json"},
                 {FORM_MARKDOWN, "text/markdown"}, {FORM_TEXT, "text/plain"},
                 {FORM_HTML, "text/html"},         {FORM_YAML, "application/yaml"},
                 {FORM_SVG, "image/svg+xml"},      {FORM_NDJSON, "application/x-ndjson"}};

enum { FORMS = sizeof(preferred) / sizeof(preferred[0]), RANGES = 12 };

static const char *const ranges[RANGES] = {"*/*",
                                           "text/*",
                                           "application/*",
                                           "image/*",
                                           "text/html",
                                           "text/plain",
                                           "text/markdown",
                                           "application/json",
                                           "application/problem+json",
                                           "application/yaml",
                                           "image/svg+xml",
                                           "audio/ogg"};

/* What a header says: the weight of each range in thousandths, -1 where it does not name it. */
struct wishes {
    int weight[RANGES];
};

static int weight_of_range(const struct wishes *wishes, const char *range)
{
    for (size_t i = 0; i < RANGES; i++)
        if (strcmp(ranges[i], range) == 0)
            return wishes->weight[i];
    return -1;
}

/* The type itself decides, else its family, else what is said of everything. */
static int weight_of_type(const struct wishes *wishes, const char *type)
{
    char family[32];
    int weight = weight_of_range(wishes, type);

    snprintf(family, sizeof(family), "%.*s/*", (int)strcspn(type, "/"), type);
    if (weight < 0)
        weight = weight_of_range(wishes, family);
    if (weight < 0)
        weight = weight_of_range(wishes, "*/*");
    return weight < 0 ? 0 : weight;
}

static int weight_of_form(const struct wishes *wishes, size_t i)
{
    int weight = weight_of_type(wishes, preferred[i].type);
    int problems = weight_of_range(wishes, "application/problem+json");

    return preferred[i].form == FORM_JSON && weight == 0 && problems > 0 ? problems : weight;
}

static unsigned form_of(const struct wishes *wishes, unsigned forms)
{
    unsigned best = 0;
    int best_weight = 0;

    for (size_t i = 0; i < FORMS; i++)
        if ((forms & preferred[i].form) != 0 && weight_of_form(wishes, i) > best_weight) {
            best = preferred[i].form;
            best_weight = weight_of_form(wishes, i);
        }
    return best;
}

/* Some of the ranges in any order, each once, with weights or without. */
static const char *random_header(uint64_t *seed, struct wishes *wishes)
{
    static const int weights[] = {0, 1, 250, 500, 501, 999, 1000};
    const char *header = "";

    for (size_t i = 0; i < RANGES; i++)
        wishes->weight[i] = -1;
    for (size_t n = 1 + rules_choose(seed, 6); n > 0; n--) {
        size_t range = rules_choose(seed, RANGES);
        int weight = weights[rules_choose(seed, sizeof(weights) / sizeof(weights[0]))];
        const char *comma = *header == '\0' ? "" : rules_choose(seed, 2) == 0 ? "," : " ,  ";

        if (wishes->weight[range] >= 0)
            continue;
        wishes->weight[range] = weight;
        header = arena_format(&arena, "%s%s%s", header, comma, ranges[range]);
        if (weight < 1000 || rules_choose(seed, 2) == 0)
            header =
                arena_format(&arena, "%s;%sq=%d.%03d", header,
                             rules_choose(seed, 2) == 0 ? "" : " ", weight / 1000, weight % 1000);
    }
    return header;
}

Test(accept, any_header_takes_the_form_that_weighs_most_by_the_range_that_says_most)
{
    uint64_t seed = 1;

    for (int i = 0; i < 20000; i++) {
        struct wishes wishes;
        const char *header = random_header(&seed, &wishes);
        unsigned forms = 1 + (unsigned)rules_choose(&seed, ALL);

        cr_assert_eq(accept_form(header, forms), form_of(&wishes, forms), "%s of %u: %u, not %u",
                     header, forms, accept_form(header, forms), form_of(&wishes, forms));
        arena_reset(&arena);
    }
}

Test(accept, a_language_weighs_what_the_range_says_that_names_it_best)
{
    cr_assert_eq(accept_language("ja", "ja"), 1000);
    cr_assert_eq(accept_language("JA-jp", "ja"), 1000);
    cr_assert_eq(accept_language("en, ja;q=0.5", "ja"), 500);
    cr_assert_eq(accept_language("ja;q=0.5, ja-JP;q=0.25", "ja"), 250);
    cr_assert_eq(accept_language("ja;q=0", "ja"), 0);
    cr_assert_eq(accept_language("jam, *", "ja"), 0);
    cr_assert_eq(accept_language("j", "ja"), 0);
    cr_assert_eq(accept_language("", "ja"), 0);
}

Test(accept, without_a_header_the_first_form_that_there_is_is_taken)
{
    for (unsigned forms = 1; forms <= ALL; forms++) {
        size_t i = 0;

        while ((forms & preferred[i].form) == 0)
            i++;
        cr_assert_eq(accept_form(NULL, forms), preferred[i].form);
        cr_assert_eq(accept_form("", forms), preferred[i].form);
        cr_assert_eq(accept_form("*/*", forms), preferred[i].form);
    }
}

Test(accept, the_media_types_of_forms_are_listed_in_the_order_of_preference)
{
    cr_assert_str_eq(accept_types(&arena, 0), "");
    cr_assert_str_eq(accept_types(&arena, FORM_TEXT), "text/plain");
    cr_assert_str_eq(accept_types(&arena, FORM_TEXT | FORM_JSON), "application/json, text/plain");
    cr_assert_str_eq(accept_types(&arena, FORM_NDJSON | FORM_SVG | FORM_PAGE),
                     "text/html, image/svg+xml, application/x-ndjson");
}
