/*
 * wire.h - PostgreSQL's binary formats: parameters that are arrays, and the values of results.
 *
 * All parameters of a statement are arrays, filled row by row: each value goes to the end of its
 * own array. For a statement with the parameters $1 uuid[], $2 int4[] and $3 text[]:
 *
 *     wire_begin(params, "uix");          one letter a parameter
 *     wire_row(params, 0);                the next values go to $1, $2, $3
 *     wire_put_uuid(params, &id);
 *     wire_put_int4(params, 7);
 *     wire_put_text(params, NULL);
 *     wire_end(params);                   now params->values, lengths and formats are libpq's
 *
 * Start with a struct wire_params of zeros and end with wire_free(). In between it may serve any
 * number of statements: its buffers are kept, so that a loop that is warm allocates nothing, and
 * wire_rest() gives back those that a large statement made grow. Nothing here reports an error;
 * look at `exhausted` after wire_end().
 */
#ifndef PLYD_DB_WIRE_H
#define PLYD_DB_WIRE_H

#include "db.h"

enum { WIRE_PARAMS_MAX = 80 };

/* A one-dimensional array that grows. */
struct wire_column {
    uint8_t *bytes;
    size_t length, size; /* bytes in use and allocated */
    uint32_t count;      /* of elements */
    bool has_null;
};

struct wire_params {
    struct wire_column columns[WIRE_PARAMS_MAX];
    int count;
    bool alone;     /* they are values, no arrays */
    int next;       /* the column of the next value */
    bool exhausted; /* memory ran out: what was written is not whole, and must not be sent */
    const char *values[WIRE_PARAMS_MAX];
    int lengths[WIRE_PARAMS_MAX];
    int formats[WIRE_PARAMS_MAX];
};

/* Empties the arrays. `types` has a letter for each: s int2, i int4, l int8, t timestamptz, u uuid,
 * b bytea, x text. After a "=" in front of the letters, the parameters become values: the first and
 * only one of each array. */
void wire_begin(struct wire_params *params, const char *types);

/* Starts a row at parameter number `first`, counted from 0. */
void wire_row(struct wire_params *params, int first);

/* Each puts a value into the parameter whose turn it is, and goes on to the next one. The type must
 * be that of the parameter. Bytes and texts are copied. */
void wire_put_int2(struct wire_params *params, int16_t value);
void wire_put_int4(struct wire_params *params, int32_t value);
void wire_put_int8(struct wire_params *params, int64_t value);
void wire_put_time(struct wire_params *params, int64_t us);   /* since 1970 */
void wire_put_moment(struct wire_params *params, int64_t us); /* the same; DB_NEVER: null */
void wire_put_uuid(struct wire_params *params, const db_id *id);
void wire_put_bytes(struct wire_params *params, const void *bytes, size_t length);
void wire_put_text(struct wire_params *params, const char *text); /* NULL: null */
void wire_put_null(struct wire_params *params);

/* Completes the arrays. They are valid until wire_rest(), which is called when the statement was
 * handed to libpq. */
void wire_end(struct wire_params *params);
void wire_rest(struct wire_params *params);
void wire_free(struct wire_params *params);

/* A value of a result, of that type. It must not be null. */
int16_t wire_get_int2(const void *value);
int32_t wire_get_int4(const void *value);
int64_t wire_get_int8(const void *value);
int64_t wire_get_time(const void *value); /* microseconds since 1970 */

#endif
