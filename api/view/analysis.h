/*
 * analysis.h - what the engine thinks of a position, as JSON and as a text.
 *
 * Scores are in hundredths of a man, for the side to move.
 */
#ifndef PLYD_API_VIEW_ANALYSIS_H
#define PLYD_API_VIEW_ANALYSIS_H

#include "api/game/search_request.h"
#include "api/text/json.h"

/* Writes an opinion as members. `complete`: it was searched as far as was asked for. */
void view_opinion(struct json *json, const struct search_request *question,
                  const struct opinion *opinion, bool complete);

/* The same for people: a line of text for each line of moves, the best first. */
const char *view_opinion_text(struct arena *arena, const struct search_request *question,
                              const struct opinion *opinion);

/* A score as people write it: "+0.35", "win in 3 plies". */
const char *view_score_text(struct arena *arena, int32_t score);

#endif
