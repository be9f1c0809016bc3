/*
 * analysis.h - the use cases of the engine as an adviser: what it thinks of a position, and of the
 * moves that were played on a line.
 *
 * A search is a thinker's. Its answer is a document or a text when it has ended, or a stream of
 * lines while it goes on: of ever greater depths for a position, of one ply after the other for a
 * line. Who may ask about which game was asked before (may.h).
 */
#ifndef PLYD_API_PLAY_ANALYSIS_H
#define PLYD_API_PLAY_ANALYSIS_H

#include "api/game/question.h"
#include "api/http/request.h"

/* Whether this daemon can search positions of a game. False: it was answered. */
bool analysis_is_there(struct request *request, const struct rules_game *game);

/* Answers with what the engine thinks of a position. The question lies in the request's arena. */
void analysis_answer(struct request *request, const struct question *question);

/* The moves of a line that are judged, from the position before the first of them. */
struct analysis_line {
    const struct rules_game *game;
    const struct rules_state *start;
    const uint64_t *keys; /* of the positions before the start */
    size_t nkeys;
    rules_move last;          /* the move that led to the start; none if it is not known */
    int32_t ply;              /* of the start */
    const char *const *moves; /* canonical */
    size_t nmoves;
    uint64_t nodes; /* for each position */
};

/* Answers with a stream of what the engine thinks of each move, and how many were good. */
void analysis_judge(struct request *request, const struct analysis_line *line);

#endif
