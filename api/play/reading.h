/*
 * reading.h - looking at a game: whether it may be shown, how far its lines go, and any position of
 * any line as if it were the present one.
 */
#ifndef PLYD_API_PLAY_READING_H
#define PLYD_API_PLAY_READING_H

#include "api/table/jobs.h"
#include "api/view/view.h"

struct rules_frame;
struct rules_look;

/* What a request wants to see. `answer` answers it, given the position. */
struct reading {
    int64_t ply;          /* -1: the last */
    int64_t line;         /* 0: the present one */
    int64_t after, limit; /* of a list */
    int64_t pace;         /* seconds a position */
    const char *from, *format;
    bool with_move; /* fetch what explains the move that led to the position, too */
    int32_t end;    /* with_move: is told the last ply of the line */
    void (*answer)(struct job *job, const struct game_view *view);
    struct rules_look *look;
    struct rules_frame *frame;
};

/* One that asks for the present position. */
struct reading *reading_new(struct request *request);

/* Makes a job of it, for the game of the address. */
void reading_submit(struct request *request, enum step (*step)(struct job *job),
                    struct reading *reading);

/* The step that looks the position up and has it answered. What came after a position did not end
 * it: the view of an earlier one shows only what it is by itself. */
enum step reading_step_position(struct job *job);

/* The game may be shown to the asker, as it is now. And: they do not have it already as it is. */
enum step reading_may(struct job *job);
enum step reading_may_anew(struct job *job);

/* Whether the client has what is asked for at the game's present version, and was told so. */
bool reading_unchanged(struct job *job);

/* Says that the game has no such ply or line. */
enum step reading_no_such_ply(struct job *job);

/* The line that is asked for, and the last ply of it: of the present one (`wanted` 0) the present
 * ply. */
enum step reading_line(struct job *job, int64_t wanted, int32_t *line, int32_t *end);

/* How far a line of the game goes, what was undone included. */
enum step reading_line_end(struct job *job, int32_t line, int32_t *end);

/* Whether the legal moves of a position are few enough to be listed. False: it was answered. */
bool reading_can_list(struct request *request, const struct game_view *view);

#endif
