#include "api/game/ids.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

/* The first bit is the highest of the first character. Zeros fill up the last one. */
void ids_base32(const uint8_t *bytes, size_t len, char *text)
{
    unsigned bits = 0, have = 0;

    for (size_t i = 0; i < len; i++) {
        bits = bits << 8 | bytes[i];
        for (have += 8; have >= 5; have -= 5)
            *text++ = alphabet[bits >> (have - 5) & 31];
        bits &= 0xff;
    }
    if (have > 0)
        *text++ = alphabet[bits << (5 - have) & 31];
    *text = '\0';
}

bool ids_base32_read(const char *text, uint8_t *bytes, size_t len)
{
    unsigned bits = 0, have = 0;
    size_t filled = 0;

    if (strlen(text) != (8 * len + 4) / 5)
        return false;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(alphabet, *text);

        if (digit == NULL)
            return false;
        bits = (bits << 5 | (unsigned)(digit - alphabet)) & 0xfff;
        have += 5;
        if (have >= 8) {
            have -= 8;
            bytes[filled++] = (uint8_t)(bits >> have);
        }
    }
    return (bits & ((1U << have) - 1)) == 0; /* else two texts would mean the same bytes */
}

enum { TIME_BYTES = 6 };

static void put_time(db_id *id, uint64_t ms)
{
    for (int i = 0; i < TIME_BYTES; i++)
        id->byte[i] = (uint8_t)(ms >> 8 * (TIME_BYTES - 1 - i));
}

db_id ids_new(int64_t at)
{
    db_id id;

    randombytes_buf(id.byte, sizeof(id.byte));
    put_time(&id, (uint64_t)at / 1000);
    return id;
}

void ids_set_time(db_id *id, const db_id *of)
{
    memcpy(id->byte, of->byte, TIME_BYTES);
}

/* 017f22e2-79b0-7cc3-98c4-dc0c0c07398f: the time stands first, and the version behind the second
 * hyphen. */
void ids_set_key_time(db_id *id, const char *key)
{
    static const char form[] = "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx";
    char time[2 * TIME_BYTES + 1];

    if (strlen(key) != strlen(form))
        return;
    for (size_t i = 0; form[i] != '\0'; i++)
        if (form[i] == 'x' ? !isxdigit((unsigned char)key[i]) : key[i] != form[i])
            return;
    snprintf(time, sizeof(time), "%.8s%.4s", key, key + 9);
    put_time(id, strtoull(time, NULL, 16));
}

db_id ids_next(db_id id)
{
    static const unsigned char label[] = "plyd rematch";
    db_id next;

    crypto_generichash(next.byte, sizeof(next.byte), id.byte, sizeof(id.byte), label,
                       sizeof(label) - 1);
    ids_set_time(&next, &id);
    return next;
}

void ids_text(db_id id, char text[IDS_TEXT])
{
    ids_base32(id.byte, sizeof(id.byte), text);
}

bool ids_read(const char *text, db_id *id)
{
    return ids_base32_read(text, id->byte, sizeof(id->byte));
}
