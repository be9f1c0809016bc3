/* board_words.c - what text boards and pictures call the parts of a board (board_words.h). */
#include "rules/draw/board_words.h"

#include <string.h>

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

void rules_words_init(struct rules_words *words, const struct rules_game *game)
{
    *words = (struct rules_words){.empty = "empty",
                                  .to_move = "{side} to move",
                                  .in_check = "{side} to move, in check",
                                  .won = "{side} wins: {reason}",
                                  .drawn = "draw: {reason}",
                                  .title = game->title,
                                  .nothing = "nothing on the board",
                                  .in_hand = "in hand",
                                  .stack = "stack of {n} under a {piece}",
                                  .from_below = "from below"};
    for (unsigned i = 0; i < RULES_SEATS; i++)
        words->side[i] = game->seat[i].name;
    for (size_t i = 0; i < game->nreasons; i++)
        words->reason[i] = rules_reason_meaning(game->reasons[i]);
    for (size_t i = 0; i < game->npieces; i++)
        words->piece[i] = game->pieces[i].name;
}

enum { STATUS_TEXT = 256 };

/* Writes a template with its places filled: "{side}", "{reason}". */
static void put_filled(struct page *page, const char *template, const char *side,
                       const char *reason)
{
    char line[STATUS_TEXT];
    struct text text = text_open(line, sizeof(line));

    while (*template != '\0') {
        if (*template != '{') {
            text_char(&text, *template ++);
            continue;
        }
        text_string(&text, template[1] == 's' ? side : reason);
        template = strchr(template, '}') + 1;
    }
    page_put(page, line);
}

/* Ends that need the past of the game, such as a repetition, come from the caller. */
static const char *reason_word(const struct rules_game *game, const struct rules_words *words,
                               enum rules_reason reason)
{
    for (size_t i = 0; i < game->nreasons; i++)
        if (game->reasons[i] == reason)
            return words->reason[i];
    return "";
}

void rules_put_status(struct page *page, const struct rules_game *game,
                      const struct rules_state *state, const struct rules_look *look)
{
    struct rules_outcome outcome;
    struct rules_refusal why;
    struct rules_words words;

    if (look->ending != NULL) {
        page_put(page, look->ending);
        return;
    }
    outcome = rules_outcome_now(game, state);
    if (look->words != NULL)
        words = *look->words;
    else
        rules_words_init(&words, game);
    if (outcome.status == RULES_ONGOING) {
        bool check = game->check != NULL && game->check(state, &why);

        put_filled(page, check ? words.in_check : words.to_move,
                   words.side[game->to_move(state) - 1], "");
    } else if (outcome.status == RULES_WON) {
        put_filled(page, words.won, words.side[outcome.winner - 1],
                   reason_word(game, &words, outcome.reason));
    } else {
        put_filled(page, words.drawn, "", reason_word(game, &words, outcome.reason));
    }
}
