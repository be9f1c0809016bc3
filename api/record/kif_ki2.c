#include "api/record/kif_ki2.h"

#include <stdlib.h>
#include <string.h>

#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/times.h"

static const char *const even[] = {"先手", "後手"}, *const odds[] = {"下手", "上手"};

const char *record_kif_ki2_side(const struct record *record, unsigned seat)
{
    return (record_is_handicap(record) ? odds : even)[seat - 1];
}

static enum record_slot slot_of_kanji(unsigned seat)
{
    return seat == 1 ? RECORD_SLOT_FIRST : RECORD_SLOT_SECOND;
}

const char *record_kif_ki2_side_as_read(const struct record_writing *writing, unsigned seat)
{
    const char *side = record_as_read(writing, slot_of_kanji(seat));

    return side != NULL && (strcmp(side, even[seat - 1]) == 0 || strcmp(side, odds[seat - 1]) == 0)
               ? side
               : NULL;
}

/* ---- writing ---- */

static void write_kanji_header(struct record_writing *writing, const char *key, const char *value)
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

static void write_kanji_time(struct record_writing *writing, enum record_slot slot,
                             const char *text)
{
    write_kanji_header(writing, slot == RECORD_SLOT_STARTED ? "開始日時" : "終了日時", text);
}

/* Whether the file says nothing of its start, which is the usual one. */
static bool is_unsaid(const struct record_writing *writing)
{
    const struct record *record = writing->record;

    for (size_t i = 0; i < record->nspots; i++)
        if (record->spots[i].slot == RECORD_SLOT_START ||
            record->spots[i].slot == RECORD_SLOT_BOARD)
            return false;
    return record_is_own(writing) && !record_is_handicap(record) && record_handicap(record) != NULL;
}

/* The players are called as in the file, which may also have no names for them. */
static void write_kanji_player(struct record_writing *writing, unsigned seat)
{
    const char *name = record_player(writing->record, seat),
               *side = record_kif_ki2_side_as_read(writing, seat);

    if (side == NULL)
        write_kanji_header(writing, record_kif_ki2_side(writing->record, seat), name);
    else if (name != NULL)
        write_kanji_header(writing, side, name);
    else
        out_format(writing->out, "%s：\n", side);
}

/* A usual start goes by its name, and any other one is a board. A file may have both, or neither:
 * then it is an even game. */
static void write_kanji_start(struct record_writing *writing, enum record_slot slot)
{
    const struct record_handicap *handicap = record_common_handicap(writing->record);
    const char *name = record_as_read(writing, RECORD_SLOT_START),
               *drawn = record_kif_ki2_drawn(writing);

    if (slot == RECORD_SLOT_BOARD && drawn != NULL)
        out_add(writing->out, drawn);
    else if (slot == RECORD_SLOT_BOARD && handicap == NULL)
        record_kif_ki2_write_board(writing);
    else if (slot == RECORD_SLOT_START && drawn != NULL)
        write_kanji_header(writing, "手合割", name);
    else if (slot == RECORD_SLOT_START && !is_unsaid(writing))
        write_kanji_header(writing, "手合割", record_handicap_name(writing));
}

bool record_kif_ki2_holds_header(const struct record *record, size_t i)
{
    return is_header(record->headers[i].key);
}

static void write_kanji_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];

    if (record_kif_ki2_holds_header(writing->record, i))
        write_kanji_header(writing, record_header_name(RECORD_COLUMN_KIF, header->key),
                           header->value);
}

static const struct record_order usual_order = {
    .before = {RECORD_SLOT_STARTED, RECORD_SLOT_ENDED, RECORD_SLOTS},
    .after = {RECORD_SLOT_FIRST, RECORD_SLOT_SECOND, RECORD_SLOT_START, RECORD_SLOT_BOARD,
              RECORD_SLOTS},
    .player = write_kanji_player,
    .date = '/',
    .time = write_kanji_time,
    .other = write_kanji_start,
    .header = write_kanji_other,
};

