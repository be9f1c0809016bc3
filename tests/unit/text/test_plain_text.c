/* test_plain_text.c - Markdown as a text for a terminal. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/text/lang.h"
#include "api/text/plain_text.h"
#include "api/view/catalogue.h"

static struct arena arena;

static void free_arena(void)
{
    arena_free(&arena);
}

TestSuite(plain_text, .fini = free_arena);

static void becomes(const char *markdown, unsigned columns, const char *text)
{
    cr_assert_str_eq(plain_text(&arena, markdown, columns), text);
}

Test(plain_text, a_heading_is_underlined_by_its_width)
{
    becomes("# Rules of `go`\n\n## 将棋\n", 80, "Rules of go\n===========\n\n将棋\n----\n");
    becomes("# Long title\n", 6, "Long title\n======\n");
}

Test(plain_text, a_paragraph_is_one_line_without_marks)
{
    becomes("A *king* is\ntaken **like any other `*piece*`**.\n\nNext.\n", 80,
            "A king is taken like any other *piece*.\n\nNext.\n");
}

Test(plain_text, a_mark_without_its_second_is_a_sign)
{
    becomes("2 * 3, a ` and a [b]\n", 80, "2 * 3, a ` and a [b]\n");
}

Test(plain_text, the_number_of_a_rule_stands_in_a_column_of_its_own)
{
    becomes("**4.1** The zone.\n\n**Two words** here.\n", 80,
            "4.1  The zone.\n\nTwo words here.\n");
}

Test(plain_text, a_link_says_where_it_goes)
{
    becomes("See [the *guide*](docs/guide.md).\n", 80, "See the guide (docs/guide.md).\n");
}

Test(plain_text, items_are_lines_and_keep_their_indent)
{
    becomes("- one\n  goes on\n- two\n  - inner\n", 80, "- one goes on\n- two\n  - inner\n");
}

Test(plain_text, code_stays_as_it_is)
{
    becomes("```\n  | *a* |\n# b\n```\nEnd\n", 80, "  | *a* |\n# b\nEnd\n");
}

Test(plain_text, the_columns_of_a_table_are_as_wide_as_what_is_in_them)
{
    becomes("| `a` | sign | |\n|---|---|---|\n| long | 玉 | x |\n| b | | |\n", 80,
            "a     sign\n"
            "-     ----\n"
            "long  玉    x\n"
            "b\n");
}

Test(plain_text, a_table_that_is_too_wide_is_told_row_by_row)
{
    becomes("| sign | name | moves |\n|---|---|---|\n| K | king | one square |\n| x | | no |\n", 20,
            "K\n  name   king\n  moves  one square\nx\n  moves  no\n");
}

Test(plain_text, values_stand_right_behind_headings_that_leave_them_no_half_of_the_line)
{
    becomes("| sign | long heading | a |\n|---|---|---|\n| king | one | two |\n", 20,
            "king\n  long heading: one\n  a: two\n");
}

Test(plain_text, a_table_of_which_only_the_last_column_is_long_stays_one)
{
    becomes("| a | b |\n|---|---|\n| c | a long sentence |\n", 10,
            "a  b\n-  -\nc  a long sentence\n");
}

static void has_no_marks(const char *line, size_t len)
{
    cr_expect_null(memmem(line, len, "**", 2), "%.*s", (int)len, line);
    cr_expect_null(memchr(line, '`', len), "%.*s", (int)len, line);
    cr_expect_neq(strncmp(line, "|--", 3), 0, "%.*s", (int)len, line);
    cr_expect_neq(line[0], '#', "%.*s", (int)len, line);
}

static void check_book(const struct rules_game *game, const struct lang *lang, unsigned columns)
{
    const char *line = plain_text(&arena, view_rules(&arena, lang, game), columns);

    while (*line != '\0') {
        size_t len = strcspn(line, "\n");

        has_no_marks(line, len);
        line += len + 1;
    }
}

Test(plain_text, no_rulebook_has_marks_left)
{
    static const char *const langs[] = {"en", "tr", "ja"};

    for (size_t i = 0; i < rules_games(); i++)
        for (size_t j = 0; j < sizeof(langs) / sizeof(langs[0]); j++)
            for (unsigned columns = 20; columns <= 120; columns += 20)
                check_book(rules_game(i), lang_find(langs[j]), columns);
}
