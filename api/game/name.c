#include "api/game/name.h"

/* Control characters, the ends of lines and paragraphs, and what turns the direction of writing. */
static bool is_disturbing(const unsigned char *at)
{
    return at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0) ||
           (at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) ||
           (at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

bool name_is_fine(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (is_disturbing((const unsigned char *)text + i))
            return false;
    return true;
}
