#include "api/game/may.h"

#include <string.h>

#include "api/play/guard.h"
#include "api/table/tables.h"

const char *may_not_move(const struct db_game *row, unsigned seats)
{
    if (row->status == STATUS_OPEN)
        return "game-not-started";
    if (row->status != STATUS_ACTIVE)
        return "game-over";
    return seats & 1U << row->to_move ? NULL : "not-your-turn";
}

const char *may_not_resign(const struct db_game *row, unsigned seats)
{
    (void)seats; /* who plays any may give up any time */
    if (row->status == STATUS_OPEN)
        return "game-not-started";
    return row->status == STATUS_ACTIVE ? NULL : "game-over";
}

const char *may_not_abort(const struct db_game *row, unsigned seats)
{
    (void)seats;
    if (row->status != STATUS_OPEN && row->status != STATUS_ACTIVE)
        return "game-over";
    return row->ply < DB_SEATS ? NULL : "already-moved";
}

/* ---- back and forth ---- */

/* Whether nobody else has to agree: the asker plays every seat that a person sits on. */
static bool plays_alone(const struct db_game *row, unsigned seats)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state != SEAT_ENGINE && (seats & 2U << i) == 0)
            return false;
    return true;
}

/* How many plies one step is: back to (or on to) a position in which the asker is to move, if he
 * plays one seat; a single ply if he plays both. */
static int32_t step_size(const struct db_game *row, unsigned seats)
{
    bool his_turn = (seats & 1U << row->to_move) != 0;

    if (seats == 6)
        return 1;
    return his_turn ? 2 : 1;
}

/* Whether the course may be changed at all. */
static const char *may_not_turn(const struct db_game *row, unsigned seats)
{
    if (row->undo == UNDO_NEVER)
        return "undo-never";
    return row->undo == UNDO_CONSENT && !plays_alone(row, seats) ? "undo-needs-consent" : NULL;
}

/* Whether somebody's word ended the game, and not its position: then the word may be taken back,
 * and the moves stay. */
static bool ended_by_word(const struct db_game *row)
{
    static const char *const words[] = {"resign", "timeout", "agreement", "foul", "forfeit"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (row->status == STATUS_FINISHED && strcmp(row->reason, words[i]) == 0)
            return true;
    return false;
}

const char *may_not_undo_to(const struct db_game *row, unsigned seats, int32_t *to)
{
    const char *why = may_not_turn(row, seats);
    bool word = ended_by_word(row);

    if (*to == GUARD_NONE)
        *to = word ? row->ply : row->ply - step_size(row, seats);
    if (why == NULL && (row->status == STATUS_ABORTED || (row->ply == 0 && !word) || *to < 0 ||
                        (*to == row->ply && !word)))
        why = "nothing-to-undo";
    if (why == NULL && *to > row->ply)
        why = "cannot-undo-that-far";
    return why;
}

const char *may_not_redo_to(const struct db_game *row, unsigned seats, int32_t *to)
{
    const char *why = may_not_turn(row, seats);

    if (*to == GUARD_NONE) {
        *to = row->ply + step_size(row, seats);
        if (*to > row->tip)
            *to = row->tip;
    }
    if (why == NULL && (row->status == STATUS_ABORTED || *to <= row->ply || *to > row->tip))
        why = "nothing-to-redo";
    return why;
}

const char *may_not_undo(const struct db_game *row, unsigned seats)
{
    int32_t to = GUARD_NONE;

    return may_not_undo_to(row, seats, &to);
}

const char *may_not_redo(const struct db_game *row, unsigned seats)
{
    int32_t to = GUARD_NONE;

    return may_not_redo_to(row, seats, &to);
}
