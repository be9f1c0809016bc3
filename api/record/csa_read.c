/* csa_read.c - CSA of any version, read. */
#include <stdlib.h>
#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/shogi.h"
#include "api/record/times.h"
#include "rules/rules.h"
#include "rules/shogi/board.h"

enum { HAND_MAX = 18, VALUE_MAX = 10000000 };

struct csa {
    struct record_reading *reading;
    struct record_board board;
    bool has_board, done;
};

/* ---- the board ---- */

static const char even_ranks[SHOGI_RANKS][2 * SHOGI_FILES + 1] = {
    "KYKEGIKIOUKIGIKEKY", " *HI * * * * *KA *", "FUFUFUFUFUFUFUFUFU"};

static struct rules_man *man_at(struct csa *csa, unsigned file, unsigned rank)
{
    return &csa->board.man[rank][file];
}

/* Sets up the even start. Sente's camp is Gote's, rotated. */
static void set_up_csa(struct csa *csa)
{
    csa->has_board = true;
    for (unsigned rank = 1; rank <= 3; rank++)
        for (unsigned column = 0; column < SHOGI_FILES; column++) {
            unsigned kind = record_csa_kind(even_ranks[rank - 1] + 2 * column);

            if (kind == SHOGI_KINDS)
                continue;
            *man_at(csa, SHOGI_FILES - column, rank) = (struct rules_man){2, (uint8_t)kind};
            *man_at(csa, column + 1, SHOGI_RANKS + 1 - rank) = (struct rules_man){1, (uint8_t)kind};
        }
}

/* PI82HI22KA: the even start without these pieces. */
static bool read_removals(struct csa *csa, const char *at)
{
    set_up_csa(csa);
    while (*at != '\0') {
        unsigned file, rank;

        if (!record_csa_is_place(at) || record_csa_kind(at + 2) == SHOGI_KINDS || at[0] == '0' ||
            at[1] == '0')
            return record_bad(csa->reading, at, "A square and a piece, such as 82HI, is expected.");
        file = (unsigned)(at[0] - '0');
        rank = (unsigned)(at[1] - '0');
        *man_at(csa, file, rank) = (struct rules_man){0, 0};
        at += 4;
    }
    return true;
}

/* P1-KY-KE * ...: a piece or a star for each square. Real files squeeze the blanks beside a star,
 * or leave out the last squares if they are empty. */
static bool read_rank(struct csa *csa, unsigned rank, const char *at)
{
    csa->has_board = true;
    for (unsigned file = SHOGI_FILES; file >= 1; file--) {
        unsigned kind;

        at += strspn(at, " ");
        if (*at == '\0')
            return true;
        if (*at == '*') {
            at++;
            continue;
        }
        kind = *at == '+' || *at == '-' ? record_csa_kind(at + 1) : SHOGI_KINDS;
        if (kind == SHOGI_KINDS)
            return record_bad(csa->reading, at, "A piece such as -KY, or *, is expected.");
        *man_at(csa, file, rank) = (struct rules_man){*at == '+' ? 1 : 2, (uint8_t)kind};
        at += 3;
    }
    at += strspn(at, " ");
    return *at == '\0' || record_bad(csa->reading, at, "A rank has nine squares.");
}

/* How many men of a kind are neither on the board nor in a hand. */
static unsigned men_left(const struct csa *csa, unsigned kind)
{
    static const unsigned all[] = {
        [PAWN] = 18, [LANCE] = 4, [KNIGHT] = 4, [SILVER] = 4, [BISHOP] = 2, [ROOK] = 2, [GOLD] = 4};
    unsigned n = csa->board.hand[0][kind] + csa->board.hand[1][kind];

    for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++)
        for (unsigned file = 1; file <= SHOGI_FILES; file++) {
            struct rules_man man = csa->board.man[rank][file];

            n += man.seat != 0 && (unsigned)man.kind % PROMOTED == kind;
        }
    return n > all[kind] ? 0 : all[kind] - n;
}

