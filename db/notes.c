/* notes.c - what a seat wrote for itself at plies of its game. */
#include <libpq-fe.h>
#include <string.h>

#include "internal.h"
#include "operations.h"
#include "rows.h"

/* ---- requests ---- */

void db_set_note(struct db *db, db_id game, int16_t seat, const struct db_note *note,
                 db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, KIND_SET_NOTE, &game, done, context);

    request->notes = (struct seat_notes){.seat = seat, .note = note};
    if (note->text != NULL)
        request->bytes += strlen(note->text);
    queue_submit(db, request);
}

void db_get_notes(struct db *db, db_id game, int16_t seat, int32_t after, int32_t limit,
                  db_callback done, void *context)
{
    struct db_request *request = queue_new_request(db, KIND_NOTES, &game, done, context);

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

/* Rows: the member's number, and a note. */
void notes_decode(struct db *db, const struct pg_result *result, struct batch *batch)
{
    for (struct rows rows = {.end = 0}; rows_next(result, &rows);) {
        size_t count = (size_t)(rows.end - rows.first);
        struct db_note *notes = batch_scratch(db, batch, rows.member, count * sizeof(*notes));

        if (notes == NULL)
            continue;
        for (size_t i = 0; i < count; i++) {
            int row = rows.first + (int)i;

            notes[i].ply = wire_get_int4(PQgetvalue(result, row, 1));
            notes[i].text = PQgetvalue(result, row, 2);
            notes[i].at = wire_get_time(PQgetvalue(result, row, 3));
        }
        batch_reply(db, batch, rows.member,
                    &(struct db_reply){.outcome = DB_OK, .notes = notes, .count = count});
    }
}
