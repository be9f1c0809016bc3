/*
 * test_oracle.c - every game against its reference: which options are tried, and composed positions
 * that provoke what chance seldom finds. How they are played is in oracle_games.h.
 */
#include <criterion/criterion.h>

#include "oracle_games.h"

static const struct oracle_option no_choices[] = {{NULL, {NULL}}};
static const char *const one_start[] = {"", NULL};

Test(oracle, tictactoe_agrees_with_its_reference)
{
    static const char *const starts[] = {
        "",
        "rows=1 cols=1 k=1",
        "rows=2 cols=2 k=2",
        "rows=3 cols=3 k=2",
        "rows=1 cols=9",
        "rows=9 cols=1",
        "rows=3 cols=5 k=5",
        "rows=4 k=4",
        "rows=6 cols=7 k=4",
        "rows=15 cols=15 k=5",
        "rows=26 cols=26 k=3",
        "rows=2 cols=26 k=26",
        NULL,
    };
    static const char *const positions[] = {
        "3/3/3 x 1",        "xox/oxo/ox1 x 3",     "xoxo/oxox/oxo1/xox1 x 4",
        "x1o/1x1/o1x o 3",  "xx1oo/5/5/5 x 5",     "9 x 9",
        "1/1/1/1/1 x 5",    "1x1/o1o/x1x/1o1 x 4", "oo1/xx1/3/3 x 3",
        "xxo/oox/x2 o 3",   "1xxx/ooo1/4/4 x 4",   "2/2 x 2",
        "26/26/26/26 x 26", "xxxx1/oooo1/5 x 5",   NULL,
    };

    oracle_play_games(&(struct oracle_repertoire){
        .reference = &reference_tictactoe,
        .options = "",
        .choices = no_choices,
        .starts = starts,
        .positions = positions,
        .setup = oracle_setup_tictactoe,
        .plies = 60,
        .never = "",
    });
}

static const struct oracle_option draughts_choices[] = {
    {"promotion", {"end", "immediate", "stop"}},
    {"turn180", {"forbidden", "allowed"}},
    {"removal", {"immediate", "end"}},
    {"one_v_one", {"draw", "strict", "king_wins", "off"}},
    {"repetition", {"0", "2", "3", "5"}},
    {"no_progress", {"0", "1", "7", "30", "100"}},
    {NULL, {NULL}},
};

Test(oracle, turkish_draughts_agrees_with_its_reference)
{
    static const char *const positions[] = {
        /* T21: a man takes its way to the last rank, where kings stand beside it */
        "W:Wd6:Bd7,Kc8",
        "W:Wd6:Bd7,Kc8,Ke8",
        "W:Wd4:Bd5,d7,Ka8,Kc8",
        "B:WKc1,Ke1,d2:Bd3",
        "W:Wa1,e6:Be7,h7,Kb8,Kd8,Kf8",
        "B:WKb1,Kd1,Kf1,c2:Bc3,h8",
        "W:Wc6:Bc7,d7,Kd8,Kg8",
        /* T16: pieces behind pieces that are taken first */
        "W:WKa4:BKd1,e2,c3,c4",
        "W:WKa1:Ba3,c3,f3,b4,d4,d6,f6",
        "B:Wb3,c3,d4,g4,e5,c6:BKa3",
        "W:WKa1,Kd1:Bb3,d3,f3,d4,b6,d6,f6",
        /* T17: forward and back on one line */
        "W:WKd4:Bd2,d6",
        "W:WKd4:Bd2,b4,f4,d6",
        "B:Wd2,d4,d6:Ba8,Kd8",
        "W:WKa4:Bc4,e4,g4,b6",
        /* T14, T15: round and back to the start */
        "W:WKb2:Bd2,b4,f4,d6",
        "W:WKa1:BKc1,a3,e3,c5",
        "B:Wc4,a6,e6,Kc8:BKb8,h8",
        "W:WKd3:Bf2,b3,e3,g4,c5,d5,b6,f6",
        /* T18, T19: the choice between long captures */
        "W:WKh1,a3,c3,e3,g3:Ba4,c4,e4,g4,b5,d5,f5,h5,c6,e6",
        "B:Wb3,d3,f3,a4,e4,h4,c5,g5:Bb4,d4,f4,h5,a7,Kc8",
        /* T25: one against one, with captures and without */
        "W:WKa1:BKh8",
        "W:Wa2:Bh7",
        "B:Wc4:Bf6",
        "W:WKa1:BKa5",
        "B:Wd4:Bd5",
        "W:Wa2:BKh8",
        "B:WKa1:Bb7",
        "W:Wa4:Ba5",
        "B:WKd4:Bd7",
        "W:WKa1,Ka2:BKg8,Kh8",
        "W:Wh7:BKa8,Kb8",
        /* T23, T24: nothing left, nothing to move */
        "W:W:Ba6",
        "B:Wa3:B",
        "W:Wa4,b4:Ba5,b5,a6,b6",
        "W:Wa1:BKb1,Kc1,a2,a3",
        "B:Wa1,b1:Ba2,b2",
        "W:Wa7,h7:BKb7,Kc7,Kf7,Kg7,Ka8,Kh8:H99:F60",
        "B:Wa2,b2,c2,a3,b3,c3:BKa1",
        NULL,
    };

    oracle_play_games(&(struct oracle_repertoire){
        .reference = &reference_turkish_draughts,
        .options = "",
        .choices = draughts_choices,
        .starts = one_start,
        .positions = positions,
        .setup = oracle_setup_draughts,
        .plies = 160,
        .never = "",
    });
}

