#include "new_game.h"

#include <criterion/criterion.h>

#include "tests/support/backoff.h"
#include "tests/support/http.h"

void new_game(int port, const char *asked, char id[NEW_GAME_ID], char token[NEW_GAME_TOKEN])
{
    struct http_reply reply;

    for (int tries = 0;; tries++) {
        http_request(port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                     asked);
        if (reply.status != 503)
            break;
        http_free(&reply);
        back_off(tries);
    }
    cr_assert_eq(reply.status, 201, "%d: %.300s", reply.status, reply.body);
    cr_assert(http_copy_member(reply.body, "id", id, NEW_GAME_ID), "%.300s", reply.body);
    cr_assert(http_copy_member(reply.body, "token", token, NEW_GAME_TOKEN), "%.300s", reply.body);
    http_free(&reply);
}
