/* ki2.c - KI2: moves as books print them, without their squares of origin. */
#include <string.h>

#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/kif_ki2.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/draw/page.h"
#include "rules/rules.h"

enum { MOVE_CELLS = 11, MOVES_A_LINE = 6 };

/* ---- writing ---- */

static const char *ki2_text(struct record_writing *writing, const struct record_walk *walk)
{
    const char *text =
        move_text_pretty(writing->arena, walk->record->game, walk->state, walk->last, walk->move);
    bool first = walk->record->game->to_move(walk->state) == 1;

    return arena_format(writing->arena, "%s%s", first ? "▲" : "△", text + record_char_length(text));
}

/* The sentence at the end. Unlike the words of KIF it names the winner, whoever is to move. It
 * tells what the record's own word tells if that is known in KIF: a resignation behind a mate. A
 * forfeit and a declared win are told as a win: there are readers to which a record with any other
 * sentence for these is none at all. */
static const char *end_text(struct record_writing *writing, const struct record_ending *ending,
                            unsigned to_move)
{
    const struct record *record = writing->record;
    struct arena *arena = writing->arena;
    struct record_outcome said;
    const char *word = record_end_word(writing, ending, record_kif_words, to_move, &said), *win;

    if (!ending->outcome.confirmed)
        said = ending->outcome;
    if (record_has_foul(writing, ending) ||
        (said.end == RECORD_FOUL && said.winner == RULES_SEATS + 1 - to_move))
        return arena_format(arena, "%sの反則負け", record_kif_ki2_side(record, to_move));
    if (said.winner == 0)
        return word;
    win = record_kif_ki2_side(record, said.winner);
    if (said.end == RECORD_TIMEOUT)
        return arena_format(arena, "時間切れにより%sの勝ち", win);
    if (said.end == RECORD_FOUL || said.reason == RULES_REASON_PERPETUAL_CHECK)
        return arena_format(arena, "%sの反則勝ち", win);
    if (said.end == RECORD_RESIGNED || said.end == RECORD_FORFEIT ||
        said.reason == RULES_REASON_IMPASSE)
        return arena_format(arena, "%sの勝ち", win);
    return word;
}

/* A sentence that was read is kept. Our own says of a forfeit and of a declared win who has won,
 * and no more. */
bool record_ki2_holds_end(const struct record *record, const struct record_ending *ending)
{
    bool is_kept =
        ending->word != NULL && record->format != NULL && record->format->read == record_read_ki2;

    return is_kept || (ending->outcome.end != RECORD_FORFEIT &&
                       ending->outcome.reason != RULES_REASON_IMPASSE);
}

/* The sentence for the end of a line, or NULL: the one that the record was read with, or else our
 * own. *said is the outcome that a reader gets from it. */
static const char *end_sentence(struct record_writing *writing, const struct record_ending *ending,
                                unsigned to_move, struct record_outcome *said)
{
    const char *text;

    *said = (struct record_outcome){.end = RECORD_OPEN};
    if (!record_is_told(writing, ending))
        return NULL;
    if (ending->word != NULL && record_is_own(writing)) {
        *said = record_kif_ki2_sentence(ending->word, to_move);
        if (record_same_end(said, &ending->outcome) || ending->outcome.confirmed)
            return ending->word;
    }
    text = end_text(writing, ending, to_move);
    *said = record_kif_ki2_sentence(text, to_move);
    return text;
}

/* The foul that ended the game, or NULL: it was none, or it is not known what was played. It names
 * its square of origin, since a reader looks for pieces that may go there. */
static const char *foul_text(struct record_writing *writing, const struct record_walk *walk)
{
    const struct record_ending *ending = record_walk_ending(walk);

    if (ending->foul != NULL && record_is_own(writing))
        return ending->foul;
    return ending->foul_move != NULL && record_is_foul(walk->state, ending->foul_move)
               ? record_kif_ki2_move_text(writing, walk, ending->foul_move)
               : NULL;
}

