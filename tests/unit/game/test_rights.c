/*
 * test_rights.c - what may be done in a game: every status, seat, policy, ply and end, held against
 * what the documentation says.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/rights.h"
#include "api/game/words.h"

/* ---- what the documentation says ---- */

static bool plays(unsigned seats, int seat)
{
    return (seats >> seat & 1) != 0;
}

/* The sides take turns. */
static int turn_at(const struct db_game *row, int32_t ply)
{
    return (ply - row->ply) % 2 == 0 ? row->to_move : 3 - row->to_move;
}

static enum problem model_move(const struct db_game *row, unsigned seats)
{
    switch (row->status) {
    case STATUS_OPEN:
        return PROBLEM_GAME_NOT_STARTED;
    case STATUS_ACTIVE:
        return plays(seats, row->to_move) ? PROBLEM_NONE : PROBLEM_NOT_YOUR_TURN;
    default:
        return PROBLEM_RULE_GAME_OVER;
    }
}

static enum problem model_resign(const struct db_game *row)
{
    switch (row->status) {
    case STATUS_OPEN:
        return PROBLEM_GAME_NOT_STARTED;
    case STATUS_ACTIVE:
        return PROBLEM_NONE;
    default:
        return PROBLEM_RULE_GAME_OVER;
    }
}

/* "Call a game off before both sides have moved." */
static enum problem model_abort(const struct db_game *row)
{
    if (row->status == STATUS_FINISHED || row->status == STATUS_ABORTED)
        return PROBLEM_RULE_GAME_OVER;
    return row->ply >= 2 ? PROBLEM_ALREADY_MOVED : PROBLEM_NONE;
}

/* "free: whoever plays a seat. consent: refused between two people, and as free for somebody who
 * plays alone or against the computer. never: nobody." */
static enum problem model_policy(const struct db_game *row, unsigned seats)
{
    bool another = false;

    for (int seat = 1; seat <= DB_SEATS; seat++)
        another |= row->seat[seat - 1].state != SEAT_ENGINE && !plays(seats, seat);
    if (row->undo == UNDO_NEVER)
        return PROBLEM_UNDO_NEVER;
    return row->undo == UNDO_CONSENT && another ? PROBLEM_UNDO_NEEDS_CONSENT : PROBLEM_NONE;
}

/* Players ended the game, and no position. Such an end is taken back by itself, and the moves
 * stay. */
static bool players_ended(const struct db_game *row)
{
    static const char words[] = " resign timeout agreement foul forfeit ";
    const char *at = row->status == STATUS_FINISHED ? strstr(words, row->reason) : NULL;

    return at != NULL && at[-1] == ' ' && at[strlen(row->reason)] == ' ';
}

/* "To before the asker's last move." */
static int32_t undo_target(const struct db_game *row, unsigned seats)
{
    int32_t ply = row->ply - 1;

    if (players_ended(row))
        return row->ply;
    while (!plays(seats, turn_at(row, ply)))
        ply--;
    return ply;
}

static enum problem model_undo(const struct db_game *row, unsigned seats, int32_t to)
{
    enum problem policy = model_policy(row, seats);
    bool at_start = row->ply == 0 && !players_ended(row);

    if (policy != PROBLEM_NONE)
        return policy;
    if (row->status == STATUS_ABORTED || at_start || to < 0)
        return PROBLEM_NOTHING_TO_UNDO;
    if (to > row->ply)
        return PROBLEM_CANNOT_UNDO_THAT_FAR;
    return to == row->ply && !players_ended(row) ? PROBLEM_NOTHING_TO_UNDO : PROBLEM_NONE;
}

/* "As far as an undo goes back", and never beyond what was undone. */
static int32_t redo_target(const struct db_game *row, unsigned seats)
{
    int32_t ply = row->ply + 1;

    while (ply < row->tip && !plays(seats, turn_at(row, ply)))
        ply++;
    return ply < row->tip ? ply : row->tip;
}

static enum problem model_redo(const struct db_game *row, unsigned seats, int32_t to)
{
    enum problem policy = model_policy(row, seats);

    if (policy != PROBLEM_NONE)
        return policy;
    return row->status != STATUS_ABORTED && to > row->ply && to <= row->tip
               ? PROBLEM_NONE
               : PROBLEM_NOTHING_TO_REDO;
}

