/* shape.c - where the squares of a board lie (shape.h). */
#include "rules/draw/shape.h"

#include <string.h>

/* The half squares between a place and where the first square of the first row would lie. */
static int halves(const struct shape *shape, int row, int column)
{
    return 2 * column + (shape->hexagons ? row : 0);
}

int shape_halves(const struct shape *shape, int row, int column)
{
    return halves(shape, row, column) - shape->left;
}

int shape_width(const struct shape *shape)
{
    return shape->right - shape->left;
}

unsigned shape_square(const struct shape *shape, int row, int column)
{
    unsigned square = (unsigned)(row * shape->board.width + column);

    return shape->turned ? shape->board.width * shape->board.height - 1U - square : square;
}

bool shape_has(const struct shape *shape, int row, int column)
{
    return row >= 0 && row < shape->board.height && column >= 0 && column < shape->board.width &&
           !shape->missing[shape_square(shape, row, column)];
}

int shape_first(const struct shape *shape, int row)
{
    int column = 0;

    while (column < shape->board.width && !shape_has(shape, row, column))
        column++;
    return column;
}

int shape_last(const struct shape *shape, int row)
{
    int column = shape->board.width - 1;

    while (column >= 0 && !shape_has(shape, row, column))
        column--;
    return column;
}

bool shape_has_label(const struct shape *shape, int row, int column)
{
    int step = shape->board.coordinates == RULES_LETTER_DIGIT ? 1 : -1;
    int end = step > 0 ? shape->board.height - 1 : 0;
    int taken = step > 0 ? shape_first(shape, row) - 1 : shape_last(shape, row) + 1;

    while (end >= 0 && end < shape->board.height && !shape_has(shape, end, column))
        end -= step;
    return row == end + step && shape_has(shape, end, column) &&
           (column != taken || row < 0 || row >= shape->board.height);
}

/* Notes how far the squares of a row reach. */
static void widen(struct shape *shape, int row)
{
    int first = halves(shape, row, shape_first(shape, row));
    int last = halves(shape, row, shape_last(shape, row));

    if (shape_last(shape, row) < 0)
        return;
    if (first < shape->left || shape->right == 0)
        shape->left = first;
    if (last + 2 > shape->right)
        shape->right = last + 2;
}

void shape_make(struct shape *shape, const struct rules_game *game, const struct rules_state *state,
                unsigned view)
{
    memset(shape, 0, sizeof(*shape));
    shape->board = game->board(state);
    shape->hexagons = game->tiling == RULES_HEXAGONS;
    shape->turned = view == 2;
    shape->whole = true;
    for (unsigned i = 0; i < (unsigned)shape->board.width * shape->board.height; i++) {
        shape->missing[i] = rules_is_missing(game, state, i);
        shape->whole = shape->whole && !shape->missing[i];
    }
    for (int row = 0; row < shape->board.height; row++)
        widen(shape, row);
}
