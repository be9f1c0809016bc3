#include "players.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "tests/support/backoff.h"

/* ---- playing ---- */

static bool new_game(struct player *player, char *answer)
{
    const char *body = player->all->against_engine
                           ? "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},"
                             "{\"engine\":\"plyd\",\"level\":2}]}"
                           : "{\"variant\":\"jungle\"}";
    struct player_game *game = &player->games[player->ngames];
    char request[512];
    int status;

    snprintf(request, sizeof(request),
             "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: game %3d of player %2d, %d seats\r\nContent-Length: %zu\r\n\r\n%s",
             player->ngames, player->number, player->all->against_engine ? 1 : 2, strlen(body),
             body);
    status = stubborn_send(&player->all->net, request, answer);
    if (status == 0)
        return false;
    cr_assert_eq(status, 201, "a game is not created: %.500s", answer);
    stubborn_member(answer, "\"id\":\"", game->id, sizeof(game->id));
    stubborn_member(answer, "\"token\":\"", game->token, sizeof(game->token));
    player->ngames++;
    return true;
}

/* Odd players repeat by PUT, even ones by key. */
static void write_request(const struct player *player, const struct player_game *game, int ply,
                          char *request, size_t size)
{
    const char *move = game->move[ply];

    if (player->number % 2 == 1)
        snprintf(request, size,
                 "PUT /v1/games/%s/moves/%d HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
                 "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
                 game->id, ply, game->token, strlen(move), move);
    else
        snprintf(request, size,
                 "POST /v1/games/%s/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
                 "Idempotency-Key: %s-%d\r\nContent-Type: text/plain\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 game->id, game->token, game->id, ply, strlen(move), move);
}

static bool play_ply(struct player *player, struct player_game *game, rules_move move,
                     struct rules_state *state, char *answer)
{
    const struct rules_game *rules = rules_find("jungle");
    struct rules_state next;
    char request[512], position[RULES_POSITION_TEXT], wanted[RULES_POSITION_TEXT + 32];
    int ply = game->plies + 1, status;

    rules->move_text(state, move, game->move[ply]);
    rules->play(state, move, &next);
    rules_copy(&next, state);
    game->plies = ply;
    write_request(player, game, ply, request, sizeof(request));
    status = stubborn_send(&player->all->net, request, answer);
    if (status == 0)
        return false;
    cr_assert(status == 201 || status == 200, "ply %d of %s: %.800s", ply, game->id, answer);
    if (status == 200 || strstr(answer, "Idempotent-Replayed: true") != NULL)
        player->all->replayed++;
    game->acknowledged = ply;
    player->all->acknowledged++;
    if (player->all->against_engine) /* its answer may be there by then */
        return true;
    rules->position_text(state, position);
    snprintf(wanted, sizeof(wanted), "\"position\":\"%s\"", position);
    cr_assert_not_null(strstr(answer, wanted), "ply %d of %s: not %s in %.1500s", ply, game->id,
                       wanted, answer);
    return true;
}

static void await_ply(struct player *player, const struct player_game *game, char *answer)
{
    char request[256];
    int looks = 0;

    snprintf(request, sizeof(request),
             "GET /v1/games/%s/moves?after=%d HTTP/1.1\r\nHost: x\r\n\r\n", game->id, game->plies);
    do {
        back_off(looks++);
        cr_assert_eq(stubborn_send(&player->all->net, request, answer), 200, "%.500s", answer);
    } while (strstr(answer, "\"ply\":") == NULL);
}

/* Waits for the engine's move and plays it, also when the players stop. */
static void hear_ply(struct player *player, struct player_game *game, const rules_move *moves,
                     size_t n, struct rules_state *state, char *answer)
{
    const struct rules_game *rules = rules_find("jungle");
    char text[RULES_MOVE_TEXT], *move = game->move[game->plies + 1];
    struct rules_state next;
    size_t i = 0;

    await_ply(player, game, answer);
    stubborn_member(answer, "\"move\":\"", move, sizeof(game->move[0]));
    do {
        cr_assert_lt(i, n, "the engine's move %s in %s is not legal", move, game->id);
        rules->move_text(state, moves[i], text);
    } while (strcmp(text, move) != 0 && ++i > 0);
    rules->play(state, moves[i], &next);
    rules_copy(&next, state);
    game->acknowledged = ++game->plies;
    player->all->acknowledged++;
}

static bool is_engines_turn(const struct player *player, const struct player_game *game)
{
    return player->all->against_engine && game->plies % 2 == 1;
}

static void play_game(struct player *player, struct player_game *game, char *answer)
{
    const struct rules_game *rules = rules_find("jungle");
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(rules, &options, NULL, &state, &why));
    while ((!player->all->net.stop || is_engines_turn(player, game)) &&
           game->plies < PLAYER_PLIES_MAX) {
        rules_move moves[256];
        size_t n = rules->legal(&state, moves, 256);

        if (rules_outcome_now(rules, &state).status != RULES_ONGOING || n == 0)
            return;
        if (is_engines_turn(player, game))
            hear_ply(player, game, moves, n, &state, answer);
        else if (!play_ply(player, game, moves[rules_choose(&player->seed, n)], &state, answer))
            return;
    }
}

