/*
 * view.h - what clients see of games, moves and refusals. Every outgoing view of a game is made
 * here, so that nothing secret can slip out elsewhere.
 */
#ifndef PLYD_API_VIEW_H
#define PLYD_API_VIEW_H

#include "db/db.h"
#include "json.h"
#include "request.h"
#include "rules/rules.h"

struct table;

/* A game as JSON members, for use inside an object, with or without its legal moves. */
struct game_view {
    const struct db_game *row;
    const struct rules_game *game;
    const struct rules_state *state;
};
void view_game(struct json *json, const struct game_view *view);
void view_legal_moves(struct json *json, const struct game_view *view, const char *from);
void view_legal_tree(struct json *json, const struct game_view *view);

/* A game as a text for people: who plays, the board, whose turn. */
const char *view_game_text(struct arena *arena, const struct game_view *view);

/* Marks what a list such as "last,check,legal" or "legal:7g" asks for. False: a word of it is not
 * known. */
struct rules_look;
bool mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                  const char *marks);
const char *view_board_text(struct arena *arena, const struct game_view *view,
                            const struct rules_look *look);

/* Every legal move's text, sorted by bytes. Returns how many. */
size_t legal_texts(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, const char ***texts);

/* A move that was played: its members, without the game. `before` is the position it was played
 * in, `last` the move before it. */
struct move_view {
    const struct rules_game *game;
    const struct rules_state *before;
    rules_move last, move;
    int32_t ply, line;
    int seat;
    int64_t at;
};
void view_move(struct json *json, const struct move_view *view);

/* The texts of a move: canonical, and as people write it. */
const char *move_text(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move move);
const char *pretty_text(struct arena *arena, const struct rules_game *game,
                        const struct rules_state *state, rules_move last, rules_move move);

/* A problem about a game: its present state goes with it, so that one refused request is enough to
 * be up to date again. */
void problem_game_open(struct request *request, struct json *json, const struct game_view *view,
                       const char *code, const char *detail);
void reply_game_problem(struct request *request, const struct game_view *view, const char *code,
                        const char *detail);

/* A refusal of the rules as members of a problem. `state` is the position that was judged. */
void view_refusal(struct json *json, const struct rules_game *game, const struct rules_state *state,
                  const struct rules_refusal *why);

/* A refusal's sentence: the detail of its code with its places filled. */
const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why);

/* Options: from JSON (an object of scalars) that was stored or sent, and back. */
bool options_from_json(const struct rules_game *game, struct arena *arena, const char *text,
                       struct rules_options *options, struct json_error *error);
bool options_from_fields(const struct rules_game *game, struct json_fields *fields,
                         struct rules_options *options);
const char *options_to_json(const struct rules_game *game, struct arena *arena,
                            const struct rules_options *options, const char *start);

const char *etag_text(struct arena *arena, int32_t version);

#endif
