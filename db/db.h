/*
 * db.h - what plyd stores and how it survives: the public interface of db/, with due.h, hooks.h,
 * library.h and tasks.h for what these names say. Beside it stand migrate.h (the schema), scan.h
 * (reading everything) and inspect.h (the health of the server).
 *
 * A game is a list of numbered events that only grows, and one row with its present state. db keeps
 * texts and numbers; what they mean is decided elsewhere.
 *
 * Threads. A struct db belongs to one thread, whose event loop runs it: poll db_fd() for reading,
 * and call db_run() when it is ready, when db_timeout_ms() has passed, and once after requests were
 * made. Nothing here blocks, except that libpq looks up names (see dial.c). Any number of struct db
 * may run side by side, in one process or on many machines; they share nothing but the database.
 *
 * Requests. A request is queued and ends in exactly one call of its callback, at the latest at its
 * deadline. The callback comes from db_run() or db_close(), never from the function that makes the
 * request, and may make further requests. Whenever a connection is free, everything that waits goes
 * out together: all writes of a kind as one statement and one commit, all reads of a kind as one
 * query. So a lone request is sent at once, and under load one round trip carries many. A statement
 * carries 256 KiB at most. A write of more than 64 KiB goes alone, one after the other, and delays
 * no smaller ones (queue.h). Requests may overtake each other: where the order matters, make the
 * second one in the callback of the first.
 *
 * Ownership. What a request points to must stay valid until its callback was called, lists and
 * texts included. Only the structs db_append, db_create, db_create_player and db_set_plan
 * themselves are copied. What a reply points to is valid during the callback.
 *
 * Errors. What became of a request is one of the six outcomes of enum db_outcome. db repairs what
 * it can by itself before the deadline: it connects again, tries again what surely did not happen,
 * and tries the requests of a refused batch apart.
 *
 * How to read db/. In this order; a file calls only files above it:
 *
 *     replies.def    what reads tell, by types
 *     sql/           every statement on the road of a request, with what it guarantees
 *     base.c         clocks, the log, shards
 *     fault.c        dying at a chosen point, in builds for tests
 *     wire.c         PostgreSQL's binary formats
 *     rows.c         reading the rows of results
 *     queue.c        requests, the queues in which they wait, when the next statement may go out
 *     batch.c        the requests that one statement carries
 *     dial.c         where to connect to
 *     migrations.c   the files of migrations/, which are part of the program
 *     connection.c   one connection: made, prepared, kept alive, lost, made again
 *     outcome.c      what an answer of the server means for those who asked
 *     exchange.c     a batch on its way: sent, answered, judged, handed out
 *     answers.c, blocks.c, due.c, events.c, feeds.c, games.c, heartbeat.c, here.c, hooks.c,
 *     library.c, lists.c, notes.c, plans.c, players.c, reads.c, results.c, tasks.c, writes.c
 *                    the operations, each: make a request, bind its parameters, decode its result
 *     kinds.c        the table of the kinds of requests, made from sql/
 *     db.c           opening, closing, and the loop pass that moves all of it
 *     split.c        cutting a file of SQL into its statements
 *     reach.c        the first connection, also to a server that is not up yet; blocks
 *     migrate.c      bringing the schema up to date; blocks
 *     scan.c         reading every game; blocks
 *     inspect.c      what `plyd admin` asks, by the questions of sql/inspect/; blocks
 *
 * Each has a header of the same name, which is its manual. That of the operations is operations.h;
 * base.c, fault.c and struct db have internal.h.
 */
#ifndef PLYD_DB_DB_H
#define PLYD_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DB_HASH_BYTES = 32,
    DB_SEATS = 2,
    DB_EVENTS_MAX = 4096, /* events of one append or create */
    DB_MARK_BYTES = 8,    /* of a hash that an event keeps */
    DB_FORGET_MAX = 500,  /* answers that one db_forget_answers() deletes */
    DB_KEPT_MAX = 128,    /* answers that db_keep_answer() keeps under one id */
    DB_TOKENS_MAX = 16,   /* of a player, beside their own one */
    DB_VACATIONS_MAX = 200,
    DB_NOTES_MAX = 1000,               /* of a seat */
    DB_BLOCKS_MAX = 500,               /* of a player */
    DB_RESULTS_MAX = 50000,            /* games of a player that db_get_results() counts */
    DB_FEED_GAMES = 8,                 /* of which one page of db_get_player_events() has events */
    DB_FEED_LOOKS = DB_FEED_GAMES + 1, /* games it looks at: of the first nothing may be left */
    DB_BATCH_SIZES = 14                /* of struct db_stats; the last one is open-ended */
};

