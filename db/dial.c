/*
 * dial.c - beginning to connect.
 *
 * One thing in libpq can block here: it resolves names with getaddrinfo(). Where the resolver may
 * be slow, give addresses (hostaddr).
 */
#include "dial.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE_US = 2000 * 1000, /* unless the connection string has a connect_timeout */
    OPTIONS_MAX = 64,
    LIST_MAX = 1024
};

struct arguments {
    const char *keys[OPTIONS_MAX], *values[OPTIONS_MAX];
    size_t count;
    char hosts[LIST_MAX], addresses[LIST_MAX], ports[LIST_MAX];
};

static unsigned parts_of(const char *list)
{
    unsigned parts = 1;

    for (; *list != '\0'; list++)
        parts += *list == ',';
    return parts;
}

/* The list, separated by commas, with its part number `by` in front, counted round and round. */
static const char *rotated(const char *list, unsigned by, char *out, size_t size)
{
    const char *from = list;

    for (by %= parts_of(list); by > 0; by--)
        from = strchr(from, ',') + 1;
    if (from == list)
        return list;
    int length = snprintf(out, size, "%s,%.*s", from, (int)(from - list - 1), list);
    return length > 0 && (size_t)length < size ? out : list;
}

/* Whether part number `n` of the list is this text. A list of one part stands for all. */
static bool has_part(const char *list, unsigned n, const char *text)
{
    for (n = parts_of(list) == 1 ? 0 : n; n > 0; n--)
        list = strchr(list, ',') + 1;
    return strlen(text) == strcspn(list, ",") && strncmp(list, text, strlen(text)) == 0;
}

static void argue(struct arguments *arguments, const char *key, const char *value)
{
    if (arguments->count + 1 < OPTIONS_MAX) {
        arguments->keys[arguments->count] = key;
        arguments->values[arguments->count++] = value;
    }
}

/* What the connection string leaves open. It comes first, so the string has the last word. A
 * network that swallows packets is noticed by the kernel within some ten seconds, not hours. */
static void argue_defaults(struct arguments *arguments)
{
    argue(arguments, "target_session_attrs", "read-write");
    argue(arguments, "tcp_user_timeout", "5000");
    argue(arguments, "keepalives_idle", "5");
    argue(arguments, "keepalives_interval", "2");
    argue(arguments, "keepalives_count", "3");
    argue(arguments, "application_name", "plyd");
    argue(arguments, "client_encoding", "UTF8");
}

/* Hosts, addresses and ports are three lists in step, so all three are rotated. */
static void argue_option(struct arguments *arguments, const PQconninfoOption *option,
                         unsigned rotation)
{
    const char *value = option->val;

    if (strcmp(option->keyword, "host") == 0)
        value = rotated(value, rotation, arguments->hosts, LIST_MAX);
    else if (strcmp(option->keyword, "hostaddr") == 0)
        value = rotated(value, rotation, arguments->addresses, LIST_MAX);
    else if (strcmp(option->keyword, "port") == 0)
        value = rotated(value, rotation, arguments->ports, LIST_MAX);
    argue(arguments, option->keyword, value);
}

/* libpq's own connect_timeout does not hold where the caller polls, so the caller keeps it. */
static int64_t patience_of(const PQconninfoOption *options)
{
    for (; options->keyword != NULL; options++)
        if (strcmp(options->keyword, "connect_timeout") == 0 && options->val != NULL &&
            atoi(options->val) > 0)
            return (int64_t)atoi(options->val) * 1000000;
    return PATIENCE_US;
}

struct pg_conn *dial_start(const char *url, unsigned rotation, int64_t *patience, const char **why)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    struct arguments arguments = {.count = 0};

    if (options == NULL) {
        *why = "the connection string cannot be read";
        return NULL;
    }
    argue_defaults(&arguments);
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++)
        if (option->val != NULL)
            argue_option(&arguments, option, rotation);
    struct pg_conn *pg = PQconnectStartParams(arguments.keys, arguments.values, 0);
    *patience = patience_of(options);
    *why = "no memory";
    PQconninfoFree(options);
    return pg;
}

static const char *value_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword != NULL; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val;
    return NULL;
}

/* libpq tells the name if there is one, and else the address. */
unsigned dial_behind(const char *url, const struct pg_conn *pg)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    const char *hosts = NULL, *ports = NULL, *host = PQhost(pg), *port = PQport(pg);
    unsigned n = 0, count = 0;

    if (options != NULL) {
        hosts = value_of(options, "host");
        ports = value_of(options, "port");
        if (hosts == NULL)
            hosts = value_of(options, "hostaddr");
    }
    if (hosts != NULL && host != NULL && port != NULL)
        count = parts_of(hosts);
    while (n < count && !(has_part(hosts, n, host) && (ports == NULL || has_part(ports, n, port))))
        n++;
    PQconninfoFree(options);
    return n < count ? n + 1 : 0;
}
