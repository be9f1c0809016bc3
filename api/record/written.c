#include "api/record/written.h"

#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/kanji_moves.h"
#include "api/record/lines.h"
#include "api/text/chars.h"
#include "api/text/out.h"
#include "rules/shogi/text.h"

/* ---- plain characters ---- */

static bool is_dash(uint32_t c)
{
    return (c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0x2192; /* hyphens, minus, arrow */
}

/* The ASCII character that stands for `c`; 0: none does. */
static char plain_char(uint32_t c)
{
    enum { WIDE_FIRST = 0xff01, WIDE_LAST = 0xff5e, WIDE = 0xff01 - '!' };

    if (c >= WIDE_FIRST && c <= WIDE_LAST)
        return (char)(c - WIDE);
    if (is_dash(c))
        return '-';
    if (c == 0xd7)
        return 'x';
    if (chars_kind(c) == CHARS_BLANK)
        return ' ';
    return c < 0x80 ? (char)c : '\0';
}

static char in_case(char c, char first, char last, int shift)
{
    return c >= first && c <= last ? (char)(c + shift) : c;
}

/* The text with plain characters where there are any, without blanks at its ends. Letters become
 * capitals in shogi, whose pieces have them, and small elsewhere. */
static const char *plain_text(struct arena *arena, const char *text, bool capitals)
{
    struct out out;

    out_init(&out, arena);
    while (*text != '\0') {
        const char *begin = text;
        char c = plain_char(chars_next(&text));

        c = capitals ? in_case(c, 'a', 'z', 'A' - 'a') : in_case(c, 'A', 'Z', 'a' - 'A');
        if (c == '\0')
            out_bytes(&out, begin, (size_t)(text - begin));
        else
            out_bytes(&out, &c, 1);
    }
    return record_trim(arena, out.text);
}

/* ---- shogi ---- */

/* A text that is read in one form of shogi after the other. */
struct written {
    struct arena *arena;
    const struct rules_game *game;
    const struct rules_state *state;
    const char *text;
    rules_move last, *move;
    struct rules_refusal *why;
};

/* What became of it in one form. */
enum reading { OTHER_FORM, REFUSED, READ };

static enum reading judge(const struct written *w, const struct record_shogi_move *move)
{
    const char *usi = record_shogi_usi(w->arena, move);

    return w->game->read_move(w->state, usi, w->move, w->why) ? READ : REFUSED;
}

/* The sign of a side stands before a move in Japanese and in CSA. A text that is signed by the
 * other side is not a move of this one. */
static bool take_side(const struct written *w, const char **at)
{
    static const char *const signs[RULES_SEATS][4] = {{"☗", "▲", "▼", "+"}, {"☖", "△", "▽", "-"}};

    for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
        for (size_t i = 0; i < sizeof(signs[0]) / sizeof(signs[0][0]); i++)
            if (record_take(at, signs[seat - 1][i]))
                return seat == w->game->to_move(w->state);
    return true;
}

/* 7776FU, 0055KA; without the name of a piece the one that stands there moves: 7776, 8822+. */
static enum reading read_csa(const struct written *w, const char *at)
{
    struct record_shogi_move move;
    bool promotes;

    if (strlen(at) == 6)
        return record_csa_move(w->state, at, &move) == NULL ? judge(w, &move) : OTHER_FORM;
    promotes = strlen(at) == 5 && at[4] == '+';
    if ((strlen(at) != 4 && !promotes) || strspn(at, "123456789") != 4)
        return OTHER_FORM;
    move = (struct record_shogi_move){.from = {(unsigned)(at[0] - '0'), (unsigned)(at[1] - '0')},
                                      .to = {(unsigned)(at[2] - '0'), (unsigned)(at[3] - '0')},
                                      .promotes = promotes};
    return judge(w, &move);
}

/* The legal moves of such a piece to that square are the examples. */
static void refuse_ambiguous(const struct written *w, const struct record_shogi_move *move)
{
    rules_move legal[SHOGI_MOVES_MAX];
    size_t n = w->game->legal(w->state, legal, SHOGI_MOVES_MAX);
    unsigned to = square_on(move->to.file - 1, move->to.rank - 1);

    rules_refuse(w->why, RULES_AMBIGUOUS, &shogi_laws[LAW_MOVE_TEXT]);
    for (size_t i = 0; i < n; i++) {
        struct shogi_move m = unpack_move(legal[i]);
        bool was_promoted = m.promoted && !m.promotes;

        if (m.from != NO_SQUARE && m.to == to && m.promotes == move->promotes &&
            m.kind + (was_promoted ? PROMOTED : 0U) == move->kind)
            rules_add_example(w->why, legal[i]);
    }
}

/* The law that says how the piece moves. */
static void refuse_shape(const struct written *w, const struct record_shogi_move *move)
{
    unsigned to = (move->to.rank - 1) * SHOGI_FILES + SHOGI_FILES - move->to.file;

    rules_refuse(w->why, RULES_WRONG_SHAPE, &shogi_laws[move->kind]);
    rules_add_witness(w->why, RULES_ROLE_TO, to, record_man_on(w->state, move->to));
}

static enum reading read_kanji(const struct written *w, const char *at)
{
    struct record_error ignored;
    struct record_reading reading = {.arena = w->arena,
                                     .game = w->game,
                                     .state = (struct rules_state *)w->state,
                                     .error = &ignored};
    struct record_kanji kanji = {.reading = &reading};
    enum record_kanji_sense sense;
    struct record_shogi_move move;
    unsigned to = unpack_move(w->last).to;

    if (w->last.w[0] != 0)
        kanji.last = (struct record_square){file_of(to) + 1, rank_of(to) + 1};
    if (record_kanji_read_move(&kanji, &at, &move, &sense)) {
        if (*at != '\0')
            return OTHER_FORM;
        if (judge(w, &move) == READ)
            return READ;
        /* A move that no man on the board can make is read as a drop. */
        if (w->why->code == RULES_NOT_IN_HAND && strstr(w->text, "打") == NULL)
            refuse_shape(w, &move);
        return REFUSED;
    }
    if (sense == RECORD_KANJI_UNREADABLE)
        return OTHER_FORM;
    if (sense == RECORD_KANJI_SEVERAL)
        refuse_ambiguous(w, &move);
    else
        refuse_shape(w, &move);
    return REFUSED;
}

static enum reading read_shogi(const struct written *w)
{
    const char *at = w->text;
    bool own_side = take_side(w, &at);
    enum reading reading = read_csa(w, at);

    if (reading == OTHER_FORM)
        reading = read_kanji(w, at);
    if (reading != OTHER_FORM && !own_side) {
        rules_refuse(w->why, RULES_NOT_YOUR_PIECE, &shogi_laws[LAW_OWN_PIECE]);
        return REFUSED;
    }
    return reading;
}

/* ---- all games ---- */

/* Whether a refusal is about the text and not about what it means. */
static bool is_unread(const struct rules_refusal *why)
{
    return why->code == RULES_BAD_MOVE_TEXT || why->code == RULES_OUT_OF_BOARD;
}

static bool read_plain(const struct written *w)
{
    struct rules_refusal why;

    if (w->game->read_move(w->state, w->text, w->move, &why))
        return true;
    if (why.code != RULES_BAD_MOVE_TEXT && why.code != w->why->code) {
        *w->why = why;
        w->why->at = RULES_NOT_GIVEN; /* a byte of another text */
    }
    return false;
}

bool record_read_move(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move last, const char *text,
                      rules_move *move, struct rules_refusal *why)
{
    bool is_shogi = game == rules_find("shogi");
    struct written w = {arena, game, state, text, last, move, why};
    enum reading reading;

    if (game->read_move(state, text, move, why))
        return true;
    if (!is_unread(why))
        return false;
    w.text = plain_text(arena, text, is_shogi);
    reading = is_shogi ? read_shogi(&w) : OTHER_FORM;
    return reading == OTHER_FORM ? read_plain(&w) : reading == READ;
}
