#include "api/play/moves.h"

#include <string.h>

#include "api/game/course.h"
#include "api/game/may.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/play/again.h"
#include "api/play/common.h"
#include "api/play/refuse.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/refusal.h"
#include "api/view/view.h"

/* What became of the moves of a request, as far as they could be played. A worker finds that out if
 * they are many, so nothing here asks for anything or answers. */
struct played {
    struct play_course *play;
    int32_t version; /* of the game that they were played on */
    enum { ALL_PLAYED, NOT_ALLOWED, NOT_LEGAL, KEYS_MISSING } end;
    size_t at;                /* of the move that was not played */
    enum problem problem;     /* NOT_ALLOWED: why */
    struct rules_refusal why; /* NOT_LEGAL: why */
    int32_t from;             /* KEYS_MISSING: back to this ply */
    struct json moves;        /* as they are told: those that were asked for, */
    struct json answers;      /* and the computer's */
    const char *document;     /* ALL_PLAYED: the answer */
};

/* ---- playing ---- */

/* Says why no move follows the end of the game. The rules say what ended it where the position did;
 * where people did, or the past, they would allow the move, and only the code is left. */
static void explain_end(const struct job *job, struct played *played)
{
    const struct course *course = &played->play->course;
    const char *text = wanted_text(job, &course->state, played->at);
    rules_move move;

    if (course->game->read_move(&course->state, text, &move, &played->why) ||
        played->why.code != RULES_GAME_OVER)
        rules_refuse(&played->why, RULES_GAME_OVER, NULL);
}

/* Plays move `at`. False: `end` says why it was not played. */
static bool play_one(const struct job *job, struct played *played)
{
    struct course *course = &played->play->course;

    played->problem = may_not_move(&course->row, played->play->seats);
    if (played->problem == PROBLEM_RULE_GAME_OVER) {
        played->end = NOT_LEGAL;
        explain_end(job, played);
        return false;
    }
    if (played->problem != PROBLEM_NONE) {
        played->end = NOT_ALLOWED;
        return false;
    }
    switch (course_play(course, wanted_text(job, &course->state, played->at), &played->why,
                        &played->from)) {
    case COURSE_NEEDS_KEYS:
        played->end = KEYS_MISSING;
        return false;
    case COURSE_REFUSED:
        played->end = NOT_LEGAL;
        return false;
    case COURSE_PLAYED:
        break;
    }
    return true;
}

/* Plays the moves, lets the computer answer, and composes the answer. */
static void play_all(struct job *job)
{
    const struct move_args *args = job->args;
    struct played *played = args->played;
    struct course *course = &played->play->course;
    struct game_view view;

    json_init(&played->moves, course->arena);
    json_init(&played->answers, course->arena);
    play_tell_moves(course, &played->moves);
    for (played->at = 0; played->at < args->count; played->at++)
        if (!play_one(job, played))
            return;
    play_tell_moves(course, &played->answers);
    if (course_answer(course, &played->from) == COURSE_NEEDS_KEYS) {
        played->end = KEYS_MISSING;
        return;
    }
    view = play_course_view(course, played->play->seats);
    played->document =
        play_moves_document(job, &view, args->single, &played->moves, &played->answers);
}

/* ---- what comes of it ---- */

/* Refuses a move that the rules do not allow. The moves before it are not written either. */
static enum step refuse_move(struct job *job, const struct course *course, size_t i,
                             const struct rules_refusal *why)
{
    const struct move_args *args = job->args;
    struct request *request = job->request;
    struct game_view view = play_view(job);
    enum problem problem = problem_of(why->code);
    const char *move = wanted_text(job, &course->state, i);
    enum step step = job_need_confirmed(job);
    struct json json;

    if (step != STEP_GO)
        return step;
    refuse_open(request, &json, &view, problem,
                refusal_text(&request->arena, course->game, &course->state, move, why));
    view_refusal(&json, course->game, &course->state, why);
    json_member(&json, "move", move);
    if (args->count > 1)
        json_member_int(&json, "at", (int64_t)i);
    metrics_add(&request->loop->metrics.refusals[play_game_number(course->game)][why->code], 1);
    reply_problem_send(request, &json, problem);
    return STEP_OVER;
}

