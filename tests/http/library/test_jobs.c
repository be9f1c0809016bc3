/* test_jobs.c - files of many games: what is imported, what is refused, what ends a job. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "tests/http/house.h"
#include "tests/support/archive.h"
#include "tests/support/backoff.h"
#include "tests/support/pg.h"

static struct house house;
static struct player ada, eve;

static void open_house(void)
{
    house_share(&house);
    ada = new_player(&house, "Ada");
    eve = new_player(&house, "Eve");
}

static void close_house(void)
{
    house_close_verified(&house);
}

TestSuite(jobs, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static char op[32];

/* Sends a file of any bytes. */
static struct answer send_file(const char *query, const char *more, const char *bytes, size_t len)
{
    char path[256], headers[256];
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);

    snprintf(path, sizeof(path), "/v1/me/imports%s", query);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n%s", ada.token, more);
    http_send(fd, "POST", path, headers, bytes, len);
    http_receive(fd, "POST", &reply);
    close(fd);
    return answer_of(&house, "POST", path, reply);
}

/* Sends a file, waits until its job is over, and returns that. */
static struct answer import_bytes(const char *query, const char *bytes, size_t len)
{
    struct answer answer = send_file(query, "", bytes, len);

    assert_status(&answer, 202);
    snprintf(op, sizeof(op), "%s", text_of(&answer, "id"));
    job_await(&house, ada.token, op);
    return ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", op);
}

static struct answer import_text(const char *query, const char *text)
{
    return import_bytes(query, text, strlen(text));
}

static struct answer import_archive(const struct archive_file *archive)
{
    return import_bytes("", archive->bytes, archive->len);
}

static struct answer items(const char *query)
{
    return ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s/items%s", op, query);
}

/* ---- what is imported ---- */

Test(jobs, a_file_in_utf_16_is_split_like_any_other)
{
    static const char text[] = "1. a3-a4 *\n\n[White \"B\"]\n1. b3-b4 *\n";
    char bytes[2 * sizeof(text) + 2] = "\xff\xfe";
    struct answer job, list;

    for (size_t i = 0; text[i] != '\0'; i++)
        bytes[2 + 2 * i] = text[i];
    job = import_bytes("", bytes, 2 * sizeof(text));
    list = items("");
    cr_assert_str_eq(text_of(&job, "state"), "done", "%s", job.reply.body);
    cr_assert_eq(number_of(&job, "done"), 2, "%s", job.reply.body);
    cr_assert_eq(number_of(&list, "items.1.line"), 3, "%s", list.reply.body);
}

Test(jobs, each_game_of_a_file_becomes_a_game_or_a_refusal)
{
    struct answer answer = import_text("?format=kif", "先手：A\n   1 ７六歩(77)\n"
                                                      "先手：B\n   1 ７五歩(77)\n"
                                                      "先手：C\n   1 ２六歩(27)\n");
    struct answer list, game;

    cr_assert_str_eq(text_of(&answer, "state"), "done");
    cr_assert_eq(number_of(&answer, "progress"), 1);
    cr_assert_eq(number_of(&answer, "done"), 2);
    cr_assert_eq(number_of(&answer, "failed"), 1);
    list = items("");
    cr_assert_eq(number_of(&list, "items.1.number"), 2);
    cr_assert_eq(number_of(&list, "items.1.line"), 3);
    cr_assert_str_eq(text_of(&list, "items.1.problem.code"), "wrong-shape");
    cr_assert_eq(number_of(&list, "items.1.problem.record_line"), 4);
    game = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s", text_of(&list, "items.2.game"));
    cr_assert_str_eq(text_of(&game, "seats.0.name"), "C");
    cr_assert_str_eq(text_of(&game, "visibility"), "unlisted");
    cr_assert_str_eq(text_of(&game, "last_move.move"), "2g2f");
}

