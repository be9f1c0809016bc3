/* play_common.h - what the use cases of play.h share among themselves. */
#ifndef PLYD_API_PLAY_COMMON_H
#define PLYD_API_PLAY_COMMON_H

#include "api/game/course.h"
#include "api/play/play.h"
#include "api/table/tables.h"
#include "api/view/view.h"

/* A job with its idempotency key. NULL: the key is malformed and was answered. */
struct job *new_job(struct request *request, void (*step)(struct job *job), void *args);

/* The seats that the request plays, if it may act and its guards hold. 0 otherwise: it was
 * refused, or the copy has to be confirmed before it can be. */
unsigned may_act(struct job *job, const struct guard *guard);

/* Refuses with the game's present state, once the copy is confirmed. */
void refuse(struct job *job, const char *code, const char *detail);

/* Whether the game must look as if it did not exist. */
bool hidden(const struct table *table, unsigned seats);

/* What the job asks for as its move number i, as a text for the rules; clicks become one in the
 * position that they were made in. */
const char *wanted_move(const struct job *job, const struct rules_state *state, size_t i);

/* The job's move was meant for a ply that is not the next one: answers it. */
void move_elsewhere(struct job *job, unsigned seats);

/* True once table->last is known, where the game's texts need it. */
bool know_last_move(struct job *job);

/* A course from the job's table, in the request's arena, with the database's time. */
struct course *job_course(struct job *job);

/* Writes the course and then answers with the document; of a dry run only the latter, with 200. */
void write_course(struct job *job, const struct course *course, unsigned status,
                  const char *document);

/* The game as it is after the course, as a document in the form that the client wants. */
const char *course_document(struct job *job, const struct course *course);

/* Ends the game by a deed that is no move (an event of this kind, by this seat) and answers with
 * it. `winner` 0: nobody wins. */
void end_game(struct job *job, struct course *course, int status, int winner, const char *reason,
              int kind, int seat);

struct game_view job_view(const struct job *job);
struct game_view course_view(const struct course *course);

/* A game's number in the registry, for metrics. */
size_t game_number(const struct rules_game *game);

#endif
