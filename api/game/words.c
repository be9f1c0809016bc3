#include "api/game/words.h"

#include <string.h>

#include "api/text/suggest.h"

/* The lists follow the numbers of words.h; 0 has no word, but for what a webhook may want. */

static const char *const events[] = {
    [HOOK_WANTS_ENDS] = "ended",
#define EVENT(number, kind, word, seat, form) [number] = word,
#include "api/record/events.def"
#undef EVENT
};

enum { EVENTS = sizeof(events) / sizeof(events[0]) };

_Static_assert((int)EVENTS == (int)EVENT_KINDS, "every kind of event has its word");

/* A number that has no word may be one of a newer program. */
static const char *word_of(const char *const *words, size_t count, int number)
{
    return number >= 0 && (size_t)number < count ? words[number] : "unknown";
}

#define WORD_OF(words, number) word_of(words, sizeof(words) / sizeof((words)[0]), number)

const char *words_status(int status)
{
    static const char *const words[] = {"", "open", "active", "finished", "aborted"};

    return WORD_OF(words, status);
}

const char *words_seat(int state)
{
    static const char *const words[] = {"", "open", "taken", "engine", "challenged"};

    return WORD_OF(words, state);
}

const char *words_undo(int undo)
{
    static const char *const words[] = {"", "free", "consent", "never"};

    return WORD_OF(words, undo);
}

const char *words_visibility(int visibility)
{
    static const char *const words[] = {"", "public", "unlisted", "private"};

    return WORD_OF(words, visibility);
}

const char *words_event(int kind)
{
    return WORD_OF(events, kind);
}

const char *words_hook(int disabled)
{
    static const char *const words[] = {"", "stopped", "gone", "failing"};

    return WORD_OF(words, disabled);
}

const char *words_due(int kind)
{
    static const char *const words[] = {
#define DUE(number, kind, word, keep, takes_long) [number] = word,
#include "api/game/dues.def"
#undef DUE
    };

    return kind == 0 ? "unknown" : WORD_OF(words, kind);
}

const char *words_hook_failure(int failure)
{
    static const char *const words[] = {
        [HOOK_DELIVERED] = "",      [HOOK_STATUS] = "status",         [HOOK_NAME] = "name",
        [HOOK_ADDRESS] = "address", [HOOK_CONNECTION] = "connection", [HOOK_TLS] = "tls",
        [HOOK_TIMEOUT] = "timeout", [HOOK_ANSWER] = "answer",
    };

    return WORD_OF(words, failure);
}

const char *words_task_kind(int kind)
{
    static const char *const words[] = {"", "import", "analysis"};

    return WORD_OF(words, kind);
}

const char *words_task_state(int state)
{
    static const char *const words[] = {"",     "incoming", "waiting",  "running",
                                        "done", "failed",   "cancelled"};

    return WORD_OF(words, state);
}

const char *words_nearest_event(struct arena *arena, const char *word)
{
    return suggest_text(arena, word, events + 1, EVENTS - 1);
}

const char *words_nearest_wish(struct arena *arena, const char *word)
{
    return suggest_text(arena, word, events, EVENTS);
}

int words_hook_wish(const char *word)
{
    for (int wish = 0; wish < EVENTS; wish++)
        if (strcmp(events[wish], word) == 0)
            return wish;
    return -1;
}

int words_event_kind(const char *word)
{
    int wish = words_hook_wish(word);

    return wish < 0 ? 0 : wish;
}
