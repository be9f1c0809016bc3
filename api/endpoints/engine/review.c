#include "api/endpoints/engine/review.h"

#include <string.h>

#include "api/loop/thinkers.h"
#include "api/text/move_text.h"

/* The question is about the position where the judging is. */
struct review {
    struct search_request question;
    struct rules_state *state; /* of the question, and */
    uint64_t *keys;            /* its keys, with room for those of all plies */
    const char **moves;
    size_t nmoves, at;
    bool begun;
    struct opinion before; /* what was thought of the position before the next move */
    struct review_tally tally;
};

bool review_ask(const struct search_request *question, struct thought *thought,
                const struct engine_listener *listener, struct opinion *opinion)
{
    search_request_ask(question, thought->engine, &thought->cancel, listener, opinion);
    thought->nodes += opinion->analysis.nodes;
    return opinion->answer != ENGINE_CANCELLED;
}

struct review *review_new(struct arena *arena, const struct review_line *line)
{
    struct review *judging = arena_zero(arena, sizeof(*judging));

    judging->state = arena_alloc(arena, sizeof(*judging->state));
    rules_copy(line->start, judging->state);
    judging->keys = arena_alloc(arena, (line->nkeys + line->nmoves + 1) * sizeof(*judging->keys));
    for (size_t i = 0; i < line->nkeys; i++)
        judging->keys[i] = line->keys[i];
    judging->moves = arena_alloc(arena, (line->nmoves + 1) * sizeof(*judging->moves));
    for (size_t i = 0; i < line->nmoves; i++)
        judging->moves[i] = arena_copy(arena, line->moves[i], strlen(line->moves[i]));
    judging->nmoves = line->nmoves;
    judging->question = (struct search_request){.game = line->game,
                                                .state = judging->state,
                                                .keys = judging->keys,
                                                .nkeys = line->nkeys,
                                                .last = line->last,
                                                .ply = line->ply,
                                                .lines = 1,
                                                .nodes = line->nodes};
    return judging;
}

/* What a position is worth to the side to move, by the rules where they end the game there. */
static int32_t worth(const struct search_request *question, const struct opinion *opinion)
{
    struct rules_outcome outcome;

    if (opinion->answer == ENGINE_DECLARES)
        return ENGINE_WIN;
    if (opinion->answer != ENGINE_OVER)
        return opinion->analysis.line[0].score;
    outcome = question->game->outcome(question->state,
                                      &(struct rules_history){question->keys, question->nkeys});
    if (outcome.status != RULES_WON)
        return 0;
    return outcome.winner == question->game->to_move(question->state) ? ENGINE_WIN : -ENGINE_WIN;
}

/* A score of the position after a move, for the side that made it, as one of the position before
 * it: an end that is counted there is a ply farther away from here. */
static int32_t a_ply_earlier(int32_t score)
{
    return score > ENGINE_BELIEF ? score - 1 : score < -ENGINE_BELIEF ? score + 1 : score;
}

/* Whether the nodes were too few for a single move, so that the score says nothing. */
static bool is_blind(const struct opinion *opinion)
{
    return opinion->answer == ENGINE_MOVES && opinion->analysis.line[0].depth == 0;
}

/* Searches the present position. A wild one gets more nodes, within a bound: whoever sent it has
 * not paid for them. */
static bool search_reviewed_move(struct review *judging, struct thought *thought,
                                 struct opinion *opinion)
{
    enum { DOUBLINGS = 3 };
    struct search_request question = judging->question;
    bool complete;

    for (unsigned i = 0; i <= DOUBLINGS; i++, question.nodes *= 2) {
        complete = review_ask(&question, thought, NULL, opinion);
        judging->tally.nodes += opinion->analysis.nodes;
        if (!complete || !is_blind(opinion))
            break;
    }
    return complete;
}

static const char *pretty(struct arena *arena, const struct review *judging, rules_move move)
{
    return move_text_pretty(arena, judging->question.game, judging->state, judging->question.last,
                            move);
}

/* Says what there is to say of a move in the position that it is played in. */
static void describe_reviewed_move(const struct review *judging, rules_move move,
                                   struct arena *arena, struct judged *judged)
{
    const struct search_request *question = &judging->question;
    const struct engine_analysis *before = &judging->before.analysis;

    judged->ply = question->ply + 1;
    judged->seat = question->game->to_move(judging->state);
    judged->move = move_text(arena, question->game, judging->state, move);
    judged->text = pretty(arena, judging, move);
    judged->before = worth(question, &judging->before);
    if (before->n == 0)
        return;
    judged->best = move_text(arena, question->game, judging->state, before->line[0].move[0]);
    judged->best_text = pretty(arena, judging, before->line[0].move[0]);
}

static void play_on(struct review *judging, rules_move move)
{
    struct search_request *question = &judging->question;
    struct rules_state before;

    rules_copy(judging->state, &before);
    question->game->play(&before, move, judging->state);
    judging->keys[question->nkeys++] = question->game->key(&before);
    question->last = move;
    question->ply++;
    judging->at++;
}

/* The move was played, and searched a ply deeper than any was before. */
static void take_for_best(struct judged *judged)
{
    judged->before = judged->after;
    judged->best = judged->move;
    judged->best_text = judged->text;
}

/* Compares a move with what was thought before it. If one of the two is not known, it is taken for
 * no worse and no better than the other. */
static void compare_opinions(const struct review *judging, const struct opinion *after,
                             struct judged *judged)
{
    judged->after =
        is_blind(after) ? judged->before : a_ply_earlier(-worth(&judging->question, after));
    if (judged->after > judged->before || is_blind(&judging->before))
        take_for_best(judged);
    if (judged->best == NULL || strcmp(judged->best, judged->move) != 0)
        judged->verdict = verdict_of(judged->before, judged->after);
}

static bool judge_move(struct review *judging, struct thought *thought, struct arena *arena,
                       struct judged *judged)
{
    const struct search_request *question = &judging->question;
    struct rules_refusal why;
    struct opinion after;
    rules_move move;

    if (!question->game->read_move(judging->state, judging->moves[judging->at], &move, &why))
        return false;
    describe_reviewed_move(judging, move, arena, judged);
    play_on(judging, move);
    if (!search_reviewed_move(judging, thought, &after))
        return false;
    compare_opinions(judging, &after, judged);
    judging->tally.count[judged->seat - 1][judged->verdict]++;
    judging->before = after;
    return true;
}

bool review_next(struct review *judging, struct thought *thought, struct arena *arena,
                 struct judged *judged)
{
    bool begun = judging->begun;

    *judged = (struct judged){.verdict = VERDICT_GOOD};
    judging->begun = true;
    return begun ? judge_move(judging, thought, arena, judged)
                 : search_reviewed_move(judging, thought, &judging->before);
}

bool review_is_over(const struct review *judging)
{
    return judging->begun && judging->at == judging->nmoves;
}

bool review_skip(struct review *judging, size_t moves)
{
    for (size_t i = 0; i < moves; i++) {
        struct rules_refusal why;
        rules_move move;

        if (!judging->question.game->read_move(judging->state, judging->moves[judging->at], &move,
                                               &why))
            return false;
        play_on(judging, move);
    }
    return true;
}

const struct review_tally *review_tally(const struct review *judging)
{
    return &judging->tally;
}
