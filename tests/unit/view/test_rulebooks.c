/* test_rulebooks.c - the documents of the rules say everything that the games' tables have. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/text/lang.h"
#include "api/view/catalogue.h"
#include "tests/unit/played.h"

TestSuite(rulebooks, .fini = played_free);

/* Calls `check` with the document and the table of each game. */
static void each_game(void (*check)(const char *book, const struct rules_game *game))
{
    for (size_t i = 0; i < rules_games(); i++) {
        const struct rules_game *game = rules_game(i);

        cr_assert_not_null(view_rules(NULL, NULL, game), "%s has no document", game->name);
        check(view_rules(NULL, NULL, game), game);
    }
}

static void assert_says(const char *book, const struct rules_game *game, const char *before,
                        const char *word, const char *after)
{
    char text[256];

    snprintf(text, sizeof(text), "%s%s%s", before, word, after);
    cr_assert_not_null(strstr(book, text), "%s.md lacks %s", game->name, text);
}

static void has_laws(const char *book, const struct rules_game *game)
{
    for (size_t i = 0; i < game->nlaws; i++)
        assert_says(book, game, "\n**", game->laws[i].number, "** ");
}

Test(rulebooks, every_numbered_law_has_its_paragraph)
{
    each_game(has_laws);
}

static void has_options(const char *book, const struct rules_game *game)
{
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];

        assert_says(book, game, "\n| `", option->name, "` |");
        for (size_t j = 0; option->choices != NULL && option->choices[j] != NULL; j++)
            assert_says(book, game, "", option->choices[j], "");
    }
}

Test(rulebooks, every_option_and_each_of_its_choices_is_explained)
{
    each_game(has_options);
}

static void has_reasons(const char *book, const struct rules_game *game)
{
    for (size_t i = 0; i < game->nreasons; i++)
        assert_says(book, game, "\n| `", rules_reason_text(game->reasons[i]), "` |");
}

Test(rulebooks, every_end_has_a_row_that_says_who_wins)
{
    each_game(has_reasons);
}

static void has_grammar(const char *book, const struct rules_game *game)
{
    for (size_t i = 0; i < game->npieces; i++)
        assert_says(book, game, "`", game->pieces[i].letter[0], "`");
    assert_says(book, game, "`", game->move.examples[0], "`");
    assert_says(book, game, "", game->position.examples[0], "");
    assert_says(book, game, "", game->seat[0].name, "");
    assert_says(book, game, "", game->seat[1].name, "");
}

Test(rulebooks, pieces_moves_and_positions_are_shown_as_they_are_written)
{
    each_game(has_grammar);
}

Test(rulebooks, a_document_is_markdown_that_fits_a_screen)
{
    for (size_t i = 0; i < rules_games(); i++) {
        const char *line = view_rules(NULL, NULL, rules_game(i));

        cr_assert_eq(strncmp(line, "# ", 2), 0);
        while (*line != '\0') {
            size_t len = strcspn(line, "\n");

            cr_assert_leq(len, 160, "%.*s", (int)len, line);
            cr_assert_neq(line[len], '\0', "the last line ends");
            line += len + 1;
        }
    }
}

Test(rulebooks, the_rules_in_short_tell_all_ends_of_the_catalogue)
{
    for (size_t i = 0; i < rules_games(); i++) {
        const char *book = view_rules(&played_arena, lang_find("tr"), rules_game(i));

        cr_expect_not_null(strstr(book, "| `resign` | terk |"));
        cr_expect_not_null(strstr(book, "| `timeout` | süre bitti |"));
        cr_expect_not_null(strstr(book, "| `agreement` | anlaşma |"));
    }
}
