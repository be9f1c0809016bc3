/* jkf.c - JKF, a game of shogi as JSON after KIF and CSA, written. */
#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/headers.h"
#include "api/record/kif_ki2.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/record/shogi.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "rules/rules.h"
#include "rules/shogi/board.h"
#include "rules/shogi/moves.h"
#include "rules/shogi/text.h"

static const unsigned hand_kinds[] = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK};
enum { HAND_KINDS = sizeof(hand_kinds) / sizeof(hand_kinds[0]) };

/* An object has each name once. So the first of equal headers is written, and none that has the
 * name of a member of ours. A time that we cannot read is a header. */
bool record_jkf_holds_header(const struct record *record, size_t i)
{
    static const char *const own[] = {"先手", "後手", "下手", "上手", "plyd", "手合割"};
    const char *name = record_header_name(RECORD_COLUMN_KIF, record->headers[i].key);

    for (size_t j = 0; j < sizeof(own) / sizeof(own[0]); j++)
        if (strcmp(name, own[j]) == 0)
            return false;
    if ((strcmp(name, "開始日時") == 0 && record->started_at != RECORD_NO_TIME) ||
        (strcmp(name, "終了日時") == 0 && record->ended_at != RECORD_NO_TIME))
        return false;
    for (size_t j = 0; j < i; j++)
        if (strcmp(record_header_name(RECORD_COLUMN_KIF, record->headers[j].key), name) == 0)
            return false;
    return true;
}

static void write_jkf_player(struct record_writing *writing, unsigned seat)
{
    const char *name = record_one_line(writing->arena, record_player(writing->record, seat)),
               *side = record_kif_ki2_side_as_read(writing, seat);

    if (name != NULL)
        json_member(writing->json, side != NULL ? side : record_kif_ki2_side(writing->record, seat),
                    name);
}

static void write_moment(struct record_writing *writing, enum record_slot slot, const char *text)
{
    json_member(writing->json, slot == RECORD_SLOT_STARTED ? "開始日時" : "終了日時", text);
}

/* The start stands in "initial". Some programs have it among the headers, too. */
static void write_jkf_start(struct record_writing *writing, enum record_slot slot)
{
    const char *handicap = record_handicap_name(writing);

    if (slot == RECORD_SLOT_START && handicap != NULL)
        json_member(writing->json, "手合割", handicap);
}

static void write_jkf_other(struct record_writing *writing, size_t i)
{
    const struct record_header *header = &writing->record->headers[i];

    if (record_jkf_holds_header(writing->record, i))
        json_member(writing->json, record_header_name(RECORD_COLUMN_KIF, header->key),
                    header->value);
}

static void write_jkf_header(struct record_writing *writing, const struct record_outcome *said)
{
    static const struct record_order usual_order = {
        .before = {RECORD_SLOT_FIRST, RECORD_SLOT_SECOND, RECORD_SLOT_STARTED, RECORD_SLOT_ENDED,
                   RECORD_SLOTS},
        .after = {RECORD_SLOTS},
        .player = write_jkf_player,
        .date = '/',
        .time = write_moment,
        .other = write_jkf_start,
        .header = write_jkf_other,
    };
    const char *facts = record_facts(writing->arena, writing->record, said);
    struct json *json = writing->json;

    json_key(json, "header");
    json_open(json, '{');
    record_write_headers(writing, &usual_order);
    if (facts != NULL)
        json_member(json, "plyd", facts);
    json_close(json, '}');
}

