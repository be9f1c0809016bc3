/*
 * mail_pause.h - when no mail is sent, since the operator's server does not work. Pure.
 *
 * A server that is down would be tried by each mail that is due. So once it has failed, all mails
 * wait. After the pause one is sent, and the others wait for what becomes of it: if it fails, too,
 * the next pause is twice as long, up to MAIL_PAUSE_MAX_US; if the server answers, all go.
 *
 * It belongs to one process. Times are on loop->now. All zeros: the server works.
 */
#ifndef PLYD_API_HOOKS_MAIL_PAUSE_H
#define PLYD_API_HOOKS_MAIL_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#define MAIL_PAUSE_MIN_US (INT64_C(5) * 1000 * 1000)
#define MAIL_PAUSE_MAX_US (INT64_C(300) * 1000 * 1000)

/* So long the others wait for one that is sent after a pause, if it does not end before: longer
 * than a transfer takes. */
#define MAIL_PAUSE_TRY_US (INT64_C(11) * 1000 * 1000)

struct mail_pause {
    int64_t us; /* of the pause; 0: the server works */
    int64_t until;
    unsigned turn; /* how often it has failed, or worked again */
};

/* How long mails still wait; 0: one may be sent. */
int64_t mail_pause_left(const struct mail_pause *pause, int64_t now);

/* One is sent. What it returns is for mail_pause_failed(). */
unsigned mail_pause_try(struct mail_pause *pause, int64_t now);

/* The server has failed one. False: one that was sent beside it has told so before. */
bool mail_pause_failed(struct mail_pause *pause, unsigned turn, int64_t now);

/* The server works. False: it did before. */
bool mail_pause_end(struct mail_pause *pause);

#endif
