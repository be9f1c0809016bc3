/*
 * test_sessions.c - the sessions of README.md and of the pages in docs/, run word for word.
 *
 * A ```console block is a shell of its own; those of one page share a folder. What follows "$ " is
 * typed, the other lines are what comes of it. Before each block the daemon is killed and started
 * again. Ids, tokens and times differ from run to run, and nothing else may.
 *
 * With SESSIONS=write in the environment the answers in the documents are replaced by those that
 * came: read the difference then.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "mask.h"
#include "tests/support/files.h"

static struct house house;
static char folder[32];
static const char folders[] = "/tmp/plyd-sessions-XXXXXX";

static void open_house(void)
{
    house_open(&house);
    strcpy(folder, folders);
    cr_assert_not_null(mkdtemp(folder));
}

static void run(const char *command)
{
    cr_assert_eq(system(command), 0, "%s", command);
}

static void close_house(void)
{
    char command[128];

    snprintf(command, sizeof(command), "rm -r %s", folder);
    run(command);
    house_close(&house);
}

TestSuite(sessions, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- a session ---- */

/* Makes curl ask the daemon of this run, while the words of the document stay as they are. */
static void redirect_curl(void)
{
    char path[64], text[128];

    snprintf(path, sizeof(path), "%s/.curlrc", folder);
    snprintf(text, sizeof(text), "connect-to = \"localhost:8080:127.0.0.1:%d\"\nnoproxy = \"*\"\n",
             house.plyd.port);
    file_write(path, text);
}

/* The block's lines as a shell script that says a line of its own after each command. */
static void write_script(char *block)
{
    char path[64], *save = NULL;
    FILE *script;
    bool open = false;

    snprintf(path, sizeof(path), "%s/script", folder);
    script = fopen(path, "w");
    cr_assert_not_null(script);
    fprintf(script, "exec 2>&1\n");
    for (char *line = strtok_r(block, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        bool typed = strncmp(line, "$ ", 2) == 0, more = strncmp(line, "> ", 2) == 0;

        if (typed && open)
            fprintf(script, "\necho '@@@'");
        if (typed || more)
            fprintf(script, "\n%s", line + 2);
        open |= typed;
    }
    fprintf(script, "\n");
    cr_assert_eq(fclose(script), 0);
}

/* Runs a block. Returns its commands with what came of them. */
static char *replay(const char *block)
{
    char *copy = strdup(block), *save = NULL, *came, *out = calloc(1, 1 << 20), *rest;
    char command[256];

    write_script(copy);
    free(copy);
    snprintf(command, sizeof(command),
             "cd %s && HOME=%s CURL_HOME=%s PATH=\"$PATH\" sh script > came", folder, folder,
             folder);
    cr_assert_geq(system(command), 0);
    snprintf(command, sizeof(command), "%s/came", folder);
    came = file_read("%s", command);
    rest = came;
    copy = strdup(block);
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        bool typed = strncmp(line, "$ ", 2) == 0;
        char *end;

        if (typed && *out != '\0') {
            end = strstr(rest, "@@@\n");
            cr_assert_not_null(end, "the session ended early: %s", came);
            strncat(out, rest, (size_t)(end - rest));
            rest = end + 4;
        }
        if (typed || strncmp(line, "> ", 2) == 0)
            strcat(strcat(out, line), "\n");
    }
    strcat(out, rest);
    free(copy);
    free(came);
    return out;
}

static void start_anew(void)
{
    plyd_kill9(&house.plyd);
    plyd_start(&house.plyd, house.database, NULL);
    redirect_curl();
}

static void assert_same(const char *document, const char *told, const char *came)
{
    char *left = strdup(told), *right = strdup(came);

    mask_text(left);
    mask_text(right);
    cr_assert_str_eq(right, left, "%s says\n%s\nbut this came:\n%s", document, told, came);
    free(left);
    free(right);
}

/* Runs the sessions of a document. Returns how many it has. */
static int run_sessions(const char *document)
{
    char *text = file_read("%s", document), *written = calloc(1, 1 << 20), *at = text, *begin;
    const char *wish = getenv("SESSIONS");
    bool write = wish != NULL && strcmp(wish, "write") == 0;
    int sessions = 0;

    while ((begin = strstr(at, "```console\n")) != NULL) {
        char *block = begin + strlen("```console\n"), *end = strstr(block, "```\n"), *came;

        cr_assert_not_null(end, "a session of %s has no end", document);
        start_anew();
        strncat(written, at, (size_t)(block - at));
        *end = '\0';
        came = replay(block);
        if (!write)
            assert_same(document, block, came);
        strcat(written, came);
        *end = '`';
        at = end;
        free(came);
        sessions++;
    }
    strcat(written, at);
    if (write && sessions > 0)
        file_write(document, written);
    free(text);
    free(written);
    return sessions;
}

Test(sessions, those_of_the_readme_go_as_they_are_written)
{
    cr_assert_gt(run_sessions("README.md"), 0);
}

Test(sessions, those_of_the_playing_page_go_as_they_are_written)
{
    cr_assert_gt(run_sessions("docs/playing.md"), 3);
}

Test(sessions, those_of_the_page_about_people_go_as_they_are_written)
{
    cr_assert_gt(run_sessions("docs/people.md"), 0);
}

Test(sessions, those_of_the_records_page_go_as_they_are_written)
{
    cr_assert_gt(run_sessions("docs/records.md"), 0);
}