/* The kinds of requests; db_stat_name() names them. Each is a file of db/sql/. */
enum db_kind {
#define DB_SQL_KIND(kind) KIND_##kind,
#include "embed/db/kinds.def"
#undef DB_SQL_KIND
    DB_KINDS
};

/* What became of a request. Everything that can happen is turned into one of these.
 *
 * Only DB_OK and DB_UNKNOWN leave room for a write that happened. DB_UNKNOWN means that it was sent
 * and that its answer was not seen, or that the server did not confirm it as durable. db never
 * repeats such a write. The caller finds out by reading the game, or by making the same write with
 * the same answer's key again. Reads are never unknown, but
 * for those that wait until what they have read is durable. */
enum db_outcome {
    DB_OK,          /* a write is durable, a read is answered */
    DB_CONFLICT,    /* append, join: the game is at another version, or the answer's key was used
                     * before; create: the id, or the key, is taken. Nothing happened */
    DB_NOT_FOUND,   /* no such game, player or answer */
    DB_REFUSED,     /* the server said no to this very request; nothing happened */
    DB_UNAVAILABLE, /* not sent, or a read that was not answered; nothing happened */
    DB_UNKNOWN      /* the write may have happened or not */
};

/* Why something failed, in the server's or db's words. A text that is too long is cut. */
struct db_error {
    char sqlstate[6]; /* "" if the server said nothing; DB_SQLSTATE_FULL: too many wait here */
    char text[200];
};

#define DB_SQLSTATE_FULL "53000"

enum db_log_level { DB_LOG_INFO, DB_LOG_WARN, DB_LOG_ERROR };

/* What a server told of its time: microseconds since 1970, and when it was asked, on the monotonic
 * clock. */
struct db_time {
    int64_t told, asked_at;
};

struct db_settings {
    const char *url;      /* libpq connection string, several hosts are fine; kept by the caller */
    unsigned connections; /* 1.. */
    unsigned queue_max;   /* requests that may wait; one more is DB_UNAVAILABLE in the next pass,
                           * and so is one that finds 16 MiB of its kind, or of large writes */
    unsigned batch_max;   /* requests in one statement, 1.. */
    unsigned deadline_ms; /* from the request to its callback, at most */

    /* The newest timeline of a server that was seen, 0 at first. Every struct db of a program that
     * uses the same database shares it, so when one of them meets a server that has taken over, all
     * leave the old one. NULL: this one alone. */
    _Atomic uint32_t *timeline;

    /* What db_now() goes by until a connection was made, as db_migrate_check() has found it. All
     * zero: the machine's own clock. */
    struct db_time time;

    /* Called from the loop's thread; NULL: no log. The texts are valid during the call. */
    void (*log)(void *context, enum db_log_level level, const char *event, const char *detail);
    void *log_context;
};

/* ---- what is stored ------------------------------------------------------------------------- */

/* 128 random bits. */
typedef struct db_id {
    uint8_t byte[16];
} db_id;

/* Texts are UTF-8 and end with NUL; NULL is an SQL null. Times are microseconds since 1970. */
struct db_seat {
    int16_t state;      /* open, taken, engine ...: the caller's numbers */
    const char *name;   /* NULL: none */
    const char *engine; /* NULL: a person */
    bool has_token;
    uint8_t token[DB_HASH_BYTES]; /* hash of the seat's token */
    bool has_player;
    db_id player;
    bool has_invitation; /* only who has it may take the seat, until then */
    uint8_t invitation[DB_HASH_BYTES];
    int64_t invited_until;
};

struct db_game {
    db_id id;

    /* Changed by appends. */
    int32_t version;
    int32_t ply;
    int32_t line;  /* the line that the present position is on */
    int32_t lines; /* lines opened so far */
    int32_t tip;   /* last ply of the present line; above `ply` after an undo */
    int16_t status;
    int16_t to_move;
    int16_t winner;     /* 0: nobody */
    int16_t last_seat;  /* whose move the last one was; 0 before the first */
    const char *reason; /* how it ended, or NULL */
    const char *position;
    const char *last_move; /* NULL before the first */
    int64_t last_at;       /* when that was made; before the first, when the game was */
    int64_t updated_at;    /* when anything last happened: lists go by it */
    int64_t deadline_at;   /* until when the side to move has time; DB_NEVER: for ever */
    const char *timing;    /* the state of its clock, JSON; NULL: it has none */
    const char *offers;    /* those that are open, JSON; NULL: none */
    int32_t plans;         /* how often a plan was set, above two bits: which seats have one */
    bool has_next;         /* there is a rematch */
    db_id next;

