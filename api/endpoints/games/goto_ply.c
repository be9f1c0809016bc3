#include "api/endpoints/games/goto_ply.h"

#include <string.h>

#include "api/endpoints/use_case.h"
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

/* Puts the draft on a position of its line that was played before. Of the moves that were fetched
 * the last one led to it (ply 0: none did). `before` is the position before the first of them. */
static bool go_to_wished_ply(struct draft *draft, const struct op *op, int32_t ply,
                             const char *before)
{
    const struct live_game *live = op->live;
    size_t n = ply == 0 ? 0 : op->moves.count;
    const struct db_event *move = n == 0 ? NULL : &op->moves.moves[n - 1];

    if ((move == NULL) != (ply == 0) || (move != NULL && move->ply != ply) ||
        !draft_go_to(draft, &live->options, ply, move))
        return false;
    if (row_has_open_seat(&draft->row))
        draft->row.status = STATUS_OPEN;
    draft->last =
        use_case_last_move(live, n > 1 ? move[-1].position : before, draft->row.last_move);
    return true;
}

/* Keeps the draft's keys up to its ply, which is not above the live game's. An undo does not make
 * them wrong, and the next move may be judged by them, so nothing has to be read again. They go to
 * memory of their own: behind them the live game still has those of the plies that are undone,
 * which are true until this is written. Where the live game's keys begin later than this ply, its
 * own key is left. */
static void cut_keys(struct draft *draft)
{
    size_t n =
        draft->row.ply >= draft->keys_from ? (size_t)(draft->row.ply - draft->keys_from) + 1 : 0;
    uint64_t *keys = arena_alloc(draft->arena, (n + 2) * sizeof(*keys));

    memcpy(keys, draft->keys, n * sizeof(*keys));
    if (n == 0) {
        draft->keys_from = draft->row.ply;
        keys[n++] = draft->game->key(&draft->state);
    }
    draft->keys = keys;
    draft->nkeys = draft->old_keys = n;
    draft->keys_size = n + 1;
}

/* Adds the keys that were fetched behind those of the live game. */
static void add_keys(struct draft *draft, const struct line_keys *ahead)
{
    uint64_t *keys = arena_alloc(draft->arena, (draft->nkeys + ahead->count) * sizeof(*keys));

    memcpy(keys, draft->keys, draft->nkeys * sizeof(*keys));
    memcpy(keys + draft->nkeys, ahead->keys, ahead->count * sizeof(*keys));
    draft->keys = keys;
    draft->nkeys += ahead->count;
    draft->keys_size = draft->nkeys;
}

/* Adds the event that tells where the draft went from the live game's ply. */
static void tell_jump(struct draft *draft, int kind, int32_t from)
{
    struct db_event *event = draft_event(draft, kind, 0);
    struct json voids;

    json_init(&voids, draft->arena);
    if (draft_goes_on(draft))
        offers_end_by_jump(&draft->offers, &voids);
    else
        offers_end_all(&draft->offers, &voids);
    draft_data(draft, event,
               arena_format(draft->arena, "\"from_ply\":%d,\"to_ply\":%d", from, draft->row.ply));
    draft_data(draft, event, voids.out.text);
}

/* ---- back ---- */

/* The move that led there, and the one before: from its position that move is read. */
enum step goto_need_back(struct op *op, int32_t to)
{
    return to == 0 ? STEP_GO : fetch_moves(op, op->live->row.line, to > 1 ? to - 1 : 1, to);
}

bool goto_back(struct draft *draft, const struct op *op, int32_t to)
{
    if (!go_to_wished_ply(draft, op, to, op->live->row.start))
        return false;
    cut_keys(draft);
    draft->kept_to_ply = to;
    tell_jump(draft, EVENT_UNDO, op->live->row.ply);
    return true;
}

/* ---- on ---- */

/* A redo may lead to the position that ended the game, by repetition perhaps. To judge that, all
 * keys of the line are needed. */
