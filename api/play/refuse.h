/*
 * refuse.h - problems about a game. Its present state goes with them, so that one refused request
 * is enough to be up to date again.
 */
#ifndef PLYD_API_PLAY_REFUSE_H
#define PLYD_API_PLAY_REFUSE_H

#include "api/http/request.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/view.h"

void refuse_game(struct request *request, const struct game_view *view, enum problem problem,
                 const char *detail);

/* The same with members of its own: they are written before reply_problem_send(). */
void refuse_open(struct request *request, struct json *json, const struct game_view *view,
                 enum problem problem, const char *detail);

#endif