Test(jobs, items_come_in_pages_and_the_failed_ones_alone)
{
    char file[8192] = "";
    struct answer answer, next;

    for (int i = 0; i < 30; i++)
        strcat(file, i % 10 == 9 ? "startpos moves 7g7e\n" : "startpos moves 7g7f\n");
    answer = import_text("", file);
    cr_assert_eq(number_of(&answer, "done"), 27);
    answer = items("?limit=20");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 20);
    next = ask_as(&house, ada.token, "GET", text_of(&answer, "next"), NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&next, "items")), 10);
    cr_assert_eq(number_of(&next, "items.0.number"), 21);
    answer = items("?failed=true");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 3);
    cr_assert_eq(number_of(&answer, "items.2.number"), 30);
}

Test(jobs, a_page_of_failed_items_leads_to_the_other_failed_ones)
{
    struct answer answer;

    import_text("", "startpos moves 7g7e\nstartpos moves 7g7f\nstartpos moves 7g7e\n");
    answer = items("?failed=true&limit=1");
    answer = ask_as(&house, ada.token, "GET", text_of(&answer, "next"), NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_eq(number_of(&answer, "items.0.number"), 3);
}

enum { IN_PIECES = 20, GAME_BYTES = 64 }; /* more games than two pieces have */

/* Each game has two lines, and every third one cannot be read in the second. */
static void write_in_pieces(char file[IN_PIECES * GAME_BYTES])
{
    file[0] = '\0';
    for (int i = 0; i < IN_PIECES; i++)
        strcat(file, i % 3 == 2 ? "先手：A\n   1 ７五歩(77)\n" : "先手：A\n   1 ７六歩(77)\n");
}

/* Items from number `first` on stand where those games stand in their file. */
static void assert_lines(const struct answer *list, int first)
{
    for (int i = 0; i < IN_PIECES; i++) {
        const cJSON *item = cJSON_GetArrayItem(member(list, "items"), first - 1 + i),
                    *problem = cJSON_GetObjectItem(item, "problem");

        cr_assert_eq(cJSON_GetObjectItem(item, "number")->valueint, first + i);
        cr_assert_eq(cJSON_GetObjectItem(item, "line")->valueint, 2 * i + 1, "game %d", i);
        cr_assert_eq(problem != NULL, i % 3 == 2);
        if (problem != NULL)
            cr_assert_eq(cJSON_GetObjectItem(problem, "record_line")->valueint, 2 * i + 2,
                         "game %d", i);
    }
}

Test(jobs, games_of_every_piece_of_a_file_are_told_by_the_lines_of_the_file)
{
    char file[IN_PIECES * GAME_BYTES];
    struct answer answer, list;

    write_in_pieces(file);
    answer = import_text("?format=kif", file);
    cr_assert_eq(number_of(&answer, "failed"), IN_PIECES / 3);
    list = items("?limit=200");
    assert_lines(&list, 1);
}

Test(jobs, games_of_every_piece_of_an_archive_are_told_by_the_lines_of_their_file)
{
    struct archive_file archive = {0};
    char file[IN_PIECES * GAME_BYTES];
    struct answer answer, list;

    write_in_pieces(file);
    archive_add_text(&archive, "a.kif", file, ARCHIVE_DEFLATED);
    archive_add_text(&archive, "b.kif", file, ARCHIVE_STORED);
    archive_end(&archive);
    answer = import_archive(&archive);
    cr_assert_eq(number_of(&answer, "failed"), IN_PIECES / 3 * 2);
    list = items("?limit=200");
    assert_lines(&list, 1);
    assert_lines(&list, IN_PIECES + 1);
}

Test(jobs, nobody_holds_a_seat_of_the_games)
{
    struct answer answer = import_text("", "startpos moves 7g7f\nstartpos moves 2g2f\n");
    struct answer list = items(""), mine, next, move;

    assert_status(&answer, 200);
    mine = ask_as(&house, ada.token, "GET", "/v1/me/games", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&mine, "items")), 0);
    next = ask_as(&house, ada.token, "GET", "/v1/me/next", NULL);
    assert_status(&next, 204);
    move = ask_at(&house, ada.token, "POST", "{\"move\":\"3c3d\"}", "/v1/games/%s/moves",
                  text_of(&list, "items.0.game"));
    assert_problem(&move, 403, "not-your-seat");
}

