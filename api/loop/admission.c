#include "api/loop/admission.h"

#include <string.h>

#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/metrics.h"
#include "api/loop/quota.h"
#include "api/text/json.h"
#include "api/text/out.h"

/* Rounded up, so that the share of a small quota does not become 0, which means no quota at all. */
static uint32_t share(long allowed, size_t loops)
{
    return (uint32_t)(((size_t)allowed + loops - 1) / loops);
}

struct quota *admission_open(const struct config *config, size_t loops)
{
    uint32_t window_s = (uint32_t)config->quota_window_s;
    const struct quota_limit limits[QUOTA_THINGS][QUOTA_OWNERS] = {
        [QUOTA_REQUESTS] = {[QUOTA_OF_ADDRESS] = {share(config->quota_address, loops), window_s},
                            [QUOTA_OF_TOKEN] = {share(config->quota_token, loops), window_s}},
        [QUOTA_GAMES] = {[QUOTA_OF_ADDRESS] = {share(config->quota_address_games, loops),
                                               ADMISSION_GAMES_WINDOW_S},
                         [QUOTA_OF_TOKEN] = {share(config->quota_token_games, loops),
                                             ADMISSION_GAMES_WINDOW_S}}};

    return quota_open(limits);
}

/* Who asks, and what was taken for the request. It lies in the request's arena. */
struct admission {
    struct quota_account account;
    bool refused;          /* there was no request left for it: nothing is charged */
    bool making, may_make; /* it asked to make a game, and took one */
    int64_t worth;         /* games that it counts as, if it is made */
};

