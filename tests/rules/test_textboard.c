/* test_textboard.c - text boards, of a made-up game that is only a picture. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/draw/page.h"
#include "rules/draw/textboard.h"

/* The men of each square from bottom to top: capitals are seat 1's, small letters seat 2's. */
static const char *squares[9];
static struct rules_board size;
static struct rules_outcome the_outcome;
static unsigned hand_count[RULES_SEATS][2];

static struct rules_board board(const struct rules_state *state)
{
    (void)state;
    return size;
}

static struct rules_man man_of_letter(char c)
{
    bool first = c >= 'A' && c <= 'Z';

    return (struct rules_man){first ? 1 : 2, (uint8_t)(c - (first ? 'A' : 'a'))};
}

static size_t at(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap)
{
    size_t n = 0;

    (void)state;
    for (const char *c = squares[square]; c != NULL && *c != '\0'; c++, n++)
        if (n < cap)
            men[n] = man_of_letter(*c);
    return n;
}

static unsigned to_move(const struct rules_state *state)
{
    (void)state;
    return 2;
}

static struct rules_outcome outcome(const struct rules_state *state,
                                    const struct rules_history *history)
{
    (void)state;
    (void)history;
    return the_outcome;
}

static bool check(const struct rules_state *state, struct rules_refusal *why)
{
    (void)state;
    (void)why;
    return true;
}

static unsigned hand(const struct rules_state *state, unsigned seat, unsigned kind)
{
    (void)state;
    return hand_count[seat - 1][kind];
}

static bool is_middle(const struct rules_state *state, unsigned square)
{
    (void)state;
    return square == 4;
}

static const struct rules_piece letters[] = {
    {"a", {"A", "a"}, {"A", "a"}, {"A", "a"}, "", -1, -1},
    {"b", {"B", "b"}, {"B", "b"}, {"B", "b"}, "", -1, -1},
};
static const struct rules_piece kanji[] = {
    {"pawn", {"P", "p"}, {"歩", "歩"}, {"P", "p"}, "", -1, -1},
    {"lance", {"L", "l"}, {"香", "香"}, {"L", "l"}, "", -1, -1},
};
static const struct rules_zone river = {"river", 0, is_middle, "~"};

/* A 3x3 board of letters with `grid`; tests change the copy. */
static struct rules_game picture(enum rules_grid grid)
{
    static const enum rules_reason reasons[] = {RULES_REASON_LINE, RULES_REASON_FULL};

    size = (struct rules_board){3, 3, RULES_LETTER_DIGIT};
    return (struct rules_game){.seat = {{"white", "w"}, {"black", "b"}},
                               .pieces = letters,
                               .npieces = 2,
                               .to_move = to_move,
                               .outcome = outcome,
                               .board = board,
                               .at = at,
                               .reasons = reasons,
                               .nreasons = 2,
                               .drawing = {.grid = grid}};
}

static const char *draw(const struct rules_game *game, const struct rules_look *look)
{
    static char text[4096];
    static struct rules_state state;

    cr_assert_lt(rules_board_text(game, &state, look, text, sizeof(text)), sizeof(text));
    return text;
}

static struct rules_look plain(void)
{
    struct rules_look look;

    rules_look_init(&look);
    return look;
}

/* ---- the four grids ---- */

Test(textboard, without_a_grid_blanks_part_the_squares)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    game.drawing.empty = "-";
    squares[0] = "A";
    squares[8] = "b";
    cr_assert_str_eq(draw(&game, &look), "   a b c\n"
                                         "3  A - -\n"
                                         "2  - - -\n"
                                         "1  - - b\n"
                                         "black to move\n");
}

Test(textboard, lines_between_the_squares)
{
    struct rules_game game = picture(RULES_GRID_BETWEEN);
    struct rules_look look = plain();

    squares[0] = "A";
    squares[4] = "b";
    cr_assert_str_eq(draw(&game, &look), "   a   b   c\n"
                                         "3  A |   |\n"
                                         "  ---|---|---\n"
                                         "2    | b |\n"
                                         "  ---|---|---\n"
                                         "1    |   |\n"
                                         "black to move\n");
}

