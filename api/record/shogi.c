#include "api/record/shogi.h"

#include <string.h>

#include "api/text/out.h"
#include "rules/rules.h"
#include "rules/shogi/text.h"

/* ---- moves ---- */

static struct record_square square_of(const char *name)
{
    return (struct record_square){(unsigned)(name[0] - '0'), (unsigned)(name[1] - 'a' + 1)};
}

struct record_square record_usi_target(const char *usi)
{
    return square_of(usi + 2);
}

static bool is_shogi_square(const char *text)
{
    return text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
}

bool record_is_usi(const char *text)
{
    bool drop = *text != '\0' && text[1] == '*' && shogi_kind_of_letter(*text) < KING;

    return (drop || is_shogi_square(text)) && is_shogi_square(text + 2) &&
           (text[4] == '\0' || (!drop && strcmp(text + 4, "+") == 0));
}

bool record_is_foul(const struct rules_state *state, const char *usi)
{
    struct rules_man man;

    if (!record_is_usi(usi))
        return false;
    if (usi[1] == '*')
        return true;
    man = record_man_on(state, square_of(usi));
    return man.seat != 0 && (usi[4] == '\0' || man.kind < GOLD);
}

struct rules_man record_man_on(const struct rules_state *state, struct record_square square)
{
    return man_on(shogi_of(state), square_on(square.file - 1, square.rank - 1));
}

struct record_shogi_move record_shogi_move(const struct rules_state *state, const char *usi)
{
    struct record_shogi_move move = {.to = square_of(usi + 2)};

    if (usi[1] == '*') {
        move.kind = shogi_kind_of_letter(usi[0]);
        return move;
    }
    move.from = square_of(usi);
    move.kind = record_man_on(state, move.from).kind;
    move.promotes = usi[4] == '+';
    move.captured = record_man_on(state, move.to);
    return move;
}

const char *record_shogi_usi(struct arena *arena, const struct record_shogi_move *move)
{
    char to_rank = (char)('a' + move->to.rank - 1);
    const char *promotes = move->promotes ? "+" : "";

    if (move->from.file == 0)
        return arena_format(arena, "%c*%u%c", shogi_letters[move->kind % PROMOTED], move->to.file,
                            to_rank);
    return arena_format(arena, "%u%c%u%c%s", move->from.file, (char)('a' + move->from.rank - 1),
                        move->to.file, to_rank, promotes);
}

/* ---- boards ---- */

void record_board_of(const struct rules_state *state, struct record_board *board)
{
    const struct shogi *s = shogi_of(state);

    memset(board, 0, sizeof(*board));
    for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++)
        for (unsigned file = 1; file <= SHOGI_FILES; file++)
            board->man[rank][file] = record_man_on(state, (struct record_square){file, rank});
    for (unsigned side = 0; side < RULES_SEATS; side++)
        for (unsigned kind = PAWN; kind < KING; kind++)
            board->hand[side][kind] = hand_count(hand_of(s, side), kind);
    board->side = (unsigned)s->side + 1;
    board->number = (unsigned)s->number;
}

static void write_letter(struct out *out, unsigned seat, unsigned kind)
{
    char letter[] = {shogi_letters[kind % PROMOTED], '\0'};

    if (seat == 2)
        letter[0] = (char)(letter[0] + 'a' - 'A');
    if (kind >= PROMOTED)
        out_add(out, "+");
    out_add(out, letter);
}

/* Each empty square is a run of its own. The rules read several ones as well as one longer run, and
 * no one else sees this text: the rules write the position in its canonical form. */
static void write_rank(struct out *out, const struct rules_man *men)
{
    for (unsigned file = SHOGI_FILES; file >= 1; file--) {
        if (men[file].seat == 0)
            out_add(out, "1");
        else
            write_letter(out, men[file].seat, men[file].kind);
    }
}

static void write_shogi_hands(struct out *out, const struct record_board *board)
{
    size_t before = out->len;

    for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
        for (unsigned kind = PAWN; kind < KING; kind++) {
            unsigned n = board->hand[seat - 1][kind];

            if (n == 0)
                continue;
            if (n > 1)
                out_format(out, "%u", n);
            write_letter(out, seat, kind);
        }
    if (out->len == before)
        out_add(out, "-");
}

const char *record_board_sfen(struct arena *arena, const struct record_board *board)
{
    struct out out;

    out_init(&out, arena);
    for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++) {
        if (rank > 1)
            out_add(&out, "/");
        write_rank(&out, board->man[rank]);
    }
    out_add(&out, board->side == 2 ? " w " : " b ");
    write_shogi_hands(&out, board);
    out_format(&out, " %u", board->number);
    return out.text;
}
