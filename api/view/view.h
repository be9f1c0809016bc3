/*
 * view.h - what clients see of games, moves and refusals. Every outgoing view of a game is made
 * here, so that nothing secret can slip out elsewhere.
 */
#ifndef PLYD_API_VIEW_VIEW_H
#define PLYD_API_VIEW_VIEW_H

#include "api/http/request.h"
#include "api/text/json.h"
#include "api/text/json_read.h"
#include "db/db.h"
#include "rules/rules.h"

struct table;

/* A game at one of its positions. */
struct game_view {
    const struct db_game *row;
    const struct rules_game *game;
    const struct rules_state *state;
    unsigned seats; /* of who asks, as bits from 1 on; 0: he plays none */
};

/* What a client wants to see of a game: by ?include= what beside its members, so that one answer is
 * all that it needs to draw and to play on; by ?fields= (in lists) only these members and the id,
 * so that a page of many games is small. */
enum { INCLUDE_LEGAL_MOVES = 1, INCLUDE_LEGAL_TREE = 2, INCLUDE_BOARD = 4 };
struct view_choice {
    uint32_t fields; /* as bits; 0: all */
    uint32_t include;
};

/* Reads the two parameters into request->choice. False: one is malformed and was answered. Which
 * of them are welcome is for request_query_ok() to say. */
bool view_choice_read(struct request *request);

/* The members of a game, for use inside an object. NULL: all of them, and nothing beside. */
void view_game(struct json *json, const struct game_view *view, const struct view_choice *choice);

/* What who asks plays, and what he may do: a member, unless he plays no seat. */
void view_you(struct json *json, const struct game_view *view);

/* Only what stands beside the members. Legal moves are left out where they are more than
 * LEGAL_LIST_MAX, since a move that was played cannot be refused for it. */
enum { LEGAL_LIST_MAX = 1 << 15 };
void view_extras(struct json *json, const struct game_view *view, const struct view_choice *choice);

/* The words for the numbers of tables.h, as clients see them. */
const char *status_name(int status);
const char *undo_name(int undo);
const char *visibility_name(int visibility);
const char *event_name(int kind);
int event_kind_of(const char *name); /* 0: none has that name */

/* The values of `to_move` and `outcome`. */
void view_to_move(struct json *json, const struct db_game *row);
void view_outcome(struct json *json, const struct db_game *row);

/* The board as data: its squares row by row as the first seat sees them, each with its men from
 * the bottom to the top, what is in hand, and which squares are marked. */
void view_board(struct json *json, const struct game_view *view);

/* The labels of the files from the left and of the ranks from the top, as two members. */
void view_labels(struct json *json, struct rules_board board);

void view_legal_moves(struct json *json, const struct game_view *view, const char *from);
void view_legal_tree(struct json *json, const struct game_view *view);

/* A game as a text for people: who plays, the board, whose turn; and the same with the token that
 * somebody was just given. */
const char *view_game_text(struct arena *arena, const struct game_view *view);
const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token);

/* A game as one line, in which the last activity is counted back from `now`. */
const char *view_game_line(struct arena *arena, const struct game_view *view, int64_t now);

/* The board alone, with the last move and check; and how a game ended ("sente wins (checkmate)"),
 * or NULL. */
const char *view_position_text(struct arena *arena, const struct game_view *view);
const char *view_ending(struct arena *arena, const struct game_view *view);

/* The next square that a move's text names, from *at on, which is moved behind it. False: there is
 * none left. */
bool next_square(struct rules_board board, const char **at, unsigned *square);

/* Those of the last move, as elements of an array: the squares that are marked on boards. */
void view_last_squares(struct json *json, const struct game_view *view);

/* Marks what a list such as "last,check,legal" or "legal:7g" asks for. False: a word of it is not
 * known. */
struct rules_look;
bool mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                  const char *marks);
const char *view_board_text(struct arena *arena, const struct game_view *view,
                            const struct rules_look *look);

/* The board as an SVG. */
struct rules_frame;
const char *view_board_picture(struct arena *arena, const struct game_view *view,
                               const struct rules_look *look, const struct rules_frame *frame);

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

/* What it did, as elements of an array. */
void view_effects(struct json *json, const struct move_view *view);

/* A man as members: its letter and whose it is. */
void view_man(struct json *json, const struct rules_game *game, struct rules_man man);

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

/* What an option takes, as a sentence. */
const char *option_expectation(struct arena *arena, const struct rules_option *option);

const char *etag_text(struct arena *arena, int32_t version);

#endif
