/*
 * db.h - what plyd stores and how it survives. The whole public interface of db/.
 *
 * A game is an append-only list of numbered events and one row with its present state. db keeps
 * texts and numbers; what they mean is decided elsewhere.
 *
 * `struct db` is run by the event loop of its owner and belongs to that one thread: poll db_fd()
 * for reading, call db_run() when it is ready, when db_timeout_ms() has passed, and once after
 * requests were made. Nothing here ever blocks, except in the functions of "migrate.h".
 *
 * Requests are queued. Whenever a connection is free, everything that waits goes out together: all
 * writes of a kind as one statement and one commit, all reads of a kind as one query. So a lone
 * request is sent at once, and under load one round trip carries many.
 *
 * Ownership in two lines: what a request points to must stay valid until its callback was called,
 * which happens exactly once, from db_run() or db_close(), never from the requesting function;
 * what a reply points to is valid during the callback only.
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
    DB_KINDS = 13,        /* of requests: db_stat_name() names them */
    DB_BATCH_SIZES = 14   /* the last has no end */
};

/* What became of a request. Every other thing that can happen is turned into one of these. */
enum db_outcome {
    DB_OK,
    DB_CONFLICT,    /* append: the game is at another version, or the answer's key was used before;
                     * create: the game exists already. Nothing happened */
    DB_NOT_FOUND,   /* no such game, player or answer */
    DB_REFUSED,     /* the server said no to this request; nothing happened */
    DB_UNAVAILABLE, /* not sent, or a read that was not answered: nothing happened */
    DB_UNKNOWN      /* a write was sent and its answer not seen: it may have happened or not */
};

struct db_error {
    char sqlstate[6]; /* "" if the server said nothing; DB_SQLSTATE_FULL: too many wait here */
    char text[200];
};

#define DB_SQLSTATE_FULL "53000"

enum db_log_level { DB_LOG_INFO, DB_LOG_WARN, DB_LOG_ERROR };

struct db_settings {
    const char *url;      /* libpq connection string; several hosts are fine */
    unsigned connections; /* 1.. */
    unsigned queue_max;   /* requests that may wait; one more is DB_UNAVAILABLE at once */
    unsigned batch_max;   /* requests in one statement */
    unsigned deadline_ms; /* from the request to its callback, at most */
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
    int16_t state;      /* open, taken, engine ... : the caller's numbers */
    const char *name;   /* NULL: none */
    const char *engine; /* NULL: a person */
    bool has_token;
    uint8_t token[DB_HASH_BYTES]; /* hash of the seat's token */
    bool has_player;
    db_id player;
};

struct db_game {
    db_id id;

    /* Changed by appends. */
    int32_t version;
    int32_t ply;
    int32_t line;  /* the line that the present position is on */
    int32_t lines; /* lines opened so far */
    int32_t tip;   /* last ply of the present line: above `ply` after an undo */
    int16_t status;
    int16_t to_move;
    int16_t winner; /* 0: nobody */
    int16_t last_seat;
    const char *reason; /* how it ended, or NULL */
    const char *position;
    const char *last_move; /* NULL before the first */
    int64_t last_at;
    int64_t updated_at;

    /* Changed by db_join(). */
    struct db_seat seat[DB_SEATS];

    /* Never changed. */
    const char *variant;
    int32_t rules_version;
    const char *options; /* JSON */
    const char *start;   /* the position at ply 0 */
    int16_t undo;
    int16_t visibility;
    int64_t seed; /* of its computer opponent */
    int64_t created_at;
};

