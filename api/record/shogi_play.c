/* shogi_play.c - plays a move that was taken apart. */
#include "api/record/shogi.h"

#include "api/record/reader.h"

bool record_shogi_play(struct record_reading *reading, const struct record_shogi_move *move,
                       const char *shown, const char *at)
{
    const char *usi = record_shogi_usi(reading->arena, move);

    if (!record_play_or_foul(reading, usi, shown, at))
        return false;
    if (reading->refused_move == usi && !record_is_foul(reading->state, usi))
        reading->refused_move = NULL;
    return true;
}
