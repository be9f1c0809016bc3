/* assets.c - the files that pages load: at addresses of their own, and below the build. */

#include <stddef.h>
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/files.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/route.h"
#include "api/text/arena.h"

static const char check_it[] = "no-cache", keep_it[] = "public, max-age=31536000, immutable";

static void reply_asset(struct request *request, const char *cache, const struct file *file)
{
    if (!input_no_query(request))
        return;
    reply_file(request, cache, file->type, file);
}

/* Each such file has a route of its own, whose pattern is its path. */
void handle_asset(struct request *request)
{
    reply_asset(request, check_it, files_find(request->route->pattern));
}

/* What browsers ask for by themselves where a document names no icon. */
void handle_icon(struct request *request)
{
    reply_asset(request, check_it, files_find("favicon.svg"));
}

/* The worker of the pages. It keeps files, so it has to know of which build they are: its text says
 * so, and another build is another worker. */
void handle_worker(struct request *request)
{
    const struct file *file = files_find("sw.js");
    const char *text;

    if (!input_no_query(request))
        return;
    text = arena_format(&request->arena, "const BUILD = \"%s\";\n%s", files_build(), file->text);
    reply_header(request, "Content-Security-Policy", "default-src 'none'; connect-src 'self'");
    reply_document(request, check_it, file->type, text, strlen(text));
}

/* The page may come from a daemon of another build. Then this file is the best that there is, but
 * nothing to keep under that address. */
void handle_asset_of_build(struct request *request)
{
    const struct file *file = files_find(request->param[1]);

    if (file == NULL)
        reply_problem(request, PROBLEM_NO_SUCH_ROUTE, NULL);
    else
        reply_asset(request, strcmp(request->param[0], files_build()) == 0 ? keep_it : check_it,
                    file);
}