    /* Changed by db_join(). */
    struct db_seat seat[DB_SEATS];
    int16_t hooks; /* the seats whose players may have webhooks, as bits: seat 1 is 2, seat 2 is 4.
                    * db_join() only adds some; db_mark_game() sets and clears them */

    /* Never changed. */
    const char *variant;
    int32_t rules_version;
    const char *options; /* JSON */
    const char *start;   /* the position at ply 0 */
    int16_t undo;
    int16_t visibility;
    int64_t seed; /* of its computer opponent */
    int64_t created_at;
    const char *clock;    /* the terms of its clock, JSON; NULL: it has none */
    const char *metadata; /* what an application keeps with it, JSON; NULL: nothing */

    /* Told in lists of a player's games alone, and never by whoever writes a game. */
    int32_t read[DB_SEATS]; /* up to which version the seat's player has read it; 0: nothing */
    int64_t ended_at;       /* when its end was stored; DB_NEVER: it goes on */
};

#define DB_NEVER INT64_MAX

/* One event. `position` is the one after it, and `key` tells positions apart for repetition. */
struct db_event {
    int32_t version; /* 1, 2, 3 ... without gaps */
    int16_t kind;
    int16_t seat; /* whose deed; 0: nobody's */
    int32_t line;
    int32_t ply;
    const char *move;     /* of a move event, else NULL */
    const char *position; /* of a move event and the first one, else NULL */
    int64_t key;
    int64_t at;
    const char *data; /* JSON, or NULL */
};

/* The few of the caller's numbers that db itself must know: kinds of events, for db_get_moves() and
 * db_count_unread(); states of games and of seats, for lists; and kinds of promises: a game has
 * news for webhooks, a player's webhooks have something to send; a game that is over may be told of
 * by its positions. */
enum {
    DB_EVENT_MOVE = 1,
    DB_EVENT_TIMEOUT = 14,
    DB_EVENT_MESSAGE = 23,
    DB_EVENT_DEADLINE = 24,
    DB_STATUS_OPEN = 1,
    DB_STATUS_ACTIVE = 2,
    DB_STATUS_FINISHED = 3,
    DB_VISIBILITY_PUBLIC = 1,
    DB_VISIBILITY_UNLISTED = 2,
    DB_VISIBILITY_PRIVATE = 3,
    DB_SEAT_CHALLENGED = 4, /* kept for a player; whatever its visibility is, the game is none of
                             * the public ones as long as it has such a seat */
    DB_DUE_NEWS = 5,
    DB_DUE_HOOKS = 6,
    DB_DUE_POSITIONS = 11
};

/* What is stored of the answer to a request with an idempotency key, in the same commit as what the
 * request wrote. The caller hashes the key. Either the whole answer is kept, sealed because it
 * holds tokens, under the id of the game or player; until db_forget_answers(). Or (`sealed` is
 * NULL) only a mark is kept, with the last event that the request wrote, and as long as that: the
 * first DB_MARK_BYTES of both hashes. The log has all that is needed to compose such an answer
 * again. */
struct db_answer {
    uint8_t key[DB_HASH_BYTES];
    uint8_t fingerprint[DB_HASH_BYTES]; /* of the request */
    const void *sealed;                 /* NULL: a mark */
    size_t sealed_len;
    int64_t at;     /* of a sealed answer */
    int16_t status; /* of a sealed answer */

    /* Where db_get_answer() found a mark: the event that has it. */
    int16_t kind, seat;
    int32_t version, line, ply;
};

/* The account of an identity provider that acts as a player beside their token. */
struct db_joined {
    bool is; /* it acts: the player has the token under which it was joined */
    bool has_account;
    db_id account;
    int64_t at;                    /* when it was joined, or ended; DB_NEVER: there was none ever */
    uint8_t secret[DB_HASH_BYTES]; /* random; shown to nobody */
    const char *origin;            /* a part of the address that joined it; NULL: not known */
};

