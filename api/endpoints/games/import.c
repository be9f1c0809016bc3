/*
 * import.c - making a game from a record, in any format of record/.
 *
 * The body is the record, or a JSON object with the record as a text and the terms of the game
 * beside it (create_body.h). A dry run shows what would be stored.
 */
#include <string.h>

#include "api/endpoints/games/create.h"
#include "api/endpoints/games/create_body.h"
#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/import_build.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/admission.h"
#include "api/net/offload.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/record/split.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

struct import {
    struct creation *creation;
    struct import_build build; /* its text is that of the file until the record is chosen */
    int64_t number;            /* of the record in its file; 0: it is the only one */
    const char *charset; /* in which the file came, if it was converted to be split; or NULL */
    size_t others;       /* games in the file */
    bool dry_run;
};

/* ---- reading the request ---- */

static bool read_query(struct import *import)
{
    static const char *const others[] = {"format",  "variant", "game", "dry_run",
                                         "include", "lang",    NULL};
    struct request *request = import->creation->request;

    return import_terms_read(request, others, &import->build.terms) && input_choice(request) &&
           query_bool(request, "dry_run", &import->dry_run) &&
           query_int(request, "game", 1, INT32_MAX, 0, &import->number);
}

/* The body as an object with a record in it. NULL: the body is the record itself. That a body is
 * JSON does not tell, since some formats are JSON too; only the member "record" does. */
static struct json_value *open_wrapper(const struct request *request, struct arena *arena)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    const char *record;

    body = json_read(arena, request->body, request->body_len, &error);
    if (body == NULL)
        return NULL;
    json_fields(&fields, arena, body, &error);
    if (json_take_string(&fields, "record", request->body_len, &record))
        return body;
    json_free(body);
    return NULL;
}

static bool read_wrapper(struct import *import, struct json_value *body)
{
    struct request *request = import->creation->request;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    const char *text;

    json_fields(&fields, &request->arena, body, &error);
    if (json_take_string(&fields, "record", request->body_len, &text))
        import->build.text = body_keep(&fields, text);
    import->build.len = strlen(import->build.text);
    import->creation->game = import->build.terms.game;
    create_body_take_options(import->creation, &fields);
    create_body_take(import->creation, &fields);
    if (import->creation->wishes > 0)
        json_refuse(&fields, PROBLEM_RULE_BAD_OPTION, "options",
                    "Name the game beside options: ?variant=shogi.");
    return body_done(request, body, &fields);
}

/* Takes the terms of a body that has none: all seats are the importer's. */
static bool usual_terms(struct import *import)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *nothing = json_read_nothing();
    struct json_fields fields;

    json_fields(&fields, &import->creation->request->arena, nothing, &error);
    create_body_take(import->creation, &fields);
    return body_done(import->creation->request, nothing, &fields);
}

static bool read_import_body(struct import *import)
{
    struct request *request = import->creation->request;
    struct json_value *wrapper;

    if (request->body_len == 0) {
        reply_problem(request, PROBLEM_BAD_RECORD, "Send the record as the body.");
        return false;
    }
    wrapper = open_wrapper(request, &request->arena);
    if (wrapper != NULL)
        return read_wrapper(import, wrapper);
    import->build.text = request->body;
    import->build.len = request->body_len;
    return usual_terms(import);
}

/* Takes the record out of a file of many. */
static void take_record(struct import *import)
{
    struct record_split split;
    struct record_part part = {import->build.text, import->build.len, 0};

    record_split_init(&split, import->build.text, import->build.len);
    for (int64_t i = 0; i < import->number; i++)
        record_split_next(&split, &part);
    import->build.text = part.bytes;
    import->build.len = part.len;
    import->build.line = part.line;
}

/* A file that is not UTF-16, though it has its mark, is left as it is, and refused by its reader.
 */
static void decode_file(struct import *import)
{
    struct arena *arena = &import->creation->request->arena;
    size_t len;
    char *text =
        record_from_utf16(arena, import->build.text, import->build.len, &len, &import->charset);

    if (text != NULL) {
        import->build.text = text;
        import->build.len = len;
    }
}

