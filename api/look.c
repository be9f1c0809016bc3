#include "look.h"

#include <string.h>

#include "handler_common.h"
#include "reply.h"
#include "rules/draw/picture.h"

struct rules_look *look_read(struct request *request)
{
    static const char *const styles[] = {"unicode", "ascii", "ansi"};
    struct rules_look *look = arena_alloc(&request->arena, sizeof(*look));
    const char *style = request_query(request, "style");
    int64_t view;

    rules_look_init(look);
    if (!request_query_int(request, "view", 1, 2, 1, &view))
        return NULL;
    look->view = (unsigned)view;
    if (style == NULL)
        return look;
    for (int i = 0; i < 3; i++)
        if (strcmp(style, styles[i]) == 0) {
            look->style = (enum rules_style)i;
            return look;
        }
    reply_problem_at(request, "bad-parameter", "?style", "unicode, ascii or ansi is expected.");
    return NULL;
}

bool look_mark(struct request *request, struct rules_look *look, const struct game_view *view,
               const char *usual)
{
    const char *marks = request_query(request, "marks");

    if (marks == NULL)
        marks = usual;
    if (strstr(marks, "legal") != NULL && !can_list_moves(request, view))
        return false;
    if (mark_squares(&request->arena, look, view, marks))
        return true;
    reply_problem_at(request, "bad-parameter", "?marks",
                     "A list of last, check, legal and legal:SQUARE is expected.");
    return false;
}

/* ---- pictures ---- */

enum { SIZE_MIN = 32, SIZE_MAX_PIXELS = 4096 };

static bool read_theme(struct request *request, enum rules_theme *theme)
{
    static const char *const themes[RULES_THEMES] = {"light", "dark", "print"};
    const char *name = request_query(request, "theme");

    for (int i = 0; name != NULL && i < RULES_THEMES; i++)
        if (strcmp(name, themes[i]) == 0) {
            *theme = (enum rules_theme)i;
            return true;
        }
    if (name != NULL)
        reply_problem_at(request, "bad-parameter", "?theme", "light, dark or print is expected.");
    return name == NULL;
}

static bool read_coords(struct request *request, bool *coords)
{
    const char *value = request_query(request, "coords");

    *coords = value == NULL || strcmp(value, "true") == 0;
    if (*coords || strcmp(value, "false") == 0)
        return true;
    reply_problem_at(request, "bad-parameter", "?coords", "true or false is expected.");
    return false;
}

struct rules_frame *look_frame(struct request *request)
{
    struct rules_frame *frame = arena_zero(&request->arena, sizeof(*frame));
    int64_t size = 0;

    if (request_query(request, "size") != NULL &&
        !request_query_int(request, "size", SIZE_MIN, SIZE_MAX_PIXELS, 0, &size))
        return NULL;
    frame->width = (unsigned)size;
    return read_theme(request, &frame->theme) && read_coords(request, &frame->coords) ? frame
                                                                                      : NULL;
}

bool look_stacks(struct request *request, struct rules_look *look, struct rules_frame *frame,
                 const struct game_view *view)
{
    const char *stacks = request_query(request, "stacks");
    size_t len = 0;

    if (stacks == NULL)
        return true;
    frame->stacks = strcmp(stacks, "all") == 0;
    if (!frame->stacks)
        len = rules_square_read(view->game->board(view->state), stacks, &look->selected);
    if (frame->stacks || (len > 0 && stacks[len] == '\0'))
        return true;
    reply_problem_at(request, "bad-parameter", "?stacks", "all or a square is expected.");
    return false;
}

void reply_picture(struct request *request, const char *cache, const char *picture)
{
    reply_header(request, "Content-Security-Policy", "default-src 'none'; sandbox");
    reply_header(request, "X-Content-Type-Options", "nosniff");
    reply_document(request, cache, "image/svg+xml; charset=utf-8", picture, strlen(picture));
}
