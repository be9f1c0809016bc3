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
