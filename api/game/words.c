#include "api/game/words.h"

#include <string.h>

/* The lists follow the numbers of words.h; 0 has no word. */

static const char *const events[] = {"",         "move",    "created",  "joined",   "undo", "redo",
                                     "resigned", "aborted", "declared", "recorded", NULL};

const char *words_status(int status)
{
    static const char *const words[] = {"", "open", "active", "finished", "aborted"};

    return words[status];
}

const char *words_seat(int state)
{
    static const char *const words[] = {"", "open", "taken", "engine"};

    return words[state];
}

const char *words_undo(int undo)
{
    static const char *const words[] = {"", "free", "consent", "never"};

    return words[undo];
}

const char *words_visibility(int visibility)
{
    static const char *const words[] = {"", "public", "unlisted", "private"};

    return words[visibility];
}

const char *words_event(int kind)
{
    return events[kind];
}

int words_event_kind(const char *word)
{
    for (int kind = 1; events[kind] != NULL; kind++)
        if (strcmp(events[kind], word) == 0)
            return kind;
    return 0;
}
