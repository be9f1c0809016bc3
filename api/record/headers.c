#include "api/record/headers.h"

#include <string.h>

static const struct {
    const char *key, *names[3];
} headers[] = {
    {"event", {"棋戦", "EVENT", "Event"}},
    {"site", {"場所", "SITE", "Site"}},
    {"round", {"回戦", "ROUND", "Round"}},
    {"time_limit", {"持ち時間", "TIME_LIMIT", "TimeControl"}},
    {"opening", {"戦型", "OPENING", "Opening"}},
};

const char *record_header_name(enum record_column column, const char *key)
{
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        if (strcmp(headers[i].key, key) == 0)
            return headers[i].names[column];
    return key;
}

const char *record_header_key(enum record_column column, const char *name)
{
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        if (strcmp(headers[i].names[column], name) == 0)
            return headers[i].key;
    return name;
}

static const char *const slots[RECORD_SLOTS] = {
    [RECORD_SLOT_FIRST] = "first",     [RECORD_SLOT_SECOND] = "second",
    [RECORD_SLOT_STARTED] = "started", [RECORD_SLOT_ENDED] = "ended",
    [RECORD_SLOT_START] = "start",     [RECORD_SLOT_BOARD] = "board",
    [RECORD_SLOT_RESULT] = "result",   [RECORD_SLOT_TERMINATION] = "termination",
    [RECORD_SLOT_GAME] = "game",
};

/* The word for a slot in our JSON. */
static const char *record_slot_word(enum record_slot slot)
{
    return slots[slot];
}

enum record_slot record_slot_of(const char *word)
{
    enum record_slot slot = 0;

    while (slot < RECORD_SLOTS && strcmp(slots[slot], word) != 0)
        slot++;
    return slot;
}

/* The number of a slot's spot; nspots: it has none. */
static size_t find_spot(const struct record *record, enum record_slot slot)
{
    size_t i = 0;

    while (i < record->nspots && record->spots[i].slot != slot)
        i++;
    return i;
}

void record_spot_at(struct record *record, enum record_slot slot, size_t before, const char *text)
{
    size_t i = find_spot(record, slot);

    if (i == record->nspots)
        record->spots[record->nspots++] = (struct record_spot){.slot = slot, .before = before};
    if (text != NULL)
        record->spots[i].text = text;
}

const char *record_spot_text(const struct record *record, enum record_slot slot)
{
    size_t i = find_spot(record, slot);

    return i == record->nspots ? NULL : record->spots[i].text;
}

void record_write_header_list(struct json *json, const struct record *record)
{
    if (record->nheaders == 0)
        return;
    json_key(json, "headers");
    json_open(json, '[');
    for (size_t i = 0; i < record->nheaders; i++) {
        json_open(json, '{');
        json_member(json, "key", record->headers[i].key);
        json_member(json, "value", record->headers[i].value);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void record_write_spots(struct json *json, const struct record *record)
{
    if (record->nspots == 0)
        return;
    json_key(json, "spots");
    json_open(json, '[');
    for (size_t i = 0; i < record->nspots; i++) {
        json_open(json, '{');
        json_member(json, "of", record_slot_word(record->spots[i].slot));
        json_member_int(json, "before", (int64_t)record->spots[i].before);
        if (record->spots[i].text != NULL)
            json_member(json, "text", record->spots[i].text);
        json_close(json, '}');
    }
    json_close(json, ']');
}
