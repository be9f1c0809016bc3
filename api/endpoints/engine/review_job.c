#include "api/endpoints/engine/review_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/endpoints/engine/analysis.h"
#include "api/endpoints/engine/search_payer.h"
#include "api/endpoints/library/jobs.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/prefer.h"
#include "api/live/ask.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/net/offload.h"
#include "api/text/must.h"
#include "api/text/options.h"
#include "api/text/out.h"
#include "db/tasks.h"

/* ---- the file: what is to be judged, a line each ----
 *
 * The variant, its options, the position, ply and nodes, the keys, and then each move. */

static const char *write_file(struct arena *arena, const struct review_line *line,
                              const char *options)
{
    size_t from = line->nkeys > SEARCH_PAST_MAX ? line->nkeys - SEARCH_PAST_MAX : 0;
    char position[RULES_POSITION_TEXT];
    struct out out;

    line->game->position_text(line->start, position);
    out_init(&out, arena);
    out_format(&out, "%s\n%s\n%s\n%d %" PRIu64 "\n", line->game->name, options, position, line->ply,
               line->nodes);
    for (size_t i = from; i < line->nkeys; i++)
        out_format(&out, "%" PRIx64 " ", line->keys[i]);
    for (size_t i = 0; i < line->nmoves; i++)
        out_format(&out, "\n%s", line->moves[i]);
    return out.text;
}

/* The line that begins at *at, without its end. "" behind the last one. */
static char *next_review_line(char **at)
{
    char *line = *at, *end = line + strcspn(line, "\n");

    *at = *end == '\0' ? end : end + 1;
    *end = '\0';
    return line;
}

static void read_keys(struct arena *arena, char *text, struct review_line *line)
{
    uint64_t *keys = arena_alloc(arena, (strlen(text) / 2 + 1) * sizeof(*keys));
    char *end;

    for (; *text != '\0'; text = end + (*end == ' '))
        keys[line->nkeys++] = strtoull(text, &end, 16);
    line->keys = keys;
}

static void read_review_moves(struct arena *arena, char *text, struct review_line *line)
{
    const char **moves = arena_alloc(arena, (strlen(text) / 2 + 1) * sizeof(*moves));

    while (*text != '\0')
        moves[line->nmoves++] = next_review_line(&text);
    line->moves = moves;
}

/* False: it was written by another version, or damaged. */
static bool read_review_file(struct arena *arena, char *text, struct review_line *line)
{
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct rules_options options;
    struct rules_refusal why;
    const char *position, *given;

    *line = (struct review_line){.game = rules_find(next_review_line(&text)), .start = state};
    given = next_review_line(&text);
    position = next_review_line(&text);
    if (line->game == NULL || !options_from_json(line->game, arena, given, &options, &error) ||
        !rules_load(line->game, &options, position, state, &why) ||
        sscanf(next_review_line(&text), "%d %" SCNu64, &line->ply, &line->nodes) != 2)
        return false;
    read_keys(arena, next_review_line(&text), line);
    read_review_moves(arena, text, line);
    return true;
}

/* The nodes of each search, before the file is read. */
static uint64_t nodes_of(const char *file)
{
    uint64_t nodes = 0;
    const char *at = file;

    for (int i = 0; i < 3 && at != NULL; i++) {
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    if (at != NULL)
        sscanf(at, "%*d %" SCNu64, &nodes);
    return nodes;
}

/* ---- making the task ---- */

struct making {
    struct task_order order;
    uint64_t nodes; /* in all */
};

bool review_job_is_wanted(struct request *request)
{
    return request->player != NULL && prefer_async(request_header_list(request, "Prefer"));
}

static void send_file(void *context)
{
    struct making *making = context;

    search_payer_nodes(making->order.request, making->nodes);
    my_tasks_send(&making->order);
}

static const char *params_text(struct arena *arena, const struct review_line *line, const db_id *id)
{
    struct json json;
    char text[IDS_TEXT];

    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "variant", line->game->name);
    if (id != NULL) {
        ids_text(*id, text);
        json_member(&json, "game", text);
    }
    json_member_int(&json, "after", line->ply);
    json_member_int(&json, "moves", (int64_t)line->nmoves);
    json_member_int(&json, "nodes", (int64_t)line->nodes);
    json_close(&json, '}');
    return json.out.text;
}

void review_job_make(struct request *request, const struct review_line *line, const char *options,
                     const db_id *id)
{
    struct making *making = arena_zero(&request->arena, sizeof(*making));
    const char *file = write_file(&request->arena, line, options), *key, *question;

    if (!idempotency_text(request, &key))
        return;
    /* Not what is judged: the game may have gone on since the first request. */
    question = arena_format(&request->arena, "%s %s", request->url,
                            request->body == NULL ? "" : request->body);
    making->nodes = line->nodes * (line->nmoves + 1);
    making->order = (struct task_order){
        .request = request,
        .making.task = {.id = my_tasks_id(request, TASK_ANALYSIS, key, question),
                        .kind = TASK_ANALYSIS,
                        .size = (int64_t)line->nmoves,
                        .params = params_text(&request->arena, line, id)},
        .file = file,
        .len = strlen(file),
        .begin = send_file,
        .context = making};
    my_tasks_make(&making->order);
}

/* ---- working on it ---- */

/* All that a run has of its task. A thinker has it alone meanwhile. */
struct work_at {
    struct arena arena;
    char *file;              /* until it is read */
    uint64_t nodes;          /* of each search */
    struct review *judging;  /* NULL: nothing was searched yet */
    struct review_tally now; /* what came out until now, also before this run: the task's mark */
};

