#include "friends.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "tests/support/backoff.h"

enum { SIDE = 9, SQUARES = SIDE * SIDE, SQUARES_USED = 70, BODY_MAX = 512 };

/* ---- asking ---- */

static struct friends_game *present(struct pair *pair)
{
    return &pair->games[pair->ngames - 1];
}

/* Each deed has a key of its own, so that it is done once however often it is asked for. */
static int ask(struct pair *pair, int seat, const char *method, const char *body, const char *path,
               ...) __attribute__((format(printf, 5, 6)));
static int ask(struct pair *pair, int seat, const char *method, const char *body, const char *path,
               ...)
{
    struct friends_game *game = present(pair);
    char request[2 * BODY_MAX], address[128];
    va_list values;
    int status;

    va_start(values, path);
    vsnprintf(address, sizeof(address), path, values);
    va_end(values);
    snprintf(request, sizeof(request),
             "%s /v1/games/%s%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n%s%s-%d\r\n"
             "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n%s",
             method, game->id, address, game->token[seat],
             strcmp(method, "POST") == 0 ? "Idempotency-Key: " : "X-Deed: ", game->id,
             ++game->deeds, body[0] == '{' ? "application/json" : "text/plain", strlen(body), body);
    status = stubborn_send(&pair->all->net, request, pair->answer);
    cr_assert_neq(status, 0, "no answer to %s", request);
    pair->all->replayed += strstr(pair->answer, "Idempotent-Replayed: true") != NULL;
    pair->all->acknowledged++;
    return status;
}

static void expect(struct pair *pair, const char *type, int seat, const char *detail, bool by_plan)
{
    struct friends_game *game = present(pair);
    struct friends_event *event = &game->event[game->events++];

    cr_assert_leq(game->events, FRIENDS_EVENTS_MAX);
    *event = (struct friends_event){.type = type, .seat = seat, .by_plan = by_plan};
    snprintf(event->detail, sizeof(event->detail), "%s", detail);
}

static void require(const struct pair *pair, int status, int wanted)
{
    cr_assert_eq(status, wanted, "game %s: %d and not %d: %.1500s",
                 pair->games[pair->ngames - 1].id, status, wanted, pair->answer);
}

/* ---- a game ---- */

/* As a player of the pair, or as a stranger: 0. */
static void post(struct pair *pair, int player, const char *path, const char *body, int wanted)
{
    char request[BODY_MAX * 2], bearer[160] = "";

    if (pair->player[player][0] != '\0')
        snprintf(bearer, sizeof(bearer), "Authorization: Bearer %s\r\n", pair->player[player]);
    snprintf(request, sizeof(request),
             "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s"
             "Idempotency-Key: pair %3d, request %5d\r\nContent-Length: %zu\r\n\r\n%s",
             path, bearer, pair->number, ++pair->posts, strlen(body), body);
    require(pair, stubborn_send(&pair->all->net, request, pair->answer), wanted);
}

static void enrol(struct pair *pair)
{
    char body[BODY_MAX];

    for (int i = 1; i <= 2; i++) {
        post(pair, 0, "/v1/players", "{\"name\":\"Ada\"}", 201);
        stubborn_member(pair->answer, "\"token\":\"", pair->player[i], sizeof(pair->player[i]));
    }
    snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%d/\"}", pair->all->receiver);
    post(pair, 1, "/v1/webhooks", body, 201);
    pair->enrolled = true;
}

static void shuffle_squares(struct pair *pair, struct friends_game *game)
{
    for (int i = 0; i < SQUARES; i++)
        snprintf(game->square[i], sizeof(game->square[i]), "%c%d", 'a' + i % SIDE, 1 + i / SIDE);
    for (size_t i = SQUARES - 1; i > 0; i--) {
        size_t other = rules_choose(&pair->seed, i + 1);
        char kept[4];

        memcpy(kept, game->square[i], sizeof(kept));
        memcpy(game->square[i], game->square[other], sizeof(kept));
        memcpy(game->square[other], kept, sizeof(kept));
    }
}

static void new_game(struct pair *pair)
{
    static const char body[] =
        "{\"variant\":\"tictactoe\",\"options\":{\"rows\":9,\"cols\":9,\"k\":9},"
        "\"seats\":[{\"me\":true},{\"open\":true}],\"clock\":{\"kind\":\"fischer\","
        "\"initial\":\"10d\",\"increment\":\"1h\",\"max\":\"20d\"}}";
    struct friends_game *game = &pair->games[pair->ngames++];
    char path[64];

    post(pair, 1, "/v1/games", body, 201);
    stubborn_member(pair->answer, "\"id\":\"", game->id, sizeof(game->id));
    stubborn_member(pair->answer, "\"token\":\"", game->token[1], sizeof(game->token[1]));
    snprintf(path, sizeof(path), "/v1/games/%s/join", game->id);
    post(pair, 2, path, "{}", 200);
    stubborn_member(pair->answer, "\"token\":\"", game->token[2], sizeof(game->token[2]));
    shuffle_squares(pair, game);
    expect(pair, "created", 0, "", false);
    expect(pair, "joined", 0, "", false);
    pair->begun++;
}

