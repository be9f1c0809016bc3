/*
 * look.h - looking at a game: who may, ETags, plies and lines, pages.
 *
 * Whether it may be shown, how far its lines go, and any position of any line as if it were the
 * present one.
 *
 * A reading is what a request wants to see. It becomes an op whose step uses the functions below,
 * each for one condition: a function that returns STEP_GO has made it true, and with anything else
 * the step returns at once. Nothing is changed by looking.
 */
#ifndef PLYD_API_ENDPOINTS_LOOK_H
#define PLYD_API_ENDPOINTS_LOOK_H

#include "api/game/draft.h"
#include "api/live/op.h"
#include "api/view/view.h"

struct rules_picture_options;
struct rules_look;

/* What a request wants to see; each handler uses what it has parameters for. */
struct reading {
    int64_t ply;          /* -1: the last one */
    int64_t line;         /* 0: the present one */
    int64_t after, limit; /* of a page: what it begins behind, how long it may be */
    int16_t kind;         /* of events; 0: any */
    int64_t pace;         /* of an animation, seconds a position */
    const char *from;     /* of legal moves: what they begin with, or NULL */
    const char *format;   /* of legal moves: how they are listed, or NULL */
    bool with_move;       /* fetch what explains the move that led to the position, too */
    bool with_names;      /* the players are named */
    bool takes_long;      /* answering does: a worker does it */
    bool with_trail;      /* the same, if the game shows the trail of a move */
    int32_t end;          /* with_move: is told the last ply of the line */
    void (*answer)(struct op *op, const struct game_view *view);
    struct rules_look *look;
    struct rules_picture_options *frame;
};

/* A new reading, which asks for the present position. */
struct reading *look_new(struct request *request);

/* Makes an op of it, with the reading as its args, for the game of the address. */
void look_submit(struct request *request, enum step (*step)(struct op *op),
                 struct reading *reading);

/* A whole step: looks the position up that the reading asks for and has its `answer` answer. The
 * view of an earlier position has a row of its own, which shows the game as it was then. Whether it
 * is over there goes by the position alone: what came later did not end it. */
enum step look_step_position(struct op *op);

/* ---- whether the game is shown ---- */

/* The copy in memory is the present state, and the asker may see the game. */
enum step look_may(struct op *op);

/* The same, and the client does not have that state already; else 304 was answered. */
enum step look_may_anew(struct op *op);

/* Whether the asker, who may see the game, reads what its players write to each other (messages.h);
 * and events of it, as they are shown to them. */
bool look_hears(const struct op *op);
const struct db_event *look_events(const struct op *op, const struct db_event *events,
                                   size_t count);

/* Answers that show the game at its present version are told apart by `mark` (reply_shown_etag()).
 */

/* Whether the client has what it asks for. */
bool look_is_known(struct op *op, const char *mark);

/* The same. True: 304 was answered. */
bool look_unchanged(struct op *op, const char *mark);

/* Sets the ETag of the answer that is to come, and what caches must know. */
void look_label(struct op *op, const char *mark);

/* The mark of what reply_json_long() sends, and of a text in its place. */
const char *look_mark_long(struct request *request);

/* Whether the legal moves of a position are few enough to be listed. False: it was answered. */
bool look_can_list(struct request *request, const struct game_view *view);

/* ---- lines and their moves ---- */

/* Answers that the game has no such ply or line. Always STEP_OVER. */
enum step look_no_such_ply(struct op *op);

/* How far a line of the game goes, what was undone included, is in *end. */
enum step look_line_end(struct op *op, int32_t line, int32_t *end);

/* The line that is wanted is in *line and its last ply in *end. `wanted` 0 is the present line up
 * to the present ply; for any other number, what was undone of the line is included. */
enum step look_line(struct op *op, int64_t wanted, int32_t *line, int32_t *end);

/* The moves of a line from ply `from` (or 1) to `to` are in op->moves. */
enum step look_need_moves(struct op *op, int32_t line, int32_t from, int32_t to);

/* Makes *view the game as it was after `move` (NULL: at its start), at a ply of a line. False: what
 * is stored cannot be read. */
bool look_back(const struct op *op, int32_t line, int32_t ply, const struct db_event *move,
               struct game_view *view);

/* The page of moves that the reading asks for goes from ply *from to *to of a line that ends at
 * *end. They are in op->moves, and so are the two moves before them, since a move is shown with
 * the position before it, and may be written by the move before it. */
enum step look_page(struct op *op, int32_t *from, int32_t *to, int32_t *end);

/* The address at which a page of a game goes on that ends at `to`: /v1/games/ID/ and `what`. */
const char *look_next_url(struct request *request, const char *what, const struct reading *reading,
                          int32_t to);

/* ---- any position of a line: the moves up to it, played again ---- */

/* A stored move is a text. To show it, it is read in the position before it, which the move before
 * it has; and how it is written may depend on that move too. */

/* The move of a ply. NULL: it was not fetched, or the ply is 0. */
const struct db_event *look_event(const struct op *op, int32_t ply);

/* Makes *view the move of a ply, and *before, to which it points, the position that it was played
 * in; `last` is the move before it. False: it or the move before it was not fetched. */
bool look_move(const struct op *op, int32_t ply, rules_move last, struct rules_state *before,
               struct draft_move *view);

/* The same where `last` is not known. It is read too, if the two moves before were fetched. */
bool look_last_move(const struct op *op, int32_t ply, struct rules_state *before,
                    struct draft_move *view);

#endif
