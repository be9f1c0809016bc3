#include "api/record/kanji.h"

#include <stdlib.h>
#include <string.h>

#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/times.h"
#include "rules/draw/textboard.h"

static const char *const hand_digits[] = {"",     "一",   "二",   "三",   "四",   "五",   "六",
                                          "七",   "八",   "九",   "十",   "十一", "十二", "十三",
                                          "十四", "十五", "十六", "十七", "十八"};
enum { HAND_DIGITS = sizeof(hand_digits) / sizeof(hand_digits[0]) };

const char *record_kanji_side(const struct record *record, unsigned seat)
{
    static const char *const even[] = {"先手", "後手"}, *const odds[] = {"下手", "上手"};

    return (record_is_handicap(record) ? odds : even)[seat - 1];
}

/* ---- writing ---- */

static void write_header(struct record_writing *writing, const char *key, const char *value)
{
    key = record_one_line(writing->arena, key);
    value = record_one_line(writing->arena, value);
    if (key != NULL && value != NULL)
        out_format(writing->out, "%s：%s\n", key, value);
}

/* Whether a key would be read back as a header. Some keys have another meaning, such as the
 * players' names. */
static bool is_header(const char *key)
{
    static const char *const own[] = {"先手",       "後手",       "下手",
                                      "上手",       "先手の持駒", "後手の持駒",
                                      "下手の持駒", "上手の持駒", "手合割"};
    static const char *const others[] = {"#",  "*",    "&",    "|",     "+",
                                         "９", "まで", "変化", "手数-", "手数＝"};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(key, own[i]) == 0)
            return false;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strncmp(key, others[i], strlen(others[i])) == 0)
            return false;
    return strstr(key, "の持ち駒") == NULL;
}

/* The board as the game draws it on a terminal, without the sentence below it: that is how KIF has
 * it too. */
static void write_board(struct record_writing *writing)
{
    const struct record *record = writing->record;
    struct rules_state *state = arena_alloc(writing->arena, sizeof(*state));
    struct rules_look *look = arena_alloc(writing->arena, sizeof(*look));
    struct rules_refusal why;
    struct record_board board;
    size_t len;
    char *text;

    if (!rules_load(record->game, &record->options, record->start, state, &why))
        return;
    rules_look_init(look);
    look->ending = "";
    len = rules_board_text(record->game, state, look, NULL, 0);
    text = arena_alloc(writing->arena, len + 1);
    rules_board_text(record->game, state, look, text, len + 1);
    while (len > 0 && text[len - 1] == '\n')
        text[--len] = '\0';
    out_format(writing->out, "%s\n", text);
    record_board_of(state, &board);
    if (board.side == 2)
        out_add(writing->out, "後手番\n");
}

static void write_time(struct record_writing *writing, enum record_slot slot, const char *text)
{
    write_header(writing, slot == RECORD_SLOT_STARTED ? "開始日時" : "終了日時", text);
}

static void write_player(struct record_writing *writing, unsigned seat)
{
    write_header(writing, record_kanji_side(writing->record, seat),
                 record_player(writing->record, seat));
}

/* A usual start goes by its name, and any other one is a board. */
static void write_start(struct record_writing *writing, enum record_slot slot)
{
    const struct record_handicap *handicap = record_common_handicap(writing->record);

    if (slot == RECORD_SLOT_START)
        write_header(writing, "手合割", record_handicap_text(writing));
    else if (slot == RECORD_SLOT_BOARD && handicap == NULL)
        write_board(writing);
}

bool record_kanji_holds_header(const struct record *record, size_t i)
{
    return is_header(record->headers[i].key);
}

static void write_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];

    if (record_kanji_holds_header(writing->record, i))
        write_header(writing, record_header_name(RECORD_COLUMN_KIF, header->key), header->value);
}