/* Whether "win" or "resign" came in place of a move, as the protocols of shogi (USI) have it: in
 * games that know a declaration, both are deeds of the side to move. */
static bool is_declaration(const struct job *job)
{
    const struct move_args *args = job->args;

    return job->table->row.status == STATUS_ACTIVE && job->table->game->declare != NULL &&
           args->count == 1 && args->clicked == 0 &&
           (strcmp(args->texts[0], "win") == 0 || strcmp(args->texts[0], "resign") == 0);
}

/* Ends the game by such a word. The ply stays the same. */
static enum step declare(struct job *job, struct play_course *play)
{
    const struct move_args *args = job->args;
    const struct table *table = job->table;
    int seat = table->row.to_move;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if ((play->seats & seat_bit(seat)) == 0)
        return play_refuse(job, PROBLEM_NOT_YOUR_TURN, NULL);
    if (strcmp(args->texts[0], "resign") == 0)
        return play_end(job, play, STATUS_FINISHED, (int)rules_other((unsigned)seat), "resign",
                        EVENT_RESIGNED, seat);
    if (!table->game->declare(table->state, &outcome, &why))
        return refuse_move(job, &play->course, 0, &why);
    return play_end(job, play, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason),
                    EVENT_DECLARED, seat);
}

/* Either every move of a request is written or none. */
static enum step conclude(struct job *job, const struct played *played)
{
    switch (played->end) {
    case NOT_ALLOWED:
        return play_refuse(job, played->problem, NULL);
    case NOT_LEGAL:
        return refuse_move(job, &played->play->course, played->at, &played->why);
    case KEYS_MISSING:
        return job_need_keys(job, played->from); /* then they are played anew, on another course */
    case ALL_PLAYED:
        break;
    }
    return play_write(job, played->play, 201, played->document);
}

static struct play_course *begin(struct job *job)
{
    const struct move_args *args = job->args;
    struct play_course *play = play_course(job);

    play->dry_run = args->dry_run;
    return play;
}

/* Whether a worker has played the moves, and what it found still holds: the game is the same, and
 * no keys have come since. */
static bool were_played(const struct job *job)
{
    const struct move_args *args = job->args;
    const struct played *played = args->played;
    const struct table *table = job->table;

    return played != NULL && played->version == table->row.version &&
           (played->end != KEYS_MISSING || played->from < table->keys_from);
}

static enum step carry_on(struct job *job)
{
    enum { FEW = 32 };
    struct move_args *args = job->args;

    if (were_played(job))
        return conclude(job, args->played);
    args->played = arena_zero(&job->request->arena, sizeof(*args->played));
    args->played->play = begin(job);
    args->played->version = job->table->row.version;
    if (args->count > FEW)
        return job_work(job, play_all);
    play_all(job);
    return conclude(job, args->played);
}

static enum step step_moves(struct job *job)
{
    const struct move_args *args = job->args;
    const struct db_game *row = &job->table->row;
    struct guard guard = args->guard;
    enum step step;
    unsigned seats;

    /* A PUT that is repeated finds its own move there, and that move has raised the version and may
     * have opened a line. Its guards spoke of the game before it. */
    if (args->put && args->ply <= row->ply)
        guard = guard_none;
    step = play_may_act(job, &guard, &seats);
    if (step != STEP_GO)
        return step;
    if (args->ply != MAY_ANY && args->ply != row->ply + 1)
        return again_answer(job, seats);
    if (is_declaration(job))
        return declare(job, begin(job));
    step = play_know_last_move(job);
    return step == STEP_GO ? carry_on(job) : step;
}

void moves_play(struct request *request, db_id id, struct move_args *args)
{
    play_submit(request, id, step_moves, again_moves, args);
}
