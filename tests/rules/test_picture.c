/* test_picture.c - what is drawn where in a picture. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/draw/picture.h"

static struct rules_state state;
static struct rules_look look;
static struct rules_picture_options frame;

/* Takes the letters of game and theme out of the ids of the picture's own. */
static void bare(char *text)
{
    static const char *const starts[] = {"<use href=\"#", "<g id=\"", "<path id=\""};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        for (char *at = text; (at = strstr(at, starts[i])) != NULL;) {
            at += strlen(starts[i]);
            if (strncmp(at, "sq-", 3) != 0 && strncmp(at, "hand", 4) != 0 &&
                strncmp(at, "turn", 4) != 0)
                memmove(at, at + 3, strlen(at + 3) + 1);
        }
}

static char *draw_whole(const char *name, const char *position)
{
    static char text[1 << 17];
    const struct rules_game *game = rules_find(name);
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, position, &state, &why));
    cr_assert_lt(rules_board_picture(game, &state, &look, &frame, text, sizeof(text)),
                 sizeof(text));
    return text;
}

static const char *draw(const char *name, const char *position)
{
    char *text = draw_whole(name, position);

    bare(text);
    return text;
}

/* What an element with this id holds, up to the end of the line. */
static const char *part(const char *text, const char *id)
{
    static char line[4096];
    const char *at = strstr(text, id);
    size_t n;

    cr_assert_not_null(at, "no %s", id);
    n = strcspn(at, "\n");
    cr_assert_lt(n, sizeof(line));
    memcpy(line, at, n);
    line[n] = '\0';
    return line;
}

static void set_up(void)
{
    rules_look_init(&look);
    frame = (struct rules_picture_options){0};
}

#define has(text, what)   cr_assert_not_null(strstr((text), (what)), "no %s in %s", (what), (text))
#define lacks(text, what) cr_assert_null(strstr((text), (what)), "%s in %s", (what), (text))

TestSuite(picture, .init = set_up);

Test(picture, men_of_the_side_opposite_the_viewer_are_turned)
{
    const char *text = draw("shogi", NULL);

    has(part(text, "id=\"sq-5a\""), "#m2-king\" transform=\"rotate(180)\"");
    lacks(part(text, "id=\"sq-5i\""), "rotate");
    look.view = 2;
    text = draw("shogi", NULL);
    lacks(part(text, "id=\"sq-5a\""), "rotate");
    has(part(text, "id=\"sq-5i\""), "#m1-king\" transform=\"rotate(180)\"");
}

Test(picture, the_squares_change_places_with_the_viewer)
{
    has(part(draw("shogi", NULL), "id=\"sq-9a\""), "translate(50 50)");
    look.view = 2;
    has(part(draw("shogi", NULL), "id=\"sq-1i\""), "translate(50 50)");
}

Test(picture, promoted_men_are_written_in_red)
{
    const char *text = draw("shogi", "4k4/9/4+P4/9/9/9/4P4/9/4K4 b - 1");

    has(part(text, "id=\"m1-promoted-pawn\""), "fill=\"#c0151b\"");
    lacks(part(text, "id=\"m1-pawn\""), "#c0151b");
}

Test(picture, a_hand_says_whose_what_and_how_many)
{
    const char *text = draw("shogi", "4k4/9/9/9/9/9/9/9/4K4 b G12Pbp 1");

    has(part(text, "id=\"hand-1-P\""), "data-hand=\"1\" data-piece=\"P\" data-count=\"12\"");
    has(part(text, "id=\"hand-1-G\""), "data-count=\"1\"");
    has(part(text, "id=\"hand-2-B\""), "rotate(180)");
    lacks(text, "hand-2-R");
}

Test(picture, marks_are_a_tint_a_ring_a_dot_and_four_corners)
{
    const char *text;

    look.mark[0] = RULES_MARK_LAST;
    look.mark[4] = RULES_MARK_CHECK;
    look.mark[40] = RULES_MARK_LEGAL;
    look.mark[54] = RULES_MARK_LEGAL;
    text = draw("shogi", NULL);
    has(part(text, "id=\"sq-9a\""), "fill-opacity");
    has(part(text, "id=\"sq-5a\""), "<circle r=\"46\"");
    has(part(text, "id=\"sq-5e\""), "<circle r=\"14\"");
    has(part(text, "id=\"sq-9g\""), "<path d=\"M-50-50h24");
    lacks(part(text, "id=\"sq-1a\""), "circle");
}

