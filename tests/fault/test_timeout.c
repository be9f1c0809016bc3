/*
 * test_timeout.c - clocks run out while two daemons look and PostgreSQL is killed: each game is
 * lost once, and at its deadline.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "stubborn.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"

enum { GAMES = 8, WATCHERS = 4, DAEMONS = 2, REQUEST_MAX = 512 };

struct clocked {
    char id[32], token[64], deadline[32];
};

struct scene {
    struct pg_cluster cluster;
    struct plyd plyd[DAEMONS];
    struct stubborn net[DAEMONS]; /* of each daemon */
    struct clocked game[GAMES];
    _Atomic int ended; /* games that somebody has seen to be over */
};

struct watcher {
    struct scene *scene;
    int number;
};

static void post(struct scene *scene, const char *path, const char *token, const char *body,
                 char *answer)
{
    char request[REQUEST_MAX];
    int status;

    snprintf(request, sizeof(request),
             "POST %s HTTP/1.1\r\nHost: x\r\n%s%s%sContent-Type: %s\r\nContent-Length: %zu\r\n"
             "\r\n%s",
             path, token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
             token == NULL ? "" : "\r\n", body[0] == '{' ? "application/json" : "text/plain",
             strlen(body), body);
    status = stubborn_send(&scene->net[0], request, answer);
    cr_assert_eq(status, 201, "%s: %.500s", path, answer);
}

/* A game in which seat 1 has two seconds from now on. */
static void new_game(struct scene *scene, struct clocked *game, char *answer)
{
    char path[64];

    post(scene, "/v1/games", NULL,
         "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"byoyomi\",\"initial\":0,"
         "\"period\":\"2s\"}}",
         answer);
    stubborn_member(answer, "\"id\":\"", game->id, sizeof(game->id));
    stubborn_member(answer, "\"token\":\"", game->token, sizeof(game->token));
    snprintf(path, sizeof(path), "/v1/games/%s/moves", game->id);
    post(scene, path, game->token, "b2", answer);
    post(scene, path, game->token, "a1", answer);
    stubborn_member(answer, "\"deadline_at\":\"", game->deadline, sizeof(game->deadline));
}

/* Looks at all games until it has seen that each is over. */
static void *watch(void *cls)
{
    const struct watcher *watcher = cls;
    struct scene *scene = watcher->scene;
    char *answer = malloc(STUBBORN_ANSWER_MAX), request[REQUEST_MAX];

    for (int i = 0; i < GAMES;) {
        const struct clocked *game = &scene->game[(i + watcher->number / DAEMONS) % GAMES];

        snprintf(request, sizeof(request), "GET /v1/games/%s HTTP/1.1\r\nHost: x\r\n\r\n",
                 game->id);
        cr_assert_eq(stubborn_send(&scene->net[watcher->number % DAEMONS], request, answer), 200);
        if (strstr(answer, "\"status\":\"finished\"") != NULL) {
            scene->ended++;
            i++;
        }
    }
    free(answer);
    return NULL;
}

/* The server is killed before the first deadline, or in the midst of them. */
static void kill_server(struct scene *scene, bool at_once)
{
    while (!at_once && scene->ended == 0)
        stubborn_pause_ms(1);
    pg_cluster_kill9(&scene->cluster);
    pg_cluster_restart(&scene->cluster);
}

/* If the server was away for long, that was credited first. */
static void judge(struct scene *scene, const struct clocked *game, char *answer)
{
    char request[REQUEST_MAX];
    const cJSON *items, *last;
    cJSON *page;
    int count;

    snprintf(request, sizeof(request),
             "GET /v1/games/%s/events?after=3 HTTP/1.1\r\nHost: x\r\n\r\n", game->id);
    cr_assert_eq(stubborn_send(&scene->net[0], request, answer), 200);
    page = cJSON_Parse(strstr(answer, "\r\n\r\n") + 4);
    items = cJSON_GetObjectItem(page, "items");
    count = cJSON_GetArraySize(items);
    last = cJSON_GetArrayItem(items, count - 1);
    cr_assert_str_eq(cJSON_GetObjectItem(last, "type")->valuestring, "timeout", "%s", answer);
    if (count == 1)
        cr_assert_str_eq(cJSON_GetObjectItem(last, "at")->valuestring, game->deadline);
    for (int i = 0; i < count - 1; i++)
        cr_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(items, i), "type")->valuestring,
                         "credited", "%s", answer);
    cJSON_Delete(page);
}

static void play_round(struct scene *scene, bool at_once)
{
    char *answer = malloc(STUBBORN_ANSWER_MAX);
    pthread_t thread[WATCHERS];
    struct watcher watcher[WATCHERS];

    scene->ended = 0;
    for (int i = 0; i < GAMES; i++)
        new_game(scene, &scene->game[i], answer);
    for (int i = 0; i < WATCHERS; i++) {
        watcher[i] = (struct watcher){scene, i};
        cr_assert_eq(pthread_create(&thread[i], NULL, watch, &watcher[i]), 0);
    }
    kill_server(scene, at_once);
    for (int i = 0; i < WATCHERS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < GAMES; i++)
        judge(scene, &scene->game[i], answer);
    free(answer);
}

Test(timeout, noticed_by_two_daemons_while_postgres_is_killed_is_one_event)
{
    static struct scene scene;

    pg_cluster_start(&scene.cluster, NULL);
    plyd_migrate(scene.cluster.url);
    for (int i = 0; i < DAEMONS; i++) {
        plyd_start(&scene.plyd[i], scene.cluster.url, NULL);
        scene.net[i].port = scene.plyd[i].port;
    }
    for (int i = 0; i < rounds(); i++)
        play_round(&scene, i % 2 == 0);
    printf("timeouts: %d kills, %d games, %d watchers, %llu requests repeated\n", rounds(),
           rounds() * GAMES, WATCHERS,
           (unsigned long long)scene.net[0].repeated + scene.net[1].repeated);
    for (int i = 0; i < DAEMONS; i++)
        cr_assert_eq(plyd_stop(&scene.plyd[i]), 0);
    cr_assert(plyd_verified(scene.cluster.url), "a stored game does not replay");
    pg_cluster_remove(&scene.cluster);
}
