#include "api/loop/config.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/game/game_link.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"

enum kind { TEXT, NUMBER };

static const struct setting {
    const char *flag, *env, *meta;
    enum kind kind;
    size_t offset;        /* of its field in struct config: a const char * or a long */
    const char *fallback; /* the default, as a text like any other; NULL: none */
    long min, max;        /* of a number */
    const char *doc;
} settings[] = {
    {"--listen", "PLYD_LISTEN", "HOST:PORT", TEXT, offsetof(struct config, listen),
     "127.0.0.1:8080", 0, 0, "address to serve on"},
    {"--metrics-listen", "PLYD_METRICS_LISTEN", "HOST:PORT", TEXT,
     offsetof(struct config, metrics_listen), NULL, 0, 0,
     "address for /metrics alone, which --listen then does not serve"},
    {"--database", "DATABASE_URL", "URL", TEXT, offsetof(struct config, database), NULL, 0, 0,
     "PostgreSQL connection string; it may name several hosts"},
    {"--log-level", "PLYD_LOG_LEVEL", "LEVEL", TEXT, offsetof(struct config, log_level), "info", 0,
     0, "debug, info, warn or error; debug logs every request"},
    {"--loops", "PLYD_LOOPS", "N", NUMBER, offsetof(struct config, loops), "0", 0, 64,
     "event loops, each with its own connections; 0: half the number of cores"},
    {"--db-connections", "PLYD_DB_CONNECTIONS", "N", NUMBER,
     offsetof(struct config, db_connections), "4", 1, 64, "connections to PostgreSQL per loop"},
    {"--db-deadline-ms", "PLYD_DB_DEADLINE_MS", "N", NUMBER,
     offsetof(struct config, db_deadline_ms), "4000", 100, 60000,
     "milliseconds that a request may wait for PostgreSQL before it gets 503"},
    {"--db-wait-s", "PLYD_DB_WAIT_S", "N", NUMBER, offsetof(struct config, db_wait_s), "60", 0,
     3600,
     "seconds that serve and migrate wait for a PostgreSQL that is not up yet; 0: they do not "
     "wait"},
    {"--db-queue", "PLYD_DB_QUEUE", "N", NUMBER, offsetof(struct config, db_queue), "8192", 1,
     1000000, "requests per loop that may wait for PostgreSQL; further ones get 503"},
    {"--db-batch", "PLYD_DB_BATCH", "N", NUMBER, offsetof(struct config, db_batch), "256", 1, 4096,
     "requests that may share one SQL statement"},
    {"--connections", "PLYD_CONNECTIONS", "N", NUMBER, offsetof(struct config, connections),
     "16384", 8, 1000000, "HTTP connections per loop"},
    {"--connections-address", "PLYD_CONNECTIONS_ADDRESS", "N", NUMBER,
     offsetof(struct config, connections_address), "0", 0, 1000000,
     "HTTP connections per loop from one address; 0: a quarter of --connections. The machine "
     "itself "
     "and trusted proxies may have any number"},
    {"--request-memory", "PLYD_REQUEST_MEMORY", "N", NUMBER,
     offsetof(struct config, request_memory), "32", 1, 65536,
     "MiB per loop for large requests; further ones wait, and get 503 after --idle-s"},
    {"--import-mib", "PLYD_IMPORT_MIB", "N", NUMBER, offsetof(struct config, import_mib), "16", 1,
     256, "MiB of a file of many games that a player may import as a job"},
    {"--idle-s", "PLYD_IDLE_S", "N", NUMBER, offsetof(struct config, idle_s), "60", 1, 3600,
     "seconds that a connection may be idle, and that a request may take to arrive"},
    {"--cached-games", "PLYD_CACHED_GAMES", "N", NUMBER, offsetof(struct config, cached_games),
     "20000", 16, 10000000, "games per loop that are kept in memory"},
    {"--workers", "PLYD_WORKERS", "N", NUMBER, offsetof(struct config, workers), "0", 0, 64,
     "threads per loop for work that takes long; 0: as many as there are cores beside the loops, "
     "at least one"},
    {"--thinkers", "PLYD_THINKERS", "N", NUMBER, offsetof(struct config, thinkers), "1", 0, 64,
     "threads per loop for the engine, beside one for short searches, with up to 20 MiB each; 0: "
     "no "
     "engine plays but random, and nothing is analysed"},
    {"--waits", "PLYD_WAITS", "N", NUMBER, offsetof(struct config, waits), "4096", 0, 1000000,
     "requests per loop that may wait for news (Prefer: wait), half of them at one game and a "
     "quarter from one address; beyond that the oldest is answered"},
    {"--streams", "PLYD_STREAMS", "N", NUMBER, offsetof(struct config, streams), "8192", 0, 1000000,
     "streams of events per loop that may be open, half of them of one game and a quarter from one "
     "address; further ones are refused"},
    {"--quota-token", "PLYD_QUOTA_TOKEN", "N", NUMBER, offsetof(struct config, quota_token), "1200",
     0, 1000000000, "requests that one token may make per window; 0: no limit"},
    {"--quota-address", "PLYD_QUOTA_ADDRESS", "N", NUMBER, offsetof(struct config, quota_address),
     "6000", 0, 1000000000, "requests that one address may make per window; 0: no limit"},
    {"--quota-window-s", "PLYD_QUOTA_WINDOW_S", "N", NUMBER,
     offsetof(struct config, quota_window_s), "60", 1, 86400, "length of that window in seconds"},
    {"--quota-token-games", "PLYD_QUOTA_TOKEN_GAMES", "N", NUMBER,
     offsetof(struct config, quota_token_games), "300", 0, 1000000000,
     "games and players that one token may make per hour; 0: no limit"},
    {"--quota-address-games", "PLYD_QUOTA_ADDRESS_GAMES", "N", NUMBER,
     offsetof(struct config, quota_address_games), "600", 0, 1000000000,
     "games and players that one address may make per hour; 0: no limit"},
    {"--anonymous-plies", "PLYD_ANONYMOUS_PLIES", "N", NUMBER,
     offsetof(struct config, anonymous_plies), "1000", 0, 1000000,
     "plies that a game may begin with unless a player makes it; 0: no limit of its own"},
    {"--trusted-proxies", "PLYD_TRUSTED_PROXIES", "N", NUMBER,
     offsetof(struct config, trusted_proxies), "0", 0, 16,
     "number of proxies in front that add to X-Forwarded-For; 0: the header is ignored"},
    {"--write-origins", "PLYD_WRITE_ORIGINS", "ORIGINS", TEXT,
     offsetof(struct config, write_origins), NULL, 0, 0,
     "origins, parted by commas, whose pages may write with a token that browsers add by "
     "themselves (Authorization: Basic), as the daemon's own may"},
    {"--jwt-issuer", "PLYD_JWT_ISSUER", "ISSUER", TEXT, offsetof(struct config, jwt_issuer), NULL,
     0, 0, "identity provider whose JWTs are players, as their claim iss names it"},
    {"--jwt-audience", "PLYD_JWT_AUDIENCE", "AUDIENCE", TEXT, offsetof(struct config, jwt_audience),
     NULL, 0, 0, "what the claim aud of these JWTs must be or have"},
    {"--jwks", "PLYD_JWKS", "URL|FILE", TEXT, offsetof(struct config, jwks), NULL, 0, 0,
     "where the public keys of that provider are, as a JWK Set"},
    {"--jwt-age-s", "PLYD_JWT_AGE_S", "N", NUMBER, offsetof(struct config, jwt_age_s), "86400", 0,
     1000000000,
     "seconds for which a JWT is good at most, whatever its claim exp says; 0: no limit of plyd's"},
    {"--webhooks-private", "PLYD_WEBHOOKS_PRIVATE", "N", NUMBER,
     offsetof(struct config, webhooks_private), "0", 0, 1,
     "1: webhooks may be sent to private addresses, too; else only to the public internet"},
    {"--push-contact", "PLYD_PUSH_CONTACT", "URI", TEXT, offsetof(struct config, push_contact),
     "mailto:plyd@example.org", 0, 0,
     "how push services reach the operator, as mailto: or https:, which they are told with each "
     "notice"},
    {"--smtp", "PLYD_SMTP", "URL", TEXT, offsetof(struct config, smtp), NULL, 0, 0,
     "server that takes mails to players, such as smtp://mail.example.org:587 or "
     "smtps://mail.example.org"},
    {"--smtp-user", "PLYD_SMTP_USER", "NAME", TEXT, offsetof(struct config, smtp_user), NULL, 0, 0,
     "by which plyd logs in there"},
    {"--smtp-password-file", "PLYD_SMTP_PASSWORD_FILE", "FILE", TEXT,
     offsetof(struct config, smtp_password_file), NULL, 0, 0, "file with the password for that"},
    {"--smtp-plain", "PLYD_SMTP_PLAIN", "N", NUMBER, offsetof(struct config, smtp_plain), "0", 0, 1,
     "1: mails go to a server without TLS, too; else only to one on the machine itself"},
    {"--mail-from", "PLYD_MAIL_FROM", "ADDRESS", TEXT, offsetof(struct config, mail_from), NULL, 0,
     0, "address from which mails are sent"},
    {"--public-url", "PLYD_PUBLIC_URL", "URL", TEXT, offsetof(struct config, public_url), NULL, 0,
     0, "where people reach plyd, such as https://play.example.org: mails lead there"},
    {"--links", "PLYD_LINKS", "URL", TEXT, offsetof(struct config, links), NULL, 0, 0,
     "where an application shows games, such as https://app.example.org/g/{game}: invitations, "
     "mails, calendars and feeds lead there; else to plyd's own pages"},
    {"--answers-days", "PLYD_ANSWERS_DAYS", "N", NUMBER, offsetof(struct config, answers_days), "7",
     1, 3650, "days for which answers with a token are kept for their Idempotency-Key"},
    {"--leave-s", "PLYD_LEAVE_S", "N", NUMBER, offsetof(struct config, leave_s), "0", 0, 600,
     "seconds after SIGTERM in which requests are still served, while /readyz sends balancers "
     "away"},
    {"--drain-s", "PLYD_DRAIN_S", "N", NUMBER, offsetof(struct config, drain_s), "10", 0, 600,
     "seconds that requests and answers in flight have to finish after that"},
};

enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

/* Sets a setting from a text; `from` names the flag or variable that it stood in. The field is
 * known by its offset alone, so memcpy() writes it. */
static bool set_setting(struct config *config, const struct setting *setting, const char *from,
                        const char *value)
{
    char *field = (char *)config + setting->offset;
    char *end;
    long number;

    if (setting->kind == TEXT) {
        memcpy(field, &value, sizeof(value));
        return true;
    }
    errno = 0;
    number = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || errno != 0 || number < setting->min ||
        number > setting->max) {
        fprintf(stderr, "plyd: %s: '%s' is not a whole number from %ld to %ld\n", from, value,
                setting->min, setting->max);
        return false;
    }
    memcpy(field, &number, sizeof(number));
    return true;
}

/* An empty variable counts as unset, as service managers and compose files leave them. */
static bool set_defaults(struct config *config)
{
    bool ok = true;

    memset(config, 0, sizeof(*config));
    for (size_t i = 0; i < SETTINGS; i++) {
        const char *value = getenv(settings[i].env);

        if (settings[i].fallback != NULL)
            ok &= set_setting(config, &settings[i], settings[i].flag, settings[i].fallback);
        if (value != NULL && *value != '\0')
            ok &= set_setting(config, &settings[i], settings[i].env, value);
    }
    return ok;
}

