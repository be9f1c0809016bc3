/*
 * mail_message.h - a notice as a mail, and the mail that asks whether an address is theirs who gave
 * it. Pure.
 *
 * The second one goes to somebody who may not have asked for anything. So nothing stands in it that
 * a player has written, and it tells of nobody.
 */
#ifndef PLYD_API_HOOKS_MAIL_MESSAGE_H
#define PLYD_API_HOOKS_MAIL_MESSAGE_H

#include <stdint.h>

#include "api/hooks/http_client.h"
#include "api/hooks/mail_server.h"
#include "api/hooks/notice.h"
#include "api/text/arena.h"
#include "db/hooks.h"

#define MAIL_SCHEME "mailto:" /* of the URL of a receiver that is an address */

/* An address that is not confirmed is forgotten after this. */
#define MAIL_CONFIRM_US (INT64_C(24) * 3600 * 1000 * 1000)

struct mail_recipient {
    db_id player;
    const struct db_hook *hook;
    const char *url;        /* of it */
    const char *message_id; /* of the mail */
};

/* Each sets the whole of a transfer but for its context. */
void mail_message_notice(struct arena *arena, const struct mail_server *server,
                         const struct mail_recipient *to, const struct notice *notice, int64_t now,
                         struct transfer *transfer);
void mail_message_confirmation(struct arena *arena, const struct mail_server *server,
                               const struct mail_recipient *to, int64_t now,
                               struct transfer *transfer);

#endif
