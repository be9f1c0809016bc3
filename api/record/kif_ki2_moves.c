/* kif_ki2_moves.c - moves in Japanese, with or without the square that they come from. */
#include "api/record/kif_ki2.h"

#include "api/record/lines.h"
#include "rules/rules.h"
#include "rules/shogi/board.h"

/* ---- taking a move apart ---- */

enum { MOTION_ANY, MOTION_UP, MOTION_DOWN, MOTION_SIDEWAYS };
enum { SIDE_ANY, SIDE_RIGHT, SIDE_LEFT, SIDE_STRAIGHT };

struct written {
    struct record_square to, from; /* from.file 0: not written */
    unsigned kind;
    unsigned side, motion;
    bool drop, promotes;
};

static bool read_target(struct record_kanji *kanji, const char **at, struct written *written)
{
    const char *begin = *at;

    if (record_take(at, "同")) {
        record_skip_blanks(at);
        written->to = kanji->last;
        return kanji->last.file != 0 ||
               record_bad(kanji->reading, begin, "同 needs a move before it.");
    }
    written->to.file = record_kif_ki2_take_digit(at);
    written->to.rank = record_kif_ki2_take_digit(at);
    record_skip_blanks(at);
    return (written->to.file != 0 && written->to.rank != 0) ||
           record_bad(kanji->reading, begin,
                      "A move begins with its square, such as ７六, or with 同.");
}

/* 右 左 直 上 行 入 引 寄 成 不成 打, in any order, since programs differ. */
static void read_words(const char **at, struct written *written)
{
    for (;;) {
        if (record_take(at, "右"))
            written->side = SIDE_RIGHT;
        else if (record_take(at, "左"))
            written->side = SIDE_LEFT;
        else if (record_take(at, "直"))
            written->side = SIDE_STRAIGHT;
        else if (record_take(at, "上") || record_take(at, "行") || record_take(at, "入"))
            written->motion = MOTION_UP;
        else if (record_take(at, "引"))
            written->motion = MOTION_DOWN;
        else if (record_take(at, "寄"))
            written->motion = MOTION_SIDEWAYS;
        else if (record_take(at, "打"))
            written->drop = true;
        else if (record_take(at, "成"))
            written->promotes = true;
        else if (!record_take(at, "不成") && !record_take(at, "生"))
            return;
    }
}

static bool read_origin(struct record_kanji *kanji, const char **at, struct written *written)
{
    const char *begin = *at;

    if (!record_take(at, "("))
        return true;
    written->from.file = record_kif_ki2_take_digit(at);
    written->from.rank = record_kif_ki2_take_digit(at);
    if (written->from.file == 0 || written->from.rank == 0 || !record_take(at, ")"))
        return record_bad(kanji->reading, begin,
                          "The square that a move comes from is written as (77).");
    return true;
}

/* ---- finding out who moves ---- */

/* A piece that could go to the target if check did not matter. `right` and `forward` say where it
 * stands, seen by its player from the target. */
struct candidate {
    struct record_square from;
    int right, forward;
    bool legal;
};

static struct record_shogi_move move_of(const struct written *written, struct record_square from)
{
    return (struct record_shogi_move){
        .from = from, .to = written->to, .kind = written->kind, .promotes = written->promotes};
}

/* Whether a piece may go to the target, ignoring check and promotion. Pinned pieces count, because
 * books add 右, 左 and the like even where the other piece is pinned. */
static bool reaches(struct record_kanji *kanji, const struct written *written,
                    struct candidate *candidate)
{
    struct record_reading *reading = kanji->reading;
    struct record_shogi_move move = move_of(written, candidate->from);
    struct rules_refusal why;
    rules_move ignored;

    candidate->legal = reading->game->read_move(
        reading->state, record_shogi_usi(reading->arena, &move), &ignored, &why);
    return candidate->legal || why.code == RULES_LEAVES_KING_IN_CHECK ||
           why.code == RULES_MUST_PROMOTE || why.code == RULES_CANNOT_PROMOTE;
}

static size_t find_candidates(struct record_kanji *kanji, const struct written *written,
                              struct candidate *found)
{
    const struct rules_state *state = kanji->reading->state;
    unsigned seat = kanji->reading->game->to_move(state);
    size_t n = 0;

    for (unsigned place = 0; place < SHOGI_FILES * SHOGI_RANKS; place++) {
        struct record_square from = {place % SHOGI_FILES + 1, place / SHOGI_FILES + 1};
        struct rules_man man = record_man_on(state, from);
        struct candidate candidate = {.from = from,
                                      .right = (int)written->to.file - (int)from.file,
                                      .forward = (int)from.rank - (int)written->to.rank};

        if (man.seat != seat || man.kind != written->kind || !reaches(kanji, written, &candidate))
            continue;
        if (seat == 2) {
            candidate.right = -candidate.right;
            candidate.forward = -candidate.forward;
        }
        found[n++] = candidate;
    }
    return n;
}

