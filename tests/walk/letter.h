/*
 * letter.h - a step of the walk as the text of an HTTP request.
 */
#ifndef PLYD_TESTS_WALK_LETTER_H
#define PLYD_TESTS_WALK_LETTER_H

#include "walk.h"

struct letter {
    const char *method;
    char path[512];
    char headers[1024];
    char *body; /* or NULL */
    char *sent; /* model_request.sent */
};

void letter_write(const struct walk_step *step, struct letter *letter);
void letter_free(struct letter *letter);

/* The request as a line for a shell. */
void letter_print(FILE *file, const struct letter *letter, int port);

#endif