enum step goto_need_on(struct op *op, int32_t to)
{
    const struct db_game *row = &op->live->row;
    enum step step = fetch_keys(op, 0);

    if (step == STEP_GO)
        step = fetch_keys_ahead(op, to);
    if (step == STEP_GO)
        step = fetch_moves(op, row->line, to > row->ply + 1 ? to - 1 : to, to);
    return step;
}

bool goto_on(struct draft *draft, const struct op *op, int32_t to)
{
    const struct db_game *row = &op->live->row;

    if (op->ahead.count != (size_t)(to - row->ply) ||
        !go_to_wished_ply(draft, op, to, row->position))
        return false;
    add_keys(draft, &op->ahead);
    draft_judge(draft);
    tell_jump(draft, EVENT_REDO, row->ply);
    return true;
}

/* ---- over ---- */

enum step goto_need_line(struct op *op, int32_t line, int32_t end, struct line_moves *moves,
                         int32_t *shared)
{
    const struct db_game *row = &op->live->row;
    int32_t most = row->ply < end ? row->ply : end;
    enum step step = fetch_keys(op, 0);

    if (step == STEP_GO)
        step = fetch_moves(op, line, 1, end);
    if (step == STEP_GO) {
        *moves = op->moves;
        step = fetch_moves(op, row->line, 1, most);
    }
    if (step != STEP_GO)
        return step;
    for (*shared = 0;
         *shared < most && op->moves.moves[*shared].line == moves->moves[*shared].line;)
        ++*shared;
    return STEP_GO;
}

/* Goes back to a ply of a line of which all moves are there. */
static bool back_to(struct draft *draft, const struct live_game *live,
                    const struct line_moves *moves, int32_t ply)
{
    int32_t from = draft->row.ply;
    size_t known = draft->old_keys;
    const struct db_event *move = ply == 0 ? NULL : &moves->moves[ply - 1];

    if (!draft_go_to(draft, &live->options, ply, move))
        return false;
    if (row_has_open_seat(&draft->row))
        draft->row.status = STATUS_OPEN;
    if (move != NULL)
        draft->last =
            use_case_last_move(live, ply == 1 ? live->row.start : move[-1].position, move->move);
    cut_keys(draft);
    if (draft->old_keys > known)
        draft->old_keys = known;
    if (draft->kept_to_ply > ply)
        draft->kept_to_ply = ply;
    tell_jump(draft, EVENT_UNDO, from);
    return true;
}

/* Plays a move of another line again. What it told of its clock and of offers is left behind; a
 * clock tells its own time. */
static void play_again(struct draft *draft, const struct db_event *move)
{
    struct draft_step step = {.text = move->move,
                              .position = move->position,
                              .key = (uint64_t)move->key,
                              .seat = move->seat,
                              .to_move = (int)rules_other((unsigned)move->seat)};
    const char *notes = record_extras_notes(draft->arena, move->data, draft->clock == NULL);
    size_t len = strlen(notes);
    struct db_event *event = draft_add(draft, &step);

    event->data = event->data == NULL ? "{}" : event->data;
    draft_data(draft, event, arena_copy(draft->arena, notes + 1, len - 2));
}

bool goto_over(struct draft *draft, const struct op *op, const struct line_moves *moves,
               int32_t shared, int32_t to)
{
    const struct live_game *live = op->live;
    struct rules_refusal why;

    if (moves->count == 0 || ((shared < draft->row.ply || !draft_goes_on(draft)) &&
                              !back_to(draft, live, moves, shared)))
        return false;
    for (size_t i = (size_t)shared; i < moves->count; i++)
        play_again(draft, &moves->moves[i]);
    if (!rules_load(draft->game, &live->options, draft->row.position, &draft->state, &why))
        return false;
    draft->row.to_move = (int16_t)draft->game->to_move(&draft->state);
    draft->row.plans = plans_without_any(draft->row.plans);
    draft_judge(draft);
    return to == draft->row.ply || back_to(draft, live, moves, to);
}
