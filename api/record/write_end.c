/* write_end.c - the end of a line, in the words of the format that it is written in. */
#include "api/record/writer.h"

#include <string.h>

#include "api/record/ends.h"

/* Whether a record was read from a format, in any of its versions. */
static bool is_of(const struct record_format *format, const struct record *record)
{
    return record->format != NULL && record->format->read == format->read;
}

bool record_is_own(const struct record_writing *writing)
{
    return is_of(writing->format, writing->record);
}

/* Whether a word that means `says` may stand for the outcome. It may mean something else if the
 * rules confirm the outcome: then every reader finds the end by playing the moves. A declared win
 * is not found that way. */
static bool tells(const struct record_outcome *says, const struct record_outcome *outcome)
{
    return record_same_end(says, outcome) ||
           (outcome->confirmed && outcome->reason != RULES_REASON_IMPASSE);
}

/* The word of `words` that means what a word of another format does, or NULL. */
static const char *twin_of(const char *word, const struct record_word *words)
{
    /* KIF, CSA, USEN */
    static const char *const twins[][3] = {
        {"投了", "TORYO", "r"},     {"中断", "CHUDAN", "p"}, {"千日手", "SENNICHITE"},
        {"持将棋", "JISHOGI", "j"}, {"詰み", "TSUMI"},       {"切れ負け", "TIME_UP", "t"},
        {"反則手", "ILLEGAL_MOVE"}, {"入玉勝ち", "KACHI"},   {"不詰", "FUZUMI"},
    };
    const char *const *row = NULL;

    for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]) && row == NULL; i++)
        for (size_t j = 0; j < 3; j++)
            if (twins[i][j] != NULL && strcmp(twins[i][j], word) == 0)
                row = twins[i];
    for (size_t j = 0; row != NULL && j < 3; j++)
        if (row[j] != NULL && record_find_word(words, row[j], strlen(row[j])) != NULL)
            return row[j];
    return NULL;
}

const char *record_word_kept(const struct record_format *format, const struct record *record,
                             const struct record_ending *ending, const struct record_word *words)
{
    const char *word = ending->word;

    if (word == NULL)
        return NULL;
    word += *word == '%'; /* as CSA has it */
    if (*word == '\0')
        return NULL;
    if (is_of(format, record) || record_find_word(words, word, strlen(word)) != NULL)
        return word;
    return twin_of(word, words);
}

bool record_has_foul(const struct record_writing *writing, const struct record_ending *ending)
{
    return ending->foul_move != NULL || (ending->foul != NULL && record_is_own(writing));
}

/* The word behind a foul, which itself says whose it is. */
static const char *foul_word(const char *kept, const struct record_ending *ending,
                             const struct record_word *words, unsigned to_move,
                             struct record_outcome *said)
{
    const struct record_word *word =
        kept == NULL ? NULL : record_find_word(words, kept, strlen(kept));
    struct record_outcome foul = {.end = RECORD_FOUL, .winner = RULES_SEATS + 1 - to_move};
    const char *text = word != NULL && word->end == RECORD_FOUL
                           ? kept
                           : record_choose_word(&foul, words, to_move, said);

    *said = ending->outcome;
    return text;
}

const char *record_end_word(const struct record_writing *writing,
                            const struct record_ending *ending, const struct record_word *words,
                            unsigned to_move, struct record_outcome *said)
{
    const struct record_word *word;
    const char *kept;

    *said = (struct record_outcome){.end = RECORD_OPEN};
    if (!record_is_told(writing, ending))
        return NULL;
    kept = record_word_kept(writing->format, writing->record, ending, words);
    if (record_has_foul(writing, ending))
        return foul_word(kept, ending, words, to_move, said);
    word = kept == NULL ? NULL : record_find_word(words, kept, strlen(kept));
    if (word != NULL)
        *said = record_word_outcome(word, to_move);
    if (kept != NULL && tells(said, &ending->outcome))
        return kept;
    return record_choose_word(&ending->outcome, words, to_move, said);
}

bool record_is_told(const struct record_writing *writing, const struct record_ending *ending)
{
    return record_is_said(ending) &&
           !(ending->silent && ending->outcome.confirmed && record_is_own(writing));
}
