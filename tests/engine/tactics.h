/*
 * tactics.h - wins by force that the engine must find, for its tests and its bench. They come from
 * games that it played against itself.
 */
#ifndef PLYD_TESTS_ENGINE_TACTICS_H
#define PLYD_TESTS_ENGINE_TACTICS_H

/* The side to move wins in so many plies at most. */
struct tactics_win {
    const char *position;
    unsigned plies;
};

/* Shogi: mates. */
static const struct tactics_win tactics_mates[] = {
    {"lnl3+B2/1r2gg1+P+L/3k1sn1+R/1p2p1pn1/3B2s2/1+p1PPp2n/+l1+p4g1/5PS2/7K1 w S3Pg5p 134", 1},
    {"1l1gkg1n1/2s4+Pr/+P1p1+B+S2l/1p2p1pL1/2Pp1P2p/2G1SN3/1P2P3P/1+b3S3/1+rNKG3L w 2Pn3p 136", 1},
    {"l1+R6/3rg1+P2/nSpk1N+L2/1P1ppp3/Ks1l1+b3/P1P2g3/1g1PP1P2/2+b5P/LN5N1 w GS6Ps 132", 1},
    {"7s1/l+P2kg1gl/1p+B3r2/2p2p3/4p2p1/1PPR5/L1N2PN+b1/3SG1P+p1/3PGKs1L w S2N3P3p 110", 1},
    {"lnl3+B2/1r2gg1+P+L/3k1sn1+R/1p2p1pn1/3B2s2/1+p1PPp2n/+l1+p3+sg1/5PG2/6SK1 w 3P5p 132", 3},
    {"l1+R6/3rg1+P2/nSpk1N+L2/KP1ppp3/3l1+b3/P1P2g3/1g1PP1P2/2+b5P/LN5N1 w GS6P2s 130", 3},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4p2p1/1PPR5/L1N2PNP1/3SG2+p1/3PGKs1L w S2N4P2p 108", 3},
    {"1k2G+B3/r2g3+S+P/pNp1p+L2p/1S1p5/4N4/3PP4/P2G1PP1P/7r1/LN1K1s1sL w BL5Pgnp 108", 3},
    {"lnl3+B2/1r2gg1+P+L/3k1sn1+R/1p2p1pn1/3B2s2/1+p1PPp2n/+l1+p3+sg1/5PGp1/6S1K w 2P5p 130", 5},
    {"ln+R6/3rg1+P2/1Spk1N+L2/pP1ppp3/1K1l1+b3/P1P2g3/1g1PP1P2/2+b5P/LN5N1 w GS5P2s 128", 5},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4pn1p1/1PPR5/L1N2PPP1/3SGK1+p1/3PG2NL w SN4Psp 104", 5},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4pn1p1/1PPR5/L1N2PPP1/3SG2+p1/3PGKsNL w SN4Pp 106", 5},
    {"lnsg1g1+R1/3rk4/1Sp2N+L+P1/pP1ppp3/1p1l1+b3/P1P2g3/3PP1P2/1K2G3P/LN1b3N1 w S4Ps 112", 7},
    {"ln+R6/3rg1+P2/1Spk1N+L2/pP1ppp3/3l1+b3/PKP2g3/3PP1P2/2+b5P/LN5N1 w GS5Pg2s 126", 7},
    {"7s1/l+P2kg1gl/1p+Bb2r2/2p2p3/4pn1p1/1PPR2p2/L1N2P1P1/3SGKP+p1/3PG2NL w SN3Psp 102", 7},
    {"6G2/2+P+P4l/2+L2g1s1/1l2l1kpp/3p2p2/p1g5+b/1P1NSP3/5+p+ngP/1NKS4R w Rbsn7p 184", 7},
    {"lnsg1g1+R1/3rk1+P2/1Sp2N+L2/pP1ppp3/1p1l1+b3/P1P2g3/1K1PP1P2/2S5P/LN1+b3N1 w S4Pg 118", 9},
    {"6G2/2+P+P4l/2+L2g1s1/1l4kpp/3p2p2/p1g5R/1P1N+lP3/1KSs1+p+n1P/1N1P3rg w Bbsn6p 194", 9},
};

/* Five in a row: wins by threats. */
static const struct tactics_win tactics_threats[] = {
    {"15/15/15/15/4x3xx5/5o3o5/4o2xo1x4/5o9/7x2o4/5o2oxx4/5xo2x5/15/15/15/15 o 5", 5},
    {"15/15/15/15/4o1o1xx5/4xx4x4/4xo1xxoo4/6ox1ox4/5o3oo4/4x1xxo1x4/6ooo6/15/15/15/15 x 5", 5},
    {"15/15/15/15/15/5x2xx5/7o1ox4/6xo1xo4/4oo9/5x4x4/8o1o4/15/15/15/15 x 5", 7},
    {"15/15/15/15/5o2x1o4/7oxo5/4o2x2x4/10o4/6x2xx4/5x9/8oo5/15/15/15/15 x 5", 7},
    {"15/15/15/15/4x1xox6/4o2oxox4/6o3o4/6xx2x4/7x7/6oooxo4/5x1o7/15/15/15/15 x 5", 5},
    {"15/15/15/15/7xoox4/4oo1xoxx4/5x4o4/4ox1x7/5o1ooxx4/5x2x1o4/5oxxo6/15/15/15/15 o 5", 7},
    {"15/15/15/15/7o1xo4/4oxo2x5/6x3x4/4o1o1x1o4/5xx1oox4/4xxoxo6/6o8/15/15/15/15 x 5", 7},
    {"15/15/15/15/4xx2x6/5x1o1o5/4o10/6x2xo4/6xxoxo4/6o3o4/5ox1o1x4/15/15/15/15 o 5", 5},
    {"15/15/15/15/5x1o7/4oo2o1x4/4o2oxx5/4oxx8/6o2o5/6o1x6/4xx1ox1x4/15/15/15/15 x 5", 5},
    {"15/15/15/15/5o9/8x6/6xox6/4ooo2x5/5xo1xx5/6o1o1x4/7o2x4/15/15/15/15 x 5", 9},
};

/* Jungle: ways to the den, by a side that stands worse for the moment. */
static const struct tactics_win tactics_dens[] = {
    {"1d5/3twc1/4e2/3E3/3P3/1r4R/2l4/3W1DL/2C4 b 3 28", 5},
    {"5ct/1T1d3/4w1e/1r1p3/7/7/2E1P1R/1C2LD1/7 r 1 18", 5},
    {"2l2t1/E1d1L2/6c/7/2r3e/7/2TP1R1/C4D1/7 r 5 27", 7},
};

/* Turkish draughts: sacrifices that win men. */
struct tactics_combination {
    const char *position, *move;
};

static const struct tactics_combination tactics_combinations[] = {
    {"W:Wb2,d2,e2,f2,h2,a3,b3,c3,d3,g3,h3,a4,b4,d4,f4,g4:"
     "Bb5,c5,d5,h5,a6,b6,d6,f6,g6,h6,a7,b7,d7,e7,f7,g7:H1:F11",
     "f4-f5"},
};

#endif