/* A name to play under. */
struct db_player {
    db_id id;
    const char *name;             /* "" once they have left */
    uint8_t token[DB_HASH_BYTES]; /* hash of the player's token; zeros once they have left */
    int64_t created_at;
    int64_t left_at;  /* DB_NEVER: they are here */
    bool hooks;       /* they have made a webhook once; only db_create_hook() sets it */
    int64_t token_at; /* when they got the token; DB_NEVER: when they were made */
    struct db_joined joined;

    /* The hashes of the tokens that act beside `token`, and what the caller knows of them (NULL:
     * nothing). */
    size_t ntokens;
    uint8_t tokens[DB_TOKENS_MAX][DB_HASH_BYTES];
    const char *tokens_about;

    bool has_handover; /* they are open for another device, by the code of this id */
    db_id handover;

    bool unfound; /* they are not found by their name */

    const char *about;   /* a line about themself; NULL: none */
    const char *picture; /* the address of one; NULL: none */
};

/* A player who was found by their name. */
struct db_found_player {
    db_id id;
    const char *name;
    int64_t created_at;
    const char *about, *picture; /* as of a struct db_player */
};

/* A player whom another one has blocked. */
struct db_block {
    db_id player;
    const char *name; /* NULL: they have left; or it was not asked for */
    int64_t at;
};

/* A game, and from which event on those are counted that are new to a player: behind this version,
 * and not the deed of their own seats, which are bits (seat 1 is 2, seat 2 is 4). */
struct db_unread_from {
    db_id game;
    int32_t version;
    int16_t own_seats;
};

/* How many these are. */
struct db_unread_of {
    db_id game;
    int32_t events;
};

/* When the players of the seats of a game have said last that they have it before them. 0: they
 * have not, or have gone. */
struct db_here {
    int64_t at[DB_SEATS];
};

/* Whose results are asked for, against whom, and by whom. */
struct db_results_of {
    db_id player;
    bool has_against, has_asker; /* not: against anybody; a stranger asks */
    db_id against, asker;
};

/* How a player has done in the games of a variant. */
struct db_result {
    const char *variant;
    int32_t won, drawn, lost;
};

/* Which player a code is for. */
struct db_handover {
    db_id id; /* follows from the code */
    db_id player;
    int64_t until;
};

/* An account of an identity provider, and the player that it is. */
struct db_account {
    db_id id; /* follows from the provider's name for it */
    db_id player;
};

/* A promise to look at a game or player again at a time (due.h). There is one of each kind for each
 * of them. */
struct db_due {
    db_id id;
    int16_t kind; /* the caller's number */
    int64_t at;   /* DB_NEVER: it is fulfilled, and deleted */
};

/* A time from one moment to another: an outage, a vacation. */
struct db_span {
    int64_t from, to;
};

/* What a seat plays if its opponent plays this or that, from a ply of a line on. */
struct db_plan {
    int16_t seat;
    int32_t line, ply;
    const char *tree; /* JSON; NULL: there is none */
};

/* What a seat wrote for itself at a ply. */
struct db_note {
    int32_t ply;
    const char *text; /* NULL: it is deleted */
    int64_t at;
};

/* A point of the events of a player's games: of those that were written at `since` or later, by
 * game and version, the ones behind this version of this game. Zeros are before everything. */
struct db_feed_point {
    int64_t since; /* the database's time; 0: all events, whenever they were written */
    db_id game;
    int32_t version;
};

/* An event, its game, and when it was written, as in db_feed_point; 0: that was not kept. */
struct db_feed {
    db_id game;
    int64_t written_at;
    struct db_event event;
};

/* ---- requests and replies ------------------------------------------------------------------- */

/* What became of a request: every callback is told this. */
struct db_reply {
    enum db_outcome outcome;
    struct db_error error; /* of DB_REFUSED, DB_UNAVAILABLE, DB_UNKNOWN */
    size_t stored;         /* of a write that is done: its bytes, roughly */
};

/* What reads tell beside: one of these, or of the structs above and those of the other headers; or
 * a list of them, as a struct db_events with `items` and their `count`. See replies.def. */
