#include "api/hooks/mail_pause.h"

int64_t mail_pause_left(const struct mail_pause *pause, int64_t now)
{
    return pause->us > 0 && pause->until > now ? pause->until - now : 0;
}

unsigned mail_pause_try(struct mail_pause *pause, int64_t now)
{
    if (pause->us > 0)
        pause->until = now + MAIL_PAUSE_TRY_US;
    return pause->turn;
}

bool mail_pause_failed(struct mail_pause *pause, unsigned turn, int64_t now)
{
    if (turn != pause->turn)
        return false;
    pause->turn++;
    pause->us = pause->us == 0 ? MAIL_PAUSE_MIN_US : 2 * pause->us;
    if (pause->us > MAIL_PAUSE_MAX_US)
        pause->us = MAIL_PAUSE_MAX_US;
    pause->until = now + pause->us;
    return true;
}

bool mail_pause_end(struct mail_pause *pause)
{
    if (pause->us == 0)
        return false;
    *pause = (struct mail_pause){.turn = pause->turn + 1};
    return true;
}
