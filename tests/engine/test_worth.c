/* What positions are worth: the same to either side, and the sum of its weights. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine/games.h"
#include "player.h"

/* Positions, and the same ones with the sides changed. */
static const struct twins {
    const struct engine_game *knows;
    const char *position, *turned;
} twins[] = {
    {&engine_shogi, "ln1g3nl/1ks1gr3/1ppp1sbpp/p3ppp2/1PP4P1/P1SPPPP2/3G1S2P/1KGB3R1/LN5NL b - 41",
     "ln5nl/1r3bgk1/p2s1g3/2pppps1p/1p4pp1/2PPP3P/PPBS1PPP1/3RG1SK1/LN3G1NL w - 41"},
    {&engine_shogi, "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
     "l2+SR3l/7k1/4ppg2/pppp3pp/3Ng4/PKP1n2RP/1P1P5/1SG1G4/L2s4L b Bbs2n5p 1"},
    {&engine_shogi, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
     "lkB4nl/8r/1sg5p/p1p2Bpp1/1Ps2p3/Pp4P1P/3s1PN2/KG1+p5/LN6L b GSN5Prg 1"},
    {&engine_stackchess, "6/2p1DR/1R1p2/6/3pD1/6 w - 0 1", "6/3Pd1/6/1r1P2/2P1dr/6 b - 0 1"},
    {&engine_stackchess, "5r/6/1p(td)3/(PD)P4/6/4FT w - 3 1", "4ft/6/(pd)p4/1P(TD)3/6/5R b - 3 1"},
};

enum { TWINS = sizeof(twins) / sizeof(twins[0]) };

static int32_t worth_of(const struct engine_game *knows, const char *position)
{
    return knows->evaluate(&player_at(knows->name, "", position)->state);
}

Test(worth, is_the_same_to_either_side)
{
    for (size_t i = 0; i < TWINS; i++)
        cr_expect_eq(worth_of(twins[i].knows, twins[i].position),
                     worth_of(twins[i].knows, twins[i].turned), "%s", twins[i].position);
}

/* What fitting takes for the worth, from the view of the side to move. */
static int32_t sum_of(const struct engine_game *knows, const struct player *player)
{
    static int16_t counts[1 << 12];
    int32_t sum;

    cr_assert_leq(knows->weights->n, sizeof(counts) / sizeof(counts[0]));
    memset(counts, 0, sizeof(counts));
    sum = knows->weights->count(&player->state, counts);
    for (size_t i = 0; i < knows->weights->n; i++)
        sum += knows->weights->weight[i] * counts[i];
    return player->game->to_move(&player->state) == 1 ? sum : -sum;
}

/* Nothing of the game fades yet in these positions but in the last: it has gone on for 3 plies
 * without progress. */
Test(worth, is_the_sum_that_is_fitted)
{
    for (size_t i = 0; i + 1 < TWINS; i++) {
        const struct player *player = player_at(twins[i].knows->name, "", twins[i].position);

        cr_expect_eq(sum_of(twins[i].knows, player), twins[i].knows->evaluate(&player->state), "%s",
                     twins[i].position);
    }
}

Test(worth, of_stackchess_fades_where_a_draw_is_near)
{
    int32_t early = worth_of(&engine_stackchess, "6/2p1DR/1R1p2/6/3pD1/6 w - 0 1");
    int32_t late = worth_of(&engine_stackchess, "6/2p1DR/1R1p2/6/3pD1/6 w - 90 60");

    /* 90 plies of 100 leave (200 - 90) / 200 of it. */
    cr_expect_leq(abs(200 * late - 110 * early), 200, "%d, then %d", early, late);
}

/* The weight of stackchess that is for the last men of the first seat. */
static size_t weight_of_last_men(const char *position)
{
    const struct engine_weights *weights = engine_stackchess.weights;
    static int16_t counts[1 << 12];
    size_t group = 0, at;

    while (strncmp(weights->groups[group].what, "the last men", 12) != 0)
        group++;
    memset(counts, 0, sizeof(counts));
    weights->count(&player_at("stackchess", "", position)->state, counts);
    for (at = weights->groups[group].begin; counts[at] != 1; at++)
        cr_assert_lt(at + 1, weights->groups[group + 1].begin, "%s", position);
    return at;
}

/* A lone rook before 2, 3, 6 and 9 men, and as many as 12. */
Test(worth, of_stackchess_tells_last_men_apart_by_how_many_enemies_they_have)
{
    size_t before_few = weight_of_last_men("6/pp4/6/6/6/5R w - 0 1");

    cr_expect_eq(weight_of_last_men("6/ppp3/6/6/6/5R w - 0 1"), before_few + 1);
    cr_expect_eq(weight_of_last_men("6/pppppp/6/6/6/5R w - 0 1"), before_few + 2);
    cr_expect_eq(weight_of_last_men("6/pppppp/ppp3/6/6/5R w - 0 1"), before_few + 3);
    cr_expect_eq(weight_of_last_men("6/pppppp/pppppp/6/6/5R w - 0 1"), before_few + 3);
}

/* A king that is taken ends a casual game: nothing makes up for it. */
Test(worth, of_casual_shogi_counts_the_king)
{
    struct player *player = player_at("shogi", "rules=casual", "4k4/9/9/9/4R4/9/9/9/4K4 b - 1");
    int32_t before = engine_shogi.evaluate(&player->state);

    player_play_text(player, "5e5a");
    cr_expect_lt(engine_shogi.evaluate(&player->state), -10000, "%d before", before);
}

static struct engine_rate rate_of(const char *position, const char *move)
{
    struct player *player = player_at("shogi", "", position);
    struct rules_refusal why;
    struct engine_rate rate;
    rules_move read;

    cr_assert(player->game->read_move(&player->state, move, &read, &why), "%s", move);
    engine_shogi.rate(&player->state, &read, 1, &rate);
    return rate;
}

/* A king does not take where the other king could take it, whatever stands behind it. */
Test(worth, of_a_man_between_the_kings_is_kept_by_its_own_king)
{
    struct engine_rate kept = rate_of("4r4/9/9/4k4/9/4K4/9/9/9 b P 1", "P*5e");
    struct engine_rate lost = rate_of("4r4/9/9/4k4/9/9/4K4/9/9 b P 1", "P*5e");

    cr_expect_eq(kept.gain, 0);
    cr_expect_not(kept.is & ENGINE_BAD);
    cr_expect_lt(lost.gain, 0);
    cr_expect(lost.is & ENGINE_BAD);
}
