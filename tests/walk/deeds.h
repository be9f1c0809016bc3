/*
 * deeds.h - each thing that can be asked of a game, with its answer and with what it changes. Where
 * they are called, what model.c looks at first has been looked at: the request makes sense, there
 * is a game, and no answer is kept.
 */
#ifndef PLYD_TESTS_WALK_DEEDS_H
#define PLYD_TESTS_WALK_DEEDS_H

#include "model.h"

/* moves.c: POST and PUT. */
void deed_moves(struct model_answer *answer, struct model_request request);

/* seats.c: undo and redo, join, resign and abort. */
void deed_turn(struct model_answer *answer, const struct model_request *request);
void deed_join(struct model_answer *answer, const struct model_request *request);
void deed_give_up(struct model_answer *answer, const struct model_request *request);

/* offers.c: making and answering them; and what an undo is where the other side has to agree. */
void deed_offer(struct model_answer *answer, const struct model_request *request);
void deed_ask_undo(struct model_answer *answer, const struct model_request *request);
void deed_answer_offer(struct model_answer *answer, const struct model_request *request);

/* talk.c */
void deed_claim(struct model_answer *answer, const struct model_request *request);
void deed_message(struct model_answer *answer, const struct model_request *request);
void deed_invite(struct model_answer *answer, const struct model_request *request);
void deed_disinvite(struct model_answer *answer, const struct model_request *request);

/* games.c */
void deed_create(struct model_answer *answer, const struct model_request *request);
void deed_fork(struct model_answer *answer, const struct model_request *request);

/* rematch.c: making or finding the next game, and the answer to that. */
void deed_rematch(struct model_answer *answer, const struct model_request *request);
void deed_show_rematch(struct model_answer *answer, const struct model_request *request,
                       const struct story *next, int status);

/* looks.c: all that only looks. */
void deed_look(struct model_answer *answer, const struct model_request *request);

#endif