/* A line ends without a sentence if nothing is told. */
static void write_ki2_end(struct record_writing *writing, const struct record_walk *walk)
{
    const struct record_ending *ending = record_walk_ending(walk);
    unsigned to_move = writing->record->game->to_move(walk->state);
    const char *foul = foul_text(writing, walk), *sentence, *as_read;
    struct record_outcome said;

    sentence = end_sentence(writing, ending, to_move, &said);
    if (foul != NULL)
        out_format(writing->out, "%s%s\n", to_move == 1 ? "▲" : "△", foul);
    as_read = record_kif_ki2_end_sentence(writing, ending, ending->word, to_move);
    if (as_read != NULL && sentence == ending->word)
        out_format(writing->out, "%s\n", as_read);
    else if (sentence != NULL)
        out_format(writing->out, "まで%zu手で%s\n", record_walk_ply(walk), sentence);
    record_kif_ki2_write_comment(writing, ending->comment);
}

/* Six moves a line. A comment has lines of its own. */
static void write_ki2_moves(struct record_writing *writing, struct record_walk *walk)
{
    const struct record_move *move;
    size_t on_line = 0, room = 0;

    while (record_walk_next(walk, &move)) {
        const char *text = ki2_text(writing, walk);

        for (; on_line > 0 && room > 0; room--)
            out_add(writing->out, " ");
        out_add(writing->out, text);
        room = page_width(text) < MOVE_CELLS ? MOVE_CELLS - page_width(text) : 1;
        if (++on_line == MOVES_A_LINE || move->comment != NULL) {
            out_add(writing->out, "\n");
            on_line = room = 0;
        }
        record_kif_ki2_write_comment(writing, move->comment);
        record_walk_put_off(walk);
    }
    if (on_line > 0)
        out_add(writing->out, "\n");
    write_ki2_end(writing, walk);
    record_walk_put_off(walk);
}

bool record_write_ki2(struct record_writing *writing)
{
    const struct record *record = writing->record;
    struct record_outcome said;
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    end_sentence(writing, &record->ending, record_last_mover(record), &said);
    record_kif_ki2_write_headers(writing, &said);
    record_kif_ki2_write_comment(writing, record->comment);
    write_ki2_moves(writing, &walk);
    while (record_walk_resume(&walk)) {
        record_kif_ki2_write_variation(writing, &walk);
        write_ki2_moves(writing, &walk);
    }
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

static const struct {
    const char *mark;
    unsigned seat;
} marks[] = {{"▲", 1}, {"☗", 1}, {"▼", 1}, {"△", 2}, {"☖", 2}, {"▽", 2}};

/* The seat of the mark at *at; moves *at behind it. 0: there is no mark. */
static unsigned take_mark(const char **at)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (strncmp(*at, marks[i].mark, strlen(marks[i].mark)) == 0) {
            *at += strlen(marks[i].mark);
            return marks[i].seat;
        }
    return 0;
}

static bool read_ki2_move(struct record_kanji *kanji, const char **at)
{
    struct record_reading *reading = kanji->reading;
    const char *begin = *at;
    unsigned seat = take_mark(at);

    if (seat == 0)
        return record_bad(reading, begin, "A move begins with ▲ or △.");
    if (!record_kif_ki2_start(kanji))
        return false;
    if (!record_is_cut(reading) && seat != reading->here->to_move)
        return record_bad(reading, begin, "It is the other side's turn.");
    return record_kif_ki2_move(kanji, at);
}

static bool read_ki2_moves(struct record_kanji *kanji, const char *line)
{
    struct record_reading *reading = kanji->reading;
    const char *at = line, *behind;

    record_skip_blanks(&at);
    behind = at;
    if (take_mark(&behind) == 0 && record_kif_ki2_note(kanji, at))
        return true;
    for (; *at != '\0'; record_skip_blanks(&at)) {
        const char *begin = at;

        if (reading->nbranches > 0 && record_is_cut(reading))
            return record_cut(reading, at);
        if (!read_ki2_move(kanji, &at))
            return record_cut(reading, begin);
    }
    return true;
}

bool record_read_ki2(struct record_reading *reading)
{
    return record_kif_ki2_read(reading, read_ki2_moves);
}
