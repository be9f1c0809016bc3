/* import_job_make.c - storing a file of many games, whose import is a job. */
#include <string.h>
#include <time.h>

#include "api/endpoints/games/import_terms.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/library/collections.h"
#include "api/endpoints/library/jobs.h"
#include "api/game/ids.h"
#include "api/game/name.h"
#include "api/game/words.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/record/archive.h"
#include "api/text/json.h"
#include "db/library.h"

/* What the query says. */
struct import_wish {
    const char *query; /* format, variant and options: import_terms_query() */
    const char *name;  /* of the file, as the client calls it; or NULL */
    bool has_collection;
    db_id collection; /* to which the games are added; else one is made with the task */
    int16_t visibility;
};

struct upload {
    struct request *request;
    const struct import_wish *wish;
    struct task_order order;
    struct db_collection collection;
};

static const char *params_text(const struct upload *upload)
{
    const struct import_wish *wish = upload->wish;
    char collection[IDS_TEXT];
    struct json json;

    ids_text(upload->collection.id, collection);
    json_init(&json, &upload->request->arena);
    json_open(&json, '{');
    if (wish->name != NULL)
        json_member(&json, "file", wish->name);
    json_member_int(&json, "bytes", (int64_t)upload->request->body_len);
    json_member(&json, "query", wish->query);
    json_member(&json, "visibility", words_visibility(wish->visibility));
    json_member(&json, "collection", collection);
    json_close(&json, '}');
    return json.out.text;
}

/* ---- its collection ---- */

/* The name of the file, as far as one of a collection may go. */
static const char *collection_name(const struct upload *upload)
{
    struct arena *arena = &upload->request->arena;
    const char *name = upload->wish->name == NULL ? "" : name_cut(arena, upload->wish->name);
    time_t now = (time_t)(upload->collection.created_at / 1000000);
    char today[32];
    struct tm tm;

    if (name_refusal(arena, name) == NULL)
        return name;
    strftime(today, sizeof(today), "%Y-%m-%d", gmtime_r(&now, &tm));
    return arena_format(arena, "Imported games %s", today);
}

static void refuse_collection(struct request *request)
{
    reply_problem(request, PROBLEM_TOO_MANY_COLLECTIONS, NULL);
}

static void have_collection(void *context, const struct db_reply *reply)
{
    struct upload *upload = context;

    if (reply->outcome == DB_OK)
        my_tasks_send(&upload->order);
    else
        refuse_collection(upload->request);
}

/* The task is there and waits for its file. Making the collection again, when a request is
 * repeated, makes no second one. */
static void begin_upload(void *context)
{
    struct upload *upload = context;
    const struct request *request = upload->request;

    if (upload->wish->has_collection)
        my_tasks_send(&upload->order);
    else
        db_set_collection(db_of(request), request->player->id, &upload->collection,
                          ASK_ALSO(done, upload->request, ASK_CONFLICT, have_collection, upload));
}

/* ---- the task ---- */

/* That there is room for a collection is asked before there is a task, which would wait in vain. */
static void choose_collection(void *context, const struct db_collections *collections)
{
    struct upload *upload = context;
    struct request *request = upload->request;
    bool wanted = upload->wish->has_collection;

    if (collections_among(collections, upload->collection.id) != NULL ||
        (!wanted && collections->count < DB_COLLECTIONS_MAX))
        my_tasks_make(&upload->order);
    else if (wanted)
        reply_problem_at(request, PROBLEM_NO_SUCH_COLLECTION, "?collection", NULL);
    else
        refuse_collection(request);
}

static bool is_import_answer_readable(struct request *request)
{
    struct archive archive;

    if (request->body_len == 0)
        reply_problem(request, PROBLEM_BAD_RECORD, "Send the file as the body.");
    else if (archive_is(request->body, request->body_len) &&
             !archive_open(&archive, request->body, request->body_len))
        reply_problem(request, PROBLEM_BAD_RECORD,
                      "The archive is broken or not complete: its directory is not found.");
    else
        return true;
    return false;
}

enum { COUNTED_BYTES = 64 << 10 };

/* Stores the body and makes the task, and answers.
 *
 * What a file makes of the store is in proportion to its length, so it is counted like making a
 * game for each 64 KiB. It may be long and is not hashed: the same key means the same file. */
static void import_file(struct request *request, const struct import_wish *wish)
{
    struct upload *upload = arena_zero(&request->arena, sizeof(*upload));
    const char *key;
    db_id id;

    if (!is_import_answer_readable(request) || !idempotency_text(request, &key) ||
        !admission_may_make(request))
        return;
    admission_worth(request, 1 + (int64_t)request->body_len / COUNTED_BYTES);
    id = my_tasks_id(request, TASK_IMPORT, key, "");
    upload->request = request;
    upload->wish = wish;
    upload->collection = (struct db_collection){.id = wish->has_collection ? wish->collection : id,
                                                .created_at = db_now(db_of(request))};
    upload->collection.name = collection_name(upload);
    upload->order = (struct task_order){.request = request,
                                        .making.task = {.id = id,
                                                        .kind = TASK_IMPORT,
                                                        .size = (int64_t)request->body_len,
                                                        .params = params_text(upload)},
                                        .by_key = true,
                                        .file = request->body,
                                        .len = request->body_len,
                                        .begin = begin_upload,
                                        .context = upload};
    db_get_collections(db_of(request), request->player->id,
                       ASK(collections, request, choose_collection, upload));
}

/* ---- requests ---- */

/* The words of words.h, by their numbers. Nobody holds a seat of these games, so nobody could see
 * private ones. */
static bool read_visibility(struct request *request, int16_t *visibility)
{
    const char *word = query_text(request, "visibility");

    *visibility = VISIBILITY_UNLISTED;
    if (word == NULL)
        return true;
    for (int16_t i = VISIBILITY_PUBLIC; i <= VISIBILITY_UNLISTED; i++)
        if (strcmp(word, words_visibility(i)) == 0) {
            *visibility = i;
            return true;
        }
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?visibility",
                     "public or unlisted is expected. For a private game, import it alone with "
                     "POST /v1/games/import, or fork it.");
    return false;
}

static bool read_name(struct request *request, const char **name)
{
    *name = query_text(request, "file");
    if (*name == NULL || (strlen(*name) <= 200 && name_unfit(*name) == 0))
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?file",
                     "A name of up to 200 bytes, without control characters, is expected.");
    return false;
}

static bool read_collection(struct request *request, struct import_wish *wish)
{
    const char *text = query_text(request, "collection");

    wish->has_collection = text != NULL;
    if (text == NULL || ids_read(text, &wish->collection))
        return true;
    reply_problem_at(request, PROBLEM_NO_SUCH_COLLECTION, "?collection", NULL);
    return false;
}

void handle_import_file(struct request *request)
{
    static const char *const known[] = {"format", "variant",    "visibility",
                                        "file",   "collection", NULL};
    struct import_wish *wish = arena_zero(&request->arena, sizeof(*wish));
    struct import_terms terms; /* they are read again when the file is */

    wish->query = import_terms_query(request);
    if (import_terms_read(request, known, &terms) && read_visibility(request, &wish->visibility) &&
        read_name(request, &wish->name) && read_collection(request, wish))
        import_file(request, wish);
}
