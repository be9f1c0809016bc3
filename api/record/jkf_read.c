/* jkf_read.c - JKF, read. Unknown members are ignored. */
#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/kif_ki2.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/shogi.h"
#include "api/record/times.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "rules/rules.h"
#include "rules/shogi/board.h"

enum { HAND_MAX = 18, TIME_MAX = 1000000, COMMENTS_MAX = 1024 };

struct jkf {
    struct record_reading *reading;
    struct json_error error;
    struct record_square last;
};

/* Players keep what they are called, which some programs do not choose by the start. */
static bool read_jkf_header(struct record_reading *reading, const char *key, const char *value)
{
    const char *what = key;
    unsigned seat = record_kif_ki2_seat(&what);

    if (seat != 0 && *what == '\0')
        record_note(reading, seat == 1 ? RECORD_SLOT_FIRST : RECORD_SLOT_SECOND, key);
    if (strcmp(key, "plyd") == 0)
        return record_take_facts(reading, value);
    if (strcmp(key, "手合割") != 0)
        return record_kif_ki2_header(reading, key, value);
    record_note(reading, RECORD_SLOT_START, value);
    return true;
}

static bool read_headers(struct jkf *jkf, struct json_fields *file)
{
    struct json_fields header;
    const char *key, *value;

    if (!json_take_object(file, "header", &header))
        return jkf->error.code == PROBLEM_NONE || record_bad_json(jkf->reading, &jkf->error);
    for (size_t i = 0; json_each_scalar(&header, i, &key, &value); i++)
        if (value != NULL ? !read_jkf_header(jkf->reading, key, value)
                          : !record_bad(jkf->reading, NULL, "A header is a text."))
            return false;
    return jkf->error.code == PROBLEM_NONE || record_bad_json(jkf->reading, &jkf->error);
}

static bool read_man(struct json_fields *column, const struct json_value *array, unsigned rank,
                     struct rules_man *man)
{
    struct json_fields cell;
    const char *kind;
    int64_t color;

    if (!json_element_object(column, array, "board", rank - 1, &cell))
        return false;
    if (!json_take_string(&cell, "kind", 2, &kind))
        return true;
    if (!json_take_int(&cell, "color", 0, 1, &color) || strlen(kind) != 2 ||
        record_csa_kind(kind) == SHOGI_KINDS) {
        json_refuse(&cell, PROBLEM_BAD_RECORD, "kind",
                    "A piece has a color and a code such as FU.");
        return false;
    }
    *man = (struct rules_man){(uint8_t)(color + 1), (uint8_t)record_csa_kind(kind)};
    return true;
}

static bool read_squares(struct json_fields *data, struct record_board *board)
{
    const struct json_value *files, *ranks;
    size_t n;

    if (!json_take_array(data, "board", SHOGI_FILES, &files, &n))
        return false;
    for (unsigned file = 1; file <= SHOGI_FILES; file++) {
        if (!json_element_array(data, files, "board", file - 1, SHOGI_RANKS, &ranks, &n) ||
            n != SHOGI_RANKS)
            return false;
        for (unsigned rank = 1; rank <= SHOGI_RANKS; rank++)
            if (!read_man(data, ranks, rank, &board->man[rank][file]))
                return false;
    }
    return true;
}

static bool read_hands(struct json_fields *data, struct record_board *board)
{
    const struct json_value *hands;
    size_t n = 0;

    if (!json_take_array(data, "hands", RULES_SEATS, &hands, &n))
        return true;
    for (size_t seat = 0; seat < n; seat++) {
        struct json_fields hand;

        if (!json_element_object(data, hands, "hands", seat, &hand))
            return false;
        for (unsigned kind = PAWN; kind < KING; kind++) {
            int64_t count;

            if (json_take_int(&hand, record_csa_code(kind), 0, HAND_MAX, &count))
                board->hand[seat][kind] = (unsigned)count;
        }
    }
    return true;
}

