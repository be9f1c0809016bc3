/*
 * dial.c - beginning to connect.
 *
 * One thing in libpq can block here: it resolves names with getaddrinfo(). Where the resolver may
 * be slow, give addresses (hostaddr).
 */
#include "dial.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_US = 2000 * 1000 }; /* unless the connection string has a connect_timeout */

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
static bool has_dial_part(const char *list, unsigned n, const char *text)
{
    for (n = parts_of(list) == 1 ? 0 : n; n > 0; n--)
        list = strchr(list, ',') + 1;
    return strlen(text) == strcspn(list, ",") && strncmp(list, text, strlen(text)) == 0;
}

/* Part number `n` alone. */
static const char *part_of(const char *list, unsigned n, char *out, size_t size)
{
    for (n = parts_of(list) == 1 ? 0 : n; n > 0 && strchr(list, ',') != NULL; n--)
        list = strchr(list, ',') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(list, ","), list);
    return out;
}

/* ---- what libpq is asked for ---- */

static void put_dialed(struct dial *dial, const char *key, const char *value)
{
    if (dial->count + 1 < DIAL_OPTIONS_MAX) {
        dial->keys[dial->count] = key;
        dial->values[dial->count++] = value;
    }
}

/* Hosts, addresses and ports are three lists in step, so `choose` is asked for each of them. */
static void put_option(struct dial *dial, const PQconninfoOption *option,
                       const char *(*choose)(const char *list, unsigned n, char *out, size_t size),
                       unsigned n)
{
    static const char *const lists[] = {"host", "hostaddr", "port"};
    const char *value = option->val;

    for (int i = 0; i < 3; i++)
        if (strcmp(option->keyword, lists[i]) == 0)
            value = choose(value, n, dial->list[i], sizeof(dial->list[i]));
    put_dialed(dial, option->keyword, value);
}

/* What the connection string leaves open comes first, so the string has the last word. */
static bool fill(struct dial *dial, const char *url, const char *const defaults[][2],
                 const char *(*choose)(const char *list, unsigned n, char *out, size_t size),
                 unsigned n)
{
    dial->count = 0;
    dial->why = NULL;
    dial->options = PQconninfoParse(url, &dial->why);
    if (dial->options == NULL)
        return false;
    for (; (*defaults)[0] != NULL; defaults++)
        put_dialed(dial, (*defaults)[0], (*defaults)[1]);
    for (const PQconninfoOption *option = dial->options; option->keyword != NULL; option++)
        if (option->val != NULL)
            put_option(dial, option, choose, n);
    dial->keys[dial->count] = dial->values[dial->count] = NULL;
    return true;
}

bool dial_begin(struct dial *dial, const char *url, const char *const defaults[][2], unsigned n)
{
    return fill(dial, url, defaults, part_of, n);
}

void dial_end(struct dial *dial)
{
    PQconninfoFree(dial->options);
    PQfreemem(dial->why);
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

/* A network that swallows packets is noticed by the kernel within some ten seconds, not hours. */
static const char *const defaults[][2] = {{"target_session_attrs", "read-write"},
                                          {"tcp_user_timeout", "5000"},
                                          {"keepalives_idle", "5"},
                                          {"keepalives_interval", "2"},
                                          {"keepalives_count", "3"},
                                          {"application_name", "plyd"},
                                          {"client_encoding", "UTF8"},
                                          {NULL, NULL}};

struct pg_conn *dial_start(const char *url, unsigned rotation, int64_t *patience, const char **why)
{
    struct pg_conn *pg = NULL;
    struct dial dial;

    *why = "the connection string cannot be read";
    if (fill(&dial, url, defaults, rotated, rotation)) {
        pg = PQconnectStartParams(dial.keys, dial.values, 0);
        *patience = patience_of(dial.options);
        *why = "no memory";
    }
    dial_end(&dial);
    return pg;
}

/* ---- hosts ---- */

static const char *value_of_option(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword != NULL; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val;
    return NULL;
}

/* The list of the hosts; NULL: there is none. */
static const char *hosts_of(const PQconninfoOption *options)
{
    const char *hosts = value_of_option(options, "host");

    return hosts != NULL ? hosts : value_of_option(options, "hostaddr");
}

unsigned dial_hosts(const char *url)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    const char *hosts = options == NULL ? NULL : hosts_of(options);
    unsigned count = hosts == NULL ? 1 : parts_of(hosts);

    PQconninfoFree(options);
    return count;
}

/* libpq tells the name if there is one, and else the address. */
unsigned dial_behind(const char *url, const struct pg_conn *pg)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    const char *hosts = NULL, *ports = NULL, *host = PQhost(pg), *port = PQport(pg);
    unsigned n = 0, count = 0;

    if (options != NULL) {
        hosts = hosts_of(options);
        ports = value_of_option(options, "port");
    }
    if (hosts != NULL && host != NULL && port != NULL)
        count = parts_of(hosts);
    while (n < count &&
           !(has_dial_part(hosts, n, host) && (ports == NULL || has_dial_part(ports, n, port))))
        n++;
    PQconninfoFree(options);
    return n < count ? n + 1 : 0;
}
