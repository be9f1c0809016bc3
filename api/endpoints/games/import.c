/* import.c - making a game from a record. */
#include <string.h>

#include "api/endpoints/engine/annotate.h"
#include "api/endpoints/games/create.h"
#include "api/endpoints/games/create_body.h"
#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/import.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/from_record.h"
#include "api/game/name.h"
#include "api/game/opponent.h"
#include "api/game/record_extras.h"
#include "api/game/row.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/op.h"
#include "api/loop/admission.h"
#include "api/net/offload.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/record/split.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

struct import {
    struct creation *creation;
    struct record record;
    const struct record_format *format; /* NULL: it is recognised */
    struct record_hint hint;
    struct rules_options asked; /* in the query */
    int64_t number;             /* of the record in its file; 0: it is the only one */
    bool quiet;                 /* one of a file that a job imports: `text` is the record */
    int16_t visibility;         /* of such a one */
    const char *text;           /* of the file; of the record, once that is chosen */
    size_t len;
    const char *charset; /* in which the file came, if it was converted to be split; or NULL */
    size_t others;       /* games in the file */
    size_t line;         /* lines of the file before the record */
    bool dry_run;
};

/* ---- reading the request ---- */

static bool read_format(struct request *request, const char *name,
                        const struct record_format **format)
{
    if (name == NULL)
        return true;
    *format = record_find_format(name);
    if (*format == NULL)
        reply_problem_at(request, PROBLEM_NO_SUCH_FORMAT, "?format", NULL);
    return *format != NULL;
}

/* The only game that a format serves. NULL: there are several, or no format is named. */
static const struct rules_game *game_of_format(const char *name)
{
    const struct record_format *format = name == NULL ? NULL : record_find_format(name);
    const struct rules_game *game = NULL;

    for (size_t i = 0; format != NULL && i < rules_games(); i++) {
        if (!record_serves(format, rules_game(i)))
            continue;
        if (game != NULL)
            return NULL;
        game = rules_game(i);
    }
    return game;
}

/* Without a name the format tells which game it is, or the options. */
static bool find_unnamed_game(struct request *request, const struct rules_game **game)
{
    *game = game_of_format(query_text(request, "format"));
    return *game != NULL || input_options_game(request, game);
}

static bool read_import_game(struct import *import)
{
    struct request *request = import->creation->request;
    const char *variant = query_text(request, "variant");

    if (variant == NULL)
        return find_unnamed_game(request, &import->hint.game);
    import->hint.game = rules_find(variant);
    if (import->hint.game != NULL)
        return true;
    reply_problem_at(request, PROBLEM_NO_SUCH_VARIANT, "?variant", NULL);
    return false;
}

static bool read_options(struct import *import)
{
    rules_options_init(&import->asked);
    return import->hint.game == NULL ||
           input_options(import->creation->request, import->hint.game, &import->asked);
}

