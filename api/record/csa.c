/* csa.c - CSA 2.2 and 3.0, written; csa_read.c reads both. */
#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/headers.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/record/shogi.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/rules.h"
#include "rules/shogi/board.h"

static bool is_v3(const struct record_writing *writing)
{
    return strcmp(writing->format->name, "csa3") == 0;
}

/* ---- headers ---- */

static bool is_plain_key(const char *key)
{
    return key[strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-")] == '\0';
}

static const char *header_mark(const char *key)
{
    return is_plain_key(key) ? "$" : record_csa_is_remark(key) ? "'" : "'$";
}

/* A key that CSA does not allow is written in a comment, so that other programs ignore it. A key
 * with a colon is left out: what stands before the colon would be read as the key. */
static void write_csa_header(struct record_writing *writing, const char *key, const char *value)
{
    key = record_one_line(writing->arena, key);
    value = record_one_line(writing->arena, value);
    if (key != NULL && value != NULL && strchr(key, ':') == NULL)
        out_format(writing->out, "%s%s:%s\n", header_mark(key), key, value);
}

/* CSA 3.0 has a header of its own for the times that it can tell. */
static const char *header_name(const struct record_writing *writing,
                               const struct record_header *header)
{
    if (is_v3(writing) && strcmp(header->key, "time_limit") == 0 &&
        record_is_csa_time(header->value))
        return "TIME";
    return record_header_name(RECORD_COLUMN_CSA, header->key);
}

static void write_csa_player(struct record_writing *writing, unsigned seat)
{
    const char *name = record_one_line(writing->arena, record_player(writing->record, seat));

    if (name != NULL)
        out_format(writing->out, "N%c%s\n", seat == 1 ? '+' : '-', name);
}

static void write_csa_time(struct record_writing *writing, enum record_slot slot, const char *text)
{
    write_csa_header(writing, slot == RECORD_SLOT_STARTED ? "START_TIME" : "END_TIME", text);
}

bool record_csa_holds_header(const struct record *record, size_t i)
{
    return strchr(record->headers[i].key, ':') == NULL;
}

static void write_csa_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];

    write_csa_header(writing, header_name(writing, header), header->value);
}

static const struct record_order usual_order = {
    .before = {RECORD_SLOT_FIRST, RECORD_SLOT_SECOND, RECORD_SLOTS},
    .after = {RECORD_SLOT_STARTED, RECORD_SLOT_ENDED, RECORD_SLOTS},
    .player = write_csa_player,
    .date = '/',
    .time = write_csa_time,
    .header = write_csa_other,
};

static void write_headers(struct record_writing *writing, const struct record_outcome *said)
{
    const char *facts = record_facts(writing->arena, writing->record, said);

    record_write_headers(writing, &usual_order);
    if (facts != NULL)
        out_format(writing->out, "'plyd %s\n", facts);
}

/* ---- the board ---- */

static void write_men(struct record_writing *writing, const struct record_board *board)
{
    for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++) {
        out_format(writing->out, "P%u", rank);
        for (unsigned file = SHOGI_FILES; file >= 1; file--) {
            struct rules_man man = board->man[rank][file];

            if (man.seat == 0)
                out_add(writing->out, " * ");
            else
                out_format(writing->out, "%c%s", man.seat == 1 ? '+' : '-',
                           record_csa_code(man.kind));
        }
        out_add(writing->out, "\n");
    }
}

static void write_csa_hands(struct record_writing *writing, const struct record_board *board)
{
    static const unsigned order[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};

    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        bool begun = false;

        for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
            for (unsigned n = board->hand[seat - 1][order[i]]; n > 0; n--) {
                if (!begun)
                    out_format(writing->out, "P%c", seat == 1 ? '+' : '-');
                begun = true;
                out_format(writing->out, "00%s", record_csa_code(order[i]));
            }
        if (begun)
            out_add(writing->out, "\n");
    }
}

