#include "api/game/name.h"

/* Bytes of UTF-8: the controls of ASCII, U+0080 to U+009F, the separators of lines and paragraphs
 * with the embeddings and overrides of direction (U+2028 to U+202E), the isolates (U+2066 to
 * U+2069). The text ends with a NUL, so looking two bytes ahead is safe. */
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
