/* migrations.c - the files of migrations/, which are part of the program. */
#include "migrations.h"

const struct migration migrations_list[] = {
#define DB_MIGRATION(number, name, sql) {number, name, sql},
#include "embed/migrations.def"
#undef DB_MIGRATION
};

const size_t migrations_count = sizeof(migrations_list) / sizeof(migrations_list[0]);

int migrations_wanted(void)
{
    return migrations_list[migrations_count - 1].number;
}

bool migrations_bind(struct wire_params *params, const struct migration *list, size_t count)
{
    wire_begin(params, "ix");
    for (size_t i = 0; i < count; i++) {
        wire_row(params, 0);
        wire_put_int4(params, list[i].number);
        wire_put_text(params, list[i].sql);
    }
    wire_end(params);
    return !params->exhausted;
}
