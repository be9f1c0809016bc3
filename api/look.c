#include "look.h"

#include <string.h>

#include "handler_common.h"
#include "reply.h"
#include "rules/textboard.h"

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
