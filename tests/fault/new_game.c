#include "new_game.h"

#include <criterion/criterion.h>
#include <time.h>

#include "tests/support/http.h"

enum { TRIES = 300, PAUSE_NS = 100000000 };

void new_game(int port, const char *asked, char id[NEW_GAME_ID], char token[NEW_GAME_TOKEN])
{
    struct http_reply reply;
    int tries = 0;

    for (;;) {
        http_request(port, &reply, "POST", "/v1/games", "Content-Type: application/json\r\n",
                     asked);
        if (reply.status != 503 || ++tries == TRIES)
            break;
        http_free(&reply);
        nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
    }
    cr_assert_eq(reply.status, 201, "%d: %.300s", reply.status, reply.body);
    cr_assert(http_copy_member(reply.body, "id", id, NEW_GAME_ID), "%.300s", reply.body);
    cr_assert(http_copy_member(reply.body, "token", token, NEW_GAME_TOKEN), "%.300s", reply.body);
    http_free(&reply);
}
