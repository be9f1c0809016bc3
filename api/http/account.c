#include "api/http/account.h"

#include <stdio.h>

#include "api/http/request.h"
#include "api/http/route.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/trace.h"

/* The route's pattern is logged and not the address: an address may hold what is nobody's business,
 * and patterns can be counted. The trace stands last: a field without a value ends the list. */
static void log_request(const struct request *request, uint64_t us)
{
    enum log_level level = request->reply.status >= 500 ? LOG_WARN : LOG_DEBUG;
    char status[16], took[24], trace[TRACE_ID_TEXT];

    if (!log_enabled(level))
        return;
    snprintf(status, sizeof(status), "%u", request->reply.status);
    snprintf(took, sizeof(took), "%llu", (unsigned long long)us);
    log_event(level, "request", "request_id", request->id, "method",
              request_method_name(request->method), "route",
              request->route == NULL ? "none" : request->route->pattern, "status", status, "us",
              took, trace_id_of(request_header(request, "traceparent"), trace) ? "trace_id" : NULL,
              trace, NULL);
}

void account_request(const struct request *request)
{
    uint64_t us = (uint64_t)(loop_clock_us() - request->arrived);

    metrics_request(&request->loop->metrics, request->route_number, request->reply.status, us);
    log_request(request, us);
}

void account_begin(struct loop *loop)
{
    if (loop->depth++ == 0)
        loop->began = loop_clock_us();
}

/* A request may be at a worker by now, which touches neither its route nor its cost. */
void account_end(struct loop *loop, struct request *request)
{
    int64_t us;

    if (--loop->depth > 0)
        return;
    us = loop_clock_us() - loop->began;
    metrics_held(&loop->metrics, request->route_number, (uint64_t)us);
    request->cost_us += us;
}
