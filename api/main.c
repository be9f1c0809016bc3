/* main.c - the program: its subcommands, and nothing else. */
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/server.h"
#include "api/terminal/terminal.h"
#include "api/tool/commands.h"
#include "api/tool/games.h"
#include "db/migrate.h"
#include "embed/version.h"

/* Exit codes beside 0, and GO_ON for those who need not exit yet. */
enum { GO_ON = -1, FAILED = 1, BAD_USAGE = 2 };

static const char usage[] =
    "plyd - the daemon that keeps board games\n"
    "\n"
    "usage: plyd [serve] [SETTINGS]            serve the API\n"
    "       plyd migrate [--check | --distribute] [SETTINGS]\n"
    "                                          bring the database's schema up to date; --check: "
    "only\n"
    "                                          report whether that is necessary; --distribute:\n"
    "                                          spread the tables over the workers of Citus, too\n"
    "       plyd verify [--help]               replay every stored game and compare\n"
    "       plyd play [GAME] [--help]          play in this terminal; needs no database\n"
    "       plyd admin [--help]                health of the database; players who need help\n"
    "       plyd perft VARIANT DEPTH           count move sequences; needs no database\n"
    "       plyd new-game NAME                 make a folder with a game to begin with\n"
    "       plyd check-game FILE.so            try what a game of one's own promises\n"
    "       plyd version, plyd help\n"
    "\n"
    "Games of one's own (docs/games.md), with any subcommand: --game FILE.so, more than once;\n"
    "--games DIR, or PLYD_GAMES in the environment: every .so of a folder.\n"
    "\n"
    "Each subcommand has --help. Exit codes: 0 done, 1 failed, 2 bad usage.\n"
    "\n"
    "settings (a flag beats its environment variable):\n";

static void print_help(void)
{
    fputs(usage, stdout);
    config_print_help(stdout);
}

static bool fetch_database(const struct config *config)
{
    if (config->database != NULL)
        return true;
    fprintf(stderr, "plyd: no database: give --database or DATABASE_URL\n");
    return false;
}

/* Reads the settings of serve and migrate. Returns GO_ON, or the code to exit with. */
static int read_settings(struct config *config, int argc, char **argv, bool *check)
{
    bool help;

    if (!config_read(config, argc, argv, &help, check))
        return BAD_USAGE;
    if (help) {
        print_help();
        return 0;
    }
    return fetch_database(config) ? GO_ON : BAD_USAGE;
}

/* Says what is wrong with the schema and what helps. True if nothing is wrong. */
static bool tell_schema(enum db_schema schema, const struct db_migration_report *report)
{
    switch (schema) {
    case DB_SCHEMA_CURRENT:
    case DB_SCHEMA_COMPATIBLE:
        return true;
    case DB_SCHEMA_OLDER:
        fprintf(stderr,
                "plyd: the database is at migration %d and this program needs %d: "
                "run 'plyd migrate'\n",
                report->found, report->wanted);
        return false;
    case DB_SCHEMA_NEWER:
        fprintf(stderr,
                "plyd: the database is at migration %d, this program knows only %d, and none that "
                "knows less than %d may run there: use a newer plyd\n",
                report->found, report->wanted, report->oldest);
        return false;
    case DB_SCHEMA_CHANGED:
        fprintf(stderr, "plyd: an applied migration differs from this program's: %s\n",
                report->error.text);
        return false;
    case DB_SCHEMA_ENCODING:
        fprintf(stderr,
                "plyd: the encoding of the database is %s and must be UTF8: make another one with "
                "'createdb --encoding=UTF8 --locale=C --template=template0 NAME'\n",
                report->error.text);
        return false;
    case DB_SCHEMA_UNREACHABLE:
        fprintf(stderr, "plyd: cannot reach the database: %s\n", report->error.text);
        return false;
    }
    return false;
}

static void log_newer(const struct db_migration_report *report)
{
    char database[16], program[16], oldest[16];

    snprintf(database, sizeof(database), "%d", report->found);
    snprintf(program, sizeof(program), "%d", report->wanted);
    snprintf(oldest, sizeof(oldest), "%d", report->oldest);
    log_event(LOG_WARN, "newer-schema", "database", database, "program", program, "oldest", oldest,
              NULL);
}

/* ---- waiting for the database ---- */

static void tell_wait(unsigned seconds, const char *why)
{
    char at_most[24];

    snprintf(at_most, sizeof(at_most), "%u s", seconds);
    log_event(LOG_WARN, "waiting-for-database", "at_most", at_most, "reason", why, NULL);
}

