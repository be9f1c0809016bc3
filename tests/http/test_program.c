/* test_program.c - the program on its command line: what it says, and its exit codes. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/migrations.h"
#include "embed/version.h"
#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/pg.h"

enum { SAID_MAX = 1 << 16 };

static char *made;     /* a database for each test */
static char *database; /* what the program is run on */

static void make(void)
{
    made = pg_test_database();
    database = strdup(made);
}

static void drop(void)
{
    free(database);
    pg_test_drop(made);
}

TestSuite(program, .init = make, .fini = drop);

/* Runs the program and returns its exit code; *said is what it printed. Static, overwritten. */
static int run(const char *arguments, const char **said)
{
    static char text[SAID_MAX];
    const char *program = getenv("PLYD_PROGRAM");
    char command[1024];
    FILE *out;

    snprintf(command, sizeof(command), "env -u DATABASE_URL timeout 20 %s %s 2>&1",
             program == NULL ? "build/release/plyd" : program, arguments);
    out = popen(command, "r");
    cr_assert_not_null(out);
    text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
    *said = text;
    return WEXITSTATUS(pclose(out));
}

static void runs(const char *arguments, int code, const char *wanted)
{
    const char *said;
    int is = run(arguments, &said);

    cr_assert_eq(is, code, "plyd %s: %d\n%s", arguments, is, said);
    cr_assert_not_null(strstr(said, wanted), "plyd %s: no '%s' in\n%s", arguments, wanted, said);
}

static void runs_on_database(const char *command, int code, const char *wanted)
{
    char arguments[512];

    snprintf(arguments, sizeof(arguments), "%s --database '%s'", command, database);
    runs(arguments, code, wanted);
}

Test(program, help_is_the_same_wherever_it_is_asked_for)
{
    static const char *const ways[] = {"--help", "serve --help", "migrate --help",
                                       "--loops 2 --help"};
    const char *said;
    char *help;

    cr_assert_eq(run("help", &said), 0);
    help = strdup(said);
    cr_assert_eq(strncmp(help, "plyd - the daemon", 17), 0);
    cr_assert_not_null(strstr(help, "\nsettings (a flag beats"));
    cr_assert_not_null(strstr(help, "\n  --database "));
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        cr_assert_eq(run(ways[i], &said), 0, "%s", ways[i]);
        cr_assert_str_eq(said, help, "%s", ways[i]);
    }
    free(help);
}

Test(program, the_version_stands_alone_on_its_line)
{
    const char *said;

    for (int i = 0; i < 2; i++) {
        cr_assert_eq(run(i == 0 ? "version" : "--version", &said), 0);
        cr_assert_str_eq(said, "plyd " PLYD_VERSION "\n");
    }
}

Test(program, what_it_does_not_know_is_bad_usage)
{
    runs("sing", 2, "plyd: 'sing' is not a subcommand; --help lists them\n");
    runs("--sing", 2, "plyd: '--sing' is not a setting; --help lists them\n");
    runs("serve sing", 2, "sing");
    runs("migrate --loops 99", 2, "--loops");
}

Test(program, it_needs_a_database_and_says_so)
{
    runs("", 2, "plyd: no database: give --database or DATABASE_URL\n");
    runs("serve", 2, "no database");
    runs("migrate", 2, "no database");
}

Test(program, settings_are_checked_without_a_server)
{
    runs("serve --check --database postgresql:///nowhere", 0, "the settings are valid\n");
    runs("--check --loops x --database postgresql:///nowhere", 2, "--loops");
    runs("--check --links https://app.example/g/{game} --database postgresql:///nowhere", 0,
         "valid");
    runs("--check --links app.example/{game} --database postgresql:///nowhere", 2, "--links");
    runs("--check --links https://app.example/ --database postgresql:///nowhere", 2, "{game}");
    runs("--check --links https://app.example/#{game} --database postgresql:///nowhere", 2,
         "fragment");
    runs("--check --links https://a.example/{game}/{game} --database postgresql:///nowhere", 2,
         "once");
}

/* What `migrate` and its check say of a database that is at a migration. */
static const char *report(const char *format, int number)
{
    static char text[256];

    snprintf(text, sizeof(text), format, number, migrations_wanted());
    return text;
}