/* ---- what a pair does ---- */

static int to_move(const struct friends_game *game)
{
    return 1 + game->ply % 2;
}

static int one_of_both(struct pair *pair)
{
    return 1 + (int)rules_choose(&pair->seed, 2);
}

static void do_move(struct pair *pair)
{
    struct friends_game *game = present(pair);
    const char *square = game->square[game->squares++];

    expect(pair, "move", to_move(game), square, false);
    require(pair, ask(pair, to_move(game), "POST", square, "/moves"), 201);
    game->ply++;
    pair->all->moves++;
}

/* The side that waits says what it will answer, and the other side plays just that move. */
static void do_plan(struct pair *pair)
{
    struct friends_game *game = present(pair);
    const char *move = game->square[game->squares++], *then = game->square[game->squares++];
    int mover = to_move(game);
    char body[BODY_MAX];

    snprintf(body, sizeof(body), "{\"after_ply\":%d,\"tree\":[{\"if\":\"%s\",\"then\":\"%s\"}]}",
             game->ply, move, then);
    require(pair, ask(pair, 3 - mover, "PUT", body, "/plan"), 200);
    expect(pair, "move", mover, move, false);
    expect(pair, "move", 3 - mover, then, true);
    require(pair, ask(pair, mover, "POST", move, "/moves"), 201);
    cr_assert_not_null(strstr(pair->answer, "\"source\":\"plan\""), "%.1500s", pair->answer);
    game->ply += 2;
    pair->all->plans++;
}

/* Makes an offer and returns its id. */
static int offer(struct pair *pair, int seat, const char *kind, const char *more)
{
    char body[BODY_MAX], id[16];

    snprintf(body, sizeof(body), "{\"kind\":\"%s\"%s}", kind, more);
    expect(pair, "offered", seat, kind, false);
    require(pair, ask(pair, seat, "POST", body, "/offers"), 201);
    stubborn_member(pair->answer, "\"offer\":{\"id\":", id, sizeof(id));
    pair->all->offers++;
    return atoi(id);
}

static void agree(struct pair *pair, const char *kind, const char *more)
{
    int seat = one_of_both(pair), id = offer(pair, seat, kind, more);

    expect(pair, "accepted", 3 - seat, kind, false);
    require(pair, ask(pair, 3 - seat, "POST", "", "/offers/%d/accept", id), 200);
}

static void do_decline(struct pair *pair)
{
    int seat = one_of_both(pair), id = offer(pair, seat, "draw", "");

    expect(pair, "declined", 3 - seat, "draw", false);
    require(pair, ask(pair, 3 - seat, "POST", "", "/offers/%d/decline", id), 200);
}

/* Such a request has no key. Once it was carried out, it finds nothing more to do. */
static void require_done(const struct pair *pair, int status, const char *code)
{
    if (status == 409)
        cr_assert_not_null(strstr(pair->answer, code), "%.1500s", pair->answer);
    else
        require(pair, status, 200);
}

static void do_withdraw(struct pair *pair)
{
    int seat = one_of_both(pair), id = offer(pair, seat, "abort", "");

    expect(pair, "withdrawn", seat, "abort", false);
    require_done(pair, ask(pair, seat, "DELETE", "", "/offers/%d", id), "\"offer-void\"");
}

static void do_add(struct pair *pair)
{
    agree(pair, "time", ",\"add\":\"1h\"");
    expect(pair, "time-added", 0, "", false);
}

static void do_pause(struct pair *pair)
{
    agree(pair, "pause", ",\"for\":\"3d\"");
    expect(pair, "paused", 0, "", false);
    expect(pair, "resumed", 2, "", false);
    require_done(pair, ask(pair, 2, "DELETE", "", "/pause"), "\"not-paused\"");
}

static void do_undo(struct pair *pair)
{
    struct friends_game *game = present(pair);
    char more[32];

    if (game->ply == 0)
        return;
    snprintf(more, sizeof(more), ",\"to_ply\":%d", game->ply - 1);
    agree(pair, "undo", more);
    expect(pair, "undo", 0, "", false);
    game->ply--;
}

static void do_draw(struct pair *pair)
{
    if (rules_choose(&pair->seed, 6) == 0) {
        agree(pair, "draw", "");
        present(pair)->over = true;
    }
}

static void (*const deeds[])(struct pair *pair) = {
    do_move,    do_move,     do_move, do_move,  do_plan, do_plan, do_plan,
    do_decline, do_withdraw, do_add,  do_pause, do_undo, do_draw};

static void play(struct pair *pair)
{
    const struct friends_game *game = present(pair);

    while (!pair->all->net.stop && !game->over && game->squares < SQUARES_USED &&
           game->events < FRIENDS_EVENTS_MAX - 8)
        deeds[rules_choose(&pair->seed, sizeof(deeds) / sizeof(deeds[0]))](pair);
}

