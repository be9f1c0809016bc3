/* text.c - positions of Stackchess as texts (11). */
#include "rules/stackchess/board.h"

#include <string.h>

#include "rules/text.h"

/* The letters of the kinds, by side. */
static const char letters[2][KINDS + 1] = {"RDFTCP", "rdftcp"};

/* ---- writing ---- */

static void write_stack(struct text *out, const struct rules_state *state, unsigned square)
{
    struct rules_man men[RULES_STACK_MAX];
    size_t height = stackchess_at(state, square, men, RULES_STACK_MAX);

    if (height > 1)
        text_char(out, '(');
    for (size_t i = 0; i < height; i++)
        text_char(out, letters[men[i].seat - 1][men[i].kind]);
    if (height > 1)
        text_char(out, ')');
}

static void write_run(struct text *out, unsigned *empty)
{
    if (*empty > 0)
        text_number(out, *empty);
    *empty = 0;
}

static void write_board(struct text *out, const struct rules_state *state)
{
    struct view view = view_of(state);
    unsigned empty = 0;

    for (unsigned square = 0; square < view.n * view.n; square++) {
        if (square > 0 && square % view.n == 0) {
            write_run(out, &empty);
            text_char(out, '/');
        }
        if (view.tops[square] == 0) {
            empty++;
        } else {
            write_run(out, &empty);
            write_stack(out, state, square);
        }
    }
    write_run(out, &empty);
}

/* An unmoved pawn is the bottom man of its stack (7.4), so its file says where it is. */
static void write_unmoved(struct text *out, const struct view *view)
{
    const char *before = out->at;

    for (unsigned side = 0; side < 2; side++) {
        unsigned first = row_forward(view->n, side, 1) * view->n;

        for (unsigned column = 0; column < view->n; column++)
            if (side_at(view, first + column) == side &&
                stackchess_bottom(view, first + column) & MAN_UNMOVED)
                text_char(out, (char)((side == 0 ? 'A' : 'a') + column));
    }
    if (out->at == before)
        text_char(out, '-');
}

void stackchess_position_text(const struct rules_state *state, char *text)
{
    struct view view = view_of(state);
    struct text out = text_open(text, RULES_POSITION_TEXT);

    write_board(&out, state);
    text_string(&out, view.head->mover == 0 ? " w " : " b ");
    write_unmoved(&out, &view);
    text_char(&out, ' ');
    text_number(&out, view.head->quiet);
    text_char(&out, ' ');
    text_number(&out, view.head->fullmove);
}

/* ---- reading ---- */

struct reader {
    const char *text, *at;
    struct rules_state *state;
    unsigned n;
    struct rules_refusal *why;
};

/* Refuses the position for what is written at `where`. */
static bool refuse_at(const struct reader *in, enum law law, const char *where)
{
    rules_refuse(in->why, RULES_BAD_POSITION, &stackchess_laws[law]);
    in->why->at = (int32_t)(where - in->text);
    return false;
}

static bool refuse(const struct reader *in, enum law law)
{
    return refuse_at(in, law, in->at);
}

static bool skip(struct reader *in, char c)
{
    if (*in->at != c)
        return false;
    in->at++;
    return true;
}

/* Reads the letter of a man: whose it is, and of which kind. */
static bool read_letter(struct reader *in, unsigned *side, enum kind *kind)
{
    for (*side = 0; *side < 2; (*side)++) {
        const char *letter = *in->at == '\0' ? NULL : strchr(letters[*side], *in->at);

        if (letter != NULL) {
            *kind = (enum kind)(letter - letters[*side]);
            in->at++;
            return true;
        }
    }
    return false;
}

/* Puts down the man that was read just now, if it may stand there. */
static bool put(struct reader *in, unsigned square, unsigned side, enum kind kind)
{
    struct view view = view_of(in->state);
    unsigned there = side_at(&view, square);
    const char *letter = in->at - 1;

    if (there == 1 - side) {
        refuse_at(in, LAW_MIXED_STACK, letter);
        rules_add_witness(in->why, RULES_ROLE_OFFENDER, square, stackchess_top(&view, square));
        return false;
    }
    return stackchess_put(in->state, square, side, kind) || refuse_at(in, LAW_TOO_MANY, letter);
}

/* Reads a stack in parentheses. The opening one has been read. */
static bool read_stack(struct reader *in, unsigned square)
{
    const char *open = in->at - 1;
    unsigned side, height = 0;
    enum kind kind;

    for (; read_letter(in, &side, &kind); height++)
        if (!put(in, square, side, kind))
            return false;
    return (height >= 2 && skip(in, ')')) || refuse_at(in, LAW_STACK_TEXT, open);
}

/* Reads a number of empty squares, a man or a stack, from `square` on. The rank has `left` squares
 * left. */
static bool read_squares(struct reader *in, unsigned square, unsigned left, unsigned *squares)
{
    unsigned side;
    enum kind kind;

    *squares = 1;
    if (left == 0)
        return refuse(in, LAW_RANK_LENGTH);
    if (skip(in, '('))
        return read_stack(in, square);
    if (read_letter(in, &side, &kind))
        return put(in, square, side, kind);
    if (!text_is_digit(*in->at) || *in->at == '0')
        return refuse(in, LAW_BOARD_TEXT);
    return text_read_number(&in->at, left, squares) || refuse(in, LAW_RANK_LENGTH);
}