Test(program, a_database_is_migrated_once_and_reported_on_before_and_after)
{
    PG_PLAIN_ONLY("there the database of a test has its tables already");
    runs_on_database("migrate --check", 1,
                     report("at migration %d and this program needs %d: run 'plyd migrate'\n", 0));
    runs_on_database("serve --listen 127.0.0.1:0", 1, "run 'plyd migrate'");
    runs_on_database(
        "migrate", 0,
        report("migrations applied: %d; the database is at %d\n", migrations_wanted()));
    runs_on_database("migrate --check", 0, "");
    runs_on_database("serve --smtp mail.example", 1, "plyd: --smtp mail.example: A URL such as ");
    runs_on_database("serve --smtp smtp://u@mail.example", 1, "A URL such as ");
    runs_on_database("serve --smtp smtp://mail.example", 1, "--mail-from is needed with it");
    runs_on_database("serve --smtp smtp://mail.example --mail-from plyd", 1, "--mail-from");
    runs_on_database("serve --smtp smtp://mail.example --mail-from a@b.example", 1,
                     "--public-url is needed with it");
    runs_on_database("serve --smtp smtp://mail.example --mail-from a@b.example"
                     " --public-url https://b.example/plyd",
                     1, "--public-url");
    runs_on_database("serve --smtp smtp://mail.example --mail-from a@b.example"
                     " --public-url https://b.example --smtp-user u",
                     1, "--smtp-user and --smtp-password-file are given together");
    runs_on_database("serve --smtp smtp://mail.example --mail-from a@b.example"
                     " --public-url https://b.example --smtp-user u --smtp-password-file /dev/null",
                     1, "--smtp-password-file cannot be read");
    runs_on_database("migrate", 0, report("migrations applied: %d; the database is at %d\n", 0));
}

static void change_database(const char *sql)
{
    PGconn *pg = PQconnectdb(database);

    PQclear(PQexec(pg, sql));
    PQfinish(pg);
}

Test(program, a_schema_that_is_not_its_own_is_left_alone)
{
    runs_on_database("migrate", 0, "migrations applied");
    change_database("insert into schema_migrations (number, name, checksum) "
                    "values (4711, 'later', 'x')");
    runs_on_database("migrate", 1, report("at migration %d, this program knows only %d", 4711));
    runs_on_database("migrate --check", 1, "none that knows less than 4711 may run there");
    runs_on_database("migrate --check", 1, "use a newer plyd\n");
    runs_on_database("serve --listen 127.0.0.1:0", 1, "use a newer plyd\n");
    change_database("delete from schema_migrations where number = 4711");
    change_database("update schema_migrations set checksum = 'x' where number = 1");
    runs_on_database("migrate", 1, "an applied migration differs from this program's");
}

static struct answer ask_until_ready(struct house *house)
{
    for (int looks = 0;; looks++) {
        struct answer answer = ask(house, "GET", "/readyz", "", NULL);

        if (answer.status == 200)
            return answer;
        back_off(looks);
    }
}

Test(program, a_newer_schema_that_lets_it_run_is_served_and_told_of)
{
    const int own = migrations_wanted();
    char command[96], wanted[160];
    struct house house;
    struct answer answer;

    house_open(&house);
    free(database);
    database = strdup(house.database);
    change_database("alter table schema_migrations add column if not exists oldest integer");
    snprintf(command, sizeof(command),
             "insert into schema_migrations values (4711, 'later', 'x', now(), %d)", own);
    change_database(command);
    snprintf(wanted, sizeof(wanted),
             "the database is at migration 4711, this program knows only %d, and may run there\n",
             own);
    runs_on_database("migrate --check", 0, wanted);
    runs_on_database("migrate", 0, "migrations applied: 0; the database is at 4711\n");
    runs_on_database("verify", 0, "0 games with 0 events, 0 of them differ; ");
    runs_on_database("admin", 0, "and may run there\n");

    cr_assert_eq(plyd_stop(&house.plyd), 0);
    plyd_start(&house.plyd, house.database, NULL);
    cr_assert(plyd_logged(&house.plyd, "\"newer-schema\""));
    answer = ask_until_ready(&house);
    cr_assert_eq(number_of(&answer, "schema.program"), own);
    cr_assert_eq(number_of(&answer, "schema.database"), 4711);
    house_close(&house);
}

Test(program, either_signal_that_asks_it_to_stop_ends_it_well)
{
    static const int signals[] = {SIGINT, SIGTERM};

    for (size_t i = 0; i < 2; i++) {
        struct house house;
        int status;

        house_open(&house);
        cr_assert_eq(kill(house.plyd.pid, signals[i]), 0);
        cr_assert_eq(waitpid(house.plyd.pid, &status, 0), house.plyd.pid);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
        cr_assert(plyd_logged(&house.plyd, "\"stopped\""), "signal %d", signals[i]);
        unlink(house.plyd.log);
    }
}

/* ---- verify ---- */

