/* notes.c - what the table of positions says to a search, and what a search tells it. */
#include "engine/notes.h"

#include "engine/order.h"
#include "rules/mix.h"

static uint32_t draw_after(const struct engine *e, const struct frame *f)
{
    return e->knows->draw_after == NULL ? UINT32_MAX : e->knows->draw_after(&f->state);
}

/* The key under which a position is noted: near a draw by a counter that counter tells it apart. */
static uint64_t note_key(const struct engine *e, const struct frame *f)
{
    enum { NEAR = 20 /* plies */ };
    uint32_t left = draw_after(e, f);

    return left > NEAR ? f->key : f->key ^ mix(left + 1) << 1;
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

/* A way to the end that was found with a counter far from a draw may be too long here. */
static int32_t before_draw(const struct engine *e, const struct frame *f, int32_t score)
{
    bool won = score > WIN_IN_SIGHT, lost = score < -WIN_IN_SIGHT;
    int32_t plies = won ? ENGINE_WIN - score : ENGINE_WIN + score;

    if ((!won && !lost) || (uint32_t)plies <= draw_after(e, f))
        return score;
    return won ? WIN_IN_SIGHT : -WIN_IN_SIGHT;
}

struct table_note notes_read(const struct engine *e, unsigned ply, int32_t *score)
{
    const struct frame *f = &e->frame[ply];
    struct table_note note = table_read(&e->table, note_key(e, f));

    *score = score_from_table(before_draw(e, f, note.score), ply);
    return note;
}

/* A win or loss that is proved is so at any depth. */
static bool is_proof(struct table_note note, int32_t score)
{
    return ((note.bound & TABLE_LOWER) && score > WIN_IN_SIGHT) ||
           ((note.bound & TABLE_UPPER) && score < -WIN_IN_SIGHT);
}

bool notes_decide(struct table_note note, int32_t score, int depth, int32_t alpha, int32_t beta)
{
    return note.bound != 0 && (note.depth >= depth || is_proof(note, score)) &&
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