struct db_version {
    int32_t version;
};
struct db_line_end {
    int32_t ply;
};
struct db_renewed {
    size_t games;
};
struct db_forgotten {
    size_t answers;
};
struct db_games {
    const struct db_game *items; /* in order */
    size_t count;
    const struct db_cursor *next; /* where the list goes on; NULL at its end */
};
struct db_feed_page {
    const struct db_feed *items; /* in order */
    size_t count;
    bool more;    /* others may follow */
    bool partial; /* a part of the database is away, and its events are not here */
};
struct db_player_state {
    size_t games;
    int64_t versions; /* their sum */
    size_t waiting;   /* in how many it is the player's turn */
    int64_t read;     /* the sum of how far they have read */
};
struct db_horizon {
    int64_t at;
};
struct db_beat {
    int32_t outages; /* how many there were, ever */
};
struct db_daemons {
    size_t count;
};
enum { DB_PUSH_KEY_BYTES = 32 };
struct db_push_key { /* the private key of plyd for Web Push */
    uint8_t secret[DB_PUSH_KEY_BYTES];
};

#define DB_REPLY(name, type)
#define DB_REPLY_LIST(name, item) \
    struct db_##name {            \
        const item *items;        \
        size_t count;             \
    };
#include "replies.def"

/* The callback of a write; and those of reads, by what they tell: db_game_callback and so on.
 * `what` is never NULL. With any outcome but DB_OK it is all zero. */
typedef void db_done_callback(void *context, const struct db_reply *reply);
#define DB_REPLY(name, type)                                                       \
    typedef void db_##name##_callback(void *context, const struct db_reply *reply, \
                                      const type *what);
#include "replies.def"

/* Appends events to a game and sets its present state, if it is still at version `expected` and
 * no plan was set since; otherwise the outcome is DB_CONFLICT and nothing is written. */
struct db_append {
    const struct db_game *after; /* id, and the fields that appends change; the rest is not read */
    int32_t expected;
    int32_t expected_plans;    /* of after->plans: a plan may be set without a new version */
    const struct db_due *dues; /* are promised with it, one of a kind; their id is the game's */
    size_t ndues;
    const struct db_event *events;  /* the first has the version expected + 1, the last `after`'s */
    size_t count;                   /* 1..DB_EVENTS_MAX */
    const struct db_answer *answer; /* or NULL */
};

/* A new game with its first events. DB_CONFLICT if a game of that id exists. */
struct db_create {
    const struct db_game *game;
    const struct db_event *events;  /* from version 1 on */
    size_t count;                   /* 1..DB_EVENTS_MAX */
    const struct db_answer *answer; /* or NULL */
    const struct db_due *dues;      /* as of an append */
    size_t ndues;
};

/* A new player. DB_CONFLICT if one of that id exists. */
struct db_create_player {
    const struct db_player *player;
    const struct db_answer *answer; /* or NULL */
};

/* A point of a list: behind this game, which was last active then. It also is a point of every
 * other list in the same order, whatever that one leaves out. */
struct db_cursor {
    int16_t rank; /* DB_RANK_OTHER; in the order by turns any of them */
    int64_t at;
    db_id id;
};

/* In the order by turns: games in which the player is to move and has a deadline, those in which
 * they have none, others that go on, games that are over. The cursor's `at` is the deadline in the
 * first rank, and the last activity in the others. Clients keep cursors, so a rank never gets
 * another number. */
enum { DB_RANK_DEADLINE = -1, DB_RANK_TURN, DB_RANK_OTHER, DB_RANK_OVER };

/* A page of a list: games of these variants that have one of these statuses. In a player's list
 * none of them means all. */
struct db_list {
    const char *const *variants;
    size_t nvariants;
    bool also_others; /* of public games: those of variants that it does not name, too */
    const int16_t *statuses;
    size_t nstatuses;
    const struct db_cursor *after; /* NULL: from the beginning */
    int32_t limit;                 /* games on the page, 1.. */
};

struct db_player_list {
    struct db_list list;
    db_id player;
    bool public_only;
    bool turn_only;       /* only active games in which the player is to move */
    bool challenges_only; /* only challenges that wait for an answer */
    bool by_turn;         /* in the order by turns */
    const char *metadata; /* only games whose metadata have this piece; NULL: all */
    int64_t ended_after;  /* only games that have ended later; 0: all */
};

struct db;

/* ---- opening, running, closing -------------------------------------------------------------- */

/* Copies the settings, and does not wait: the loop makes connections, and makes them again when
 * they break, with a growing pause of up to 2 s. NULL only if memory or descriptors are out. */
