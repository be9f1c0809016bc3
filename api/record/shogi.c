/* record_shogi.c - what the formats of shogi share (record_shogi.h). */
#include "api/record/shogi.h"

#include <string.h>

#include "rules/shogi/text.h"

/* ---- moves ---- */

static struct record_square square_of(const char *name)
{
    return (struct record_square){(unsigned)(name[0] - '0'), (unsigned)(name[1] - 'a' + 1)};
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

static void write_rank(struct out *out, const struct rules_man *men)
{
    for (unsigned file = SHOGI_FILES; file >= 1; file--) {
        if (men[file].seat == 0)
            out_add(out, "1"); /* reading takes many small runs for a long one */
        else
            write_letter(out, men[file].seat, men[file].kind);
    }
}

static void write_hands(struct out *out, const struct record_board *board)
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
    write_hands(&out, board);
    out_format(&out, " %u", board->number);
    return out.text;
}

/* ---- handicaps ---- */

#define PAWNS "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "

static const struct record_handicap handicaps[] = {
    {"hirate", "平手", "HIRATE", "lnsgkgsnl/1r5b1"},
    {"lance", "香落ち", "KY", "lnsgkgsn1/1r5b1"},
    {"right-lance", "右香落ち", "KY_R", "1nsgkgsnl/1r5b1"},
    {"bishop", "角落ち", "KA", "lnsgkgsnl/1r7"},
    {"rook", "飛車落ち", "HI", "lnsgkgsnl/7b1"},
    {"rook-lance", "飛香落ち", "HIKY", "lnsgkgsn1/7b1"},
    {"two-piece", "二枚落ち", "2", "lnsgkgsnl/9"},
    {NULL, "三枚落ち", "3", "lnsgkgsn1/9"},
    {"four-piece", "四枚落ち", "4", "1nsgkgsn1/9"},
    {NULL, "五枚落ち", "5", "2sgkgsn1/9"},
    {NULL, "左五枚落ち", "5_L", "1nsgkgs2/9"},
    {"six-piece", "六枚落ち", "6", "2sgkgs2/9"},
    {NULL, "右七枚落ち", "7_R", "3gkgs2/9"},
    {NULL, "左七枚落ち", "7_L", "2sgkg3/9"},
    {"eight-piece", "八枚落ち", "8", "3gkg3/9"},
    {"ten-piece", "十枚落ち", "10", "4k4/9"},
};
enum { HANDICAPS = sizeof(handicaps) / sizeof(handicaps[0]) };

/* The first is the even game, where Sente begins. */
static const char *handicap_sfen(struct arena *arena, const struct record_handicap *handicap)
{
    return arena_format(arena, "%s%s%s - 1", handicap->camp, PAWNS,
                        handicap == handicaps ? "b" : "w");
}

static bool is_start(const char *position, const struct record_handicap *handicap)
{
    size_t camp = strlen(handicap->camp);

    return strncmp(position, handicap->camp, camp) == 0 &&
           strncmp(position + camp, PAWNS, strlen(PAWNS)) == 0 &&
           strcmp(position + camp + strlen(PAWNS), handicap == handicaps ? "b - 1" : "w - 1") == 0;
}

static const struct record_handicap *handicap_of(const char *position)
{
    for (size_t i = 0; i < HANDICAPS; i++)
        if (is_start(position, &handicaps[i]))
            return &handicaps[i];
    return NULL;
}

const struct record_handicap *record_handicap(const struct record *record)
{
    return handicap_of(record->start);
}

bool record_is_handicap(const struct record *record)
{
    return handicap_of(record->start) > handicaps;
}

const struct record_handicap *record_handicap_of_kif(const char *name)
{
    for (size_t i = 0; i < HANDICAPS; i++)
        if (strcmp(handicaps[i].kif, name) == 0)
            return &handicaps[i];
    return NULL;
}

