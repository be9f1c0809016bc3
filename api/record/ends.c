#include "api/record/ends.h"

#include <string.h>

static const char *const end_words[RECORD_ENDS] = {
    [RECORD_RESIGNED] = "resign", [RECORD_TIMEOUT] = "timeout", [RECORD_AGREED] = "agreement",
    [RECORD_FOUL] = "foul",       [RECORD_FORFEIT] = "forfeit", [RECORD_ABORTED] = "aborted",
};

const char *record_end_text(const struct record_outcome *outcome)
{
    return outcome->end == RECORD_BY_RULES ? rules_reason_text(outcome->reason)
                                           : end_words[outcome->end];
}

bool record_set_end(struct record_outcome *outcome, const char *word, unsigned winner)
{
    *outcome = (struct record_outcome){.winner = winner};
    for (unsigned end = 0; end < RECORD_ENDS; end++)
        if (end_words[end] != NULL && strcmp(end_words[end], word) == 0) {
            outcome->end = (enum record_end)end;
            return true;
        }
    outcome->reason = rules_reason_find(word);
    if (outcome->reason != RULES_REASON_NONE)
        outcome->end = RECORD_BY_RULES;
    return outcome->end == RECORD_BY_RULES;
}

bool record_has_winner(const struct record_outcome *outcome)
{
    switch (outcome->end) {
    case RECORD_RESIGNED:
    case RECORD_TIMEOUT:
    case RECORD_FOUL:
    case RECORD_FORFEIT:
        return outcome->winner != 0;
    case RECORD_BY_RULES:
        return outcome->winner != 0 ||
               (outcome->reason != RULES_REASON_CHECKMATE &&
                outcome->reason != RULES_REASON_KING_CAPTURED &&
                outcome->reason != RULES_REASON_PERPETUAL_CHECK &&
                outcome->reason != RULES_REASON_LINE && outcome->reason != RULES_REASON_DEN &&
                outcome->reason != RULES_REASON_ALL_CAPTURED &&
                outcome->reason != RULES_REASON_NO_PIECES);
    case RECORD_OPEN:
    case RECORD_AGREED:
    case RECORD_ABORTED:
    case RECORD_ENDS:
        break;
    }
    return true;
}

/* ---- the words of a format ---- */

const struct record_word record_unknown_word = {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS};

const struct record_word *record_find_word(const struct record_word *words, const char *word,
                                           size_t len)
{
    for (; words->word[0] != '\0'; words++)
        if (strlen(words->word) == len && memcmp(words->word, word, len) == 0)
            return words;
    return NULL;
}

struct record_outcome record_word_outcome(const struct record_word *word, unsigned to_move)
{
    const unsigned winners[] = {[NOBODY_WINS] = 0,
                                [MOVER_WINS] = to_move,
                                [MOVER_LOSES] = RULES_SEATS + 1 - to_move,
                                [FIRST_WINS] = 1,
                                [SECOND_WINS] = 2};

    return (struct record_outcome){word->end, word->reason, winners[word->who], false};
}

bool record_same_end(const struct record_outcome *a, const struct record_outcome *b)
{
    return a->end == b->end && a->winner == b->winner &&
           (a->end != RECORD_BY_RULES || a->reason == b->reason);
}

void record_ending_init(struct record_ending *ending)
{
    *ending = (struct record_ending){.spent_us = -1};
}

bool record_is_said(const struct record_ending *ending)
{
    return ending->word != NULL || ending->outcome.end != RECORD_OPEN;
}

unsigned record_last_mover(const struct record *record)
{
    struct rules_state state;
    struct rules_refusal why;
    unsigned first = rules_load(record->game, &record->options, record->start, &state, &why)
                         ? record->game->to_move(&state)
                         : 1;

    return record->nmoves % 2 == 0 ? first : RULES_SEATS + 1 - first;
}

/* The best entry fits the whole outcome. The second best has the same end with another winner; the
 * writer then adds the right winner as a fact. */
static const struct record_word *choose_ending_word(const struct record_word *words,
                                                    const struct record_outcome *outcome,
                                                    unsigned to_move)
{
    const struct record_word *same_end = NULL, *open = words;

    for (; words->word[0] != '\0'; words++) {
        struct record_outcome says = record_word_outcome(words, to_move);

        if (record_same_end(&says, outcome))
            return words;
        if (says.end == RECORD_OPEN && open->end != RECORD_OPEN)
            open = words;
        if (same_end == NULL && says.end == outcome->end && says.reason == outcome->reason)
            same_end = words;
    }
    return same_end != NULL ? same_end : open;
}

const char *record_choose_word(const struct record_outcome *outcome,
                               const struct record_word *words, unsigned to_move,
                               struct record_outcome *said)
{
    const struct record_word *word = choose_ending_word(words, outcome, to_move);

    *said = record_word_outcome(record_find_word(words, word->word, strlen(word->word)), to_move);
    return word->word;
}
