/*
 * postbox.h - a mail server for tests, which answers as badly as a test wants.
 *
 * It runs in threads of the calling process, on a free port of 127.0.0.1, speaks SMTP without TLS,
 * and keeps every mail that came as a whole, whatever it says to it.
 */
#ifndef PLYD_TESTS_SUPPORT_POSTBOX_H
#define PLYD_TESTS_SUPPORT_POSTBOX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct postbox_mail {
    char greeting[300], login[300], from[300], to[300]; /* the lines of the commands; "": none */
    char *bytes;                                        /* as they came, without the dots of SMTP */
    char *text;                                         /* its text, decoded */
    char subject[400];                                  /* decoded */
};

struct postbox {
    int port;

    /* Private to postbox.c. */
    int listener;
    pthread_t thread;
    pthread_mutex_t lock;
    char command[64], reply[128];
    bool ending;
    size_t connections, sessions, silent;
    struct postbox_mail **mail;
    size_t count, room;
};

void postbox_start(struct postbox *postbox);
void postbox_stop(struct postbox *postbox);

#define POSTBOX_HANGS_UP "hangs up" /* a reply */

/* From now on it answers a command that begins so: "RCPT", "550 5.1.1 nobody"; "" as the command is
 * the greeting, and "." the end of a mail. An empty reply: it is silent for as long as that is so.
 * NULL: it is good again; POSTBOX_HANGS_UP: it ends the connection. */
void postbox_says(struct postbox *postbox, const char *command, const char *reply);

/* Waits until so many mails have come in all, and returns the last of these. */
const struct postbox_mail *postbox_await(struct postbox *postbox, size_t count);

/* Waits until it keeps somebody waiting for an answer. */
void postbox_await_silence(struct postbox *postbox);

size_t postbox_count(struct postbox *postbox);

/* How many connections there were ever. */
size_t postbox_sessions(struct postbox *postbox);

/* Whether a mail has a header line that is exactly so: "To: <ada@example.org>". */
bool postbox_has_header(const struct postbox_mail *mail, const char *line);

#endif
