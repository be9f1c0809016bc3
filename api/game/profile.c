#include "api/game/profile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/game/name.h"
#include "api/text/chars.h"

/* ---- the line, and the picture ---- */

const char *profile_about_fault(struct arena *arena, const char *text)
{
    uint32_t unfit = name_unfit(text);

    if (chars_count(text) > PROFILE_ABOUT_MAX)
        return "At most 160 characters are expected.";
    if (unfit != 0)
        return arena_format(arena,
                            "The character U+%04X may not stand there: it cannot be seen, or it "
                            "disturbs the text around it.",
                            unfit);
    return NULL;
}

#define DIGITS "0123456789"

/* How many letters of ASCII, digits and these signs a text begins with. */
static size_t plain_span(const char *text, const char *signs)
{
    size_t n = 0;

    while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z') ||
           (text[n] != '\0' && (strchr(DIGITS, text[n]) != NULL || strchr(signs, text[n]) != NULL)))
        n++;
    return n;
}

/* Whether an address has nothing but what stands in one as it is. */
static bool is_address(const char *url)
{
    return url[plain_span(url, "-._~:/?#@!$&*+,;=%")] == '\0';
}

/* Whether this is the name of a host, with or without a port. */
static bool is_host(const char *text, size_t length)
{
    size_t name = plain_span(text, "-."), digits;
    const char *port = text + name + 1;

    if (name == 0 || name == length)
        return name == length && name > 0;
    digits = strspn(port, DIGITS);
    return text[name] == ':' && digits > 0 && digits <= 5 && name + 1 + digits == length &&
           atoi(port) <= UINT16_MAX;
}

const char *profile_picture_fault(const char *url)
{
    static const char scheme[] = "https://";

    if (*url == '\0')
        return NULL;
    if (strlen(url) > PROFILE_PICTURE_MAX)
        return "At most 500 bytes are expected.";
    if (strncasecmp(url, scheme, strlen(scheme)) != 0 || !is_address(url))
        return "An address is expected that begins with https:// and has no blanks, quotes, "
               "brackets or letters beyond ASCII.";
    url += strlen(scheme);
    if (!is_host(url, strcspn(url, "/?#")))
        return "The name of a host is expected behind https://, perhaps with a port, without a "
               "user or a "
               "password.";
    return NULL;
}

/* ---- colours ---- */

enum { HUES = 360 };

/* Ids made in the same moment begin alike, so all bytes count (FNV-1a). */
static unsigned hue_of(db_id player)
{
    uint32_t hash = 2166136261U;

    for (size_t i = 0; i < sizeof(player.byte); i++)
        hash = (hash ^ player.byte[i]) * 16777619U;
    return hash % HUES;
}

/* How much of red, green or blue (that begins at hue `from`) a pure hue has, in thousandths. */
static int part(unsigned hue, unsigned from)
{
    int away = (int)((hue + HUES - from) % HUES);

    if (away > HUES / 2)
        away = HUES - away;
    if (away <= 60)
        return 1000;
    return away >= 120 ? 0 : (120 - away) * 1000 / 60;
}

/* Of this hue and lightness, both in thousandths; the saturation is 55 %. */
static void put_colour(unsigned hue, int lightness, char text[PROFILE_COLOUR_TEXT])
{
    int reach = 55 * (lightness < 500 ? lightness : 1000 - lightness) / 100;
    int rgb[3];

    for (unsigned i = 0; i < 3; i++)
        rgb[i] = (lightness - reach + 2 * reach * part(hue, 120 * i) / 1000) * 255 / 1000;
    snprintf(text, PROFILE_COLOUR_TEXT, "#%02x%02x%02x", (unsigned)rgb[0] & 255,
             (unsigned)rgb[1] & 255, (unsigned)rgb[2] & 255);
}

void profile_colours(db_id player, char dark[PROFILE_COLOUR_TEXT], char light[PROFILE_COLOUR_TEXT])
{
    unsigned hue = hue_of(player);

    put_colour(hue, 250, dark);
    put_colour(hue, 920, light);
}
