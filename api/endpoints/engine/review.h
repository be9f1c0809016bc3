/*
 * review.h - judges the moves of a line, one after the other.
 *
 * The position before the first move is searched first, then the one after each move: what the
 * engine thinks of it is also what it would have played there. Each search is a call of
 * review_next(), which a thinker makes, so that those of others may come between them.
 */
#ifndef PLYD_API_ENDPOINTS_ENGINE_REVIEW_H
#define PLYD_API_ENDPOINTS_ENGINE_REVIEW_H

#include "api/game/search_request.h"
#include "api/game/verdict.h"

struct thought;

/* Has the engine search, and counts the nodes in the thought. False: it was ended early. */
bool review_ask(const struct search_request *question, struct thought *thought,
                const struct engine_listener *listener, struct opinion *opinion);

/* The moves of a line that are judged, from the position before the first of them. */
struct review_line {
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

/* A move that was judged. The scores are those of the side that made it; both count the plies to an
 * end from the position before it. After is never better than before: where a move turns out better
 * than what the engine would have played, it is the best one that is known. */
struct judged {
    int32_t ply;
    unsigned seat;
    const char *move, *text;      /* canonical, and as people write it */
    const char *best, *best_text; /* what is best as far as the engine knows; NULL: nothing */
    int32_t before, after;
    enum verdict verdict;
};

struct review;

/* Copies everything to the arena. */
struct review *review_new(struct arena *arena, const struct review_line *line);

/* Does the next search. The first one judges no move: judged->move is NULL. The texts of the others
 * lie in `arena`. False: the search was ended early, or the move cannot be read. */
bool review_next(struct review *judging, struct thought *thought, struct arena *arena,
                 struct judged *judged);

/* Whether all moves are judged. */
bool review_is_over(const struct review *judging);

/* Before the first search: plays so many moves, which were judged before. False: one cannot be
 * read. */
bool review_skip(struct review *judging, size_t moves);

/* How many moves of each seat were judged so, and the nodes of all searches. */
struct review_tally {
    int count[RULES_SEATS][VERDICTS];
    uint64_t nodes;
};
const struct review_tally *review_tally(const struct review *judging);

#endif
