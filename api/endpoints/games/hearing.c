#include "api/endpoints/games/hearing.h"

#include "api/game/ids.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"

static void know_block(void *context, const struct db_blocks *blocks)
{
    struct hearing *hearing = context;

    hearing->is_known = true;
    hearing->is_unheard = blocks->count > 0;
}

enum step hearing_know(struct op *op, struct hearing *hearing, db_id writer, db_id reader)
{
    if (hearing->is_known)
        return STEP_GO;
    hearing->reader = reader;
    db_get_block(db_of(op->request), reader, writer, ASK_STEP(blocks, op, know_block, hearing));
    return STEP_LATER;
}

void hearing_note(const struct hearing *hearing, struct json *json)
{
    char reader[IDS_TEXT];

    if (!hearing->is_unheard)
        return;
    ids_text(hearing->reader, reader);
    json_member(json, "unheard_by", reader);
}
