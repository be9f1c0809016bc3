/*
 * model.h - what plyd has to answer to a request about games, and what the request changes.
 *
 * It takes stories (story.h) and requests as plain values, and says which status, code and body
 * have to come (shown.h). In which order refusals are looked for is part of it.
 *
 * A verb for what a clock does finds its place in model_verb and in the switch of model_answer().
 */
#ifndef PLYD_TESTS_WALK_MODEL_H
#define PLYD_TESTS_WALK_MODEL_H

#include "shown.h"
#include "story.h"

enum {
    MODEL_MOVES_MAX = 100, /* of a request */
    MODEL_VERSIONS_MAX = 3,
    MODEL_NONE = STORY_NONE /* a number that is not given */
};

enum model_verb {
    MODEL_CREATE,
    MODEL_FORK,
    MODEL_JOIN,
    MODEL_POST, /* moves */
    MODEL_PUT,  /* a move as a certain ply */
    MODEL_UNDO,
    MODEL_REDO,
    MODEL_RESIGN,
    MODEL_ABORT,
    MODEL_OFFER,
    MODEL_ACCEPT,
    MODEL_DECLINE,
    MODEL_WITHDRAW,
    MODEL_CLAIM,
    MODEL_MESSAGE,
    MODEL_INVITE,
    MODEL_DISINVITE,
    MODEL_REMATCH,
    MODEL_GAME, /* look at the game; and at what follows, in it */
    MODEL_EVENTS,
    MODEL_HISTORY,
    MODEL_POSITION,
    MODEL_LEGAL
};

/* The terms of a new game. What is not given is NULL, "" or 0. */
struct model_terms {
    const struct rules_game *rules;
    size_t noptions;
    struct {
        const char *name;
        char value[24];
    } option[RULES_OPTIONS_MAX];
    char position[RULES_POSITION_TEXT];
    bool seats_given; /* else both are the asker's */
    struct {
        enum story_sitter sitter; /* a person: the asker */
        char name[32];
    } seat[STORY_SEATS];
    uint64_t seed;
    const char *undo, *visibility;
    bool clock;
};

struct model_request {
    enum model_verb verb;
    const struct story_client *who;
    struct story *story; /* NULL: there is no game of that id, or none is needed */
    struct story *next;  /* the rematch of that game, if there is one */
    bool text;           /* text/plain is wanted */
    bool tree;           /* of legal moves, not a list */
    bool with_moves;     /* include=legal_moves */
    bool dry_run;
    const char *key;  /* the Idempotency-Key, or NULL */
    const char *sent; /* what has to be the same for a key to mean the same request */
    bool guarded;     /* If-Match: one of these versions; without any, whatever it is */
    long long version[MODEL_VERSIONS_MAX]; /* below 0: a weak tag */
    size_t nversions;
    int has; /* If-None-Match: this version */
    int ply, line, to_ply, after, limit;
    int seat; /* 0: the name of no seat */
    char name[32];
    const char *kind; /* of an offer that is made, or of a claim */
    const char *message;
    const char *invitation; /* the code that somebody joins with, or NULL */
    int offer;              /* the one that is answered, by its id */
    size_t nmoves;
    char move[MODEL_MOVES_MAX][RULES_MOVE_TEXT];
    bool offers_draw; /* with the last one of them */
    bool list;        /* the moves came as a list, be it of one */
    size_t nclicks;   /* in place of a move */
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    struct model_terms terms;
    int wrong; /* the status of a request that makes no sense, whatever the game is; 0: it does */
    const char *wrong_code;
    bool wrong_query; /* it is the query or a header, not the body */
};

/* An answer under an Idempotency-Key. */
struct model_kept {
    struct model_kept *next;
    char game[32], key[32], caller[96];
    bool made;  /* the game itself */
    bool whole; /* it has a token, and is kept as it is */
    char *sent, *body;
    int status, version;
};

struct model_answer {
    int status;
    const char *code;               /* of a problem, or NULL */
    cJSON *body;                    /* JSON, or NULL */
    char *text;                     /* text/plain, or NULL: */
    bool whole;                     /* all of it, not only its beginning */
    int version;                    /* that the ETag tells, or 0 */
    bool replayed;                  /* it was given before */
    const struct model_kept *again; /* that answer, byte for byte */
    struct story *made;             /* a new game; its id and tokens are the daemon's to say */
    struct story *next;             /* a new rematch, with the tokens of the game before it */
    int joined;                     /* a seat, whose token is the daemon's to say; 0: none */
    int invited;                    /* a seat, whose invitation is; 0: none */
};

void model_answer(const struct model_kept *kept, const struct model_request *request,
                  struct model_answer *answer);
void model_answer_free(struct model_answer *answer);

#endif
