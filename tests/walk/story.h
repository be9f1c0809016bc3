/*
 * story.h - a game as what happened in it: the plainest model of a game that there can be.
 *
 * A story is the terms of a game and the log of its events. Everything else (lines, positions,
 * ends, who may do what) is worked out anew each time it is asked for, by playing a line from its
 * start. Nothing is kept, so nothing can be out of date. The rules are those of rules.h. No code is
 * shared with api/: what is said here is what the contract and the documents promise.
 *
 * An offer is an event, and its version is the offer's id. It is open until a later event answers
 * it or names it among those that it makes void. A game may have a clock, of which no time is known
 * here, and none runs out.
 */
#ifndef PLYD_TESTS_WALK_STORY_H
#define PLYD_TESTS_WALK_STORY_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "rules/rules.h"

enum {
    STORY_SEATS = 2,
    STORY_EVENTS_MAX = 512, /* of a game; nothing here is made for longer ones */
    STORY_NONE = -1         /* a ply that is not given */
};

/* Somebody who asks. */
struct story_client {
    char token[96];       /* "": they send none */
    char player[32];      /* the id of the player who has that token; "": nobody */
    char player_name[72]; /* theirs */
};

enum story_sitter { STORY_OPEN_SEAT = 1, STORY_PERSON, STORY_COMPUTER };

struct story_seat {
    enum story_sitter sitter;
    char name[72];   /* "": none */
    char token[96];  /* "": none, or not known yet */
    char player[32]; /* "": no player's */
    bool invited;    /* the seat is for whoever has the code */
    char code[64];
};

struct story_event {
    const char *type; /* "created", "joined", "move", "undo", "redo", "resigned", ... */
    int seat;         /* 0: nobody's */
    int line, ply;    /* of the game after it */
    char move[RULES_MOVE_TEXT];
    char *position; /* after a move, and of the start; else NULL */
    cJSON *data;    /* or NULL */
    char at[32];    /* "": not known yet */
};

struct story {
    char id[32];
    const struct rules_game *rules;
    struct rules_options options; /* resolved */
    char start[RULES_POSITION_TEXT];
    struct story_seat seat[STORY_SEATS];
    uint64_t seed; /* the computer's */
    const char *undo, *visibility;
    bool clock;    /* of so many days for a move that no time runs out */
    bool has_next; /* a rematch has followed */
    char next[32]; /* its id; "": not known yet */
    struct story_event event[STORY_EVENTS_MAX]; /* that of version v is event[v - 1] */
    int version;                                /* how many there are */
};

/* Adds an event, of which the caller may fill in the rest. */
struct story_event *story_tell(struct story *story, const char *type, int seat, int line, int ply);

/* Takes back every event after a version, as if nothing had been told. */
void story_drop(struct story *story, int version);

const struct story_event *story_last(const struct story *story);

/* The last event that is about the course of the game: not one that is only said about it. */
const struct story_event *story_last_deed(const struct story *story);

/* All events whose time was not known happened at that one. */
void story_learn_time(struct story *story, const char *at);

void story_free(struct story *story);

/* ---- lines and their points ---- */

/* The moves of a line as moves[1] to moves[ply]. Returns that last ply. */
int story_line(const struct story *story, int line, const struct story_event **moves);

/* A point of a line: a position, what led to it, and what came before. */
struct story_point {
    struct rules_state state, before;
    rules_move move, last; /* the move that led here from `before`, and the one before that */
    uint64_t keys[STORY_EVENTS_MAX]; /* of the positions before it */
    size_t nkeys;
};

void story_begin(const struct story *story, struct story_point *point);

/* Reads a move as requests write it, in a position to which the move `last` led. */
bool story_read(const struct story *story, const struct rules_state *state, rules_move last,
                const char *text, rules_move *move, struct rules_refusal *why);
bool story_step(const struct story *story, struct story_point *point, const char *move,
                struct rules_refusal *why);
void story_point_at(const struct story *story, int line, int ply, struct story_point *point);

/* ---- the game as it is now ---- */

