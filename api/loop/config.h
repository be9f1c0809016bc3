/*
 * config.h - every setting of the daemon, in one table.
 *
 * A flag beats the environment, the environment beats the default. --help, --check and the list in
 * the README are made from the same table.
 */
#ifndef PLYD_API_LOOP_CONFIG_H
#define PLYD_API_LOOP_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

struct config {
    const char *listen;    /* HOST:PORT */
    const char *database;  /* libpq connection string */
    const char *log_level; /* debug, info, warn, error */
    long loops;            /* event loops; 0: half as many as there are cores */
    long db_connections;   /* per loop */
    long db_deadline_ms;
    long db_queue;
    long db_batch;
    long connections; /* HTTP connections per loop */
    long idle_s;      /* before an idle connection is closed */
    long cached_games;
    long waits;
    long quota_token;   /* requests per window; 0: any number */
    long quota_address; /* the same */
    long quota_window_s;
    long trusted_proxies; /* that add to X-Forwarded-For */
    long drain_s;
};

/* Fills *config from defaults, the environment and argv (from argv[1] on). Every mistake is told on
 * standard error. Returns false if there was one; *help and *check say whether --help or --check
 * were among the flags. */
bool config_read(struct config *config, int argc, char **argv, bool *help, bool *check);

/* One setting a line: flag, environment variable, default, meaning. */
void config_print_help(FILE *out);

/* HOST:PORT, [IPV6]:PORT or PORT into its parts. Returns false if it is none of these. */
bool config_split_listen(const char *listen, char host[64], char port[8]);

#endif
