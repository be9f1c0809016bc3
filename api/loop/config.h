/*
 * config.h - every setting of the daemon.
 *
 * A flag beats its environment variable, and that beats the default. config.c has one table of all
 * settings, from which --help is printed; the list in docs/settings.md is tested against it. The
 * settings are read once, before there are threads, and do not change afterwards, so every thread
 * may read them. Their texts belong to argv or to the environment.
 */
#ifndef PLYD_API_LOOP_CONFIG_H
#define PLYD_API_LOOP_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

struct config {
    const char *listen;         /* HOST:PORT */
    const char *metrics_listen; /* HOST:PORT for /metrics; NULL: it is where the API is */
    const char *database;       /* libpq connection string; NULL: none was given */
    const char *log_level;      /* debug, info, warn, error */
    long loops;                 /* event loops; 0: half as many as there are cores */
    long db_connections;        /* to PostgreSQL, of one loop */
    long db_deadline_ms;        /* of each database call */
    long db_wait_s;             /* for a database that is not up yet when the program starts */
    long db_queue;              /* database calls of a loop that may wait */
    long db_batch;              /* database calls that may share one statement */
    long connections;           /* of clients, of one loop */
    long connections_address;   /* of one address, of those; 0: a quarter */
    long request_memory;        /* MiB that large requests of a loop may hold */
    long import_mib;            /* MiB of a file of many games */
    long idle_s;                /* until a silent connection is closed or a slow request is cut */
    long cached_games;          /* games that a loop keeps in memory */
    long workers;               /* threads of a loop for long work; 0: its share of the cores */
    long thinkers;              /* threads of a loop for the engine; 0: there is no engine */
    long waits;                 /* requests of a loop that may wait for news */
    long streams;               /* of a loop, that may be open */
    long quota_token;           /* requests of a token in a window; 0: any number */
    long quota_address;         /* requests of an address in a window; 0: any number */
    long quota_window_s;
    long quota_token_games;    /* games that a token makes in an hour; 0: any number */
    long quota_address_games;  /* games that an address makes in an hour; 0: any number */
    long anonymous_plies;      /* that a game may begin with if no player makes it; 0: any number */
    const char *write_origins; /* whose pages may write with Basic (routes.c); NULL: none */
    long trusted_proxies;      /* in front of the daemon; each adds to X-Forwarded-For */
    const char *jwt_issuer,
        *jwt_audience;     /* of tokens of an identity provider; NULL: there is none */
    const char *jwks;      /* URL or file of its keys; NULL: there is none */
    long jwt_age_s;        /* that these tokens may have; 0: any */
    long webhooks_private; /* 1: they may be sent to private addresses, too */
    const char *push_contact;
    const char *smtp; /* URL of the server for mails; NULL: none are sent */
    const char *smtp_user, *smtp_password_file;
    long smtp_plain; /* 1: that server may be one without TLS */
    const char *mail_from, *public_url;
    const char *links; /* a pattern (game_link.h); NULL: they lead to our own pages */
    long answers_days; /* for which answers that show a token are stored */
    long leave_s;      /* for which it still serves when it is told to stop */
    long drain_s;      /* for requests under way when the daemon is told to stop */
};

/* Fills *config from the defaults, the environment and argv (from argv[1] on). Each mistake is told
 * on standard error; false if there was one. *help and *check say whether --help or --check were
 * among the flags. */
bool config_read(struct config *config, int argc, char **argv, bool *help, bool *check);

/* How many loops there are, and how many workers each has: what the settings say, or what suits the
 * machine. */
size_t config_loops(const struct config *config);
size_t config_workers(const struct config *config);

/* Prints every setting with its flag, variable, default, range and meaning. */
void config_print_help(FILE *out);

/* Splits HOST:PORT, [IPV6]:PORT or PORT. A port alone is one of 127.0.0.1. False if the text is
 * none of these. */
bool config_split_listen(const char *listen, char host[64], char port[8]);

#endif
