/* record_jkf.c - JKF, a game of shogi as JSON after KIF and CSA, written. */
#include <string.h>

#include "record_kanji.h"
#include "rules/shogi/moves.h"

enum { SECOND_US = 1000000 };

static const unsigned hand_kinds[] = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK};
enum { HAND_KINDS = sizeof(hand_kinds) / sizeof(hand_kinds[0]) };

/* Objects have each name once: of equal headers the first is written. */
static bool is_new_header(const struct record *record, size_t i)
{
    static const char *const own[] = {"先手",     "後手",     "下手", "上手",
                                      "開始日時", "終了日時", "plyd"};
    const char *name = record_header_name(RECORD_COLUMN_KIF, record->headers[i].key);

    for (size_t j = 0; j < sizeof(own) / sizeof(own[0]); j++)
        if (strcmp(name, own[j]) == 0)
            return false;
    for (size_t j = 0; j < i; j++)
        if (strcmp(record_header_name(RECORD_COLUMN_KIF, record->headers[j].key), name) == 0)
            return false;
    return true;
}

static void write_header(struct record_writing *writing, const struct record_outcome *said)
{
    const struct record *record = writing->record;
    const char *facts = record_facts(writing, said);
    struct json *out = writing->out;

    json_key(out, "header");
    json_open(out, '{');
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        const char *name = record_one_line(writing->arena, record->name[seat - 1]);

        if (name != NULL)
            json_member(out, record_kanji_side(record, seat), name);
    }
    if (record->started_at != RECORD_NO_TIME)
        json_member(out, "開始日時", record_time_text(writing->arena, record->started_at, '/'));
    if (record->ended_at != RECORD_NO_TIME)
        json_member(out, "終了日時", record_time_text(writing->arena, record->ended_at, '/'));
    for (size_t i = 0; i < record->nheaders; i++)
        if (is_new_header(record, i))
            json_member(out, record_header_name(RECORD_COLUMN_KIF, record->headers[i].key),
                        record->headers[i].value);
    if (facts != NULL)
        json_member(out, "plyd", facts);
    json_close(out, '}');
}

static void write_squares(struct json *out, const struct record_board *board)
{
    json_key(out, "board");
    json_open(out, '[');
    for (unsigned file = 1; file <= SHOGI_FILES; file++) {
        json_open(out, '[');
        for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++) {
            struct rules_man man = board->man[rank][file];

            json_open(out, '{');
            if (man.seat != 0) {
                json_member_int(out, "color", man.seat - 1);
                json_member(out, "kind", record_csa_code(man.kind));
            }
            json_close(out, '}');
        }
        json_close(out, ']');
    }
    json_close(out, ']');
}

static void write_data(struct json *out, const struct rules_state *state)
{
    struct record_board board;

    record_board_of(state, &board);
    json_key(out, "data");
    json_open(out, '{');
    json_member_int(out, "color", board.side - 1);
    write_squares(out, &board);
    json_key(out, "hands");
    json_open(out, '[');
    for (unsigned seat = 0; seat < RULES_SEATS; seat++) {
        json_open(out, '{');
        for (size_t i = 0; i < HAND_KINDS; i++)
            json_member_int(out, record_csa_code(hand_kinds[i]), board.hand[seat][hand_kinds[i]]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void write_initial(struct record_writing *writing, const struct rules_state *state)
{
    const struct record_handicap *handicap = record_handicap(writing->record);

    json_key(writing->out, "initial");
    json_open(writing->out, '{');
    json_member(writing->out, "preset", handicap == NULL ? "OTHER" : handicap->jkf);
    if (handicap == NULL)
        write_data(writing->out, state);
    json_close(writing->out, '}');
}

static void write_comments(struct record_writing *writing, const char *comment)
{
    const char *line;

    if (comment == NULL)
        return;
    json_key(writing->out, "comments");
    json_open(writing->out, '[');
    while ((line = record_text_line(writing->arena, &comment)) != NULL)
        json_string(writing->out, line);
    json_close(writing->out, ']');
}

static void write_time(struct json *out, int64_t spent_us, int64_t *total)
{
    int64_t s = spent_us / SECOND_US;

    if (spent_us < 0)
        return;
    *total += s;
    json_key(out, "time");
    json_open(out, '{');
    json_key(out, "now");
    json_open(out, '{');
    if (s >= 3600)
        json_member_int(out, "h", s / 3600);
    json_member_int(out, "m", s / 60 % 60);
    json_member_int(out, "s", s % 60);
    json_close(out, '}');
    json_key(out, "total");
    json_open(out, '{');
    json_member_int(out, "h", *total / 3600);
    json_member_int(out, "m", *total / 60 % 60);
    json_member_int(out, "s", *total % 60);
    json_close(out, '}');
    json_close(out, '}');
}

static void write_square(struct json *out, const char *key, struct record_square square)
{
    json_key(out, key);
    json_open(out, '{');
    json_member_int(out, "x", square.file);
    json_member_int(out, "y", square.rank);
    json_close(out, '}');
}

static bool may_promote(const struct rules_state *state, const struct record_shogi_move *move)
{
    return move->from.file != 0 &&
           (shogi_endings(shogi_of(state), record_man_on(state, move->from),
                          square_on(move->from.file - 1, move->from.rank - 1),
                          square_on(move->to.file - 1, move->to.rank - 1)) &
            MAY_PROMOTE);
}

static void write_move(struct record_writing *writing, const struct rules_state *state,
                       const char *usi)
{
    struct record_shogi_move move = record_shogi_move(state, usi);
    struct json *out = writing->out;

    json_key(out, "move");
    json_open(out, '{');
    json_member_int(out, "color", writing->record->game->to_move(state) - 1);
    json_member(out, "piece", record_csa_code(move.kind));
    write_square(out, "to", move.to);
    if (move.from.file != 0)
        write_square(out, "from", move.from);
    if (may_promote(state, &move))
        json_member_bool(out, "promote", move.promotes);
    if (move.captured.seat != 0)
        json_member(out, "capture", record_csa_code(move.captured.kind));
    json_close(out, '}');
}

static void write_moves(struct record_writing *writing, struct record_walk *walk, const char *word)
{
    const struct record *record = writing->record;
    const struct record_move *move;
    int64_t total[2] = {0, 0};

    json_key(writing->out, "moves");
    json_open(writing->out, '[');
    json_open(writing->out, '{');
    write_comments(writing, record->comment);
    json_close(writing->out, '}');
    while (record_walk_next(walk, writing, &move)) {
        json_open(writing->out, '{');
        write_comments(writing, move->comment);
        write_time(writing->out, move->spent_us, &total[walk->played % 2]);
        write_move(writing, walk->state, move->text);
        json_close(writing->out, '}');
    }
    json_open(writing->out, '{');
    write_time(writing->out, record->end_spent_us, &total[(record->nmoves + 1) % 2]);
    json_member(writing->out, "special", word);
    json_close(writing->out, '}');
    json_close(writing->out, ']');
}

bool record_write_jkf(struct record_writing *writing)
{
    struct record_outcome said;
    const char *word = record_choose_word(writing, record_csa_words, &said);
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    json_open(writing->out, '{');
    write_header(writing, &said);
    write_initial(writing, walk.state);
    write_moves(writing, &walk, word);
    json_finish(writing->out);
    return writing->error->code == NULL;
}