Test(jobs, no_engine_plays_on_in_a_game)
{
    struct answer game = ask_as(&house, ada.token, "POST", "/v1/games",
                                "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},"
                                "{\"engine\":\"random\"}]}");
    struct answer record, answer, list, copy;

    assert_status(&game, 201);
    record = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s/export?format=json",
                    text_of(&game, "id"));
    answer = import_text("", record.reply.body);
    cr_assert_eq(number_of(&answer, "done"), 1);
    list = items("");
    copy = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", text_of(&list, "items.0.game"));
    cr_assert_str_eq(text_of(&copy, "seats.1.state"), "taken");
}

Test(jobs, private_games_are_refused_with_what_to_do_instead)
{
    struct answer answer = send_file("?visibility=private", "", "startpos", strlen("startpos"));

    assert_problem(&answer, 400, "bad-parameter");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "POST /v1/games/import"));
}

/* ---- the collection ---- */

/* The only collection of the player. */
static struct answer only_collection(void)
{
    struct answer list = ask_as(&house, ada.token, "GET", "/v1/me/collections", NULL);

    cr_assert_eq(cJSON_GetArraySize(member(&list, "items")), 1, "%s", list.reply.body);
    return list;
}

Test(jobs, a_collection_is_made_for_the_games_and_named_after_the_file)
{
    struct answer answer = import_text("?file=habu.usi", "startpos moves 7g7f\nstartpos\n");
    struct answer list = only_collection();

    cr_assert_str_eq(text_of(&list, "items.0.name"), "habu.usi");
    cr_assert_str_eq(text_of(&list, "items.0.id"), text_of(&answer, "params.collection"));
    cr_assert_eq(number_of(&list, "items.0.games"), 2);
}

Test(jobs, the_collection_of_a_file_without_a_name_tells_the_date)
{
    struct answer answer = import_text("", "startpos moves 7g7f\n");
    struct answer list = only_collection();

    assert_status(&answer, 200);
    cr_assert_eq(strncmp(text_of(&list, "items.0.name"), "Imported games 2", 16), 0);
}

Test(jobs, a_long_name_of_a_file_is_cut_for_the_collection)
{
    char query[128] = "?file=";
    struct answer answer, list;

    for (int i = 0; i < 100; i++)
        strcat(query, "a");
    answer = import_text(query, "startpos moves 7g7f\n");
    assert_status(&answer, 200);
    list = only_collection();
    cr_assert_eq(strlen(text_of(&list, "items.0.name")), 64);
}

Test(jobs, a_collection_that_does_not_exist_is_refused_before_there_is_a_job)
{
    struct answer answer =
        send_file("?collection=00000000000000000000000000", "", "startpos", strlen("startpos"));
    struct answer list = ask_as(&house, ada.token, "GET", "/v1/jobs", NULL);

    assert_problem(&answer, 404, "no-such-collection");
    cr_assert_eq(cJSON_GetArraySize(member(&list, "items")), 0);
}

Test(jobs, a_player_with_all_the_collections_there_may_be_names_one)
{
    struct answer answer, named;
    char query[64];

    for (int i = 0; i < 100; i++) {
        answer = ask_as(&house, ada.token, "POST", "/v1/me/collections", "{\"name\":\"x\"}");
        assert_status(&answer, 201);
    }
    snprintf(query, sizeof(query), "?collection=%s", text_of(&answer, "id"));
    answer = send_file("", "", "startpos", strlen("startpos"));
    assert_problem(&answer, 409, "too-many-collections");
    named = import_text(query, "startpos moves 7g7f\n");
    cr_assert_eq(number_of(&named, "done"), 1);
}

/* ---- terms ---- */

Test(jobs, options_and_visibility_of_the_query_hold_for_all_games)
{
    struct answer answer = import_text("?options.rules=casual&visibility=public&file=two.usi",
                                       "startpos moves 7g7f\nstartpos moves 2g2f\n");
    struct answer list = items("");
    struct answer game =
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", text_of(&list, "items.1.game"));

    cr_assert_str_eq(text_of(&answer, "params.file"), "two.usi");
    cr_assert_str_eq(text_of(&game, "options.rules"), "casual");
    cr_assert_str_eq(text_of(&game, "visibility"), "public");
}