Test(program, verify_reads_its_command_line_strictly)
{
    runs("verify --help", 0, "usage: plyd verify");
    runs("verify", 2, "no database");
    runs("verify --sing 1", 2, "plyd: verify: no such setting: '--sing'; --help shows the usage\n");
    runs("verify --sample", 2, "no value for '--sample'");
    runs("verify --sample x", 2, "not a number of games: 'x'");
    runs("verify --sample -1", 2, "not a number of games: '-1'");
    runs("verify --variant chess", 2, "no such variant: 'chess'");
    runs("verify --threads 0", 2, "not a number of threads, 1 to 64: '0'");
    runs("verify --after a", 2, "not the id of a game: 'a'");
}

/* Two games as the daemon of another program version might have left them, of which one has lost
 * its ply. */
Test(program, verify_counts_games_and_events_and_fails_if_a_game_differs)
{
    static const char create[] = "{\"variant\":\"tictactoe\"}";
    struct house house;
    struct game first, second;

    house_open(&house);
    first = new_game(&house, create);
    second = new_game(&house, create);
    play(&house, &first, "a1 b2");
    play(&house, &second, "c3");
    free(database);
    database = strdup(house.database);
    runs_on_database("verify", 0, "2 games with 5 events, 0 of them differ; ");
    runs_on_database("verify --variant jungle", 0, "0 games with 0 events, 0 of them differ; ");
    runs_on_database("verify --variant tictactoe", 0, "2 games with 5 events, 0 of them differ; ");
    runs_on_database("verify --sample 1 --threads 1", 0, "1 games with ");
    runs_on_database("verify --after 7zzzzzzzzzzzzzzzzzzzzzzzzw", 0, "0 games with 0 events, ");
    change_database("update games set ply = ply + 1 where version = 2");
    runs_on_database("verify", 1, "2 games with 5 events, 1 of them differ; ");
    runs_on_database("verify", 1, "the present ply is stored as 2 and replays as 1");
    house_close(&house);
}

/* ---- at a terminal ---- */

/* Starts `plyd serve` at a terminal of its own, which *terminal leads to. */
static pid_t serve_at_terminal(const char *listen, int *terminal)
{
    const char *program = getenv("PLYD_PROGRAM");
    pid_t pid = forkpty(terminal, NULL, NULL, NULL);

    cr_assert_geq(pid, 0);
    if (pid == 0) {
        execl(program == NULL ? "build/release/plyd" : program, "plyd", "serve", "--database",
              database, "--listen", listen, (char *)NULL);
        _exit(127);
    }
    return pid;
}

/* Reads what stands at a terminal until `wanted` is among it (NULL: until its program has ended).
 * Static, overwritten. */
static const char *read_terminal(int terminal, const char *wanted)
{
    static char text[SAID_MAX];
    size_t len = 0;
    ssize_t n;

    text[0] = '\0';
    while ((wanted == NULL || strstr(text, wanted) == NULL) && len < sizeof(text) - 1 &&
           (n = read(terminal, text + len, sizeof(text) - 1 - len)) > 0)
        text[len += (size_t)n] = '\0';
    return text;
}

static int code_of(pid_t pid)
{
    int status;

    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(program, at_a_terminal_it_says_where_to_look_and_how_to_stop)
{
    const char *said;
    int terminal;
    pid_t pid;

    runs_on_database("migrate", 0, "migrations applied");
    pid = serve_at_terminal("127.0.0.1:0", &terminal);
    said = read_terminal(terminal, "Ctrl-C stops it.");
    cr_assert_not_null(strstr(said, "plyd serves games on 127.0.0.1:"), "%s", said);
    cr_assert_not_null(strstr(said, "Open http://localhost:"), "%s", said);
    cr_assert_not_null(strstr(said, "Ctrl-C stops it."), "%s", said);
    cr_assert_eq(write(terminal, "\x03", 1), 1);
    read_terminal(terminal, NULL);
    cr_assert_eq(code_of(pid), 0);
    close(terminal);
}

Test(program, at_a_terminal_it_says_what_helps_if_its_port_is_taken)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), terminal;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    const char *said;
    char listening[32];
    pid_t pid;

    runs_on_database("migrate", 0, "migrations applied");
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    cr_assert_eq(listen(fd, 1), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    snprintf(listening, sizeof(listening), "127.0.0.1:%u", ntohs(address.sin_port));
    pid = serve_at_terminal(listening, &terminal);
    said = read_terminal(terminal, NULL);
    cr_assert_not_null(strstr(said, "make run ARGS=\"--listen 127.0.0.1:8081\""), "%s", said);
    cr_assert_eq(code_of(pid), 1);
    close(terminal);
    close(fd);
}