static bool put_man(struct csa *csa, unsigned seat, const char *at)
{
    unsigned file = (unsigned)(at[0] - '0'), rank = (unsigned)(at[1] - '0');
    unsigned kind = record_csa_kind(at + 2);

    if (file == 0 && rank == 0 && strncmp(at + 2, "AL", 2) == 0) {
        for (unsigned each = PAWN; each < KING; each++)
            csa->board.hand[seat - 1][each] += men_left(csa, each);
        return true;
    }
    if (kind == SHOGI_KINDS || (file == 0) != (rank == 0) || (file == 0 && kind >= KING))
        return record_bad(csa->reading, at, "A square and a piece, such as 63FU, is expected.");
    if (file != 0)
        *man_at(csa, file, rank) = (struct rules_man){(uint8_t)seat, (uint8_t)kind};
    else if (++csa->board.hand[seat - 1][kind] > HAND_MAX)
        return record_bad(csa->reading, at, "There are more pieces in hand than in the game.");
    return true;
}

/* P+63FU00KI00AL: 00 is the hand, and AL is everything that is left. */
static bool read_men(struct csa *csa, unsigned seat, const char *at)
{
    csa->has_board = true;
    for (at += strspn(at, " "); *at != '\0'; at += 4 + strspn(at + 4, " ")) {
        if (!record_csa_is_place(at) || strlen(at) < 4)
            return record_bad(csa->reading, at, "A square and a piece, such as 63FU, is expected.");
        if (!put_man(csa, seat, at))
            return false;
    }
    return true;
}

static bool read_board(struct csa *csa, const char *line)
{
    if (record_started(csa->reading))
        return record_bad(csa->reading, line, "The board comes before the moves.");
    if (line[1] == 'I')
        return read_removals(csa, line + 2);
    if (line[1] >= '1' && line[1] <= '9')
        return read_rank(csa, (unsigned)(line[1] - '0'), line + 2);
    if (line[1] == '+' || line[1] == '-')
        return read_men(csa, line[1] == '+' ? 1 : 2, line + 2);
    return record_bad(csa->reading, line,
                      "A line of the board begins with PI, P1 to P9, P+ or P-.");
}

static bool start_csa(struct csa *csa)
{
    struct record_reading *reading = csa->reading;

    if (record_started(reading))
        return true;
    if (!csa->has_board)
        return record_start(reading, NULL);
    if (reading->number > 0)
        csa->board.number = reading->number;
    return record_start_sfen(reading, record_board_sfen(reading->arena, &csa->board));
}

/* ---- moves ---- */

static bool read_csa_move(struct csa *csa, const char *line)
{
    struct record_reading *reading = csa->reading;
    struct record_shogi_move move;
    const char *wrong;

    if (!start_csa(csa))
        return false;
    wrong = record_csa_move(reading->state, line + 1, &move);
    if (wrong != NULL)
        return record_bad(reading, line, wrong);
    if (reading->ending.word != NULL)
        return record_bad(reading, line, "This move comes after the end.");
    if (!reading->refused && (line[0] == '+' ? 1U : 2U) != reading->here->to_move)
        return record_bad(reading, line, "It is the other side's turn.");
    return record_shogi_play(reading, &move, line, line);
}

static bool read_spent(struct csa *csa, const char *line)
{
    const char *at = line + 1;
    int64_t us = 0, scale = RECORD_SECOND_US;

    if (*at < '0' || *at > '9')
        return record_bad(csa->reading, at, "A time is written as T12 or T12.345.");
    for (; *at >= '0' && *at <= '9' && us < (int64_t)RECORD_SECOND_US * 100000000; at++)
        us = us * 10 + (*at - '0') * (int64_t)RECORD_SECOND_US;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++) {
            scale /= 10;
            us += (*at - '0') * scale;
        }
    record_set_spent(csa->reading, us);
    return *at == '\0' || record_bad(csa->reading, at, "A time is written as T12 or T12.345.");
}

static bool is_csa_word(const char *text)
{
    return *text != '\0' && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(text);
}

static bool read_csa_end(struct csa *csa, const char *line)
{
    const struct record_word *word = record_find_word(record_csa_words, line + 1, strlen(line + 1));

    if (word == NULL && !is_csa_word(line + 1))
        return record_bad(csa->reading, line, "That is not a word for the end of a game.");
    if (word == NULL)
        word = &record_unknown_word;
    return start_csa(csa) && record_set_word(csa->reading, word, line);
}

/* + or - alone says who moves first. */
static bool read_side_or_move(struct csa *csa, const char *line)
{
    if (line[1] != '\0')
        return read_csa_move(csa, line);
    if (record_started(csa->reading))
        return record_bad(csa->reading, line,
                          "The line that says who moves first comes before the moves.");
    csa->board.side = line[0] == '+' ? 1 : 2;
    if (!csa->has_board)
        set_up_csa(csa);
    return start_csa(csa);
}

/* ---- lines ---- */

