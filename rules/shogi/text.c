/* text.c - moves of shogi in USI, and as people write them in Japanese. */
#include "rules/shogi/text.h"

#include "rules/shogi/attacks.h"
#include "rules/shogi/moves.h"
#include "rules/text.h"

const struct rules_board shogi_board = {SHOGI_FILES, SHOGI_RANKS, RULES_DIGIT_LETTER};

static void write_square(struct text *out, unsigned square)
{
    char name[RULES_SQUARE_TEXT];

    rules_square_text(shogi_board, place_of(square), name);
    text_string(out, name);
}

void shogi_write_usi(rules_move move, char *text)
{
    struct shogi_move m = unpack_move(move);
    struct text out = text_open(text, RULES_MOVE_TEXT);

    if (m.from == NO_SQUARE) {
        text_char(&out, shogi_letters[m.kind]);
        text_char(&out, '*');
    } else {
        write_square(&out, m.from);
    }
    write_square(&out, m.to);
    if (m.promotes)
        text_char(&out, '+');
}

/* ---- telling moves apart ---- */

/* The kind of what moves, before it promotes: that is the one that is written. */
static unsigned kind_of(const struct shogi_move *m)
{
    return m->kind + (m->promoted && !m->promotes ? PROMOTED : 0);
}

/* Where a man comes from, as the mover sees it. */
struct origin {
    int right;   /* files to the right of the target; negative: to the left */
    int forward; /* ranks that the move goes forward; negative: back */
};

static struct origin origin_of(unsigned from, unsigned to, unsigned side)
{
    struct origin o = {(int)file_of(to) - (int)file_of(from),
                       (int)rank_of(from) - (int)rank_of(to)};

    return side == SENTE ? o : (struct origin){-o.right, -o.forward};
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

/* The men of one kind that could go to a square, kings left aside. */
static struct squares candidates(const struct shogi *s, unsigned kind, unsigned to)
{
    unsigned side = (unsigned)s->side;
    struct squares own = set_and(s->seat[side], s->kind[kind % PROMOTED]), found = set_none();

    own = kind >= PROMOTED ? set_and(own, s->promoted) : set_minus(own, s->promoted);
    while (set_any(own)) {
        unsigned from = set_take(&own);

        if (set_has(attacks_from(from, kind, side, occupied(s)), to))
            found = set_or(found, set_of(from));
    }
    return found;
}

/* How many of the other men go the same way, and how many come from the same side. There are two
 * horses or dragons at most, and 直 is not written for them: one of two is always the right or the
 * left one. */
struct rivals {
    unsigned same_way, same_side;
    int right; /* of a horse or dragon: on which side of the other it is; positive: the right */
};

static struct rivals compare(const struct shogi *s, const struct shogi_move *m,
                             struct squares others)
{
    unsigned side = (unsigned)s->side;
    struct origin mine = origin_of(m->from, m->to, side);
    struct rivals rivals = {0, 0, 0};

    while (set_any(others)) {
        struct origin other = origin_of(set_take(&others), m->to, side);

        rivals.same_way += sign(mine.forward) == sign(other.forward);
        rivals.same_side += sign(mine.right) == sign(other.right);
        rivals.right = sign(mine.right - other.right);
    }
    return rivals;
}

/* The fewest words that suffice: the way (上 寄 引) if no other man goes it, else the side (右 左
 * 直), and both only if neither is enough. */
static void write_apart(const struct shogi *s, const struct shogi_move *m, struct squares others,
                        struct text *out)
{
    static const char *const ways[] = {"引", "寄", "上"};
    struct origin mine = origin_of(m->from, m->to, (unsigned)s->side);
    struct rivals rivals = compare(s, m, others);
    bool great = kind_of(m) == PROMOTED + BISHOP || kind_of(m) == PROMOTED + ROOK;
    const char *way = ways[sign(mine.forward) + 1];

    if (rivals.same_way == 0) {
        text_string(out, way);
    } else if (great) {
        text_string(out, rivals.right > 0 ? "右" : "左");
    } else if (mine.right == 0 && mine.forward > 0) {
        text_string(out, "直");
    } else {
        text_string(out, mine.right > 0 ? "右" : "左");
        if (rivals.same_side > 0)
            text_string(out, way);
    }
}

/* Writes the words that tell a move from that of another man of its kind to the same square: 右 左
 * 直 as the mover sees them, then 上 寄 引; for a drop 打. Nothing if no other man could go there.
 * At most RULES_PRETTY_TEXT bytes. */
static void shogi_tell_apart(const struct shogi *s, rules_move move, char *words)
{
    struct shogi_move m = unpack_move(move);
    struct text out = text_open(words, RULES_PRETTY_TEXT);
    struct squares men = candidates(s, kind_of(&m), m.to);

    if (m.from == NO_SQUARE) {
        if (set_any(men))
            text_string(&out, "打");
        return;
    }
    men = set_minus(men, set_of(m.from));
    if (set_any(men))
        write_apart(s, &m, men, &out);
}

/* ---- in Japanese ---- */

static const char *const kanji[SHOGI_KINDS] = {
#define SHOGI_PIECE(name, id, capital, small, sente, gote, written, up, down, text) written,
#include "rules/shogi/pieces.def"
#undef SHOGI_PIECE
};
static const char *const file_digits[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};
static const char *const rank_digits[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};

void shogi_write_kanji(const struct shogi *s, rules_move last, rules_move move, char *text)
{
    struct shogi_move m = unpack_move(move);
    struct text out = text_open(text, RULES_PRETTY_TEXT);
    char words[RULES_PRETTY_TEXT];

    text_string(&out, s->side == SENTE ? "☗" : "☖");
    if (last.w[0] != 0 && unpack_move(last).to == m.to) {
        text_string(&out, "同　");
    } else {
        text_string(&out, file_digits[file_of(m.to)]);
        text_string(&out, rank_digits[rank_of(m.to)]);
    }
    text_string(&out, kanji[kind_of(&m)]);
    shogi_tell_apart(s, move, words);
    text_string(&out, words);
    if (m.promotes)
        text_string(&out, "成");
    else if (m.from != NO_SQUARE &&
             (shogi_endings(s, man_on(s, m.from), m.from, m.to) & MAY_PROMOTE))
        text_string(&out, "不成");
}
