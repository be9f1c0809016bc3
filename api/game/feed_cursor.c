#include "api/game/feed_cursor.h"

#include <string.h>

#include "api/game/ids.h"
#include "api/text/json.h"

/* A kind, `since`; and within a pass `upto`, the game and the version. */
enum { RESTING = 1, WITHIN = 2, SHORT = 9, LONG = 37 };

enum { FIRST_TIME = 1 };

_Static_assert(FEED_CURSOR_TEXT == (LONG * 8 + 4) / 5 + 1, "a text fits");

static void put_cursor_bytes(uint8_t **at, uint64_t number, int bytes)
{
    while (bytes-- > 0)
        *(*at)++ = (uint8_t)(number >> (8 * bytes));
}

static uint64_t take_cursor_bytes(const uint8_t **at, int bytes)
{
    uint64_t number = 0;

    while (bytes-- > 0)
        number = number << 8 | *(*at)++;
    return number;
}

void feed_cursor_text(const struct feed_cursor *cursor, char text[FEED_CURSOR_TEXT])
{
    uint8_t bytes[LONG], *at = bytes;

    put_cursor_bytes(&at, cursor->upto == 0 ? RESTING : WITHIN, 1);
    put_cursor_bytes(&at, (uint64_t)cursor->at.since, 8);
    if (cursor->upto != 0) {
        put_cursor_bytes(&at, (uint64_t)cursor->upto, 8);
        memcpy(at, cursor->at.game.byte, sizeof(cursor->at.game.byte));
        at += sizeof(cursor->at.game.byte);
        put_cursor_bytes(&at, (uint32_t)cursor->at.version, 4);
    }
    ids_base32(bytes, (size_t)(at - bytes), text);
}

static bool is_sound(const struct feed_cursor *cursor)
{
    return cursor->at.since >= 0 && cursor->at.since <= JSON_TIME_MAX && cursor->upto >= 0 &&
           cursor->upto <= JSON_TIME_MAX && cursor->at.version >= 0;
}

bool feed_cursor_read(const char *text, struct feed_cursor *cursor)
{
    uint8_t bytes[LONG];
    const uint8_t *at = bytes;
    bool within = ids_base32_read(text, bytes, LONG);
    uint64_t kind;

    memset(cursor, 0, sizeof(*cursor));
    if (strcmp(text, "0") == 0)
        return true;
    if (!within && !ids_base32_read(text, bytes, SHORT))
        return false;
    kind = take_cursor_bytes(&at, 1);
    cursor->at.since = (int64_t)take_cursor_bytes(&at, 8);
    if (within) {
        cursor->upto = (int64_t)take_cursor_bytes(&at, 8);
        memcpy(cursor->at.game.byte, at, sizeof(cursor->at.game.byte));
        at += sizeof(cursor->at.game.byte);
        cursor->at.version = (int32_t)take_cursor_bytes(&at, 4);
    }
    return kind == (within ? WITHIN : RESTING) && (cursor->upto != 0) == within && is_sound(cursor);
}

/* If the server's clock was set back, what is written now is older than what was told before. */
void feed_cursor_begin(struct feed_cursor *cursor, int64_t horizon)
{
    cursor->upto = horizon;
    if (cursor->at.since > horizon)
        cursor->at.since = horizon;
}

void feed_cursor_pass(struct feed_cursor *cursor, const struct db_feed *event)
{
    cursor->at.game = event->game;
    cursor->at.version = event->event.version;
}

/* The first pass begins before all times, and `upto` has to be one. */
void feed_cursor_hold(struct feed_cursor *cursor)
{
    cursor->upto = cursor->at.since > 0 ? cursor->at.since : FIRST_TIME;
}

void feed_cursor_end(struct feed_cursor *cursor)
{
    *cursor = (struct feed_cursor){.at.since = cursor->upto > FIRST_TIME ? cursor->upto : 0};
}
