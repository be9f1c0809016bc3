#include "api/record/archive.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The three headers of the format, and where their fields stand. */
enum {
    END_SIGN = 0x06054b50,
    END_BYTES = 22,
    END_COMMENT_MAX = 0xffff,
    END_DISKS = 4,
    END_SIZE = 12,
    END_OFFSET = 16,
    ENTRY_SIGN = 0x02014b50,
    ENTRY_BYTES = 46,
    ENTRY_FLAGS = 8,
    ENTRY_METHOD = 10,
    ENTRY_SIZE = 20,
    ENTRY_NAME = 28,
    ENTRY_EXTRA = 30,
    ENTRY_COMMENT = 32,
    ENTRY_OFFSET = 42,
    LOCAL_SIGN = 0x04034b50,
    LOCAL_BYTES = 30,
    LOCAL_NAME = 26,
    LOCAL_EXTRA = 28,
    ENCRYPTED = 1,
    STORED = 0,
    DEFLATED = 8
};

static uint16_t get2(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t get4(const uint8_t *at)
{
    return get2(at) | (uint32_t)get2(at + 2) << 16;
}

bool archive_is(const void *bytes, size_t len)
{
    return len >= END_BYTES && (get4(bytes) == LOCAL_SIGN || get4(bytes) == END_SIGN);
}

/* Whether the end record of an archive stands at `at`: of an archive in one file, with its
 * directory before it. */
static bool is_end(const struct archive *archive, size_t at)
{
    const uint8_t *end = archive->bytes + at;

    return get4(end) == END_SIGN && get4(end + END_DISKS) == 0 && get4(end + END_SIZE) <= at &&
           get4(end + END_OFFSET) <= at - get4(end + END_SIZE);
}

/* A comment of any length may follow the end record, so the search runs backwards. */
bool archive_open(struct archive *archive, const void *bytes, size_t len)
{
    size_t at, least;

    *archive = (struct archive){.bytes = bytes, .len = len};
    if (!archive_is(bytes, len))
        return false;
    at = len - END_BYTES;
    for (least = at < END_COMMENT_MAX ? 0 : at - END_COMMENT_MAX; !is_end(archive, at); at--)
        if (at == least)
            return false;
    archive->begin = get4(archive->bytes + at + END_OFFSET);
    archive->end = archive->begin + get4(archive->bytes + at + END_SIZE);
    return true;
}

bool archive_entry(const struct archive *archive, size_t at, struct archive_entry *entry)
{
    const uint8_t *header = archive->bytes + at;
    size_t more;

    if (at > archive->end || archive->end - at < ENTRY_BYTES || get4(header) != ENTRY_SIGN)
        return false;
    *entry = (struct archive_entry){.name = (const char *)header + ENTRY_BYTES,
                                    .name_len = get2(header + ENTRY_NAME),
                                    .method = get2(header + ENTRY_METHOD),
                                    .flags = get2(header + ENTRY_FLAGS),
                                    .size = get4(header + ENTRY_SIZE),
                                    .offset = get4(header + ENTRY_OFFSET)};
    more = entry->name_len + get2(header + ENTRY_EXTRA) + get2(header + ENTRY_COMMENT);
    entry->next = at + ENTRY_BYTES + more;
    return entry->next <= archive->end;
}

bool archive_is_chaff(const struct archive_entry *entry)
{
    static const char mac[] = "__MACOSX/";

    return entry->name_len == 0 || entry->name[entry->name_len - 1] == '/' ||
           (entry->name_len >= sizeof(mac) - 1 && memcmp(entry->name, mac, sizeof(mac) - 1) == 0);
}

/* The bytes of an entry as they are stored. NULL: they lie outside the archive. */
static const uint8_t *content(const struct archive *archive, const struct archive_entry *entry)
{
    const uint8_t *local = archive->bytes + entry->offset;
    size_t begin;

    if (entry->offset > archive->len || archive->len - entry->offset < LOCAL_BYTES ||
        get4(local) != LOCAL_SIGN)
        return NULL;
    begin =
        (size_t)entry->offset + LOCAL_BYTES + get2(local + LOCAL_NAME) + get2(local + LOCAL_EXTRA);
    if (begin > archive->len || archive->len - begin < entry->size)
        return NULL;
    return archive->bytes + begin;
}

/* The size that an entry claims is ignored: the buffer grows with the bytes that really come, so a
 * small archive cannot make the daemon allocate much. */
static char *inflate_all(z_stream *stream, size_t most, size_t *len, const char **why)
{
    size_t size = 0;
    char *text = NULL;
    int result = Z_OK;

    while (result == Z_OK && stream->total_out < most) {
        size_t wanted = size == 0 ? 16 << 10 : 2 * size;
        char *grown;

        size = wanted < most ? wanted : most;
        grown = realloc(text, size + 1);
        if (grown == NULL) {
            *why = "There is no memory for it.";
            break;
        }
        text = grown;
        stream->next_out = (Bytef *)text + stream->total_out;
        stream->avail_out = (uInt)(size - stream->total_out);
        result = inflate(stream, Z_NO_FLUSH);
    }
    *len = stream->total_out;
    if (result == Z_STREAM_END)
        return text;
    if (*why == NULL)
        *why = result == Z_OK ? "It unfolds to more than may be read at once."
                              : "What is compressed in it is broken.";
    free(text);
    return NULL;
}

static char *inflate_entry(const uint8_t *bytes, size_t compressed, size_t most, size_t *len,
                           const char **why)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)compressed};
    char *text;

    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        *why = "There is no memory for it.";
        return NULL;
    }
    text = inflate_all(&stream, most, len, why);
    inflateEnd(&stream);
    return text;
}

static char *copy(const uint8_t *bytes, size_t size, size_t most, size_t *len, const char **why)
{
    char *text = size > most ? NULL : malloc(size + 1);

    if (text == NULL) {
        *why =
            size > most ? "It is longer than may be read at once." : "There is no memory for it.";
    } else {
        memcpy(text, bytes, size);
        *len = size;
    }
    return text;
}

char *archive_unfold(const struct archive *archive, const struct archive_entry *entry, size_t most,
                     size_t *len, const char **why)
{
    const uint8_t *bytes = content(archive, entry);
    char *text = NULL;

    *why = NULL;
    *len = 0;
    if (bytes == NULL)
        *why = "It is not where the archive's directory says.";
    else if ((entry->flags & ENCRYPTED) != 0)
        *why = "It is encrypted.";
    else if (entry->method == STORED)
        text = copy(bytes, entry->size, most, len, why);
    else if (entry->method == DEFLATED)
        text = inflate_entry(bytes, entry->size, most, len, why);
    else
        *why = "It is compressed in a way that is not read here: only stored and deflated are.";
    if (text != NULL)
        text[*len] = '\0';
    return text;
}
