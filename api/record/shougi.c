/* shougi.c - the record of the program SHOUGI: every man has a number for the whole game. */
#include <stdlib.h>
#include <string.h>

#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/shogi.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/shogi/board.h"

enum { MEN = 40, NONE = 40, WORDS = 11 };

/* Where a man is: on a square, or (file 0) in the hand of the seat. */
struct owned {
    struct record_square on;
    unsigned seat, kind;
    size_t taken_at; /* ply, while in a hand */
};

struct shougi {
    struct owned man[MEN];
};

static const struct {
    unsigned kind;
    const char *sente, *gote; /* rows and columns, two digits a man */
} sets[] = {
    {PAWN, "797877767574737271", "393837363534333231"},
    {LANCE, "9991", "1911"},
    {KNIGHT, "9892", "1812"},
    {SILVER, "9793", "1713"},
    {GOLD, "9694", "1614"},
};

static void place(struct shougi *game, size_t *next, const char *squares, unsigned seat,
                  unsigned kind)
{
    for (; *squares != '\0'; squares += 2)
        game->man[(*next)++] = (struct owned){
            {(unsigned)(squares[1] - '0'), (unsigned)(squares[0] - '0')}, seat, kind, 0};
}

static void set_up_shougi(struct shougi *game)
{
    size_t next = 0;

    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        place(game, &next, sets[i].sente, 1, sets[i].kind);
        place(game, &next, sets[i].gote, 2, sets[i].kind);
    }
    place(game, &next, "95", 1, KING);
    place(game, &next, "15", 2, KING);
    place(game, &next, "88", 1, BISHOP);
    place(game, &next, "22", 2, BISHOP);
    place(game, &next, "82", 1, ROOK);
    place(game, &next, "28", 2, ROOK);
}

/* The types of the format are 0 to 7 for pieces that have not promoted, 8 and 9 for horses and
 * dragons, and 20 to 23 for the other promoted ones; ten more for the second seat. */
static unsigned type_of(unsigned seat, unsigned kind)
{
    static const unsigned types[SHOGI_KINDS] = {
        [PAWN] = 0,
        [LANCE] = 1,
        [KNIGHT] = 2,
        [SILVER] = 3,
        [GOLD] = 4,
        [KING] = 5,
        [BISHOP] = 6,
        [ROOK] = 7,
        [PROMOTED + BISHOP] = 8,
        [PROMOTED + ROOK] = 9,
        [PROMOTED + PAWN] = 20,
        [PROMOTED + LANCE] = 21,
        [PROMOTED + KNIGHT] = 22,
        [PROMOTED + SILVER] = 23,
    };

    return types[kind] + (seat == 2 ? 10 : 0);
}

static unsigned man_on_square(const struct shougi *game, struct record_square square)
{
    unsigned i = 0;

    while (i < MEN && (game->man[i].on.file != square.file || game->man[i].on.rank != square.rank))
        i++;
    return i;
}

/* If a hand has several pieces of a kind, the format drops the one that was captured first. */
static unsigned man_in_hand(const struct shougi *game, unsigned seat, unsigned kind)
{
    unsigned best = MEN;

    for (unsigned i = 0; i < MEN; i++) {
        const struct owned *man = &game->man[i];

        if (man->on.file == 0 && man->seat == seat && man->kind == kind &&
            (best == MEN || man->taken_at < game->man[best].taken_at))
            best = i;
    }
    return best;
}

/* ---- a ply in the words of the format ---- */

struct ply {
    unsigned man, type;
    struct record_square from, to; /* from.file 0: a drop */
    unsigned eaten, eaten_type;
    bool enhanced;
};

/* Moves the pieces of a ply. */
static void play_shougi(struct shougi *game, const struct ply *ply, unsigned seat, size_t number,
                        bool promotes)
{
    struct owned *man = &game->man[ply->man];

    if (ply->eaten != NONE) {
        struct owned *eaten = &game->man[ply->eaten];

        *eaten = (struct owned){{0, 0}, seat, eaten->kind % PROMOTED, number};
    }
    man->on = ply->to;
    if (promotes)
        man->kind += PROMOTED;
}

