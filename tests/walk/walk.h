/*
 * walk.h - a random walk: clients who do what chance has them do, in several games at once, by way
 * of two daemons that serve the same database.
 *
 * Everything that chance decides follows from the seed, so that a seed walks the same way again.
 * Only ids, tokens and times are others, and no decision depends on them.
 */
#ifndef PLYD_TESTS_WALK_WALK_H
#define PLYD_TESTS_WALK_WALK_H

#include <stdio.h>

#include "model.h"
#include "tests/http/house.h"

enum {
    WALK_GAMES = 20, /* more than the second daemon keeps in memory */
    WALK_PLAYERS = 2,
    WALK_STEPS_KEPT = 16, /* to be repeated */
    WALK_DAEMONS = 2
};

/* A request that makes no sense, and what it is refused with. NULL: as it would be otherwise. */
struct walk_nonsense {
    enum model_verb verb;
    const char *query, *header, *type, *body;
    const char *place; /* in place of a ply */
    int status;
    const char *code;
};

enum walk_form { WALK_JSON, WALK_FORM, WALK_BARE };

enum walk_kill { WALK_LIVES, WALK_KILLED_BEFORE, WALK_KILLED_MEANWHILE };

/* A request, and how it is sent. */
struct walk_step {
    struct model_request request;
    const struct walk_nonsense *nonsense; /* or NULL */
    enum walk_form form;                  /* of the body */
    int daemon;
    enum walk_kill kill;
    int pauses;   /* requests that are answered before the kill */
    char key[32]; /* the Idempotency-Key, or "" */
};

/* A game of the walk, and who plays it by the tokens of its seats. */
struct walk_game {
    struct story *story; /* NULL: none */
    struct story_client sitter[STORY_SEATS];
};

struct walk {
    uint64_t seed; /* the state of chance */
    uint64_t first_seed;
    long step, requests;
    struct house house;
    int fd[WALK_DAEMONS];
    struct walk_game game[WALK_GAMES];
    struct story_client player[WALK_PLAYERS];
    struct model_kept *kept;
    struct walk_step past[WALK_STEPS_KEPT];
    size_t npast;
    int keys; /* how many there were */
    FILE *log;
    char log_name[64];
};

#endif
