/* notes.c - what the table of positions says to a search, and what a search tells it. */
#include "engine/notes.h"

#include "engine/order.h"
#include "rules/mix.h"

/* The key under which a position is noted. */
static uint64_t note_key(const struct engine *e, const struct frame *f)
{
    return e->knows->counters == NULL ? f->key : f->key ^ mix(e->knows->counters(&f->state)) << 1;
}

/* In the table a win is counted from the position, elsewhere from the root. */
static int16_t score_to_table(int32_t score, unsigned ply)
{
    if (score > WIN_IN_SIGHT)
        score += (int32_t)ply;
    else if (score < -WIN_IN_SIGHT)
        score -= (int32_t)ply;
    return (int16_t)score;
}

static int32_t score_from_table(int32_t score, unsigned ply)
{
    if (score > WIN_IN_SIGHT)
        return score - (int32_t)ply;
    return score < -WIN_IN_SIGHT ? score + (int32_t)ply : score;
}

struct table_note notes_read(const struct engine *e, unsigned ply, int32_t *score)
{
    struct table_note note = table_read(&e->table, note_key(e, &e->frame[ply]));

    *score = score_from_table(note.score, ply);
    return note;
}

bool notes_decide(struct table_note note, int32_t score, int depth, int32_t alpha, int32_t beta)
{
    return note.bound != 0 && note.depth >= depth &&
           (((note.bound & TABLE_LOWER) && score >= beta) ||
            ((note.bound & TABLE_UPPER) && score <= alpha));
}

void notes_keep(struct engine *e, unsigned ply, int depth, int32_t score, int32_t alpha,
                int32_t beta, rules_move best)
{
    struct table_note note = {.key = note_key(e, &e->frame[ply]),
                              .score = score_to_table(score, ply),
                              .depth = (uint8_t)depth,
                              .bound = TABLE_UPPER};

    if (score > alpha) {
        note.move = order_mark(best);
        note.bound = score >= beta ? TABLE_LOWER : TABLE_EXACT;
    }
    table_write(&e->table, note);
}
