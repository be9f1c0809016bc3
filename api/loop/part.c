#include "api/loop/part.h"

#include "api/loop/loop.h"

/* The parts that a loop has, one after the other; NULL past the last. */
static const struct part *next(const struct loop *loop, const struct part *part)
{
    const struct part *end = loop->parts + PARTS;

    part = part == NULL ? loop->parts : part + 1;
    while (part < end && part->first && !loop->is_first)
        part++;
    return part == end ? NULL : part;
}

#define EACH_PART(loop, part) \
    for (const struct part *part = NULL; (part = next(loop, part)) != NULL;)

bool parts_open(struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->open != NULL && !part->open(loop))
            return false;
    }
    return true;
}

size_t parts_fds(const struct loop *loop, int *fds)
{
    size_t n = 0;

    EACH_PART(loop, part)
    {
        if (part->fd != NULL)
            fds[n++] = part->fd(loop);
    }
    return n;
}

void parts_wake(struct loop *loop, uint32_t readable)
{
    EACH_PART(loop, part)
    {
        if (part->fd == NULL)
            continue;
        if ((readable & 1) != 0 && part->wake != NULL)
            part->wake(loop);
        readable >>= 1;
    }
}

void parts_run(struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->run != NULL)
            part->run(loop);
    }
}

int parts_sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

int parts_timeout_ms(const struct loop *loop)
{
    int ms = -1;

    EACH_PART(loop, part)
    {
        if (part->timeout_ms != NULL)
            ms = parts_sooner(ms, part->timeout_ms(loop));
    }
    return ms;
}

void parts_finish(struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->finish != NULL)
            part->finish(loop);
    }
}

void parts_drain(struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->drain != NULL)
            part->drain(loop);
    }
}

bool parts_are_idle(const struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->is_idle != NULL && !part->is_idle(loop))
            return false;
    }
    return true;
}

void parts_stop(struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->stop != NULL)
            part->stop(loop);
    }
}

void parts_close(struct loop *loop)
{
    EACH_PART(loop, part)
    {
        if (part->close != NULL)
            part->close(loop);
    }
}
