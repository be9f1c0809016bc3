/* kif.c - KIF: a line for each move, with its square of origin and its time. */
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/kif_ki2.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/shogi.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/draw/page.h"

enum { MOVE_CELLS = 13 };

/* ---- words for the end ---- */

/* What begins with ASCII is a mistake rather than a word for an end. */
static bool begins_as_move(const char *text)
{
    return (unsigned char)*text < 0x80 || strncmp(text, "同", strlen("同")) == 0 ||
           record_kif_ki2_take_digit(&text) != 0;
}

/* A word ends before a blank or its time. */
static size_t word_length(const char *text)
{
    const char *at = text;

    while (*at != '\0' && *at != ' ' && *at != '(' && strncmp(at, "　", 3) != 0)
        at += record_char_length(at);
    return (size_t)(at - text);
}

/* ---- writing ---- */

static void write_padded(struct record_writing *writing, size_t number, const char *text,
                         int64_t spent_us, int64_t total)
{
    int64_t s = spent_us / RECORD_SECOND_US;

    out_format(writing->out, "%4zu %s", number, text);
    if (spent_us >= 0) {
        for (size_t cells = page_width(text); cells < MOVE_CELLS; cells++)
            out_add(writing->out, " ");
        out_format(writing->out, "(%2lld:%02lld/%02lld:%02lld:%02lld)", (long long)(s / 60),
                   (long long)(s % 60), (long long)(total / 3600), (long long)(total / 60 % 60),
                   (long long)(total % 60));
    }
    out_add(writing->out, "\n");
}

/* A word that no table has may have come from a sentence, and not fit into the line of a move. One
 * with a colon on the first of these lines would be read as a header. */
static bool fits_line(const char *word, size_t ply)
{
    return record_find_word(record_kif_words, word, strlen(word)) != NULL ||
           (!begins_as_move(word) && word[word_length(word)] == '\0' &&
            (ply > 0 || strstr(word, "：") == NULL));
}

/* The word for the end of a line at a ply, or NULL. A foul has been played before its word, which
 * is therefore the other side's. */
static const char *end_word(struct record_writing *writing, const struct record_ending *ending,
                            size_t ply, unsigned to_move, struct record_outcome *said)
{
    const char *word = record_end_word(writing, ending, record_kif_words, to_move, said);

    if (word == NULL)
        return NULL;
    if (record_has_foul(writing, ending) && !record_is_own(writing))
        return "反則勝ち";
    return fits_line(word, ply)
               ? word
               : record_choose_word(&ending->outcome, record_kif_words, to_move, said);
}

/* The foul that ended the game, or NULL: it was none, or it is not known what was played. */
static const char *foul_text(struct record_writing *writing, const struct record_walk *walk)
{
    const struct record_ending *ending = record_walk_ending(walk);

    if (!record_has_foul(writing, ending))
        return NULL;
    if (ending->foul != NULL && record_is_own(writing))
        return ending->foul;
    return record_is_foul(walk->state, ending->foul_move)
               ? record_kif_ki2_move_text(writing, walk, ending->foul_move)
               : NULL;
}

/* The line of the end, with the foul before it. */
static void write_kif_end(struct record_writing *writing, const struct record_walk *walk)
{
    const struct record_ending *ending = record_walk_ending(walk);
    size_t ply = record_walk_ply(walk);
    unsigned to_move = writing->record->game->to_move(walk->state);
    int64_t spent = ending->spent_us,
            total = walk->at.seconds[(ply + 1) % RULES_SEATS] + spent / RECORD_SECOND_US;
    struct record_outcome said;
    const char *word = end_word(writing, ending, ply, to_move, &said);
    const char *foul = foul_text(writing, walk);
    const char *sentence = record_kif_ki2_end_sentence(writing, ending, word, to_move);

    if (foul != NULL)
        write_padded(writing, ++ply, foul, spent, total);
    if (word != NULL)
        write_padded(writing, ply + 1, word, foul == NULL ? spent : -1, total);
    if (sentence != NULL)
        out_format(writing->out, "%s\n", sentence);
    record_kif_ki2_write_comment(writing, ending->comment);
}

