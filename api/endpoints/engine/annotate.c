#include "api/endpoints/engine/annotate.h"

#include "api/endpoints/engine/review.h"
#include "api/http/reply_problem.h"
#include "api/net/offload.h"
#include "api/record/record.h"
#include "api/text/arena.h"
#include "api/view/view.h"
#include "rules/rules.h"

struct annotating {
    struct record *record;
    struct review *judging;
    bool failed;
    void (*then)(struct request *request, void *args);
    void *args;
    uint64_t nodes; /* of each search */
};

/* "?? better: ☗２六歩 (+0.35 instead of -1.20)" */
static const char *comment_of(struct arena *arena, const struct judged *judged)
{
    return arena_format(arena, "%s better: %s (%s instead of %s)", verdict_sign(judged->verdict),
                        judged->best_text, view_score_text(arena, judged->before),
                        view_score_text(arena, judged->after));
}

static void comment(struct arena *arena, struct record_move *move, const struct judged *judged)
{
    const char *text = comment_of(arena, judged);

    move->comment =
        move->comment == NULL ? text : arena_format(arena, "%s\n%s", move->comment, text);
}

static void judge_next(struct request *request, void *args, struct thought *thought)
{
    struct annotating *annotating = args;
    struct judged judged;

    annotating->failed = !review_next(annotating->judging, thought, &request->arena, &judged);
    if (!annotating->failed && judged.verdict != VERDICT_GOOD && judged.best != NULL)
        comment(&request->arena, &annotating->record->moves[judged.ply - 1], &judged);
}

static void go_on_with_annotation(struct request *request, void *args)
{
    const struct annotating *annotating = args;

    if (request->reply.status != 0)
        return; /* a search was refused */
    if (annotating->failed)
        reply_problem(request, PROBLEM_OVERLOADED, "The analysis was ended early.");
    else if (review_is_over(annotating->judging))
        annotating->then(request, annotating->args);
    else
        offload_think(request, annotating->nodes, judge_next, go_on_with_annotation, args);
}

static struct review *review_of(struct arena *arena, const struct record *record, uint64_t nodes)
{
    struct rules_state *start = arena_alloc(arena, sizeof(*start));
    const char **moves = arena_alloc(arena, (record->nmoves + 1) * sizeof(*moves));
    struct rules_refusal why;

    for (size_t i = 0; i < record->nmoves; i++)
        moves[i] = record->moves[i].text;
    if (!rules_load(record->game, &record->options, record->start, start, &why))
        return NULL;
    return review_new(arena, &(struct review_line){.game = record->game,
                                                   .start = start,
                                                   .moves = moves,
                                                   .nmoves = record->nmoves,
                                                   .nodes = nodes});
}

void annotate_record(struct request *request, struct record *record, uint64_t nodes,
                     void (*then)(struct request *request, void *args), void *args)
{
    struct annotating *annotating = arena_zero(&request->arena, sizeof(*annotating));

    annotating->record = record;
    annotating->judging = review_of(&request->arena, record, nodes);
    annotating->nodes = nodes;
    annotating->then = then;
    annotating->args = args;
    annotating->failed = annotating->judging == NULL;
    go_on_with_annotation(request, annotating);
}
