#include "pairs.h"

#include <stdio.h>

struct pair pair_open(struct house *house, const char *clock)
{
    struct pair pair;
    char body[512];

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"options\":{\"rows\":9,\"cols\":9,\"k\":5},"
             "\"seats\":[{\"me\":true},{\"open\":true}],\"clock\":%s}",
             clock);
    pair.game = new_game(house, body);
    snprintf(pair.path, sizeof(pair.path), "/v1/games/%s", pair.game.id);
    return pair;
}

struct answer pair_join(struct house *house, const struct pair *pair)
{
    return ask_at(house, NULL, "POST", NULL, "%s/join", pair->path);
}

struct pair pair_new(struct house *house, const char *clock)
{
    struct pair pair = pair_open(house, clock);
    struct answer answer = pair_join(house, &pair);

    assert_status(&answer, 200);
    snprintf(pair.second, sizeof(pair.second), "%s", text_of(&answer, "token"));
    return pair;
}
