/*
 * fuzz_split.c - any bytes as a file of many games.
 *
 * They are cut into records, which lie in the file, one behind the other; going on from any place
 * gives the same records. If they are an archive, its entries are unfolded and cut in the same way.
 */
#include <stdlib.h>
#include <string.h>

#include "api/record/archive.h"
#include "api/record/split.h"
#include "fuzz.h"

enum { MOST = 1 << 16 };

static void check_parts(const char *bytes, size_t len)
{
    struct record_split split, again;
    struct record_part part, same;
    const char *end = bytes;
    size_t count = 0, line = 0;

    record_split_init(&split, bytes, len);
    again = split;
    while (record_split_next(&split, &part)) {
        must(part.len > 0 && part.bytes >= end && part.bytes + part.len <= bytes + len);
        must(part.line >= line && split.at <= len);
        end = part.bytes + part.len;
        line = part.line;
        count++;
        must(record_split_next(&again, &same) && same.bytes == part.bytes && same.len == part.len);
        again.at = split.at;
        again.line = split.line;
    }
    must(count == record_split_count(bytes, len));
}

static void check_archive(const char *bytes, size_t len)
{
    struct archive archive;
    struct archive_entry entry;

    if (!archive_open(&archive, bytes, len))
        return;
    for (size_t at = archive.begin; archive_entry(&archive, at, &entry); at = entry.next) {
        const char *why;
        size_t size;
        char *text;

        must(entry.next > at && entry.name + entry.name_len <= bytes + len);
        archive_is_chaff(&entry);
        text = archive_unfold(&archive, &entry, MOST, &size, &why);
        must(size <= MOST && (text == NULL ? why != NULL : text[size] == '\0'));
        if (text != NULL)
            check_parts(text, size);
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1); /* of just this size: reading beyond it is noticed */

    memcpy(bytes, data, size);
    bytes[size] = '\0';
    check_parts(bytes, size);
    check_archive(bytes, size);
    free(bytes);
    return 0;
}
