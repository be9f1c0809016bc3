/*
 * test_pictures_kept.c - pictures and text boards stay as they are, in every look: pictures.txt has
 * the length and a hash of each.
 *
 * `make pictures`, which sets PICTURES=write, writes the file anew. Look then at what has changed:
 * with PICTURES=show the test prints the pictures themselves.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/draw/picture.h"

enum { TEXT = 1 << 18, LINE = 256 };

static const char path[] = "tests/rules/pictures.txt";

static const struct {
    const char *game, *position, *square, *move; /* the square is marked and selected */
} positions[] = {
    {"shogi", "l5knl/2+R2sg2/p1npp1p1p/1p3p1p1/9/P1P1P1P1P/1PNP1PN2/1KSG1+b3/L2G4L w BGS2Prs 60",
     "7b", "S*5e"},
    {"shogi", "4k4/4R4/9/9/9/9/9/9/4K4 w - 1", "5b", "5a5b"},
    {"jungle", "l5t/1d3c1/2p1w1e/7/1r4R/3P3/E1W4/1C3D1/T5L r 4 9", "b5", "a1a2"},
    {"turkish-draughts", "B:Wa2,b3,c3,d2,Kd7,e3,g3,h2:Ba6,b6,Kf1,f6,g7,h6:H0:F12", "d7", "a6-a5"},
    {"stackchess", "tfdr1t/ppp1p1/3p2/2P2(pf)/(PFT)P1P1P/2DR(PTF)1 w ABDFabce 0 9", "f3", "a2a3"},
    {"stackchess", "cfdrfc/pppppp/6/6/PPPPPP/CFDRFC w ABCDEFabcdef 0 1", "a1", "a2a3"},
    {"tictactoe", "7/2o4/2xo3/2ox3/1oxxx2/3o3/7 x 4", "c6", "a1"},
};
enum { POSITIONS = sizeof(positions) / sizeof(positions[0]), LOOKS = 7 };

/* ---- looks ---- */

struct look {
    struct rules_look look;
    struct rules_picture_options frame;
};

static void choose_look(struct look *look, unsigned number, unsigned square)
{
    *look = (struct look){.frame = {0}};
    rules_look_init(&look->look);
    switch (number) {
    case 1:
        look->look.view = 2;
        look->frame.coords = true;
        break;
    case 2:
        look->frame.width = 300;
        look->frame.theme = RULES_THEME_DARK;
        look->look.mark[square] = RULES_MARK_LAST;
        break;
    case 3:
        look->look.selected = square;
        look->look.mark[square] = RULES_MARK_LEGAL;
        look->look.style = RULES_STYLE_ASCII;
        break;
    case 4:
        look->look.stacks = true;
        look->look.mark[square] = RULES_MARK_CHECK | RULES_MARK_LEGAL;
        look->look.style = RULES_STYLE_ANSI;
        break;
    case 5:
        look->look.ending = "a draw (agreement)";
        look->look.view = 2;
        look->look.stacks = true;
        look->look.mark[square] = RULES_MARK_LAST;
        look->look.style = RULES_STYLE_ANSI;
        break;
    case 6:
        look->frame.theme = RULES_THEME_PRINT;
        look->look.view = 2;
        look->look.selected = square;
        break;
    default:
        break;
    }
}

/* ---- what is kept ---- */

static void keep(FILE *out, const char *what, size_t i, unsigned number, const char *text)
{
    const char *show = getenv("PICTURES");
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (const char *at = text; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    fprintf(out, "%s of %s, position %zu, look %u: %zu bytes, %016llx\n", what, positions[i].game,
            i, number, strlen(text), (unsigned long long)hash);
    if (show != NULL && strcmp(show, "show") == 0)
        printf("%s of %s, position %zu, look %u\n%s\n", what, positions[i].game, i, number, text);
}

static bool load(void *context, unsigned i, struct rules_state *state)
{
    const struct rules_state *const *states = context;

    rules_copy(states[i], state);
    return true;
}

static void draw_all(FILE *out, size_t i, const struct rules_game *game,
                     const struct rules_state *state, const struct rules_state *next)
{
    static char text[TEXT];
    const struct rules_state *states[] = {state, next};
    unsigned square;

    cr_assert_gt(rules_square_read(game->board(state), positions[i].square, &square), 0);
    for (unsigned number = 0; number < LOOKS; number++) {
        const struct rules_film film = {(void *)states, 2, load, number, number + 1};
        struct look look;

        choose_look(&look, number, square);
        cr_assert_lt(rules_board_text(game, state, &look.look, text, TEXT), TEXT);
        keep(out, "the text", i, number, text);
        cr_assert_lt(rules_board_picture(game, state, &look.look, &look.frame, text, TEXT), TEXT);
        keep(out, "the picture", i, number, text);
        cr_assert_lt(rules_replay_picture(game, &film, &look.look, &look.frame, text, TEXT), TEXT);
        keep(out, "the film", i, number, text);
    }
}

static void draw_position(FILE *out, size_t i)
{
    static struct rules_state state, next;
    const struct rules_game *game = rules_find(positions[i].game);
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, positions[i].position, &state, &why));
    rules_copy(&state, &next);
    cr_assert(rules_play(game, &next, positions[i].move, NULL, &why));
    draw_all(out, i, game, &state, &next);
}

Test(pictures, every_look_of_every_game_stays_as_it_is)
{
    const char *show = getenv("PICTURES");
    char *drawn = NULL, *at, line[LINE];
    size_t size;
    FILE *out = open_memstream(&drawn, &size), *file;
    bool writing = show != NULL && strcmp(show, "write") == 0;

    for (size_t i = 0; i < POSITIONS; i++)
        draw_position(out, i);
    fclose(out);
    file = fopen(path, writing ? "w" : "r");
    cr_assert_not_null(file);
    at = drawn;
    if (writing)
        fputs(drawn, file);
    else
        for (; fgets(line, sizeof(line), file) != NULL; at += strlen(line))
            cr_assert_eq(strncmp(at, line, strlen(line)), 0, "%.*s, and not %s",
                         (int)strcspn(at, "\n"), at, line);
    cr_assert(writing || *at == '\0');
    fclose(file);
    free(drawn);
}
