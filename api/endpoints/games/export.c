/* export.c - a game as a record. */
#include <string.h>
#include <strings.h>

#include "api/endpoints/engine/analysis.h"
#include "api/endpoints/engine/annotate.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/game/to_record.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/game_log.h"
#include "api/live/op.h"
#include "api/net/offload.h"
#include "api/record/holds.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/text/out.h"
#include "db/db.h"
#include "rules/rules.h"

struct export_args {
    const char *format; /* its name, or NULL: by Accept */
    const char *charset;
    int64_t line;
    int64_t nodes; /* for which the engine judges each move; 0: it does not */
    const struct record_format *chosen;
    struct game_log log;
    struct record *record; /* to be judged; NULL: there is none yet */
    const char *etag;      /* of the game then, as it is shown to the asker */
};

/* ---- which format ---- */

/* The names of a game's formats, for a sentence. */
static const char *format_names(struct arena *arena, const struct rules_game *game)
{
    const struct record_format *format;
    const char *names = "";

    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (record_serves(format, game))
            names = arena_format(arena, "%s%s%s", names, *names == '\0' ? "" : ", ", format->name);
    return names;
}

/* Where the picture is that somebody looks for who takes it for a format. */
static const char *picture_text(struct request *request, const char *name)
{
    static const char *const pictures[] = {"svg", "png", "gif"};

    for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
        if (strcasecmp(name, pictures[i]) == 0)
            return arena_format(&request->arena, " Its picture is /v1/games/%s/board.svg.",
                                request->param[0]);
    return "";
}

/* The format that Accept names and likes best, the first of several; our own JSON, which has
 * everything, if it names none. */
static const struct record_format *accepted_format(struct request *request,
                                                   const struct rules_game *game)
{
    const char *accept = request_header_list(request, "Accept");
    const struct record_format *best = record_find_format("json"), *format;
    int most = 0;

    for (size_t i = 0; accept != NULL && (format = record_format(i)) != NULL; i++) {
        int weight = record_serves(format, game) ? accept_named(accept, format->media_type) : 0;

        if (weight > most) {
            best = format;
            most = weight;
        }
    }
    return best;
}

/* Chooses the format: by its name or its file's extension, else by Accept. NULL: the game has no
 * such format; that was answered. */
static const struct record_format *choose_format(struct request *request, const char *name,
                                                 const struct rules_game *game)
{
    const struct record_format *format;

    if (name == NULL)
        return accepted_format(request, game);
    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (record_serves(format, game) &&
            (strcmp(format->name, name) == 0 || strcmp(format->extension, name) == 0 ||
             (format->extension_utf8 != NULL && strcmp(format->extension_utf8, name) == 0)))
            return format;
    reply_problem_at(request, PROBLEM_NO_SUCH_FORMAT, "?format",
                     arena_format(&request->arena, "A game of %s can be exported as %s.%s",
                                  game->title, format_names(&request->arena, game),
                                  picture_text(request, name)));
    return NULL;
}

/* ---- export ---- */

static const char *extension(const struct record_format *format, const char *charset)
{
    bool utf8 = charset == NULL || strcmp(charset, "UTF-8") == 0;

    return utf8 && format->extension_utf8 != NULL ? format->extension_utf8 : format->extension;
}

static void reply_record(struct request *request, const struct export_args *args,
                         const struct record *record, const struct out *out)
{
    const struct record_format *format = args->chosen;
    struct arena *arena = &request->arena;
    const char *missing = record_things_text(arena, record_left_out(arena, format, record));

    reply_header(request, "ETag", args->etag);
    reply_private(request);
    reply_header(request, "Content-Disposition",
                 arena_format(arena, "inline; filename=\"%.26s.%s\"", request->param[0],
                              extension(format, args->charset)));
    if (missing != NULL)
        reply_header(request, "Record-Left-Out", missing);
    reply_body(request, 200, record_content_type(arena, format, args->charset), out->text,
               out->len);
}

static void refuse_record(struct request *request, const struct record_error *error)
{
    bool left = error->code == PROBLEM_NEWER_PROGRAM || error->code == PROBLEM_GAME_NOT_LOADED;

    reply_problem(request, left ? error->code : PROBLEM_CANNOT_EXPORT, error->detail);
}

static void write_record(struct request *request, const struct export_args *args,
                         const struct record *record)
{
    struct record_error error;
    struct out out;

    out_init(&out, &request->arena);
    if (record_write(args->chosen, record, args->charset, &out, &error))
        reply_record(request, args, record, &out);
    else
        refuse_record(request, &error);
}

