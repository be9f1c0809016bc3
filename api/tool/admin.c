/* admin.c - the subcommand `plyd admin`. */
#include "api/tool/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/name.h"
#include "api/text/json.h"
#include "api/text/json_text.h"
#include "api/tool/health.h"

enum { FAILED = 1, BAD_USAGE = 2, WORDS_MAX = 3 };

static const char usage[] =
    "usage: plyd admin                        the health of the database, with advice\n"
    "       plyd admin token PLAYER           a new token for a player who has lost theirs\n"
    "       plyd admin rename PLAYER [NAME]   another name for a player; without NAME one that\n"
    "                                         says nothing\n"
    "\n"
    "PLAYER is the id of a player. The old token ends within seconds, and the player's games "
    "learn\n"
    "the new name as if the player had chosen it. Of the health, the exit code is 1 if there is a\n"
    "warning.\n"
    "\n"
    "  --database URL  the database [DATABASE_URL]\n"
    "  --json          as JSON\n";

struct order {
    const char *url;
    bool json, help;
    const char *words[WORDS_MAX + 1]; /* what is no flag */
    int count;
};

/* ---- health ---- */

static void print_text(const struct health *health)
{
    for (const struct health_finding *at = health->first; at != NULL; at = at->next) {
        printf("%-8s %-18s %s\n", health_word(at->level), at->about, at->says);
        if (at->advice != NULL)
            printf("%-8s %-18s -> %s\n", "", "", at->advice);
    }
}

static void print_json(const struct health *health)
{
    struct json json;

    json_init(&json, health->arena);
    json_open(&json, '{');
    json_member(&json, "worst", health_word(health->worst));
    json_key(&json, "findings");
    json_open(&json, '[');
    for (const struct health_finding *at = health->first; at != NULL; at = at->next) {
        json_open(&json, '{');
        json_member(&json, "level", health_word(at->level));
        json_member(&json, "about", at->about);
        json_member(&json, "says", at->says);
        if (at->advice != NULL)
            json_member(&json, "advice", at->advice);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_finish(&json);
    fputs(json.out.text, stdout);
}

static int look_at_database(const struct order *order)
{
    struct arena arena = {.chunks = NULL};
    struct db_error error = {"", ""};
    struct health health;
    int code = FAILED;

    if (!health_look(&health, &arena, order->url, &error)) {
        fprintf(stderr, "plyd: cannot reach the database: %s\n", error.text);
    } else {
        if (order->json)
            print_json(&health);
        else
            print_text(&health);
        code = health.worst == HEALTH_WARNING ? FAILED : 0;
    }
    arena_free(&arena);
    return code;
}

/* ---- the command line ---- */

static int refuse_order(const char *what, const char *word)
{
    fprintf(stderr, "plyd: admin: %s '%s'; --help shows the usage\n", what, word);
    return BAD_USAGE;
}

/* Renames a player to the third word, or to a name that is made of the end of the id. */
static int rename_player(const struct order *order, db_id player)
{
    const char *given = order->words[2], *refusal, *name;
    struct arena arena = {.chunks = NULL};
    int code = BAD_USAGE;

    if (given != NULL && !json_is_utf8(given, strlen(given)))
        return refuse_order("not UTF-8:", given);
    name = given != NULL ? name_trim(&arena, given)
                         : arena_format(&arena, "Player %s", order->words[1] + IDS_TEXT - 1 - 6);
    refusal = name_refusal(&arena, name);
    if (refusal != NULL)
        fprintf(stderr, "plyd: admin: %s\n", refusal);
    else
        code = admin_rename(order->url, player, name, order->json);
    arena_free(&arena);
    return code;
}

static int run_order(const struct order *order)
{
    const char *command = order->words[0];
    bool token = command != NULL && strcmp(command, "token") == 0;
    db_id player;

    if (order->url == NULL) {
        fprintf(stderr, "plyd: no database: give --database or DATABASE_URL\n");
        return BAD_USAGE;
    }
    if (command == NULL)
        return look_at_database(order);
    if (!token && strcmp(command, "rename") != 0)
        return refuse_order("no such command:", command);
    if (order->count < 2)
        return refuse_order("no player for", command);
    if (!ids_read(order->words[1], &player))
        return refuse_order("not the id of a player:", order->words[1]);
    if (token && order->count > 2)
        return refuse_order("one word too many:", order->words[2]);
    return token ? admin_token(order->url, player, order->json) : rename_player(order, player);
}

/* True unless the command line is wrong, which was said then. */
static bool read_order(struct order *order, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            order->help = true;
        else if (strcmp(argv[i], "--json") == 0)
            order->json = true;
        else if (strcmp(argv[i], "--database") == 0 && i + 1 < argc)
            order->url = argv[++i];
        else if (argv[i][0] == '-' || order->count == WORDS_MAX)
            return refuse_order(argv[i][0] == '-' ? "no such setting, or no value for"
                                                  : "one word too many:",
                                argv[i]) == 0;
        else
            order->words[order->count++] = argv[i];
    }
    return true;
}

int admin_main(int argc, char **argv)
{
    struct order order = {.url = getenv("DATABASE_URL")};

    if (!read_order(&order, argc, argv))
        return BAD_USAGE;
    if (order.help) {
        fputs(usage, stdout);
        return 0;
    }
    return run_order(&order);
}