/* ---- archives ---- */

Test(jobs, all_files_of_an_archive_are_read)
{
    struct archive_file archive = {0};
    struct answer answer, list;

    archive_add(&archive, "games/", "", 0, ARCHIVE_STORED);
    archive_add_text(&archive, "games/a.usi", "startpos moves 7g7f\nstartpos moves 2g2f\n",
                     ARCHIVE_DEFLATED);
    archive_add_text(&archive, "__MACOSX/a.usi", "startpos\n", ARCHIVE_STORED);
    archive_add_text(&archive, "b.pdn", "[White \"B\"]\n1. a3-a4 *\n", ARCHIVE_STORED);
    archive_add_text(&archive, "notes.txt", "Nothing to play here.", ARCHIVE_STORED);
    archive_end(&archive);
    answer = import_archive(&archive);
    cr_assert_str_eq(text_of(&answer, "state"), "done");
    cr_assert_eq(number_of(&answer, "done"), 3);
    list = items("");
    cr_assert_str_eq(text_of(&list, "items.1.file"), "games/a.usi");
    cr_assert_eq(number_of(&list, "items.1.line"), 2);
    cr_assert_str_eq(text_of(&list, "items.2.file"), "b.pdn");
    cr_assert_str_eq(text_of(&list, "items.3.problem.code"), "unknown-format");
}

Test(jobs, a_file_of_several_mib_is_taken)
{
    struct archive_file archive = {0};
    char *zeros = calloc(1, 3 << 20);
    struct answer answer;

    archive_add(&archive, "zeros", zeros, 3 << 20, ARCHIVE_STORED);
    archive_add_text(&archive, "a.usi", "startpos moves 7g7f\n", ARCHIVE_DEFLATED);
    archive_end(&archive);
    answer = import_archive(&archive);
    cr_assert_eq(number_of(&answer, "done"), 1);
    cr_assert_eq(number_of(&answer, "failed"), 1);
    free(zeros);
}

Test(jobs, an_entry_that_unfolds_to_too_much_is_refused_and_the_others_are_read)
{
    struct archive_file archive = {0};
    struct answer answer, list;

    archive_add_text(&archive, "a.usi", "startpos moves 7g7f\n", ARCHIVE_DEFLATED);
    archive_add_zeros(&archive, "bomb.kif", 64 << 20);
    archive_add_text(&archive, "b.usi", "startpos moves 7g7f\n", ARCHIVE_DEFLATED);
    archive_end(&archive);
    answer = import_archive(&archive);
    list = items("");
    cr_assert_str_eq(text_of(&answer, "state"), "done");
    cr_assert_not_null(strstr(text_of(&list, "items.1.problem.detail"), "unfolds to more"));
    cr_assert_eq(number_of(&list, "items.1.line"), 1);
    cr_assert(has(&list, "items.0.game") && has(&list, "items.2.game"));
}

Test(jobs, an_archive_that_unfolds_to_too_much_in_all_is_read_up_to_there)
{
    struct archive_file archive = {0};
    struct answer answer;

    for (int i = 0; i < 40; i++)
        archive_add_zeros(&archive, "bomb.kif", 7 << 20);
    archive_end(&archive);
    answer = import_archive(&archive);
    cr_assert_str_eq(text_of(&answer, "state"), "failed");
    cr_assert_not_null(strstr(text_of(&answer, "result.detail"), "256 MiB"));
    cr_assert_eq(number_of(&answer, "done"), 0);
}

/* A file of 9 MiB of zeros that the directory names 20,000 times. */
static struct archive_file bomb(void)
{
    struct archive_file archive = {0};

    archive_add_zeros(&archive, "bomb.kif", 9 << 20);
    for (int i = 1; i < 20000; i++)
        archive_add_again(&archive);
    archive_end(&archive);
    return archive;
}

