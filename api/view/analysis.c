/* analysis.c - what the engine thinks of a position, as JSON and as a text. */
#include "api/view/view.h"

#include <stdlib.h>

#include "api/game/verdict.h"
#include "api/text/move_text.h"
#include "api/text/out.h"

/* ---- lines of moves ---- */

/* A walk along a line of moves. */
struct walk {
    const struct rules_game *game;
    struct rules_state state;
    rules_move last;
};

static struct walk *walk_new(struct arena *arena, const struct search_request *question)
{
    struct walk *walk = arena_alloc(arena, sizeof(*walk));

    walk->game = question->game;
    walk->last = question->last;
    rules_copy(question->state, &walk->state);
    return walk;
}

static const char *canonical(struct arena *arena, const struct walk *walk, rules_move move)
{
    return move_text(arena, walk->game, &walk->state, move);
}

static const char *pretty(struct arena *arena, const struct walk *walk, rules_move move)
{
    return move_text_pretty(arena, walk->game, &walk->state, walk->last, move);
}

static void walk_on(struct walk *walk, rules_move move)
{
    struct rules_state before;

    rules_copy(&walk->state, &before);
    walk->game->play(&before, move, &walk->state);
    walk->last = move;
}

/* Writes the moves of a line as a list of texts. */
static void write_analysis_moves(struct json *json, const char *key,
                                 const struct search_request *question,
                                 const struct engine_line *line,
                                 const char *(*text)(struct arena *arena, const struct walk *walk,
                                                     rules_move move))
{
    struct walk *walk = walk_new(json->out.arena, question);

    json_key(json, key);
    json_open(json, '[');
    for (size_t i = 0; i < line->len; i++) {
        json_string(json, text(json->out.arena, walk, line->move[i]));
        walk_on(walk, line->move[i]);
    }
    json_close(json, ']');
}

static void write_analysis_line(struct json *json, const struct search_request *question,
                                const struct engine_line *line)
{
    json_open(json, '{');
    json_member_int(json, "score", line->score);
    if (line->mate != 0)
        json_member_int(json, "mate", line->mate);
    json_member_thousandths(json, "chance", verdict_chance(line->score));
    json_member_int(json, "depth", line->depth);
    write_analysis_moves(json, "moves", question, line, canonical);
    write_analysis_moves(json, "texts", question, line, pretty);
    json_close(json, '}');
}

/* ---- an opinion ---- */

static const char *answer_name(const struct opinion *opinion)
{
    switch (opinion->answer) {
    case ENGINE_DECLARES:
        return "declare";
    case ENGINE_OVER:
        return "over";
    default:
        return "move";
    }
}

static const char *position_text(struct arena *arena, const struct search_request *question)
{
    char *text = arena_alloc(arena, RULES_POSITION_TEXT);

    question->game->position_text(question->state, text);
    return text;
}

void view_opinion(struct json *json, const struct search_request *question,
                  const struct opinion *opinion, bool complete)
{
    const struct engine_analysis *analysis = &opinion->analysis;
    struct arena *arena = json->out.arena;

    json_member_int(json, "ply", question->ply);
    json_member(json, "position", position_text(arena, question));
    json_member_int(json, "to_move", question->game->to_move(question->state));
    json_member(json, "answer", answer_name(opinion));
    if (analysis->n > 0)
        json_member(json, "move",
                    canonical(arena, walk_new(arena, question), analysis->line[0].move[0]));
    json_member_bool(json, "complete", complete);
    json_member_int(json, "nodes", (int64_t)analysis->nodes);
    json_key(json, "lines");
    json_open(json, '[');
    for (size_t i = 0; i < analysis->n; i++)
        write_analysis_line(json, question, &analysis->line[i]);
    json_close(json, ']');
}

const char *view_score_text(struct arena *arena, int32_t score)
{
    int plies = abs(engine_mate(score));

    if (abs(score) == ENGINE_WIN)
        return score > 0 ? "won" : "lost";
    if (plies > 0)
        return arena_format(arena, "%s in %d %s", score > 0 ? "win" : "loss", plies,
                            plies == 1 ? "ply" : "plies");
    return arena_format(arena, "%s%d.%02d", score < 0 ? "-" : "+", abs(score) / 100,
                        abs(score) % 100);
}

static void add_analysis_line(struct out *out, const struct search_request *question,
                              const struct engine_line *line)
{
    struct walk *walk = walk_new(out->arena, question);

    out_format(out, "%-16s depth %-3u", view_score_text(out->arena, line->score), line->depth);
    for (size_t i = 0; i < line->len; i++) {
        out_format(out, " %s", canonical(out->arena, walk, line->move[i]));
        walk_on(walk, line->move[i]);
    }
    out_add(out, "\n");
}

const char *view_opinion_text(struct arena *arena, const struct search_request *question,
                              const struct opinion *opinion)
{
    const struct engine_analysis *analysis = &opinion->analysis;
    struct out out;

    out_init(&out, arena);
    if (opinion->answer == ENGINE_OVER)
        out_add(&out, "The game is over.\n");
    if (opinion->answer == ENGINE_DECLARES)
        out_add(&out, "The side to move wins by a claim: POST .../claims.\n");
    for (size_t i = 0; i < analysis->n; i++)
        add_analysis_line(&out, question, &analysis->line[i]);
    return out.text;
}