/* A legal move in the words of the format. */
static struct ply describe_shougi(const struct shougi *game, unsigned seat,
                                  const struct record_shogi_move *move)
{
    struct ply ply = {.from = move->from, .to = move->to, .enhanced = move->promotes};

    ply.man = move->from.file == 0 ? man_in_hand(game, seat, move->kind)
                                   : man_on_square(game, move->from);
    ply.type = type_of(seat, move->kind + (move->promotes ? PROMOTED : 0));
    ply.eaten = man_on_square(game, move->to);
    ply.eaten_type =
        ply.eaten == NONE ? NONE : type_of(game->man[ply.eaten].seat, game->man[ply.eaten].kind);
    return ply;
}

/* ---- writing ---- */

static const char first_line[] =
    "step  chess_num  chess_type  src_row  src_col  next_row  next_col  eat_num  eat_type  "
    "enhanced?  act\n";

static void write_ply(struct record_writing *writing, size_t number, const struct ply *ply)
{
    static const int blanks[] = {4, 9, 10, 7, 7, 8, 8, 7, 8};
    const size_t columns[] = {number,         ply->man,       ply->type,
                              ply->from.rank, ply->from.file, ply->to.rank,
                              ply->to.file,   ply->eaten,     ply->eaten_type};

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        out_format(writing->out, "%zu%*s", columns[i], blanks[i] + (columns[i] < 10), "");
    out_format(writing->out, "%c          %c\n", ply->enhanced ? 'y' : 'n',
               ply->from.file == 0  ? 'd'
               : ply->eaten != NONE ? 'e'
                                    : 'a');
}