static void *run(void *cls)
{
    struct pair *pair = cls;

    if (pair->all->receiver != 0)
        enrol(pair);
    while (!pair->all->net.stop && pair->ngames < FRIENDS_GAMES_MAX) {
        new_game(pair);
        play(pair);
    }
    return NULL;
}

void friends_start(struct friends *friends, int count, int port)
{
    friends_start_told(friends, count, port, 0);
}

void friends_start_told(struct friends *friends, int count, int port, int receiver)
{
    pthread_t *threads = calloc((size_t)count, sizeof(*threads));

    memset(friends, 0, sizeof(*friends));
    friends->net.port = port;
    friends->count = count;
    friends->receiver = receiver;
    friends->pairs = calloc((size_t)count, sizeof(*friends->pairs));
    friends->threads = threads;
    for (int i = 0; i < count; i++) {
        struct pair *pair = &friends->pairs[i];

        *pair = (struct pair){.all = friends, .number = i, .seed = (uint64_t)i};
        pair->games = calloc(FRIENDS_GAMES_MAX, sizeof(*pair->games));
        pair->answer = malloc(STUBBORN_ANSWER_MAX);
        cr_assert_eq(pthread_create(&threads[i], NULL, run, pair), 0);
    }
}

void friends_progress(struct friends *friends, uint64_t deeds_done)
{
    uint64_t goal = friends->acknowledged + deeds_done;

    for (int looks = 0; friends->acknowledged < goal; looks++)
        back_off(looks);
}

void friends_stop(struct friends *friends)
{
    pthread_t *threads = friends->threads;

    friends->net.stop = true;
    for (int i = 0; i < friends->count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- judging ---- */

static const char *text_in(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsString(member) ? member->valuestring : "";
}

static int number_in(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(member) ? member->valueint : 0;
}

static cJSON *get(struct pair *pair, const struct friends_game *game, const char *path)
{
    char request[BODY_MAX];

    snprintf(request, sizeof(request), "GET /v1/games/%s%s HTTP/1.1\r\nHost: x\r\n\r\n", game->id,
             path);
    require(pair, stubborn_send(&pair->all->net, request, pair->answer), 200);
    return cJSON_Parse(strstr(pair->answer, "\r\n\r\n") + 4);
}

static void judge_event(const struct friends_game *game, const struct friends_event *wanted,
                        const cJSON *event)
{
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(event, "data");
    const char *type = text_in(event, "type"), *kind = text_in(data, "kind");

    cr_assert_str_eq(type, wanted->type, "game %s, event %d", game->id,
                     number_in(event, "version"));
    if (wanted->seat != 0)
        cr_assert_eq(number_in(event, "seat"), wanted->seat, "game %s, event %d", game->id,
                     number_in(event, "version"));
    cr_assert_str_eq(strcmp(type, "move") == 0 ? text_in(event, "move") : kind, wanted->detail,
                     "game %s, event %d", game->id, number_in(event, "version"));
    cr_assert_eq(strcmp(text_in(data, "source"), "plan") == 0, wanted->by_plan);
}

/* An outage that took long is credited, whatever was done. */
static void judge_log(struct pair *pair, const struct friends_game *game)
{
    int version = 0, seen = 0;

    for (bool more = true; more;) {
        char path[64];
        const cJSON *event;
        cJSON *page;

        snprintf(path, sizeof(path), "/events?limit=50&after=%d", version);
        page = get(pair, game, path);
        more = false;
        cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(page, "items"))
        {
            cr_assert_eq(number_in(event, "version"), ++version, "%s", game->id);
            more = true;
            if (strcmp(text_in(event, "type"), "credited") == 0)
                continue;
            cr_assert_lt(seen, game->events, "game %s: event %d was never asked for", game->id,
                         version);
            judge_event(game, &game->event[seen++], event);
        }
        cJSON_Delete(page);
    }
    cr_assert_eq(seen, game->events, "game %s: %d events are there of %d", game->id, seen,
                 game->events);
}

static void judge_game(struct pair *pair, const struct friends_game *game)
{
    cJSON *shown = get(pair, game, "");

    cr_assert_eq(number_in(shown, "ply"), game->ply, "%s", game->id);
    cr_assert_str_eq(text_in(shown, "status"), game->over ? "finished" : "active", "%s", game->id);
    cr_assert_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(shown, "offers")), 0, "%s",
                 game->id);
    cJSON_Delete(shown);
    judge_log(pair, game);
}

void friends_judge(struct friends *friends)
{
    for (int i = 0; i < friends->count; i++) {
        struct pair *pair = &friends->pairs[i];

        for (int g = 0; g < pair->ngames; g++)
            judge_game(pair, &pair->games[g]);
        free(pair->games);
        free(pair->answer);
    }
    free(friends->pairs);
}
