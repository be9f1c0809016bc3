/* play_seats.c - taking a seat, giving up, and calling a game off. */
#include <string.h>

#include "api/game/may.h"
#include "api/http/reply.h"
#include "api/play/common.h"
#include "api/server.h"
#include "api/table/auth.h"
#include "api/table/idempotency.h"
#include "api/table/players.h"

/* The seat that a text names: its number, or its name in this variant. 0 for NULL, -1 for neither.
 */
static int named_seat(const struct rules_game *game, const char *text)
{
    if (text == NULL)
        return 0;
    for (int i = 0; i < DB_SEATS; i++)
        if (strcmp(text, game->seat[i].name) == 0 || strcmp(text, i == 0 ? "1" : "2") == 0)
            return i + 1;
    return -1;
}

static void refuse_seat_name(struct job *job)
{
    const struct rules_game *game = job->table->game;

    reply_problem_at(job->request, "bad-parameter", "/seat",
                     arena_format(&job->request->arena, "1, 2, %s or %s is expected.",
                                  game->seat[0].name, game->seat[1].name));
    job_done(job);
}

/* ---- join ---- */

/* The seat that is asked for, or the first open one. 0: it is taken. */
static int open_seat(const struct db_game *row, int wanted)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state == SEAT_OPEN && (wanted == 0 || wanted == i + 1))
            return i + 1;
    return 0;
}

/* A player may also take the seat opposite to himself: that is his affair. */
static void sit_down(struct course *course, int seat, const char *name, const struct player *player,
                     char *token)
{
    struct db_game *row = &course->row;
    struct db_seat *taken = &row->seat[seat - 1];

    taken->state = SEAT_TAKEN;
    taken->name = name;
    if (player != NULL) {
        taken->has_player = true;
        taken->player = player->id;
        if (name == NULL)
            taken->name = player->name;
    }
    taken->has_token = true;
    auth_new_token(token, taken->token);
    course_event(course, EVENT_JOINED, seat);
    if (open_seat(row, 0) == 0)
        row->status = STATUS_ACTIVE;
}

static void join(struct job *job, int seat)
{
    const struct seat_args *args = job->args;
    char token[AUTH_TOKEN_TEXT];
    struct course *course = job_course(job);
    struct game_view view;
    struct json json, answers;
    int32_t from;

    sit_down(course, seat, args->name, job->request->player, token);
    json_init(&answers, course->arena);
    course_answer(course, &answers, &from); /* nothing was played: no past is missing */
    course->seats |= 1U << seat;
    view = course_view(course);
    json_init(&json, course->arena);
    json_open(&json, '{');
    view_game(&json, &view, job->request->choice);
    json_member(&json, "token", token);
    json_member_int(&json, "seat", seat);
    json_finish(&json);
    course->joins = true;
    write_course(job, course, 200,
                 job->request->form == FORM_TEXT ? view_token_text(course->arena, &view, token)
                                                 : json.out.text);
}

static void step_join(struct job *job)
{
    const struct seat_args *args = job->args;
    const struct db_game *row = &job->table->row;
    int named = named_seat(job->table->game, args->seat);
    int seat = open_seat(row, named);
    bool may_sit = seat != 0 && row->status == STATUS_OPEN;

    /* Who knows the id of a private game was invited, as long as there is a seat to take. */
    if (!may_sit && hidden(job->table, auth_seats(job->request, row)))
        refuse(job, "no-such-game", NULL);
    else if (named < 0)
        refuse_seat_name(job);
    else if (!guard_holds(&args->guard, row))
        refuse(job, "version-mismatch", NULL);
    else if (row->status == STATUS_ABORTED || (!may_sit && seat != 0))
        refuse(job, "game-over", NULL);
    else if (!may_sit)
        refuse(job, "seat-taken", NULL);
    else
        join(job, seat);
}

void play_join(struct request *request, db_id id, struct seat_args *args)
{
    struct job *job = auth_nobody_or_player(request) ? new_job(request, step_join, args) : NULL;

    if (job != NULL)
        job_submit(job, id);
}

/* ---- resign and abort ---- */

void end_game(struct job *job, struct course *course, int status, int winner, const char *reason,
              int kind, int seat)
{
    course->row.status = (int16_t)status;
    course->row.winner = (int16_t)winner;
    course->row.reason = reason;
    course_event(course, kind, seat);
    write_course(job, course, 200, course_document(job, course));
}

/* Who resigns: the seat that was named, else the one seat that the asker plays, else (he plays
 * both) the side to move. */
static int resigning_seat(const struct db_game *row, unsigned seats, int named)
{
    if (named != 0)
        return named;
    return seats == 6 ? row->to_move : seats == 2 ? 1 : 2;
}

static void step_resign(struct job *job)
{
    const struct seat_args *args = job->args;
    const struct db_game *row = &job->table->row;
    unsigned seats = may_act(job, &args->guard);
    int named = named_seat(job->table->game, args->seat), seat;
    const char *why;

    if (seats == 0)
        return;
    if (named < 0) {
        refuse_seat_name(job);
        return;
    }
    seat = resigning_seat(row, seats, named);
    why = may_not_resign(row, seats);
    if ((seats & 1U << seat) == 0)
        refuse(job, "not-your-seat", NULL);
    else if (why != NULL)
        refuse(job, why,
               row->status == STATUS_OPEN ? "Nobody has joined yet; abort the game instead."
                                          : NULL);
    else
        end_game(job, job_course(job), STATUS_FINISHED, 3 - seat, "resign", EVENT_RESIGNED, seat);
}

void play_resign(struct request *request, db_id id, struct seat_args *args)
{
    struct job *job = new_job(request, step_resign, args);

    if (job != NULL)
        job_submit(job, id);
}

static void step_abort(struct job *job)
{
    const struct seat_args *args = job->args;
    const struct db_game *row = &job->table->row;
    unsigned seats = may_act(job, &args->guard);
    const char *why = may_not_abort(row, seats);

    if (seats == 0)
        return;
    if (why != NULL)
        refuse(job, why, NULL);
    else
        end_game(job, job_course(job), STATUS_ABORTED, 0, NULL, EVENT_ABORTED,
                 resigning_seat(row, seats, 0));
}

void play_abort(struct request *request, db_id id, struct seat_args *args)
{
    struct job *job = new_job(request, step_abort, args);

    if (job != NULL)
        job_submit(job, id);
}