static const struct record_order usual_order = {
    .before = {RECORD_SLOT_STARTED, RECORD_SLOT_ENDED, RECORD_SLOTS},
    .after = {RECORD_SLOT_FIRST, RECORD_SLOT_SECOND, RECORD_SLOT_START, RECORD_SLOT_BOARD,
              RECORD_SLOTS},
    .player = write_player,
    .date = '/',
    .time = write_time,
    .other = write_start,
    .header = write_other,
};

void record_kanji_write_headers(struct record_writing *writing, const struct record_outcome *said)
{
    const char *facts = record_facts(writing->arena, writing->record, said);

    record_write_headers(writing, &usual_order);
    if (facts != NULL)
        out_format(writing->out, "#plyd %s\n", facts);
}

void record_kanji_write_comment(struct record_writing *writing, const char *comment)
{
    const char *line;

    while ((line = record_text_line(writing->arena, &comment)) != NULL)
        out_format(writing->out, "*%s\n", line);
}

void record_kanji_write_variation(struct record_writing *writing, const struct record_walk *walk)
{
    out_format(writing->out, "\n変化：%zu手\n", record_walk_ply(walk) + 1);
}

const char *record_kanji_text(struct record_writing *writing, const struct record_walk *walk,
                              const char *usi)
{
    struct record_shogi_move move = record_shogi_move(walk->state, usi);
    struct record_square last = {0, 0};
    const char *target;
    const char *piece = record_kanji_piece(move.kind);

    if (walk->at.before != NULL)
        last = record_usi_target(walk->at.before);
    target = record_kanji_target(writing->arena, move.to, last);
    if (move.from.file == 0)
        return arena_format(writing->arena, "%s%s打", target, piece);
    return arena_format(writing->arena, "%s%s%s(%u%u)", target, piece, move.promotes ? "成" : "",
                        move.from.file, move.from.rank);
}

/* ---- headers ---- */

/* How many, as 十八, 18 or １８. Without a number it is one. */
static unsigned read_count(const char **at)
{
    unsigned n = 0;

    for (unsigned i = HAND_DIGITS - 1; i > 0; i--)
        if (record_take(at, hand_digits[i]))
            return i;
    for (;;) {
        if (**at >= '0' && **at <= '9' && n < 100)
            n = n * 10 + (unsigned)(*(*at)++ - '0');
        else if (strncmp(*at, "\xef\xbc", 2) == 0 && (unsigned char)(*at)[2] >= 0x90 &&
                 (unsigned char)(*at)[2] <= 0x99 && n < 100) {
            n = n * 10 + ((unsigned char)(*at)[2] - 0x90U);
            *at += 3;
        } else {
            return n == 0 ? 1 : n;
        }
    }
}

static bool read_hand(struct record_kanji *kanji, unsigned seat, const char *value)
{
    const char *at = value;

    if (record_take(&at, "なし"))
        return true;
    while (*at != '\0') {
        unsigned kind;

        if (record_take(&at, " ") || record_take(&at, "　"))
            continue;
        if (!record_kanji_take_piece(&at, &kind) || kind >= KING)
            return record_bad(kanji->reading, NULL,
                              "A piece that can be held in hand is expected.");
        kanji->board.hand[seat - 1][kind] += read_count(&at);
        if (kanji->board.hand[seat - 1][kind] > 18)
            return record_bad(kanji->reading, NULL,
                              "There are more pieces in hand than in the game.");
    }
    return true;
}

/* The seat of a word such as 後手 or 上手 at *at; moves *at behind it. 0: there is no such word. */
static unsigned seat_at(const char **at)
{
    if (record_take(at, "先手") || record_take(at, "下手"))
        return 1;
    if (record_take(at, "後手") || record_take(at, "上手"))
        return 2;
    return 0;
}

bool record_kanji_header(struct record_reading *reading, const char *key, const char *value)
{
    const char *what = key;
    unsigned seat = seat_at(&what);
    int64_t us;

    if (seat != 0 && *what == '\0')
        return record_set_name(reading, seat, value);
    if (strcmp(key, "開始日時") == 0 && record_read_time(value, &us))
        record_set_started(reading, us, value);
    else if (strcmp(key, "終了日時") == 0 && record_read_time(value, &us))
        record_set_ended(reading, us, value);
    else
        return record_add_header(reading, record_header_key(RECORD_COLUMN_KIF, key), value);
    return true;
}

