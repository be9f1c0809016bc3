#include "api/endpoints/board_query.h"

#include <string.h>

#include "api/endpoints/look.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/view/board.h"
#include "rules/draw/art.h"
#include "rules/draw/picture.h"
#include "rules/draw/textboard.h"

struct rules_look *board_query_look(struct request *request)
{
    static const char *const styles[] = {"unicode", "ascii", "ansi", "figures"};
    struct rules_look *look = arena_alloc(&request->arena, sizeof(*look));
    const char *style = query_text(request, "style");
    int64_t view;

    rules_look_init(look);
    if (!query_int(request, "view", 1, 2, 1, &view))
        return NULL;
    look->view = (unsigned)view;
    if (style == NULL)
        return look;
    for (int i = 0; i < 4; i++)
        if (strcmp(style, styles[i]) == 0) {
            look->style = (enum rules_style)i;
            if (look->style == RULES_STYLE_ASCII)
                request->lang = NULL; /* other languages need more than ASCII */
            return look;
        }
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?style",
                     "unicode, ascii, ansi or figures is expected.");
    return NULL;
}

bool board_query_mark(struct request *request, struct rules_look *look,
                      const struct game_view *view)
{
    const char *marks = query_text(request, "marks");

    if (marks == NULL)
        marks = view_usual_marks;
    if (strstr(marks, "legal") != NULL && !look_can_list(request, view))
        return false;
    if (view_mark_squares(&request->arena, look, view, marks))
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?marks",
                     "A list of last, check, win, taken, legal and legal:SQUARE is expected.");
    return false;
}

/* ---- pictures ---- */

enum { SIZE_MIN = 32, IDS_MAX = 32 };

static const char ids_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

static bool read_theme(struct request *request, enum rules_theme *theme)
{
    static const char *const themes[RULES_THEMES] = {"light", "dark", "print"};
    const char *name = query_text(request, "theme");

    for (int i = 0; name != NULL && i < RULES_THEMES; i++)
        if (strcmp(name, themes[i]) == 0) {
            *theme = (enum rules_theme)i;
            return true;
        }
    if (name != NULL)
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?theme",
                         "light, dark or print is expected.");
    return name == NULL;
}

static bool read_coords(struct request *request, bool *coords)
{
    const char *value = query_text(request, "coords");

    *coords = value == NULL || strcmp(value, "true") == 0;
    if (*coords || strcmp(value, "false") == 0)
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?coords", "true or false is expected.");
    return false;
}

/* Reads what every id of a picture begins with, so that it may stand in a page with others. */
static bool read_ids(struct request *request, const char **ids)
{
    const char *value = query_text(request, "ids");
    size_t len = value == NULL ? 0 : strspn(value, ids_characters);

    *ids = value;
    if (value == NULL || (((value[0] | 0x20) >= 'a' && (value[0] | 0x20) <= 'z') &&
                          len <= IDS_MAX && value[len] == '\0'))
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?ids",
                     "A letter is expected, then up to 31 letters, digits, - and _.");
    return false;
}

struct rules_picture_options *board_query_frame(struct request *request, unsigned widest)
{
    struct rules_picture_options *frame = arena_zero(&request->arena, sizeof(*frame));
    int64_t size = 0;

    if (query_text(request, "size") != NULL &&
        !query_int(request, "size", SIZE_MIN, widest, 0, &size))
        return NULL;
    frame->width = (unsigned)size;
    if (!read_theme(request, &frame->theme) || !read_coords(request, &frame->coords) ||
        !read_ids(request, &frame->ids))
        return NULL;
    return frame;
}

bool board_query_stacks(struct request *request, struct rules_look *look,
                        const struct game_view *view)
{
    const char *stacks = query_text(request, "stacks");
    size_t len = 0;

    if (stacks == NULL)
        return true;
    look->stacks = strcmp(stacks, "all") == 0;
    if (!look->stacks)
        len = rules_square_read(view->game->board(view->state), stacks, &look->selected);
    if (look->stacks || (len > 0 && stacks[len] == '\0'))
        return true;
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?stacks", "all or a square is expected.");
    return false;
}

void board_query_reply(struct request *request, const char *cache, const char *picture)
{
    reply_header(request, "Content-Security-Policy", "default-src 'none'; sandbox");
    reply_document(request, cache, "image/svg+xml; charset=utf-8", picture, strlen(picture));
}

void board_query_reply_png(struct request *request, const char *cache, const char *picture)
{
    const char *png;
    size_t len;

    if (reply_follows(request, cache, picture, strlen(picture)))
        return;
    png = view_picture_pixels(&request->arena, picture, &len);
    reply_body(request, 200, "image/png", png, len);
}
