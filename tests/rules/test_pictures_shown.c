/*
 * test_pictures_shown.c - the pictures of the README are what the program draws.
 *
 * `make pictures`, which sets PICTURES=write, draws them anew: look at them then.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/draw/picture.h"

enum { PICTURE = 1 << 16 };

struct shown {
    const char *game, *position, *last;
};

static const struct shown shown[] = {
    {"shogi", "l5knl/2+R2sg2/p1npp1p1p/1p3p1p1/9/P1P1P1P1P/1PNP1PN2/1KSG1+b3/L2G4L w BGS2Prs 60",
     "7b"},
    {"jungle", "l5t/1d3c1/2p1w1e/7/1r4R/3P3/E1W4/1C3D1/T5L r 4 9", "b6b5"},
    {"turkish-draughts", "B:Wa2,b3,c3,d2,Kd7,e3,g3,h2:Ba6,b6,Kf1,f6,g7,h6:H0:F12", "d4d7"},
    {"stackchess", "tfdr1t/ppp1p1/3p2/2P2(pf)/(PFT)P1P1P/2DR(PTF)1 w ABDFabce 0 9", "d5d4"},
    {"tictactoe", "7/2o4/2xo3/2ox3/1oxxx2/3o3/7 x 4", "c6"},
};

enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };

ParameterizedTestParameters(pictures, the_readme_shows_what_is_drawn)
{
    static size_t number[SHOWN];

    for (size_t i = 0; i < SHOWN; i++)
        number[i] = i;
    return cr_make_param_array(size_t, number, SHOWN);
}

static void mark_last(struct rules_look *look, struct rules_board board, const char *squares)
{
    while (*squares != '\0') {
        unsigned square;
        size_t len = rules_square_read(board, squares, &square);

        cr_assert_gt(len, 0);
        look->mark[square] |= RULES_MARK_LAST;
        squares += len;
    }
}

static const char *draw(const struct shown *what)
{
    static char text[PICTURE];
    static const struct rules_picture_options frame = {.width = 400, .coords = true};
    const struct rules_game *game = rules_find(what->game);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    struct rules_look look;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, what->position, &state, &why), "%s", what->position);
    rules_look_init(&look);
    mark_last(&look, game->board(&state), what->last);
    cr_assert_lt(rules_board_picture(game, &state, &look, &frame, text, PICTURE), PICTURE);
    return text;
}

ParameterizedTest(size_t *number, pictures, the_readme_shows_what_is_drawn)
{
    static char kept[PICTURE];
    const struct shown *what = &shown[*number];
    const char *drawn = draw(what);
    bool writing = getenv("PICTURES") != NULL;
    char path[128];
    FILE *file;

    snprintf(path, sizeof(path), "docs/pictures/%s.svg", what->game);
    file = fopen(path, writing ? "w" : "r");
    cr_assert_not_null(file, "no %s", path);
    if (writing)
        cr_assert_eq(fputs(drawn, file) < 0, 0);
    else
        kept[fread(kept, 1, sizeof(kept) - 1, file)] = '\0';
    cr_assert_eq(fclose(file), 0);
    if (!writing)
        cr_assert_str_eq(kept, drawn, "%s is stale: make pictures", path);
}