static bool read_header(struct record_kanji *kanji, const char *key, const char *value)
{
    const char *what = key;
    unsigned seat = seat_at(&what);

    if (seat != 0 && (strcmp(what, "の持駒") == 0 || strcmp(what, "の持ち駒") == 0)) {
        record_note(kanji->reading, RECORD_SLOT_BOARD, NULL);
        return read_hand(kanji, seat, value);
    }
    if (strcmp(key, "手合割") != 0)
        return record_kanji_header(kanji->reading, key, value);
    record_note(kanji->reading, RECORD_SLOT_START, value);
    kanji->handicap = record_handicap_of_kif(value);
    kanji->odd_handicap = kanji->handicap == NULL && strcmp(value, "その他") != 0;
    return true;
}

/* ---- the board ---- */

static bool read_cell(const char **at, struct rules_man *man)
{
    unsigned seat = 1, kind;

    if (record_take(at, "v") || record_take(at, "V"))
        seat = 2;
    else if (!record_take(at, " "))
        record_take(at, "^");
    if (record_take(at, "・") || record_take(at, "　") || record_take(at, "．") ||
        record_take(at, "*"))
        return true;
    if (!record_kanji_take_piece(at, &kind))
        return false;
    *man = (struct rules_man){(uint8_t)seat, (uint8_t)kind};
    return true;
}

static bool read_rank(struct record_kanji *kanji, const char *line)
{
    const char *at = line + 1;

    if (kanji->ranks >= SHOGI_RANKS)
        return record_bad(kanji->reading, line, "A board has nine ranks.");
    record_note(kanji->reading, RECORD_SLOT_BOARD, NULL);
    kanji->ranks++;
    for (unsigned file = SHOGI_FILES; file >= 1; file--)
        if (!read_cell(&at, &kanji->board.man[kanji->ranks][file]))
            return record_bad(kanji->reading, at,
                              "A piece (with v before it if it is Gote's) or ・ is expected.");
    return *at == '|' || record_bad(kanji->reading, at, "| is expected after nine squares.");
}

bool record_kanji_start(struct record_kanji *kanji)
{
    struct record_reading *reading = kanji->reading;

    if (record_started(reading))
        return true;
    if (reading->number > 0)
        kanji->board.number = reading->number;
    if (kanji->ranks == SHOGI_RANKS)
        return record_start_sfen(reading, record_board_sfen(reading->arena, &kanji->board));
    if (kanji->ranks > 0)
        return record_bad(reading, NULL, "A board has nine ranks.");
    if (kanji->odd_handicap)
        return record_bad(reading, NULL, "This handicap is not known, and there is no board.");
    return kanji->handicap == NULL ? record_start(reading, NULL)
                                   : record_start_handicap(reading, kanji->handicap);
}

bool record_kanji_note(struct record_kanji *kanji, const char *line)
{
    kanji->noted |= strncmp(line, "---", 3) == 0 && record_started(kanji->reading);
    if (!kanji->noted && kanji->reading->ending.word == NULL)
        return false;
    record_add_comment(kanji->reading, line);
    return true;
}

/* ---- the sentence at the end ---- */

/* Who wins in 後手の勝ち or 先手の反則負け; 0 if nobody is named. */
static unsigned winner_in(const char *text)
{
    unsigned seat = seat_at(&text);

    return seat != 0 && strstr(text, "負け") != NULL ? RULES_SEATS + 1 - seat : seat;
}

