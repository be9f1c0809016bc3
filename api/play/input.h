/* handler_common.h - what the handlers share when they read their input. */
#ifndef PLYD_API_PLAY_INPUT_H
#define PLYD_API_PLAY_INPUT_H

#include "api/http/request.h"
#include "api/text/json_read.h"
#include "db/db.h"

struct game_view;
struct job;
struct rules_game;

/* The game's id of the address; false: it can be none, and was answered. */
bool read_id(struct request *request, db_id *id);

/* The game of the address; NULL: there is none, and it was answered. */
const struct rules_game *read_variant(struct request *request);

/* Ends the reading of a body: frees it; false: something was wrong, and was answered. */
bool read_done(struct request *request, struct json_value *body, struct json_fields *fields);

/* A text of a body that is needed after it was freed. */
const char *kept(struct json_fields *fields, const char *text);

/* Takes the member "name", of a player or a seat: 1 to 64 bytes without the blanks around it, and
 * nothing in it that would disturb the texts that it is shown in. Kept. One that is empty is as if
 * it were not there, unless it is needed. False: it is not there, or was refused. */
bool take_name(struct json_fields *fields, bool needed, const char **name);

/* Whether a name has no character that would disturb the text around it. */
bool is_fine_name(const char *text, size_t len);

/* The ply of the address, at least `least`; false: it can be none, and was answered. */
bool read_ply(struct request *request, int32_t least, int32_t *ply);

/* Reads a query of nothing but ?include=; false: it was answered. */
bool read_choice(struct request *request);

/* Whether ?include= asks for legal moves. */
bool wants_moves(const struct request *request);

/* Whether the game may be shown to who asks, as of now. False: asked for, or answered. */
bool may_read(struct job *job);

/* Whether the client has what is asked for at the game's present version, and was told so. */
bool reply_unchanged(struct job *job);

/* Says that the game has no such ply or line, and ends the job. */
void refuse_ply(struct job *job);

/* Whether the game may be shown, and the client does not have it already as it is. False: asked
 * for, or answered. */
bool may_read_anew(struct job *job);

/* The line that is asked for, and the last ply of it: of the present one (`wanted` 0) the present
 * ply. False: asked for, or answered; there may be no such line. */
bool know_line(struct job *job, int64_t wanted, int32_t *line, int32_t *end);

/* How far a line of the game goes, what was undone included. False: asked for, or answered. */
bool know_line_end(struct job *job, int32_t line, int32_t *end);

/* Whether the legal moves of a position are few enough to be listed; false: it was answered. */
bool can_list_moves(struct request *request, const struct game_view *view);

#endif
