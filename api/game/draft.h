/*
 * draft.h - a game that is played on in memory, before anything is written.
 *
 * In go a game's row, its position and the keys of the positions before it, then moves as texts.
 * Out come the row as it is afterwards and one event for each thing that happened, as db_append()
 * and db_create() store them. Each move is judged by every rule, repetition included, and a
 * computer opponent that need not think moves too. The clock is charged for it, and offers that it
 * makes pointless are void. A draft knows nothing of requests, of live games or of who may move; it
 * writes nothing, and all of its memory is the arena's. What is known of that by those who play it
 * on is kept in it, and it does not look there (`seats` and what follows).
 *
 * The line's history is a list of keys (rules_game.key), which need not reach back to the start: a
 * move whose judgement needs older ones is not played, and the caller fetches them first.
 */
#ifndef PLYD_API_GAME_DRAFT_H
#define PLYD_API_GAME_DRAFT_H

#include "api/game/clock.h"
#include "api/game/offers.h"
#include "api/text/arena.h"
#include "db/db.h"
#include "rules/rules.h"

enum { DRAFT_MOVES_MAX = 510 }; /* of one request: they are judged in one go */

/* A move that was played, with all that is needed to show it. */
struct draft_move {
    const struct rules_game *game;
    const struct rules_state *before; /* the position that it was played in */
    rules_move last, move;            /* `last` is the move before it; none if it is not known */
    int32_t ply, line;
    int seat;
    int64_t at;
    const char *data; /* of its event, or NULL */
};

struct draft {
    struct arena *arena;
    const struct rules_game *game;
    struct db_game row;       /* the game after the events so far */
    struct rules_state state; /* its position */
    rules_move last;          /* the move that led to it; none if it is not known */
    int64_t now;              /* the time of the next event, microseconds since 1970 */

    struct clock *clock;    /* NULL: the game has none, or it was not started yet */
    struct clock_gaps gaps; /* the outages that are known */
    struct db_due dues[3];  /* due work that must be stored with the events (draft_store()) */
    size_t ndues;
    int64_t due_at;       /* for when the one before was; as well */
    struct offers offers; /* those that are open */

    /* The keys of the line's positions from ply keys_from on; the last one is the present one's. */
    uint64_t *keys;
    size_t nkeys, keys_size;
    int32_t keys_from;

    /* What happened: the caller may set the data of an event. */
    struct db_event *events;
    size_t nevents;

    /* What the writer of the draft must know of the keys: the first old_keys are known elsewhere
     * already, of which those up to ply kept_to_ply are still true (struct live_write). */
    size_t old_keys;
    int32_t kept_to_ply;

    const char *also; /* members for the data of each coming move; NULL: none (draft_data()) */

    /* Is told each move once it was played. NULL: nobody is told. */
    void (*played)(void *context, const struct draft_move *move);
    void *context;

    unsigned seats;     /* those that the asker plays then (words.h) */
    int64_t expires_at; /* a new challenge; 0: it is none */
    bool follows;       /* a rematch that is accepted by this */
    bool joins;         /* the seats change, and are stored too */
    bool dry_run;       /* is answered as if it were written, and never is */
};

/* A move that is known to be legal, and what it leads to. */
struct draft_step {
    const char *text;             /* canonical */
    const char *position;         /* after it */
    uint64_t key;                 /* of that position */
    struct rules_outcome outcome; /* of it, by every rule */
    int seat, to_move;            /* whose move it is, and whose turn it is then */
};

enum draft_result {
    DRAFT_PLAYED,
    DRAFT_REFUSED,   /* *why says it; nothing changed */
    DRAFT_NEEDS_KEYS /* the keys back to ply *from must be there first; nothing changed */
};

/* Begins a draft without a past: the row is all zero, and the caller fills row, state and keys. */
void draft_new(struct draft *draft, struct arena *arena, const struct rules_game *game,
               int64_t now);

/* Whether the game is not over, so that a move may follow. */
bool draft_goes_on(const struct draft *draft);

/* Plays a move's text for the side to move. The game must not be over. */
enum draft_result draft_play(struct draft *draft, const char *text, struct rules_refusal *why,
                             int32_t *from);

/* Adds a move that was played elsewhere: row, key and event, which is returned. The state and the
 * last move are left to the caller. */
struct db_event *draft_add(struct draft *draft, const struct draft_step *step);

/* Lets a computer opponent that need not think (opponent.h) move for as long as it is its turn.
 * Never DRAFT_REFUSED. */
enum draft_result draft_answer(struct draft *draft, int32_t *from);

/* Puts the draft on a position of its line that was played before: at `ply`, to which `move` led
 * (NULL: ply is 0). The game goes on there, and all plans have ended (plans.h). The caller then
 * sets the keys, and calls draft_judge() where that position may end the game. False: the position
 * cannot be read. */
bool draft_go_to(struct draft *draft, const struct rules_options *options, int32_t ply,
                 const struct db_event *move);

/* Ends the game by something that is no move: `status` STATUS_FINISHED or STATUS_ABORTED, `winner`
 * 0 for nobody, an event of this kind by this seat, which is returned. The clock stops, the event
 * tells what the side to move thought, and offers are void. */
struct db_event *draft_stop(struct draft *draft, int status, int winner, const char *reason,
                            int kind, int seat);

/* Ends the game in the row, if the present position, whose key is the last of the keys, does so. */
void draft_judge(struct draft *draft);

/* Ends the game in the row by an outcome that is known already, unless the game goes on by it. */
void draft_end(struct draft *draft, const struct rules_outcome *outcome);

/* Adds the key of the line's next position. */
void draft_push_key(struct draft *draft, uint64_t key);

/* Adds an event with the row's line and ply, and raises the row's version. The caller sets what
 * else the event has, and changes the row before or after. Valid until the next event. */
struct db_event *draft_event(struct draft *draft, int kind, int seat);

/* Adds members to the JSON object that is an event's data: "\"from_ply\":3,\"to_ply\":1". None
 * ("") is fine. */
void draft_data(struct draft *draft, struct db_event *event, const char *members);

/* ---- the clock and offers, as they are stored with the row ---- */

/* Takes both as they are in the row; a clock of NULL: it has none. `gaps` must outlive the draft.
 */
void draft_take(struct draft *draft, const struct clock *clock, const struct offers *offers,
                struct clock_gaps gaps);

/* Credits the side to move with the outages in its turn that it was not credited yet, by an event
 * for each. Nothing happens if there were none. */
void draft_credit(struct draft *draft);

/* A seat's clock stands still for a vacation, by an event. */
void draft_leave(struct draft *draft, int seat, const struct db_span *vacation);

/* Warns the side to move that its time is nearly over, by an event. There must be a clock, and the
 * game must go on. */
void draft_warn(struct draft *draft);

/* Writes both back to the row, and sets the due work that must be stored with it: to look at the
 * clock, and to let an opponent think whose turn it is. It may be called again after further
 * events. */
void draft_store(struct draft *draft);

#endif
