/*
 * wire.h - PostgreSQL's binary formats: parameters that are arrays, and the values of results.
 *
 * A statement's parameters are written row by row, each value into its own array:
 *
 *     params_begin(params, "uix");        one letter a parameter: u i and x, as below
 *     params_row(params, 0);              the next values go to the first parameter and on
 *     put_uuid(params, &id);
 *     put_int4(params, 7);
 *     put_text(params, NULL);
 *     params_end(params);                 params->values, lengths and formats are libpq's
 *
 * The buffers are kept from one statement to the next.
 */
#ifndef PLYD_DB_WIRE_H
#define PLYD_DB_WIRE_H

#include "db.h"

enum { PARAMS_MAX = 64 };

/* A one-dimensional array that grows. */
struct column {
    uint8_t *bytes;
    size_t length, size;
    uint32_t count;
    bool has_null;
};

struct params {
    struct column columns[PARAMS_MAX];
    int count;
    int next;       /* the column of the next value */
    bool exhausted; /* memory ran out: what was written is not whole */
    const char *values[PARAMS_MAX];
    int lengths[PARAMS_MAX];
    int formats[PARAMS_MAX];
};

/* Types: s int2, i int4, l int8, t timestamptz, u uuid, b bytea, x text. */
void params_begin(struct params *params, const char *types);
void params_row(struct params *params, int first);
void params_end(struct params *params);
void params_free(struct params *params);

void put_int2(struct params *params, int16_t value);
void put_int4(struct params *params, int32_t value);
void put_int8(struct params *params, int64_t value);
void put_time(struct params *params, int64_t us);
void put_uuid(struct params *params, const db_id *id);
void put_bytes(struct params *params, const void *bytes, size_t length);
void put_text(struct params *params, const char *text); /* NULL: null */
void put_null(struct params *params);

int16_t get_int2(const void *value);
int32_t get_int4(const void *value);
int64_t get_int8(const void *value);
int64_t get_time(const void *value);

#endif
