/*
 * analysis.h - a search for a request, and its answer.
 *
 * What it thinks of a position, and of the moves that were played on a line.
 *
 * A search is a thinker's. Its answer is a document or a text when it has ended, or a stream of
 * lines while it goes on: of ever greater depths for a position, of one ply after the other for a
 * line. Who may ask about which game was asked before (rights.h).
 */
#ifndef PLYD_API_ENDPOINTS_ENGINE_ANALYSIS_H
#define PLYD_API_ENDPOINTS_ENGINE_ANALYSIS_H

#include "api/endpoints/engine/review.h"
#include "api/game/search_request.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "api/text/json.h"

enum {
    ANALYSIS_PLIES_MAX = 1000,  /* of a line that is judged */
    ANALYSIS_NODES_MAX = 100000 /* for each of its positions */
};

/* Whether this daemon can search positions of a game. False: it was answered. */
bool analysis_is_there(struct request *request);

/* Part of a step, once the game may be shown: whether its asker may have it analysed, here. */
enum step analysis_may(struct op *op);

/* Answers with what the engine thinks of a position. The question lies in the request's arena.
 * `board` is the value of a document's member "board", or NULL. */
void analysis_answer(struct request *request, const struct search_request *question,
                     const char *board);

/* Answers with a stream of what the engine thinks of each move, and how many were good. */
void analysis_judge(struct request *request, const struct review_line *line);

/* Write the members of one of its lines, and those of the last. */
void analysis_write_judged(struct json *json, const struct judged *judged);
void analysis_write_tally(struct json *json, const struct review_tally *tally);

#endif
