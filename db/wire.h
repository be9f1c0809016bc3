/*
 * wire.h - PostgreSQL's binary formats: parameters that are arrays, and the values of results.
 *
 * A statement's parameters are written row by row, each value into its own array:
 *
 *     wire_begin(params, "uix");        one letter a parameter: u i and x, as below
 *     wire_row(params, 0);              the next values go to the first parameter and on
 *     wire_put_uuid(params, &id);
 *     wire_put_int4(params, 7);
 *     wire_put_text(params, NULL);
 *     wire_end(params);                 params->values, lengths and formats are libpq's
 *
 * The buffers are kept from one statement to the next.
 */
#ifndef PLYD_DB_WIRE_H
#define PLYD_DB_WIRE_H

#include "db.h"

enum { WIRE_PARAMS_MAX = 64 };

/* A one-dimensional array that grows. */
struct wire_column {
    uint8_t *bytes;
    size_t length, size;
    uint32_t count;
    bool has_null;
};

struct wire_params {
    struct wire_column columns[WIRE_PARAMS_MAX];
    int count;
    int next;       /* the column of the next value */
    bool exhausted; /* memory ran out: what was written is not whole */
    const char *values[WIRE_PARAMS_MAX];
    int lengths[WIRE_PARAMS_MAX];
    int formats[WIRE_PARAMS_MAX];
};

/* Types: s int2, i int4, l int8, t timestamptz, u uuid, b bytea, x text. */
void wire_begin(struct wire_params *params, const char *types);
void wire_row(struct wire_params *params, int first);
void wire_end(struct wire_params *params);
void wire_free(struct wire_params *params);

void wire_put_int2(struct wire_params *params, int16_t value);
void wire_put_int4(struct wire_params *params, int32_t value);
void wire_put_int8(struct wire_params *params, int64_t value);
void wire_put_time(struct wire_params *params, int64_t us);
void wire_put_uuid(struct wire_params *params, const db_id *id);
void wire_put_bytes(struct wire_params *params, const void *bytes, size_t length);
void wire_put_text(struct wire_params *params, const char *text); /* NULL: null */
void wire_put_null(struct wire_params *params);

int16_t wire_get_int2(const void *value);
int32_t wire_get_int4(const void *value);
int64_t wire_get_int8(const void *value);
int64_t wire_get_time(const void *value);

#endif
