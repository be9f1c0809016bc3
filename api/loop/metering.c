#include "api/loop/metering.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/http/request.h"
#include "api/http/route.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"

/* ---- W3C Trace Context, for the logs ---- */

/* Whether a field is `len` lower-case hexadecimal digits that are not all the digit `never`. The
 * standard forbids version ff and ids of zeros alone. */
static bool is_field(const char *text, size_t len, char never)
{
    static const char digits[] = "0123456789abcdef";
    char all[] = {never, '\0'};

    return strspn(text, digits) >= len && strspn(text, all) < len;
}

/* A header is VERSION-TRACE_ID-PARENT_ID-FLAGS. Versions after 00 may add further fields. */
bool metering_trace_id(const char *traceparent, char id[METERING_TRACE_TEXT])
{
    enum { TRACE = 3, PARENT = 36, FLAGS = 53, END = 55 };
    size_t len = traceparent == NULL ? 0 : strlen(traceparent);

    if (len < END || traceparent[TRACE - 1] != '-' || traceparent[PARENT - 1] != '-' ||
        traceparent[FLAGS - 1] != '-')
        return false;
    if (!is_field(traceparent, 2, 'f') || !is_field(traceparent + TRACE, 32, '0') ||
        !is_field(traceparent + PARENT, 16, '0') || !is_field(traceparent + FLAGS, 2, 'x'))
        return false;
    if (len > END && (strncmp(traceparent, "00", 2) == 0 || traceparent[END] != '-'))
        return false;
    memcpy(id, traceparent + TRACE, METERING_TRACE_TEXT - 1);
    id[METERING_TRACE_TEXT - 1] = '\0';
    return true;
}

/* The route's pattern is logged and not the address: an address may hold what is nobody's business,
 * and patterns can be counted. The trace stands last: a field without a value ends the list. */
static void log_request(const struct request *request, uint64_t us)
{
    enum log_level level = request->reply.status >= 500 ? LOG_WARN : LOG_DEBUG;
    char status[16], took[24], trace[METERING_TRACE_TEXT];

    if (!log_enabled(level))
        return;
    snprintf(status, sizeof(status), "%u", request->reply.status);
    snprintf(took, sizeof(took), "%llu", (unsigned long long)us);
    log_event(
        level, "request", "request_id", request->id, "method", request_method_name(request->method),
        "route", request->route == NULL ? "none" : request->route->pattern, "status", status, "us",
        took, metering_trace_id(request_header(request, "traceparent"), trace) ? "trace_id" : NULL,
        trace, NULL);
}

void metering_request(const struct request *request)
{
    uint64_t us = (uint64_t)(loop_clock_us() - request->arrived);

    metrics_request(&request->loop->metrics, request->route_number, request->reply.status, us);
    log_request(request, us);
}

/* ---- what a request costs ---- */

enum { SHORT_US = 200, LOOK_US = 5000 };

/* To look at the processor's time costs a system call, so this is done after what took long, and
 * before a pass if those since the last look have taken LOOK_US. */
static int64_t cpu_us(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * INT64_C(1000000) + used.tv_nsec / 1000;
}

static void look_at_processor_time(struct loop *loop)
{
    loop->cpu_us = cpu_us();
    loop->worked = 0;
}

void metering_pass(struct loop *loop)
{
    loop->pass = loop->now;
    if (loop->worked >= LOOK_US || loop->cpu_us == 0)
        look_at_processor_time(loop);
}

void metering_rest(struct loop *loop)
{
    loop->worked += loop_clock_us() - loop->pass;
}

/* On a busy machine another thread may have run meanwhile, for longer than most requests take. So a
 * long time counts only as far as the thread has been at work since it last looked, which is at
 * most LOOK_US of other work. */
static int64_t worked_us(struct loop *loop, int64_t us)
{
    int64_t before = loop->cpu_us;

    if (us < SHORT_US)
        return us;
    look_at_processor_time(loop);
    return loop->cpu_us - before < us ? loop->cpu_us - before : us;
}

void metering_begin(struct loop *loop)
{
    if (loop->depth++ == 0)
        loop->began = loop_clock_us();
}

/* A request may be at a worker by now, which touches neither its route nor its cost. */
void metering_end(struct loop *loop, struct request *request)
{
    int64_t us;

    if (--loop->depth > 0)
        return;
    us = loop_clock_us() - loop->began;
    metrics_time(loop->metrics.held[request->route_number], (uint64_t)us);
    request->cost_us += worked_us(loop, us);
}

/* The parts beyond the first one. */
static int64_t beyond(int64_t taken, int64_t part)
{
    return taken <= part ? 0 : (taken - 1) / part;
}

int64_t metering_cost(const struct request *request)
{
    size_t out = request->method == METHOD_HEAD ? 0 : request->reply.len;

    return 1 + beyond(request->cost_us, METERING_WORK_US) +
           beyond(request->caused_us, METERING_THOUGHT_US) +
           beyond((int64_t)request->body_len, METERING_IN_BYTES) +
           beyond((int64_t)out, METERING_OUT_BYTES) +
           beyond((int64_t)request->stored, METERING_STORED_BYTES) +
           beyond((int64_t)request->kept, METERING_KEPT_BYTES);
}