bool record_write_shougi(struct record_writing *writing)
{
    const struct record_handicap *handicap = record_handicap(writing->record);
    const struct record_move *move;
    struct record_walk walk;
    struct shougi game;

    if (handicap == NULL || record_is_handicap(writing->record))
        return record_unwritable(writing, "This format knows only the even start.");
    if (!record_walk_begin(&walk, writing))
        return false;
    set_up_shougi(&game);
    out_add(writing->out, first_line);
    while (record_walk_next(&walk, &move)) {
        struct record_shogi_move parts = record_shogi_move(walk.state, move->text);
        unsigned seat = writing->record->game->to_move(walk.state);
        struct ply ply = describe_shougi(&game, seat, &parts);

        write_ply(writing, record_walk_ply(&walk), &ply);
        play_shougi(&game, &ply, seat, record_walk_ply(&walk), parts.promotes);
    }
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

/* The eleven words of a ply, wherever lines end. */
struct words {
    const char *word[WORDS];
    const char *at; /* the first one */
};

struct source {
    struct record_reading *reading;
    char *at;
};

static const char *next_word(struct source *source)
{
    char *word;

    for (;;) {
        if (source->at == NULL)
            return NULL;
        source->at += strspn(source->at, " \t");
        if (*source->at != '\0')
            break;
        source->at = record_next_line(source->reading);
    }
    word = source->at;
    source->at += strcspn(word, " \t");
    return arena_copy(source->reading->arena, word, (size_t)(source->at - word));
}

static bool next_words(struct source *source, struct words *words)
{
    for (size_t i = 0; i < WORDS; i++) {
        words->word[i] = next_word(source);
        if (words->word[i] == NULL)
            return i == 0 || record_bad(source->reading, NULL, "The last step is not complete.");
        if (i == 0)
            words->at = source->at - strlen(words->word[i]);
    }
    return true;
}

static unsigned number_of_shougi(const char *word)
{
    char *end;
    unsigned long n = strtoul(word, &end, 10);

    return *end == '\0' && *word >= '0' && *word <= '9' && n < 1000000 ? (unsigned)n : 1000000;
}

static bool read_ply(struct record_reading *reading, const struct words *words, struct ply *ply,
                     size_t number)
{
    unsigned n[9];

    for (size_t i = 0; i < 9; i++)
        n[i] = number_of_shougi(words->word[i]);
    *ply = (struct ply){.man = n[1],
                        .type = n[2],
                        .from = {n[4], n[3]},
                        .to = {n[6], n[5]},
                        .eaten = n[7],
                        .eaten_type = n[8],
                        .enhanced = strcmp(words->word[9], "y") == 0};
    if (n[0] != number)
        return record_bad(reading, words->at, "The steps are not numbered from 1 on.");
    if (n[1] >= MEN || n[3] > 9 || n[4] > 9 || n[5] < 1 || n[5] > 9 || n[6] < 1 || n[6] > 9 ||
        (n[3] == 0) != (n[4] == 0) || n[7] > NONE || strlen(words->word[9]) != 1 ||
        strchr("yn", words->word[9][0]) == NULL || strlen(words->word[10]) != 1 ||
        strchr("aed", words->word[10][0]) == NULL)
        return record_bad(reading, words->at, "A number of this step is out of its range.");
    return true;
}

/* Whether what a ply says fits where the pieces are. */
static bool shougi_fits(const struct shougi *game, const struct ply *ply, unsigned seat)
{
    const struct owned *man = &game->man[ply->man];
    unsigned eaten = man_on_square(game, ply->to);

    if (man->seat != seat || man->on.file != ply->from.file || man->on.rank != ply->from.rank ||
        eaten != ply->eaten)
        return false;
    if (ply->enhanced && (man->kind >= GOLD || ply->from.file == 0))
        return false;
    return ply->type == type_of(seat, man->kind + (ply->enhanced ? PROMOTED : 0)) &&
           ply->eaten_type ==
               (eaten == NONE ? NONE : type_of(game->man[eaten].seat, game->man[eaten].kind));
}

static bool play_ply(struct record_reading *reading, struct shougi *game, struct ply *ply,
                     bool mirrored, const struct words *words)
{
    unsigned seat = reading->here->to_move;
    struct record_shogi_move move;
    const char *usi;

    if (mirrored && seat == 2 && ply->from.file == 0)
        ply->to = (struct record_square){10 - ply->to.file, 10 - ply->to.rank};
    if (!shougi_fits(game, ply, seat))
        return record_bad(reading, words->at,
                          "This step does not fit where the pieces are after the steps before it.");
    move = (struct record_shogi_move){.from = ply->from,
                                      .to = ply->to,
                                      .kind = game->man[ply->man].kind,
                                      .promotes = ply->enhanced};
    usi = record_shogi_usi(reading->arena, &move);
    if (!record_play(reading, usi, usi, words->at))
        return false;
    play_shougi(game, ply, seat, reading->record->nmoves, ply->enhanced);
    return true;
}

static bool read_plies(struct record_reading *reading, bool mirrored)
{
    struct source source = {reading, record_next_line(reading)};
    struct words words;
    struct shougi game;
    struct ply ply;

    set_up_shougi(&game);
    if (!next_words(&source, &words) || words.word[0] == NULL || !record_start(reading, NULL))
        return reading->error->code == PROBLEM_NONE &&
               record_bad(reading, NULL, "The record has no steps.");
    while (next_words(&source, &words) && words.word[0] != NULL)
        if (!read_ply(reading, &words, &ply, reading->record->nmoves + 1) ||
            !play_ply(reading, &game, &ply, mirrored, &words))
            return false;
    return reading->error->code == PROBLEM_NONE;
}

/* Some programs write the second player's drops as that player sees the board. Nothing in the file
 * says so; but a drop on the wrong square makes a later step impossible, or does not matter. So the
 * file is read as it stands first, and with turned drops if that fails.
 *
 * The program SHOUGI plays by the casual rules. */
bool record_read_shougi(struct record_reading *reading)
{
    struct record_reading again;
    enum record_drops drops = reading->hint->drops;
    struct record_error first;
    struct record before = *reading->record;
    struct rules_refusal why;

    rules_option_set(reading->game, &reading->options, "rules", "casual", &why);
    again = *reading;
    again.at = again.text = arena_copy(reading->arena, reading->text, reading->len);
    if (read_plies(reading, drops == RECORD_DROPS_VIEW))
        return true;
    if (drops != RECORD_DROPS_AUTO)
        return false;
    first = *reading->error;
    *again.error = (struct record_error){.code = PROBLEM_NONE};
    *again.record = before;
    if (!read_plies(&again, true)) {
        *reading->error = first;
        return false;
    }
    *reading = again;
    return true;
}
