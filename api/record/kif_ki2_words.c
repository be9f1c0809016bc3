/* kif_ki2_words.c - the words of KIF and KI2. */
#include "api/record/kif_ki2.h"

#include "api/record/lines.h"

static const char *const file_digits[] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};

static const char *const rank_digits[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};

static const struct {
    const char *name;
    unsigned kind;
} pieces[] = {
    {"成香", PROMOTED + LANCE},
    {"成桂", PROMOTED + KNIGHT},
    {"成銀", PROMOTED + SILVER},
    {"歩", PAWN},
    {"香", LANCE},
    {"桂", KNIGHT},
    {"銀", SILVER},
    {"金", GOLD},
    {"角", BISHOP},
    {"飛", ROOK},
    {"玉", KING},
    {"と", PROMOTED + PAWN},
    {"馬", PROMOTED + BISHOP},
    {"龍", PROMOTED + ROOK},
    {"王", KING},
    {"竜", PROMOTED + ROOK},
    {"杏", PROMOTED + LANCE},
    {"圭", PROMOTED + KNIGHT},
    {"全", PROMOTED + SILVER},
    {"成歩", PROMOTED + PAWN},
};

enum { PIECES = sizeof(pieces) / sizeof(pieces[0]) };

const char *record_kif_ki2_target(struct arena *arena, struct record_square to,
                                  struct record_square last)
{
    if (to.file == last.file && to.rank == last.rank)
        return "同　";
    return arena_format(arena, "%s%s", file_digits[to.file], rank_digits[to.rank]);
}

const char *record_kif_ki2_piece(unsigned kind)
{
    for (size_t i = 0; i < PIECES; i++)
        if (pieces[i].kind == kind)
            return pieces[i].name;
    return "";
}

bool record_kif_ki2_take_piece(const char **at, unsigned *kind)
{
    for (size_t i = 0; i < PIECES; i++)
        if (record_take(at, pieces[i].name)) {
            *kind = pieces[i].kind;
            return true;
        }
    return false;
}

/* A digit of any width, or of kanji; 0: none. */
unsigned record_kif_ki2_take_digit(const char **at)
{
    if (**at >= '1' && **at <= '9')
        return (unsigned)(*(*at)++ - '0');
    for (unsigned i = 1; i <= SHOGI_FILES; i++)
        if (record_take(at, file_digits[i]) || record_take(at, rank_digits[i]))
            return i;
    return 0;
}

const struct record_word record_kif_words[] = {
    {"投了", RECORD_RESIGNED, RULES_REASON_NONE, MOVER_LOSES},
    {"中断", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"千日手", RECORD_BY_RULES, RULES_REASON_REPETITION, NOBODY_WINS},
    {"持将棋", RECORD_AGREED, RULES_REASON_NONE, NOBODY_WINS},
    {"持将棋", RECORD_BY_RULES, RULES_REASON_MAX_PLIES, NOBODY_WINS},
    {"詰み", RECORD_BY_RULES, RULES_REASON_CHECKMATE, MOVER_LOSES},
    {"詰み", RECORD_BY_RULES, RULES_REASON_STALEMATE, MOVER_LOSES},
    {"詰み", RECORD_BY_RULES, RULES_REASON_KING_CAPTURED, MOVER_LOSES},
    {"詰", RECORD_BY_RULES, RULES_REASON_CHECKMATE, MOVER_LOSES},
    {"切れ負け", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES},
    {"時間切れ", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES},
    {"Time-up", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES}, /* of 81Dojo */
    {"反則負け", RECORD_FOUL, RULES_REASON_NONE, MOVER_LOSES},
    {"反則勝ち", RECORD_FOUL, RULES_REASON_NONE, MOVER_WINS},
    {"反則手", RECORD_FOUL, RULES_REASON_NONE, MOVER_LOSES},
    {"反則負け", RECORD_BY_RULES, RULES_REASON_PERPETUAL_CHECK, MOVER_LOSES},
    {"反則勝ち", RECORD_BY_RULES, RULES_REASON_PERPETUAL_CHECK, MOVER_WINS},
    {"入玉勝ち", RECORD_BY_RULES, RULES_REASON_IMPASSE, MOVER_WINS},
    {"不戦勝", RECORD_FORFEIT, RULES_REASON_NONE, MOVER_WINS},
    {"不戦敗", RECORD_FORFEIT, RULES_REASON_NONE, MOVER_LOSES},
    {"封じ手", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"不詰", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};
