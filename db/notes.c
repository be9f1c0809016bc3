/* notes.c - what a seat wrote for itself at plies of its game. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_set_note(struct db *db, db_id game, int16_t seat, const struct db_note *note,
                 db_done_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_SET_NOTE, &game, TAKES(done, done), context);

    request->notes = (struct seat_notes){.seat = seat, .note = note};
    if (note->text != NULL)
        request->bytes += strlen(note->text);
    queue_submit(db, request);
}

void db_get_notes(struct db *db, db_id game, int16_t seat, int32_t after, int32_t limit,
                  db_notes_callback *done, void *context)
{
    struct db_request *request = queue_new(db, KIND_NOTES, &game, TAKES(notes, done), context);

    request->notes = (struct seat_notes){.seat = seat, .after = after, .limit = limit};
    request->rows = (size_t)limit;
    queue_submit(db, request);
}

/* ---- parameters ---- */

void notes_bind_set(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct seat_notes *notes = &batch->members[i]->notes;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int2(params, notes->seat);
        wire_put_int4(params, notes->note->ply);
        wire_put_text(params, notes->note->text);
        wire_put_time(params, notes->note->at);
    }
}

void notes_bind(struct wire_params *params, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct seat_notes *notes = &batch->members[i]->notes;

        wire_row(params, 0);
        wire_put_uuid(params, &batch->ids[i]);
        wire_put_int2(params, notes->seat);
        wire_put_int4(params, notes->after);
        wire_put_int4(params, notes->limit);
    }
}

/* ---- results ---- */

static void read_stored_note(const struct pg_result *result, int row, struct db_note *note)
{
    note->ply = wire_get_int4(PQgetvalue(result, row, 1));
    note->text = PQgetvalue(result, row, 2);
    note->at = wire_get_time(PQgetvalue(result, row, 3));
}

/* Rows: the member's number, and a note. */
void notes_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    batch_reply_list_of_notes(db, result, batch, read_stored_note);
}