static void *run(void *cls)
{
    struct player *player = cls;
    char *answer = malloc(STUBBORN_ANSWER_MAX);

    while (!player->all->net.stop && player->ngames < PLAYER_GAMES_MAX && new_game(player, answer))
        play_game(player, &player->games[player->ngames - 1], answer);
    free(answer);
    return NULL;
}

static void start(struct players *players, int count, int port, bool against_engine)
{
    pthread_t *threads = calloc((size_t)count, sizeof(*threads));

    memset(players, 0, sizeof(*players));
    players->against_engine = against_engine;
    players->net.port = port;
    players->count = count;
    players->player = calloc((size_t)count, sizeof(*players->player));
    players->threads = threads;
    for (int i = 0; i < count; i++) {
        players->player[i].all = players;
        players->player[i].number = i;
        players->player[i].seed = (uint64_t)i;
        cr_assert_eq(pthread_create(&threads[i], NULL, run, &players->player[i]), 0);
    }
}

void players_start(struct players *players, int count, int port)
{
    start(players, count, port, false);
}

void players_start_against_engine(struct players *players, int count, int port)
{
    start(players, count, port, true);
}

void players_progress(struct players *players, uint64_t moves)
{
    uint64_t goal = players->acknowledged + moves;

    for (int looks = 0; players->acknowledged < goal; looks++)
        back_off(looks);
}

void players_stop(struct players *players)
{
    pthread_t *threads = players->threads;

    players->net.stop = true;
    for (int i = 0; i < players->count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- judging ---- */

static int present_ply(const char *answer)
{
    const char *at = strstr(answer, "\"tip\":");

    return at == NULL ? -1 : atoi(at + 6);
}

/* Asserts that the history, read page by page, is what was sent, as far as the game goes. */
static void judge_game(struct players *players, const struct player_game *game, char *answer)
{
    char request[256];
    int there, seen = 0;

    snprintf(request, sizeof(request), "GET /v1/games/%s HTTP/1.1\r\nHost: x\r\n\r\n", game->id);
    cr_assert_eq(stubborn_once(players->net.port, request, answer), 200, "%.300s", answer);
    there = present_ply(answer);
    cr_assert(there >= game->acknowledged && there <= game->plies,
              "%s: %d plies are there, %d were acknowledged and %d sent", game->id, there,
              game->acknowledged, game->plies);
    while (seen < there) {
        const char *at = answer;

        snprintf(request, sizeof(request),
                 "GET /v1/games/%s/moves?after=%d&limit=100 HTTP/1.1\r\nHost: x\r\n\r\n", game->id,
                 seen);
        cr_assert_eq(stubborn_once(players->net.port, request, answer), 200, "%.300s", answer);
        while ((at = strstr(at, "\"ply\":")) != NULL) {
            char move[32];

            cr_assert_eq(atoi(at + 6), seen + 1, "%s: ply %d is missing or doubled", game->id,
                         seen + 1);
            stubborn_member(at, "\"move\":\"", move, sizeof(move));
            seen++;
            cr_assert_str_eq(move, game->move[seen], "%s, ply %d", game->id, seen);
            at++;
        }
    }
}

void players_judge(struct players *players)
{
    char *answer = malloc(STUBBORN_ANSWER_MAX);

    for (int i = 0; i < players->count; i++)
        for (int g = 0; g < players->player[i].ngames; g++)
            judge_game(players, &players->player[i].games[g], answer);
    free(answer);
    free(players->player);
}