/* The setting of `--flag` or `--flag=value`, or NULL. *value is what follows the '=', or NULL. */
static const struct setting *find_flag(const char *arg, const char **value)
{
    size_t len = strcspn(arg, "=");

    *value = arg[len] == '=' ? arg + len + 1 : NULL;
    for (size_t i = 0; i < SETTINGS; i++)
        if (strlen(settings[i].flag) == len && strncmp(settings[i].flag, arg, len) == 0)
            return &settings[i];
    return NULL;
}

/* Reads the flag at argv[*i]; its value may be the next argument, and then *i moves on to that. */
static bool read_flag(struct config *config, char **argv, int *i)
{
    const char *value;
    const struct setting *setting = find_flag(argv[*i], &value);

    if (setting == NULL) {
        fprintf(stderr, "plyd: '%s' is not a setting; --help lists them\n", argv[*i]);
        return false;
    }
    if (value == NULL)
        value = argv[++*i];
    if (value == NULL) {
        fprintf(stderr, "plyd: %s needs a value (%s)\n", setting->flag, setting->meta);
        --*i; /* it was the last argument */
        return false;
    }
    return set_setting(config, setting, setting->flag, value);
}

static bool is_level(const char *level)
{
    return strcmp(level, "debug") == 0 || strcmp(level, "info") == 0 ||
           strcmp(level, "warn") == 0 || strcmp(level, "error") == 0;
}

