/* test_map.c - things that are found by their keys. */
#include <criterion/criterion.h>
#include <stdint.h>

#include "api/text/map.h"
#include "rules/rules.h"

enum { THINGS = 200, KEYS = 40 };

struct thing {
    struct map_link link;
    uint64_t key[2];
    int put; /* when; 0: it is not in the map */
};

static struct thing things[THINGS];

/* The last of a key that was put in before a moment. */
static struct thing *last_before(const uint64_t key[2], int moment)
{
    struct thing *last = NULL;

    for (size_t i = 0; i < THINGS; i++)
        if (things[i].put != 0 && things[i].put < moment && things[i].key[0] == key[0] &&
            things[i].key[1] == key[1] && (last == NULL || things[i].put > last->put))
            last = &things[i];
    return last;
}

/* Keys of which many share a bucket, and some differ in their first half alone. */
Test(map, has_what_was_put_in_and_not_taken_and_the_latest_of_a_key_first)
{
    uint64_t seed = 5;
    size_t count = 0;
    struct map map;

    map_open(&map, sizeof(things[0].key), 10);
    for (int moment = 1; moment < 20000; moment++) {
        struct thing *thing = &things[rules_choose(&seed, THINGS)];

        if (thing->put == 0) {
            thing->key[0] = rules_choose(&seed, 2);
            thing->key[1] = rules_choose(&seed, KEYS);
            map_put(&map, &thing->link, thing->key, thing);
            thing->put = moment;
            count++;
        } else {
            map_take(&map, &thing->link);
            thing->put = 0;
            count--;
        }
        cr_assert_eq(map.count, count);
        cr_assert_eq(map_find(&map, thing->key), last_before(thing->key, INT32_MAX));
        if (thing->put != 0)
            cr_assert_eq(map_next(&map, &thing->link), last_before(thing->key, moment));
    }
    map_close(&map);
}

Test(map, that_is_empty_has_nothing)
{
    struct map map;

    map_open(&map, sizeof(uint64_t), 0);
    cr_assert_null(map_find(&map, &(uint64_t){7}));
    map_close(&map);
}
