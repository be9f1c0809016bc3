/* import_record.c - making a game from a record of a file. */
#include "api/endpoints/games/import_record.h"

#include "api/endpoints/games/create.h"
#include "api/endpoints/games/import_build.h"
#include "api/endpoints/games/import_terms.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/net/offload.h"
#include "api/text/json.h"
#include "api/text/problem.h"

struct record_import {
    struct import_record *record;
    struct import_build build;
};

static const char *problem_text(struct request *request, const struct record_error *error)
{
    struct json json;

    json_init(&json, &request->arena);
    json_open(&json, '{');
    reply_problem_members(&json, import_problem(error), error->detail, request->lang);
    import_problem_members(&json, error, request->lang);
    json_member(&json, "request_id", request->id);
    json_close(&json, '}');
    return json.out.text;
}

/* By a worker. */
static void build_record(struct request *request, void *args)
{
    struct record_import *import = args;
    struct record_error error;

    if (import_build(&import->build, &error)) {
        create_complete_quietly(import->build.creation);
        return;
    }
    import->record->problem = problem_text(request, &error);
    reply_empty(request, 200);
}

static void store_record(struct request *request, void *args)
{
    const struct record_import *import = args;

    create_store_quietly(request, import->build.creation);
}

static void set_terms(struct creation *creation, const struct import_record *record)
{
    struct db_game *row = &creation->draft.row;

    row->id = record->id;
    for (int i = 0; i < DB_SEATS; i++)
        row->seat[i].state = SEAT_TAKEN;
    row->undo = UNDO_FREE;
    row->visibility = record->visibility;
    creation->visibility_given = true;
}

/* They were good when the file came. A game may have gone since, with its module. */
static bool read_terms(struct request *request, struct import_record *record,
                       struct import_terms *terms)
{
    static const char *const others[] = {"format", "variant", NULL};

    request->query = record->query;
    if (import_terms_read(request, others, terms))
        return true;
    record->problem = request->reply.body;
    return false;
}

void import_record(struct request *request, struct import_record *record)
{
    struct record_import *import = arena_zero(&request->arena, sizeof(*import));
    struct creation *creation = create_begin(request);

    import->record = record;
    import->build = (struct import_build){.creation = creation,
                                          .text = record->text,
                                          .len = record->len,
                                          .line = record->line,
                                          .unattended = true};
    set_terms(creation, record);
    if (read_terms(request, record, &import->build.terms))
        offload(request, build_record, store_record, import);
}
