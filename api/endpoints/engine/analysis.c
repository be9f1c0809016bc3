#include "api/endpoints/engine/analysis.h"

#include "api/game/rights.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/net/line_stream.h"
#include "api/net/offload.h"
#include "api/text/json.h"
#include "api/view/view.h"
#include "rules/rules.h"

bool analysis_is_there(struct request *request)
{
    if (thinkers_any(thinkers_of(request->loop)))
        return true;
    reply_problem(request, PROBLEM_NO_ENGINE, NULL);
    return false;
}

enum step analysis_may(struct op *op)
{
    const struct db_game *row = &op->live->row;
    enum problem problem = may_not_hint(row, auth_seats(op->request, row));

    if (problem == PROBLEM_NONE)
        return analysis_is_there(op->request) ? STEP_GO : STEP_OVER;
    reply_problem(op->request, problem, NULL);
    return STEP_OVER;
}

/* ---- a position, as a document ---- */

struct asked {
    const struct search_request *question;
    const char *board; /* JSON; or NULL */
};

static void think_for_analysis(struct request *request, void *args, struct thought *thought)
{
    const struct asked *asked = args;
    const struct search_request *question = asked->question;
    struct opinion opinion;
    bool complete = review_ask(question, thought, NULL, &opinion);
    struct json json;

    if (!complete && opinion.analysis.n == 0)
        return; /* there is nothing to tell */
    reply_header(request, "Cache-Control", "no-store");
    if (request->form == FORM_TEXT) {
        reply_text(request, 200, view_opinion_text(&request->arena, question, &opinion));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    if (asked->board != NULL) {
        json_key(&json, "board");
        json_raw(&json, asked->board);
    }
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
    struct line_stream *telling;
    const struct search_request *question;
    struct arena *scratch;
};

static void tell_opinion(const struct listening *to, const struct opinion *opinion, bool complete)
{
    struct json json;

    json_init(&json, to->scratch);
    json_open(&json, '{');
    view_opinion(&json, to->question, opinion, complete);
    json_finish(&json);
    line_stream_add(to->telling, json.out.text, json.out.len);
}

/* The last depth is told again, as the end. */
static void on_found(void *context, const struct engine_analysis *analysis)
{
    const struct listening *to = context;
    struct opinion opinion = {ENGINE_MOVES, *analysis};

    arena_reset(to->scratch);
    tell_opinion(to, &opinion, false);
}

static bool think_aloud(struct line_stream *telling, void *args, struct arena *scratch,
                        struct thought *thought)
{
    struct listening to = {telling, args, scratch};
    struct engine_listener listener = {on_found, &to};
    struct opinion opinion;

    if (review_ask(args, thought, &listener, &opinion))
        tell_opinion(&to, &opinion, true);
    return false;
}

void analysis_answer(struct request *request, const struct search_request *question,
                     const char *board)
{
    struct line_stream *telling;
    struct asked *asked;

    if (request->form != FORM_NDJSON) {
        asked = arena_alloc(&request->arena, sizeof(*asked));
        *asked = (struct asked){question, board};
        offload_think(request, question->nodes, think_for_analysis, refuse_unanswered, asked);
        return;
    }
    telling = line_stream_new(request);
    if (telling != NULL)
        line_stream_begin(telling, request, question->nodes, think_aloud,
                          search_request_copy(line_stream_arena(telling), question));
}

/* ---- a line ---- */

static void tell_line(struct line_stream *telling, struct json *json)
{
    json_finish(json);
    line_stream_add(telling, json->out.text, json->out.len);
}

void analysis_write_judged(struct json *json, const struct judged *judged)
{
    json_member_int(json, "ply", judged->ply);
    json_member_int(json, "seat", judged->seat);
    json_member(json, "move", judged->move);
    json_member(json, "text", judged->text);
    if (judged->best != NULL)
        json_member(json, "best", judged->best);
    if (judged->best_text != NULL)
        json_member(json, "best_text", judged->best_text);
    json_member_int(json, "before", judged->before);
    json_member_int(json, "after", judged->after);
    if (engine_mate(judged->after) != 0)
        json_member_int(json, "mate", engine_mate(judged->after));
    json_member_thousandths(json, "chance_before", verdict_chance(judged->before));
    json_member_thousandths(json, "chance_after", verdict_chance(judged->after));
    json_member(json, "verdict", verdict_name(judged->verdict));
}

void analysis_write_tally(struct json *json, const struct review_tally *tally)
{
    json_key(json, "summary");
    json_open(json, '[');
    for (int seat = 1; seat <= RULES_SEATS; seat++) {
        json_open(json, '{');
        json_member_int(json, "seat", seat);
        for (int i = 0; i < VERDICTS; i++)
            json_member_int(json, verdict_name((enum verdict)i), tally->count[seat - 1][i]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_member_int(json, "nodes", (int64_t)tally->nodes);
}

static void tell_judged(struct line_stream *telling, struct arena *scratch,
                        const struct judged *judged)
{
    struct json json;

    json_init(&json, scratch);
    json_open(&json, '{');
    analysis_write_judged(&json, judged);
    tell_line(telling, &json);
}

/* The last line. */
static void tell_summary(struct line_stream *telling, struct arena *scratch,
                         const struct review *judging)
{
    struct json json;

    json_init(&json, scratch);
    json_open(&json, '{');
    analysis_write_tally(&json, review_tally(judging));
    tell_line(telling, &json);
}

static bool judge_next(struct line_stream *telling, void *args, struct arena *scratch,
                       struct thought *thought)
{
    struct review *judging = args;
    struct judged judged;

    if (!review_next(judging, thought, scratch, &judged))
        return false;
    if (judged.move != NULL)
        tell_judged(telling, scratch, &judged);
    if (!review_is_over(judging))
        return true;
    tell_summary(telling, scratch, judging);
    return false;
}

void analysis_judge(struct request *request, const struct review_line *line)
{
    struct line_stream *telling = line_stream_new(request);

    if (telling != NULL)
        line_stream_begin(telling, request, line->nodes, judge_next,
                          review_new(line_stream_arena(telling), line));
}
