#include "api/http/prefer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The value of a preference, which may stand among others, parted by commas or semicolons. NULL: it
 * is not there. */
static const char *preference(const char *header, const char *name)
{
    size_t len = strlen(name);

    while (header != NULL && *header != '\0') {
        header += strspn(header, " \t,;");
        if (strncasecmp(header, name, len) == 0 && header[len] == '=')
            return header + len + 1;
        header += strcspn(header, ",;");
    }
    return NULL;
}

bool prefer_async(const char *header)
{
    static const char name[] = "respond-async";

    while (header != NULL && *header != '\0') {
        size_t len;

        header += strspn(header, " \t,;");
        len = strcspn(header, " \t,;");
        if (len == strlen(name) && strncasecmp(header, name, len) == 0)
            return true;
        header += len;
    }
    return false;
}

int prefer_wait_s(const char *header)
{
    const char *value = preference(header, "wait");
    size_t digits;

    if (value == NULL)
        return 0;
    value += *value == '"'; /* wait="25" is the same */
    digits = strspn(value, "0123456789");
    if (digits == 0 || strchr("\", \t;", value[digits]) == NULL)
        return 0;
    return digits > 3 || atoi(value) > PREFER_WAIT_MAX_S ? PREFER_WAIT_MAX_S : atoi(value);
}
