#include "api/game/opponent.h"

#include <string.h>

#include "api/game/words.h"
#include "api/text/legal_moves.h"

static const char thinker[] = "plyd", chance[] = "random";

/* By level; 0 is the one that has none. */
static const char *const stored_texts[OPPONENT_LEVELS + 1] = {
    chance, "plyd:1", "plyd:2", "plyd:3", "plyd:4", "plyd:5", "plyd:6", "plyd:7", "plyd:8"};

const char *opponent_stored(const char *name, unsigned level)
{
    if (strcmp(name, chance) == 0 && level == 0)
        return chance;
    if (strcmp(name, thinker) == 0 && level <= OPPONENT_LEVELS)
        return stored_texts[level == 0 ? OPPONENT_LEVEL : level];
    return NULL;
}

/* ---- of what is stored ---- */

unsigned opponent_level(const char *stored)
{
    for (unsigned level = 1; level <= OPPONENT_LEVELS; level++)
        if (strcmp(stored, stored_texts[level]) == 0)
            return level;
    return 0;
}

bool opponent_is_known(const char *stored)
{
    return stored != NULL && (opponent_level(stored) > 0 || strcmp(stored, chance) == 0);
}

const char *opponent_name(const char *stored)
{
    return opponent_level(stored) > 0 ? thinker : chance;
}

const char *opponent_title(struct arena *arena, const struct lang *lang, const char *stored)
{
    unsigned level = opponent_level(stored);

    if (level == 0)
        return lang_word(lang, "the-computer");
    return lang_fill(arena, lang, "engine-level", "engine", thinker, "level",
                     arena_format(arena, "%u", level), NULL);
}

void opponent_view(struct json *json, const char *stored)
{
    unsigned level = opponent_level(stored);

    json_member(json, "engine", opponent_name(stored));
    if (level > 0)
        json_member_int(json, "level", level);
}

/* ---- of games ---- */

bool opponent_thinks(const struct db_seat *seat)
{
    return seat->state == SEAT_ENGINE && seat->engine != NULL && opponent_level(seat->engine) > 0;
}

bool opponent_is_due(const struct db_game *row)
{
    return row->status == STATUS_ACTIVE && opponent_thinks(&row->seat[row->to_move - 1]);
}

const struct offer *opponent_asked(const struct db_game *row, const struct offers *offers)
{
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if (row->status == STATUS_ACTIVE && opponent_thinks(&row->seat[seat - 1]))
            return offers_of(offers, OFFER_DRAW, (int)rules_other((unsigned)seat));
    return NULL;
}

uint64_t opponent_seed(const struct db_game *row)
{
    return (uint64_t)row->seed + 0x632be59bd9b4e019U * (uint64_t)row->ply;
}

size_t opponent_past(const struct rules_game *game, const struct rules_state *state, size_t ply)
{
    enum { LEAST = 64 };
    size_t span = game->span(state), wanted = span > LEAST ? span : LEAST;

    return wanted < ply ? wanted : ply;
}

/* The choice is among the sorted texts, not among the moves in the order of legal(), which may
 * change. */
rules_move opponent_random_move(struct arena *arena, const struct rules_game *game,
                                const struct rules_state *state, uint64_t seed)
{
    struct rules_refusal why;
    rules_move move = {{0, 0}};
    const char **texts;
    size_t n = legal_moves_texts(arena, game, state, &texts);

    game->read_move(state, texts[rules_choose(&seed, n)], &move, &why);
    return move;
}