static const struct oracle_option jungle_choices[] = {
    {"own_traps", {"allowed", "capture_only"}},
    {"jump_block", {"any", "enemy"}},
    {"rat_shore", {"free", "same", "enter_only"}},
    {"trapped_attack", {"none", "normal"}},
    {"draw_rounds", {"0", "1", "5", "20", "100"}},
    {"repetition", {"0", "2", "3"}},
    {NULL, {NULL}},
};

Test(oracle, jungle_agrees_with_its_reference)
{
    static const char *const positions[] = {
        /* J12, J22 to J24: dens and traps */
        "2l4/2rL3/7/7/7/7/7/7/7 r 0 1",
        "2e1t2/1R1l3/3C3/7/7/7/3c3/1r1E3/2L1T2 r 0 1",
        "2R1l2/3CL2/7/7/7/7/7/2tDr2/2e1E2 b 0 1",
        "7/7/7/7/7/7/2CR3/2WrE2/2e1T2 r 4 9",
        "2l1r2/2E1R2/7/7/7/7/3d3/2Wc3/4T2 b 0 1",
        "2R1d2/3E3/7/7/7/7/7/3e3/2r1D2 r 0 1",
        /* J14, J15: jumps, with rats of either side in the water */
        "7/7/1l2t2/1R2r2/7/7/1L2T2/7/7 r 0 1",
        "7/7/7/l2L2t/1r5/4R2/T5e/7/7 b 0 1",
        "7/7/1l1L3/7/e5w/E5t/1T2D2/7/7 r 0 1",
        "7/7/1t2l2/1r5/5R1/7/1L2T2/7/7 b 0 1",
        "7/7/1e2d2/7/l2L2w/7/1T2t2/7/7 r 0 1",
        /* J17 to J21: rats at the bank */
        "7/7/2e4/2Rr3/3E3/7/7/7/7 r 0 1",
        "7/7/2e4/2Rr3/3E3/7/7/7/7 b 0 1",
        "7/7/7/1rR4/E6/7/7/7/6e b 0 1",
        "7/7/7/e6/Er5/R6/7/7/7 r 0 1",
        "7/7/7/7/eRr4/E6/7/7/7 b 0 1",
        /* J26 to J28: decided, without pieces, blocked */
        "3R3/7/7/7/7/7/7/7/e6 b 3 7",
        "7/3c3/7/7/7/7/7/3C3/7 r 0 1",
        "7/7/7/7/7/7/7/7/E6 b 0 1",
        "7/7/7/7/7/7/7/e6/Dl5 r 0 1",
        "7/7/7/7/7/7/7/l6/Rt5 r 0 1",
        "7/7/7/7/7/7/e6/Cl5/Dt5 r 0 1",
        "dL5/E6/7/7/7/7/7/7/7 b 0 1",
        "d1L4/7/E6/7/7/7/7/7/7 r 0 1",
        "7/7/7/7/7/7/7/lw5/CRd4 r 0 1",
        NULL,
    };

    oracle_play_games(&(struct oracle_repertoire){
        .reference = &reference_jungle,
        .options = "",
        .choices = jungle_choices,
        .starts = one_start,
        .positions = positions,
        .setup = oracle_setup_jungle,
        .plies = 160,
        .never = "",
    });
}

static const struct oracle_option shogi_choices[] = {
    {"impasse", {"declare", "auto", "off"}},
    {"repetition", {"0", "2", "3", "4"}},
    {"max_plies", {"0", "1", "30", "100", "500"}},
    {NULL, {NULL}},
};