struct db *db_open(const struct db_settings *settings);

/* Ends every request (DB_UNAVAILABLE, or DB_UNKNOWN for writes that were sent) and frees
 * everything. Callbacks run until it returns; requests that they make end too. To drain, run the
 * loop until db_idle() first. NULL is fine. */
void db_close(struct db *db);

/* A descriptor that is readable when db_run() has something to do. It stays the same. */
int db_fd(const struct db *db);

/* How long the loop may wait before it calls db_run(), in milliseconds; -1: any time. */
int db_timeout_ms(const struct db *db);

/* One pass: reads what came, calls callbacks, sends what waits. Never call it from a callback. */
void db_run(struct db *db);

/* The same where db_fd() is known not to be readable: it is not asked again. */
void db_run_unread(struct db *db);

/* Whether no request waits and none is under way. */
bool db_idle(const struct db *db);

/* Whether a connection is up right now, so that db_now() has been the database's clock a moment
 * ago. Connections to a database on whose schema this program may not run are not kept. */
bool db_ready(const struct db *db);

/* The number of the last migration: of those that this program knows; and of those that were
 * applied, as the last new connection found it (0: there was none yet). The database may have more
 * (migrate.h). */
int db_schema_of_program(void);
int db_schema_of_database(const struct db *db);

/* The newest timeline that was seen: it grows when a standby takes over. What was read before may
 * have been lost with the old primary. */
uint32_t db_timeline(const struct db *db);

/* The database's clock, in microseconds since 1970: the one clock that games go by, whichever
 * machine serves them. It is kept as an offset, so reading it costs no round trip. */
int64_t db_now(const struct db *db);

/* ---- writes --------------------------------------------------------------------------------- */

void db_append(struct db *db, const struct db_append *append, db_done_callback *done,
               void *context);

/* As db_append(), and stores after->seat too. */
void db_join(struct db *db, const struct db_append *append, db_done_callback *done, void *context);

void db_create(struct db *db, const struct db_create *create, db_done_callback *done,
               void *context);

/* The answer, if there is one, is stored under the player's id. */
void db_create_player(struct db *db, const struct db_create_player *create, db_done_callback *done,
                      void *context);

/* Sets what may change of a player, if it is still what was read (`had`): name, left_at, token,
 * joined, tokens, handover, unfound, about, picture. DB_CONFLICT: it has changed since. token_at
 * follows by itself. With `ends_hooks` their receivers end (hooks.h), as those of who leaves do;
 * else those that were made by `ended` (NULL: none), unless that has `become` something else, which
 * has made them from then on. `due` is promised with it, for the same player (NULL: nothing is).
 * All of it must live until then, and its texts. */
struct db_player_change {
    const struct db_player *had, *player;
    bool ends_hooks;
    const uint8_t *ended, *become;
    const struct db_due *due;
};
void db_set_player(struct db *db, const struct db_player_change *change, db_done_callback *done,
                   void *context);

/* Says which player a code is for, and promises a look at it for when its time is over (`kind` is
 * the caller's). DB_CONFLICT: there is one of that id. Then it can be read, and is deleted. */
void db_create_handover(struct db *db, const struct db_handover *handover, int16_t kind,
                        db_done_callback *done, void *context);
void db_delete_handover(struct db *db, db_id id, db_done_callback *done, void *context);

/* Has a player block another one, from a time on. DB_OK, too, if they did before. DB_CONFLICT: they
 * have blocked DB_BLOCKS_MAX others. Programs that write for one player at the same moment may
 * exceed this by one each. */
void db_set_block(struct db *db, db_id player, db_id blocked, int64_t at, db_done_callback *done,
                  void *context);

/* DB_NOT_FOUND: they did not. */
void db_delete_block(struct db *db, db_id player, db_id blocked, db_done_callback *done,
                     void *context);

/* Notes that a player has read a game up to a version, or up to its last one if it does not go so
 * far. A lower one than before changes nothing. DB_OK, too, if the player holds no seat there, or
 * there is no such game: nothing tells these apart. */
void db_set_read(struct db *db, db_id game, db_id player, int32_t version, db_done_callback *done,
                 void *context);

/* Notes that seats (bits: seat 1 is 2, seat 2 is 4) have the game before them at a time, or that
 * they have gone (0), and tells of both seats. DB_NOT_FOUND: there is no such game. */
