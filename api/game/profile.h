/*
 * profile.h - what a player shows of themself beside their name: a line, a picture, colours.
 *
 * Pure functions; any thread may call them.
 */
#ifndef PLYD_API_GAME_PROFILE_H
#define PLYD_API_GAME_PROFILE_H

#include "api/text/arena.h"
#include "db/db.h"

enum {
    PROFILE_ABOUT_MAX = 160,   /* characters */
    PROFILE_PICTURE_MAX = 500, /* bytes */
    PROFILE_COLOUR_TEXT = 8
};

/* Why a text, which has no blanks at its ends, may not be the line about a player, in a sentence;
 * NULL: it may. "" is none. */
const char *profile_about_fault(struct arena *arena, const char *text);

/* The same of the address of a picture. Clients load it, so it is https, names a host, and has
 * neither a password nor a character that would end an attribute or a string. */
const char *profile_picture_fault(const char *url);

/* Two shades of one colour that follow from a player's id, as "#rrggbb": a text in either can be
 * read upon the other (a contrast of at least 4.5). */
void profile_colours(db_id player, char dark[PROFILE_COLOUR_TEXT], char light[PROFILE_COLOUR_TEXT]);

#endif