Test(oracle, standard_shogi_agrees_with_its_reference)
{
    static const char *const positions[] = {
        /* the positions of section 6: very many moves, and a hard middle-game */
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "ln1gk2nl/1rs3gb1/p1pppsppp/1p3p3/9/2P1P2P1/PPBP1PP1P/2S2S1R1/LN1GKG1NL b - 1",
        /* 4.5: pawns dropped before a king whose defenders are pinned, or are not */
        "7nk/9/7G1/9/9/9/9/9/4K4 b P 1",
        "7nk/7g1/6B1G/9/9/9/9/9/K8 b P 1",
        "7nk/7g1/8G/9/9/9/9/9/K8 b P 1",
        "7nk/7r1/6B1G/9/9/9/9/9/K8 b P 1",
        "6gnk/9/7GG/9/9/9/9/9/K7R b P 1",
        "k8/9/9/9/9/9/1g7/2g6/K8 w p 1",
        "K8/9/1g7/9/9/9/9/9/4k4 w p 1",
        "4k4/9/3GKG3/9/9/9/9/9/9 b P 1",
        "3nkn3/9/3GPG3/9/9/9/9/9/4K4 b 2P 1",
        "kn7/2S6/9/9/9/9/9/9/8K b GP 1",
        "8k/6G2/9/9/9/9/9/9/K8 b P 1",
        /* 4.1, 4.4: the last ranks */
        "4k4/PL1P5/2N3N2/9/9/9/2n3n2/4p2lp/4K4 b LPlp 1",
        "8k/1P1L5/PLN2N3/9/9/9/3n2nlp/5l1p1/K8 w RBSPrbsp 1",
        /* 4.7: checks that can go on for ever */
        "4k4/9/9/9/9/9/9/9/K3R4 w - 1",
        "k8/9/1+R7/9/9/9/9/9/8K w - 1",
        "8k/9/9/9/9/9/9/7r1/K7+r b - 1",
        "4k4/9/4+R4/9/9/9/9/9/4K4 w 2G2g 1",
        "k8/2+R6/9/9/9/9/9/8+r/K8 w - 1",
        "k1K6/9/1S7/9/9/9/9/9/9 b 2G 1",
        /* 4.8: kings in the enemy camp, on the edge of 10 pieces and of 27 and 28 points */
        "4K4/PPPPPPPPP/4G4/9/9/9/9/9/4k4 b 2R2B 1",
        "4K4/PPPPPPPPP/9/4G4/9/9/9/9/4k4 b 2R2B 1",
        "4K4/PPPPPPPPP/4G4/9/9/9/9/9/4k4 b RBG6P 1",
        "4K4/PPPPPPPPP/4G4/9/9/9/9/9/4k4 b RB2GS4P 1",
        "4K4/PPPPPPPPP/4G4/9/9/9/9/9/4k4 b RB2GS5P 1",
        "4K4/9/9/9/9/9/4g4/ppppppppp/4k4 w RBG3S4N4L5Prb2gs4p 1",
        "4K4/9/9/9/9/9/4g4/ppppppppp/4k4 w RBG3S4N4L6Prb2gs3p 1",
        "4K4/9/9/9/9/9/4g4/ppppppppp/4k4 w rb2gs4p 1",
        "4K4/1+R+B+P+P+P+P+P+P/3G+L4/9/9/9/3g+l4/1+r+b+p+p+p+p+p+p/4k4 b 2G4S 1",
        "4K4/9/9/9/9/9/6+l+lg/rbppppppp/4k4 w 7p 1",
        /* 4.6: mate and stalemate */
        "8k/7G1/7GK/9/9/9/9/9/9 w - 1",
        "k8/2G6/1K7/9/9/9/9/9/9 w - 1",
        "k8/2G6/9/9/9/9/9/9/8K b G 1",
        /* 2.5: a problem without Sente's king */
        "7nl/6gk1/6ppp/9/7N1/9/9/9/9 b RGSr2b2g3s2n3l15p 1",
        NULL,
    };

    oracle_play_games(&(struct oracle_repertoire){
        .reference = &reference_shogi,
        .options = "rules=standard",
        .choices = shogi_choices,
        .starts = one_start,
        .positions = positions,
        .setup = oracle_setup_shogi,
        .plies = 200,
        .never = "king_captured",
    });
}

