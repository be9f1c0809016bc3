/* table.c - the table of positions: reading, and what is overwritten. */
#include "engine/table.h"

#include <string.h>

static const size_t BUCKET_BYTES = TABLE_PLACES * sizeof(struct table_note);

void table_open(struct table *table, void *memory, size_t bytes)
{
    size_t buckets = 1;

    while (2 * buckets * BUCKET_BYTES <= bytes)
        buckets *= 2;
    *table = (struct table){.notes = memory, .mask = buckets - 1, .age = 0};
    table_forget(table);
}

/* Age 0 belongs to empty places, so everything is cleared before it comes round. */
void table_forget(struct table *table)
{
    if (++table->age <= 1) {
        table->age = 1;
        memset(table->notes, 0, (table->mask + 1) * BUCKET_BYTES);
    }
}

static struct table_note *bucket_of(const struct table *table, uint64_t key)
{
    return &table->notes[(key >> 1 & table->mask) * TABLE_PLACES];
}

struct table_note table_read(const struct table *table, uint64_t key)
{
    const struct table_note *note = bucket_of(table, key);

    for (size_t i = 0; i < TABLE_PLACES; i++)
        if (note[i].key == key && note[i].age == table->age)
            return note[i];
    return (struct table_note){0};
}

/* A forgotten note is worth less than any other. */
static int worth(const struct table *table, const struct table_note *note)
{
    return note->age == table->age ? note->depth : -1;
}

/* In the place of the same position, else in the one that is worth least. */
void table_write(struct table *table, struct table_note note)
{
    struct table_note *place = bucket_of(table, note.key), *least = place;

    note.age = table->age;
    for (size_t i = 0; i < TABLE_PLACES; i++, place++) {
        if (place->key == note.key && place->age == table->age) {
            note.move = note.move != 0 ? note.move : place->move;
            *place = note;
            return;
        }
        if (worth(table, place) < worth(table, least))
            least = place;
    }
    *least = note;
}
