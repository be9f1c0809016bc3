#include "api/play/analysis.h"

#include <string.h>

#include "api/game/verdict.h"
#include "api/http/accept.h"
#include "api/http/offload.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/telling.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/text/json.h"
#include "api/text/move_text.h"
#include "api/view/analysis.h"
#include "rules/rules.h"

bool analysis_is_there(struct request *request, const struct rules_game *game)
{
    if (thinkers_any(request->loop->thinkers) && engine_knows(game))
        return true;
    reply_problem(request, PROBLEM_NO_ENGINE, NULL);
    return false;
}

/* Searches, and counts it. False: it was ended early. */
static bool ask(const struct question *question, struct thought *thought,
                const struct engine_listener *listener, struct opinion *opinion)
{
    question_ask(question, thought->engine, &thought->cancel, listener, opinion);
    thought->nodes += opinion->analysis.nodes;
    return opinion->answer != ENGINE_CANCELLED;
}

/* ---- a position, as a document ---- */

static void think(struct request *request, void *args, struct thought *thought)
{
    const struct question *question = args;
    struct opinion opinion;
    bool complete = ask(question, thought, NULL, &opinion);
    struct json json;

    if (!complete && opinion.analysis.n == 0)
        return; /* there is nothing to tell */
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, view_opinion_text(&request->arena, question, &opinion));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_opinion(&json, question, &opinion, complete);
    json_finish(&json);
    reply_json(request, 200, &json);
}

/* A client that is gone hears nothing; one whose search was ended by the end of the daemon does. */
static void refuse_unanswered(struct request *request, void *args)
{
    (void)args;
    if (request->reply.status == 0)
        reply_problem(request, PROBLEM_OVERLOADED, "The search was ended before it found a move.");
}

/* ---- a position, depth by depth ---- */

/* What a listener needs to tell what was found. */
struct listening {
    struct telling *telling;
    const struct question *question;
    struct arena *scratch;
};

static void tell_opinion(const struct listening *to, const struct opinion *opinion, bool complete)
{
    struct json json;

    json_init(&json, to->scratch);
    json_open(&json, '{');
    view_opinion(&json, to->question, opinion, complete);
    json_finish(&json);
    telling_add(to->telling, json.out.text, json.out.len);
}

/* The last depth is told again, as the end. */
static void on_found(void *context, const struct engine_analysis *analysis)
{
    const struct listening *to = context;
    struct opinion opinion = {ENGINE_MOVES, *analysis};

    arena_reset(to->scratch);
    tell_opinion(to, &opinion, false);
}

static bool think_aloud(struct telling *telling, void *args, struct arena *scratch,
                        struct thought *thought)
{
    struct listening to = {telling, args, scratch};
    struct engine_listener listener = {on_found, &to};
    struct opinion opinion;

    if (ask(args, thought, &listener, &opinion))
        tell_opinion(&to, &opinion, true);
    return false;
}

void analysis_answer(struct request *request, const struct question *question)
{
    struct telling *telling;

    if (request->form != FORM_NDJSON) {
        offload_think(request, think, refuse_unanswered, (void *)(uintptr_t)question);
        return;
    }
    telling = telling_new(request);
    if (telling != NULL)
        telling_begin(telling, request, think_aloud,
                      question_copy(telling_arena(telling), question));
}

/* ---- a line ---- */

/* A line that is being judged, ply by ply. The question is about the position where it is. */
struct judging {
    struct question question;
    struct rules_state *state; /* of the question, and */
    uint64_t *keys;            /* its keys, with room for those of all plies */
    const char **moves;
    size_t nmoves, at;
    bool begun;
    struct opinion before; /* what was thought of the position before the move */
    uint64_t nodes;
    int count[RULES_SEATS][VERDICTS];
};

static struct judging *judging_new(struct arena *arena, const struct analysis_line *line)
{
    struct judging *judging = arena_zero(arena, sizeof(*judging));

