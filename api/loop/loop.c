#include "api/loop/loop.h"

#include <time.h>

/* Without a lock: they change only while no loop runs. */
static struct loop *loops[LOOP_MAX];
static size_t nloops;
static int64_t began;

void loop_register(struct loop *loop)
{
    if (nloops == 0)
        began = loop_clock_us();
    loops[nloops++] = loop;
}

void loop_forget_all(void)
{
    nloops = 0;
}

struct loop *loop_at(size_t i)
{
    return i < nloops ? loops[i] : NULL;
}

int64_t loop_clock_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int loop_ms_until(const struct loop *loop, int64_t when)
{
    if (when == INT64_MAX)
        return -1;
    return when <= loop->now ? 0 : (int)((when - loop->now + 999) / 1000);
}

uint64_t loop_uptime_s(void)
{
    return (uint64_t)(loop_clock_us() - began) / 1000000;
}