Test(picture, a_line_that_has_won_lies_below_its_stones)
{
    const char *text, *line;

    look.mark[0] = RULES_MARK_WIN;
    text = draw("tictactoe", "xo1/ox1/2x o 3");
    line = strstr(text, "<path d=\"M14 14L286 286\"");
    cr_assert_not_null(line);
    cr_assert_lt(line, strstr(text, "id=\"sq-a3\""));
    look.view = 2;
    has(draw("tictactoe", "xo1/o1x/2x o 3"), "id=\"sq-a3\"");
    lacks(draw("tictactoe", "xo1/o1x/2x o 3"), "M14 14");
}

Test(picture, the_way_of_a_move_is_shown_if_it_was_long_or_took_men_on_it)
{
    static const char position[] = "W:WKa1,h1:Ba3,b4,Kh8";

    look.npath = 2;
    look.path[0] = 56;
    look.path[1] = 32;
    lacks(draw("turkish-draughts", position), "M50 750L");
    look.mark[40] = RULES_MARK_TAKEN;
    has(draw("turkish-draughts", position), "d=\"M50 750L50 486\"");
    has(part(draw("turkish-draughts", position), "id=\"sq-a3\""), "data-taken=\"a3\"");
    look.mark[40] = 0;
    look.npath = 3;
    look.path[2] = 35;
    has(draw("turkish-draughts", position), "d=\"M50 750L50 450L314 450\"");
    look.view = 2;
    has(draw("turkish-draughts", position), "d=\"M750 50L750 350L486 350\"");
}

/* Where a man in seat 1's hand is drawn. */
static const char *place_in_hand(const char *hand, const char *id)
{
    static char place[2][32];
    static unsigned n;
    char position[64];

    snprintf(position, sizeof(position), "4k4/9/9/9/9/9/9/9/4K4 b %s 1", hand);
    n++;
    snprintf(place[n % 2], sizeof(place[0]), "%.20s",
             strstr(part(draw("shogi", position), id), "translate("));
    return place[n % 2];
}

Test(picture, men_in_a_hand_lie_close_together)
{
    cr_assert_str_eq(place_in_hand("R", "id=\"hand-1-R\""), place_in_hand("P", "id=\"hand-1-P\""));
    cr_assert_str_neq(place_in_hand("RP", "id=\"hand-1-P\""),
                      place_in_hand("P", "id=\"hand-1-P\""));
}

Test(picture, its_width_is_what_was_asked_for)
{
    has(draw("tictactoe", NULL), "viewBox=\"0 0 340 340\" width=\"163\" height=\"163\"");
    frame.width = 1000;
    has(draw("tictactoe", NULL), "viewBox=\"0 0 340 340\" width=\"1000\" height=\"1000\"");
}

Test(picture, whose_turn_it_is_stands_beside_their_side_until_the_game_is_over)
{
    const char *text = draw("tictactoe", "xo1/3/3 x 3");

    has(part(text, "id=\"turn\""), "data-seat=\"1\"");
    has(text, "<desc>x to move. x: stone a3. o: stone b3.</desc>");
    text = draw("tictactoe", "xoo/1x1/2x o 3");
    lacks(text, "id=\"turn\"");
    has(text, "x wins: ");
}

#define STACKS "r5/6/6/6/1(PFT)4/R5 w - 0 3"

Test(picture, a_stack_shows_its_height_its_layers_and_says_what_it_is)
{
    const char *square = part(draw("stackchess", STACKS), "id=\"sq-b2\"");

    has(square, "<title>b2, from below: pawn, bishop, rook</title>");
    has(square, "<use href=\"#layer1\" y=\"42\"/><use href=\"#layer1\" y=\"34\"/>");
    has(square, "#m1-rook");
}

Test(picture, stacks_in_full_are_listed_below_on_demand)
{
    lacks(draw("stackchess", STACKS), "m1-pawn");
    look.stacks = true;
    has(draw("stackchess", STACKS), "<use href=\"#m1-pawn\"");
    look.stacks = false;
    look.selected = 25;
    has(draw("stackchess", STACKS), "<use href=\"#m1-bishop\"");
    has(draw("stackchess", STACKS), "stack of 3 under a rook b2");
}