/* What monitoring asks has to be answered at any time, above all when there is too much to do. */
static bool is_watched(const char *path)
{
    static const char *const paths[] = {"/healthz", "/readyz", "/metrics"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        if (strcmp(path, paths[i]) == 0)
            return true;
    return false;
}

bool admission_client(struct request *request, struct quota_address *address)
{
    unsigned proxies = (unsigned)request->loop->config->trusted_proxies;
    const char *forwarded = proxies == 0 ? NULL : request_header_list(request, "X-Forwarded-For");

    if (forwarded != NULL && quota_address_forwarded(forwarded, proxies, address))
        return true;
    return request_peer(request, address) && (forwarded != NULL || !address->loopback);
}

/* ---- counting ---- */

static void refuse_admission(struct request *request, enum quota_thing thing,
                             const struct quota_state states[QUOTA_OWNERS])
{
    struct metrics *metrics = &request->loop->metrics;
    uint32_t wait_s = 0;
    struct json json;

    reply_problem_open(request, &json, PROBLEM_QUOTA_EXCEEDED, NULL);
    json_key(&json, "violated-policies");
    json_open(&json, '[');
    for (int owner = 0; owner < QUOTA_OWNERS; owner++)
        if (states[owner].exceeded) {
            json_string(&json, quota_name(thing, (enum quota_owner)owner));
            metrics_add(&metrics->quota_exceeded[thing][owner], 1);
            if (states[owner].wait_s > wait_s)
                wait_s = states[owner].wait_s;
        }
    json_close(&json, ']');
    reply_header(request, "Retry-After", arena_format(&request->arena, "%u", wait_s));
    reply_problem_send(request, &json, PROBLEM_QUOTA_EXCEEDED);
}

static bool take_quota(struct request *request, enum quota_thing thing)
{
    struct quota_state states[QUOTA_OWNERS];

    if (quota_take(request->loop->quota, &request->admission->account, thing, request->loop->now,
                   states))
        return true;
    refuse_admission(request, thing, states);
    return false;
}

/* `address` NULL: it is not counted. */
static struct quota_account account_of(struct request *request, const struct quota_address *address)
{
    struct quota_subject subject = {.bytes = {NULL}};
    const char *token = request_token(request);

    if (address != NULL) {
        subject.bytes[QUOTA_OF_ADDRESS] = address->bytes;
        subject.len[QUOTA_OF_ADDRESS] = address->len;
    }
    if (token != NULL) {
        subject.bytes[QUOTA_OF_TOKEN] = token;
        subject.len[QUOTA_OF_TOKEN] = strlen(token);
    }
    return quota_account(request->loop->quota, &subject);
}

bool admission_ok(struct request *request)
{
    struct quota_address address;
    bool is_counted = admission_client(request, &address);
    struct quota_account account = account_of(request, is_counted ? &address : NULL);
    struct admission *admission;

    request->client = account.hash[QUOTA_OF_ADDRESS];
    request->bearer = account.hash[QUOTA_OF_TOKEN];
    if (!is_counted || is_watched(request->path))
        return true;
    admission = arena_zero(&request->arena, sizeof(*admission));
    admission->account = account;
    request->admission = admission;
    admission->refused = !take_quota(request, QUOTA_REQUESTS);
    return !admission->refused;
}

bool admission_may_make(struct request *request)
{
    struct admission *admission = request->admission;

    if (admission == NULL)
        return true;
    admission->making = true;
    admission->worth = 1;
    admission->may_make = take_quota(request, QUOTA_GAMES);
    return admission->may_make;
}

void admission_worth(struct request *request, int64_t games)
{
    if (request->admission != NULL)
        request->admission->worth = games;
}

/* What is to be charged beside the one that was taken. */
static int64_t further_games(const struct request *request)
{
    const struct admission *admission = request->admission;

    if (!admission->may_make)
        return 0;
    return request->made ? admission->worth - 1 : -1;
}

void admission_toll(const struct request *request, struct admission_toll *toll)
{
    const struct admission *admission = request->admission;

    *toll = (struct admission_toll){.is_counted = admission != NULL};
    if (admission != NULL)
        toll->account = admission->account;
}

void admission_toll_of_owner(const struct loop *loop, db_id owner, struct admission_toll *toll)
{
    const struct quota_subject subject = {.bytes = {[QUOTA_OF_ADDRESS] = owner.byte},
                                          .len = {[QUOTA_OF_ADDRESS] = sizeof(owner.byte)}};

    *toll = (struct admission_toll){.is_counted = true,
                                    .account = quota_account(loop->quota, &subject)};
}

bool admission_pay(struct loop *loop, struct admission_toll *toll, size_t bytes)
{
    struct quota_state states[QUOTA_OWNERS];
    bool can = true;

    toll->unpaid += toll->is_counted ? bytes : 0;
    if (toll->unpaid < METERING_OUT_BYTES)
        return true;
    quota_charge(loop->quota, &toll->account, QUOTA_REQUESTS,
                 (int64_t)(toll->unpaid / METERING_OUT_BYTES), loop->now, states);
    toll->unpaid %= METERING_OUT_BYTES;
    for (int i = 0; i < QUOTA_OWNERS; i++) {
        if (!states[i].counted || states[i].left > 0)
            continue;
        can = false;
        if (states[i].wait_s > toll->wait_s)
            toll->wait_s = states[i].wait_s;
    }
    return can;
}

/* ---- charging ---- */

/* The values of RateLimit-Policy and RateLimit, as draft-ietf-httpapi-ratelimit-headers-11 defines
 * them. */
struct sent_events {
    struct out policy, left;
};

/* Adds an item with two parameters. Every answer has some, and printf() would take longer than all
 * of the counting. */
static void tell_quota(struct out *out, const char *name, const char *first, uint32_t one,
                       const char *second, uint32_t other)
{
    out_add(out, out->len == 0 ? "\"" : ", \"");
    out_add(out, name);
    out_add(out, first);
    out_number(out, one);
    out_add(out, second);
    out_number(out, other);
}

/* Charges units of a thing, and adds how the client stands then. */
static void charge_admission(struct request *request, enum quota_thing thing, int64_t units,
                             struct sent_events *told)
{
    struct quota *quota = request->loop->quota;
    struct quota_state states[QUOTA_OWNERS];

    quota_charge(quota, &request->admission->account, thing, units, request->loop->now, states);
    for (int i = 0; i < QUOTA_OWNERS; i++) {
        enum quota_owner owner = (enum quota_owner)i;
        struct quota_limit limit = quota_limit(quota, thing, owner);
        const char *name = quota_name(thing, owner);

        if (!states[i].counted)
            continue;
        tell_quota(&told->policy, name, "\";q=", limit.allowed, ";w=", limit.window_s);
        tell_quota(&told->left, name, "\";r=", states[i].left, ";t=", states[i].wait_s);
    }
}

void admission_settle(struct request *request)
{
    const struct admission *admission = request->admission;
    struct sent_events told;
    int64_t cost;

    if (admission == NULL)
        return;
    out_init(&told.policy, &request->arena);
    out_init(&told.left, &request->arena);
    cost = admission->refused ? 1 : metering_cost(request);
    charge_admission(request, QUOTA_REQUESTS, cost - 1, &told);
    if (admission->making)
        charge_admission(request, QUOTA_GAMES, further_games(request), &told);
    request->admission = NULL;
    if (told.left.len == 0)
        return;
    reply_header(request, "RateLimit-Policy", told.policy.text);
    reply_header(request, "RateLimit", told.left.text);
    if (cost > 1)
        reply_header(request, "RateLimit-Cost",
                     arena_format(&request->arena, "%lld", (long long)cost));
}
