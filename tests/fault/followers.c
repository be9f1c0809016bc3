#include "followers.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/support/backoff.h"
#include "tests/support/stream.h"

enum { LOOK_US = 300000, REQUEST_MAX = 512, PAGE = 50 };

/* ---- asking ---- */

static cJSON *get(struct follower *follower, const char *id, const char *path)
{
    char request[REQUEST_MAX];

    snprintf(request, sizeof(request), "GET /v1/games/%s%s HTTP/1.1\r\nHost: x\r\n\r\n", id, path);
    cr_assert_eq(stubborn_send(&follower->all->friends->net, request, follower->answer), 200,
                 "%.500s", follower->answer);
    return cJSON_Parse(strstr(follower->answer, "\r\n\r\n") + 4);
}

static int number_in(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

    cr_assert(cJSON_IsNumber(member), "no %s", name);
    return member->valueint;
}

static int version_of(struct follower *follower, const char *id)
{
    cJSON *game = get(follower, id, "");
    int version = number_in(game, "version");

    cJSON_Delete(game);
    return version;
}

/* ---- what is told ---- */

static struct followed *followed_game(struct follower *follower, const char *id)
{
    struct followed *game = follower->game;

    while (game < follower->game + follower->games && strcmp(game->id, id) != 0)
        game++;
    if (game == follower->game + follower->games) {
        cr_assert_lt(follower->games, FRIENDS_GAMES_MAX);
        snprintf(game->id, sizeof(game->id), "%s", id);
        follower->games++;
    }
    return game;
}

/* Only of all games of a player something may come again. */
static void hear(struct follower *follower, const struct stream_message *message)
{
    struct followed *game = &follower->game[follower->games - 1];
    const char *at = strstr(message->data, "\"version\":");
    int version = at == NULL ? 0 : atoi(at + strlen("\"version\":"));
    char id[32];

    if (follower->of_player) {
        cr_assert(http_copy_member(message->data, "game", id, sizeof(id)), "%s", message->data);
        game = followed_game(follower, id);
    }
    cr_assert(version == game->heard + 1 ||
                  (follower->of_player && version > 0 && version <= game->heard),
              "%s: %s after version %d", game->id, message->data, game->heard);
    snprintf(follower->cursor, sizeof(follower->cursor), "%s", message->cursor);
    if (version <= game->heard) {
        follower->all->again++;
        return;
    }
    cr_assert_lt(version, 2 * FRIENDS_EVENTS_MAX);
    game->event[version] = strdup(message->data);
    game->heard = version;
    follower->all->told++;
}

/* ---- until when ---- */

static bool is_heard(struct follower *follower, struct followed *game)
{
    if (game->end == 0)
        game->end = version_of(follower, game->id);
    cr_assert_leq(game->heard, game->end, "%s", game->id);
    return game->heard == game->end;
}

/* Nothing more will come that was not told. */
static bool is_complete(struct follower *follower)
{
    const struct pair *pair = follower->pair;

    if (!follower->of_player)
        return (follower->all->last || pair->begun > follower->games) &&
               is_heard(follower, &follower->game[follower->games - 1]);
    if (!follower->all->last)
        return false;
    for (int i = 0; i < pair->begun; i++)
        if (!is_heard(follower, followed_game(follower, pair->games[i].id)))
            return false;
    return true;
}

/* ---- following ---- */

static int next_port(struct follower *follower)
{
    struct stubborn *net = &follower->all->friends->net;

    return follower->all->connections++ % 2 == 1 && net->other != 0 ? net->other : net->port;
}

static void write_path(const struct follower *follower, char path[REQUEST_MAX])
{
    if (follower->of_player)
        snprintf(path, REQUEST_MAX, "/v1/me/events?after=0");
    else
        snprintf(path, REQUEST_MAX, "/v1/games/%s/events?after=0",
                 follower->game[follower->games - 1].id);
}

static void write_headers(const struct follower *follower, char headers[REQUEST_MAX])
{
    int len = snprintf(headers, REQUEST_MAX, "Accept: text/event-stream\r\n");

    if (follower->of_player)
        len += snprintf(headers + len, (size_t)(REQUEST_MAX - len), "Authorization: Bearer %s\r\n",
                        follower->pair->player[1]);
    if (follower->cursor[0] != '\0')
        snprintf(headers + len, (size_t)(REQUEST_MAX - len), "Last-Event-ID: %s\r\n",
                 follower->cursor);
}

