#include "api/hooks/backoff.h"

int64_t backoff_us(int failures, uint32_t chance)
{
    static const int64_t seconds[BACKOFF_FAILURES - 1] = {
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600};
    int64_t tenth;

    if (failures >= BACKOFF_FAILURES)
        return -1;
    tenth = seconds[failures - 1] * 100000;
    return 10 * tenth + (int64_t)(chance % 1024) * tenth / 1024;
}
