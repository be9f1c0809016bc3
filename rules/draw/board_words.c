/* board_words.c - what text boards and pictures call the parts of a board (board_words.h). */
#include "rules/draw/board_words.h"

/* A square's name is a letter and a number in either order. One part is the file, the other the
 * rank. */
static const char *name_part(struct rules_board board, unsigned square, bool digits, char *part)
{
    char name[RULES_SQUARE_TEXT];
    struct text text = text_open(part, RULES_SQUARE_TEXT);

    rules_square_text(board, square, name);
    for (const char *c = name; *c != '\0'; c++)
        if (text_is_digit(*c) == digits)
            text_char(&text, *c);
    return part;
}

const char *rules_file_label(const struct rules_game *game, struct rules_board board,
                             unsigned square, bool plain, char part[RULES_SQUARE_TEXT])
{
    if (game->drawing.files != NULL && !plain)
        return game->drawing.files[square % board.width];
    return name_part(board, square, board.coordinates == RULES_DIGIT_LETTER, part);
}

const char *rules_rank_label(const struct rules_game *game, struct rules_board board,
                             unsigned square, bool plain, char part[RULES_SQUARE_TEXT])
{
    if (game->drawing.ranks != NULL && !plain)
        return game->drawing.ranks[square / board.width];
    return name_part(board, square, board.coordinates == RULES_LETTER_DIGIT, part);
}

int rules_hand_kind(const struct rules_game *game, size_t i)
{
    if (game->drawing.hand_order != NULL)
        return game->drawing.hand_order[i];
    return i < game->npieces ? (int)i : -1;
}

/* Ends that need the past of the game, such as a repetition, come from the caller as `ending`. */
void rules_put_status(struct page *page, const struct rules_game *game,
                      const struct rules_state *state, const char *ending)
{
    struct rules_outcome outcome = rules_outcome_now(game, state);
    struct rules_refusal why;

    if (ending != NULL) {
        page_put(page, ending);
    } else if (outcome.status == RULES_ONGOING) {
        page_put(page, game->seat[game->to_move(state) - 1].name);
        page_put(page, " to move");
        if (game->check != NULL && game->check(state, &why))
            page_put(page, ", in check");
    } else if (outcome.status == RULES_WON) {
        page_put(page, game->seat[outcome.winner - 1].name);
        page_put(page, " wins: ");
        page_put(page, rules_reason_meaning(outcome.reason));
    } else {
        page_put(page, "draw: ");
        page_put(page, rules_reason_meaning(outcome.reason));
    }
}
