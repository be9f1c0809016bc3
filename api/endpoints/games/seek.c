#include "api/endpoints/games/seek.h"

#include <string.h>

#include "api/endpoints/common.h"
#include "api/game/draft.h"
#include "api/game/offers.h"
#include "api/game/plans.h"
#include "api/game/record_extras.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/live/fetch.h"
#include "api/live/live_game.h"
#include "api/text/json.h"
#include "rules/rules.h"

/* Puts the course on a position of its line that was played before. Of the moves that were fetched
 * the last one led to it (ply 0: none did). `before` is the position before the first of them. */
static bool go_to(struct course *course, const struct job *job, int32_t ply, const char *before)
{
    const struct table *table = job->table;
    size_t n = ply == 0 ? 0 : job->moves.count;
    const struct db_event *move = n == 0 ? NULL : &job->moves.moves[n - 1];

    if ((move == NULL) != (ply == 0) || (move != NULL && move->ply != ply) ||
        !course_go_to(course, &table->options, ply, move))
        return false;
    if (row_has_open_seat(&course->row))
        course->row.status = STATUS_OPEN;
    course->last = play_last_move(table, n > 1 ? move[-1].position : before, course->row.last_move);
    return true;
}

/* Keeps the course's keys up to its ply, which is not above the table's. An undo does not make them
 * wrong, and the next move may be judged by them, so nothing has to be read again. They go to
 * memory of their own: behind them the table still has those of the plies that are undone, which
 * are true until this is written. Where the table's keys begin later than this ply, its own key is
 * left. */
static void cut_keys(struct course *course)
{
    size_t n = course->row.ply >= course->keys_from
                   ? (size_t)(course->row.ply - course->keys_from) + 1
                   : 0;
    uint64_t *keys = arena_alloc(course->arena, (n + 2) * sizeof(*keys));

    memcpy(keys, course->keys, n * sizeof(*keys));
    if (n == 0) {
        course->keys_from = course->row.ply;
        keys[n++] = course->game->key(&course->state);
    }
    course->keys = keys;
    course->nkeys = course->old_keys = n;
    course->keys_size = n + 1;
}

/* Adds the keys that were fetched behind those of the table. */
static void add_keys(struct course *course, const struct line_keys *ahead)
{
    uint64_t *keys = arena_alloc(course->arena, (course->nkeys + ahead->count) * sizeof(*keys));

    memcpy(keys, course->keys, course->nkeys * sizeof(*keys));
    memcpy(keys + course->nkeys, ahead->keys, ahead->count * sizeof(*keys));
    course->keys = keys;
    course->nkeys += ahead->count;
    course->keys_size = course->nkeys;
}

/* Adds the event that tells where the course went from the table's ply. */
static void tell(struct course *course, int kind, int32_t from)
{
    struct db_event *event = course_event(course, kind, 0);
    struct json voids;

    json_init(&voids, course->arena);
    if (course_goes_on(course))
        offers_end_by_jump(&course->offers, &voids);
    else
        offers_end_all(&course->offers, &voids);
    course_data(
        course, event,
        arena_format(course->arena, "\"from_ply\":%d,\"to_ply\":%d", from, course->row.ply));
    course_data(course, event, voids.out.text);
}

/* ---- back ---- */

/* The move that led there, and the one before: from its position that move is read. */
enum step jump_need_back(struct job *job, int32_t to)
{
    return to == 0 ? STEP_GO : needs_moves(job, job->table->row.line, to > 1 ? to - 1 : 1, to);
}

bool jump_back(struct course *course, const struct job *job, int32_t to)
{
    if (!go_to(course, job, to, job->table->row.start))
        return false;
    cut_keys(course);
    course->kept_ply = to;
    tell(course, EVENT_UNDO, job->table->row.ply);
    return true;
}

/* ---- on ---- */

/* A redo may lead to the position that ended the game, by repetition perhaps. To judge that, all
 * keys of the line are needed. */
enum step jump_need_on(struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;
    enum step step = needs_keys(job, 0);

    if (step == STEP_GO)
        step = needs_keys_ahead(job, to);
    if (step == STEP_GO)
        step = needs_moves(job, row->line, to > row->ply + 1 ? to - 1 : to, to);
    return step;
}

bool jump_on(struct course *course, const struct job *job, int32_t to)
{
    const struct db_game *row = &job->table->row;

    if (job->ahead.count != (size_t)(to - row->ply) || !go_to(course, job, to, row->position))
        return false;
    add_keys(course, &job->ahead);
    course_judge(course);
    tell(course, EVENT_REDO, row->ply);
    return true;
}

/* ---- over ---- */

enum step jump_need_line(struct job *job, int32_t line, int32_t end, struct line_moves *moves,
                         int32_t *shared)
{
    const struct db_game *row = &job->table->row;
    int32_t most = row->ply < end ? row->ply : end;
    enum step step = needs_keys(job, 0);

    if (step == STEP_GO)
        step = needs_moves(job, line, 1, end);
    if (step == STEP_GO) {
        *moves = job->moves;
        step = needs_moves(job, row->line, 1, most);
    }
    if (step != STEP_GO)
        return step;
    for (*shared = 0;
         *shared < most && job->moves.moves[*shared].line == moves->moves[*shared].line;)
        ++*shared;
    return STEP_GO;
}

/* Goes back to a ply of a line of which all moves are there. */
static bool back_to(struct course *course, const struct table *table,
                    const struct line_moves *moves, int32_t ply)
{
    int32_t from = course->row.ply;
    size_t known = course->old_keys;
    const struct db_event *move = ply == 0 ? NULL : &moves->moves[ply - 1];

    if (!course_go_to(course, &table->options, ply, move))
        return false;
    if (row_has_open_seat(&course->row))
        course->row.status = STATUS_OPEN;
    if (move != NULL)
        course->last =
            play_last_move(table, ply == 1 ? table->row.start : move[-1].position, move->move);
    cut_keys(course);
    if (course->old_keys > known)
        course->old_keys = known;
    if (course->kept_ply > ply)
        course->kept_ply = ply;
    tell(course, EVENT_UNDO, from);
    return true;
}

/* Plays a move of another line again. What it told of its clock and of offers is left behind; a
 * clock tells its own time. */
static void play_again(struct course *course, const struct db_event *move)
{
    struct course_step step = {.text = move->move,
                               .position = move->position,
                               .key = (uint64_t)move->key,
                               .seat = move->seat,
                               .to_move = (int)rules_other((unsigned)move->seat)};
    const char *notes = kept_notes(course->arena, move->data, course->clock == NULL);
    size_t len = strlen(notes);
    struct db_event *event = course_add(course, &step);

    event->data = event->data == NULL ? "{}" : event->data;
    course_data(course, event, arena_copy(course->arena, notes + 1, len - 2));
}

bool jump_over(struct course *course, const struct job *job, const struct line_moves *moves,
               int32_t shared, int32_t to)
{
    const struct table *table = job->table;
    struct rules_refusal why;

    if (moves->count == 0 || ((shared < course->row.ply || !course_goes_on(course)) &&
                              !back_to(course, table, moves, shared)))
        return false;
    for (size_t i = (size_t)shared; i < moves->count; i++)
        play_again(course, &moves->moves[i]);
    if (!rules_load(course->game, &table->options, course->row.position, &course->state, &why))
        return false;
    course->row.to_move = (int16_t)course->game->to_move(&course->state);
    course->row.plans = plans_without_any(course->row.plans);
    course_judge(course);
    return to == course->row.ply || back_to(course, table, moves, to);
}
