/* test_config.c - the settings: which source counts, what is refused, what is documented. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/loop/config.h"

static bool read_args(struct config *config, const char *a, const char *b)
{
    char *argv[] = {"serve", (char *)(uintptr_t)a, (char *)(uintptr_t)b, NULL};
    bool help, check;

    return config_read(config, b == NULL ? a == NULL ? 1 : 2 : 3, argv, &help, &check);
}

Test(config, a_flag_beats_the_environment_and_that_beats_the_default)
{
    struct config config;

    unsetenv("PLYD_LOOPS");
    cr_assert(read_args(&config, NULL, NULL));
    cr_assert_eq(config.loops, 0);
    cr_assert_str_eq(config.listen, "127.0.0.1:8080");
    setenv("PLYD_LOOPS", "3", 1);
    cr_assert(read_args(&config, NULL, NULL));
    cr_assert_eq(config.loops, 3);
    cr_assert(read_args(&config, "--loops", "5"));
    cr_assert_eq(config.loops, 5);
    cr_assert(read_args(&config, "--loops=6", NULL));
    cr_assert_eq(config.loops, 6);
}

Test(config, mistakes_are_told, .init = cr_redirect_stderr)
{
    static const char *const bad[][2] = {{"--loops", "x"},        {"--loops", "65"},
                                         {"--loops", ""},         {"--loops", NULL},
                                         {"--nonsense", "1"},     {"--listen", "host:port"},
                                         {"--listen", "x:70000"}, {"--metrics-listen", "x"},
                                         {"--log-level", "loud"}, {"serve", NULL}};
    struct config config;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not(read_args(&config, bad[i][0], bad[i][1]), "%s %s", bad[i][0], bad[i][1]);
}

Test(config, listen_takes_a_host_an_ipv6_address_or_a_bare_port)
{
    char host[64], port[8];

    cr_assert(config_split_listen("0.0.0.0:80", host, port));
    cr_assert_str_eq(host, "0.0.0.0");
    cr_assert(config_split_listen("[::1]:8080", host, port));
    cr_assert_str_eq(host, "::1");
    cr_assert_str_eq(port, "8080");
    cr_assert(config_split_listen("9000", host, port));
    cr_assert_str_eq(host, "127.0.0.1");
    cr_assert_not(config_split_listen(":80", host, port));
    cr_assert_not(config_split_listen("x:", host, port));
}

/* docs/settings.md lists the settings as the program does. If this fails, put what it prints
 * between the marks. */
Test(config, the_page_of_settings_lists_them_as_help_does)
{
    char *help = NULL, *page = calloc(1, 1 << 16), *at;
    size_t size;
    FILE *out = open_memstream(&help, &size), *in = fopen("docs/settings.md", "r");

    config_print_help(out);
    fclose(out);
    cr_assert_not_null(in);
    cr_assert_gt(fread(page, 1, (1 << 16) - 1, in), 0);
    fclose(in);
    at = strstr(page, help);
    cr_assert_not_null(at, "docs/settings.md should hold:\n%s", help);
    cr_assert_eq(strncmp(at - 4, "```\n", 4), 0, "it begins with the first setting");
    cr_assert_eq(strncmp(at + strlen(help), "```\n", 4), 0, "and ends with the last");
    free(help);
    free(page);
}