/* "Between two people, in a game that is played; a draw, to the computer too if it thinks. Time and
 * pauses need a clock. Undo also takes back an end, unless the game was aborted." */
static enum problem model_offer(const struct db_game *row, enum offer_kind kind)
{
    bool alone = row->seat[0].state == SEAT_ENGINE || row->seat[1].state == SEAT_ENGINE;
    bool thinks = row->seat[1].state == SEAT_ENGINE; /* make() */

    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->status != STATUS_ACTIVE)
        return PROBLEM_RULE_GAME_OVER;
    if (alone && !(thinks && kind == OFFER_DRAW))
        return PROBLEM_NOBODY_TO_ASK;
    return row->clock == NULL && kind >= OFFER_TIME ? PROBLEM_NO_CLOCK : PROBLEM_NONE;
}

static enum problem model_offer_undo(const struct db_game *row, unsigned seats, int32_t to)
{
    struct db_game free = *row;
    bool alone = row->seat[0].state != SEAT_TAKEN || row->seat[1].state != SEAT_TAKEN;

    free.undo = UNDO_FREE;
    if (row->status == STATUS_OPEN)
        return PROBLEM_GAME_NOT_STARTED;
    if (row->undo == UNDO_NEVER)
        return PROBLEM_UNDO_NEVER;
    return alone ? PROBLEM_NOBODY_TO_ASK : model_undo(&free, seats, to);
}

/* ---- every game ---- */

static const char *const reasons[] = {"resign",    "timeout",   "agreement",  "foul",
                                      "forfeit",   "checkmate", "repetition", "resigned",
                                      "stalemate", "full-board"};

enum { REASONS = sizeof(reasons) / sizeof(reasons[0]), PLIES = 5, UNDONE = 4 };

static size_t take(size_t *number, size_t of)
{
    size_t digit = *number % of;

    *number /= of;
    return digit;
}

/* Game number n as it stands and who asks; false past the last one. */
static bool make(size_t number, struct db_game *row, unsigned *seats)
{
    *row = (struct db_game){.version = 9};
    *seats = 2 * (1 + (unsigned)take(&number, 3));
    row->seat[0].has_token = row->seat[1].has_token = true;
    row->seat[0].state = (int16_t)(SEAT_OPEN + take(&number, 3));
    row->seat[1].state = (int16_t)(SEAT_OPEN + take(&number, 3));
    row->seat[0].engine = row->seat[0].state == SEAT_ENGINE ? "random" : NULL;
    row->seat[1].engine = row->seat[1].state == SEAT_ENGINE ? "plyd:3" : NULL;
    row->undo = (int16_t)(UNDO_FREE + take(&number, 3));
    row->to_move = (int16_t)(1 + take(&number, 2));
    row->ply = (int32_t)take(&number, PLIES);
    row->tip = row->ply + (int32_t)take(&number, UNDONE);
    if (number < REASONS) {
        row->status = STATUS_FINISHED;
        row->reason = reasons[number];
        return true;
    }
    number -= REASONS;
    row->status = number == 0 ? STATUS_OPEN : number == 1 ? STATUS_ACTIVE : STATUS_ABORTED;
    return number < 3;
}

static void check(const char *deed, enum problem is, enum problem ought, const struct db_game *row,
                  unsigned seats, int32_t to)
{
    if (is != ought)
        cr_assert_fail("%s to %d by %u in status %d (%s), ply %d of %d, seat %d to move, undo %d, "
                       "seats %d and %d: %s and not %s",
                       deed, to, seats, row->status, row->reason == NULL ? "-" : row->reason,
                       row->ply, row->tip, row->to_move, row->undo, row->seat[0].state,
                       row->seat[1].state, problem_kind(is)->code, problem_kind(ought)->code);
}

Test(rights, a_move_a_resignation_and_an_abort_are_refused_by_the_state_of_the_game)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        check("move", may_not_move(&row, seats), model_move(&row, seats), &row, seats, 0);
        check("resign", may_not_resign(&row, seats), model_resign(&row), &row, seats, 0);
        check("abort", may_not_abort(&row, seats), model_abort(&row), &row, seats, 0);
    }
}

Test(rights, an_undo_goes_back_on_the_line_as_far_as_the_policy_lets_it)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++)
        for (int32_t ply = 0; ply <= PLIES + UNDONE; ply++) {
            int32_t to = ply;

            check("undo", may_not_undo_to(&row, seats, &to), model_undo(&row, seats, ply), &row,
                  seats, ply);
            cr_assert_eq(to, ply, "what was asked for is not changed");
        }
}