Test(jobs, what_unfolds_in_vain_counts_like_what_is_read)
{
    struct archive_file archive = bomb();
    struct answer answer = import_archive(&archive);

    cr_assert_not_null(strstr(text_of(&answer, "result.detail"), "256 MiB"));
    cr_assert_eq(number_of(&answer, "failed"), 256 / 8 + 1);
}

Test(jobs, an_entry_is_told_without_the_characters_that_no_name_may_have)
{
    static const char name[] = "a\xe2\x80\xaegpj.\x07usi\xe2\x80\x8d";
    struct archive_file archive = {0};
    struct answer list;

    archive_add_text(&archive, name, "startpos moves 7g7f\n", ARCHIVE_STORED);
    archive_end(&archive);
    import_archive(&archive);
    list = items("");
    cr_assert_str_eq(text_of(&list, "items.0.file"), "a?gpj.?usi?");
}

Test(jobs, a_broken_archive_is_refused_at_once)
{
    struct archive_file archive = {0};
    struct answer answer;

    archive_add_text(&archive, "a.usi", "startpos moves 7g7f\n", ARCHIVE_DEFLATED);
    archive_end(&archive);
    answer = send_file("", "", archive.bytes, archive.len - 30);
    assert_problem(&answer, 422, "bad-record");
}

/* ---- jobs ---- */

Test(jobs, the_same_key_makes_no_second_job)
{
    const char *file = "startpos moves 7g7f\n";
    struct answer first = send_file("", "Idempotency-Key: one\r\n", file, strlen(file));
    struct answer second = send_file("", "Idempotency-Key: one\r\n", file, strlen(file));
    struct answer other = send_file("", "Idempotency-Key: one\r\n", file, strlen(file) - 1);
    struct answer list = ask_as(&house, ada.token, "GET", "/v1/jobs", NULL);

    assert_status(&second, 202);
    cr_assert_str_eq(text_of(&second, "params.collection"), text_of(&first, "params.collection"));
    cr_assert_str_eq(text_of(&first, "id"), text_of(&second, "id"));
    assert_problem(&other, 422, "idempotency-key-reused");
    cr_assert_eq(cJSON_GetArraySize(member(&list, "items")), 1);
    only_collection();
}

Test(jobs, one_that_the_database_refuses_is_told)
{
    struct http_reply reply;
    char headers[160];

    PG_PLAIN_ONLY("a trigger");
    house_move_out(&house);
    ada = new_player(&house, "Ada");
    house_sql(&house, "create function refuse() returns trigger language plpgsql"
                      " as 'begin raise ''no''; end';"
                      " create trigger refuse before insert on tasks"
                      " for each row execute function refuse()");
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", ada.token);
    http_request(house.plyd.port, &reply, "POST", "/v1/me/imports", headers, "1. a3-a4 *\n");
    cr_assert_eq(reply.status, 500);
    http_free(&reply);
}

Test(jobs, nobody_else_sees_a_job)
{
    struct answer answer = import_text("", "startpos moves 7g7f\n");

    assert_status(&answer, 200);
    answer = ask_at(&house, eve.token, "GET", NULL, "/v1/jobs/%s", op);
    assert_problem(&answer, 404, "no-such-job");
    answer = ask_at(&house, eve.token, "DELETE", NULL, "/v1/jobs/%s", op);
    assert_status(&answer, 204);
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", op);
    assert_status(&answer, 200);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/jobs/%s/items", op);
    assert_problem(&answer, 401, "token-missing");
}

/* Sends a file that takes much longer than the next request. */
static struct answer begin_long_import(void)
{
    size_t lines = 20000, len = lines * strlen("startpos moves 7g7f\n");
    char *file = malloc(len + 1), *at = file;
    struct answer answer;

    for (size_t i = 0; i < lines; i++)
        at = stpcpy(at, "startpos moves 7g7f\n");
    answer = send_file("", "", file, len);
    assert_status(&answer, 202);
    snprintf(op, sizeof(op), "%s", text_of(&answer, "id"));
    free(file);
    return answer;
}