void db_set_here(struct db *db, db_id game, unsigned seats, int64_t at, db_here_callback *done,
                 void *context);

/* Makes an account. DB_CONFLICT if one of that id exists. The player need not exist yet. */
void db_create_account(struct db *db, const struct db_account *account, int64_t at,
                       db_done_callback *done, void *context);

/* Sets the player of an account, if that is the one that is expected; else DB_CONFLICT. */
void db_set_account(struct db *db, const struct db_account *account, db_id expected,
                    db_done_callback *done, void *context);

/* Begins a vacation of a player, or (if one begins at span->from already) sets its end. `due` as
 * above. DB_NOT_FOUND: there is no such player. */
void db_set_vacation(struct db *db, db_id player, const struct db_span *span,
                     const struct db_due *due, db_done_callback *done, void *context);

/* Sets or deletes (tree NULL) the plan of a seat, and after->plans, if the game is at this version
 * and its plans are `expected_plans`: else DB_CONFLICT. */
struct db_set_plan {
    db_id game;
    int32_t version, expected_plans, plans;
    const struct db_plan *plan;
};
void db_set_plan(struct db *db, const struct db_set_plan *set, db_done_callback *done,
                 void *context);

/* Sets or deletes a note. A seat has DB_NOTES_MAX notes at most: one more is DB_CONFLICT. Programs
 * that write to one seat at the same moment may exceed this by one each. */
void db_set_note(struct db *db, db_id game, int16_t seat, const struct db_note *note,
                 db_done_callback *done, void *context);

/* Stores an answer that was sealed, by itself, under an id of no game and no player. DB_CONFLICT:
 * there is one under that id and key. Of those under one id DB_KEPT_MAX stay, the latest. */
void db_keep_answer(struct db *db, db_id id, const struct db_answer *answer, db_done_callback *done,
                    void *context);

/* Deletes up to DB_FORGET_MAX answers that were stored before a time, the oldest first. Fewer may
 * mean that others are at it: any number of programs may do this at once, and none waits. Marks
 * stay. */
void db_forget_answers(struct db *db, int64_t before, db_forgotten_callback *done, void *context);

/* ---- reads ---------------------------------------------------------------------------------- */

void db_get_game(struct db *db, db_id id, db_game_callback *done, void *context);

/* Only the version, which tells whether a copy in memory is still the present state. */
void db_get_version(struct db *db, db_id id, db_version_callback *done, void *context);

/* The last version of a game from before a time; 0: there is none. */
void db_get_version_before(struct db *db, db_id game, int64_t at, db_version_callback *done,
                           void *context);

/* Of the `limit` events with version > after, those of a kind; 0: all of them. None is DB_OK.
 * DB_NOT_FOUND if there is no such game, here and in the next four. */
void db_get_events(struct db *db, db_id id, int16_t kind, int32_t after, int32_t limit,
                   db_events_callback *done, void *context);

/* The same of all kinds, without their positions, which are most of the bytes of a log. */
void db_get_log(struct db *db, db_id id, int32_t after, int32_t limit, db_events_callback *done,
                void *context);

/* The moves of a line from ply `from` to ply `to`, with those that it shares with earlier lines: of
 * each ply the move with the greatest line <= `line`. `to` must not lie behind the line's last ply:
 * there, the moves of an earlier line would follow. */
void db_get_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                  db_events_callback *done, void *context);

/* The same without their positions and data. */
void db_get_played(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                   db_events_callback *done, void *context);

/* The same, when they are durable: what a plain read shows, a failover may still lose
 * (sql/lib/names.psql). */
void db_get_durable_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                          db_events_callback *done, void *context);

/* The keys of the positions after those moves. That of ply 0, which no move made, is the first
 * event's key. */
void db_get_keys(struct db *db, db_id id, int32_t line, int32_t from, int32_t to,
                 db_keys_callback *done, void *context);

/* The ply of the last move of a line, what was undone included. Moves that the line shares with
 * one before it are that one's. 0: the game has no such line. */
void db_get_line_end(struct db *db, db_id id, int32_t line, db_line_end_callback *done,
                     void *context);

/* The answer that is stored under a key, when it is durable. */
void db_get_answer(struct db *db, db_id id, const uint8_t key[DB_HASH_BYTES],
                   db_answer_callback *done, void *context);

void db_get_player(struct db *db, db_id id, db_player_callback *done, void *context);

