#include "api/http/admission.h"

#include <string.h>

#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/quota.h"
#include "api/text/json.h"

/* Rounded up, so that the share of a small quota does not become 0, which means no quota at all. */
static uint32_t share(long allowed, size_t loops)
{
    return (uint32_t)(((size_t)allowed + loops - 1) / loops);
}

struct quota *admission_open(const struct config *config, size_t loops)
{
    const uint32_t allowed[QUOTA_KINDS] = {[QUOTA_ADDRESS] = share(config->quota_address, loops),
                                           [QUOTA_TOKEN] = share(config->quota_token, loops)};

    return quota_open(allowed, (uint32_t)config->quota_window_s);
}

/* What monitoring asks has to be answered at any time, above all when there is too much to do. */
static bool is_watched(const char *path)
{
    static const char *const paths[] = {"/healthz", "/readyz", "/metrics"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        if (strcmp(path, paths[i]) == 0)
            return true;
    return false;
}

/* The client's address, by the word of the proxies that are trusted, else by the connection. False:
 * the request comes from the machine itself, from its operator or from a proxy that nobody
 * declared. The two cannot be told apart, and to count all clients of such a proxy as one would be
 * worse than not to count them. */
static bool find_client(struct request *request, struct quota_address *address)
{
    unsigned proxies = (unsigned)request->loop->config->trusted_proxies;
    const char *forwarded = proxies == 0 ? NULL : request_header_list(request, "X-Forwarded-For");

    if (forwarded != NULL && quota_address_forwarded(forwarded, proxies, address))
        return true;
    return request_peer(request, address) && (forwarded != NULL || !address->loopback);
}

/* Sets RateLimit-Policy and RateLimit, as draft-ietf-httpapi-ratelimit-headers-11 defines them. */
static void tell(struct request *request, const struct quota *quota,
                 const struct quota_state states[QUOTA_KINDS])
{
    const char *policy = "", *left = "";

    for (int i = 0; i < QUOTA_KINDS; i++) {
        enum quota_kind kind = (enum quota_kind)i;
        const char *comma = *left == '\0' ? "" : ", ";

        if (!states[i].counted)
            continue;
        policy = arena_format(&request->arena, "%s%s\"%s\";q=%u;w=%u", policy, comma,
                              quota_name(kind), quota_allowed(quota, kind), quota_window_s(quota));
        left = arena_format(&request->arena, "%s%s\"%s\";r=%u;t=%u", left, comma, quota_name(kind),
                            states[i].left, states[i].wait_s);
    }
    if (*left == '\0')
        return;
    reply_header(request, "RateLimit-Policy", policy);
    reply_header(request, "RateLimit", left);
}

static void refuse(struct request *request, const struct quota_state states[QUOTA_KINDS])
{
    struct metrics *metrics = &request->loop->metrics;
    uint32_t wait_s = 0;
    struct json json;

    reply_problem_open(request, &json, PROBLEM_QUOTA_EXCEEDED, NULL);
    json_key(&json, "violated-policies");
    json_open(&json, '[');
    for (int i = 0; i < QUOTA_KINDS; i++)
        if (states[i].exceeded) {
            json_string(&json, quota_name((enum quota_kind)i));
            metrics_add(&metrics->quota_exceeded[i], 1);
            if (states[i].wait_s > wait_s)
                wait_s = states[i].wait_s;
        }
    json_close(&json, ']');
    reply_header(request, "Retry-After", arena_format(&request->arena, "%u", wait_s));
    reply_problem_send(request, &json, PROBLEM_QUOTA_EXCEEDED);
}

bool admission_ok(struct request *request)
{
    struct quota *quota = request->loop->quota;
    struct quota_state states[QUOTA_KINDS];
    struct quota_subject subject = {.bytes = {NULL}};
    struct quota_address address;
    const char *token;
    bool ok;

    if (!find_client(request, &address) || is_watched(request->path))
        return true;
    subject.bytes[QUOTA_ADDRESS] = address.bytes;
    subject.len[QUOTA_ADDRESS] = address.len;
    token = request_token(request);
    if (token != NULL) {
        subject.bytes[QUOTA_TOKEN] = token;
        subject.len[QUOTA_TOKEN] = strlen(token);
    }
    request->client = quota_client(quota, &subject);
    ok = quota_take(quota, &subject, request->loop->now, states);
    tell(request, quota, states);
    if (!ok)
        refuse(request, states);
    return ok;
}
