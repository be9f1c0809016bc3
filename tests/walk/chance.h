/*
 * chance.h - what clients do by chance: things that make sense, things that come too late, things
 * that only others may do, things that were done already, and nonsense.
 */
#ifndef PLYD_TESTS_WALK_CHANCE_H
#define PLYD_TESTS_WALK_CHANCE_H

#include "walk.h"

/* A number below n; one of a range; whether something happens that happens so many times of 100. */
size_t chance_of(struct walk *walk, size_t n);
int chance_between(struct walk *walk, int least, int most);
bool chance_percent(struct walk *walk, size_t percent);

/* A request that makes a game. */
void chance_game(struct walk *walk, struct walk_step *step);

/* A request about one of the games of the walk, or one that was made before once more. */
void chance_step(struct walk *walk, struct walk_step *step);

/* A legal move at a point of a story; now and then one that leads back to an earlier position, so
 * that positions recur. False: there is none. */
bool chance_legal_move(struct walk *walk, const struct story *story,
                       const struct story_point *point, char *text);

/* terms.c: a name, or "". Who sits where, and what else a fork and a new game may say. And the rest
 * of a new game: variant, options, start, first moves. */
const char *chance_name(struct walk *walk);
void chance_terms(struct walk *walk, struct model_terms *terms);
void chance_new_game(struct walk *walk, struct model_request *request);

/* nonsense.c */
const struct walk_nonsense *chance_nonsense(struct walk *walk);

#endif
