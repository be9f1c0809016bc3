/*
 * test_keys.c - the keys of positions are stored, so they never change: what was released is here.
 * A row that fails is not to be corrected: stored games would count repetitions anew.
 */
#include <criterion/criterion.h>

#include "rules/rules.h"

static const struct {
    const char *game, *position; /* NULL: the usual start */
    uint64_t key;
} rows[] = {
    {"shogi", NULL, 0x5ffebefdc0d5f616},
    {"shogi", "l5knl/2+R2sg2/p1npp1p1p/1p3p1p1/9/P1P1P1P1P/1PNP1PN2/1KSG1+b3/L2G4L w BGS2Prs 60",
     0xc18ea4d8d105f1b4},
    {"shogi", "4k4/4R4/9/9/9/9/9/9/4K4 w - 1", 0xef0e6071f0552d17},
    {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrb 1", 0x1794109b8125f616},
    {"jungle", NULL, 0xf73e180dd0705250},
    {"jungle", "l5t/1d3c1/2p1w1e/7/1r4R/3P3/E1W4/1C3D1/T5L r 4 9", 0x9fd86833050c0fb6},
    {"jungle", "l5t/1d3c1/2p1w1e/7/1r4R/3P3/E1W4/1C3D1/T5L b 4 9", 0xeeb6526cf076f4d4},
    {"turkish-draughts", NULL, 0x484a3065aa65867c},
    {"turkish-draughts", "B:Wa2,b3,c3,d2,Kd7,e3,g3,h2:Ba6,b6,Kf1,f6,g7,h6:H0:F12",
     0x7a9fd55066ed1532},
    {"turkish-draughts", "W:Wa2,b3,c3,d2,Kd7,e3,g3,h2:Ba6,b6,Kf1,f6,g7,h6:H0:F12",
     0xb303969c7064d1a8},
    {"stackchess", NULL, 0x8cdb0bcb9bd10dda},
    {"stackchess", "tfdr1t/ppp1p1/3p2/2P2(pf)/(PFT)P1P1P/2DR(PTF)1 w ABDFabce 0 9",
     0x141b37f199156f1a},
    {"stackchess", "tfdr1t/ppp1p1/3p2/2P2(pf)/(PFT)P1P1P/2DR(PTF)1 b ABDFabce 0 9",
     0xee0e585befe0b38c},
    {"stackchess", "tfdr1t/ppp1p1/3p2/2P2(pf)/(PFT)P1P1P/2DR(PTF)1 w - 0 9", 0x81b1801a4d1e6b78},
    {"tictactoe", NULL, 0xa706dd2f4d197e6e},
    {"tictactoe", "7/2o4/2xo3/2ox3/1oxxx2/3o3/7 x 4", 0x6a78def31696af2e},
    {"stackchess", "cfdrfc/pppppp/6/6/PPPPPP/CFDRFC w ABCDEFabcdef 0 1", 0x3d3219597c164774},
};

Test(keys, the_key_of_a_position_is_the_same_for_ever)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct rules_game *game = rules_find(rows[i].game);
        struct rules_options options;
        struct rules_state state;
        struct rules_refusal why;

        rules_options_init(&options);
        cr_assert(rules_start(game, &options, rows[i].position, &state, &why), "row %zu", i);
        cr_assert_eq(game->key(&state), rows[i].key, "row %zu: 0x%016llx", i,
                     (unsigned long long)game->key(&state));
    }
}