/* What a sentence says of the end. */
static struct record_word word_of(const char *rest)
{
    static const struct {
        const char *part;
        enum record_end end;
        enum rules_reason reason;
    } parts[] = {
        {"中断", RECORD_OPEN, RULES_REASON_NONE},
        {"封じ手", RECORD_OPEN, RULES_REASON_NONE},
        {"不詰", RECORD_OPEN, RULES_REASON_NONE},
        {"千日手", RECORD_BY_RULES, RULES_REASON_REPETITION},
        {"持将棋", RECORD_AGREED, RULES_REASON_NONE},
        {"入玉", RECORD_BY_RULES, RULES_REASON_IMPASSE},
        {"反則", RECORD_FOUL, RULES_REASON_NONE},
        {"不戦", RECORD_FORFEIT, RULES_REASON_NONE},
        {"詰", RECORD_BY_RULES, RULES_REASON_CHECKMATE},
        {"切れ", RECORD_TIMEOUT, RULES_REASON_NONE},
        {"投了", RECORD_RESIGNED, RULES_REASON_NONE},
        {"勝ち", RECORD_RESIGNED, RULES_REASON_NONE},
    };
    const char *by = strstr(rest, "により");
    struct record_word word = {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS};
    unsigned winner = winner_in(by != NULL ? by + strlen("により") : rest);

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(rest, parts[i].part) != NULL) {
            word.end = parts[i].end;
            word.reason = parts[i].reason;
            break;
        }
    if (winner != 0)
        word.who = winner == 1 ? FIRST_WINS : SECOND_WINS;
    else if (word.reason == RULES_REASON_CHECKMATE || strstr(rest, "投了") != NULL)
        word.who = MOVER_LOSES;
    else if (word.end == RECORD_RESIGNED) /* somebody has won, but who? */
        word.end = RECORD_OPEN;
    return word;
}

struct record_outcome record_kanji_sentence(const char *rest, unsigned to_move)
{
    struct record_word word = word_of(rest);

    return record_word_outcome(&word, to_move);
}

/* Whether a sentence behind the end says no more than the end. That somebody has won says nothing
 * of how. */
static bool is_known(const struct record_reading *reading, const char *rest)
{
    unsigned to_move = reading->here->to_move;
    struct record_outcome says = record_kanji_sentence(rest, to_move),
                          known = reading->ending.outcome;

    if (reading->refused && reading->nbranches == 0)
        known = (struct record_outcome){.end = RECORD_FOUL, .winner = RULES_SEATS + 1 - to_move};
    if (*reading->ending.word != '\0' && strstr(rest, reading->ending.word) != NULL)
        return true;
    return says.end == RECORD_RESIGNED ? says.winner == known.winner
                                       : says.end != RECORD_OPEN && record_same_end(&says, &known);
}

/* `line` is the whole of it, `rest` what follows まで. */
static bool read_sentence(struct record_kanji *kanji, const char *line, const char *rest)
{
    struct record_reading *reading = kanji->reading;
    struct record_word word;

    if (!record_kanji_start(kanji))
        return false;
    rest += strspn(rest, "0123456789");
    (void)(record_take(&rest, "、") || record_take(&rest, "手で") || record_take(&rest, "手"));
    if (reading->ending.word != NULL) {
        if (!is_known(reading, rest))
            record_add_comment(reading, line);
        return true;
    }
    word = word_of(rest);
    return record_set_word(reading, &word, rest);
}

/* ---- lines ---- */

enum line_kind {
    LINE_TAKEN, /* it was something else than a move, or empty */
    LINE_MOVES, /* it may be a move */
    LINE_BAD    /* reading->error says why */
};

static enum line_kind taken(bool ok)
{
    return ok ? LINE_TAKEN : LINE_BAD;
}

static bool is_before_moves(const struct record_kanji *kanji)
{
    return !record_started(kanji->reading);
}

/* Whether a line is one of a board, or says whose turn it is; *ok: it was understood. `line` has no
 * blanks at its ends. */
static bool board_line(struct record_kanji *kanji, const char *line, bool *ok)
{
    const char *at = line;
    unsigned seat = seat_at(&at);

    *ok = true;
    if (*line == '|') {
        *ok = read_rank(kanji, line);
    } else if (seat != 0 && strcmp(at, "番") == 0) {
        kanji->board.side = seat;
    } else if (record_take(&line, "手数＝")) {
        kanji->board.number = (unsigned)(strtoul(line, NULL, 10) % 1000000000) + 1;
    } else {
        return *line == '+' || strncmp(line, "９", strlen("９")) == 0;
    }
    return true;
}