struct piece {
    struct task_run *run;
    struct judged judged;
    bool done, broken;
};

static void review_job_leave(struct task_run *run)
{
    struct work_at *at = run->memory;

    arena_free(&at->arena);
    free(at);
}

static const char *mark_text(struct arena *arena, const struct review_tally *tally)
{
    struct out out;

    out_init(&out, arena);
    out_format(&out, "%" PRIu64, tally->nodes);
    for (int i = 0; i < RULES_SEATS * VERDICTS; i++)
        out_format(&out, " %d", tally->count[i / VERDICTS][i % VERDICTS]);
    return out.text;
}

static void read_review_mark(const char *text, struct review_tally *tally)
{
    char *end;

    tally->nodes = strtoull(text, &end, 10);
    for (int i = 0; i < RULES_SEATS * VERDICTS; i++)
        tally->count[i / VERDICTS][i % VERDICTS] = (int)strtol(end, &end, 10);
}

/* Reads the file, and plays the moves that are judged already. */
static bool begin_review(struct work_at *at, int64_t place)
{
    struct review_line line;

    if (!read_review_file(&at->arena, at->file, &line) || (int64_t)line.nmoves < place)
        return false;
    at->judging = review_new(&at->arena, &line);
    return review_skip(at->judging, (size_t)place);
}

/* On a thinker's thread: judges a move. Where the run begins, the position before it comes first.
 */
static void search_review_line(struct request *request, void *args, struct thought *thought)
{
    struct piece *piece = args;
    struct work_at *at = piece->run->memory;
    bool begins = at->judging == NULL;

    piece->broken = begins && !begin_review(at, piece->run->task.place);
    piece->done = !piece->broken &&
                  (!begins || review_next(at->judging, thought, &request->arena, &piece->judged));
    if (piece->done && !review_is_over(at->judging))
        piece->done = review_next(at->judging, thought, &request->arena, &piece->judged);
    at->now.nodes += thought->nodes;
    if (piece->done && piece->judged.move != NULL)
        at->now.count[piece->judged.seat - 1][piece->judged.verdict]++;
}

static const char *item_text(struct arena *arena, const struct judged *judged)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_member_int(&json, "number", judged->ply);
    analysis_write_judged(&json, judged);
    json_close(&json, '}');
    return json.out.text;
}

static const char *review_result_text(struct arena *arena, const struct review_tally *tally)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    analysis_write_tally(&json, tally);
    json_close(&json, '}');
    return json.out.text;
}

static void store_review_piece(const struct piece *piece)
{
    struct task_run *run = piece->run;
    const struct work_at *at = run->memory;
    struct arena *arena = &run->request->arena;
    struct db_task_item *item = arena_alloc(arena, sizeof(*item)); /* it is sent later */
    bool moved = piece->judged.move != NULL, over = review_is_over(at->judging);

    *item = (struct db_task_item){.number = piece->judged.ply};
    if (moved)
        item->data = item_text(arena, &piece->judged);
    tasks_store(run,
                &(struct task_piece){.state = over ? TASK_DONE : 0,
                                     .size = run->task.size,
                                     .place = run->task.place + moved,
                                     .mark = mark_text(arena, &at->now),
                                     .result = over ? review_result_text(arena, &at->now) : NULL,
                                     .items = item,
                                     .count = moved});
}

static void fail_review(struct task_run *run)
{
    tasks_store(
        run, &(struct task_piece){.state = TASK_FAILED,
                                  .size = run->task.size,
                                  .place = run->task.place,
                                  .result = "{\"detail\":\"The moves cannot be read any more.\"}"});
}

/* A request that is answered was refused a thinker: the task waits until its lease is over. */
static void on_searched(struct request *request, void *args)
{
    const struct piece *piece = args;

    if (request->reply.status != 0)
        return;
    if (piece->broken)
        fail_review(piece->run);
    else if (piece->done)
        store_review_piece(piece);
    else
        tasks_give_up(piece->run);
}

static void begin_review_piece(struct task_run *run)
{
    struct piece *piece = arena_zero(&run->request->arena, sizeof(*piece));
    const struct work_at *at = run->memory;

    piece->run = run;
    offload_think(run->request, at->nodes, search_review_line, on_searched, piece);
}

static void know_file(void *context, const struct db_reply *reply,
                      const struct db_task_parts *parts)
{
    struct task_run *run = context;
    struct work_at *at = run->memory;

    if (reply->outcome != DB_OK) {
        tasks_give_up(run);
    } else if (parts->count != 1) {
        fail_review(run);
    } else {
        at->file = arena_copy(&at->arena, parts->items[0].bytes, parts->items[0].len);
        at->nodes = nodes_of(at->file);
        begin_review_piece(run);
    }
}

static void review_job_step(struct task_run *run)
{
    struct work_at *at = run->memory;

    if (at != NULL) {
        begin_review_piece(run);
        return;
    }
    run->memory = at = must_zero(sizeof(*at));
    if (run->task.mark != NULL)
        read_review_mark(run->task.mark, &at->now);
    db_get_task_parts(db_of(run->request), run->task.owner, run->task.id, 0,
                      ASK_ALSO(task_parts, run->request, ASK_ALL, know_file, run));
}

const struct task_kind review_job = {.number = TASK_ANALYSIS,
                                     .at_once = 4,
                                     .kept = 64,
                                     .step = review_job_step,
                                     .leave = review_job_leave};