/* How many games a collection of the player has. */
static int games_of(const char *collection)
{
    struct answer list = ask_as(&house, ada.token, "GET", "/v1/me/collections", NULL);
    const cJSON *item;
    int games = -1;

    cJSON_ArrayForEach(item, member(&list, "items"))
    {
        if (strcmp(cJSON_GetObjectItem(item, "id")->valuestring, collection) == 0)
            games = cJSON_GetObjectItem(item, "games")->valueint;
    }
    return games;
}

/* A piece may be under way, whose games stay: of eight at most. */
Test(jobs, a_job_that_is_cancelled_makes_no_more_games)
{
    struct answer begun = begin_long_import(), answer, before, after;

    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/jobs/%s", op);
    assert_status(&answer, 204);
    before = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", op);
    cr_assert_str_eq(text_of(&before, "state"), "cancelled");
    answer = import_text("", "startpos moves 2g2f\n"); /* its turn comes when the other is over */
    after = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%.26s",
                   strrchr(text_of(&before, "links.self"), '/') + 1);
    cr_assert_eq(number_of(&after, "done"), number_of(&before, "done"));
    cr_assert_leq(games_of(text_of(&begun, "params.collection")), number_of(&after, "done") + 8);
}

/* ---- beside others ---- */

struct job {
    struct player player;
    char id[32];
};

/* Has a player import a file of so many games. */
static void begin_job(struct job *job, int lines)
{
    char *file = malloc((size_t)lines * strlen("startpos moves 2g2f\n") + 1), *at = file;
    struct answer answer;

    for (int i = 0; i < lines; i++)
        at = stpcpy(at, "startpos moves 2g2f\n");
    answer = ask_as(&house, job->player.token, "POST", "/v1/me/imports", file);
    assert_status(&answer, 202);
    snprintf(job->id, sizeof(job->id), "%s", text_of(&answer, "id"));
    free(file);
}

/* What is "done" so far, or has "failed". */
static int count_of(const struct job *job, const char *what)
{
    struct answer answer = ask_at(&house, job->player.token, "GET", NULL, "/v1/jobs/%s", job->id);

    return number_of(&answer, what);
}

static int done_by(const struct job *job)
{
    return count_of(job, "done");
}

/* Whether the daemon works on a job. */
static bool is_at_work(void)
{
    struct answer answer = ask_as(&house, NULL, "GET", "/metrics", NULL);
    bool none = strstr(answer.reply.body, "\nplyd_jobs 0\n") != NULL;

    return !none;
}

/* A house with one daemon, which imports a long file. */
static struct job begin_long_job(void)
{
    struct job job = {0};

    house_move_out(&house);
    job.player = new_player(&house, "Ada");
    eve = new_player(&house, "Eve");
    begin_job(&job, 20000);
    while (done_by(&job) == 0)
        continue;
    return job;
}

/* What is counted in these tests is the games of the long import meanwhile, and not the time: that
 * does not depend on how busy the machine is. */
Test(jobs, a_file_has_its_turn_soon_beside_a_long_one_of_another_player)
{
    struct job long_one = begin_long_job(), other = {.player = eve};
    int before = done_by(&long_one);

    begin_job(&other, 80);
    job_await(&house, eve.token, other.id);
    cr_assert_leq(done_by(&long_one) - before, 1500);
}

Test(jobs, files_of_one_game_wait_for_a_piece_of_a_long_one_each)
{
    enum { FILES = 8 };
    struct job long_one = begin_long_job(), other[FILES];
    int before = done_by(&long_one);

    for (int i = 0; i < FILES; i++) {
        other[i] = (struct job){.player = eve};
        begin_job(&other[i], 1);
    }
    for (int i = 0; i < FILES; i++)
        job_await(&house, eve.token, other[i].id);
    cr_assert_leq(done_by(&long_one) - before, 400);
}

/* A daemon on which what a client may have for a day is used up soon. */
static void move_to_a_small_quota(void)
{
    house_move_out(&house);
    ada = new_player(&house, "Ada");
    eve = new_player(&house, "Eve");
    plyd_stop(&house.plyd);
    plyd_start(&house.plyd, house.database, "--quota-address", "100", "--quota-window-s", "86400",
               NULL);
}

