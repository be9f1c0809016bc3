/* test_textboard_games.c - the text boards of the five games, as their documents have them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rules/draw/page.h"
#include "rules/draw/textboard.h"

enum { BOARD_TEXT = 1 << 16 };

static struct rules_look plain(void)
{
    struct rules_look look;

    rules_look_init(&look);
    return look;
}

static const char *draw(const char *name, const char *position, struct rules_look look)
{
    static char text[BOARD_TEXT];
    const struct rules_game *game = rules_find(name);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, position, &state, &why), "%s", position);
    cr_assert_lt(rules_board_text(game, &state, &look, text, sizeof(text)), sizeof(text));
    return text;
}

static const char shogi_position[] =
    "lnsgkg1nl/1r7/pppppppsp/9/9/2P6/NP1PPPPPP/7R1/L1SGKGSNL b B2Pb 13";

Test(textboard_games, shogi_is_a_board_as_records_print_it)
{
    cr_assert_str_eq(draw("shogi", shogi_position, plain()), "後手の持駒：角　\n"
                                                             "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                                                             "+---------------------------+\n"
                                                             "|v香v桂v銀v金v王v金 ・v桂v香|一\n"
                                                             "| ・v飛 ・ ・ ・ ・ ・ ・ ・|二\n"
                                                             "|v歩v歩v歩v歩v歩v歩v歩v銀v歩|三\n"
                                                             "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                                                             "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                                                             "| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六\n"
                                                             "| 桂 歩 ・ 歩 歩 歩 歩 歩 歩|七\n"
                                                             "| ・ ・ ・ ・ ・ ・ ・ 飛 ・|八\n"
                                                             "| 香 ・ 銀 金 玉 金 銀 桂 香|九\n"
                                                             "+---------------------------+\n"
                                                             "先手の持駒：角　歩二　\n"
                                                             "sente to move\n");
}

Test(textboard_games, shogi_is_seen_from_gotes_side_with_file_1_at_the_left)
{
    struct rules_look look = plain();
    const char *text;

    look.view = 2;
    text = draw("shogi", shogi_position, look);
    cr_assert_eq(strncmp(text, "先手の持駒：", strlen("先手の持駒：")), 0);
    cr_assert_not_null(strstr(text, "\n  １ ２ ３ ４ ５ ６ ７ ８ ９\n"));
    cr_assert_not_null(strstr(text, "\n| 香 桂 ・ 金 王 金 銀 桂 香|一\n"));
}

Test(textboard_games, shogi_in_ascii_is_labelled_as_its_moves_are_written)
{
    struct rules_look look = plain();
    const char *text;

    look.style = RULES_STYLE_ASCII;
    text = draw("shogi", shogi_position, look);
    cr_assert_not_null(strstr(text, "\n  9  8  7  6  5  4  3  2  1\n"));
    cr_assert_not_null(strstr(text, "\n| N  P  .  P  P  P  P  P  P |g\n"));
    cr_assert_not_null(strstr(text, "\nsente in hand: B 2P\n"));
}

Test(textboard_games, shogi_tells_of_check)
{
    cr_assert_not_null(
        strstr(draw("shogi", "4k4/9/4P4/9/9/9/9/9/4KR3 b - 1", plain()), "\nsente to move\n"));
    cr_assert_not_null(
        strstr(draw("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", plain()), "\nsente wins: "));
    cr_assert_not_null(strstr(draw("shogi", "4k4/9/9/9/4R4/9/9/9/4K4 w - 1", plain()),
                              "\ngote to move, in check\n"));
}

Test(textboard_games, tictactoe_is_the_grid_of_its_document)
{
    const char *text = draw("tictactoe", "xo1/1x1/3 o 3", plain());

    cr_assert_not_null(strstr(text, "\n  ---|---|---\n2    | "));
    cr_assert_not_null(strstr(text, "\n1    |   |\n"));
}

/* The screen of the document: the board from above, and the stack on a2 beside it. */
Test(textboard_games, stackchess_lists_the_selected_stack_beside_the_board)
{
    struct rules_look look = plain();

    look.selected = 24;
    cr_assert_str_eq(
        draw("stackchess", "tfdrf1/ppppp1/6/5(tt)/(PFT)PPPPP/2DRFT w BCDEFabcde 0 1", look),
        "    a     b     c     d     e     f\n"
        "  +-----+-----+-----+-----+-----+-----+\n"
        "6 | TN  | FN  | DN  | RN  | FN  |     |\n"
        "  +-----+-----+-----+-----+-----+-----+\n"
        "5 | PN  | PN  | PN  | PN  | PN  |     |\n"
        "  +-----+-----+-----+-----+-----+-----+\n"
        "4 |     |     |     |     |     |     |\n"
        "  +-----+-----+-----+-----+-----+-----+\n"
        "3 |     |     |     |     |     | TN2 |\n"
        "  +-----+-----+-----+-----+-----+-----+\n"
        "2 | TB3 | PB  | PB  | PB  | PB  | PB  |\n"
        "  +-----+-----+-----+-----+-----+-----+        TB\n"
        "1 |     |     | DB  | RB  | FB  | TB  |        FB\n"
        "  +-----+-----+-----+-----+-----+-----+    a2: PB\n"
        "white to move\n");
}