enum story_status { STORY_OPEN, STORY_ACTIVE, STORY_FINISHED, STORY_ABORTED };

struct story_now {
    int line, ply, tip;
    int to_move; /* also tells who would be, were the game not over */
    struct story_point point;
    enum story_status status;
    int winner;         /* of a game that is finished; 0: nobody */
    const char *reason; /* why it is finished */
};

void story_look(const struct story *story, struct story_now *now);
bool story_goes_on(const struct story_now *now);
bool story_has_open_seat(const struct story *story);

/* ---- offers ---- */

enum { STORY_OFFERS_MAX = 6 }; /* those that are open at once: three kinds of each seat */

struct story_offer {
    int id;
    const char *kind; /* "draw", "undo" or "abort" */
    int seat;
    int to_ply; /* of an offer to undo */
};

/* The offer that an event has made, open or not; false: it has made none. */
bool story_offer_of(const struct story *story, int version, struct story_offer *offer);

/* The event that has ended an offer, or NULL: it is open. */
const struct story_event *story_offer_end(const struct story *story, int id);

/* Those that are open, in the order in which they were made. Returns how many they are. */
int story_offers(const struct story *story, struct story_offer offers[STORY_OFFERS_MAX]);

/* The open offer of that kind and seat; 0: there is none. */
int story_offer_by(const struct story *story, const char *kind, int seat);

/* Makes an offer; an open one of the same kind and seat ends by it. And accepts one, with all that
 * comes of it. */
void story_offer(struct story *story, const char *kind, int seat, int to_ply);
void story_accept(struct story *story, int id);

/* Answers one in another way: "declined" or "withdrawn". */
void story_answer(struct story *story, int id, const char *type, int seat);

/* The last event makes offers void, now that it has happened; and it was said to end the game. */
void story_void_offers(struct story *story);
void story_stop(struct story *story);

/* ---- what happens ---- */

/* Goes to a ply: "undo" or "redo". */
void story_turn(struct story *story, const char *type, int to);

/* Plays a move; false if the rules refuse it. Whose turn it is does not matter here. */
bool story_play(struct story *story, const char *move, struct rules_refusal *why);

/* The computer plays as long as it is its turn. */
void story_let_computer_play(struct story *story);

/* The texts of the legal moves of a position, in their order. The caller frees them. */
typedef char story_text[RULES_MOVE_TEXT];
story_text *story_legal_moves(const struct story *story, const struct rules_state *state,
                              size_t *n);

/* ---- who may do what ---- */

/* Whose keys somebody uses: a player's, those of a seat's token, or those of all strangers. */
const char *story_caller(const struct story_client *who);

/* The seats that somebody plays, as bits: seat 1 is bit 1, seat 2 is bit 2. */
unsigned story_seats_of(const struct story *story, const struct story_client *who);
bool story_plays(unsigned seats, int seat);

/* To whom the game does not exist. */
bool story_is_hidden(const struct story *story, unsigned seats);

/* Why something is not allowed now, as the code of the problem; NULL if it is. Where *to is
 * STORY_NONE it becomes the ply that is meant. */
const char *story_may_not_move(const struct story_now *now, unsigned seats);
const char *story_may_not_undo(const struct story *story, const struct story_now *now,
                               unsigned seats, int *to);
const char *story_may_not_redo(const struct story *story, const struct story_now *now,
                               unsigned seats, int *to);
const char *story_may_not_resign(const struct story_now *now);
const char *story_may_not_abort(const struct story_now *now);
const char *story_may_not_offer(const struct story *story, const struct story_now *now,
                                unsigned seats, const char *kind, int *to);
const char *story_may_not_plan(const struct story_now *now, unsigned seats);
const char *story_may_not_invite(const struct story_now *now);
const char *story_may_not_claim_timeout(const struct story *story, const struct story_now *now,
                                        unsigned seats);
const char *story_may_not_rematch(const struct story_now *now);
const char *story_may_not_hint(const struct story *story, const struct story_now *now,
                               unsigned seats);

#endif