/* Some programs write a half-width colon. A move has one, too, in its time. */
static enum line_kind header_line(struct record_kanji *kanji, char *line)
{
    struct arena *arena = kanji->reading->arena;
    char *wide = strstr(line, "："), *narrow = strchr(line, ':');
    const char *at = line;
    bool is_narrow = narrow != NULL && (wide == NULL || narrow < wide);
    char *colon = is_narrow ? narrow : wide;

    record_skip_blanks(&at);
    if (colon == NULL || (is_narrow && *at >= '0' && *at <= '9'))
        return LINE_MOVES;
    *colon = '\0';
    return taken(read_header(kanji, record_trim(arena, line),
                             record_trim(arena, colon + (is_narrow ? 1 : strlen("：")))));
}

/* Whether the open variation has to be closed before one at `ply` begins: it has no moves, or it is
 * too short. */
static bool is_left(const struct record_reading *reading, size_t ply)
{
    size_t n = reading->nbranches;

    return n > 0 && (record_is_bare(&reading->branch[n - 1]) || ply > reading->record->nmoves);
}

/* Reads 変化：12手, the heading of a variation: its moves replace the move of that number in the
 * last line that is long enough. Open variations that are too short are closed, since KIF does not
 * mark where one ends. */
static bool begin_variation(struct record_kanji *kanji, const char *line, const char *at)
{
    struct record_reading *reading = kanji->reading;
    size_t first = kanji->first == 0 ? 1 : kanji->first, number = strtoul(at, NULL, 10);
    size_t ply = number < first ? 0 : number - first;

    if (!record_kanji_start(kanji))
        return false;
    if (ply > reading->record->nmoves && record_is_cut(reading) && reading->nbranches > 0)
        return record_cut(reading, line);
    while (is_left(reading, ply))
        if (!record_rejoin(reading))
            return false;
    if (!record_branch(reading, ply))
        return false;
    kanji->last = (struct record_square){0, 0};
    if (ply > 0)
        kanji->last = record_usi_target(reading->record->moves[ply - 1].text);
    return true;
}

static enum line_kind read_line(struct record_kanji *kanji, char *line)
{
    struct record_reading *reading = kanji->reading;
    char *trimmed;
    const char *at;
    bool ok;

    if (*line == '*') {
        record_add_comment(reading, line + 1);
        return LINE_TAKEN;
    }
    if (strncmp(line, "#plyd ", 6) == 0 && is_before_moves(kanji))
        return taken(record_take_facts(reading, line + 6));
    if (*line == '#' || *line == '&')
        return LINE_TAKEN;
    trimmed = record_trim(reading->arena, line);
    at = trimmed;
    if (record_take(&at, "変化：") || record_take(&at, "変化:"))
        return taken(begin_variation(kanji, trimmed, at));
    if (*trimmed == '\0' || strncmp(trimmed, "手数--", strlen("手数--")) == 0)
        return LINE_TAKEN;
    if (record_take(&at, "まで"))
        return taken(read_sentence(kanji, trimmed, at));
    if (!is_before_moves(kanji))
        return LINE_MOVES;
    if (board_line(kanji, trimmed, &ok))
        return taken(ok);
    return header_line(kanji, line);
}

bool record_kanji_read(struct record_reading *reading,
                       bool (*moves)(struct record_kanji *kanji, const char *line))
{
    struct record_kanji kanji = {.reading = reading, .board = {.side = 1, .number = 1}};
    char *line;

    while ((line = record_next_line(reading)) != NULL)
        switch (read_line(&kanji, line)) {
        case LINE_TAKEN:
            break;
        case LINE_MOVES:
            if (!moves(&kanji, line) && !record_cut(reading, line))
                return false;
            break;
        case LINE_BAD:
            return false;
        }
    return record_kanji_start(&kanji);
}