Test(textboard, a_line_around_every_square)
{
    struct rules_game game = picture(RULES_GRID_BOXES);
    struct rules_look look = plain();

    size.height = 1;
    squares[1] = "A";
    cr_assert_str_eq(draw(&game, &look), "    a   b   c\n"
                                         "  +---+---+---+\n"
                                         "1 |   | A |   |\n"
                                         "  +---+---+---+\n"
                                         "black to move\n");
}

Test(textboard, one_line_around_the_board)
{
    struct rules_game game = picture(RULES_GRID_FRAME);
    struct rules_look look = plain();

    size.height = 1;
    size.coordinates = RULES_DIGIT_LETTER;
    squares[1] = "A";
    cr_assert_str_eq(draw(&game, &look), "  3 2 1\n"
                                         "+------+\n"
                                         "|   A  |a\n"
                                         "+------+\n"
                                         "black to move\n");
}

/* ---- boards that are no rectangles ---- */

static bool no_middle_and_no_corner(const struct rules_state *state, unsigned square)
{
    (void)state;
    return square == 4 || square == 0;
}

static bool no_two_corners(const struct rules_state *state, unsigned square)
{
    (void)state;
    return square == 0 || square == 8;
}

Test(textboard, a_square_that_is_missing_is_blank)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    game.missing = no_middle_and_no_corner;
    game.drawing.empty = "-";
    squares[8] = "b";
    cr_assert_str_eq(draw(&game, &look), "   a b c\n"
                                         "3    - -\n"
                                         "2  -   -\n"
                                         "1  - - b\n"
                                         "black to move\n");
}

Test(textboard, around_squares_that_are_missing_there_are_no_lines)
{
    struct rules_game game = picture(RULES_GRID_BOXES);
    struct rules_look look = plain();

    game.missing = no_two_corners;
    squares[4] = "A";
    cr_assert_str_eq(draw(&game, &look), "    a   b   c\n"
                                         "      +---+---+\n"
                                         "3     |   |   |\n"
                                         "  +---+---+---+\n"
                                         "2 |   | A |   |\n"
                                         "  +---+---+---+\n"
                                         "1 |   |   |\n"
                                         "  +---+---+\n"
                                         "black to move\n");
}

Test(textboard, each_row_of_hexagons_is_set_off_and_the_files_end_below_it)
{
    struct rules_game game = picture(RULES_GRID_BOXES);
    struct rules_look look = plain();

    game.tiling = RULES_HEXAGONS;
    game.drawing.empty = "-";
    squares[0] = "A";
    squares[5] = "b";
    cr_assert_str_eq(draw(&game, &look), "3  A - -\n"
                                         " 2  - - b\n"
                                         "  1  - - -\n"
                                         "      a b c\n"
                                         "black to move\n");
    look.view = 2;
    cr_assert_str_eq(draw(&game, &look), "1  - - -\n"
                                         " 2  b - -\n"
                                         "  3  - - A\n"
                                         "      c b a\n"
                                         "black to move\n");
    look.mark[5] = RULES_MARK_LAST; /* a square of hexagons is evenly many cells wide */
    cr_assert_str_eq(draw(&game, &look), "1  -   -   -\n"
                                         "  2  b*  -   -\n"
                                         "    3  -   -   A\n"
                                         "         c   b   a\n"
                                         "black to move\n");
}

