#include "archive.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void append(char **to, size_t *len, const void *bytes, size_t more)
{
    *to = realloc(*to, *len + more + 1);
    if (*to == NULL)
        abort();
    memcpy(*to + *len, bytes, more);
    *len += more;
}

static void put(char **to, size_t *len, unsigned bytes, uint32_t number)
{
    for (unsigned i = 0; i < bytes; i++) {
        char byte = (char)(number >> 8 * i);

        append(to, len, &byte, 1);
    }
}

/* What both headers of an entry have. */
static void put_entry(char **to, size_t *len, enum archive_method method, uint32_t crc,
                      size_t compressed, size_t size, const char *name)
{
    put(to, len, 2, 20);
    put(to, len, 2, 0);
    put(to, len, 2, method);
    put(to, len, 4, 0);
    put(to, len, 4, crc);
    put(to, len, 4, (uint32_t)compressed);
    put(to, len, 4, (uint32_t)size);
    put(to, len, 2, (uint32_t)strlen(name));
    put(to, len, 2, 0);
}

static char *deflate_bytes(const char *bytes, size_t len, size_t *compressed)
{
    size_t room = compressBound(len) + 64;
    char *out = malloc(room);
    z_stream stream = {0};

    if (out == NULL ||
        deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)len;
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    *compressed = stream.total_out;
    deflateEnd(&stream);
    return out;
}

void archive_add(struct archive_file *archive, const char *name, const char *bytes, size_t len,
                 enum archive_method method)
{
    uint32_t crc = (uint32_t)crc32(0, (const Bytef *)bytes, (uInt)len);
    size_t offset = archive->len, compressed = len;
    char *made = NULL;

    if (method == ARCHIVE_DEFLATED)
        bytes = made = deflate_bytes(bytes, len, &compressed);
    put(&archive->bytes, &archive->len, 4, 0x04034b50);
    put_entry(&archive->bytes, &archive->len, method, crc, compressed, len, name);
    append(&archive->bytes, &archive->len, name, strlen(name));
    append(&archive->bytes, &archive->len, bytes, compressed);
    archive->last = archive->directory_len;
    put(&archive->directory, &archive->directory_len, 4, 0x02014b50);
    put(&archive->directory, &archive->directory_len, 2, 20);
    put_entry(&archive->directory, &archive->directory_len, method, crc, compressed, len, name);
    put(&archive->directory, &archive->directory_len, 4, 0);
    put(&archive->directory, &archive->directory_len, 4, 0);
    put(&archive->directory, &archive->directory_len, 2, 0);
    put(&archive->directory, &archive->directory_len, 4, (uint32_t)offset);
    append(&archive->directory, &archive->directory_len, name, strlen(name));
    archive->entries++;
    free(made);
}

void archive_add_text(struct archive_file *archive, const char *name, const char *text,
                      enum archive_method method)
{
    archive_add(archive, name, text, strlen(text), method);
}

void archive_add_zeros(struct archive_file *archive, const char *name, size_t count)
{
    char *zeros = calloc(1, count);

    if (zeros == NULL)
        abort();
    archive_add(archive, name, zeros, count, ARCHIVE_DEFLATED);
    free(zeros);
}

void archive_add_again(struct archive_file *archive)
{
    size_t len = archive->directory_len - archive->last;
    char *entry = malloc(len);

    if (entry == NULL)
        abort();
    memcpy(entry, archive->directory + archive->last, len);
    archive->last = archive->directory_len;
    append(&archive->directory, &archive->directory_len, entry, len);
    archive->entries++;
    free(entry);
}

void archive_end(struct archive_file *archive)
{
    size_t offset = archive->len;

    append(&archive->bytes, &archive->len, archive->directory, archive->directory_len);
    put(&archive->bytes, &archive->len, 4, 0x06054b50);
    put(&archive->bytes, &archive->len, 4, 0);
    put(&archive->bytes, &archive->len, 2, (uint32_t)archive->entries);
    put(&archive->bytes, &archive->len, 2, (uint32_t)archive->entries);
    put(&archive->bytes, &archive->len, 4, (uint32_t)archive->directory_len);
    put(&archive->bytes, &archive->len, 4, (uint32_t)offset);
    put(&archive->bytes, &archive->len, 2, 0);
}