void record_kif_ki2_write_headers(struct record_writing *writing, const struct record_outcome *said)
{
    const char *facts;
    struct record record = *writing->record;

    if (record_kif_ki2_drawn(writing) != NULL) /* which has told the number of the first move */
        record.start = arena_format(writing->arena, "%.*s 1",
                                    (int)(strrchr(record.start, ' ') - record.start), record.start);
    facts = record_facts(writing->arena, &record, said);
    record_write_headers(writing, &usual_order);
    if (facts != NULL)
        out_format(writing->out, "#plyd %s\n", facts);
}

/* Whether a line of a comment stands in the file as it is: a bookmark, "&name", or a line that
 * would be one without the asterisk before it, "*&name". So neither becomes the other. */
static bool stands_as_it_is(const char *line)
{
    return line[strspn(line, "*")] == '&';
}

void record_kif_ki2_write_comment(struct record_writing *writing, const char *comment)
{
    const char *line;

    while ((line = record_text_line(writing->arena, &comment)) != NULL)
        out_format(writing->out, stands_as_it_is(line) ? "%s\n" : "*%s\n", line);
}

void record_kif_ki2_write_variation(struct record_writing *writing, const struct record_walk *walk)
{
    out_format(writing->out, "\n変化：%zu手\n", record_walk_ply(walk) + 1);
}

const char *record_kif_ki2_move_text(struct record_writing *writing, const struct record_walk *walk,
                                     const char *usi)
{
    struct record_shogi_move move = record_shogi_move(walk->state, usi);
    struct record_square last = {0, 0};
    const char *target;
    const char *piece = record_kif_ki2_piece(move.kind);

    if (walk->at.before != NULL)
        last = record_usi_target(walk->at.before);
    target = record_kif_ki2_target(writing->arena, move.to, last);
    if (move.from.file == 0)
        return arena_format(writing->arena, "%s%s打", target, piece);
    return arena_format(writing->arena, "%s%s%s(%u%u)", target, piece, move.promotes ? "成" : "",
                        move.from.file, move.from.rank);
}

/* ---- headers ---- */