static bool choose_record(struct import *import)
{
    struct request *request = import->creation->request;
    const char *detail;
    size_t count;

    decode_file(import);
    count = record_split_count(import->build.text, import->build.len);
    if (import->number > 0 && (uint64_t)import->number > count) {
        detail =
            arena_format(&request->arena, "The file has %zu game%s.", count, count == 1 ? "" : "s");
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?game", detail);
        return false;
    }
    if (import->number == 0 && count > 1) {
        detail = arena_format(&request->arena,
                              "The file has %zu games. Choose one with ?game=1 to ?game=%zu, or "
                              "send the file to POST /v1/me/imports, which imports all of them.",
                              count, count);
        reply_problem(request, PROBLEM_MANY_GAMES, detail);
        return false;
    }
    if (count > 1) {
        import->others = count - 1;
        take_record(import);
    }
    return true;
}

/* ---- the answer ---- */

/* What was read, and what of the record a game has no room for. */
static const char *imported(const struct import *import)
{
    const struct record *record = &import->build.record;
    struct json json;

    json_init(&json, import->creation->draft.arena);
    json_open(&json, '{');
    json_member(&json, "format", record->format->name);
    json_member(&json, "charset", import->charset != NULL ? import->charset : record->charset);
    json_member_int(&json, "plies", (int64_t)record->nmoves);
    json_member_int(&json, "variations", (int64_t)record->nlines);
    json_member_int(&json, "variations_cut", (int64_t)record->cut);
    json_member_int(&json, "games_skipped", (int64_t)import->others);
    if (record->ending.word != NULL)
        json_member(&json, "end", record->ending.word);
    if (record->foul != NULL)
        json_member(&json, "foul", record->foul->move);
    json_close(&json, '}');
    return json.out.text;
}

/* ---- only looking ---- */

static void preview_text(struct request *request, struct draft *draft)
{
    struct game_view view = use_case_draft_view(request, draft, 0);

    reply_text(request, 200,
               arena_format(&request->arena, "This is a dry run: nothing was stored.\n\n%s",
                            view_game_text(&request->arena, &view)));
}

/* The moves of the present line; the log of an imported game may have others beside them. */
static void preview_moves(struct json *json, const struct draft *draft)
{
    size_t plies = (size_t)draft->row.ply;
    size_t *moves = arena_zero(json->out.arena, (plies + 1) * sizeof(*moves));

    to_record_moves(draft->events, draft->nevents, draft->row.line, draft->row.ply, moves);
    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < plies; i++)
        json_string(json, draft->events[moves[i]].move);
    json_close(json, ']');
}

/* Answers a dry run with what would be stored, but for what only a stored game has: id, token and
 * times. */
static void preview(const struct import *import)
{
    struct draft *draft = &import->creation->draft;
    const struct db_game *row = &draft->row;
    struct request *request = import->creation->request;
    struct json json;

    if (request->form == FORM_TEXT) {
        preview_text(request, draft);
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_key(&json, "imported");
    json_raw(&json, import->creation->imported);
    json_member(&json, "variant", row->variant);
    json_key(&json, "options");
    json_raw(&json, row->options);
    json_member(&json, "start", row->start);
    json_member(&json, "position", row->position);
    json_member_int(&json, "ply", row->ply);
    json_member(&json, "status", words_status(row->status));
    if (row->status == STATUS_FINISHED) {
        json_key(&json, "outcome");
        view_outcome(&json, row);
    }
    preview_moves(&json, draft);
    json_finish(&json);
    reply_json(request, 200, &json);
}

/* Reads the record and makes the game, which is stored afterwards unless this answers. */
static void read_import_record(struct request *request, void *args)
{
    struct import *import = args;
    struct record_error error;

    if (!read_import_body(import) || !choose_record(import))
        return;
    if (!import_build(&import->build, &error)) {
        import_refuse(request, &error);
        return;
    }
    import->creation->imported = imported(import);
    if (import->dry_run)
        preview(import);
    else
        create_complete(import->creation);
}

static void store_import(struct request *request, void *args)
{
    const struct import *import = args;

    create_store(request, import->creation);
}

void handle_import(struct request *request)
{
    struct import *import = arena_zero(&request->arena, sizeof(*import));

    import->creation = import->build.creation = create_begin(request);
    if (import->creation != NULL && read_query(import) &&
        (import->dry_run || admission_may_make(request)))
        offload(request, read_import_record, store_import, import);
}
