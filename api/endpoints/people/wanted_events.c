#include "api/endpoints/people/wanted_events.h"

#include "api/game/words.h"

_Static_assert((int)EVENT_KINDS <= 63, "every kind of event has its bit");

bool wanted_events_take(struct json_fields *fields, int64_t *events)
{
    const char *const *words;
    size_t count;
    int wanted;

    if (!json_take_words(fields, "events", EVENT_KINDS, &words, &count))
        return false;
    *events = 0;
    for (size_t i = 0; i < count; i++) {
        wanted = words_hook_wish(words[i]);
        if (wanted < 0) {
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "events",
                        arena_format(fields->arena, "No type of event has that name.%s",
                                     words_nearest_wish(fields->arena, words[i])));
            return false;
        }
        *events |= INT64_C(1) << wanted;
    }
    return true;
}