static const char *mark_of_record(const struct op *op, const struct record_format *format)
{
    return look_hears(op) ? format->name
                          : arena_format(&op->request->arena, "%s-withheld", format->name);
}

/* A line that the request names goes out as a whole, what was undone of it included; without one,
 * it is the present line up to the present ply. NULL: it was answered. */
static struct record *make_record(const struct op *op)
{
    const struct export_args *args = op->args;
    const struct db_event *events = look_events(op, args->log.events, args->log.count);
    const struct db_game *row = &op->live->row;
    int32_t line = args->line == 0 ? row->line : (int32_t)args->line;
    struct arena *arena = &op->request->arena;
    struct record *record = arena_alloc(arena, sizeof(*record));
    struct record_error error;

    if (to_record(arena, row, events, args->log.count, line,
                  args->line == 0 ? row->ply : game_log_line_end(&args->log, row, line), record,
                  &error))
        return record;
    refuse_record(op->request, &error);
    return NULL;
}

static void export_game(struct op *op)
{
    const struct export_args *args = op->args;
    const struct record *record = make_record(op);

    if (record != NULL)
        write_record(op->request, args, record);
}

/* ---- a record that the engine has judged ---- */

/* The log is left out: it would tell the moves a second time, without what is thought of them. */
static void prepare_record(struct op *op)
{
    struct export_args *args = op->args;

    args->record = make_record(op);
    if (args->record == NULL)
        return;
    args->record->nevents = 0;
    if (args->record->nmoves > ANALYSIS_PLIES_MAX)
        reply_problem(op->request, PROBLEM_GAME_TOO_LONG, "At most 1000 moves are judged.");
}

static void write_by_worker(struct request *request, void *args)
{
    const struct export_args *asked = args;

    write_record(request, asked, asked->record);
}

static void write_judged(struct request *request, void *args)
{
    offload(request, write_by_worker, NULL, args);
}

static bool charset_fits(struct request *request, const char *charset,
                         const struct record_format *format)
{
    if (charset == NULL || strcmp(charset, "UTF-8") == 0 ||
        (format->shift_jis && strcmp(charset, "Shift_JIS") == 0))
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?charset",
                     format->shift_jis ? "UTF-8 or Shift_JIS is expected."
                                       : "This format is written in UTF-8.");
    return false;
}

/* The whole log is read, even for a line of a few moves: headers, comments and ends stand in events
 * of any place. So everything that can be refused is refused before. */
static enum step step_export(struct op *op)
{
    struct export_args *args = op->args;
    const struct record_format *format;
    enum step step = look_may(op);

    if (step == STEP_GO && args->nodes > 0)
        step = analysis_may(op);
    if (step != STEP_GO)
        return step;
    if (args->record != NULL) {
        annotate_record(op->request, args->record, (uint64_t)args->nodes, write_judged, args);
        return STEP_OVER;
    }
    if (args->line > op->live->row.lines)
        return look_no_such_ply(op);
    format = choose_format(op->request, args->format, op->live->game);
    if (format == NULL || !charset_fits(op->request, args->charset, format) ||
        look_unchanged(op, mark_of_record(op, format)))
        return STEP_OVER;
    args->chosen = format;
    args->etag = reply_shown_etag(op->request, op->live->row.version, mark_of_record(op, format));
    step = game_log_need(op, &args->log);
    if (step != STEP_GO)
        return step;
    return args->nodes == 0 ? op_offload(op, export_game) : op_offload_part(op, prepare_record);
}

static void submit_export(struct request *request, const char *format)
{
    static const char *const known[] = {"format", "charset", "line", "analysis", NULL};
    struct export_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (!query_ok(request, known) || !query_int(request, "line", 1, INT32_MAX, 0, &args->line) ||
        !query_int(request, "analysis", SEARCH_NODES_MIN, ANALYSIS_NODES_MAX, 0, &args->nodes))
        return;
    args->format = format != NULL ? format : query_text(request, "format");
    args->charset = query_text(request, "charset");
    if (input_id(request, &id))
        op_submit(op_new(request, step_export, args), id);
}

void handle_export(struct request *request)
{
    submit_export(request, NULL);
}

void handle_export_file(struct request *request)
{
    submit_export(request, request->param[1]);
}

/* ---- import ---- */
