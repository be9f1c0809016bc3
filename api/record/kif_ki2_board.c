/* kif_ki2_board.c - the board of KIF and KI2, with the hands and whose turn it is. */
#include <stdlib.h>
#include <string.h>

#include "api/record/headers.h"
#include "api/record/kif_ki2.h"
#include "api/record/lines.h"
#include "rules/draw/textboard.h"

static const char *const hand_digits[] = {"",     "一",   "二",   "三",   "四",   "五",   "六",
                                          "七",   "八",   "九",   "十",   "十一", "十二", "十三",
                                          "十四", "十五", "十六", "十七", "十八"};
enum { HAND_DIGITS = sizeof(hand_digits) / sizeof(hand_digits[0]) };

unsigned record_kif_ki2_seat(const char **at)
{
    if (record_take(at, "先手") || record_take(at, "下手"))
        return 1;
    if (record_take(at, "後手") || record_take(at, "上手"))
        return 2;
    return 0;
}

/* ---- reading ---- */

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
        if (!record_kif_ki2_take_piece(&at, &kind) || kind >= KING)
            return record_bad(kanji->reading, NULL,
                              "A piece that can be held in hand is expected.");
        kanji->board.hand[seat - 1][kind] += read_count(&at);
        if (kanji->board.hand[seat - 1][kind] > 18)
            return record_bad(kanji->reading, NULL,
                              "There are more pieces in hand than in the game.");
    }
    return true;
}

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
    if (!record_kif_ki2_take_piece(at, &kind))
        return false;
    *man = (struct rules_man){(uint8_t)seat, (uint8_t)kind};
    return true;
}

static bool read_rank(struct record_kanji *kanji, const char *line)
{
    const char *at = line + 1;

    if (kanji->ranks >= SHOGI_RANKS)
        return record_bad(kanji->reading, line, "A board has nine ranks.");
    kanji->ranks++;
    for (unsigned file = SHOGI_FILES; file >= 1; file--)
        if (!read_cell(&at, &kanji->board.man[kanji->ranks][file]))
            return record_bad(kanji->reading, at,
                              "A piece (with v before it if it is Gote's) or ・ is expected.");
    return *at == '|' || record_bad(kanji->reading, at, "| is expected after nine squares.");
}

/* What a player has in hand: 先手の持駒：金 銀二. False: the line is something else. */
static bool hand_line(struct record_kanji *kanji, const char *line, bool *ok)
{
    unsigned seat = record_kif_ki2_seat(&line);

    if (seat == 0 || (!record_take(&line, "の持駒") && !record_take(&line, "の持ち駒")))
        return false;
    record_skip_blanks(&line);
    if (!record_take(&line, "：") && !record_take(&line, ":"))
        return false;
    *ok = read_hand(kanji, seat, record_trim(kanji->reading->arena, line));
    return true;
}

static bool take_kanji_board_line(struct record_kanji *kanji, const char *line, bool *ok)
{
    const char *at = line;
    unsigned seat = record_kif_ki2_seat(&at);

    *ok = true;
    if (hand_line(kanji, line, ok))
        return true;
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

/* Keeps a line of the board, or of the hands, as it stands. */
static void keep_drawn(struct record_kanji *kanji, const char *line)
{
    struct record_reading *reading = kanji->reading;

    out_format(&kanji->drawn, "%s\n", line);
    record_spot_at(reading->record, RECORD_SLOT_BOARD, reading->record->nheaders,
                   kanji->drawn.len > RECORD_SPOT_MAX
                       ? ""
                       : arena_copy(reading->arena, kanji->drawn.text, kanji->drawn.len));
}

bool record_kif_ki2_board(struct record_kanji *kanji, const char *line, bool *ok)
{
    if (!take_kanji_board_line(kanji, record_trim(kanji->reading->arena, line), ok))
        return false;
    keep_drawn(kanji, line);
    return true;
}

/* ---- writing ---- */

/* As the game draws it it on a terminal, without the sentence below it: that is how KIF has
 * it too. */
void record_kif_ki2_write_board(struct record_writing *writing)
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

/* Whether lines draw this board, and say nothing else. */
static bool draws(struct arena *arena, const char *lines, const struct record *record)
{
    struct record scratch = {.game = record->game};
    struct record_error error = {.code = PROBLEM_NONE};
    struct record_reading reading = {.arena = arena, .record = &scratch, .error = &error};
    struct record_kanji kanji = {.reading = &reading, .board = {.side = 1, .number = 1}};
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_refusal why;
    char text[RULES_POSITION_TEXT], *line;
    bool ok;

    out_init(&kanji.drawn, arena);
    reading.at = arena_copy(arena, lines, strlen(lines));
    while ((line = record_next_line(&reading)) != NULL)
        if (!record_kif_ki2_board(&kanji, line, &ok) || !ok)
            return false;
    if (kanji.ranks != SHOGI_RANKS ||
        !rules_load(record->game, &record->options, record_board_sfen(arena, &kanji.board), state,
                    &why))
        return false;
    record->game->position_text(state, text);
    return strcmp(text, record->start) == 0;
}

const char *record_kif_ki2_drawn(struct record_writing *writing)
{
    const char *text = record_as_read(writing, RECORD_SLOT_BOARD);

    return text != NULL && draws(writing->arena, text, writing->record) ? text : NULL;
}