static bool read_query(struct import *import)
{
    static const char *const names[] = {"format",  "variant", "game", "dry_run",
                                        "include", "lang",    NULL};
    struct request *request = import->creation->request;

    return read_import_game(import) &&
           query_ok(request, input_option_names(&request->arena, import->hint.game, names)) &&
           input_choice(request) && query_bool(request, "dry_run", &import->dry_run) &&
           query_int(request, "game", 1, INT32_MAX, 0, &import->number) &&
           read_format(request, query_text(request, "format"), &import->format) &&
           read_options(import);
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
        import->text = body_keep(&fields, text);
    import->len = strlen(import->text);
    import->creation->game = import->hint.game;
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

/* Nobody holds a seat of a job's game. So the games of a file, however many, are none of those that
 * are looked through for a player at each request. */
static void quiet_terms(struct import *import)
{
    struct db_game *row = &import->creation->draft.row;

    for (int i = 0; i < DB_SEATS; i++)
        row->seat[i].state = SEAT_TAKEN;
    row->undo = UNDO_FREE;
    row->visibility = import->visibility;
    import->creation->visibility_given = true;
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
    import->text = request->body;
    import->len = request->body_len;
    return usual_terms(import);
}

/* Takes the record out of a file of many. */
static void take_record(struct import *import)
{
    struct record_split split;
    struct record_part part = {import->text, import->len, 0};

    record_split_init(&split, import->text, import->len);
    for (int64_t i = 0; i < import->number; i++)
        record_split_next(&split, &part);
    import->text = part.bytes;
    import->len = part.len;
    import->line = part.line;
}

/* A file that is not UTF-16, though it has its mark, is left as it is, and refused by its reader.
 */
static void decode_file(struct import *import)
{
    struct arena *arena = &import->creation->request->arena;
    size_t len;
    char *text = record_from_utf16(arena, import->text, import->len, &len, &import->charset);

    if (text != NULL) {
        import->text = text;
        import->len = len;
    }
}

static bool choose_record(struct import *import)
{
    struct request *request = import->creation->request;
    const char *detail;
    size_t count;

    decode_file(import);
    count = record_split_count(import->text, import->len);
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

/* Options of the query count more than those of a body. */
static void merge_options(struct import *import)
{
    struct rules_options *options = &import->creation->options;

    for (size_t i = 0; i < RULES_OPTIONS_MAX; i++)
        if (import->asked.given & 1U << i) {
            options->value[i] = import->asked.value[i];
            options->given |= 1U << i;
        }
    if (import->asked.position != NULL)
        options->position = import->asked.position;
    import->hint.options = options;
    import->hint.lang = import->creation->request->lang;
}

void import_refuse(struct request *request, const struct record_error *error)
{
    /* "game-over" is a conflict with the state of a game, 409. There is no game yet: here it means
     * that the record has moves after the end. */
    enum problem problem = error->code == PROBLEM_RULE_GAME_OVER ? PROBLEM_BAD_RECORD : error->code;
    struct json json;

    reply_problem_open(request, &json, problem, error->detail);
    if (error->line > 0)
        json_member_int(&json, "record_line", (int64_t)error->line);
    if (error->column > 0)
        json_member_int(&json, "record_column", (int64_t)error->column);
    if (error->ply > 0)
        json_member_int(&json, "at", error->ply - 1);
    if (error->move != NULL)
        json_member(&json, "move", error->move);
    if (error->game != NULL)
        view_refusal(&json, error->game, error->state, &error->refusal, request->lang);
    reply_problem_send(request, &json, problem);
}

/* ---- making it ---- */

/* Whether the record's seats are such as POST /v1/games could have made. Only names may be longer
 * here: those of a record are kept whole. */
static bool check_seats(const struct import *import)
{
    struct request *request = import->creation->request;

    for (int i = 0; i < DB_SEATS; i++) {
        const char *name = import->record.name[i];
        uint32_t unfit = name == NULL ? 0 : name_unfit(name);

        if (unfit != 0) {
            reply_problem(request, PROBLEM_BAD_RECORD,
                          arena_format(&request->arena,
                                       "A player's name has the character U+%04X, which may not "
                                       "stand there: it cannot be seen, or it disturbs the text "
                                       "around it.",
                                       unfit));
            return false;
        }
    }
    return true;
}

/* Whether the computer keeps a seat of the record. Where a job's game goes on, it would play
 * against nobody. */
static bool engine_stays(const struct import *import, const struct db_seat *seat)
{
    const struct creation *creation = import->creation;

    return seat->state == SEAT_ENGINE && !creation->seats_given &&
           !(import->quiet && draft_goes_on(&creation->draft));
}

/* Fills a seat in which from_record() put what the record says. What the request says counts more;
 * where it says nothing, the computer keeps its seats, and the importer gets the others. */
static void fill_seat(const struct import *import, const struct db_seat *terms, int i)
{
    struct creation *creation = import->creation;
    struct db_seat *seat = &creation->draft.row.seat[i];
    bool as_told = seat->name == NULL || (creation->seats_given && terms->name != NULL);
    const char *name = as_told ? terms->name : seat->name;

    if (engine_stays(import, seat))
        creation->mine &= ~seat_bit(i + 1);
    else
        *seat = *terms;
    seat->name = name;
}

/* The clock begins now, whenever the moves of the record were played, and an event says so. */
static void begin_clock(struct draft *draft, int64_t now)
{
    record_extras_forget_clock(draft);
    draft->now = now;
    draft_data(draft, draft_event(draft, EVENT_RESUMED, 0), "\"begins\":true");
}

/* Two engines would play with nobody there. */
static bool is_played_by_somebody(const struct draft *draft, struct record_error *error)
{
    const struct db_seat *seat = draft->row.seat;

    if (seat[0].state != SEAT_ENGINE || seat[1].state != SEAT_ENGINE ||
        !(opponent_thinks(&seat[0]) || opponent_thinks(&seat[1])))
        return true;
    *error = (struct record_error){
        .code = PROBLEM_BAD_RECORD,
        .detail = "Both seats have engines. Say beside the record who plays: \"seats\"."};
    return false;
}

/* Makes the record's game under the terms of the request, which are in the draft's row until
 * from_record() begins the draft anew. The id follows from the key and stays. */
static bool build(struct import *import, struct record_error *error)
{
    struct creation *creation = import->creation;
    struct draft *draft = &creation->draft;
    struct db_game terms = draft->row;
    int64_t now = draft->now;
    int32_t from;

    creation->game = import->record.game;
    if (!from_record(draft->arena, &import->record, draft->now, draft, error))
        return false;
    draft->row.id = terms.id;
    draft->row.undo = terms.undo;
    draft->row.visibility = terms.visibility;
    if (!creation->visibility_given && import->record.visibility != NULL &&
        strcmp(import->record.visibility, words_visibility(VISIBILITY_PRIVATE)) == 0)
        draft->row.visibility = VISIBILITY_PRIVATE;
    if (import->record.nevents == 0)
        draft->row.seed = terms.seed;
    for (int i = 0; i < DB_SEATS; i++)
        fill_seat(import, &terms.seat[i], i);
    if (!is_played_by_somebody(draft, error))
        return false;
    if (row_has_open_seat(&draft->row) && draft_goes_on(draft))
        draft->row.status = STATUS_OPEN;
    draft_answer(draft, &from); /* the whole past is here: no keys are missing */
    if (creation->clock != NULL)
        begin_clock(draft, now);
    return true;
}

/* What was read, and what of the record a game has no room for. */
static const char *imported(const struct import *import)
{
    const struct record *record = &import->record;
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

/* Each event of a log is stored as one, whether or not it is a move. So is the beginning of a
 * clock.
 */
static size_t plies_of(const struct import *import)
{
    const struct record *record = &import->record;

    size_t n = record->nevents > 0 ? record->nevents - 1 : record->nmoves;

    for (size_t i = 0; i < record->nlines; i++)
        n += record->lines[i].nmoves + 2; /* with an undo to its beginning, and one back */
    return n + (import->creation->clock != NULL);
}

/* Reads the record and makes the game, which is stored afterwards unless this answers. */
static void read_import_record(struct request *request, void *args)
{
    struct import *import = args;
    struct record_error error;

    if (import->quiet)
        quiet_terms(import);
    else if (!read_import_body(import) || !choose_record(import))
        return;
    merge_options(import);
    if (!record_read(&request->arena, import->text, import->len, import->format, &import->hint,
                     &import->record, &error)) {
        error.line += error.line > 0 ? import->line : 0;
        import_refuse(request, &error);
        return;
    }
    if (!check_seats(import))
        return;
    if (!create_long_ok(import->creation, plies_of(import)))
        return;
    if (!build(import, &error)) {
        error.line += error.line > 0 ? import->line : 0;
        import_refuse(request, &error);
        return;
    }
    if (import->quiet) {
        create_complete_quietly(import->creation);
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

    if (import->quiet)
        create_store_quietly(request, import->creation);
    else
        create_store(request, import->creation);
}

/* Reads the body, makes and stores the game, and answers. */
static void import_game(struct request *request)
{
    struct import *import = arena_zero(&request->arena, sizeof(*import));

    import->creation = create_begin(request);
    if (import->creation != NULL && read_query(import) &&
        (import->dry_run || admission_may_make(request)))
        offload(request, read_import_record, store_import, import);
}

/* ---- for jobs ---- */

static bool import_begins_with(const char *text, size_t len, const char *with)
{
    return len >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* The parameters of the query that say how to read records, as they came. */
static const char *record_query(struct request *request)
{
    const char *query = "", *at = request->query;

    while (*at != '\0') {
        size_t len = strcspn(at, "&");

        if (import_begins_with(at, len, "format=") || import_begins_with(at, len, "variant=") ||
            import_begins_with(at, len, "options."))
            query = arena_format(&request->arena, "%s%s%.*s", query, *query == '\0' ? "" : "&",
                                 (int)len, at);
        at += len + (at[len] == '&');
    }
    return query;
}

const char *import_query(struct request *request, const char *const *others)
{
    struct creation creation = {.request = request};
    struct import import = {.creation = &creation};

    if (!read_import_game(&import) ||
        !query_ok(request, input_option_names(&request->arena, import.hint.game, others)) ||
        !read_format(request, query_text(request, "format"), &import.format) ||
        !read_options(&import))
        return NULL;
    return record_query(request);
}

void import_record(struct request *request, const struct import_record *record)
{
    struct import *import = arena_zero(&request->arena, sizeof(*import));
    struct creation *creation = create_begin(request);

    import->quiet = true;
    import->text = request->body;
    import->len = request->body_len;
    import->creation = creation;
    import->visibility = record->visibility;
    import->line = record->line;
    creation->draft.row.id = record->id;
    if (read_query(import))
        offload(request, read_import_record, store_import, import);
}

/* ---- requests ---- */

void handle_import(struct request *request)
{
    import_game(request);
}
