/*
 * answer.h - what answers are made of: problems, games and moves; and the guards that every deed in
 * a game has to pass.
 */
#ifndef PLYD_TESTS_WALK_ANSWER_H
#define PLYD_TESTS_WALK_ANSWER_H

#include "model.h"

/* A problem that tells nothing of the game; and one that tells how the game stands. */
void answer_problem(struct model_answer *answer, const struct model_request *request, int status,
                    const char *code);
void answer_refusal(struct model_answer *answer, const struct model_request *request,
                    const char *code);

/* A game as whoever plays these seats sees it; and the game of the request as the asker sees it. */
void answer_story(struct model_answer *answer, const struct model_request *request,
                  const struct story *story, unsigned seats, int status);
void answer_here(struct model_answer *answer, const struct model_request *request, int status);

/* A game with a token, which is shown once. */
void answer_with_token(struct model_answer *answer, const struct model_request *request,
                       const struct story *story, unsigned seats, int status);

/* Puts moves around the game that the answer is: a single one is the object itself. */
void answer_moves(struct model_answer *answer, cJSON *moves, bool list);

/* Adds what the computer played after a version, if it did. */
void answer_add_computer(cJSON *object, const struct story *story, int version);

/* Whether If-Match names the game's version. */
bool answer_is_expected(const struct model_request *request);

/* Whether the asker may see the game; else the answer is the refusal. */
bool answer_may_watch(struct model_answer *answer, const struct model_request *request);

/* Whether the asker plays a seat, of the game that they mean; else the answer is the refusal. */
bool answer_may_act(struct model_answer *answer, const struct model_request *request);

#endif
