/*
 * mail_code.h - the codes that stand in mails, by which whoever reads them confirms an address or
 * ends what is sent there. Pure.
 *
 * A code says about whose address it is, about which, and until when it is good, and has a hash of
 * that and of what it is good for, keyed by the secret of the receiver that is this address. So
 * nothing is stored for it, and it fits no more when the player has another address. That one which
 * ends mails does something even then: whoever has asked for them may do so again
 * (endpoints/people/mail_asks.h).
 */
#ifndef PLYD_API_HOOKS_MAIL_CODE_H
#define PLYD_API_HOOKS_MAIL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"
#include "db/hooks.h"

enum { MAIL_CODE_BYTES = 16, MAIL_CODE_TEXT = 91 }; /* of the hash; of the text, with the NUL */
enum mail_purpose { MAIL_CONFIRMS = 1, MAIL_ENDS };

struct mail_code {
    db_id player, address; /* mail_address_id() */
    int64_t until;         /* microseconds of 1970; DB_NEVER: it is good for ever */
    uint8_t hash[MAIL_CODE_BYTES];
};

struct mail_code mail_code_make(db_id player, db_id address, const uint8_t secret[DB_SECRET_BYTES],
                                enum mail_purpose purpose, int64_t until);

void mail_code_text(const struct mail_code *code, char text[MAIL_CODE_TEXT]);

/* False: no code has this text. */
bool mail_code_read(const char *text, struct mail_code *code);

/* Whether it is one of the address with this secret, and good for that now. */
bool mail_code_fits(const struct mail_code *code, const uint8_t secret[DB_SECRET_BYTES],
                    enum mail_purpose purpose, int64_t now);

#endif
