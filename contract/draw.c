/* draw.c - what every game promises of how it is drawn: each position has its boards and pictures.
 *
 * A table that passes for sound may still lead whoever draws it astray: a list that is too short
 * for the board, a man of no kind. Here all that is drawn while serving is drawn once.
 */
#include "contract/promise.h"

#include <stdio.h>
#include <string.h>

#include "rules/draw/picture.h"

enum { BOARD_TEXT = 1 << 17, PICTURE_TEXT = 1 << 21, PLIES = 40 };

/* ---- text boards ---- */

static bool is_plain_ascii(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text != '\n' && (*text < ' ' || *text > '~'))
            return false;
    return true;
}

static void look_at_one_board(struct walk *walk, const struct rules_look *look)
{
    static char text[BOARD_TEXT];
    size_t len = rules_board_text(walk->game, &walk->state, look, text, sizeof(text));

    PROMISE(len > 0 && len < sizeof(text), "%s", walk_where(walk));
    PROMISE(strlen(text) == len, "%s", walk_where(walk));
    PROMISE(text[len - 1] == '\n', "%s", walk_where(walk));
    PROMISE(strstr(text, " \n") == NULL, "%s:\n%s", walk_where(walk), text);
    if (look->style == RULES_STYLE_ASCII)
        PROMISE(is_plain_ascii(text), "%s:\n%s", walk_where(walk), text);
}

static void look_at_boards(struct walk *walk)
{
    struct rules_board board = walk->game->board(&walk->state);
    struct rules_look look;

    rules_look_init(&look);
    look.selected = (unsigned)rules_choose(&walk->seed, board.width * board.height);
    look.mark[rules_choose(&walk->seed, board.width * board.height)] = RULES_MARK_LAST;
    for (look.view = 1; look.view <= RULES_SEATS; look.view++) {
        look.style = RULES_STYLE_UNICODE;
        look_at_one_board(walk, &look);
        look.style = RULES_STYLE_ASCII;
        look_at_one_board(walk, &look);
        look.style = RULES_STYLE_ANSI;
        look_at_one_board(walk, &look);
    }
}

static void every_position_has_its_text_boards(const struct rules_game *game)
{
    walk_all(game, PLIES, false, look_at_boards);
}

/* ---- pictures ---- */

static size_t occurrences(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

/* The squares that are there. */
static size_t squares_of(const struct walk *walk)
{
    struct rules_board board = walk->game->board(&walk->state);
    size_t n = 0;

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++)
        n += !rules_is_missing(walk->game, &walk->state, square);
    return n;
}

static void look_at_one_picture(struct walk *walk, const struct rules_look *look,
                                const struct rules_picture_options *frame)
{
    static char text[PICTURE_TEXT];
    size_t len = rules_board_picture(walk->game, &walk->state, look, frame, text, sizeof(text));

    PROMISE(len < sizeof(text), "%s: a picture of %zu bytes", walk_where(walk), len);
    PROMISE(strlen(text) == len, "%s", walk_where(walk));
    PROMISE(occurrences(text, " data-square=\"") == squares_of(walk),
            "%s: a picture of %zu squares", walk_where(walk), occurrences(text, " data-square=\""));
}

static void look_at_pictures(struct walk *walk)
{
    struct rules_board board = walk->game->board(&walk->state);
    struct rules_picture_options frame = {.theme = (enum rules_theme)(walk->ply % RULES_THEMES),
                                          .coords = true};
    struct rules_look look;

    rules_look_init(&look);
    look.stacks = true;
    look.selected = (unsigned)rules_choose(&walk->seed, board.width * board.height);
    memset(look.mark, RULES_MARK_LAST | RULES_MARK_LEGAL | RULES_MARK_WIN, sizeof(look.mark));
    for (look.view = 1; look.view <= RULES_SEATS; look.view++) {
        frame.set = NULL;
        look_at_one_picture(walk, &look, &frame);
        for (const struct rules_set *set = walk->game->art->sets; set != NULL && set->name != NULL;
             set++) {
            frame.set = set;
            look_at_one_picture(walk, &look, &frame);
        }
    }
}

static void every_position_has_its_pictures(const struct rules_game *game)
{
    walk_all(game, PLIES, false, look_at_pictures);
}

static void look_at_men(const struct rules_game *game, const struct rules_picture_options *frame)
{
    static char text[PICTURE_TEXT];
    size_t len = rules_men_picture(game, frame, text, sizeof(text));

    PROMISE(len < sizeof(text), "%s: a picture of %zu bytes", game->name, len);
    PROMISE(occurrences(text, "<symbol id=\"man-") == RULES_SEATS * game->npieces, "%s: %s",
            game->name, text);
}

static void the_men_have_their_picture(const struct rules_game *game)
{
    struct rules_picture_options frame = {.theme = RULES_THEME_LIGHT};

    for (; frame.theme < RULES_THEMES; frame.theme++) {
        frame.set = NULL;
        look_at_men(game, &frame);
        for (frame.set = game->art->sets; frame.set != NULL && frame.set->name != NULL; frame.set++)
            look_at_men(game, &frame);
    }
}

const struct contract_promise contract_draw[] = {
    {"every position has its text boards", every_position_has_its_text_boards},
    {"the men have their picture", the_men_have_their_picture},
    {"every position has its pictures", every_position_has_its_pictures},
    {NULL, NULL},
};
