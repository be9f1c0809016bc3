/*
 * common.h - what the use cases share. Each is a job (jobs.h) whose request a handler has parsed;
 * what it finds in the game it answers, refuses, or writes as a course (course.h).
 */
#ifndef PLYD_API_PLAY_COMMON_H
#define PLYD_API_PLAY_COMMON_H

#include "api/game/course.h"
#include "api/play/guard.h"
#include "api/table/jobs.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/view.h"

/* Submits a job with its idempotency key, unless that is malformed, which is answered. */
void play_submit(struct request *request, db_id id, enum step (*step)(struct job *job), void *args);

/* The seats that the request plays: it may act in this game, and its guards hold. */
enum step play_may_act(struct job *job, const struct guard *guard, unsigned *seats);

/* Refuses with the game's present state, once the copy is confirmed. Never STEP_GO. */
enum step play_refuse(struct job *job, enum problem problem, const char *detail);

/* Something is wrong with what is stored: 500. */
enum step play_fail(struct job *job);

/* Whether the game must look to these seats as if it did not exist. */
bool play_hides(const struct table *table, unsigned seats);

/* table->last is known, where the game's texts need it. */
enum step play_know_last_move(struct job *job);

/* A course from the job's table, in the request's arena, with the database's time. */
struct course *play_course(struct job *job);

/* Has the moves of the course written into a list: its elements, without brackets. */
void play_tell_moves(struct course *course, struct json *list);

/* Writes the course and then answers with the document; a dry run is only answered, with 200. */
enum step play_write(struct job *job, const struct course *course, unsigned status,
                     const char *document);

/* Ends the game by a deed that is no move (an event of this kind, by this seat) and answers with
 * it. `winner` 0: nobody wins. */
enum step play_end(struct job *job, struct course *course, int status, int winner,
                   const char *reason, int kind, int seat);

/* The game as the job's request sees it: in memory, and as it is after a course. */
struct game_view play_view(const struct job *job);
struct game_view play_course_view(const struct course *course);

/* A game's number in the registry, for metrics. */
size_t play_game_number(const struct rules_game *game);

#endif