bool record_kif_ki2_header(struct record_reading *reading, const char *key, const char *value)
{
    const char *what = key;
    unsigned seat = record_kif_ki2_seat(&what);
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

static bool read_kanji_header(struct record_kanji *kanji, const char *key, const char *value)
{
    const char *what = key;
    unsigned seat = record_kif_ki2_seat(&what);

    if (seat != 0 && *what == '\0') {
        kanji->side[seat - 1] = key;
        kanji->nameless[seat - 1] = *value == '\0';
    }
    if (strcmp(key, "手合割") != 0)
        return record_kif_ki2_header(kanji->reading, key, value);
    record_note(kanji->reading, RECORD_SLOT_START, value);
    kanji->handicap = record_handicap_of_kif(value);
    kanji->odd_handicap = kanji->handicap == NULL && strcmp(value, "その他") != 0;
    return true;
}

bool record_kif_ki2_start(struct record_kanji *kanji)
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

bool record_kif_ki2_note(struct record_kanji *kanji, const char *line)
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
    unsigned seat = record_kif_ki2_seat(&text);

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

struct record_outcome record_kif_ki2_sentence(const char *rest, unsigned to_move)
{
    struct record_word word = word_of(rest);

    return record_word_outcome(&word, to_move);
}

/* Whether a sentence behind the end says no more than the end. That somebody has won says nothing
 * of how. */
static bool is_known_ending(const struct record_ending *ending, unsigned to_move, const char *rest)
{
    struct record_outcome says = record_kif_ki2_sentence(rest, to_move);

    if (*ending->word != '\0' && strstr(rest, ending->word) != NULL)
        return true;
    return says.end == RECORD_RESIGNED
               ? says.winner == ending->outcome.winner
               : says.end != RECORD_OPEN && record_same_end(&says, &ending->outcome);
}

/* What a sentence says behind まで and the number of moves. */
static const char *rest_of_kanji(const char *rest)
{
    rest += strspn(rest, "0123456789");
    (void)(record_take(&rest, "、") || record_take(&rest, "手で") || record_take(&rest, "手"));
    return rest;
}

const char *record_kif_ki2_end_sentence(const struct record_writing *writing,
                                        const struct record_ending *ending, const char *word,
                                        unsigned to_move)
{
    struct record_ending written = *ending;
    const char *sentence = ending->sentence, *rest = sentence;

    written.word = word;
    return sentence != NULL && word != NULL && record_is_own(writing) &&
                   strchr(sentence, '\n') == NULL && record_take(&rest, "まで") &&
                   is_known_ending(&written, to_move, rest_of_kanji(rest))
               ? sentence
               : NULL;
}

/* The end of the line that is being read. A move that was refused is a foul. */
static struct record_ending present_ending(const struct record_reading *reading)
{
    struct record_ending ending = reading->ending;

    if (reading->refused && reading->nbranches == 0)
        ending.outcome = (struct record_outcome){
            .end = RECORD_FOUL, .winner = RULES_SEATS + 1 - reading->here->to_move};
    return ending;
}

/* `line` is the whole of it, `rest` what follows まで. */
static bool read_sentence(struct record_kanji *kanji, const char *line, const char *rest)
{
    struct record_reading *reading = kanji->reading;
    struct record_ending ending;
    struct record_word word;

    if (!record_kif_ki2_start(kanji))
        return false;
    rest = rest_of_kanji(rest);
    if (reading->ending.word != NULL) {
        ending = present_ending(reading);
        if (!is_known_ending(&ending, reading->here->to_move, rest))
            record_add_comment(reading, line);
        else if (reading->ending.sentence == NULL)
            reading->ending.sentence = line;
        return true;
    }
    word = word_of(rest);
    if (!record_set_word(reading, &word, rest))
        return false;
    reading->ending.sentence = line;
    return true;
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
    return taken(read_kanji_header(kanji, record_trim(arena, line),
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

    if (!record_kif_ki2_start(kanji))
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

static enum line_kind read_kanji_line(struct record_kanji *kanji, char *line)
{
    struct record_reading *reading = kanji->reading;
    char *trimmed;
    const char *at;
    bool ok;

    if (*line == '*') {
        record_add_comment(reading, stands_as_it_is(line) ? line : line + 1);
        return LINE_TAKEN;
    }
    if (strncmp(line, "#plyd ", 6) == 0 && is_before_moves(kanji))
        return taken(record_take_facts(reading, line + 6));
    if (*line == '#')
        return LINE_TAKEN;
    if (*line == '&') {
        record_add_comment(reading, line);
        return LINE_TAKEN;
    }
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
    if (record_kif_ki2_board(kanji, line, &ok))
        return taken(ok);
    return header_line(kanji, line);
}

/* Notes what the players are called, where the file differs from us or has no names for them. */
static void note_sides(struct record_kanji *kanji)
{
    struct record *record = kanji->reading->record;

    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        const char *side = kanji->side[seat - 1];

        if (side != NULL &&
            (kanji->nameless[seat - 1] || strcmp(side, record_kif_ki2_side(record, seat)) != 0))
            record_spot_at(record, slot_of_kanji(seat), record->nheaders, side);
    }
}

bool record_kif_ki2_read(struct record_reading *reading,
                         bool (*moves)(struct record_kanji *kanji, const char *line))
{
    struct record_kanji kanji = {.reading = reading, .board = {.side = 1, .number = 1}};
    char *line;

    out_init(&kanji.drawn, reading->arena);
    while ((line = record_next_line(reading)) != NULL)
        switch (read_kanji_line(&kanji, line)) {
        case LINE_TAKEN:
            break;
        case LINE_MOVES:
            if (!moves(&kanji, line) && !record_cut(reading, line))
                return false;
            break;
        case LINE_BAD:
            return false;
        }
    if (!record_kif_ki2_start(&kanji))
        return false;
    note_sides(&kanji);
    return true;
}
