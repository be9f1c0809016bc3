/*
 * shown.h - a story as clients are to see it: as JSON and as texts.
 *
 * JSON of the kind raw stands for anything but null: the model does not say what it is. That is so
 * with links and effects, with new ids and tokens, and with times that are not known yet.
 */
#ifndef PLYD_TESTS_WALK_SHOWN_H
#define PLYD_TESTS_WALK_SHOWN_H

#include "story.h"

/* Members of an object. */
void shown_int(cJSON *object, const char *name, int value);
void shown_text(cJSON *object, const char *name, const char *text);
void shown_any(cJSON *object, const char *name);

/* The game, with `you` of whoever plays these seats, and its legal moves if they are wanted. */
void shown_game(cJSON *object, const struct story *story, unsigned seats, bool with_moves);

/* An offer that was made. And its member `may`, if it is open and any seat is played. */
cJSON *shown_offer(const struct story *story, int id, unsigned seats);
void shown_may_answer(cJSON *object, const struct story *story, int id, unsigned seats);

/* What a problem tells of the game. */
void shown_state(cJSON *object, const struct story *story, unsigned seats);

/* Plies `from` to `to` of a line as a list; bare: without effects. */
cJSON *shown_moves(const struct story *story, int line, int from, int to, bool bare);

/* Events of versions above `after`, `limit` at most, as a list; `heard`: with the texts of
 * messages.
 */
cJSON *shown_events(const struct story *story, int after, int limit, bool heard);

/* The position at a ply of a line of which `end` is the last one, without its links. */
void shown_position(cJSON *object, const struct story *story, int line, int ply);

/* The legal moves at a ply of a line. */
void shown_legal_moves(cJSON *object, const struct story *story, int line, int ply, bool tree);

/* ---- texts, which the caller frees ---- */

/* How the text of a game begins. */
char *shown_game_text(const struct story *story);

/* The whole of a history, a log, a list of legal moves. */
char *shown_moves_text(const struct story *story, int line, int from, int to);
char *shown_events_text(const struct story *story, int after, int limit, bool heard);
char *shown_legal_moves_text(const struct story *story, int line, int ply);

#endif
