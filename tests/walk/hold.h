/*
 * hold.h - asks the daemons, and holds what they answer against the model.
 *
 * Where an answer is not what the model says, the test fails. It then tells the seed, the step, the
 * request as a line for a shell, what was expected and what came, and where the log of the walk is.
 */
#ifndef PLYD_TESTS_WALK_HOLD_H
#define PLYD_TESTS_WALK_HOLD_H

#include "walk.h"

/* Connects to a daemon, the first or the second one. */
void hold_connect(struct walk *walk, int daemon);

/* Takes a step. A game that it makes takes the place `slot`, which must be free. */
void hold_step(struct walk *walk, struct walk_step *step, size_t slot);

/* Looks at the whole of a game: as somebody sees it, every event, and (all: each line; else the
 * present one and one more) the moves of its lines. */
void hold_game(struct walk *walk, const struct walk_game *game, const struct story_client *who,
               bool all);

/* A step that only looks. */
struct walk_step hold_look(enum model_verb verb, const struct story_client *who,
                           struct story *story);

/* Counts something that happened; and prints how often everything did, answers too. */
void hold_count(const char *kind);
void hold_print_counts(FILE *file);

#endif