Test(oracle, casual_shogi_agrees_with_its_reference)
{
    static const char *const positions[] = {
        /* 5.1, 5.2: kings en prise, beside each other, between everything */
        "4k4/9/9/9/4R4/9/9/9/4K4 b - 1",
        "4k4/9/4P4/9/9/9/9/9/4K4 b P 1",
        "9/9/9/3kK4/9/9/9/9/9 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
        "4k4/4r4/9/4+R4/4K4/4b4/9/9/9 b B4G4Sn 1",
        "2l1k4/3N5/9/9/9/9/9/5n3/4K1L2 w - 1",
        /* 5.3: promotion at the end of the move only, and never forced */
        "4k4/9/2B1R1S2/9/9/9/2b1r1s2/9/4K4 b - 1",
        "4k4/P1N1L4/9/N3P4/9/9/n3p4/2p1l4/4K4 w - 1",
        "k8/1+P7/2+R6/3N5/9/9/5n3/6+r2/8K b 2P2p 1",
        /* 5.4: two pawns on a file, pieces that can never move, a pawn that mates */
        "PLN1k4/N8/9/9/9/9/9/n8/pln1K4 b LPlp 1",
        "p3P4/P3k4/9/4P4/4p4/9/9/4K4/p3P4 w 3P3p 1",
        "7nk/9/7G1/9/9/9/9/9/4K4 b P 1",
        "8k/6G2/9/9/9/9/9/9/K8 b P 1",
        /* 4.7, 4.8: the rules that casual games may be given */
        "4k4/9/9/9/9/9/9/9/K3R4 w - 1",
        "4K4/9/9/9/9/9/4g4/ppppppppp/4k4 w 2r2b 1",
        "4K4/PPPPPPPPP/1GS2BR2/9/9/9/9/9/4k4 b RB 1",
        "4K4/PPPPPPPPP/4G4/9/9/9/9/9/4k4 b 2R2B 1",
        /* 5.5: nothing can move, and the king is attacked */
        "6ppk/6pbp/6pNp/6p1p/6p1p/6p1p/6p1p/6p1p/K5p1p w - 1",
        NULL,
    };

    oracle_play_games(&(struct oracle_repertoire){
        .reference = &reference_shogi,
        .options = "rules=casual",
        .choices = shogi_choices,
        .starts = one_start,
        .positions = positions,
        .setup = oracle_setup_shogi,
        .plies = 200,
        .never = "checkmate",
    });
}

static const struct oracle_option stackchess_choices[] = {
    {"promotion", {"true", "false"}},
    {"stalemate", {"draw", "loss"}},
    {"repetition", {"0", "2", "3"}},
    {"no_progress", {"0", "1", "9", "100"}},
    {NULL, {NULL}},
};

Test(oracle, stackchess_agrees_with_its_reference)
{
    static const char *const starts[] = {
        "",
        "knights=true",
        "size=4",
        "size=5 knights=true",
        "size=7",
        "size=8 knights=true",
        "size=9",
        "size=10 knights=true",
        "size=11 knights=true",
        "size=26 knights=true",
        NULL,
    };
    static const char *const positions[] = {
        /* 7.4, 7.5: unmoved pawns under stacks and beside them */
        "tfdrf1/ppppp1/6/5(pt)/(PFT)PPPPP/2DRFT w ABCDEFabcde 0 3",
        "tfdrft/(pt)(pr)(pd)(pf)(pp)p/6/6/(PT)(PR)(PD)(PC)(PP)P/TFDRFT w ABCDEFabcdef 0 1",
        "r5/(pp)p4/6/2P3/P1(PP)2(PC)/5R b ACFab 4 7",
        "4/(pc)3/(PC)2P/R2r w AD 0 1",
        /* 8: knights that carry towers over everything */
        "7r/8/2p5/1(pp)6/3(ttp)4/2(PPCC)5/(PTC)1(PDFCC)4P/R7 w CH 0 1",
        "r5/2(ppp)3/(PTCDC)5/4t1/1(PPC)4/2R3 w - 0 1",
        "4c/(cpcp)3d/5/1(PPPP)3/2(FTC)1R w - 3 3",
        /* 8.4: every way to the last rank */
        "5/(PP)(PC)(PPC)PP/5/(pp)1(ppcc)1p/5 b - 0 1",
        "1r4/P1P1P1/(PPC)5/2(pcp)3/p1p1p1/2R3 w - 0 1",
        /* 9: dead, nearly dead, nothing to move */
        "3t/4/4/FT2 w - 0 1",
        "3t/4/4/FF2 w - 0 1",
        "f2t/4/4/FT2 b - 0 1",
        "4/(tt)3/P3/4 w - 0 1",
        "4/1r2/1(pp)2/1P2 w - 0 1",
        "p3/P2p/3P/4 w D 0 1",
        "4/4/4/R3 b - 0 1",
        "(ft)3/4/1(FT)2/4 w - 0 1",
        "c3/4/(FT)3/4 b - 2 2",
        /* tall towers */
        "6/6/2(pppppppppppppppp)3/2(RRRRRRRRRRRRRRRRRR)3/6/5r w - 0 1",
        "(dddddddddddddddddddddddddddddddddddddddd)3/4/4/3(DDDDDDDDDDDDDDDDDDDDDDDDDDDD) w - 0 1",
        NULL,
    };

    oracle_play_games(&(struct oracle_repertoire){
        .reference = &reference_stackchess,
        .options = "",
        .choices = stackchess_choices,
        .starts = starts,
        .positions = positions,
        .setup = oracle_setup_stackchess,
        .plies = 120,
        .never = "",
    });
}
