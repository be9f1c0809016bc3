#include "api/loop/part.h"

#include "api/loop/loop.h"

/* Whether a loop has its i-th part. */
static bool has_part(const struct loop *loop, int i)
{
    return !loop->parts[i]->first || loop->is_first;
}

/* For each part that a loop has, and that has this function. */
#define EACH_PART(loop, part, function)                                           \
    for (int i = 0; i < PARTS; i++)                                               \
        for (const struct part *part = loop->parts[i]; part != NULL; part = NULL) \
            if (has_part(loop, i) && part->function != NULL)

bool parts_open(struct loop *loop)
{
    EACH_PART (loop, part, open) {
        part->open(loop);
        if (loop->own[i] == NULL)
            return false;
    }
    return true;
}

size_t parts_fds(const struct loop *loop, int *fds)
{
    size_t n = 0;

    EACH_PART (loop, part, fd)
        fds[n++] = part->fd(loop);
    return n;
}

void parts_wake(struct loop *loop, uint32_t readable)
{
    EACH_PART (loop, part, fd) {
        if ((readable & 1) != 0 && part->wake != NULL)
            part->wake(loop);
        readable >>= 1;
    }
}

void parts_run(struct loop *loop)
{
    EACH_PART (loop, part, run)
        part->run(loop);
}

int parts_sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

int parts_timeout_ms(const struct loop *loop)
{
    int ms = -1;

    EACH_PART (loop, part, timeout_ms)
        ms = parts_sooner(ms, part->timeout_ms(loop));
    return ms;
}

void parts_finish(struct loop *loop)
{
    EACH_PART (loop, part, finish)
        part->finish(loop);
}

void parts_drain(struct loop *loop)
{
    EACH_PART (loop, part, drain)
        part->drain(loop);
}

bool parts_are_idle(const struct loop *loop)
{
    EACH_PART (loop, part, is_idle)
        if (!part->is_idle(loop))
            return false;
    return true;
}

void parts_stop(struct loop *loop)
{
    EACH_PART (loop, part, stop)
        part->stop(loop);
}

void parts_close(struct loop *loop)
{
    EACH_PART (loop, part, close)
        part->close(loop);
}
