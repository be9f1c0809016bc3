/* jobs.c - the jobs of a player: long work that is done beside requests. */
#include <string.h>

#include "api/game/ids.h"
#include "api/game/name.h"
#include "api/game/words.h"
#include "api/handle/handlers.h"
#include "api/http/query.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/play/import.h"
#include "api/play/import_job.h"
#include "api/play/input.h"
#include "api/play/my_tasks.h"
#include "api/table/auth.h"

/* The place of the address. Other texts name no job. */
static bool read_id(struct request *request, db_id *id)
{
    if (!auth_require_player(request))
        return false;
    if (ids_read(request->param[0], id))
        return true;
    reply_problem(request, PROBLEM_NO_SUCH_JOB, NULL);
    return false;
}

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

    if (!auth_require_player(request))
        return;
    wish->query = import_query(request, known);
    if (wish->query != NULL && read_visibility(request, &wish->visibility) &&
        read_name(request, &wish->name) && read_collection(request, wish))
        import_job_make(request, wish);
}

void handle_jobs(struct request *request)
{
    if (input_no_query(request))
        my_tasks_list(request);
}

void handle_job(struct request *request)
{
    db_id id;

    if (input_no_query(request) && read_id(request, &id))
        my_tasks_show(request, id);
}

void handle_job_items(struct request *request)
{
    static const char *const known[] = {"failed", "cursor", "limit", NULL};
    struct my_tasks_page *page = arena_zero(&request->arena, sizeof(*page));
    int64_t after, limit;
    db_id id;

    if (!query_ok(request, known) || !query_bool(request, "failed", &page->failed_only) ||
        !query_int(request, "cursor", 0, INT32_MAX, 0, &after) || !query_limit(request, &limit) ||
        !read_id(request, &id))
        return;
    page->after = (int32_t)after;
    page->limit = (int32_t)limit;
    my_tasks_items(request, id, page);
}

void handle_end_job(struct request *request)
{
    db_id id;

    if (input_no_query(request) && read_id(request, &id))
        my_tasks_end(request, id);
}
