/* symmetry.c - positions and moves up to the symmetries of their game. */
#include <string.h>

#include "rules/mix.h"
#include "rules/rules.h"
#include "rules/text.h"

enum { TURNS = 8 };

unsigned rules_turned(struct rules_board board, unsigned symmetry, unsigned square)
{
    unsigned row = square / board.width, column = square % board.width;

    if (symmetry & RULES_MIRRORED)
        column = board.width - 1U - column;
    if (symmetry & RULES_FLIPPED)
        row = board.height - 1U - row;
    return symmetry & RULES_TRANSPOSED ? column * board.height + row : row * board.width + column;
}

uint64_t rules_turned_set(struct rules_board board, unsigned symmetry, uint64_t squares)
{
    uint64_t image = 0;

    for (; squares != 0; squares &= squares - 1)
        image |= 1ULL << rules_turned(board, symmetry, (unsigned)__builtin_ctzll(squares));
    return image;
}

/* The turn that undoes another one. */
static unsigned back(unsigned symmetry)
{
    unsigned mirrored = symmetry & RULES_MIRRORED, flipped = symmetry & RULES_FLIPPED;

    if (!(symmetry & RULES_TRANSPOSED))
        return symmetry;
    return RULES_TRANSPOSED | (mirrored ? RULES_FLIPPED : 0U) | (flipped ? RULES_MIRRORED : 0U);
}

static uint64_t key_behind(const struct rules_game *game, const struct rules_state *state,
                           unsigned turn)
{
    struct rules_state image;

    game->turn(state, turn, &image);
    return game->key(&image);
}

/* A turn changes no option, so these come in at the end. */
void rules_orbit(const struct rules_game *game, const struct rules_options *options,
                 const struct rules_state *state, struct rules_orbit *orbit)
{
    unsigned allowed = game->symmetries == NULL ? 0 : game->symmetries(state);

    *orbit = (struct rules_orbit){game->key(state), 1};
    for (unsigned turn = 1; turn < TURNS; turn++) {
        uint64_t key;

        if (turn & ~allowed)
            continue;
        key = key_behind(game, state, turn);
        if (key < orbit->key)
            *orbit = (struct rules_orbit){key, 0};
        if (key == orbit->key)
            orbit->turns |= 1U << turn;
    }
    orbit->key = mix(orbit->key ^ rules_options_key(game, options));
}

/* A move's text is the names of squares, and signs between them that stay. */
static void turn_move(struct rules_board board, unsigned turn, const char *move, char *text)
{
    struct text out = text_open(text, RULES_MOVE_TEXT);

    while (*move != '\0') {
        char name[RULES_SQUARE_TEXT];
        unsigned square;
        size_t len = rules_square_read(board, move, &square);

        if (len == 0) {
            text_char(&out, *move++);
            continue;
        }
        rules_square_text(board, rules_turned(board, turn, square), name);
        text_string(&out, name);
        move += len;
    }
}

/* The least of the texts that the orbit's turns, or their inverses, make of a move. */
static void least_text(struct rules_board board, const struct rules_orbit *orbit, bool inverse,
                       const char *move, char *text)
{
    char other[RULES_MOVE_TEXT];

    *text = '\0';
    for (unsigned turn = 0; turn < TURNS; turn++) {
        if (!(orbit->turns & 1U << turn))
            continue;
        turn_move(board, inverse ? back(turn) : turn, move, other);
        if (*text == '\0' || strcmp(other, text) < 0)
            memcpy(text, other, sizeof(other));
    }
}

void rules_orbit_move(const struct rules_game *game, const struct rules_state *state,
                      const struct rules_orbit *orbit, const char *move, char *text)
{
    least_text(game->board(state), orbit, false, move, text);
}

void rules_orbit_back(const struct rules_game *game, const struct rules_state *state,
                      const struct rules_orbit *orbit, const char *move, char *text)
{
    least_text(game->board(state), orbit, true, move, text);
}
