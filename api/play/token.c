#include "api/play/token.h"

#include <string.h>

#include "api/game/course.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/play/common.h"
#include "api/table/auth.h"
#include "api/table/idempotency.h"
#include "api/text/problem.h"

struct replacement {
    const struct guard *guard;
    bool has_key;
    char token[AUTH_TOKEN_TEXT]; /* the new one, and its hash */
    uint8_t hash[DB_HASH_BYTES];
};

/* The seats that have the new token already. */
static unsigned replaced_seats(const struct job *job)
{
    const struct replacement *replacement = job->args;
    unsigned seats = 0;

    for (int i = 0; i < DB_SEATS && replacement->has_key; i++) {
        const struct db_seat *seat = &job->table->row.seat[i];

        if (seat->has_token && auth_token_fits(replacement->token, seat->token))
            seats |= seat_bit(i + 1);
    }
    return seats;
}

static enum step tell_again(struct job *job, unsigned seats)
{
    const struct replacement *replacement = job->args;
    struct request *request = job->request;
    struct game_view view = play_view(job);
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    view.seats = seats;
    reply_replayed(request);
    reply_header(request, "ETag", reply_etag(&request->arena, view.row->version));
    reply_made(request, 200, play_token_document(request, &view, replacement->token, 0));
    return STEP_OVER;
}

static enum step replace(struct job *job, unsigned seats)
{
    const struct replacement *replacement = job->args;
    struct course *course = play_course(job);
    struct game_view view;

    for (int seat = 1; seat <= DB_SEATS; seat++) {
        struct db_seat *held = &course->row.seat[seat - 1];

        if ((seats & seat_bit(seat)) == 0)
            continue;
        held->has_token = true;
        memcpy(held->token, replacement->hash, DB_HASH_BYTES);
        course_data(course, course_event(course, EVENT_SEAT, seat), "\"token\":true");
    }
    course->joins = true;
    view = play_course_view(job->request, course, seats);
    return play_write(job, course, 200,
                      play_token_document(job->request, &view, replacement->token, 0));
}

static enum step step_replace(struct job *job)
{
    const struct replacement *replacement = job->args;
    unsigned seats = replaced_seats(job);
    enum step step;

    if (seats != 0)
        return tell_again(job, seats);
    step = play_may_act(job, replacement->guard, &seats);
    if (step != STEP_GO)
        return step;
    if (!replacement->has_key) {
        reply_problem_at(job->request, PROBLEM_IDEMPOTENCY_KEY_MISSING, "Idempotency-Key", NULL);
        return STEP_OVER;
    }
    return replace(job, seats);
}

void token_replace(struct request *request, db_id id, const struct guard *guard)
{
    struct replacement *replacement = arena_zero(&request->arena, sizeof(*replacement));
    uint8_t random[AUTH_RANDOM_BYTES];
    struct idempotency *key;

    if (!idempotency_read_long(request, &key))
        return;
    replacement->guard = guard;
    replacement->has_key = key != NULL && request_token(request) != NULL;
    if (replacement->has_key) {
        idempotency_derive(key, random, sizeof(random));
        auth_token_of(random, replacement->token, replacement->hash);
    }
    job_submit(job_new(request, step_replace, replacement), id);
}