    judging->state = arena_alloc(arena, sizeof(*judging->state));
    rules_copy(line->start, judging->state);
    judging->keys = arena_alloc(arena, (line->nkeys + line->nmoves + 1) * sizeof(*judging->keys));
    for (size_t i = 0; i < line->nkeys; i++)
        judging->keys[i] = line->keys[i];
    judging->moves = arena_alloc(arena, (line->nmoves + 1) * sizeof(*judging->moves));
    for (size_t i = 0; i < line->nmoves; i++)
        judging->moves[i] = arena_copy(arena, line->moves[i], strlen(line->moves[i]));
    judging->nmoves = line->nmoves;
    judging->question = (struct question){.game = line->game,
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
static int32_t worth(const struct question *question, const struct opinion *opinion)
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

/* What was thought of the present position. False: the search was ended early. */
static bool think_of(struct judging *judging, struct thought *thought, struct opinion *opinion)
{
    bool complete = ask(&judging->question, thought, NULL, opinion);

    judging->nodes += opinion->analysis.nodes;
    return complete;
}

/* Writes a move that is about to be played, and the one that the engine would have played. */
static void write_move(struct json *json, const struct judging *judging, rules_move move)
{
    const struct question *question = &judging->question;
    const struct engine_analysis *best = &judging->before.analysis;
    struct arena *arena = json->out.arena;

    json_member_int(json, "ply", question->ply + 1);
    json_member_int(json, "seat", question->game->to_move(judging->state));
    json_member(json, "move", move_text(arena, question->game, judging->state, move));
    json_member(json, "text",
                move_text_pretty(arena, question->game, judging->state, question->last, move));
    if (best->n > 0)
        json_member(json, "best",
                    move_text(arena, question->game, judging->state, best->line[0].move[0]));
}

/* Goes on to the position after a move. */
static void play_on(struct judging *judging, rules_move move)
{
    struct question *question = &judging->question;
    struct rules_state before;

    rules_copy(judging->state, &before);
    question->game->play(&before, move, judging->state);
    judging->keys[question->nkeys++] = question->game->key(&before);
    question->last = move;
    question->ply++;
    judging->at++;
}

static enum verdict judge(const struct judging *judging, int32_t before, int32_t after)
{
    const struct engine_analysis *best = &judging->before.analysis;

    if (best->n > 0 && rules_same_move(best->line[0].move[0], judging->question.last))
        return VERDICT_GOOD;
    return verdict_of(before, after);
}

static void tell_line(struct telling *telling, struct json *json)
{
    json_finish(json);
    telling_add(telling, json->out.text, json->out.len);
}

/* Judges the next move. False: it cannot be read, or the search was ended early. */
static bool judge_move(struct judging *judging, struct telling *telling, struct arena *scratch,
                       struct thought *thought)
{
    const struct question *question = &judging->question;
    unsigned seat = question->game->to_move(judging->state);
    int32_t before = worth(question, &judging->before), after;
    struct rules_refusal why;
    struct opinion opinion;
    enum verdict verdict;
    struct json json;
    rules_move move;

    if (!question->game->read_move(judging->state, judging->moves[judging->at], &move, &why))
        return false;
    json_init(&json, scratch);
    json_open(&json, '{');
    write_move(&json, judging, move);
    play_on(judging, move);
    if (!think_of(judging, thought, &opinion))
        return false;
    after = -worth(question, &opinion);
    verdict = judge(judging, before, after);
    judging->count[seat - 1][verdict]++;
    json_member_int(&json, "before", before);
    json_member_int(&json, "after", after);
    json_member(&json, "verdict", verdict_name(verdict));
    tell_line(telling, &json);
    judging->before = opinion;
    return true;
}

/* The last line. */
static void tell_summary(const struct judging *judging, struct telling *telling,
                         struct arena *scratch)
{
    struct json json;

    json_init(&json, scratch);
    json_open(&json, '{');
    json_key(&json, "summary");
    json_open(&json, '[');
    for (int seat = 0; seat < RULES_SEATS; seat++) {
        json_open(&json, '{');
        json_member_int(&json, "seat", seat + 1);
        for (int verdict = 0; verdict < VERDICTS; verdict++)
            json_member_int(&json, verdict_name((enum verdict)verdict),
                            judging->count[seat][verdict]);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_member_int(&json, "nodes", (int64_t)judging->nodes);
    tell_line(telling, &json);
}

/* One position at a time: first the start, then the one after each move. */
static bool judge_next(struct telling *telling, void *args, struct arena *scratch,
                       struct thought *thought)
{
    struct judging *judging = args;
    bool went_well = judging->begun ? judge_move(judging, telling, scratch, thought)
                                    : think_of(judging, thought, &judging->before);

    judging->begun = true;
    if (went_well && judging->at == judging->nmoves)
        tell_summary(judging, telling, scratch);
    return went_well && judging->at < judging->nmoves;
}

void analysis_judge(struct request *request, const struct analysis_line *line)
{
    struct telling *telling = telling_new(request);

    if (telling != NULL)
        telling_begin(telling, request, judge_next, judging_new(telling_arena(telling), line));
}
