/* png.c - pixels as a PNG file (png.h): three bytes a pixel, without a palette. */
#include "api/view/png.h"

#include <string.h>
#include <zlib.h>

enum { HEAD = 8, WORD = 4, LEVEL = 4, UP = 2, CHUNK_NAME = 4 };

static char *put_word(char *at, uLong word)
{
    for (int i = WORD - 1; i >= 0; i--)
        *at++ = (char)(word >> 8 * i & 0xff);
    return at;
}

/* Writes a chunk, of which the data may lie in its place already. */
static char *put_chunk(char *at, const char *name, const char *data, size_t len)
{
    char *begin = put_word(at, (uLong)len);

    at = begin;
    memcpy(at, name, CHUNK_NAME);
    if (len > 0)
        memmove(at + CHUNK_NAME, data, len);
    at += CHUNK_NAME + len;
    return put_word(at, crc32(0, (const Bytef *)begin, (uInt)(at - begin)));
}

/* Each row as the difference to the row above it, which compresses well: boards are large squares
 * of one colour. */
static void put_row(char *at, const struct canvas *canvas, int row)
{
    size_t len = 3 * (size_t)canvas->width;
    const unsigned char *here = canvas->rgb + (size_t)row * len;

    *at++ = UP;
    for (size_t i = 0; i < len; i++)
        at[i] = (char)(row == 0 ? here[i] : here[i] - here[i - len]);
}

/* Memory of zlib's, which is given back with the rest. */
static voidpf take_memory(voidpf scratch, uInt items, uInt size)
{
    return arena_alloc(scratch, (size_t)items * size);
}

static void keep_memory(voidpf scratch, voidpf memory)
{
    (void)scratch;
    (void)memory;
}

/* Compresses all rows into `out`, and returns the length. */
static size_t compress_rows(z_stream *stream, const struct canvas *canvas, char *row, char *out,
                            size_t cap)
{
    stream->next_out = (Bytef *)out;
    stream->avail_out = (uInt)cap;
    for (int i = 0; i < canvas->height; i++) {
        put_row(row, canvas, i);
        stream->next_in = (Bytef *)row;
        stream->avail_in = 3 * (uInt)canvas->width + 1;
        deflate(stream, i + 1 == canvas->height ? Z_FINISH : Z_NO_FLUSH);
    }
    return stream->total_out;
}

static size_t write_header(char *out, const struct canvas *canvas)
{
    char header[2 * WORD + 5] = {0}, *at = header;

    at = put_word(at, (uLong)canvas->width);
    at = put_word(at, (uLong)canvas->height);
    at[0] = 8; /* bits of each colour, */
    at[1] = 2; /* of which there are three */
    memcpy(out, "\x89PNG\r\n\x1a\n", HEAD);
    return (size_t)(put_chunk(out + HEAD, "IHDR", header, sizeof(header)) - out);
}

const char *png_write(struct arena *arena, const struct canvas *canvas, size_t *len)
{
    struct arena scratch = {0};
    z_stream stream = {.zalloc = take_memory, .zfree = keep_memory, .opaque = &scratch};
    size_t row = 3 * (size_t)canvas->width + 1, begin;
    char *out, *at;

    deflateInit2(&stream, LEVEL, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
    *len = deflateBound(&stream, row * (size_t)canvas->height);
    out = arena_alloc(&scratch, *len + 64);
    begin = write_header(out, canvas);
    at = out + begin + WORD + CHUNK_NAME; /* where the data lies that is to be in a chunk */
    at = put_chunk(out + begin, "IDAT", at,
                   compress_rows(&stream, canvas, arena_alloc(&scratch, row), at, *len));
    at = put_chunk(at, "IEND", NULL, 0);
    deflateEnd(&stream);
    *len = (size_t)(at - out);
    at = arena_copy(arena, out, *len);
    arena_free(&scratch);
    return at;
}
