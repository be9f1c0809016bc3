#include "api/tool/mismatch.h"

#include <stdio.h>
#include <string.h>

bool mismatch_say(struct mismatch *mismatch, const struct db_event *event, const char *subject,
                  const char *stored, const char *found)
{
    snprintf(mismatch->what, mismatch->size,
             "event %d, line %d, ply %d: the %s is stored as %s and replays as %s",
             event == NULL ? mismatch->version : event->version,
             event == NULL ? mismatch->line : event->line,
             event == NULL ? mismatch->ply : event->ply, subject,
             stored == NULL ? "nothing" : stored, found == NULL ? "nothing" : found);
    return false;
}

bool mismatch_text(struct mismatch *mismatch, const struct db_event *event, const char *subject,
                   const char *stored, const char *found)
{
    if (stored == found || (stored != NULL && found != NULL && strcmp(stored, found) == 0))
        return true;
    return mismatch_say(mismatch, event, subject, stored, found);
}

bool mismatch_number(struct mismatch *mismatch, const struct db_event *event, const char *subject,
                     int64_t stored, int64_t found)
{
    char a[24], b[24];

    if (stored == found)
        return true;
    snprintf(a, sizeof(a), "%lld", (long long)stored);
    snprintf(b, sizeof(b), "%lld", (long long)found);
    return mismatch_say(mismatch, event, subject, a, b);
}