/* The first players, by their names, whose name begins with a text. Capitals make no difference. */
void db_find_players(struct db *db, const char *beginning, int32_t limit, db_found_callback *done,
                     void *context);

/* Whether a player has blocked another one: a list of that one alone, or of nobody. */
void db_get_block(struct db *db, db_id player, db_id blocked, db_blocks_callback *done,
                  void *context);

/* Those whom a player has blocked, by their ids, behind the id `after`; at most `limit`. */
void db_get_blocks(struct db *db, db_id player, db_id after, int32_t limit,
                   db_blocks_callback *done, void *context);

/* Counts what is new to a player in these games, which are theirs. Games in which nothing is are
 * not told. */
void db_count_unread(struct db *db, db_id player, const struct db_unread_from *from, size_t count,
                     db_unread_callback *done, void *context);

/* How a player has done: in games that are over, against other players, and that are public, or in
 * which whoever asks holds a seat. Of more than DB_RESULTS_MAX games that many and one are counted,
 * and it is not said which. */
void db_get_results(struct db *db, const struct db_results_of *wanted, db_results_callback *done,
                    void *context);

/* Which player a code is for. DB_NOT_FOUND: of nobody. */
void db_get_handover(struct db *db, db_id id, db_handover_callback *done, void *context);

void db_get_account(struct db *db, db_id id, db_account_callback *done, void *context);

/* The vacations of a player that end after `since`, in order; at most DB_VACATIONS_MAX. They do not
 * overlap: of several that were begun at the same moment, the last one is told. */
void db_get_vacations(struct db *db, db_id player, int64_t since, db_spans_callback *done,
                      void *context);

/* DB_NOT_FOUND: the seat has none, or there is no such game. */
void db_get_plan(struct db *db, db_id game, int16_t seat, db_plan_callback *done, void *context);

/* The notes at plies behind `after`, at most `limit`. None is DB_OK. */
void db_get_notes(struct db *db, db_id game, int16_t seat, int32_t after, int32_t limit,
                  db_notes_callback *done, void *context);

/* ---- lists ---------------------------------------------------------------------------------- */

/* A page of the public games, the newest activity first. */
void db_list_games(struct db *db, const struct db_list *list, db_games_callback *done,
                   void *context);

/* A page of the games in which a player holds a seat. They come by their activity, the newest
 * first; or by turns: first the active games in which the player is to move, by their deadlines
 * and then the one that has waited longest foremost, then the others that are not over (up to
 * DB_STATUS_ACTIVE), then those that are. All of the player's games are looked at, so each request
 * is a statement of its own. */
void db_player_games(struct db *db, const struct db_player_list *list, db_games_callback *done,
                     void *context);

/* ---- all games of a player ------------------------------------------------------------------- */

/* The events of the games in which a player holds a seat, behind a point, at most `limit`. It may
 * be fewer although others follow. None is DB_OK. */
void db_get_player_events(struct db *db, db_id player, const struct db_feed_point *after,
                          int32_t limit, db_feed_callback *done, void *context);

/* How many games a player holds a seat in, and the sum of their versions, which grows with each
 * event in any of them. This is the cheapest way to find out whether anything has happened. */
void db_get_player_state(struct db *db, db_id player, db_player_state_callback *done,
                         void *context);

/* A time of the database, some way back: whatever is not committed yet was or will be written later
 * than that. So whoever reads from now on what was written before it, reads all of it for good. */
void db_get_horizon(struct db *db, db_horizon_callback *done, void *context);

/* ---- metrics -------------------------------------------------------------------------------- */

/* Counters since db_open(), and what is so right now. Only 64-bit numbers: the struct is added up
 * over all loops as an array of them. */
struct db_stats {
    uint64_t statements[DB_KINDS];              /* sent, by kind */
    uint64_t members[DB_KINDS];                 /* requests that those carried */
    uint64_t batches[DB_KINDS][DB_BATCH_SIZES]; /* statements by their members: up to 1, 2, 4 ... */
    uint64_t outcomes[6];                       /* by enum db_outcome */
    uint64_t reconnects;                        /* connections that were up and were lost */
    uint64_t queued;                            /* requests that wait now */
    uint64_t connected, busy, down;             /* connections now; the busy ones are connected */
};
void db_stats(const struct db *db, struct db_stats *stats);
const char *db_stat_name(size_t i); /* NULL past the last */

#endif