/* One event. `key` tells positions apart for repetition; `position` is the one after the event. */
struct db_event {
    int32_t version;
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

/* The few of the caller's numbers that db itself must know: for db_get_moves(), and for lists. */
enum { DB_EVENT_MOVE = 1, DB_STATUS_ACTIVE = 2, DB_VISIBILITY_PUBLIC = 1 };

/* The first answer to a request with an idempotency key, kept for its repetitions. The key is
 * stored hashed and the body sealed by the caller, since it may hold tokens. */
struct db_answer {
    uint8_t key[DB_HASH_BYTES];
    uint8_t fingerprint[DB_HASH_BYTES]; /* of the request */
    int16_t status;
    const void *sealed;
    size_t sealed_len;
    int64_t at;
};

/* Somebody who plays under a name. Never changes. */
struct db_player {
    db_id id;
    const char *name;
    uint8_t token[DB_HASH_BYTES]; /* hash of the player's token */
    int64_t created_at;
};

/* ---- requests and replies ------------------------------------------------------------------- */

struct db_reply {
    enum db_outcome outcome;
    struct db_error error;          /* of DB_REFUSED, DB_UNAVAILABLE, DB_UNKNOWN */
    const struct db_game *game;     /* db_get_game */
    int32_t version;                /* db_get_version */
    const struct db_event *events;  /* db_get_events, db_get_moves: in order */
    const int64_t *keys;            /* db_get_keys: in order of ply */
    size_t count;                   /* of events, keys or games */
    const struct db_answer *answer; /* db_get_answer */
    const struct db_player *player; /* db_get_player */
    const struct db_game *games;    /* db_list_games, db_player_games: in order */
    const struct db_cursor *next;   /* of a list: where it goes on; NULL at its end */
};

typedef void (*db_callback)(void *context, const struct db_reply *reply);

/* Appends events to a game and sets its present state, if it is still at `expected`; else
 * DB_CONFLICT and nothing is written. The first event's version is expected + 1. Of `after` only
 * the fields that appends change are stored; its version is the last event's. */
struct db_append {
    const struct db_game *after;
    int32_t expected;
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer; /* or NULL */
};

/* A new game with its first events. DB_CONFLICT if a game of that id exists. */
struct db_create {
    const struct db_game *game;
    const struct db_event *events;
    size_t count;
    const struct db_answer *answer; /* or NULL */
};

/* A new player. DB_CONFLICT if one of that id exists. The answer is kept under the player's id. */
struct db_create_player {
    const struct db_player *player;
    const struct db_answer *answer; /* or NULL */
};

/* A point of a list: after a game that was last active then. Of one list it is a point of any
 * other of the same order, whatever that one leaves out. */
struct db_cursor {
    int16_t rank; /* DB_RANK_OTHER, or one of the others in the order by turns */
    int64_t at;
    db_id id;
};

enum { DB_RANK_TURN, DB_RANK_OTHER, DB_RANK_OVER };

/* What a page of a list shows: games of these variants that have one of these statuses. */
struct db_list {
    const char *const *variants;
    size_t nvariants;
    const int16_t *statuses;
    size_t nstatuses;
    const struct db_cursor *after; /* NULL: from the beginning */
    int32_t limit;
};

struct db_player_list {
    struct db_list list;
    db_id player;
    bool public_only;
    bool turn_only; /* only active games in which the player is to move */
    bool by_turn;   /* in the order by turns */
};

struct db;

/* Never waits: connections are made in the background and made again when they break, with a
 * growing pause of up to 2 s. NULL only if memory or descriptors are out. */
struct db *db_open(const struct db_settings *settings);

/* Ends every waiting request (DB_UNAVAILABLE, or DB_UNKNOWN for writes that were sent) and frees
 * everything. To drain, run the loop until db_idle() first. */
void db_close(struct db *db);

int db_fd(const struct db *db);
int db_timeout_ms(const struct db *db); /* -1: no deadline is near */
void db_run(struct db *db);
bool db_idle(const struct db *db);

/* Whether a connection is up right now and the schema is the one this program was built for. */
bool db_ready(const struct db *db);

/* The database's clock, in microseconds since 1970, by the offset that was last seen: the one
 * clock that games go by. The machine's own until a connection was made. */
int64_t db_now(const struct db *db);

void db_append(struct db *db, const struct db_append *append, db_callback done, void *context);

/* As db_append(), and stores after->seat too. */
void db_join(struct db *db, const struct db_append *append, db_callback done, void *context);

void db_create(struct db *db, const struct db_create *create, db_callback done, void *context);

void db_get_game(struct db *db, db_id id, db_callback done, void *context);

/* Only the version: to learn that a copy in memory is still the present state. */
void db_get_version(struct db *db, db_id id, db_callback done, void *context);

/* Events with version > after, at most `limit`. DB_NOT_FOUND if there is no such game. */
void db_get_events(struct db *db, db_id id, int32_t after, int32_t limit, db_callback done,
                   void *context);

/* The moves of a line, those that it shares with earlier lines included, from ply `from` to ply
 * `to`: of each ply the move with the greatest line <= `line`. (Right up to the line's last ply.)
 */
void db_get_moves(struct db *db, db_id id, int32_t line, int32_t from, int32_t to, db_callback done,
                  void *context);

/* The keys of the same moves' positions. Ply 0, which no move made, has the first event's key. */
void db_get_keys(struct db *db, db_id id, int32_t line, int32_t from, int32_t to, db_callback done,
                 void *context);

void db_get_answer(struct db *db, db_id id, const uint8_t key[DB_HASH_BYTES], db_callback done,
                   void *context);

void db_create_player(struct db *db, const struct db_create_player *create, db_callback done,
                      void *context);

void db_get_player(struct db *db, db_id id, db_callback done, void *context);

/* A page of the public games, the newest activity first. */
void db_list_games(struct db *db, const struct db_list *list, db_callback done, void *context);

/* A page of the games in which a player holds a seat, the newest activity first; or by turns: first
 * the active games in which the player is to move, the one that waited longest before the others,
 * then the rest of those that go on (up to DB_STATUS_ACTIVE), then those that are over. Reads all
 * of the player's games, so that it is a statement of its own. */
void db_player_games(struct db *db, const struct db_player_list *list, db_callback done,
                     void *context);

/* Counters for metrics, since db_open(), and what is so right now. Nothing but 64-bit numbers, so
 * that those of several loops can be added up as they stand. */
struct db_stats {
    uint64_t statements[DB_KINDS];              /* sent, by kind */
    uint64_t members[DB_KINDS];                 /* requests that those carried */
    uint64_t batches[DB_KINDS][DB_BATCH_SIZES]; /* statements by their members: up to 1, 2, 4 ... */
    uint64_t outcomes[6];                       /* by enum db_outcome */
    uint64_t reconnects;
    uint64_t queued;
    uint64_t connected, busy, down; /* connections; the busy ones are connected */
};
void db_stats(const struct db *db, struct db_stats *stats);
const char *db_stat_name(size_t i); /* NULL past the last */

#endif
