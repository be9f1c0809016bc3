#include "api/record/move_notation.h"

#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/kif_ki2.h"
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

/* A text that is tried in each form of shogi, one after the other. */
struct written {
    struct arena *arena;
    const struct rules_game *game;
    const struct rules_state *state;
    const char *text;
    rules_move last, *move;
    struct rules_refusal *why;
};

/* The result of reading a text in one form. */
enum reading { OTHER_FORM, REFUSED, READ };

static enum reading judge_notation(const struct written *w, const struct record_shogi_move *move)
{
    const char *usi = record_shogi_usi(w->arena, move);

    return w->game->read_move(w->state, usi, w->move, w->why) ? READ : REFUSED;
}

/* Skips the sign of a side, which may stand before a move in Japanese and in CSA. False: it is the
 * sign of the side that is not to move. */
static bool take_side(const struct written *w, const char **at)
{
    static const char *const signs[RULES_SEATS][4] = {{"☗", "▲", "▼", "+"}, {"☖", "△", "▽", "-"}};

    for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
        for (size_t i = 0; i < sizeof(signs[0]) / sizeof(signs[0][0]); i++)
            if (record_take(at, signs[seat - 1][i]))
                return seat == w->game->to_move(w->state);
    return true;
}

/* Reads a move of CSA, such as 7776FU or 0055KA, or one without a piece, such as 7776 or 8822+:
 * then the piece on the first square moves. */
static enum reading read_csa(const struct written *w, const char *at)
{
    struct record_shogi_move move;
    bool promotes;

    if (strlen(at) == 6)
        return record_csa_move(w->state, at, &move) == NULL ? judge_notation(w, &move) : OTHER_FORM;
    promotes = strlen(at) == 5 && at[4] == '+';
    if ((strlen(at) != 4 && !promotes) || strspn(at, "123456789") != 4)
        return OTHER_FORM;
    move = (struct record_shogi_move){.from = {(unsigned)(at[0] - '0'), (unsigned)(at[1] - '0')},
                                      .to = {(unsigned)(at[2] - '0'), (unsigned)(at[3] - '0')},
                                      .promotes = promotes};
    return judge_notation(w, &move);
}

/* Refuses a move that fits several pieces. The examples are the legal moves of such pieces to the
 * target. */
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

