/* history.h - looking back: any position of any line, as if it were the present one. */
#ifndef PLYD_API_PLAY_HISTORY_H
#define PLYD_API_PLAY_HISTORY_H

#include "api/table/tables.h"
#include "api/view/view.h"

struct rules_frame;

/* What a request wants to see. `answer` answers it, given the position. */
struct read_args {
    int64_t ply;          /* -1: the last */
    int64_t line;         /* 0: the present one */
    int64_t after, limit; /* of a list */
    int64_t pace;         /* seconds a position */
    const char *from, *format;
    bool with_move; /* fetch what explains the move that led to the position, too */
    void (*answer)(struct job *job, const struct game_view *view);
    struct rules_look *look;
    struct rules_frame *frame;
};

/* Arguments that ask for the present position. */
struct read_args *new_read_args(struct request *request);

/* Makes a job of it, for the game of the address. */
void submit_read(struct request *request, void (*step)(struct job *), struct read_args *args);

/* The step that looks the position at args->ply of args->line up. What came after a position did
 * not end it: the view of an earlier one shows only what it is by itself. */
void step_read_position(struct job *job);

/* The move at a ply of a line, from what was fetched; NULL for ply 0. */
const struct db_event *move_at(const struct job *job, int32_t ply);

/* The same as it is to be shown, with the position *before that it was played in; `last` is the
 * move before it. False: it was not fetched, or the one before it was not. */
bool history_move(const struct job *job, int32_t ply, rules_move last, struct rules_state *before,
                  struct move_view *view);

/* The move that led to a position that was looked up, if it was played in the game: with_move asks
 * for what is needed. */
bool history_last_move(const struct job *job, int32_t ply, struct rules_state *before,
                       struct move_view *view);

#endif