static bool read_data(struct jkf *jkf, struct json_fields *initial)
{
    struct record_reading *reading = jkf->reading;
    struct record_board board = {.side = 1, .number = reading->number > 0 ? reading->number : 1};
    struct json_fields data;
    int64_t color;

    if (!json_take_object(initial, "data", &data) || !read_squares(&data, &board) ||
        !read_hands(&data, &board)) {
        if (jkf->error.code == PROBLEM_NONE)
            json_refuse(initial, PROBLEM_BAD_RECORD, "data",
                        "A preset, or a board of nine files of nine squares, is expected.");
        return record_bad_json(jkf->reading, &jkf->error);
    }
    if (json_take_int(&data, "color", 0, 1, &color))
        board.side = (unsigned)color + 1;
    if (jkf->error.code != PROBLEM_NONE)
        return record_bad_json(jkf->reading, &jkf->error);
    return record_start_sfen(reading, record_board_sfen(reading->arena, &board));
}

static bool read_initial(struct jkf *jkf, struct json_fields *file)
{
    const struct record_handicap *handicap = NULL;
    struct json_fields initial;
    const char *preset;

    if (!json_take_object(file, "initial", &initial))
        return jkf->error.code == PROBLEM_NONE ? record_start(jkf->reading, NULL)
                                               : record_bad_json(jkf->reading, &jkf->error);
    if (json_take_string(&initial, "preset", 16, &preset))
        handicap = record_handicap_of_jkf(preset);
    return handicap != NULL ? record_start_handicap(jkf->reading, handicap)
                            : read_data(jkf, &initial);
}

static bool take_square(struct json_fields *move, const char *key, struct record_square *square)
{
    struct json_fields fields;
    int64_t x = 0, y = 0;

    if (!json_take_object(move, key, &fields) || !json_take_int(&fields, "x", 1, 9, &x) ||
        !json_take_int(&fields, "y", 1, 9, &y))
        return false;
    *square = (struct record_square){(unsigned)x, (unsigned)y};
    return true;
}

/* Whether the piece that is named can be the one on the square. Some programs name what it promotes
 * to. */
static bool jkf_fits(struct rules_man man, const struct record_shogi_move *move)
{
    return man.seat == 0 || man.kind == move->kind ||
           (move->promotes && man.kind == move->kind % PROMOTED && move->kind >= PROMOTED);
}

static bool read_jkf_move(struct jkf *jkf, struct json_fields *fields)
{
    struct record_reading *reading = jkf->reading;
    struct record_shogi_move move = {.to = jkf->last};
    const char *piece = "";
    bool same = false;

    json_take_string(fields, "piece", 2, &piece);
    json_take_bool(fields, "promote", &move.promotes);
    json_take_bool(fields, "same", &same);
    take_square(fields, "from", &move.from);
    if (!take_square(fields, "to", &move.to) && jkf->error.code == PROBLEM_NONE &&
        (!same || jkf->last.file == 0))
        json_refuse(fields, PROBLEM_BAD_RECORD, "to", "A move needs the square that it goes to.");
    move.kind = strlen(piece) == 2 ? record_csa_kind(piece) : SHOGI_KINDS;
    if (move.kind == SHOGI_KINDS || (move.from.file == 0 && move.kind >= KING))
        json_refuse(fields, PROBLEM_BAD_RECORD, "piece", "The code of a piece is expected.");
    if (!record_is_cut(reading) && move.from.file != 0 && jkf->error.code == PROBLEM_NONE &&
        !jkf_fits(record_man_on(reading->state, move.from), &move))
        json_refuse(fields, PROBLEM_BAD_RECORD, "piece", "Another piece stands on that square.");
    if (jkf->error.code != PROBLEM_NONE)
        return record_bad_json(jkf->reading, &jkf->error);
    jkf->last = move.to;
    return record_shogi_play(reading, &move, record_shogi_usi(reading->arena, &move), NULL);
}

static void read_time(struct jkf *jkf, struct json_fields *element)
{
    static const char *const parts[] = {"h", "m", "s"};
    struct json_fields time, now;
    int64_t seconds = 0;

    if (!json_take_object(element, "time", &time) || !json_take_object(&time, "now", &now))
        return;
    for (size_t i = 0; i < 3; i++) {
        int64_t part = 0;

        json_take_int(&now, parts[i], 0, TIME_MAX, &part);
        seconds = seconds * 60 + part;
    }
    record_set_spent(jkf->reading, seconds * RECORD_SECOND_US);
}

