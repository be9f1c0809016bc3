/* kinds.c - the table of the kinds of requests. */
#include "kinds.h"

#include "due.h"
#include "hooks.h"
#include "library.h"
#include "operations.h"
#include "tasks.h"

const struct kind_info kinds_table[DB_KINDS] = {
#define DB_SQL(kind, ...) [KIND_##kind] = {__VA_ARGS__},
#include "embed/db/statements.def"
#undef DB_SQL
};

#define DB_SQL_NUMBER(name, number) \
    _Static_assert((name) == (number), "db/sql/lib/numbers.psql says otherwise");
#include "embed/db/numbers.def"

const char *db_stat_name(size_t i)
{
    return i < DB_KINDS ? kinds_table[i].name : NULL;
}
