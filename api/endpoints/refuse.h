/*
 * refuse.h - refusals that show the game.
 *
 * The game's present state goes with them, so that a client is up to date again after one refused
 * request and need not ask for the game.
 */
#ifndef PLYD_API_ENDPOINTS_REFUSE_H
#define PLYD_API_ENDPOINTS_REFUSE_H

#include "api/http/request.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/view.h"

/* Answers with a problem about the game of the view. `detail` NULL: what the problem means in
 * general. */
void refuse_game(struct request *request, const struct game_view *view, enum problem problem,
                 const char *detail);

/* Begins such a problem. The caller adds members to *json and calls reply_problem_send(). */
void refuse_open(struct request *request, struct json *json, const struct game_view *view,
                 enum problem problem, const char *detail);

#endif