Test(textboard, a_hexagon_of_hexagons_has_its_labels_at_its_edges)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    game.tiling = RULES_HEXAGONS;
    game.missing = no_two_corners;
    game.drawing.empty = "-";
    cr_assert_str_eq(draw(&game, &look), " 3  - -\n"
                                         "2  - - -\n"
                                         " 1  - - c\n"
                                         "     a b\n"
                                         "black to move\n");
    size.coordinates = RULES_DIGIT_LETTER;
    cr_assert_str_eq(draw(&game, &look), " 2 1\n"
                                         "3 - - a\n"
                                         " - - - b\n"
                                         "  - - c\n"
                                         "black to move\n");
}

/* ---- what is seen ---- */

Test(textboard, from_the_second_seat_the_board_is_turned_half_round)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    look.view = 2;
    squares[0] = "A";
    squares[5] = "b";
    cr_assert_str_eq(draw(&game, &look), "   c b a\n"
                                         "1\n"
                                         "2  b\n"
                                         "3      A\n"
                                         "black to move\n");
}

Test(textboard, kanji_take_two_cells_and_the_men_opposite_are_marked)
{
    struct rules_game game = picture(RULES_GRID_FRAME);
    struct rules_look look = plain();
    static const char *const files[] = {"３", "２", "１"}, *const ranks[] = {"一", "二"};

    size = (struct rules_board){3, 2, RULES_DIGIT_LETTER};
    game.pieces = kanji;
    game.drawing.empty = "・";
    game.drawing.facing = "v";
    game.drawing.files = files;
    game.drawing.ranks = ranks;
    squares[0] = "b";
    squares[5] = "A";
    cr_assert_str_eq(draw(&game, &look), "  ３ ２ １\n"
                                         "+---------+\n"
                                         "|v香 ・ ・|一\n"
                                         "| ・ ・ 歩|二\n"
                                         "+---------+\n"
                                         "black to move\n");
    look.view = 2;
    cr_assert_str_eq(draw(&game, &look), "  １ ２ ３\n"
                                         "+---------+\n"
                                         "|v歩 ・ ・|二\n"
                                         "| ・ ・ 香|一\n"
                                         "+---------+\n"
                                         "black to move\n");
}

Test(textboard, in_ascii_there_is_nothing_but_ascii)
{
    struct rules_game game = picture(RULES_GRID_FRAME);
    struct rules_look look = plain();
    static const char *const files[] = {"３", "２", "１"}, *const ranks[] = {"一", "二"};

    size = (struct rules_board){3, 2, RULES_DIGIT_LETTER};
    game.pieces = kanji;
    game.drawing.empty = "・";
    game.drawing.facing = "v";
    game.drawing.files = files;
    game.drawing.ranks = ranks;
    squares[0] = "b";
    squares[5] = "A";
    look.style = RULES_STYLE_ASCII;
    cr_assert_str_eq(draw(&game, &look), "  3 2 1\n"
                                         "+------+\n"
                                         "| l    |a\n"
                                         "|     P|b\n"
                                         "+------+\n"
                                         "black to move\n");
}

Test(textboard, a_zone_shows_on_empty_squares_and_behind_men)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size.height = 2;
    game.zones = &river;
    game.nzones = 1;
    cr_assert_str_eq(draw(&game, &look), "   a  b  c\n2\n1     ~\nblack to move\n");
    squares[4] = "A";
    cr_assert_str_eq(draw(&game, &look), "   a  b  c\n2\n1     A~\nblack to move\n");
}

Test(textboard, the_height_of_a_stack_stands_behind_its_top)
{
    struct rules_game game = picture(RULES_GRID_BOXES);
    struct rules_look look = plain();

    size.height = 1;
    squares[0] = "AB";
    squares[1] = "a";
    cr_assert_str_eq(draw(&game, &look), "    a    b    c\n"
                                         "  +----+----+----+\n"
                                         "1 | B2 | a  |    |\n"
                                         "  +----+----+----+\n"
                                         "black to move\n");
}

/* ---- the selected square ---- */

