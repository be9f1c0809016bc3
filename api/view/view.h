/*
 * view.h - a game as somebody sees it.
 *
 * This folder turns games, boards, moves and the catalogue of variants into JSON, texts and
 * pictures. It knows nothing of requests. Games, boards and moves are written here; handlers and
 * use cases put them together into answers. So there is one place where a token's hash could slip
 * out. Whether somebody may see the game at all has been asked before (endpoints/look.h).
 */
#ifndef PLYD_API_VIEW_VIEW_H
#define PLYD_API_VIEW_VIEW_H

#include <stdint.h>

#include "api/game/clock.h"
#include "api/game/draft.h"
#include "api/game/offers.h"
#include "api/game/plans.h"
#include "api/game/search_request.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "db/db.h"
#include "rules/rules.h"

struct lang;

/* A game at one of its positions. */
/* What is known of how a player has read a game. */
struct game_news {
    int32_t read;   /* up to this version; 0: they have not said so */
    int32_t unread; /* so many events of others are new; -1: not counted */
};

struct game_view {
    const struct db_game *row;
    const struct rules_game *game;
    const struct rules_state *state;
    const struct rules_state *before; /* the last move was played in; NULL: not looked up */
    const struct clock *clock;        /* NULL: it has none, or was not looked up */
    const struct offers *offers;      /* those that are open; NULL: not looked up */
    rules_move last, earlier;         /* with `before`: that move, and the one before it */
    unsigned seats;                   /* those that the reader plays, as bits (words.h); 0: none */
    bool hints;                       /* there is an engine to be asked */
    int64_t now;                      /* the database's time, by which a clock is shown */
    struct clock_gaps gaps;           /* the outages that are known */
    const struct rules_refusal *unplayable; /* why the state may only be looked at; NULL: it may be
                                             * played */
    const struct game_news *news; /* of the reader, in lists of their games; NULL: not looked up */
    const struct lang *lang;      /* of texts; NULL: English, and boards as their game has them */
};

/* What a client wants to see of a game. ?include= adds to its members, so that one answer is enough
 * to draw the game and to play on. ?fields=, in lists, leaves only these members and the id, so
 * that a page of many games stays small. */
enum { VIEW_LEGAL_MOVES = 1, VIEW_LEGAL_TREE = 2, VIEW_BOARD = 4 };
struct view_choice {
    uint32_t fields;  /* a bit for each of view_members[]; 0: all */
    uint32_t include; /* bits of VIEW_... */
};

/* ---- game_text.c ----------------------------------------------------------------------------- */

/* Games as texts for a terminal. All texts are in the arena. */

/* A game: what it is, who plays, the board, how it ended. */
const char *view_game_text(struct arena *arena, const struct game_view *view);

/* The same below its id and a token that was just given. */
const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token);

/* What game it is, and against whom the reader plays it: "Shogi against Mia"; "Shogi" if they play
 * both sides. */
const char *view_against(struct arena *arena, const struct game_view *view);

/* What an offer asks for: "offers a draw". */
const char *view_offer_text(struct arena *arena, const struct lang *lang,
                            const struct offer *offer);

/* A game as one line of a list. Its last activity is counted back from `now`. */
const char *view_game_line(struct arena *arena, const struct game_view *view, int64_t now);

/* ---- moves.c --------------------------------------------------------------------------------- */

/* Moves as JSON: those that were played, and those that are legal. */

/* Writes the members of a move that was played. */
void view_played_move(struct json *json, const struct draft_move *move);

/* Writes what it did to the board, as elements of an open array. */
void view_effects(struct json *json, const struct draft_move *move);

/* Writes a man as members: its letter and the seat that it belongs to. */
void view_man(struct json *json, const struct rules_game *game, struct rules_man man);

/* Whether the legal moves of a position are few enough to be listed (LEGAL_MOVES_MAX). */
bool view_can_list(struct arena *arena, const struct game_view *view);

/* Writes the legal moves as members, with their number: as a list of those whose text begins with
 * `from` (NULL: all), or all of them as a tree of clicks. A game that is over has none. */
void view_legal_moves(struct json *json, const struct game_view *view, const char *from);
void view_legal_tree(struct json *json, const struct game_view *view);

/* ---- event.c --------------------------------------------------------------------------------- */

/* An event as clients see it.
 *
 * The data of an event is stored with times and spans in microseconds ("until_us", "add_us", "us").
 * Clients see times as `_at`, in RFC 3339, and spans as `_s` or `seconds`. */

/* Writes an event as an object. */
void view_event(struct json *json, const struct db_event *event);

/* The same of an event among those of the games of a player, as they read it, with the cursor that
 * goes on behind it. */
void view_feed_event(struct json *json, const struct db_feed *event, const db_id *player,
                     const char *cursor);

/* The data of an event as clients see it. */
const char *view_event_data(struct arena *arena, const char *data);

/* An event as a line for people. */
const char *view_event_line(struct arena *arena, const struct db_event *event);

/* ---- what the rules refuse; the sentence is made elsewhere (text/refusal.h) ---- */

struct lang;

/* Writes a refusal as the member `rule` of a problem, and where a refused position may be looked at
 * as `look_at`. Writes nothing where only its code is known.
 * `state` is the position that was judged; NULL: squares and moves are left out. */
void view_refusal(struct json *json, const struct rules_game *game, const struct rules_state *state,
                  const struct rules_refusal *why, const struct lang *lang);

/* ---- analysis.c ------------------------------------------------------------------------------ */

/* What the engine thinks of a position, as JSON and as a text.
 *
 * Scores are in hundredths of a man, for the side to move. */

/* Writes an opinion as members. `complete`: it was searched as far as was asked for. */
void view_opinion(struct json *json, const struct search_request *question,
                  const struct opinion *opinion, bool complete);

/* The same for people: a line of text for each line of moves, the best first. */
const char *view_opinion_text(struct arena *arena, const struct search_request *question,
                              const struct opinion *opinion);

/* A score as people write it: "+0.35", "win in 3 plies". */
const char *view_score_text(struct arena *arena, int32_t score);

/* ---- the plan of a seat (game/plans.h), as its owner sees it ---- */

/* `stored` is where the plan is rooted, with the tree as a text. `at` is the branch whose answer
 * was played last; 0: none was. */

/* Writes the plan as members. */
void view_plan(struct json *json, const struct db_plan *stored, const struct plan *plan, size_t at);

/* The plan for people, one branch a line; those that are ahead are marked. */
const char *view_plan_text(struct arena *arena, const struct db_plan *stored,
                           const struct plan *plan, size_t at);

#endif
