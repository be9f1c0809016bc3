/* test_addresses.c - how many connections each address has. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/net/addresses.h"

static struct addresses addresses;

static void open_addresses(void)
{
    addresses_open(&addresses);
}

TestSuite(addresses, .init = open_addresses);

static struct quota_address address_of(const char *text)
{
    struct quota_address address;

    cr_assert(quota_address_read(text, strlen(text), &address));
    return address;
}

Test(addresses, a_household_is_one_address)
{
    struct quota_address one = address_of("2001:db8::1"), same = address_of("2001:db8::2"),
                         other = address_of("2001:db8:0:1::1");
    struct client client[2];

    addresses_add(&addresses, &one, &client[0]);
    addresses_add(&addresses, &same, &client[1]);
    cr_assert_eq(addresses_count(&addresses, &one), 2);
    cr_assert_eq(addresses_count(&addresses, &other), 0);
}

/* More addresses than rows, so they share them. */
Test(addresses, each_of_very_many_is_counted_for_itself_until_it_is_gone)
{
    enum { MANY = 5000 };
    static struct client client[2 * MANY];
    struct quota_address address = {.len = 4};

    for (uint32_t i = 0; i < 2 * MANY; i++) {
        memcpy(address.bytes, &(uint32_t){i % MANY}, sizeof(i));
        addresses_add(&addresses, &address, &client[i]);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        memcpy(address.bytes, &i, sizeof(i));
        for (size_t left = 2; left > 0; left--) {
            cr_assert_eq(addresses_count(&addresses, &address), left);
            addresses_remove(&addresses, &client[i + (left - 1) * MANY]);
        }
        cr_assert_eq(addresses_count(&addresses, &address), 0);
    }
    for (int i = 0; i < ADDRESSES_ROWS; i++)
        cr_assert_null(addresses.row[i]);
}