/* Of 8 MiB each entry costs 128 requests. */
Test(jobs, a_player_who_has_had_much_unfolded_waits_for_the_rest_and_others_do_not)
{
    struct archive_file archive = bomb();
    struct job job = {0}, other = {0};
    struct answer answer;
    int unfolded;

    move_to_a_small_quota();
    answer = send_file("", "", archive.bytes, archive.len);
    assert_status(&answer, 202);
    job.player = ada;
    snprintf(job.id, sizeof(job.id), "%s", text_of(&answer, "id"));
    do {
        unfolded = count_of(&job, "failed");
        cr_assert_leq(unfolded, 2);
    } while (unfolded == 0 || is_at_work());
    other.player = eve;
    begin_job(&other, 80);
    job_await(&house, eve.token, other.id);
    cr_assert_eq(done_by(&other), 80);
}

Test(jobs, long_files_of_many_players_are_imported_side_by_side)
{
    enum { PLAYERS = 7, LINES = 2000 };
    struct job job[PLAYERS];

    house_move_out(&house);
    for (int i = 0; i < PLAYERS; i++) {
        job[i] = (struct job){.player = new_player(&house, "Ada")};
        begin_job(&job[i], LINES);
    }
    for (int i = 0; i < PLAYERS; i++)
        for (int looks = 0; done_by(&job[i]) == 0; looks++)
            back_off(looks);
    for (int i = 0; i < PLAYERS; i++)
        cr_assert_lt(done_by(&job[i]), LINES);
}

Test(jobs, a_job_whose_collection_is_deleted_ends_there)
{
    struct answer begun = begin_long_import(), answer;

    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/me/collections/%s",
                    text_of(&begun, "params.collection"));
    assert_status(&answer, 204);
    job_await(&house, ada.token, op);
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", op);
    cr_assert_str_eq(text_of(&answer, "state"), "failed");
    cr_assert_not_null(strstr(text_of(&answer, "result.detail"), "deleted"));
}

Test(jobs, a_job_that_is_over_can_be_forgotten)
{
    struct answer answer = import_text("", "startpos moves 7g7f\n");

    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/jobs/%s", op);
    assert_status(&answer, 204);
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", op);
    assert_problem(&answer, 404, "no-such-job");
    answer = ask_at(&house, ada.token, "DELETE", NULL, "/v1/jobs/%s", op);
    assert_status(&answer, 204);
}

/* As if the present job had been over for so many days. Its player's jobs are looked at. */
static void let_pass(int days)
{
    char id[2 * sizeof(db_id) + 1], sql[400];
    db_id bytes;

    cr_assert(ids_read(op, &bytes));
    sodium_bin2hex(id, sizeof(id), bytes.byte, sizeof(bytes.byte));
    snprintf(sql, sizeof(sql),
             "update tasks set updated_at = now() - interval '%d days' where id = '%s';"
             "update due set at = now(), leased_until = now() where kind = %d"
             " and id = (select owner_id from tasks where id = '%s')",
             days, id, DUE_TASKS, id);
    house_sql(&house, sql);
}

Test(jobs, one_that_is_over_is_kept_for_thirty_days)
{
    char young[32];
    struct answer answer;
    int status, looks = 0;

    import_text("", "startpos moves 7g7f\n");
    strcpy(young, op);
    let_pass(29);
    import_text("", "startpos moves 2g2f\n");
    let_pass(31);
    do {
        back_off(looks++);
        answer = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", op);
        status = answer.status;
    } while (status == 200);
    cr_assert_eq(status, 404);
    answer = ask_at(&house, ada.token, "GET", NULL, "/v1/jobs/%s", young);
    assert_status(&answer, 200);
}

Test(jobs, only_a_player_may_import_a_file)
{
    struct answer answer = ask_as(&house, NULL, "POST", "/v1/me/imports", "startpos");

    assert_problem(&answer, 401, "token-missing");
}
