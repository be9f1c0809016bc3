#include "api/endpoints/people/wanted_events.h"

#include "api/game/words.h"

_Static_assert((int)EVENT_KINDS <= 63, "every kind of event has its bit");

bool wanted_events_take(struct json_fields *fields, int64_t *events)
{
    const struct json_value *list;
    const char *word;
    size_t count;
    int wanted;

    if (!json_take_array(fields, "events", EVENT_KINDS, &list, &count))
        return false;
    *events = 0;
    for (size_t i = 0; i < count; i++) {
        if (!json_element_string(fields, list, "events", i, 32, &word))
            return false;
        wanted = words_hook_wish(word);
        if (wanted < 0) {
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "events",
                        arena_format(fields->arena, "No type of event has that name.%s",
                                     words_nearest_wish(fields->arena, word)));
            return false;
        }
        *events |= INT64_C(1) << wanted;
    }
    return true;
}