Test(textboard, the_selected_stack_is_listed_from_top_to_bottom_beside_the_last_lines)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    look.selected = 6;
    squares[6] = "AB";
    cr_assert_str_eq(draw(&game, &look), "   a  b  c\n"
                                         "3\n"
                                         "2                  B\n"
                                         "1  B2          a1: A\n"
                                         "black to move\n");
}

Test(textboard, a_stack_that_is_taller_than_the_board_goes_on_below_it)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size.height = 1;
    look.selected = 0;
    squares[0] = "ABA";
    cr_assert_str_eq(draw(&game, &look), "   a  b  c\n"
                                         "1  A3              A\n"
                                         "                   B\n"
                                         "               a1: A\n"
                                         "black to move\n");
}

Test(textboard, a_selected_square_may_be_empty)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size.height = 1;
    look.selected = 2;
    cr_assert_str_eq(draw(&game, &look), "   a b c\n1           c1: empty\nblack to move\n");
}

/* ---- marks ---- */

Test(textboard, marks_stand_behind_the_men)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size.height = 1;
    squares[0] = squares[1] = "A";
    look.mark[0] = RULES_MARK_LAST;
    look.mark[1] = RULES_MARK_CHECK | RULES_MARK_LAST;
    look.mark[2] = RULES_MARK_LEGAL;
    cr_assert_str_eq(draw(&game, &look), "   a  b  c\n1  A* A!  .\nblack to move\n");
}

Test(textboard, marks_fit_into_a_grid_that_has_room)
{
    struct rules_game game = picture(RULES_GRID_BETWEEN);
    struct rules_look look = plain();

    size.height = 1;
    squares[0] = "A";
    look.mark[0] = RULES_MARK_LAST;
    cr_assert_str_eq(draw(&game, &look), "   a   b   c\n1  A*|   |\nblack to move\n");
}

/* ---- colours ---- */

Test(textboard, colours_tell_the_seats_and_the_marks)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size.height = 1;
    squares[0] = "A";
    squares[1] = "b";
    look.style = RULES_STYLE_ANSI;
    look.mark[1] = RULES_MARK_LAST;
    look.selected = 2;
    cr_assert_str_eq(draw(&game, &look), "   a b c\n"
                                         "1 \033[34m A\033[m\033[43m\033[31m b\033[m\033[7m  \033[m"
                                         "    c1: empty\n"
                                         "black to move\n");
}

Test(textboard, a_game_may_choose_its_own_colours)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size = (struct rules_board){2, 1, RULES_LETTER_DIGIT};
    squares[0] = "A";
    squares[1] = "b";
    look.style = RULES_STYLE_ANSI;
    game.drawing.ink[0] = 31;
    game.drawing.ink[1] = 34;
    cr_assert_str_eq(draw(&game, &look),
                     "   a b\n1 \033[31m A\033[m\033[34m b\033[m\nblack to move\n");
}

/* ---- hands ---- */

Test(textboard, hands_stand_above_and_below_their_owners_side_of_the_board)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size = (struct rules_board){1, 1, RULES_LETTER_DIGIT};
    game.hand = hand;
    hand_count[0][0] = 2;
    hand_count[0][1] = 1;
    cr_assert_str_eq(draw(&game, &look), "black in hand: -\n"
                                         "   a\n"
                                         "1\n"
                                         "white in hand: 2A B\n"
                                         "black to move\n");
    look.view = 2;
    cr_assert_str_eq(draw(&game, &look), "white in hand: 2A B\n"
                                         "   a\n"
                                         "1\n"
                                         "black in hand: -\n"
                                         "black to move\n");
}

Test(textboard, hands_in_the_manner_of_the_game)
{
    static const char *const counts[] = {"なし", "　", "二　"};
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size = (struct rules_board){1, 1, RULES_LETTER_DIGIT};
    game.pieces = kanji;
    game.hand = hand;
    game.drawing.hand[0] = "先手の持駒：";
    game.drawing.hand[1] = "後手の持駒：";
    game.drawing.counts = counts;
    hand_count[0][0] = 2;
    hand_count[0][1] = 1;
    cr_assert_str_eq(draw(&game, &look), "後手の持駒：なし\n"
                                         "   a\n"
                                         "1\n"
                                         "先手の持駒：歩二　香　\n"
                                         "black to move\n");
}