static bool check_address(const char *flag, const char *address)
{
    char host[64], port[8];

    if (address == NULL || config_split_listen(address, host, port))
        return true;
    fprintf(stderr, "plyd: %s: '%s' is not HOST:PORT\n", flag, address);
    return false;
}

/* A token without an audience could be one that its holder got for another application. */
static bool check_provider(const struct config *config)
{
    int given =
        (config->jwt_issuer != NULL) + (config->jwt_audience != NULL) + (config->jwks != NULL);

    if (given == 0 || given == 3)
        return true;
    fprintf(stderr, "plyd: --jwt-issuer, --jwt-audience and --jwks are given together or not at "
                    "all\n");
    return false;
}

static bool check_links(const char *pattern)
{
    const char *fault = pattern == NULL ? NULL : game_link_fault(pattern);

    if (fault != NULL)
        fprintf(stderr, "plyd: --links: '%s': %s\n", pattern, fault);
    return fault == NULL;
}

static bool check_texts(const struct config *config)
{
    bool ok = check_address("--listen", config->listen);

    ok &= check_address("--metrics-listen", config->metrics_listen);
    ok &= check_provider(config);
    ok &= check_links(config->links);
    if (!is_level(config->log_level)) {
        fprintf(stderr, "plyd: --log-level: '%s' is not debug, info, warn or error\n",
                config->log_level);
        ok = false;
    }
    return ok;
}

bool config_read(struct config *config, int argc, char **argv, bool *help, bool *check)
{
    bool ok = set_defaults(config);

    *help = *check = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            *help = true;
        else if (strcmp(argv[i], "--check") == 0)
            *check = true;
        else
            ok &= read_flag(config, argv, &i);
    }
    return check_texts(config) && ok;
}

void config_print_help(FILE *out)
{
    for (size_t i = 0; i < SETTINGS; i++) {
        const struct setting *s = &settings[i];
        char flag[48];

        snprintf(flag, sizeof(flag), "%s %s", s->flag, s->meta);
        fprintf(out, "  %-26s %s\n", flag, s->doc);
        fprintf(out, "  %-26s [%s", "", s->env);
        if (s->fallback != NULL)
            fprintf(out, ", default %s", s->fallback);
        if (s->kind == NUMBER)
            fprintf(out, ", %ld to %ld", s->min, s->max);
        fprintf(out, "]\n");
    }
}

static bool is_port(const char *port)
{
    char *end;
    long number = strtol(port, &end, 10);

    return *port >= '0' && *port <= '9' && *end == '\0' && number <= 65535 && strlen(port) <= 5;
}

bool config_split_listen(const char *listen, char host[64], char port[8])
{
    const char *colon = strrchr(listen, ':'); /* the last one: IPv6 has others */
    const char *from = listen;
    size_t len;

    if (colon == NULL) {
        if (!is_port(listen))
            return false;
        strcpy(host, "127.0.0.1");
        strcpy(port, listen);
        return true;
    }
    if (!is_port(colon + 1))
        return false;
    len = (size_t)(colon - listen);
    if (len >= 2 && listen[0] == '[' && colon[-1] == ']') {
        from++;
        len -= 2;
    }
    if (len == 0 || len >= 64)
        return false;
    memcpy(host, from, len);
    host[len] = '\0';
    strcpy(port, colon + 1);
    return true;
}

/* Half of the cores, since PostgreSQL wants the others if it runs on the same machine. */
size_t config_loops(const struct config *config)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (config->loops > 0)
        return (size_t)config->loops;
    return cores < 4 ? 1 : cores / 2 > LOOP_MAX ? LOOP_MAX : (size_t)(cores / 2);
}

/* A loop's workers: its share of the cores, less the one that the loop itself has use for. More of
 * them would take the processor from the loops and from PostgreSQL (docs/bench.md has the figures).
 */
size_t config_workers(const struct config *config)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t share = (cores < 1 ? 1 : (size_t)cores) / config_loops(config);

    return config->workers > 0 ? (size_t)config->workers : share < 2 ? 1 : share - 1;
}
