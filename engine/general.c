/* general.c - what the engine makes of any game (general.h). */
#include "engine/general.h"

enum { MAN = 100, MOVE = 2, MOVES_WORTH = 200, HEIGHT = 16 };

/* The kinds that others become by promotion, as bits: they count as two. */
static uint32_t promoted_kinds(const struct rules_game *game)
{
    uint32_t kinds = 0;

    for (size_t i = 0; i < game->npieces; i++)
        if (game->pieces[i].promotes_to >= 0)
            kinds |= 1U << game->pieces[i].promotes_to;
    return kinds;
}

/* The men on the board and in the hands, those of the side to move less those of the other. */
static int32_t men_ahead(const struct rules_game *game, const struct rules_state *state)
{
    struct rules_board board = game->board(state);
    unsigned mover = game->to_move(state);
    uint32_t promoted = promoted_kinds(game);
    int32_t ahead = 0;

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        struct rules_man men[HEIGHT];
        size_t n = game->at(state, square, men, HEIGHT);

        for (size_t i = 0; i < n && i < HEIGHT; i++) {
            int32_t worth = 1 + (int32_t)(promoted >> men[i].kind & 1);

            ahead += men[i].seat == mover ? worth : -worth;
        }
    }
    for (unsigned kind = 0; kind < game->npieces && game->hand != NULL; kind++)
        ahead += (int32_t)game->hand(state, mover, kind) -
                 (int32_t)game->hand(state, rules_other(mover), kind);
    return ahead;
}

/* Only the mover's moves can be counted. Positions at one depth have the same mover, so they can be
 * compared by it. */
int32_t general_evaluate(const struct rules_game *game, const struct rules_state *state)
{
    size_t moves = rules_is_heavy(game, state) ? MOVES_WORTH : game->count(state);
    int32_t ahead = men_ahead(game, state);

    if (ahead < -MAN || ahead > MAN)
        ahead = ahead < 0 ? -MAN : MAN;
    return ahead * MAN + MOVE * (int32_t)(moves < MOVES_WORTH ? moves : MOVES_WORTH);
}

/* What takes, and how much. */
void general_rate(const struct rules_game *game, const struct rules_state *state,
                  const rules_move *moves, size_t n, struct engine_rate *rates)
{
    for (size_t i = 0; i < n; i++) {
        struct rules_effect effect[RULES_EFFECTS_MAX];
        size_t effects = game->effects(state, moves[i], effect);

        rates[i] = (struct engine_rate){0};
        for (size_t k = 0; k < effects; k++)
            if (effect[k].type == RULES_EFFECT_CAPTURE) {
                rates[i].gain += MAN;
                rates[i].value += MAN;
                rates[i].is = ENGINE_NOISY;
            }
    }
}

const struct engine_game engine_general = {
    .name = "",
    .man = MAN,
    .noise = {600, 480, 400, 300, 200, 100, 50, 0},
    .hidden = {400, 110, 50, 0, 0, 0, 0, 0},
    .careless = {600, 400},
    .variety = 30,
    .reduce = 3,
    .quiescence = 6,
};
