/*
 * mail_code.h - the codes that stand in mails, by which whoever reads them confirms an address or
 * ends what is sent there. Pure.
 *
 * A code says whose address it is about and until when it is good, and has a keyed hash of that, of
 * what it is good for and of the address's secret. So nothing is stored for it, and it is over when
 * the player has another address.
 */
#ifndef PLYD_API_HOOKS_MAIL_CODE_H
#define PLYD_API_HOOKS_MAIL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"
#include "db/hooks.h"

enum { MAIL_CODE_BYTES = 16, MAIL_CODE_TEXT = 65 }; /* of the hash; of the text, with the NUL */
enum mail_purpose { MAIL_CONFIRMS = 1, MAIL_ENDS };

struct mail_code {
    db_id player;
    int64_t until; /* microseconds of 1970; DB_NEVER: it is good for ever */
    uint8_t hash[MAIL_CODE_BYTES];
};

/* The code of a player's address with this secret. */
void mail_code_make(db_id player, const uint8_t secret[DB_SECRET_BYTES], enum mail_purpose purpose,
                    int64_t until, char text[MAIL_CODE_TEXT]);

/* False: no code has this text. */
bool mail_code_read(const char *text, struct mail_code *code);

/* Whether it is one of the address with this secret, and good for that now. */
bool mail_code_fits(const struct mail_code *code, const uint8_t secret[DB_SECRET_BYTES],
                    enum mail_purpose purpose, int64_t now);

#endif
