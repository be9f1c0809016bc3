/*
 * provided.h - a house whose daemons know an identity provider (provider.h), so that its players
 * may come with accounts.
 */
#ifndef PLYD_TESTS_HTTP_PROVIDED_H
#define PLYD_TESTS_HTTP_PROVIDED_H

#include "tests/http/house.h"
#include "tests/support/provider.h"

/* Makes a test suite whose tests live in the variable `house`, with the variable `provider`. `open`
 * opens the house, whose games must all replay in the end, and `seconds` bounds each test. */
#define PROVIDED_SUITE(suite, open, seconds)     \
    static struct house house;                   \
    static struct provider provider;             \
    static void open_house(void)                 \
    {                                            \
        provider_start(&provider, SIGNER_ES256); \
        open(&house);                            \
    }                                            \
    static void close_house(void)                \
    {                                            \
        house_close_verified(&house);            \
        provider_stop(&provider);                \
    }                                            \
    TestSuite(suite, .init = open_house, .fini = close_house, .timeout = (double)(seconds))

#endif