/* Refuses a move with the law that says how the piece moves. */
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
    enum record_kif_ki2_sense sense;
    struct record_shogi_move move;
    unsigned to = unpack_move(w->last).to;

    if (w->last.w[0] != 0)
        kanji.last = (struct record_square){file_of(to) + 1, rank_of(to) + 1};
    if (record_kif_ki2_read_move(&kanji, &at, &move, &sense)) {
        if (*at != '\0')
            return OTHER_FORM;
        if (judge_notation(w, &move) == READ)
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

/* 7F or 76; false: none. */
static bool take_western_square(const char **at, struct record_square *square)
{
    char file = (*at)[0], rank = file == '\0' ? '\0' : (*at)[1];

    if (file < '1' || file > '9' || !((rank >= 'A' && rank <= 'I') || (rank >= '1' && rank <= '9')))
        return false;
    *square = (struct record_square){(unsigned)(file - '0'),
                                     (unsigned)(rank >= 'A' ? rank - 'A' : rank - '1') + 1};
    *at += 2;
    return true;
}

/* A move as books of the West have it: P-7f, +Bx3c, G4i-5h, P*5e, N-7g+, Rx2c=. */
static bool take_western(const char *at, struct record_shogi_move *move, bool *drop)
{
    bool promoted = *at == '+';

    at += promoted;
    move->kind = *at == '\0' ? SHOGI_KINDS : shogi_kind_of_letter(*at);
    if (move->kind >= SHOGI_BASE_KINDS || (promoted && (move->kind == KING || move->kind == GOLD)))
        return false;
    move->kind += promoted ? PROMOTED : 0;
    at++;
    if (take_western_square(&at, &move->from) && *at == '\0') {
        move->to = move->from;
        move->from.file = 0;
        return true;
    }
    *drop = *at == '*' || *at == '\'';
    at += *drop || *at == '-' || *at == 'X' ? 1 : 0;
    if (!take_western_square(&at, &move->to))
        return false;
    move->promotes = *at == '+';
    at += *at == '+' || *at == '=' ? 1 : 0;
    return *at == '\0';
}

/* Reads a western move. It names the piece, and also the piece's square if several could go to the
 * target. */
static enum reading read_western(const struct written *w, const char *at)
{
    rules_move legal[SHOGI_MOVES_MAX];
    size_t n = w->game->legal(w->state, legal, SHOGI_MOVES_MAX), found = 0;
    struct record_shogi_move move = {.from = {0, 0}};
    bool drop = false;

    if (!take_western(at, &move, &drop))
        return OTHER_FORM;
    if (drop)
        return judge_notation(w, &move);
    for (size_t i = 0; i < n; i++) {
        char text[RULES_MOVE_TEXT];
        struct record_shogi_move m;

        w->game->move_text(w->state, legal[i], text);
        m = record_shogi_move(w->state, text);
        if (m.from.file == 0 || m.kind != move.kind || m.promotes != move.promotes ||
            memcmp(&m.to, &move.to, sizeof(m.to)) != 0 ||
            (move.from.file != 0 && memcmp(&m.from, &move.from, sizeof(m.from)) != 0))
            continue;
        *w->move = legal[i];
        found++;
    }
    if (found == 0)
        refuse_shape(w, &move);
    else if (found > 1)
        refuse_ambiguous(w, &move);
    return found == 1 ? READ : REFUSED;
}

static enum reading read_shogi(const struct written *w)
{
    const char *at = w->text;
    bool own_side = take_side(w, &at);
    enum reading reading = read_csa(w, at);

    if (reading == OTHER_FORM)
        reading = read_western(w, at);
    if (reading == OTHER_FORM)
        reading = read_kanji(w, at);
    if (reading != OTHER_FORM && !own_side) {
        rules_refuse(w->why, RULES_NOT_YOUR_PIECE, &shogi_laws[LAW_OWN_PIECE]);
        return REFUSED;
    }
    return reading;
}

/* ---- captures by the men that are taken ---- */

enum { NAMED_MAX = 64 };

struct named {
    unsigned square[NAMED_MAX];
    size_t n;
};

/* The squares of a text such as c3xc4xd5. False: it is none. */
static bool name_squares(struct rules_board board, const char *text, struct named *named)
{
    named->n = 0;
    for (;;) {
        size_t len = rules_square_read(board, text, &named->square[named->n]);

        text += len;
        if (len == 0 || ++named->n == NAMED_MAX)
            return false;
        if (*text == '\0')
            return named->n > 1;
        if (*text != 'x' && *text != ':')
            return false;
        text++;
    }
}

static bool is_same(const struct named *a, const struct named *b)
{
    return a->n == b->n && memcmp(a->square, b->square, a->n * sizeof(a->square[0])) == 0;
}

/* Whether a move is the one whose men are named. */
static bool takes(const struct written *w, rules_move move, const struct named *named)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];
    size_t n = w->game->effects(w->state, move, effects), men = 0;
    struct named path, taken, each;
    char text[RULES_MOVE_TEXT];

    w->game->move_text(w->state, move, text);
    if (!name_squares(w->game->board(w->state), text, &path))
        return false;
    taken.n = each.n = 1;
    taken.square[0] = each.square[0] = path.square[0];
    for (size_t i = 0; i < n; i++)
        if (effects[i].type == RULES_EFFECT_CAPTURE && ++men < path.n && each.n + 2 < NAMED_MAX) {
            taken.square[taken.n++] = effects[i].to;
            each.square[each.n++] = effects[i].to;
            each.square[each.n++] = path.square[men];
        }
    if (men == 0 || men + 1 != path.n)
        return false;
    if (is_same(&taken, named) || is_same(&each, named))
        return true;
    taken.square[taken.n++] = path.square[men];
    return is_same(&taken, named);
}

bool record_read_taken(struct arena *arena, const struct rules_game *game,
                       const struct rules_state *state, const char *text, rules_move *move)
{
    const struct written w = {.arena = arena, .game = game, .state = state};
    size_t n = game->count(state), found = 0;
    rules_move *legal = arena_alloc(arena, (n + 1) * sizeof(*legal));
    struct named named;

    if (!name_squares(game->board(state), text, &named))
        return false;
    n = game->legal(state, legal, n);
    for (size_t i = 0; i < n; i++)
        if (takes(&w, legal[i], &named)) {
            *move = legal[i];
            found++;
        }
    return found == 1;
}

/* ---- all games ---- */

/* Whether a refusal says that the text cannot be read, rather than that the move is not legal. */
static bool is_unread(const struct rules_refusal *why)
{
    return why->code == RULES_BAD_MOVE_TEXT || why->code == RULES_OUT_OF_BOARD;
}

static bool read_plain_notation(const struct written *w)
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
    if (game == rules_find("turkish-draughts") &&
        record_read_taken(arena, game, state, plain_text(arena, text, false), move))
        return true;
    if (!is_unread(why))
        return false;
    w.text = plain_text(arena, text, is_shogi);
    reading = is_shogi ? read_shogi(&w) : OTHER_FORM;
    return reading == OTHER_FORM ? read_plain_notation(&w) : reading == READ;
}
