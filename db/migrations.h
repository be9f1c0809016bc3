/*
 * migrations.h - the files of migrations/, which are part of the program, and the inside of
 * migrate.c, which tests call with lists of their own.
 */
#ifndef PLYD_DB_MIGRATIONS_H
#define PLYD_DB_MIGRATIONS_H

#include <stddef.h>

#include "migrate.h"
#include "wire.h"

struct migration {
    int number;
    const char *name; /* of the file, without .sql */
    const char *sql;  /* the whole file */
};

/* In order of number, from 1 on and without gaps. */
extern const struct migration migrations_list[];
extern const size_t migrations_count;

/* The number of the last migration that this program knows: that of its schema. */
int migrations_wanted(void);

/* Whether it is applied outside of a transaction: `-- plyd: no transaction`. */
bool migrations_alone(const struct migration *migration);

/* The schema of the oldest program that may run once it is applied: `-- plyd: oldest 10`. Without
 * that line its own number: no older program may. */
int migrations_oldest(const struct migration *migration);

/* Of each row `m` of schema_migrations, the same. Databases of programs from before 0011 have no
 * such column, and their migrations let no older program in; hence by way of JSON. */
#define MIGRATIONS_OLDEST "coalesce((to_jsonb(m) ->> 'oldest')::int4, m.number)"

/* Puts the numbers and texts of a list into $1 int4[] and $2 text[]. False if memory is out. */
bool migrations_bind(struct wire_params *params, const struct migration *list, size_t count);

/* db_migrate() and db_migrate_check() with a list of one's own. */
bool migrate_apply(const char *url, const struct db_patience *patience,
                   const struct migration *list, size_t count, struct db_migration_report *report);
enum db_schema migrate_check(const char *url, const struct db_patience *patience,
                             const struct migration *list, size_t count,
                             struct db_migration_report *report);

/* ---- split.c --------------------------------------------------------------------------------- */

/* Cutting a file of SQL into its statements.
 *
 * The protocol takes one statement at a time where parameters or results are binary, and some
 * databases that speak it take no more in any case. A semicolon ends a statement, but not in
 * quotes, comments, dollar quotes or parentheses. */

/* Moves *at to the first character of the next statement and returns its length, without the
 * semicolon. 0 if there is no further statement. The caller adds the length to *at to go on. */
size_t split_statement(const char **at);

#endif
