#include "api/http/origin.h"

#include <string.h>
#include <strings.h>

#include "api/http/request.h"

static bool is_write(const struct request *request)
{
    return (request->method & (METHOD_GET | METHOD_HEAD | METHOD_OPTIONS)) == 0;
}

static bool is_basic(const struct request *request)
{
    const char *header = request_header(request, "Authorization");

    return header != NULL && strncasecmp(header, "Basic", 5) == 0;
}

static bool is_listed(const char *origin, const char *list)
{
    size_t len = strlen(origin);

    while (list != NULL && *(list += strspn(list, ", ")) != '\0') {
        size_t listed = strcspn(list, ", ");

        if (listed == len && strncasecmp(list, origin, len) == 0)
            return true;
        list += listed;
    }
    return false;
}

/* The scheme is not compared: a proxy that speaks TLS asks the daemon without. A page that has
 * another scheme than the daemon is told apart by Sec-Fetch-Site. */
static bool is_own(const struct request *request, const char *origin)
{
    const char *host = request_header(request, "Host"), *name = strstr(origin, "://");

    return host != NULL && name != NULL && strcasecmp(name + 3, host) == 0;
}

/* A browser says so itself. Older ones do not. */
static bool is_from_elsewhere(const struct request *request)
{
    const char *site = request_header(request, "Sec-Fetch-Site");

    return site != NULL && strcasecmp(site, "same-origin") != 0 && strcasecmp(site, "none") != 0;
}

bool origin_may_write(struct request *request, const char *allowed)
{
    const char *origin;

    if (!is_write(request) || !is_basic(request))
        return true;
    origin = request_header(request, "Origin");
    if (origin != NULL && is_listed(origin, allowed))
        return true;
    return !is_from_elsewhere(request) && (origin == NULL || is_own(request, origin));
}