/* How far the farthest piece on a side is. `sign` is 1 for the right. */
static int farthest(const struct candidate *found, size_t n, int sign)
{
    int most = -SHOGI_FILES;

    for (size_t i = 0; i < n; i++)
        if (sign * found[i].right > most)
            most = sign * found[i].right;
    return most;
}

/* Whether a piece is the one that 右, 左 or 直 means. It stands on that side of the square; where
 * no piece does, and always for dragons and horses, it is the one farthest to that side. */
static bool fits_side(const struct written *written, const struct candidate *man, int far)
{
    int sign = written->side == SIDE_RIGHT ? 1 : -1;
    bool great = written->kind == PROMOTED + BISHOP || written->kind == PROMOTED + ROOK;

    if (written->side == SIDE_ANY)
        return true;
    if (written->side == SIDE_STRAIGHT)
        return man->right == 0 && man->forward > 0;
    return great || far <= 0 ? sign * man->right == far : sign * man->right > 0;
}

static bool fits_motion(const struct written *written, const struct candidate *man)
{
    switch (written->motion) {
    case MOTION_UP:
        return man->forward > 0;
    case MOTION_DOWN:
        return man->forward < 0;
    case MOTION_SIDEWAYS:
        return man->forward == 0;
    default:
        return true;
    }
}

static size_t keep_fitting(const struct written *written, struct candidate *found, size_t n)
{
    int far = farthest(found, n, written->side == SIDE_RIGHT ? 1 : -1);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (fits_side(written, &found[i], far) && fits_motion(written, &found[i]))
            found[kept++] = found[i];
    return kept;
}

static size_t keep_legal(struct candidate *found, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (found[i].legal)
            found[kept++] = found[i];
    return kept;
}

/* Finds the piece that is meant and sets written->from, which stays empty for a drop. Sets *sense
 * if no piece fits, or several. Illegal candidates are removed only if several fit. */
static bool find_origin(struct record_kanji *kanji, struct written *written, const char *begin,
                        enum record_kif_ki2_sense *sense)
{
    struct record_reading *reading = kanji->reading;
    struct candidate found[SHOGI_FILES * SHOGI_RANKS];
    size_t all, n, legal;

    if (written->drop)
        return true;
    all = find_candidates(kanji, written, found);
    n = keep_fitting(written, found, all);
    if (all == 0 && written->kind < KING && !written->promotes)
        return true; /* a drop: 打 is left out where no piece on the board could be meant */
    if (n == 0) {
        *sense = RECORD_KANJI_NONE;
        return record_bad(reading, begin, "No piece of that kind can go there in that way.");
    }
    if (n > 1) {
        legal = keep_legal(found, n);
        if (legal != 1) {
            *sense = RECORD_KANJI_SEVERAL;
            return record_bad(reading, begin, "More than one piece fits this move.");
        }
    }
    written->from = found[0].from;
    return true;
}

/* ---- the move as a whole ---- */

/* KIF names both the piece and its square, and they must agree. The rules refuse an empty square by
 * themselves. */
static bool agrees(struct record_kanji *kanji, const struct written *written, const char *begin)
{
    struct rules_man man;

    if (written->from.file == 0)
        return true;
    man = record_man_on(kanji->reading->state, written->from);
    if (man.seat == 0 || man.kind == written->kind)
        return true;
    return record_bad(kanji->reading, begin,
                      arena_format(kanji->reading->arena, "Another piece stands on %u%c: %s.",
                                   written->from.file, (char)('a' + written->from.rank - 1),
                                   record_kif_ki2_piece(man.kind)));
}

bool record_kif_ki2_read_move(struct record_kanji *kanji, const char **at,
                              struct record_shogi_move *move, enum record_kif_ki2_sense *sense)
{
    struct record_reading *reading = kanji->reading;
    struct written written = {.drop = false};
    const char *begin = *at;

    *sense = RECORD_KANJI_UNREADABLE;
    if (!read_target(kanji, at, &written))
        return false;
    if (!record_kif_ki2_take_piece(at, &written.kind))
        return record_bad(reading, *at, "The name of a piece is expected.");
    read_words(at, &written);
    *move = move_of(&written, written.from);
    if (!read_origin(kanji, at, &written))
        return false;
    if (written.from.file == 0 && !record_is_cut(reading) &&
        !find_origin(kanji, &written, begin, sense))
        return false;
    *move = move_of(&written, written.from);
    return agrees(kanji, &written, begin);
}

bool record_kif_ki2_move(struct record_kanji *kanji, const char **at)
{
    struct record_reading *reading = kanji->reading;
    enum record_kif_ki2_sense sense;
    struct record_shogi_move move;
    const char *begin = *at, *shown;

    if (reading->ending.word != NULL)
        return record_bad(reading, begin, "This move comes after the end.");
    if (!record_kif_ki2_start(kanji) || !record_kif_ki2_read_move(kanji, at, &move, &sense))
        return false;
    shown = arena_copy(reading->arena, begin, (size_t)(*at - begin));
    kanji->last = move.to;
    return record_shogi_play(reading, &move, shown, begin);
}
