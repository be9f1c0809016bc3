/*
 * notes.h - what a seat writes for itself at the plies of its game.
 *
 * Notes are in no log and change no version. Nobody but the seat sees them. Somebody who plays both
 * seats has those of seat 1.
 */
#ifndef PLYD_API_PLAY_NOTES_H
#define PLYD_API_PLAY_NOTES_H

#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

enum { NOTES_TEXT_MAX = 2000 /* characters */ };

/* Answers with a page of the asker's notes, those behind ply `after`. */
void notes_list(struct request *request, db_id id, int32_t after, int32_t limit);

/* Sets the note of a ply, or deletes it (text NULL), and answers. */
void notes_set(struct request *request, db_id id, int32_t ply, const char *text);

#endif
