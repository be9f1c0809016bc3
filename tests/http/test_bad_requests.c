/*
 * test_bad_requests.c - every request of bad_requests.txt gets the answer that stands there, stores
 * nothing, and leaves a daemon that serves.
 *
 * BAD_REQUESTS=show prints the table with the answers that really come.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "written.h"

enum { NAMES = 10, VALUE_BYTES = 80 };

static struct house house;
static char values[NAMES][VALUE_BYTES];
static struct written_name names[NAMES];
static size_t nnames;
static PGconn *database;

static void name(const char *key, const char *value)
{
    snprintf(values[nnames], VALUE_BYTES, "%s", value);
    names[nnames] = (struct written_name){key, values[nnames]};
    nnames++;
    names[nnames].name = NULL;
}

static void use_keys(const struct game *game)
{
    char headers[256], path[64];
    struct answer answer;

    answer = ask(&house, "POST", "/v1/games",
                 "Content-Type: application/json\r\n"
                 "Idempotency-Key: the key of the bad requests\r\n",
                 "{\"variant\":\"jungle\"}");
    assert_status(&answer, 201);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: the key of the bad moves\r\n",
             game->token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves", game->id);
    answer = ask(&house, "POST", path, headers, "{\"move\":\"g3g4\"}");
    assert_status(&answer, 201);
}

static void open_house(void)
{
    struct game game, open, hidden, keyed, other;
    struct answer player;

    house_set_mail();
    house_open(&house);
    game = new_game(&house, "{\"variant\":\"jungle\"}");
    open = new_game(&house, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    hidden = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    keyed = new_game(&house, "{\"variant\":\"jungle\"}");
    other = new_game(&house, "{\"variant\":\"shogi\"}");
    player = ask_as(&house, NULL, "POST", "/v1/players", "{\"name\":\"Ada\"}");
    assert_status(&player, 201);
    name("id", game.id);
    name("token", game.token);
    name("open", open.id);
    name("opener", open.token);
    name("private", hidden.id);
    name("keyed", keyed.id);
    name("keyer", keyed.token);
    name("stranger", other.token);
    name("player", text_of(&player, "token"));
    use_keys(&keyed);
    database = PQconnectdb(house.database);
    cr_assert_eq(PQstatus(database), CONNECTION_OK);
}

static void close_house(void)
{
    PQfinish(database);
    house_close(&house);
}

TestSuite(bad_requests, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- the table ---- */

struct entry {
    char *what, *request_line;
    char *headers;  /* as they are sent */
    char *body;     /* NULL: none */
    char *expected; /* "STATUS", and a header behind it */
    char *answer;
};

static char *append(char *text, const char *more, const char *separator)
{
    size_t len = text == NULL ? 0 : strlen(text);

    text = realloc(text, len + strlen(more) + strlen(separator) + 1);
    strcpy(text + len, more);
    return strcat(text, separator);
}