static bool read_rank(struct reader *in, unsigned row)
{
    unsigned column = 0, squares;

    while (*in->at != '/' && *in->at != ' ' && *in->at != '\0') {
        if (!read_squares(in, row * in->n + column, in->n - column, &squares))
            return false;
        column += squares;
    }
    return column == in->n || refuse(in, LAW_RANK_LENGTH);
}

/* The number of ranks is the size of the board, which must be known before the first one is read.
 */
static unsigned count_ranks(const char *text)
{
    unsigned ranks = 1;

    for (; *text != '\0' && *text != ' ' && ranks <= BOARD_MAX; text++)
        ranks += *text == '/';
    return ranks;
}

static bool read_board(struct reader *in)
{
    for (unsigned row = 0; row < in->n; row++) {
        if (row > 0)
            in->at++; /* the slash: count_ranks() has seen it */
        if (!read_rank(in, row))
            return false;
    }
    return true;
}

static bool read_side(struct reader *in)
{
    if (*in->at != 'w' && *in->at != 'b')
        return refuse(in, LAW_SIDE);
    draft_of(in->state).head->mover = *in->at++ == 'b';
    return true;
}

static bool read_unmoved_pawn(struct reader *in, unsigned side, unsigned column)
{
    unsigned square = row_forward(in->n, side, 1) * in->n + column;
    struct view view = view_of(in->state);

    if (side_at(&view, square) != side || man_kind(stackchess_bottom(&view, square)) != PAWN) {
        refuse(in, LAW_UNMOVED_PAWN);
        rules_add_witness(in->why, RULES_ROLE_OFFENDER, square, stackchess_top(&view, square));
        return false;
    }
    stackchess_set_unmoved(in->state, square);
    in->at++;
    return true;
}

/* The number of a letter among White's files and then Black's; 2 n for any other letter. In order
 * they ascend, so one comparison finds letters that are repeated or out of order. */
static unsigned flag_of(char letter, unsigned n)
{
    unsigned capital = (unsigned)(unsigned char)letter - 'A', small = capital + 'A' - 'a';

    return capital < n ? capital : small < n ? n + small : 2 * n;
}

static bool read_unmoved(struct reader *in)
{
    unsigned flag, next = 0;

    if (skip(in, '-'))
        return true;
    do {
        flag = flag_of(*in->at, in->n);
        if (flag < next || flag == 2 * in->n)
            return refuse(in, LAW_UNMOVED_TEXT);
        if (!read_unmoved_pawn(in, flag / in->n, flag % in->n))
            return false;
        next = flag + 1;
    } while (*in->at != ' ' && *in->at != '\0');
    return true;
}

static bool read_counter(struct reader *in, enum law law, uint32_t least, uint32_t *counter)
{
    const char *start = in->at;

    return (text_read_number(&in->at, INT32_MAX, counter) && *counter >= least) ||
           refuse_at(in, law, start);
}

static bool read_space(struct reader *in)
{
    return skip(in, ' ') || refuse(in, LAW_FIELDS);
}

static bool read_fields(struct reader *in)
{
    struct head *head = draft_of(in->state).head;

    return read_board(in) && read_space(in) && read_side(in) && read_space(in) &&
           read_unmoved(in) && read_space(in) && read_counter(in, LAW_QUIET, 0, &head->quiet) &&
           read_space(in) && read_counter(in, LAW_MOVE_NUMBER, 1, &head->fullmove) &&
           (*in->at == '\0' || refuse(in, LAW_FIELDS));
}

/* ---- judging (11) ---- */

static bool has_pawn(const struct view *view, unsigned square)
{
    for (man_number i = view->tops[square]; i != 0; i = man_below(view->men[i]))
        if (man_kind(view->men[i]) == PAWN)
            return true;
    return false;
}

/* With promotion, whether a side has no pawns where they become queens. */
static bool judge_pawns(const struct view *view, unsigned side, struct rules_refusal *why)
{
    unsigned first = row_forward(view->n, side, view->n - 1) * view->n;
    bool refused = false;

    for (unsigned square = first; square < first + view->n; square++) {
        if (side_at(view, square) != side || !has_pawn(view, square))
            continue;
        if (!refused)
            rules_refuse_position(why, &stackchess_laws[LAW_LAST_RANK]);
        rules_add_witness(why, RULES_ROLE_PAWN, square, man_of(side, PAWN));
        refused = true;
    }
    return !refused;
}

static bool judge(const struct rules_state *state, struct rules_refusal *why)
{
    struct view view = view_of(state);

    if (view.head->born == 0)
        return rules_refuse_position(why, &stackchess_laws[LAW_EMPTY_BOARD]);
    return !view.head->promotion || (judge_pawns(&view, 0, why) && judge_pawns(&view, 1, why));
}

bool stackchess_read_position(struct rules_options *options, struct rules_state *state,
                              struct rules_refusal *why)
{
    const char *text = options->position;
    struct reader in = {text, text, state, count_ranks(text), why};

    if (in.n < BOARD_MIN || in.n > BOARD_MAX)
        return refuse(&in, LAW_RANKS);
    if (options->given & 1U << SIZE && options->value[SIZE] != (int32_t)in.n) {
        rules_refuse(why, RULES_BAD_OPTION, &stackchess_laws[LAW_SIZE]);
        why->option = "size";
        why->yours = options->value[SIZE];
        why->required = (int32_t)in.n;
        return false;
    }
    options->value[SIZE] = (int32_t)in.n;
    stackchess_clear(state, in.n, options);
    return read_fields(&in) && judge(state, why);
}