static void write_squares(struct json *json, const struct record_board *board)
{
    json_key(json, "board");
    json_open(json, '[');
    for (unsigned file = 1; file <= SHOGI_FILES; file++) {
        json_open(json, '[');
        for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++) {
            struct rules_man man = board->man[rank][file];

            json_open(json, '{');
            if (man.seat != 0) {
                json_member_int(json, "color", man.seat - 1);
                json_member(json, "kind", record_csa_code(man.kind));
            }
            json_close(json, '}');
        }
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void write_data(struct json *json, const struct rules_state *state)
{
    struct record_board board;

    record_board_of(state, &board);
    json_key(json, "data");
    json_open(json, '{');
    json_member_int(json, "color", board.side - 1);
    write_squares(json, &board);
    json_key(json, "hands");
    json_open(json, '[');
    for (unsigned seat = 0; seat < RULES_SEATS; seat++) {
        json_open(json, '{');
        for (size_t i = 0; i < HAND_KINDS; i++)
            json_member_int(json, record_csa_code(hand_kinds[i]), board.hand[seat][hand_kinds[i]]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void write_initial(struct record_writing *writing, const struct rules_state *state)
{
    const struct record_handicap *handicap = record_common_handicap(writing->record);

    json_key(writing->json, "initial");
    json_open(writing->json, '{');
    json_member(writing->json, "preset", handicap == NULL ? "OTHER" : handicap->jkf);
    if (handicap == NULL)
        write_data(writing->json, state);
    json_close(writing->json, '}');
}

static void write_comments(struct record_writing *writing, const char *comment)
{
    const char *line;

    if (comment == NULL)
        return;
    json_key(writing->json, "comments");
    json_open(writing->json, '[');
    while ((line = record_text_line(writing->arena, &comment)) != NULL)
        json_string(writing->json, line);
    json_close(writing->json, ']');
}

static void write_jkf_time(struct json *json, int64_t spent_us, int64_t total)
{
    int64_t s = spent_us / RECORD_SECOND_US;

    if (spent_us < 0)
        return;
    json_key(json, "time");
    json_open(json, '{');
    json_key(json, "now");
    json_open(json, '{');
    if (s >= 3600)
        json_member_int(json, "h", s / 3600);
    json_member_int(json, "m", s / 60 % 60);
    json_member_int(json, "s", s % 60);
    json_close(json, '}');
    json_key(json, "total");
    json_open(json, '{');
    json_member_int(json, "h", total / 3600);
    json_member_int(json, "m", total / 60 % 60);
    json_member_int(json, "s", total % 60);
    json_close(json, '}');
    json_close(json, '}');
}

static void write_square(struct json *json, const char *key, struct record_square square)
{
    json_key(json, key);
    json_open(json, '{');
    json_member_int(json, "x", square.file);
    json_member_int(json, "y", square.rank);
    json_close(json, '}');
}

/* A foul promotes where nothing may, and comes from any square. */
static bool may_promote(const struct rules_state *state, const struct record_shogi_move *move)
{
    if (move->from.file == 0 || record_man_on(state, move->from).seat == 0)
        return move->promotes;
    return move->promotes || (shogi_endings(shogi_of(state), record_man_on(state, move->from),
                                            square_on(move->from.file - 1, move->from.rank - 1),
                                            square_on(move->to.file - 1, move->to.rank - 1)) &
                              MAY_PROMOTE);
}

static void write_jkf_move(struct record_writing *writing, const struct rules_state *state,
                           const char *usi)
{
    struct record_shogi_move move = record_shogi_move(state, usi);
    struct json *json = writing->json;

    json_key(json, "move");
    json_open(json, '{');
    json_member_int(json, "color", writing->record->game->to_move(state) - 1);
    json_member(json, "piece", record_csa_code(move.kind));
    write_square(json, "to", move.to);
    if (move.from.file != 0)
        write_square(json, "from", move.from);
    if (may_promote(state, &move))
        json_member_bool(json, "promote", move.promotes);
    if (move.captured.seat != 0)
        json_member(json, "capture", record_csa_code(move.captured.kind));
    json_close(json, '}');
}

static void write_jkf_line(struct record_writing *writing, struct record_walk *walk);

/* The variations that begin in the place of this element. */
static void write_forks(struct record_writing *writing, struct record_walk *walk)
{
    struct json *json = writing->json;
    bool open = false;

    while (record_walk_enter(walk)) {
        if (!open) {
            json_key(json, "forks");
            json_open(json, '[');
            open = true;
        }
        json_open(json, '[');
        write_jkf_line(writing, walk);
        json_close(json, ']');
        record_walk_leave(walk);
    }
    if (open)
        json_close(json, ']');
}

/* The last move that broke the rules, in USI; NULL: there is none. A log from elsewhere may have
 * any text in its place. */
static const char *foul_of(const struct record_writing *writing, const struct record_walk *walk)
{
    const struct record_ending *ending = record_walk_ending(walk);

    if (ending->foul != NULL && record_is_own(writing))
        return record_is_usi(ending->foul) ? ending->foul : NULL;
    return ending->foul_move != NULL && record_is_foul(walk->state, ending->foul_move)
               ? ending->foul_move
               : NULL;
}

static void write_end_time(struct record_writing *writing, const struct record_walk *walk)
{
    int64_t spent = record_walk_ending(walk)->spent_us;
    size_t ply = record_walk_ply(walk) + 1;

    write_jkf_time(writing->json, spent,
                   walk->at.seconds[ply % RULES_SEATS] + spent / RECORD_SECOND_US);
}

static void write_foul(struct record_writing *writing, const struct record_walk *walk,
                       const char *foul)
{
    json_open(writing->json, '{');
    write_end_time(writing, walk);
    write_jkf_move(writing, walk->state, foul);
    json_close(writing->json, '}');
}

/* What is told of the end of the line. */
static void write_special(struct record_writing *writing, const struct record_walk *walk,
                          bool timed)
{
    const struct record_ending *ending = record_walk_ending(walk);
    unsigned to_move = writing->record->game->to_move(walk->state);
    struct record_outcome said;
    const char *word = record_end_word(writing, ending, record_csa_words, to_move, &said);

    if (word != NULL && timed)
        write_end_time(writing, walk);
    if (word != NULL)
        json_member(writing->json, "special", word);
    write_comments(writing, ending->comment);
}

/* The element behind the last move, with its variations. There is none if it would be empty. */
static void write_jkf_end(struct record_writing *writing, struct record_walk *walk)
{
    const char *foul = foul_of(writing, walk);
    struct json *json = writing->json;
    size_t begin;
    bool comma;

    if (foul != NULL)
        write_foul(writing, walk, foul);
    begin = json->out.len;
    comma = json->comma;
    json_open(json, '{');
    write_special(writing, walk, foul == NULL);
    write_forks(writing, walk);
    if (!json->comma) {
        out_cut(&json->out, begin);
        json->comma = comma;
        return;
    }
    json_close(json, '}');
}

static void write_jkf_line(struct record_writing *writing, struct record_walk *walk)
{
    const struct record_move *move;

    while (record_walk_next(walk, &move)) {
        json_open(writing->json, '{');
        write_comments(writing, move->comment);
        write_jkf_time(writing->json, move->spent_us,
                       walk->at.seconds[record_walk_ply(walk) % RULES_SEATS]);
        write_jkf_move(writing, walk->state, move->text);
        write_forks(writing, walk);
        json_close(writing->json, '}');
    }
    write_jkf_end(writing, walk);
}

static void write_jkf_moves(struct record_writing *writing, struct record_walk *walk)
{
    json_key(writing->json, "moves");
    json_open(writing->json, '[');
    json_open(writing->json, '{');
    write_comments(writing, writing->record->comment);
    json_close(writing->json, '}');
    write_jkf_line(writing, walk);
    json_close(writing->json, ']');
}

bool record_write_jkf(struct record_writing *writing)
{
    struct record_outcome said;
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    json_open(writing->json, '{');
    record_end_word(writing, &writing->record->ending, record_csa_words,
                    record_last_mover(writing->record), &said);
    write_jkf_header(writing, &said);
    write_initial(writing, walk.state);
    write_jkf_moves(writing, &walk);
    json_finish(writing->json);
    return writing->error->code == PROBLEM_NONE;
}
