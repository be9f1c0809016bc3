/* migrations.c - the files of migrations/, which are part of the program. */
#include "migrations.h"

#include <stdlib.h>
#include <string.h>

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

int db_schema_of_program(void)
{
    return migrations_wanted();
}

/* What stands behind this word in the lines with which a file begins that are for `plyd migrate`.
 * NULL: none of them has it. */
static const char *find_note(const char *sql, const char *word)
{
    static const char mark[] = "-- plyd: ";

    for (; strncmp(sql, mark, strlen(mark)) == 0; sql += strcspn(sql, "\n") + 1) {
        const char *note = sql + strlen(mark);

        if (strncmp(note, word, strlen(word)) == 0)
            return note + strlen(word);
        if (strchr(note, '\n') == NULL)
            break;
    }
    return NULL;
}

bool migrations_alone(const struct migration *migration)
{
    return find_note(migration->sql, "no transaction\n") != NULL;
}

int migrations_oldest(const struct migration *migration)
{
    const char *oldest = find_note(migration->sql, "oldest ");

    return oldest != NULL ? atoi(oldest) : migration->number;
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
