/*
 * mail_server.h - the operator's mail server, by which players are told of their games (--smtp).
 *
 * It is the same for the whole process, and does not change.
 */
#ifndef PLYD_API_HOOKS_MAIL_SERVER_H
#define PLYD_API_HOOKS_MAIL_SERVER_H

#include <stdbool.h>

#include "api/hooks/http_client.h"

struct config;

struct mail_server {
    const char *url, *host; /* of a transfer, and of its parcel */
    const char *from, *domain;
    const char *links;      /* where an application shows games (game_link.h); NULL: there */
    const char *public_url; /* where people reach plyd: "https://play.example" */
    const char *user, *password;
    bool needs_tls;
};

/* Reads the settings. The main thread calls it before there are others. False: *why says what is
 * wrong with them, as a sentence. */
bool mail_server_start(const struct config *config, const char **why);

/* NULL: no mails are sent. */
const struct mail_server *mail_server(void);

#endif
