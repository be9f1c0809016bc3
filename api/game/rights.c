#include "api/game/rights.h"

#include <string.h>

#include "api/game/opponent.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "rules/rules.h"

enum problem may_not_move(const struct db_game *row, unsigned seats)
{
    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    return (seats & seat_bit(row->to_move)) != 0 ? PROBLEM_NONE : PROBLEM_NOT_YOUR_TURN;
}

enum problem may_not_resign(const struct db_game *row, unsigned seats)
{
    (void)seats; /* one may give up at any time, not only in one's own turn */
    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    return row->status == STATUS_ACTIVE ? PROBLEM_NONE : PROBLEM_RULE_GAME_OVER;
}

/* A game may be called off until each side has moved once. */
enum problem may_not_abort(const struct db_game *row, unsigned seats)
{
    (void)seats;
    if (row->status != STATUS_OPEN && row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    return row->ply < DB_SEATS ? PROBLEM_NONE : PROBLEM_ALREADY_MOVED;
}

enum problem may_not_plan(const struct db_game *row, unsigned seats)
{
    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    if (seats == SEATS_BOTH)
        return PROBLEM_NO_OPPONENT;
    return (seats & seat_bit(row->to_move)) != 0 ? PROBLEM_YOUR_TURN : PROBLEM_NONE;
}

enum problem may_not_invite(const struct db_game *row, unsigned seats)
{
    (void)seats;
    if (row->status == STATUS_OPEN)
        return row_challenge_seat(row) == 0 ? PROBLEM_NONE : PROBLEM_SEAT_TAKEN;
    return row->status == STATUS_ACTIVE ? PROBLEM_SEAT_TAKEN : PROBLEM_RULE_GAME_OVER;
}

enum problem may_not_rematch(const struct db_game *row, unsigned seats)
{
    (void)seats;
    return row->status == STATUS_FINISHED ? PROBLEM_NONE : PROBLEM_GAME_NOT_OVER;
}

/* A challenge stays what it was when the player was told of it, and they are told of it once, not
 * of what is written there. */
static enum problem stays_as_asked(const struct db_game *row)
{
    if (row_challenge_seat(row) == 0)
        return PROBLEM_NONE;
    return row->status == STATUS_OPEN ? PROBLEM_GAME_NOT_STARTED : PROBLEM_RULE_GAME_OVER;
}

enum problem may_not_write(const struct db_game *row, unsigned seats)
{
    (void)seats;
    return stays_as_asked(row);
}

/* Whether these are all the seats that people hold or may still take. */
static bool plays_alone(const struct db_game *row, unsigned seats)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state != SEAT_ENGINE && (seats & seat_bit(i + 1)) == 0)
            return false;
    return true;
}

enum problem may_not_hint(const struct db_game *row, unsigned seats)
{
    if (!status_goes_on(row->status) || plays_alone(row, seats))
        return PROBLEM_NONE;
    return PROBLEM_NO_HINTS;
}

/* ---- back and forth ---- */

/* How many plies one step is. Somebody who plays one seat wants their own turn back, which is two
 * plies away, or one while the other side is to move. Somebody who plays both goes ply by ply. */
static int32_t step_size(const struct db_game *row, unsigned seats)
{
    bool own_turn = (seats & seat_bit(row->to_move)) != 0;

    if (seats == SEATS_BOTH)
        return 1;
    return own_turn ? 2 : 1;
}

/* Whether somebody who held a seat has left. Such a game is over for good: nobody could play on. */
static bool was_left(const struct db_game *row)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state == SEAT_TAKEN && !row->seat[i].has_token && !row->seat[i].has_player)
            return true;
    return false;
}

/* Whether these seats may go back and forth at all. Where undo is free, each player may, and takes
 * back the other side's moves too. Where it needs consent, there is nobody to ask if one person
 * plays against the computer or against themselves. */
static enum problem may_not_turn(const struct db_game *row, unsigned seats)
{
    enum problem stays = stays_as_asked(row);

    if (stays != PROBLEM_NONE)
        return stays;
    if (row->undo == UNDO_NEVER)
        return PROBLEM_UNDO_NEVER;
    if (was_left(row))
        return PROBLEM_RULE_GAME_OVER;
    return row->undo == UNDO_CONSENT && !plays_alone(row, seats) ? PROBLEM_UNDO_NEEDS_CONSENT
                                                                 : PROBLEM_NONE;
}

/* Whether something that was said ended the game (in a record, "timeout" is too) and not a
 * position. Undo then takes only that back: it leads to the present ply, and all moves stay. */