/* The next line without its end, or NULL. */
static char *next_line(FILE *file)
{
    static char *line = NULL;
    static size_t size = 0;

    if (getline(&line, &size, file) < 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static int next_entry(FILE *file, struct entry *entry)
{
    char *line = next_line(file);

    *entry = (struct entry){.headers = strdup("Request-Id: t\r\n")};
    while (line != NULL && strncmp(line, "== ", 3) != 0)
        line = next_line(file);
    if (line == NULL)
        return 0;
    entry->what = strdup(line + 3);
    entry->request_line = strdup(next_line(file));
    for (line = next_line(file); *line != '\0' && strncmp(line, "-- ", 3) != 0;
         line = next_line(file))
        entry->headers = append(entry->headers, line, "\r\n");
    if (*line == '\0') {
        entry->body = strdup(next_line(file));
        line = next_line(file);
    }
    cr_assert_eq(strncmp(line, "-- ", 3), 0, "%s: no answer stands there", entry->what);
    entry->expected = strdup(line + 3);
    entry->answer = strdup(next_line(file));
    return 1;
}

static void free_entry(struct entry *entry)
{
    free(entry->what);
    free(entry->request_line);
    free(entry->headers);
    free(entry->body);
    free(entry->expected);
    free(entry->answer);
}

/* ---- showing ---- */

/* Prints a text with names in place of what they stand for. */
static void print_masked(const char *text)
{
    while (*text != '\0' && *text != '\n') {
        const struct written_name *found = NULL;

        for (size_t i = 0; i < nnames && found == NULL; i++)
            if (strncmp(text, names[i].value, strlen(names[i].value)) == 0)
                found = &names[i];
        if (found != NULL)
            printf("{%s}", found->name);
        else
            putchar(*text);
        text += found != NULL ? strlen(found->value) : 1;
    }
    putchar('\n');
}

static void show(const struct entry *entry, const struct answer *answer)
{
    char allow[256], *headers = strdup(entry->headers), *rest = headers;

    printf("== %s\n%s\n", entry->what, entry->request_line);
    for (char *line = strtok_r(rest, "\r\n", &rest); line != NULL;
         line = strtok_r(NULL, "\r\n", &rest))
        if (strcmp(line, "Request-Id: t") != 0)
            printf("%s\n", line);
    if (entry->body != NULL)
        printf("\n%s\n", entry->body);
    printf("-- %d", answer->status);
    if (http_header(&answer->reply, "Allow", allow) != NULL)
        printf(" Allow: %s", allow);
    printf("\n");
    print_masked(answer->reply.body);
    printf("\n");
    free(headers);
}

/* ---- asking ---- */

static struct answer send_entry(const struct entry *entry)
{
    char *line = written_text(entry->request_line, names, NULL), *path = strchr(line, ' ');
    char *headers = written_text(entry->headers, names, NULL), *body = NULL;
    size_t len = 0;
    struct http_reply reply;
    struct answer answer;
    int fd = http_connect(house.plyd.port);

    *path++ = '\0';
    if (entry->body != NULL)
        body = written_text(entry->body, names, &len);
    http_send(fd, line, path, headers, body, len);
    http_receive(fd, line, &reply);
    answer = answer_of(&house, line, path, reply);
    close(fd);
    free(line);
    free(headers);
    free(body);
    return answer;
}

/* Everything that the database holds, as numbers. */
static char *stored(void)
{
    PGresult *result = PQexec(
        database, "select (select count(*) || ' ' || sum(version) from games) || ' ' ||"
                  " (select count(*) from events) || ' ' || (select count(*) from answers) || ' '"
                  " || (select count(*) from players)");
    char *numbers;

    cr_assert_eq(PQntuples(result), 1, "%s", PQerrorMessage(database));
    numbers = strdup(PQgetvalue(result, 0, 0));
    PQclear(result);
    return numbers;
}

static void check(const struct entry *entry, const struct answer *answer)
{
    char *expected = written_text(entry->answer, names, NULL), *end;
    long status = strtol(entry->expected, &end, 10);
    char got[256] = "";

    answer->reply.body[strcspn(answer->reply.body, "\n")] = '\0';
    cr_expect_eq(answer->status, status, "%s: %d\n%s", entry->what, answer->status,
                 answer->reply.body);
    cr_expect_str_eq(answer->reply.body, expected, "%s:\n%s\ninstead of\n%s", entry->what,
                     answer->reply.body, expected);
    if (*end != '\0')
        cr_expect_str_eq(http_header(&answer->reply, "Allow", got), end + strlen(" Allow: "), "%s",
                         entry->what);
    free(expected);
}

Test(bad_requests, each_gets_the_answer_that_stands_there_and_stores_nothing)
{
    FILE *file = fopen("tests/http/bad_requests.txt", "r");
    struct entry entry;
    char *before = stored(), *after;
    int count = 0, showing = getenv("BAD_REQUESTS") != NULL;

    cr_assert_not_null(file);
    for (; next_entry(file, &entry); count++) {
        struct answer answer = send_entry(&entry), alive;

        if (showing)
            show(&entry, &answer);
        else
            check(&entry, &answer);
        after = stored();
        cr_assert_str_eq(after, before, "%s stored something", entry.what);
        alive = ask(&house, "GET", "/healthz", NULL, NULL);
        assert_status(&alive, 200);
        free(after);
        free_entry(&entry);
    }
    cr_assert_gt(count, 150);
    free_entry(&entry); /* what the end of the file has left in it */
    fclose(file);
    free(before);
}
