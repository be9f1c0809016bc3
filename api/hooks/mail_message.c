#include "api/hooks/mail_message.h"

#include <string.h>

#include "api/game/game_link.h"
#include "api/hooks/mail.h"
#include "api/hooks/mail_code.h"
#include "api/text/lang.h"

/* The page where a code is used (endpoints/site/play_pages.c). What stands behind a # no browser
 * sends, and a program that opens every link of a mail uses no code. */
static const char *page_of_code(struct arena *arena, const struct mail_server *server,
                                const char *what, const char *code)
{
    return arena_format(arena, "%s/mail#%s=%s", server->public_url, what, code);
}

static const char *code_of(struct arena *arena, const struct mail_recipient *to,
                           enum mail_purpose purpose, int64_t until)
{
    struct mail_code code =
        mail_code_make(to->player, mail_address_id(arena, to->url + strlen(MAIL_SCHEME)),
                       to->hook->secret, purpose, until);
    char *text = arena_alloc(arena, MAIL_CODE_TEXT);

    mail_code_text(&code, text);
    return text;
}

static const char *end_page(struct arena *arena, const struct mail_server *server,
                            const struct mail_recipient *to)
{
    return page_of_code(arena, server, "end", code_of(arena, to, MAIL_ENDS, DB_NEVER));
}

/* Where a mail program sends its POST (RFC 8058). */
static const char *end_url(struct arena *arena, const struct mail_server *server,
                           const struct mail_recipient *to)
{
    return arena_format(arena, "%s/v1/mail/end?code=%s", server->public_url,
                        code_of(arena, to, MAIL_ENDS, DB_NEVER));
}

static void fill_mail_transfer(struct arena *arena, const struct mail_server *server,
                               const struct mail_recipient *to, const char *subject,
                               const char *text, int64_t now, struct transfer *transfer)
{
    const char *address = to->url + strlen(MAIL_SCHEME);
    struct transfer_mail *mail = arena_alloc(arena, sizeof(*mail));
    const struct mail written = {.from = server->from,
                                 .to = address,
                                 .id = arena_format(arena, "%s@%s", to->message_id, server->domain),
                                 .subject = subject,
                                 .text = text,
                                 .end_url = end_url(arena, server, to),
                                 .at = now};

    *mail = (struct transfer_mail){.from = server->from,
                                   .to = address,
                                   .user = server->user,
                                   .password = server->password,
                                   .needs_tls = server->needs_tls};
    transfer->url = server->url;
    transfer->mail = mail;
    transfer->body = mail_bytes(arena, &written);
    transfer->body_len = strlen(transfer->body);
}

/* The address that a notice leads to. */
static const char *mail_link(struct arena *arena, const struct mail_server *server,
                             const struct notice *notice)
{
    if (server->links != NULL && notice->game != NULL)
        return game_link(arena, server->links, *notice->game);
    return arena_format(arena, "%s%s", server->public_url, notice->path);
}

void mail_message_notice(struct arena *arena, const struct mail_server *server,
                         const struct mail_recipient *to, const struct notice *notice, int64_t now,
                         struct transfer *transfer)
{
    const struct lang *lang = lang_find(to->hook->lang);
    const char *end = lang_fill(arena, lang, "mail-end", "place", server->public_url, "address",
                                end_page(arena, server, to), NULL);

    fill_mail_transfer(arena, server, to, notice->title,
                       arena_format(arena, "%s\n\n%s\n\n-- \n%s\n", notice->words,
                                    mail_link(arena, server, notice), end),
                       now, transfer);
}

void mail_message_confirmation(struct arena *arena, const struct mail_server *server,
                               const struct mail_recipient *to, int64_t now,
                               struct transfer *transfer)
{
    const struct lang *lang = lang_find(to->hook->lang);
    const char *code = code_of(arena, to, MAIL_CONFIRMS, to->hook->created_at + MAIL_CONFIRM_US),
               *text;

    text = lang_fill(arena, lang, "mail-confirm", "place", server->public_url, "address",
                     page_of_code(arena, server, "confirm", code), "end",
                     end_page(arena, server, to), NULL);
    fill_mail_transfer(arena, server, to, lang_word(lang, "mail-confirm-subject"),
                       arena_format(arena, "%s\n", text), now, transfer);
}
