#include "importers.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/backoff.h"

enum { REQUEST_MAX = 4096, LINE = 24 };

/* ---- importing ---- */

static void ask(struct importer *importer, const char *request, int wanted)
{
    int status = stubborn_send(&importer->all->net, request, importer->answer);

    cr_assert_eq(status, wanted, "%d to %.200s: %.800s", status, request, importer->answer);
}

static void enrol(struct importer *importer)
{
    static const char body[] = "{\"name\":\"Ada\"}";
    char request[REQUEST_MAX];

    snprintf(request, sizeof(request),
             "POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: importer number %3d is new\r\nContent-Length: %zu\r\n\r\n%s",
             importer->number, strlen(body), body);
    ask(importer, request, 201);
    stubborn_member(importer->answer, "\"token\":\"", importer->player, sizeof(importer->player));
}

static void import(struct importer *importer)
{
    char request[REQUEST_MAX], file[IMPORTER_GAMES * LINE + 1], *at = file;

    for (int i = 0; i < IMPORTER_GAMES; i++)
        at = stpcpy(at, "startpos moves 7g7f\n");
    snprintf(request, sizeof(request),
             "POST /v1/me/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
             "Content-Type: text/plain\r\nIdempotency-Key: file %d of importer %d\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             importer->player, importer->jobs, importer->number, strlen(file), file);
    ask(importer, request, 202);
    stubborn_member(importer->answer, "\"id\":\"", importer->job[importer->jobs],
                    sizeof(importer->job[0]));
    importer->jobs++;
}

static cJSON *get(struct importer *importer, const char *path)
{
    char request[REQUEST_MAX];

    snprintf(request, sizeof(request),
             "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path,
             importer->player);
    ask(importer, request, 200);
    return cJSON_Parse(strstr(importer->answer, "\r\n\r\n") + 4);
}

static void await_end(struct importer *importer)
{
    char path[64], state[16];
    int looks = 0;

    snprintf(path, sizeof(path), "/v1/jobs/%s", importer->job[importer->jobs - 1]);
    do {
        back_off(looks++);
        cJSON_Delete(get(importer, path));
        stubborn_member(importer->answer, "\"state\":\"", state, sizeof(state));
    } while (strcmp(state, "waiting") == 0 || strcmp(state, "running") == 0);
    cr_assert_str_eq(state, "done", "%.800s", importer->answer);
    importer->all->jobs++;
}

static void *run(void *cls)
{
    struct importer *importer = cls;

    enrol(importer);
    while (!importer->all->net.stop && importer->jobs < IMPORTER_JOBS_MAX) {
        import(importer);
        await_end(importer);
    }
    return NULL;
}

void importers_start(struct importers *importers, int count, int port)
{
    pthread_t *threads = calloc((size_t)count, sizeof(*threads));

    memset(importers, 0, sizeof(*importers));
    importers->net.port = port;
    importers->count = count;
    importers->importer = calloc((size_t)count, sizeof(*importers->importer));
    importers->threads = threads;
    for (int i = 0; i < count; i++) {
        struct importer *importer = &importers->importer[i];

        importer->all = importers;
        importer->number = i;
        importer->answer = malloc(STUBBORN_ANSWER_MAX);
        cr_assert_eq(pthread_create(&threads[i], NULL, run, importer), 0);
    }
}

void importers_progress(struct importers *importers, uint64_t jobs)
{
    uint64_t goal = importers->jobs + jobs;

    for (int looks = 0; importers->jobs < goal; looks++)
        back_off(looks);
}

void importers_stop(struct importers *importers)
{
    pthread_t *threads = importers->threads;

    importers->net.stop = true;
    for (int i = 0; i < importers->count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- judging ---- */

static int number_in(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(member) ? member->valueint : -1;
}

static void judge_job(struct importer *importer, const char *job)
{
    char path[96];
    const cJSON *item;
    cJSON *page;
    int number = 0;

    snprintf(path, sizeof(path), "/v1/jobs/%s/items?limit=100", job);
    page = get(importer, path);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(page, "items"))
    {
        const cJSON *game = cJSON_GetObjectItemCaseSensitive(item, "game");

        number++;
        cr_assert_eq(number_in(item, "number"), number, "%s", job);
        cr_assert_eq(number_in(item, "line"), number, "%s", job);
        cr_assert(cJSON_IsString(game), "%s: item %d is no game", job, number);
        snprintf(path, sizeof(path), "/v1/games/%s", game->valuestring);
        cJSON_Delete(get(importer, path));
    }
    cr_assert_eq(number, IMPORTER_GAMES, "%s", job);
    cJSON_Delete(page);
}

int importers_judge(struct importers *importers)
{
    int games = 0;

    for (int i = 0; i < importers->count; i++) {
        struct importer *importer = &importers->importer[i];

        for (int k = 0; k < importer->jobs; k++)
            judge_job(importer, importer->job[k]);
        games += importer->jobs * IMPORTER_GAMES;
        free(importer->answer);
    }
    free(importers->importer);
    return games;
}