Test(picture, the_ground_shows_water_traps_and_dens)
{
    const char *text = draw("jungle", NULL);

    has(part(text, "<g transform=\"translate(150 550)\">"), "#zone0");
    has(part(text, "<g transform=\"translate(350 850)\">"), "#zone1");
    has(part(text, "<g transform=\"translate(350 150)\">"), "#zone4");
    lacks(text, "<g transform=\"translate(50 550)\">");
}

Test(picture, coordinates_are_drawn_on_demand)
{
    size_t without = strlen(draw("shogi", NULL));

    frame.coords = true;
    cr_assert_gt(strlen(draw("shogi", NULL)), without + 18 * 40);
}

/* ---- a whole game ---- */

static const char *const crosses[] = {"3/3/3 x 3", "x2/3/3 o 3", "x2/1o1/3 x 3"};

static bool load(void *context, unsigned i, struct rules_state *into)
{
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    return (context == NULL || i != *(unsigned *)context) &&
           rules_start(rules_find("tictactoe"), &options, crosses[i], into, &why);
}

Test(picture, a_game_shows_each_position_in_its_time_and_the_last_one_three_times_as_long)
{
    static char text[1 << 15];
    const struct rules_film film = {NULL, 3, load, 0, 2};

    cr_assert_gt(
        rules_replay_picture(rules_find("tictactoe"), &film, &look, &frame, text, sizeof(text)), 0);
    bare(text);
    /* The cross comes with position 1 and stays; the ring is on the last stone alone. */
    has(text, "<g><animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"10s\" "
              "repeatCount=\"indefinite\" values=\"hidden;visible\" keyTimes=\"0;0.20000\"/><g "
              "transform=\"translate(70 70)\"><use href=\"#m1-stone\"/></g></g>");
    has(text, "keyTimes=\"0;0.40000\"/><g transform=\"translate(170 170)\"><use "
              "href=\"#m2-stone\"/></g></g>");
    has(text, "<g visibility=\"hidden\"><animate attributeName=\"visibility\" "
              "calcMode=\"discrete\" dur=\"10s\" repeatCount=\"indefinite\" "
              "values=\"hidden;visible;hidden\" keyTimes=\"0;0.20000;0.40000\"/>");
    has(text, "<desc>x to move. x: stone a3. o: stone b2.</desc>");
}

Test(picture, a_game_that_cannot_be_loaded_has_no_picture)
{
    static char text[1 << 15];
    unsigned broken;
    const struct rules_film film = {&broken, 3, load, 0, 1};

    for (broken = 0; broken < film.count; broken++)
        cr_assert_eq(
            rules_replay_picture(rules_find("tictactoe"), &film, &look, &frame, text, sizeof(text)),
            0);
}

/* ---- several pictures in one page ---- */

TestSuite(inlined, .init = set_up);

Test(inlined, pictures_of_other_games_and_themes_have_other_ids_of_their_own)
{
    char own[16][8];
    size_t n = 0;

    for (size_t game = 0; game < rules_games(); game++)
        for (unsigned theme = 0; theme < RULES_THEMES; theme++, n++) {
            const char *at;

            frame.theme = (enum rules_theme)theme;
            at = strstr(draw_whole(rules_game(game)->name, NULL), "<path id=\"");
            cr_assert_not_null(at);
            snprintf(own[n], sizeof(own[n]), "%.6s", at + strlen("<path id=\""));
            cr_assert_str_eq(own[n] + 3, "any");
            for (size_t i = 0; i < n; i++)
                cr_assert_str_neq(own[i], own[n]);
        }
}

Test(inlined, every_id_begins_as_asked_for)
{
    const char *text;

    frame.ids = "left-";
    text = draw_whole("shogi", "4k4/9/9/9/9/9/9/9/4K4 b G12Pbp 1");
    for (const char *at = text; (at = strstr(at, " id=\"")) != NULL; at++)
        cr_assert_eq(strncmp(at + 5, "left-", 5), 0, "%.40s", at);
    for (const char *at = text; (at = strstr(at, " href=\"#")) != NULL; at++)
        cr_assert_eq(strncmp(at + 8, "left-", 5), 0, "%.40s", at);
}
