#include "api/record/csa_words.h"

#include <string.h>

#include "rules/shogi/board.h"

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

bool record_csa_is_place(const char *text)
{
    return text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9';
}

/* Whether a text begins with two squares. The first may be 00, which means the hand. */
static bool names_squares(const char *text)
{
    return record_csa_is_place(text) && record_csa_is_place(text + 2) && text[2] != '0' &&
           text[3] != '0' && (text[0] == '0') == (text[1] == '0');
}

/* CSA names the piece as it is after the move. A piece that has another name on its square of
 * origin therefore promotes. */
const char *record_csa_move(const struct rules_state *state, const char *text,
                            struct record_shogi_move *move)
{
    unsigned kind = strlen(text) >= 6 ? record_csa_kind(text + 4) : SHOGI_KINDS;
    struct rules_man man = {0, 0};

    if (kind == SHOGI_KINDS || !names_squares(text))
        return "A move is written as +7776FU.";
    *move =
        (struct record_shogi_move){.from = {(unsigned)(text[0] - '0'), (unsigned)(text[1] - '0')},
                                   .to = {(unsigned)(text[2] - '0'), (unsigned)(text[3] - '0')},
                                   .kind = kind};
    if (move->from.file == 0)
        return kind >= KING ? "No such piece can be dropped." : NULL;
    man = record_man_on(state, move->from);
    move->promotes = man.seat != 0 && kind == man.kind + (unsigned)PROMOTED;
    return man.seat == 0 || kind == man.kind || move->promotes
               ? NULL
               : "Another piece stands on that square.";
}

bool record_csa_is_remark(const char *key)
{
    static const char *const remarks[] = {"rating", "black_rate", "white_rate", "summary"};

    for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++)
        if (strcmp(key, remarks[i]) == 0)
            return true;
    return false;
}

/* What the rules decide by themselves has several reasons for one word: a reader finds the reason
 * by playing the moves, and only the first entry tells how the word is read. */
const struct record_word record_csa_words[] = {
    {"TORYO", RECORD_RESIGNED, RULES_REASON_NONE, MOVER_LOSES},
    {"CHUDAN", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"SENNICHITE", RECORD_BY_RULES, RULES_REASON_REPETITION, NOBODY_WINS},
    {"TIME_UP", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES},
    {"ILLEGAL_MOVE", RECORD_FOUL, RULES_REASON_NONE, MOVER_LOSES},
    {"+ILLEGAL_ACTION", RECORD_FOUL, RULES_REASON_NONE, SECOND_WINS},
    {"-ILLEGAL_ACTION", RECORD_FOUL, RULES_REASON_NONE, FIRST_WINS},
    /* CSA has no word for a forfeit. Other programs find the right winner by these. */
    {"TORYO", RECORD_FORFEIT, RULES_REASON_NONE, MOVER_LOSES},
    {"+ILLEGAL_ACTION", RECORD_FORFEIT, RULES_REASON_NONE, SECOND_WINS},
    {"-ILLEGAL_ACTION", RECORD_FORFEIT, RULES_REASON_NONE, FIRST_WINS},
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