static void write_csa_board(struct record_writing *writing, const struct rules_state *state)
{
    struct record_board board;
    const struct record_handicap *handicap = record_handicap(writing->record);

    record_board_of(state, &board);
    if (handicap != NULL && !record_is_handicap(writing->record)) {
        out_add(writing->out, "PI\n");
    } else {
        write_men(writing, &board);
        write_csa_hands(writing, &board);
    }
    out_add(writing->out, board.side == 1 ? "+\n" : "-\n");
}

/* ---- moves ---- */

static void write_spent(struct record_writing *writing, int64_t spent_us)
{
    int64_t ms = spent_us / 1000 % 1000;

    if (spent_us < 0)
        return;
    out_format(writing->out, "T%lld", (long long)(spent_us / RECORD_SECOND_US));
    if (is_v3(writing) && ms != 0)
        out_format(writing->out, ".%03lld", (long long)ms);
    out_add(writing->out, "\n");
}

static void write_csa_comment(struct record_writing *writing, const char *comment)
{
    const char *line;

    while ((line = record_text_line(writing->arena, &comment)) != NULL)
        out_format(writing->out, "'*%s\n", line);
}

static void write_csa_move(struct record_writing *writing, const struct record_walk *walk,
                           const char *usi)
{
    struct record_shogi_move move = record_shogi_move(walk->state, usi);

    out_format(writing->out, "%c%u%u%u%u%s\n",
               walk->record->game->to_move(walk->state) == 1 ? '+' : '-', move.from.file,
               move.from.rank, move.to.file, move.to.rank,
               record_csa_code(move.kind + (move.promotes ? PROMOTED : 0)));
}

/* The limit of moves has a word of its own only since 3.0. Before that it was JISHOGI. */
static const char *end_word(struct record_writing *writing, struct record_outcome *said)
{
    const struct record_outcome *outcome = &writing->record->ending.outcome;
    const char *word = record_end_word(writing, &writing->record->ending, record_csa_words,
                                       record_last_mover(writing->record), said);

    if (word == NULL || outcome->end != RECORD_BY_RULES ||
        outcome->reason != RULES_REASON_MAX_PLIES || is_v3(writing))
        return word;
    *said = (struct record_outcome){.end = RECORD_AGREED};
    return "JISHOGI";
}

/* The foul that ended the game. False: there was none, or it is not known what was played. */
static bool write_foul(struct record_writing *writing, const struct record_walk *walk)
{
    const struct record_ending *ending = &writing->record->ending;

    if (ending->foul != NULL && record_is_own(writing))
        out_format(writing->out, "%s\n", ending->foul);
    else if (ending->foul_move != NULL && record_is_foul(walk->state, ending->foul_move))
        write_csa_move(writing, walk, ending->foul_move);
    else
        return false;
    return true;
}

static void write_csa_end(struct record_writing *writing, const struct record_walk *walk,
                          const char *word)
{
    const struct record_ending *ending = &writing->record->ending;
    bool foul = write_foul(writing, walk);

    if (foul)
        write_spent(writing, ending->spent_us);
    if (word != NULL)
        out_format(writing->out, "%%%s\n", word);
    if (word != NULL && !foul)
        write_spent(writing, ending->spent_us);
    write_csa_comment(writing, ending->comment);
}

bool record_write_csa(struct record_writing *writing)
{
    const struct record *record = writing->record;
    const struct record_move *move;
    struct record_outcome said;
    const char *end = end_word(writing, &said);
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    out_add(writing->out, is_v3(writing) ? "'CSA encoding=UTF-8\nV3.0\n" : "V2.2\n");
    write_headers(writing, &said);
    write_csa_board(writing, walk.state);
    write_csa_comment(writing, record->comment);
    while (record_walk_next(&walk, &move)) {
        write_csa_move(writing, &walk, move->text);
        write_spent(writing, move->spent_us);
        write_csa_comment(writing, move->comment);
    }
    write_csa_end(writing, &walk, end);
    return writing->error->code == PROBLEM_NONE;
}
