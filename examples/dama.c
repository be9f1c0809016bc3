/*
 * dama.c - the functions of dama.h: the board is written as a position text, and the shared rules
 * do the rest.
 */
#include "examples/dama.h"

#include <stdio.h>

#include "rules/rules.h"

enum { SIDE = 8 };

/* The draws that need a past are off, since each call knows one position alone. */
static const char *const options_of_dama[][2] = {
    {"one_v_one", "off"}, {"repetition", "0"}, {"no_progress", "0"}};

static player on_turn = white;

static player opponent(player p)
{
    return p == white ? black : white;
}

static bool belongs_to(piece what, player p)
{
    return p == white ? what == white_man || what == white_king
                      : what == black_man || what == black_king;
}

static int count_pieces(piece board[][SIDE], player p)
{
    int n = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            n += belongs_to(board[y][x], p);
    return n;
}

/* ---- between the board and the rules ---- */

static const struct rules_game *dama(void)
{
    return rules_find("turkish-draughts");
}

/* Writes one player's pieces, as in "a3,Kb4". Returns the end of the text. */
static char *write_pieces(piece board[][SIDE], player p, char *out)
{
    const char *separator = "";

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            bool king = board[y][x] == white_king || board[y][x] == black_king;

            if (!belongs_to(board[y][x], p))
                continue;
            out += sprintf(out, "%s%s%c%c", separator, king ? "K" : "", 'a' + x, '1' + y);
            separator = ",";
        }
    return out;
}

/* Reads the board as a position with p to move. False: the rules refuse it, for there are too many
 * pieces or a man stands on its last rank. */
static bool to_rules(piece board[][SIDE], player p, struct rules_state *state)
{
    struct rules_options options;
    struct rules_refusal why;
    char text[RULES_POSITION_TEXT];
    char *end = text;

    rules_options_init(&options);
    for (size_t i = 0; i < sizeof(options_of_dama) / sizeof(options_of_dama[0]); i++)
        rules_option_set(dama(), &options, options_of_dama[i][0], options_of_dama[i][1], &why);
    end += sprintf(end, "%c:W", p == white ? 'W' : 'B');
    end = write_pieces(board, white, end);
    end += sprintf(end, ":B");
    write_pieces(board, black, end);
    return rules_start(dama(), &options, text, state, &why);
}

static void from_rules(const struct rules_state *state, piece board[][SIDE])
{
    static const piece pieces[2][2] = {{white_man, white_king}, {black_man, black_king}};

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            struct rules_man man;
            unsigned square = (unsigned)(SIDE * (SIDE - 1 - y) + x);
            size_t n = dama()->at(state, square, &man, 1);

            board[y][x] = n == 0 ? empty : pieces[man.seat - 1][man.kind];
        }
}

/* Finds the legal move from one square to another: a quiet one, or else a capture. Squares alone
 * may fit several captures; the rules then name them, and the first is taken. */
static bool find_move(const struct rules_state *state, const char *from, const char *to,
                      rules_move *found)
{
    struct rules_refusal why;
    char text[RULES_MOVE_TEXT];

    snprintf(text, sizeof(text), "%s-%s", from, to);
    if (dama()->read_move(state, text, found, &why))
        return true;
    snprintf(text, sizeof(text), "%sx%s", from, to);
    if (dama()->read_move(state, text, found, &why))
        return true;
    *found = why.example[0];
    return why.code == RULES_AMBIGUOUS;
}

/* ---- the functions of the exercise ---- */

void init_board(piece board[][SIDE])
{
    static const piece ranks[SIDE] = {empty, white_man, white_man, empty,
                                      empty, black_man, black_man, empty};

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            board[y][x] = ranks[y];
    on_turn = white;
}

static bool is_on_board(int x, int y)
{
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE;
}

int move(piece board[][SIDE], int from_x, int from_y, int to_x, int to_y, player p)
{
    const char from[] = {(char)('a' + from_x), (char)('1' + from_y), '\0'};
    const char to[] = {(char)('a' + to_x), (char)('1' + to_y), '\0'};
    int enemies = count_pieces(board, opponent(p));
    struct rules_state state, next;
    rules_move found;

    if (!is_on_board(from_x, from_y) || !belongs_to(board[from_y][from_x], p))
        return -1;
    if (!is_on_board(to_x, to_y) || !to_rules(board, p, &state) ||
        !find_move(&state, from, to, &found))
        return -2;
    dama()->play(&state, found, &next);
    from_rules(&next, board);
    on_turn = opponent(p);
    return enemies - count_pieces(board, opponent(p));
}

int check_end_of_game(piece board[][SIDE])
{
    struct rules_state state;

    if (count_pieces(board, opponent(on_turn)) == 0)
        return (int)on_turn;
    if (to_rules(board, on_turn, &state) && dama()->count(&state) == 0)
        return (int)opponent(on_turn);
    return -1;
}

void display_board(piece board[][SIDE])
{
    static const char symbols[] = {'w', 'b', 'W', 'B', '-'};

    for (int y = SIDE - 1; y >= 0; y--) {
        printf("%d", y + 1);
        for (int x = 0; x < SIDE; x++)
            printf(" %c", symbols[board[y][x]]);
        printf("\n");
    }
    printf("  a b c d e f g h\n");
}
