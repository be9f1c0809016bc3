/* wire.c - PostgreSQL's binary formats. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* PostgreSQL counts time from 2000-01-01: so many microseconds after 1970. */
static const int64_t epoch_us = INT64_C(946684800) * 1000000;

enum { HEADER_BYTES = 20, COLUMN_START_BYTES = 4096, COLUMN_KEPT_BYTES = 64 << 10 };

/* The type's number, which is the same in every database. */
static uint32_t type_of(char letter)
{
    switch (letter) {
    case 's':
        return 21;
    case 'i':
        return 23;
    case 'l':
        return 20;
    case 't':
        return 1184;
    case 'u':
        return 2950;
    case 'b':
        return 17;
    default:
        return 25;
    }
}

static void store2(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void store4(uint8_t *at, uint32_t value)
{
    store2(at, (uint16_t)(value >> 16));
    store2(at + 2, (uint16_t)value);
}

static void store8(uint8_t *at, uint64_t value)
{
    store4(at, (uint32_t)(value >> 32));
    store4(at + 4, (uint32_t)value);
}

/* ---- parameters ---- */

/* Doubles, so that a batch of any size is a few allocations, and after a while none. */
static bool reserve(struct wire_column *column, size_t more)
{
    if (column->length + more <= column->size)
        return true;
    size_t size = column->size > 0 ? column->size : COLUMN_START_BYTES;
    while (size < column->length + more)
        size *= 2;
    uint8_t *bytes = realloc(column->bytes, size);
    if (bytes == NULL)
        return false;
    column->bytes = bytes;
    column->size = size;
    return true;
}

/* The header of an array has five numbers: its dimensions, whether elements are null, their type,
 * how many there are, and the index of the first. The second and the fourth are set by wire_end().
 */
static bool start_column(struct wire_column *column, char type)
{
    column->length = 0;
    column->count = 0;
    column->has_null = false;
    if (!reserve(column, HEADER_BYTES))
        return false;
    store4(column->bytes, 1);
    store4(column->bytes + 8, type_of(type));
    store4(column->bytes + 16, 1);
    column->length = HEADER_BYTES;
    return true;
}

void wire_begin(struct wire_params *params, const char *types)
{
    params->alone = *types == '=';
    types += params->alone;
    params->count = (int)strlen(types);
    params->exhausted = false;
    for (int i = 0; i < params->count; i++)
        if (!start_column(&params->columns[i], types[i]))
            params->exhausted = true;
}

void wire_row(struct wire_params *params, int first)
{
    params->next = first;
}

/* The value is in the array, behind its header and its own length. */
static void end_value(struct wire_params *params, int i)
{
    const struct wire_column *column = &params->columns[i];
    const char *value = (const char *)column->bytes + HEADER_BYTES + 4;

    params->values[i] = column->has_null ? NULL : value;
    params->lengths[i] = (int)column->length - HEADER_BYTES - 4;
}

static void end_array(struct wire_params *params, int i)
{
    const struct wire_column *column = &params->columns[i];

    store4(column->bytes + 4, column->has_null);
    store4(column->bytes + 12, column->count);
    params->values[i] = (const char *)column->bytes;
    params->lengths[i] = (int)column->length;
}

void wire_end(struct wire_params *params)
{
    if (params->exhausted)
        return;
    for (int i = 0; i < params->count; i++) {
        if (params->alone)
            end_value(params, i);
        else
            end_array(params, i);
        params->formats[i] = 1;
    }
}

void wire_rest(struct wire_params *params)
{
    for (int i = 0; i < params->count; i++) {
        struct wire_column *column = &params->columns[i];
        if (column->size <= COLUMN_KEPT_BYTES)
            continue;
        free(column->bytes);
        *column = (struct wire_column){.bytes = NULL};
    }
}

void wire_free(struct wire_params *params)
{
    for (int i = 0; i < WIRE_PARAMS_MAX; i++)
        free(params->columns[i].bytes);
}

/* Room for an element of `length` bytes in the column whose turn it is, or NULL. An element is its
 * length in bytes, then the bytes. */
static uint8_t *element(struct wire_params *params, size_t length)
{
    struct wire_column *column = &params->columns[params->next++];
    if (params->exhausted || !reserve(column, 4 + length)) {
        params->exhausted = true;
        return NULL;
    }
    uint8_t *at = column->bytes + column->length;
    store4(at, (uint32_t)length);
    column->length += 4 + length;
    column->count++;
    return at + 4;
}

void wire_put_int2(struct wire_params *params, int16_t value)
{
    uint8_t *at = element(params, 2);
    if (at != NULL)
        store2(at, (uint16_t)value);
}

void wire_put_int4(struct wire_params *params, int32_t value)
{
    uint8_t *at = element(params, 4);
    if (at != NULL)
        store4(at, (uint32_t)value);
}

void wire_put_int8(struct wire_params *params, int64_t value)
{
    uint8_t *at = element(params, 8);
    if (at != NULL)
        store8(at, (uint64_t)value);
}

void wire_put_time(struct wire_params *params, int64_t us)
{
    wire_put_int8(params, us - epoch_us);
}

void wire_put_moment(struct wire_params *params, int64_t us)
{
    if (us == DB_NEVER)
        wire_put_null(params);
    else
        wire_put_time(params, us);
}

void wire_put_uuid(struct wire_params *params, const db_id *id)
{
    wire_put_bytes(params, id->byte, sizeof(id->byte));
}

void wire_put_bytes(struct wire_params *params, const void *bytes, size_t length)
{
    uint8_t *at = element(params, length);
    if (at != NULL)
        memcpy(at, bytes, length);
}

void wire_put_text(struct wire_params *params, const char *text)
{
    if (text != NULL)
        wire_put_bytes(params, text, strlen(text));
    else
        wire_put_null(params);
}

/* A null has the length -1 and no bytes. */
void wire_put_null(struct wire_params *params)
{
    struct wire_column *column = &params->columns[params->next];
    uint8_t *at = element(params, 0);
    if (at != NULL) {
        store4(at - 4, UINT32_MAX);
        column->has_null = true;
    }
}

/* ---- results ---- */

static uint16_t load2(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t load4(const uint8_t *at)
{
    return (uint32_t)load2(at) << 16 | load2(at + 2);
}

static uint64_t load8(const uint8_t *at)
{
    return (uint64_t)load4(at) << 32 | load4(at + 4);
}

int16_t wire_get_int2(const void *value)
{
    return (int16_t)load2(value);
}

int32_t wire_get_int4(const void *value)
{
    return (int32_t)load4(value);
}

int64_t wire_get_int8(const void *value)
{
    return (int64_t)load8(value);
}

int64_t wire_get_time(const void *value)
{
    return wire_get_int8(value) + epoch_us;
}