Test(textboard_games, stackchess_may_be_26_squares_wide)
{
    static char text[BOARD_TEXT];
    const struct rules_game *game = rules_find("stackchess");
    struct rules_look look = plain();
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_option_set(game, &options, "size", "26", &why));
    cr_assert(rules_start(game, &options, NULL, &state, &why));
    cr_assert_lt(rules_board_text(game, &state, &look, text, sizeof(text)), sizeof(text));
    cr_assert_not_null(strstr(text, "\n26 | TN | FN |"));
    cr_assert_not_null(strstr(text, "\n 1 | TB | FB |"));
}

Test(textboard_games, turkish_draughts_is_written_with_the_letters_of_its_document)
{
    struct rules_look look = plain();

    look.style = RULES_STYLE_ASCII;
    cr_assert_str_eq(draw("turkish-draughts", "W:Wa3,Kb4:Bc5,Kh8", look), "   a b c d e f g h\n"
                                                                          "8  - - - - - - - B\n"
                                                                          "7  - - - - - - - -\n"
                                                                          "6  - - - - - - - -\n"
                                                                          "5  - - b - - - - -\n"
                                                                          "4  - W - - - - - -\n"
                                                                          "3  w - - - - - - -\n"
                                                                          "2  - - - - - - - -\n"
                                                                          "1  - - - - - - - -\n"
                                                                          "white to move\n");
}

Test(textboard_games, jungle_shows_river_traps_and_dens_also_under_beasts)
{
    struct rules_look look = plain();

    look.style = RULES_STYLE_ASCII;
    cr_assert_str_eq(draw("jungle", "l5t/1d3c1/2p1w2/r6/1R5/7/E1W1P2/1C1e3/T5L r 0 1", look),
                     "    a  b  c  d  e  f  g\n"
                     "  +---------------------+\n"
                     "9 | l     #  @  #     t |\n"
                     "8 |    d     #     c    |\n"
                     "7 |       p     w       |\n"
                     "6 | r  ~  ~     ~  ~    |\n"
                     "5 |    R~ ~     ~  ~    |\n"
                     "4 |    ~  ~     ~  ~    |\n"
                     "3 | E     W     P       |\n"
                     "2 |    C     e#         |\n"
                     "1 | T     #  @  #     L |\n"
                     "  +---------------------+\n"
                     "red to move\n");
}

/* Asserts that every row of a framed board is as wide as its frame, in every style without colours.
 */
static void assert_lines_up(const char *text)
{
    unsigned width = 0;

    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        char row[256];
        const char *end;

        line += *line == '\n';
        snprintf(row, sizeof(row), "%.*s", (int)strcspn(line, "\n"), line);
        end = strrchr(row, '|') != NULL ? strrchr(row, '|') : strrchr(row, '+');
        if (end == NULL)
            continue;
        row[end - row] = '\0';
        if (width == 0)
            width = page_width(row);
        cr_assert_eq(page_width(row), width, "%s", text);
    }
}

Test(textboard_games, the_lines_of_a_framed_board_are_equally_wide)
{
    static const char *const framed[] = {"shogi", "stackchess", "jungle"};
    struct rules_look look = plain();

    for (size_t i = 0; i < sizeof(framed) / sizeof(framed[0]); i++)
        for (look.view = 1; look.view <= RULES_SEATS; look.view++) {
            look.mark[3] ^= RULES_MARK_LAST;
            look.style = RULES_STYLE_UNICODE;
            assert_lines_up(draw(framed[i], NULL, look));
            look.style = RULES_STYLE_ASCII;
            assert_lines_up(draw(framed[i], NULL, look));
        }
}
