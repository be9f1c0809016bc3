/* test_dial.c - what libpq is asked for when a connection begins: hosts in turn, and patience. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <string.h>

#include "db/dial.h"

/* The value of a setting of a connection that has begun. Static, overwritten. */
static const char *setting(PGconn *pg, const char *name)
{
    static char value[256];
    PQconninfoOption *options = PQconninfo(pg);

    value[0] = '\0';
    for (PQconninfoOption *option = options; option->keyword != NULL; option++)
        if (strcmp(option->keyword, name) == 0 && option->val != NULL)
            strncpy(value, option->val, sizeof(value) - 1);
    PQconninfoFree(options);
    return value;
}

Test(dial, hosts_addresses_and_ports_go_round_in_step)
{
    static const struct {
        unsigned rotation;
        const char *hosts, *addresses, *ports;
    } rows[] = {{0, "a,b,c", "127.0.0.1,127.0.0.2,127.0.0.3", "1,2,3"},
                {1, "b,c,a", "127.0.0.2,127.0.0.3,127.0.0.1", "2,3,1"},
                {2, "c,a,b", "127.0.0.3,127.0.0.1,127.0.0.2", "3,1,2"},
                {3, "a,b,c", "127.0.0.1,127.0.0.2,127.0.0.3", "1,2,3"},
                {7, "b,c,a", "127.0.0.2,127.0.0.3,127.0.0.1", "2,3,1"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *why = NULL;
        int64_t patience = 0;
        PGconn *pg = dial_start("host=a,b,c hostaddr=127.0.0.1,127.0.0.2,127.0.0.3 port=1,2,3",
                                rows[i].rotation, &patience, &why);

        cr_assert_not_null(pg, "%s", why);
        cr_assert_str_eq(setting(pg, "host"), rows[i].hosts);
        cr_assert_str_eq(setting(pg, "hostaddr"), rows[i].addresses);
        cr_assert_str_eq(setting(pg, "port"), rows[i].ports);
        PQfinish(pg);
    }
}

/* Each attempt begins at the first host of the rotated list, so the connection was about to go
 * there. */
Test(dial, the_host_of_a_connection_can_be_put_last)
{
    static const char *const urls[] = {"host=127.0.0.1,127.0.0.1,127.0.0.1 port=1,2,3",
                                       "host=127.0.0.1,127.0.0.2,127.0.0.3 port=1",
                                       "hostaddr=127.0.0.1,127.0.0.2,127.0.0.3 port=1,2,3",
                                       "host=a,b,c hostaddr=127.0.0.1,127.0.0.2,127.0.0.3"};

    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
        for (unsigned rotation = 0; rotation < 3; rotation++) {
            const char *why = NULL;
            int64_t patience = 0;
            PGconn *pg = dial_start(urls[i], rotation, &patience, &why);

            cr_assert_not_null(pg, "%s", why);
            cr_assert_eq(dial_behind(urls[i], pg), rotation + 1, "%s, %u", urls[i], rotation);
            PQfinish(pg);
        }
}

Test(dial, the_connection_string_has_the_last_word)
{
    static const struct {
        const char *url, *name;
        int64_t patience;
    } rows[] = {{"host=/nowhere", "plyd", 2000000},
                {"host=/nowhere connect_timeout=7", "plyd", 7000000},
                {"host=/nowhere application_name=mine", "mine", 2000000}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *why = NULL;
        int64_t patience = 0;
        PGconn *pg = dial_start(rows[i].url, 0, &patience, &why);

        if (pg != NULL) { /* a socket that is not there fails at once */
            cr_assert_str_eq(setting(pg, "application_name"), rows[i].name);
            cr_assert_str_eq(setting(pg, "client_encoding"), "UTF8");
            cr_assert_str_eq(setting(pg, "target_session_attrs"), "read-write");
            PQfinish(pg);
        }
        cr_assert_eq(patience, rows[i].patience);
    }
}

Test(dial, a_string_that_cannot_be_read_is_told)
{
    const char *why = NULL;
    int64_t patience;

    cr_assert_null(dial_start("host", 0, &patience, &why));
    cr_assert_not_null(why);
    cr_assert_neq(*why, '\0');
}
