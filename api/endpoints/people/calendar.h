/*
 * calendar.h - the deadlines of a player as a calendar (iCalendar, RFC 5545).
 *
 * Each game in which they are to move and have a deadline is an entry at that time. It is known by
 * the game, its line and the ply, so a deadline that moves moves its entry, and what was played is
 * gone at the next look. Pure.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_CALENDAR_H
#define PLYD_API_ENDPOINTS_PEOPLE_CALENDAR_H

#include "api/text/out.h"
#include "api/view/view.h"

#define CALENDAR_TYPE "text/calendar; charset=utf-8"

void calendar_open(struct out *out, const struct lang *lang);

/* Writes the deadline of a game whose page has that address. Nothing, if there is none. */
void calendar_add(struct out *out, const struct game_view *view, const char *url);

void calendar_close(struct out *out);

#endif
