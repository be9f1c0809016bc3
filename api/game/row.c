#include "api/game/row.h"

#include <string.h>

#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "api/text/options.h"
#include "api/text/problem.h"

/* New numbers of each kind are greater than all before. */
static bool is_known_number(int number, int last)
{
    return number >= 0 && number <= last;
}

static bool is_seat(int seat)
{
    return seat >= 1 && seat <= DB_SEATS;
}

static bool knows_seat(const struct db_seat *seat)
{
    return is_known_number(seat->state, SEAT_CHALLENGED) &&
           (seat->state != SEAT_ENGINE || opponent_is_known(seat->engine));
}

bool row_is_known(const struct db_game *row)
{
    const struct rules_game *game = rules_find(row->variant);

    return game != NULL && row->rules_version <= game->version &&
           is_known_number(row->status, STATUS_ABORTED) && is_known_number(row->undo, UNDO_NEVER) &&
           is_known_number(row->visibility, VISIBILITY_PRIVATE) &&
           (is_seat(row->to_move) || !status_goes_on(row->status)) &&
           (row->winner == 0 || is_seat(row->winner)) &&
           (row->last_seat == 0 || is_seat(row->last_seat)) && knows_seat(&row->seat[0]) &&
           knows_seat(&row->seat[1]);
}

const struct rules_game *row_position(const struct db_game *row, struct rules_options *options,
                                      struct rules_state *state)
{
    const struct rules_game *game = rules_find(row->variant);
    struct rules_refusal why;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct arena arena = {NULL, NULL, NULL};
    bool ok;

    /* The memory of this call alone: options are numbers once they are read. */
    if (!row_is_known(row))
        return NULL;
    ok = options_from_json(game, &arena, row->options, options, &error) &&
         rules_load(game, options, row->position, state, &why);
    options->position = NULL; /* it pointed into the arena */
    arena_free(&arena);
    return ok ? game : NULL;
}

unsigned row_seats_of(const struct db_game *row, db_id player)
{
    unsigned seats = 0;

    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].has_player && memcmp(&row->seat[i].player, &player, sizeof(player)) == 0)
            seats |= seat_bit(i + 1);
    return seats;
}

bool row_has_two_players(const struct db_game *row)
{
    const struct db_seat *one = &row->seat[0], *other = &row->seat[1];

    return one->state == SEAT_TAKEN && other->state == SEAT_TAKEN && one->has_player &&
           other->has_player && memcmp(&one->player, &other->player, sizeof(db_id)) != 0;
}

bool row_has_open_seat(const struct db_game *row)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state == SEAT_OPEN || row->seat[i].state == SEAT_CHALLENGED)
            return true;
    return false;
}

/* ---- challenges ---- */

/* The id stands where open seats have the hash of an invitation's code, and nothing behind it. */
void row_challenge(struct db_seat *seat, db_id player, int64_t until, bool tells)
{
    seat->state = SEAT_CHALLENGED;
    seat->has_invitation = true;
    memset(seat->invitation, 0, sizeof(seat->invitation));
    memcpy(seat->invitation, &player, sizeof(player));
    seat->invited_until = until;
    seat->has_player = tells;
    seat->player = player;
}

db_id row_challenged(const struct db_seat *seat)
{
    db_id player;

    memcpy(&player, seat->invitation, sizeof(player));
    return player;
}

int row_challenge_seat(const struct db_game *row)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state == SEAT_CHALLENGED)
            return i + 1;
    return 0;
}

bool row_challenges(const struct db_game *row, db_id player)
{
    int seat = row_challenge_seat(row);
    db_id challenged;

    if (seat == 0)
        return false;
    challenged = row_challenged(&row->seat[seat - 1]);
    return memcmp(&challenged, &player, sizeof(player)) == 0;
}

bool row_is_public(const struct db_game *row)
{
    return row->visibility == VISIBILITY_PUBLIC && row_challenge_seat(row) == 0;
}

bool row_hides(const struct db_game *row)
{
    return !row_is_public(row) &&
           (row->visibility != VISIBILITY_UNLISTED || row_challenge_seat(row) != 0);
}

bool row_is_reserved(const struct db_seat *seat, int64_t now)
{
    return seat->has_invitation && now < seat->invited_until;
}

void row_set_move(struct db_game *row, int32_t ply, const struct db_event *move)
{
    row->ply = ply;
    row->position = move == NULL ? row->start : move->position;
    row->last_move = move == NULL ? NULL : move->move;
    row->last_seat = move == NULL ? 0 : move->seat;
    row->last_at = move == NULL ? row->created_at : move->at;
}