/* False: there is no stream now. */
static bool connect_stream(struct follower *follower, struct stream *stream)
{
    char path[REQUEST_MAX], headers[REQUEST_MAX];
    struct http_reply head;
    int fd = stubborn_connect(next_port(follower)), status;

    if (fd < 0)
        return false;
    write_path(follower, path);
    write_headers(follower, headers);
    stream_open_on(stream, fd, path, headers, &head);
    status = head.status;
    http_free(&head);
    cr_assert(status == 200 || status == 503 || status == 0, "%s: %d", path, status);
    if (status == 200)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, LOOK_US},
                   sizeof(struct timeval));
    else
        stream_close(stream);
    return status == 200;
}

static void take_messages(struct follower *follower, struct stream *stream)
{
    while (!is_complete(follower)) {
        struct stream_message message;

        errno = 0;
        if (stream_message(stream, &message))
            hear(follower, &message);
        else if (errno != EAGAIN && errno != EINTR)
            return;
    }
}

static void follow(struct follower *follower)
{
    for (int tries = 0; !is_complete(follower); tries++) {
        struct stream stream;

        if (connect_stream(follower, &stream)) {
            take_messages(follower, &stream);
            stream_close(&stream);
            tries = 0;
        } else {
            back_off(tries);
        }
    }
}

/* False: there is none any more. */
static bool await_game(const struct follower *follower)
{
    for (int looks = 0; follower->pair->begun <= follower->games && !follower->all->last; looks++)
        back_off(looks);
    return follower->pair->begun > follower->games;
}

static void *run(void *cls)
{
    struct follower *follower = cls;

    for (int looks = 0; follower->of_player && !follower->pair->enrolled; looks++)
        back_off(looks);
    if (follower->of_player) {
        follow(follower);
        return NULL;
    }
    while (await_game(follower)) {
        followed_game(follower, follower->pair->games[follower->games].id);
        follower->cursor[0] = '\0';
        follow(follower);
    }
    return NULL;
}

void followers_start(struct followers *followers, struct friends *friends)
{
    pthread_t *threads = calloc(2 * (size_t)friends->count, sizeof(*threads));

    memset(followers, 0, sizeof(*followers));
    followers->friends = friends;
    followers->count = 2 * friends->count;
    followers->follower = calloc((size_t)followers->count, sizeof(*followers->follower));
    followers->threads = threads;
    for (int i = 0; i < followers->count; i++) {
        struct follower *follower = &followers->follower[i];

        follower->all = followers;
        follower->pair = &friends->pairs[i / 2];
        follower->of_player = i % 2 == 1;
        follower->answer = malloc(STUBBORN_ANSWER_MAX);
        cr_assert_eq(pthread_create(&threads[i], NULL, run, follower), 0);
    }
}

void followers_stop(struct followers *followers)
{
    pthread_t *threads = followers->threads;

    followers->last = true;
    for (int i = 0; i < followers->count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- judging ---- */

static void judge_event(const struct follower *follower, const struct followed *game,
                        const cJSON *event)
{
    int version = number_in(event, "version");
    cJSON *told = cJSON_Parse(game->event[version]);

    if (follower->of_player) {
        cJSON_DeleteItemFromObjectCaseSensitive(told, "game");
        cJSON_DeleteItemFromObjectCaseSensitive(told, "cursor");
    }
    cr_assert(cJSON_Compare(told, event, true), "%s was told %s", game->id, game->event[version]);
    cJSON_Delete(told);
}

static void judge_game(struct follower *follower, struct followed *game)
{
    for (int version = 0; version < game->heard;) {
        char path[64];
        const cJSON *event;
        cJSON *page;

        snprintf(path, sizeof(path), "/events?limit=%d&after=%d", PAGE, version);
        page = get(follower, game->id, path);
        cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(page, "items"))
        {
            cr_assert_eq(number_in(event, "version"), ++version, "%s", game->id);
            cr_assert_leq(version, game->heard, "%s: an event was not told", game->id);
            judge_event(follower, game, event);
            free(game->event[version]);
        }
        cJSON_Delete(page);
    }
}

void followers_judge(struct followers *followers)
{
    for (int i = 0; i < followers->count; i++) {
        struct follower *follower = &followers->follower[i];

        cr_assert_eq(follower->games, follower->pair->begun);
        for (int g = 0; g < follower->games; g++)
            judge_game(follower, &follower->game[g]);
        free(follower->answer);
    }
    free(followers->follower);
}