static void write_kif_line(struct record_writing *writing, struct record_walk *walk)
{
    const struct record_move *move;

    while (record_walk_next(walk, &move)) {
        size_t ply = record_walk_ply(walk);

        write_padded(writing, ply, record_kif_ki2_move_text(writing, walk, move->text),
                     move->spent_us, walk->at.seconds[ply % RULES_SEATS]);
        record_kif_ki2_write_comment(writing, move->comment);
        record_walk_put_off(walk);
    }
    write_kif_end(writing, walk);
    record_walk_put_off(walk);
}

bool record_write_kif(struct record_writing *writing)
{
    const struct record *record = writing->record;
    struct record_outcome said;
    struct record_walk walk;

    if (!record_walk_begin(&walk, writing))
        return false;
    end_word(writing, &record->ending, record->nmoves, record_last_mover(record), &said);
    out_format(writing->out, "#KIF version=2.0 encoding=%s\n",
               writing->charset == NULL ? "UTF-8" : writing->charset);
    record_kif_ki2_write_headers(writing, &said);
    out_add(writing->out, "手数----指手---------消費時間--\n");
    record_kif_ki2_write_comment(writing, record->comment);
    write_kif_line(writing, &walk);
    while (record_walk_resume(&walk)) {
        record_kif_ki2_write_variation(writing, &walk);
        write_kif_line(writing, &walk);
    }
    return writing->error->code == PROBLEM_NONE;
}

/* ---- reading ---- */

/* ( 1:23/00:04:56): the time of this move in minutes and seconds, or hours too, and the sum of the
 * times of its player, which is ignored. */
static void read_time(struct record_reading *reading, const char *at)
{
    int64_t seconds = 0;

    at = strchr(at, '(');
    if (at == NULL)
        return;
    do {
        char *end;
        long part;

        at++;
        at += strspn(at, " ");
        if (*at < '0' || *at > '9')
            return;
        part = strtol(at, &end, 10);
        if (part > 1000000 || seconds > 1000000)
            return;
        seconds = seconds * 60 + part;
        at = end;
    } while (*at == ':');
    record_set_spent(reading, seconds * RECORD_SECOND_US);
}

static bool read_kif_end(struct record_kanji *kanji, const char *at)
{
    struct record_reading *reading = kanji->reading;
    const char *text = at;
    const struct record_word *word;
    size_t len = word_length(text);

    at += len;
    word = record_find_word(record_kif_words, text, len);
    if (word == NULL && begins_as_move(text))
        return false;
    if (word == NULL)
        word = &record_unknown_word;
    if (!record_kif_ki2_start(kanji) ||
        !record_set_word(reading, word, arena_copy(reading->arena, text, len)))
        return true; /* with an error */
    read_time(reading, at);
    return true;
}

static bool read_move_line(struct record_kanji *kanji, const char *line)
{
    struct record_reading *reading = kanji->reading;
    const char *at = line + strspn(line, " \t");
    size_t digits = strspn(at, "0123456789");

    if (digits == 0 && record_kif_ki2_note(kanji, line))
        return true;
    if (digits == 0)
        return record_bad(reading, at,
                          strstr(line, "：") != NULL
                              ? "A header stands before the first move."
                              : "This is not a header, a comment, a line of a board or a move. A "
                                "move begins with its number.");
    if (kanji->first == 0)
        kanji->first = strtoul(at, NULL, 10);
    at += digits;
    at += strspn(at, " \t");
    if (read_kif_end(kanji, at))
        return reading->error->code == PROBLEM_NONE || record_is_cut(reading);
    if (!record_kif_ki2_move(kanji, &at))
        return false;
    read_time(reading, at);
    return true;
}

bool record_read_kif(struct record_reading *reading)
{
    return record_kif_ki2_read(reading, read_move_line);
}
