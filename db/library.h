/*
 * library.h - players' collections of games, and the positions that games have reached. Requests
 * and replies are as in db.h.
 */
#ifndef PLYD_DB_LIBRARY_H
#define PLYD_DB_LIBRARY_H

#include "db/db.h"

enum {
    DB_COLLECTIONS_MAX = 100, /* of a player */
    DB_COLLECTED_MAX = 50000, /* games of a collection */
    DB_SEARCH_LOOKS = 2000,   /* games of a collection that one db_search() looks at */
    DB_COLLECT_MAX = 64,      /* games that one db_collect() adds */
    DB_COLLECTORS_MAX = 256,  /* players that one db_get_collectors() tells */
    DB_REACHED_MAX = 10000,   /* games of a position that are counted */
    DB_REACHED_LOOKS = 50000, /* games of a position that are looked at to find those */
    DB_POSITIONS_MADE = 2,    /* what keys of positions mean; 1: before options told them apart */
    DB_RENEW_MAX = 2000,      /* notes that one db_renew_positions() deletes */
    DB_RENEW_PAUSE_MS = 20    /* between the times at which their games are noted again */
};

/* A player's collection of games. */
struct db_collection {
    db_id id;
    const char *name;
    int64_t created_at;
    int32_t games; /* in it */
};

/* A game that reached a position, and is over. */
struct db_reached {
    int64_t key; /* of the position */
    db_id game;
    int32_t ply;
    const char *next; /* the move that was played there; "": none */
    int16_t winner;
    int64_t at; /* when it was over */
};

/* How the games of a position went on with a move. */
struct db_reached_by {
    const char *next;
    int64_t wins[DB_SEATS], draws;
};

/* Makes a collection, or renames it. DB_CONFLICT: the player has DB_COLLECTIONS_MAX others. */
void db_set_collection(struct db *db, db_id player, const struct db_collection *collection,
                       db_done_callback *done, void *context);

/* Deletes a collection; its games stay. */
void db_delete_collection(struct db *db, db_id player, db_id collection, db_done_callback *done,
                          void *context);

void db_get_collections(struct db *db, db_id player, db_collections_callback *done, void *context);

/* Adds games to a collection, and promises a look at their positions (DB_DUE_POSITIONS); those that
 * are in it stay. DB_NOT_FOUND: there is no such collection. DB_CONFLICT: it has
 * DB_COLLECTED_MAX. */
struct db_collected {
    db_id player, collection;
    const db_id *games;
    size_t count; /* DB_COLLECT_MAX at most */
    int64_t at;
};
void db_collect(struct db *db, const struct db_collected *collected, db_done_callback *done,
                void *context);

/* Takes a game out of a collection. DB_NOT_FOUND: it was not in it. */
void db_uncollect(struct db *db, db_id player, db_id collection, db_id game, db_done_callback *done,
                  void *context);

/* A page of the games of a collection that fit, the one that was added last first. Only the next
 * DB_SEARCH_LOOKS are looked at: a page may be short, or empty, though others follow. The cursor's
 * `at` is when a game was added. Texts that are NULL, and numbers that are -1, fit everything.
 * DB_NOT_FOUND: there is no such collection. */
struct db_search {
    db_id player, collection;
    const char *name;            /* a part of a player's name, in any case */
    const char *const *variants; /* any of these; none of them means all */
    size_t nvariants;
    int16_t winner;   /* of a game that is over; 0: a draw */
    int64_t from, to; /* when it began; DB_NEVER: at any time */
    int64_t key;      /* of a position that it reached; 0: any */
    bool apart;       /* not where the player holds a seat; of several collections, one has it */
    const struct db_cursor *after;
    int32_t limit;
};
void db_search(struct db *db, const struct db_search *search, db_games_callback *done,
               void *context);

/* The players in whose collections a game is. */
void db_get_collectors(struct db *db, db_id game, db_collectors_callback *done, void *context);

/* Notes which positions a game has reached, in a scope. What is noted already stays. */
void db_note_reached(struct db *db, db_id scope, const struct db_reached *reached, size_t count,
                     db_done_callback *done, void *context);

/* Deletes notes of older programs, whose keys mean something else (made < DB_POSITIONS_MADE), and
 * promises to note their games again, the first one now and each further one DB_RENEW_PAUSE_MS
 * later: up to DB_RENEW_MAX notes of one game after the other. Tells how many games that were; none
 * may mean that others are at it: any number of programs may do this at once, and none waits. */
void db_renew_positions(struct db *db, db_renewed_callback *done, void *context);

/* The games that reached a position, of a scope: the last DB_REACHED_MAX of them counted by the
 * move that followed, or the newest `limit` of them. Of a player's scope only those count that are
 * in a collection of that player; the last DB_REACHED_LOOKS are looked at to find them. */
void db_count_reached(struct db *db, db_id scope, int64_t key, bool of_player,
                      db_reached_moves_callback *done, void *context);
void db_get_reached(struct db *db, db_id scope, int64_t key, bool of_player, int32_t limit,
                    db_reached_games_callback *done, void *context);

#endif