static bool read_csa_header(struct csa *csa, char *line)
{
    struct record_reading *reading = csa->reading;
    char *colon = strchr(line, ':');
    const char *value;
    int64_t us;

    if (colon == NULL)
        return record_bad(reading, line, "A header is written as $KEY:value.");
    *colon = '\0';
    value = record_one_line(reading->arena, colon + 1); /* as it is written again */
    if (value == NULL)
        value = "";
    if (strcmp(line, "START_TIME") == 0 && record_read_time(value, &us))
        record_set_started(reading, us, value);
    else if (strcmp(line, "END_TIME") == 0 && record_read_time(value, &us))
        record_set_ended(reading, us, value);
    else if (strcmp(line, "TIME") == 0 && record_is_csa_time(value))
        return record_add_header(reading, "time_limit", value);
    else
        return record_add_header(reading, record_header_key(RECORD_COLUMN_CSA, line), value);
    return true;
}

/* Reads a judgement such as '** 30 +7776FU: the position is worth 30 to Sente, and the moves behind
 * it are expected. */
static void read_valuation(struct record_reading *reading, const char *comment)
{
    char *end;
    long value;

    if (comment[0] != '*')
        return;
    value = strtol(comment + 1, &end, 10);
    if (end != comment + 1 && (*end == '\0' || *end == ' ') && value > -VALUE_MAX &&
        value < VALUE_MAX)
        record_set_value(reading, (int32_t)value);
}

/* Reads the notes of Floodgate's server: 'rating:... before the moves, '$END_TIME:... and
 * 'summary:... behind them. Other notes are ignored. */
static bool read_csa_note(struct csa *csa, char *line)
{
    char *colon = strchr(line, ':');
    const char *key;

    if (colon == NULL || strlen(colon + 1) > RECORD_NAME_MAX)
        return true;
    key = arena_copy(csa->reading->arena, line + 1, (size_t)(colon - line - 1));
    if (!record_csa_is_remark(key) && strcmp(key, "$END_TIME") != 0)
        return true;
    return read_csa_header(csa, line + 1 + (*key == '$'));
}

static bool read_comment(struct csa *csa, char *line)
{
    struct record_reading *reading = csa->reading;

    if (strncmp(line, "'plyd ", 6) == 0 && !record_started(reading))
        return record_take_facts(reading, line + 6);
    if (line[1] == '$' && strchr(line, ':') != NULL && !record_started(reading))
        return read_csa_header(csa, line + 2);
    if (line[1] != '*')
        return read_csa_note(csa, line);
    record_add_comment(reading, line + 2);
    read_valuation(reading, line + 2);
    return true;
}

static bool read_statement(struct csa *csa, char *line)
{
    switch (line[0]) {
    case '\0':
    case 'V':
        return true;
    case '\'':
        return read_comment(csa, line);
    case '$':
        return read_csa_header(csa, line + 1);
    case 'N':
        if (line[1] != '+' && line[1] != '-')
            break;
        return record_set_name(csa->reading, line[1] == '+' ? 1 : 2, line + 2);
    case 'P':
        return read_board(csa, line);
    case '+':
    case '-':
        return read_side_or_move(csa, line);
    case 'T':
        return read_spent(csa, line);
    case '%':
        return read_csa_end(csa, line);
    default:
        break;
    }
    return record_bad(csa->reading, line, "This is not a statement of CSA.");
}

static void cut_blanks(char *line)
{
    size_t len = strlen(line);

    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
        line[--len] = '\0';
}

/* Statements may share a line, separated by commas. Comments, headers and names go to the end of
 * the line. */
static bool read_csa_line(struct csa *csa, char *line)
{
    char *save = NULL;

    if (line[0] == '\0' || strchr("'$N", line[0]) != NULL)
        return read_statement(csa, line);
    for (char *part = strtok_r(line, ",", &save); part != NULL; part = strtok_r(NULL, ",", &save)) {
        cut_blanks(part);
        if (!read_statement(csa, part))
            return false;
    }
    return true;
}

bool record_read_csa(struct record_reading *reading)
{
    struct csa csa = {.reading = reading, .board = {.side = 1, .number = 1}};
    char *line;

    while ((line = record_next_line(reading)) != NULL) {
        if (strcmp(line, "/") == 0) {
            csa.done = true;
            reading->record->other_games++;
        } else if (!csa.done && !read_csa_line(&csa, line)) {
            return false;
        }
    }
    return start_csa(&csa);
}
