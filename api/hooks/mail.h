/*
 * mail.h - a mail as the bytes that are sent (RFC 5322), and addresses. Pure.
 *
 * The text is UTF-8 in lines that end with '\n'. Each mail says that a program wrote it, so that no
 * other program answers, and how to end all of them: by a link, and by the button that mail
 * programs make of the headers (RFC 8058).
 */
#ifndef PLYD_API_HOOKS_MAIL_H
#define PLYD_API_HOOKS_MAIL_H

#include <stdint.h>

#include "api/text/arena.h"
#include "db/db.h"

enum { MAIL_ADDRESS_MAX = 254 };

struct mail {
    const char *from, *to; /* addresses */
    const char *id;        /* without its brackets; the same for the same mail */
    const char *subject, *text;
    const char *end_url; /* who sends a POST there gets no more of them */
    int64_t at;          /* microseconds of 1970 */
};

const char *mail_bytes(struct arena *arena, const struct mail *mail);

/* By what mails to an address are counted: the same for all that are one mailbox as a rule. Capital
 * letters make no other one; and dots before the '@', and what follows a '+' there, most often
 * none.
 */
db_id mail_address_id(struct arena *arena, const char *address);

/* What is wrong with an address, as a sentence; NULL: nothing is. */
const char *mail_address_fault(const char *address);

#endif