Test(rights, an_undo_without_a_ply_goes_to_before_the_askers_last_move)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        int32_t to = MAY_ANY, target = undo_target(&row, seats);
        enum problem ought = model_undo(&row, seats, target);

        check("undo", may_not_undo_to(&row, seats, &to), ought, &row, seats, target);
        check("undo", may_not_undo(&row, seats), ought, &row, seats, target);
        if (ought == PROBLEM_NONE)
            cr_assert_eq(to, target, "%d, not %d", to, target);
    }
}

Test(rights, a_redo_goes_on_to_what_was_undone_and_no_further)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++)
        for (int32_t ply = 0; ply <= PLIES + UNDONE; ply++) {
            int32_t to = ply;

            check("redo", may_not_redo_to(&row, seats, &to), model_redo(&row, seats, ply), &row,
                  seats, ply);
            cr_assert_eq(to, ply, "what was asked for is not changed");
        }
}

Test(rights, a_redo_without_a_ply_goes_as_far_as_an_undo_went_back)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        int32_t to = MAY_ANY, target = redo_target(&row, seats);
        enum problem ought = model_redo(&row, seats, target);

        check("redo", may_not_redo_to(&row, seats, &to), ought, &row, seats, target);
        check("redo", may_not_redo(&row, seats), ought, &row, seats, target);
        if (ought == PROBLEM_NONE)
            cr_assert_eq(to, target, "%d, not %d", to, target);
    }
}

Test(rights, an_offer_is_made_between_two_people_in_a_game_that_is_played)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++)
        for (int kind = 1; kind <= OFFER_KINDS; kind++)
            for (int clock = 0; clock < 2 && kind != OFFER_UNDO; clock++) {
                row.clock = clock ? "{}" : NULL;
                check(offers_word((enum offer_kind)kind),
                      may_not_offer(&row, seats, (enum offer_kind)kind),
                      model_offer(&row, (enum offer_kind)kind), &row, seats, kind);
            }
}

Test(rights, an_offer_to_undo_goes_where_an_undo_could_go)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        int32_t target = undo_target(&row, seats);

        check("offer:undo", may_not_offer(&row, seats, OFFER_UNDO),
              model_offer_undo(&row, seats, target), &row, seats, target);
        for (int32_t to = 0; to <= PLIES + UNDONE; to++)
            check("offer:undo", may_not_offer_undo_to(&row, seats, &to),
                  model_offer_undo(&row, seats, to), &row, seats, to);
    }
}

Test(rights, a_timeout_is_claimed_while_the_time_of_the_other_side_runs)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        check("claim:timeout", may_not_claim_timeout(&row, seats), PROBLEM_NO_CLOCK, &row, seats,
              0);
        row.clock = "{}";
        check("claim:timeout", may_not_claim_timeout(&row, seats),
              row.status == STATUS_OPEN     ? PROBLEM_GAME_NOT_STARTED
              : row.status != STATUS_ACTIVE ? PROBLEM_RULE_GAME_OVER
              : plays(seats, row.to_move)   ? PROBLEM_CLAIM_REFUSED
                                            : PROBLEM_NONE,
              &row, seats, 0);
    }
}

Test(rights, messages_are_written_unless_a_seat_is_still_kept_for_a_player)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        check("message", may_not_write(&row, seats), PROBLEM_NONE, &row, seats, 0);
        row.seat[1].state = SEAT_CHALLENGED;
        check("message", may_not_write(&row, seats),
              row.status == STATUS_OPEN ? PROBLEM_GAME_NOT_STARTED : PROBLEM_RULE_GAME_OVER, &row,
              seats, 0);
    }
}

Test(rights, an_impasse_is_claimed_in_ones_own_turn_where_the_variant_has_it)
{
    struct db_game row;
    unsigned seats;

    for (size_t i = 0; make(i, &row, &seats); i++) {
        row.variant = "jungle";
        check("claim:impasse", may_not_claim_impasse(&row, seats), PROBLEM_CLAIM_REFUSED, &row,
              seats, 0);
        row.variant = "shogi";
        check("claim:impasse", may_not_claim_impasse(&row, seats), model_move(&row, seats), &row,
              seats, 0);
    }
}