static void read_comments(struct jkf *jkf, struct json_fields *element)
{
    const struct json_value *array;
    size_t n;
    const char *line;

    if (!json_take_array(element, "comments", COMMENTS_MAX, &array, &n))
        return;
    for (size_t i = 0; i < n; i++)
        if (json_element_string(element, array, "comments", i, RECORD_BYTES_MAX, &line))
            record_add_comment(jkf->reading, line);
}

static bool read_special(struct jkf *jkf, struct json_fields *element)
{
    const struct record_word *word;
    const char *special;

    if (!json_take_string(element, "special", 32, &special))
        return true;
    word = record_find_word(record_csa_words, special, strlen(special));
    if (*special == '\0')
        return record_bad(jkf->reading, NULL, "That is not a word for the end of a game.");
    if (word == NULL)
        word = &record_unknown_word;
    return record_set_word(jkf->reading, word, special);
}

static bool read_elements(struct jkf *jkf, struct json_fields *outer, const struct json_value *list,
                          const char *key, size_t n);

/* A fork is played in the place of the element that has it. */
static bool read_forks(struct jkf *jkf, struct json_fields *element, bool instead)
{
    struct record_reading *reading = jkf->reading;
    const struct json_value *forks, *fork;
    struct record_square last = jkf->last;
    size_t n, length, ply = reading->record->nmoves - (instead ? 1 : 0);

    if (record_is_cut(reading) || !json_take_array(element, "forks", RECORD_MOVES_MAX, &forks, &n))
        return true;
    for (size_t i = 0; i < n; i++) {
        jkf->last = (struct record_square){0, 0};
        if (ply > 0)
            jkf->last = record_usi_target(reading->record->moves[ply - 1].text);
        if (!json_element_array(element, forks, "forks", i, RECORD_MOVES_MAX + 2, &fork, &length))
            return true; /* with an error */
        if (!record_branch(reading, ply) || !read_elements(jkf, element, fork, "forks", length) ||
            !record_rejoin(reading))
            return false;
    }
    jkf->last = last;
    return true;
}

static bool read_element(struct jkf *jkf, struct json_fields *element)
{
    struct json_fields move;
    size_t before = jkf->reading->record->nmoves;

    if (json_take_object(element, "move", &move)) {
        if (jkf->reading->ending.word != NULL && jkf->reading->nbranches == 0)
            return record_bad(jkf->reading, NULL, "This move comes after the end.");
        if (!read_jkf_move(jkf, &move))
            return false;
    }
    if (!read_special(jkf, element))
        return false;
    read_time(jkf, element);
    read_comments(jkf, element);
    if (!read_forks(jkf, element, jkf->reading->record->nmoves > before))
        return false;
    return jkf->error.code == PROBLEM_NONE || record_bad_json(jkf->reading, &jkf->error);
}

static bool read_elements(struct jkf *jkf, struct json_fields *outer, const struct json_value *list,
                          const char *key, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct json_fields element;

        if (!json_element_object(outer, list, key, i, &element))
            return record_bad_json(jkf->reading, &jkf->error);
        if (!read_element(jkf, &element))
            return false;
    }
    return true;
}

static bool read_jkf_moves(struct jkf *jkf, struct json_fields *file)
{
    const struct json_value *moves;
    size_t n;

    if (!json_take_array(file, "moves", RECORD_MOVES_MAX + 2, &moves, &n)) {
        json_refuse(file, PROBLEM_BAD_RECORD, "moves", "A list of moves is expected.");
        return record_bad_json(jkf->reading, &jkf->error);
    }
    return read_elements(jkf, file, moves, "moves", n);
}

bool record_read_jkf(struct record_reading *reading)
{
    struct jkf jkf = {.reading = reading};
    struct json_value *json =
        json_read_long(reading->arena, reading->text, reading->len, &jkf.error);
    struct json_fields file;
    bool ok;

    if (json == NULL)
        return record_bad_json(reading, &jkf.error);
    json_fields(&file, reading->arena, json, &jkf.error);
    ok = read_headers(&jkf, &file) && read_initial(&jkf, &file) && read_jkf_moves(&jkf, &file);
    json_free(json);
    return ok;
}