Test(textboard, a_hand_is_shown_in_the_order_of_the_game)
{
    static const int8_t order[] = {1, 0, -1};
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    size = (struct rules_board){1, 1, RULES_LETTER_DIGIT};
    game.hand = hand;
    game.drawing.hand_order = order;
    hand_count[1][0] = hand_count[1][1] = 1;
    cr_assert_str_eq(draw(&game, &look), "black in hand: b a\n"
                                         "   a\n"
                                         "1\n"
                                         "white in hand: -\n"
                                         "black to move\n");
}

/* ---- what stands below ---- */

static const char *last_line(const char *text)
{
    const char *line = text;

    for (const char *c = text; *c != '\0'; c++)
        if (*c == '\n' && c[1] != '\0')
            line = c + 1;
    return line;
}

Test(textboard, check_is_told)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    game.check = check;
    cr_assert_str_eq(last_line(draw(&game, &look)), "black to move, in check\n");
}

Test(textboard, a_won_game_names_the_winner_and_the_reason)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    the_outcome = (struct rules_outcome){RULES_WON, 1, RULES_REASON_LINE};
    cr_assert_str_eq(last_line(draw(&game, &look)), "white wins: A line is complete.\n");
}

Test(textboard, a_drawn_game_names_the_reason)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    the_outcome = (struct rules_outcome){RULES_DRAWN, 0, RULES_REASON_FULL};
    cr_assert_str_eq(last_line(draw(&game, &look)), "draw: The board is full.\n");
}

Test(textboard, an_end_that_the_position_does_not_know_is_told_by_the_caller)
{
    struct rules_game game = picture(RULES_GRID_NONE);
    struct rules_look look = plain();

    look.ending = "white wins: black has resigned.";
    cr_assert_str_eq(last_line(draw(&game, &look)), "white wins: black has resigned.\n");
}

/* ---- the buffer ---- */

Test(textboard, a_short_buffer_gets_the_beginning_and_the_length_is_told)
{
    struct rules_game game = picture(RULES_GRID_BOXES);
    struct rules_look look = plain();
    static struct rules_state state;
    const char *whole = draw(&game, &look);
    size_t len = strlen(whole);

    for (size_t cap = 0; cap <= len + 1; cap++) {
        char text[512];

        memset(text, '#', sizeof(text));
        cr_assert_eq(rules_board_text(&game, &state, &look, text, cap), len);
        cr_assert_eq(text[cap], '#', "%zu bytes: written past the end", cap);
        if (cap > 0) {
            cr_assert_eq(strlen(text), cap - 1);
            cr_assert_eq(strncmp(text, whole, cap - 1), 0);
        }
    }
}

Test(textboard, no_line_ends_with_a_blank)
{
    struct rules_game game = picture(RULES_GRID_BETWEEN);
    struct rules_look look = plain();

    cr_assert_null(strstr(draw(&game, &look), " \n"));
}

/* ---- widths ---- */

Test(page, a_kanji_takes_two_cells_and_a_letter_one)
{
    cr_assert_eq(page_width("a"), 1);
    cr_assert_eq(page_width("歩"), 2);
    cr_assert_eq(page_width("９"), 2);
    cr_assert_eq(page_width("・"), 2);
    cr_assert_eq(page_width("×"), 1);
    cr_assert_eq(page_width("şğı"), 3);
    cr_assert_eq(page_width("☗７六歩"), 7);
}

Test(page, an_animal_takes_two_cells_and_a_variation_selector_none)
{
    cr_assert_eq(page_width("🐘"), 2);
    cr_assert_eq(page_width("\u26c0\ufe0e"), 1);
}