static bool ended_by_word(const struct db_game *row)
{
    static const char *const words[] = {"resign", "timeout", "agreement", "foul", "forfeit"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (row->status == STATUS_FINISHED && strcmp(row->reason, words[i]) == 0)
            return true;
    return false;
}

/* Whether the game can go back to the ply *to, whoever may have it do so. */
static enum problem cannot_go_back(const struct db_game *row, unsigned seats, int32_t *to)
{
    bool word = ended_by_word(row);

    if (*to == MAY_ANY)
        *to = word ? row->ply : row->ply - step_size(row, seats);
    if (row->status == STATUS_ABORTED || (row->ply == 0 && !word) || *to < 0 ||
        (*to == row->ply && !word))
        return PROBLEM_NOTHING_TO_UNDO;
    return *to > row->ply ? PROBLEM_CANNOT_UNDO_THAT_FAR : PROBLEM_NONE;
}

enum problem may_not_undo_to(const struct db_game *row, unsigned seats, int32_t *to)
{
    enum problem turn = may_not_turn(row, seats), back = cannot_go_back(row, seats, to);

    return turn != PROBLEM_NONE ? turn : back;
}

enum problem may_not_redo_to(const struct db_game *row, unsigned seats, int32_t *to)
{
    enum problem why = may_not_turn(row, seats);

    if (*to == MAY_ANY) {
        *to = row->ply + step_size(row, seats);
        if (*to > row->tip)
            *to = row->tip;
    }
    if (why == PROBLEM_NONE && (row->status == STATUS_ABORTED || *to <= row->ply || *to > row->tip))
        why = PROBLEM_NOTHING_TO_REDO;
    return why;
}

enum problem may_not_change_line(const struct db_game *row, unsigned seats)
{
    enum problem why = may_not_turn(row, seats);

    return why == PROBLEM_NONE && row->status == STATUS_ABORTED ? PROBLEM_NOTHING_TO_REDO : why;
}

enum problem may_not_undo(const struct db_game *row, unsigned seats)
{
    int32_t to = MAY_ANY;

    return may_not_undo_to(row, seats, &to);
}

enum problem may_not_redo(const struct db_game *row, unsigned seats)
{
    int32_t to = MAY_ANY;

    return may_not_redo_to(row, seats, &to);
}

/* ---- offers and claims ---- */

/* What needs no consent is free beside the computer. So it is asked for nothing but a draw, if it
 * can think. */
static bool has_computer(const struct db_game *row)
{
    return row->seat[0].state == SEAT_ENGINE || row->seat[1].state == SEAT_ENGINE;
}

static bool has_thinker(const struct db_game *row)
{
    return opponent_thinks(&row->seat[0]) || opponent_thinks(&row->seat[1]);
}

enum problem may_not_offer(const struct db_game *row, unsigned seats, enum offer_kind kind)
{
    int32_t to = MAY_ANY;

    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (kind == OFFER_UNDO)
        return may_not_offer_undo_to(row, seats, &to);
    if (row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    if (has_computer(row) && !(kind == OFFER_DRAW && has_thinker(row)))
        return PROBLEM_NOBODY_TO_ASK;
    return (kind == OFFER_TIME || kind == OFFER_PAUSE) && row->clock == NULL ? PROBLEM_NO_CLOCK
                                                                             : PROBLEM_NONE;
}

enum problem may_not_offer_undo_to(const struct db_game *row, unsigned seats, int32_t *to)
{
    enum problem back = cannot_go_back(row, seats, to);

    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->undo == UNDO_NEVER)
        return PROBLEM_UNDO_NEVER;
    /* A record may have ended a game while a seat of it is open, and a player may have left. */
    return has_computer(row) || row_has_open_seat(row) || was_left(row) ? PROBLEM_NOBODY_TO_ASK
                                                                        : back;
}

enum problem may_not_claim_timeout(const struct db_game *row, unsigned seats)
{
    if (row->clock == NULL)
        return PROBLEM_NO_CLOCK;
    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    return (SEATS_BOTH & ~seats & seat_bit(row->to_move)) != 0 ? PROBLEM_NONE
                                                               : PROBLEM_CLAIM_REFUSED;
}

enum problem may_not_claim_impasse(const struct db_game *row, unsigned seats)
{
    const struct rules_game *game = rules_find(row->variant);

    if (game == NULL || game->declare == NULL)
        return PROBLEM_CLAIM_REFUSED;
    return may_not_move(row, seats);
}

enum problem may_not_resume(const struct db_game *row, const struct clock *clock, int64_t now)
{
    if (clock == NULL)
        return PROBLEM_NO_CLOCK;
    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    return clock->state.paused_until > now ? PROBLEM_NONE : PROBLEM_NOT_PAUSED;
}
