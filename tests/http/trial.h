/*
 * trial.h - requests of all operations, one after the other, as they are asked by somebody. Each
 * has to be answered as the contract says.
 */
#ifndef PLYD_TESTS_HTTP_TRIAL_H
#define PLYD_TESTS_HTTP_TRIAL_H

#include "house.h"

/* A good request. {id} is a game of jungle with two plies of which one was
 * undone, {open} one with an open seat, {new} one without moves, {ours} and {theirs} one of two
 * people with a clock, as seat 1 and as seat 2, {asked} one to which another player is challenged,
 * {draw}, {abort} and {pause} offers in it, {won} one of shogi in which a win can be claimed,
 * {hook} a webhook, {job} a job that is over. */
struct step {
    const char *operation, *method, *path, *body;
    int status;
};

/* Who asks: whoever has the tokens of the seats, which are told once, or a player who says so in
 * one of three ways. */
enum shown_as { BY_SEAT, BY_TOKEN, BY_PASSWORD, BY_ACCOUNT };

/* What the operations are tried at. */
struct trial {
    struct house *house;
    enum shown_as caller;
    const char *account, *other_account; /* their tokens */
    struct player player, other;         /* the other one is the opponent where one is needed */
    struct game game, new, open, ours, theirs, won;
    struct game asked; /* the player has challenged the other one to it */
    char hook[32], job[32], collection[32], made[32], code[32], offer[3][16];
};

/* Sets `game` and the others up, and sends the requests. With `house`, `caller`, and the tokens of
 * the accounts if it is one. */
void trial_run(struct trial *trial, const struct step *steps, size_t count);

#endif