const struct record_handicap *record_handicap_of_jkf(const char *name)
{
    for (size_t i = 0; i < HANDICAPS; i++)
        if (strcmp(handicaps[i].jkf, name) == 0)
            return &handicaps[i];
    return NULL;
}

bool record_start_handicap(struct record_reading *reading, const struct record_handicap *handicap)
{
    struct rules_refusal why;

    if (handicap->option == NULL)
        return record_start(reading, handicap_sfen(reading->arena, handicap));
    rules_option_set(reading->game, &reading->options, "start", handicap->option, &why);
    return record_start(reading, NULL);
}

bool record_start_sfen(struct record_reading *reading, const char *sfen)
{
    const struct record_handicap *handicap;
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    char text[RULES_POSITION_TEXT];

    rules_options_init(&options);
    rules_option_set(reading->game, &options, "rules", "casual", &why); /* it refuses least */
    if (!rules_start(reading->game, &options, sfen, &state, &why))
        return record_start(reading, sfen);
    reading->game->position_text(&state, text);
    handicap = handicap_of(text);
    return handicap != NULL ? record_start_handicap(reading, handicap)
                            : record_start(reading, sfen);
}

/* ---- CSA ---- */

static const char *const codes[SHOGI_KINDS] = {
    [PAWN] = "FU",
    [LANCE] = "KY",
    [KNIGHT] = "KE",
    [SILVER] = "GI",
    [BISHOP] = "KA",
    [ROOK] = "HI",
    [GOLD] = "KI",
    [KING] = "OU",
    [PROMOTED + PAWN] = "TO",
    [PROMOTED + LANCE] = "NY",
    [PROMOTED + KNIGHT] = "NK",
    [PROMOTED + SILVER] = "NG",
    [PROMOTED + BISHOP] = "UM",
    [PROMOTED + ROOK] = "RY",
};

const char *record_csa_code(unsigned kind)
{
    return codes[kind];
}

unsigned record_csa_kind(const char *code)
{
    unsigned kind = 0;

    while (kind < SHOGI_KINDS && strncmp(codes[kind], code, 2) != 0)
        kind++;
    return kind;
}

/* V2.2 has no word for the agreed number of moves: to it that is a draw like an impasse. */
const struct record_word record_csa_words[] = {
    {"TORYO", RECORD_RESIGNED, RULES_REASON_NONE, MOVER_LOSES},
    {"CHUDAN", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"SENNICHITE", RECORD_BY_RULES, RULES_REASON_REPETITION, NOBODY_WINS},
    {"TIME_UP", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES},
    {"ILLEGAL_MOVE", RECORD_FOUL, RULES_REASON_NONE, MOVER_LOSES},
    {"+ILLEGAL_ACTION", RECORD_FOUL, RULES_REASON_NONE, SECOND_WINS},
    {"-ILLEGAL_ACTION", RECORD_FOUL, RULES_REASON_NONE, FIRST_WINS},
    {"+ILLEGAL_ACTION", RECORD_BY_RULES, RULES_REASON_PERPETUAL_CHECK, SECOND_WINS},
    {"-ILLEGAL_ACTION", RECORD_BY_RULES, RULES_REASON_PERPETUAL_CHECK, FIRST_WINS},
    {"JISHOGI", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"HIKIWAKE", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"KACHI", RECORD_BY_RULES, RULES_REASON_IMPASSE, MOVER_WINS},
    {"TSUMI", RECORD_BY_RULES, RULES_REASON_CHECKMATE, MOVER_LOSES},
    {"TSUMI", RECORD_BY_RULES, RULES_REASON_STALEMATE, MOVER_LOSES},
    {"TSUMI", RECORD_BY_RULES, RULES_REASON_KING_CAPTURED, MOVER_LOSES},
    {"MAX_MOVES", RECORD_BY_RULES, RULES_REASON_MAX_PLIES, NOBODY_WINS},
    {"MATTA", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"FUZUMI", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"ERROR", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};