static struct db_patience patience_of(const struct config *config)
{
    return (struct db_patience){(unsigned)config->db_wait_s, tell_wait};
}

static volatile sig_atomic_t end_code;

static void end_now(int number)
{
    (void)number;
    _exit(end_code);
}

/* SIGTERM and SIGINT end the process at once until it serves, even while it waits or looks up a
 * name. A migration under way is rolled back. The default action would not do: the first process of
 * a container ignores signals that have no handler. */
static void end_on_signals(int code)
{
    end_code = code;
    signal(SIGTERM, end_now);
    signal(SIGINT, end_now);
}

/* ---- the subcommands ---- */

static int serve(int argc, char **argv)
{
    struct config config;
    struct db_migration_report report;
    struct db_patience patience;
    bool check;
    int code = read_settings(&config, argc, argv, &check);

    if (code != GO_ON)
        return code;
    if (check) {
        printf("the settings are valid\n");
        return 0;
    }
    log_set_level(log_level_of(config.log_level));
    games_log();
    end_on_signals(0);
    patience = patience_of(&config);
    /* With a schema on which it may not run, a daemon would fail at each request. */
    if (!tell_schema(db_migrate_check(config.database, &patience, &report), &report))
        return FAILED;
    if (report.before == DB_SCHEMA_COMPATIBLE)
        log_newer(&report);
    return server_main(&config, &report.time);
}

/* Takes a flag that only one subcommand has out of its arguments. */
static bool take_flag(int *argc, char **argv, const char *flag)
{
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], flag) != 0)
            continue;
        memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof(argv[0]));
        --*argc;
        return true;
    }
    return false;
}

static void tell_compatible(const struct db_migration_report *report)
{
    if (report->before == DB_SCHEMA_COMPATIBLE)
        printf("the database is at migration %d, this program knows only %d, and may run there\n",
               report->found, report->wanted);
}

static int check_schema(const char *database, const struct db_patience *patience)
{
    struct db_migration_report report;

    if (!tell_schema(db_migrate_check(database, patience, &report), &report))
        return FAILED;
    tell_compatible(&report);
    return 0;
}

static int migrate(int argc, char **argv)
{
    bool distribute = take_flag(&argc, argv, "--distribute");
    struct config config;
    struct db_migration_report report;
    struct db_patience patience;
    bool check;
    int code = read_settings(&config, argc, argv, &check);

    if (code != GO_ON)
        return code;
    end_on_signals(FAILED);
    patience = patience_of(&config);
    if (check)
        return check_schema(config.database, &patience);
    bool done = distribute ? db_migrate_distributed(config.database, &patience, &report)
                           : db_migrate(config.database, &patience, &report);
    if (!done) {
        /* Unless the schema was not one to migrate, a migration itself went wrong. */
        if (tell_schema(report.before, &report) || report.before == DB_SCHEMA_OLDER)
            fprintf(stderr, "plyd: the migration failed: %s\n", report.error.text);
        return FAILED;
    }
    tell_compatible(&report);
    printf("migrations applied: %d; the database is at %d\n", report.applied,
           report.before == DB_SCHEMA_COMPATIBLE ? report.found : report.wanted);
    if (distribute)
        printf("tables distributed: %d\n", report.distributed);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"serve", serve},
                {"migrate", migrate},
                {"verify", verify_main},
                {"admin", admin_main},
                {"play", terminal_main},
                {"perft", perft_main},
                {"check-game", check_game_main},
                {"new-game", new_game_main}};

int main(int argc, char **argv)
{
    /* Before anything is hashed, in any subcommand and any thread. */
    if (sodium_init() < 0) {
        fprintf(stderr, "plyd: libsodium cannot start\n");
        return FAILED;
    }
    if (argc > 1 && strcmp(argv[1], "help") == 0) {
        print_help();
        return 0;
    }
    if (argc > 1 && (strcmp(argv[1], "version") == 0 || strcmp(argv[1], "--version") == 0)) {
        printf("plyd %s\n", PLYD_VERSION);
        return 0;
    }
    if (!games_take(&argc, argv))
        return BAD_USAGE;
    for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (argc > 1 && argv[1][0] != '-') {
        fprintf(stderr, "plyd: '%s' is not a subcommand; --help lists them\n", argv[1]);
        return BAD_USAGE;
    }
    return serve(argc, argv);
}
