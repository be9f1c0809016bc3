/* test_perft.c - the subcommand `plyd perft`: what it prints and how it ends. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/tool/commands.h"
#include "rules/rules.h"

enum { ARGUMENTS_MAX = 12 };

/* Runs `perft` with arguments that end with NULL. */
static int run(const char *const *arguments)
{
    char *argv[ARGUMENTS_MAX + 1] = {"perft"};
    int argc = 1, code;

    for (; arguments[argc - 1] != NULL; argc++)
        argv[argc] = strdup(arguments[argc - 1]);
    code = perft_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    for (int i = 1; i < argc; i++)
        free(argv[i]);
    return code;
}

#define PERFT(...) run((const char *const[]){__VA_ARGS__, NULL})

static void redirect(void)
{
    cr_redirect_stdout();
    cr_redirect_stderr();
}

TestSuite(perft_command, .init = redirect);

Test(perft_command, prints_nothing_but_the_count_on_standard_output)
{
    cr_assert_eq(PERFT("tictactoe", "3"), 0);
    cr_assert_stdout_eq_str("504\n");
}

Test(perft_command, depth_0_is_one_node)
{
    cr_assert_eq(PERFT("shogi", "0"), 0);
    cr_assert_stdout_eq_str("1\n");
}

Test(perft_command, takes_a_position)
{
    cr_assert_eq(PERFT("tictactoe", "1", "--position", "xo1/1x1/3 o 3"), 0);
    cr_assert_stdout_eq_str("6\n");
}

Test(perft_command, takes_options_as_json_of_any_scalar_type)
{
    cr_assert_eq(PERFT("stackchess", "1", "--options", "{\"size\":8,\"knights\":true}"), 0);
    cr_assert_stdout_eq_str("40\n");
}

Test(perft_command, takes_a_number_as_text_too)
{
    cr_assert_eq(PERFT("--options", "{\"size\":\"7\"}", "stackchess", "1"), 0);
    cr_assert_stdout_eq_str("34\n");
}

Test(perft_command, divides_by_first_moves_in_byte_order)
{
    cr_assert_eq(
        PERFT("tictactoe", "2", "--divide", "--options", "{\"rows\":2,\"cols\":2,\"k\":2}"), 0);
    cr_assert_stdout_eq_str("a1 3\na2 3\nb1 3\nb2 3\n12\n");
}

Test(perft_command, help_is_printed_on_standard_output)
{
    cr_assert_eq(PERFT("--help"), 0);
    cr_assert_stdout_neq_str("");
}

/* ---- bad usage: 2 ---- */

Test(perft_command, too_few_arguments_are_bad_usage)
{
    cr_assert_eq(PERFT("shogi"), 2);
    cr_assert_stdout_eq_str("");
}

Test(perft_command, an_unknown_variant_is_bad_usage)
{
    cr_assert_eq(PERFT("chess", "3"), 2);
    cr_assert_stderr_eq_str(
        "plyd perft: no such variant (that of a file needs --game FILE.so): chess\n"
        "plyd perft --help shows how it is used\n");
}

Test(perft_command, a_depth_is_a_small_number)
{
    cr_assert_eq(PERFT("shogi", "three"), 2);
    cr_assert_eq(PERFT("shogi", "3x"), 2);
    cr_assert_eq(PERFT("shogi", ""), 2);
    cr_assert_eq(PERFT("shogi", "65"), 2);
    cr_assert_eq(PERFT("tictactoe", "64"), 0, "as deep as it goes");
    cr_assert_eq(PERFT("shogi", "99999999999999999999"), 2);
}

Test(perft_command, an_unknown_flag_is_bad_usage)
{
    cr_assert_eq(PERFT("shogi", "1", "--deep"), 2);
}

Test(perft_command, options_are_an_object)
{
    cr_assert_eq(PERFT("shogi", "1", "--options", "rules=casual"), 2);
    cr_assert_eq(PERFT("shogi", "1", "--options", "[]"), 2);
    cr_assert_eq(PERFT("shogi", "1", "--options", "{} {}"), 2);
}

/* ---- refused by the rules: 1 ---- */

Test(perft_command, an_option_is_a_scalar)
{
    cr_assert_eq(PERFT("stackchess", "1", "--options", "{\"size\":[8]}"), 1);
    cr_assert_eq(PERFT("stackchess", "1", "--options", "{\"size\":null}"), 1);
    cr_assert_eq(PERFT("stackchess", "1", "--options", "{\"size\":8.5}"), 1);
}

Test(perft_command, an_unknown_option_is_refused_by_name)
{
    cr_assert_eq(PERFT("stackchess", "1", "--options", "{\"sise\":8}"), 1);
    cr_assert_stderr_eq_str("plyd perft: unknown-field: /sise The options of stackchess are size, "
                            "knights, promotion, stalemate, repetition and no_progress.\n");
}

Test(perft_command, a_bad_value_is_refused_by_the_name_of_its_option)
{
    cr_assert_eq(PERFT("stackchess", "1", "--options", "{\"size\":3}"), 1);
    cr_assert_stderr_eq_str(
        "plyd perft: bad-option: /size A whole number from 4 to 26 is expected.\n");
}

Test(perft_command, a_bad_position_is_refused_with_its_rule)
{
    static const char position[] = "xx1/3/3 o 3";
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    char expected[512];

    rules_options_init(&options);
    cr_assert_not(rules_start(rules_find("tictactoe"), &options, position, &state, &why));
    snprintf(expected, sizeof(expected),
             "plyd perft: bad-position: The position is not valid. %s\n", why.law->text);
    cr_assert_eq(PERFT("tictactoe", "1", "--position", position), 1);
    cr_assert_stderr_eq_str(expected);
}
