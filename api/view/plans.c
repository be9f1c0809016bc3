/* plans.c - the plan of a seat (game/plans.h), as its owner sees it. */
#include "api/view/view.h"

#include "api/text/out.h"

void view_plan(struct json *json, const struct db_plan *stored, const struct plan *plan, size_t at)
{
    struct arena *arena = json->out.arena;

    json_member_int(json, "seat", stored->seat);
    json_member_int(json, "after_ply", stored->ply);
    json_member_int(json, "line", stored->line);
    json_key(json, "tree");
    json_raw(json, stored->tree);
    json_member(json, "ahead",
                at == 0 ? "/tree" : arena_format(arena, "%s/next", plans_pointer(arena, plan, at)));
}

/* Writes the branches of a list and those behind them. `ahead` is the first of those that are. */
static void write_list(struct out *out, const struct plan *plan, size_t first, int depth,
                       size_t ahead)
{
    for (size_t i = first; i != 0; i = plan->branch[i].sibling) {
        const struct plan_branch *branch = &plan->branch[i];

        out_format(out, "%s %*s%s: %s%s\n", first == ahead ? ">" : " ", 2 * depth, "", branch->when,
                   branch->then, branch->offers_draw ? " and offer a draw" : "");
        write_list(out, plan, branch->next, depth + 1, ahead);
    }
}

const char *view_plan_text(struct arena *arena, const struct db_plan *stored,
                           const struct plan *plan, size_t at)
{
    struct out out;

    out_init(&out, arena);
    out_format(&out, "seat %d, after ply %d of line %d\n", stored->seat, stored->ply, stored->line);
    write_list(&out, plan, 1, 0, at == 0 ? 1 : plan->branch[at].next);
    return out.text;
}
