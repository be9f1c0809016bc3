/*
 * sql.h - every statement that plyd runs on the road of a request, one entry each:
 *
 *     DB_SQL(name, text)
 *
 * Each is prepared by its name on every connection and carries many requests at once: parameters
 * are arrays, one element a request (or an event, or an answer). `= any($n)` beside a join names
 * the games outright: it says nothing new, and lets a sharded database see that one shard is
 * concerned.
 */

/* The events and answers of the games that the statement wrote, `written`. They are the first
 * parameters of every write, so that they read the same everywhere. */
#define DB_SQL_EVENTS_AND_ANSWERS                                                                  \
    "told as ("                                                                                    \
    " insert into events (game_id, version, kind, seat, line, ply, key, at, move, position, data)" \
    " select e.*"                                                                                  \
    " from unnest($1::uuid[], $2::int4[], $3::int2[], $4::int2[], $5::int4[], $6::int4[],"         \
    " $7::int8[], $8::timestamptz[], $9::text[], $10::text[], $11::text[])"                        \
    " as e(game_id, version, kind, seat, line, ply, key, at, move, position, data)"                \
    " join written w on w.id = e.game_id"                                                          \
    "), answered as ("                                                                             \
    " insert into answers (game_id, key, fingerprint, status, sealed, at)"                         \
    " select a.*"                                                                                  \
    " from unnest($12::uuid[], $13::bytea[], $14::bytea[], $15::int2[], $16::bytea[],"             \
    " $17::timestamptz[])"                                                                         \
    " as a(game_id, key, fingerprint, status, sealed, at)"                                         \
    " join written w on w.id = a.game_id"                                                          \
    ")"
#define DB_TYPES_EVENTS_AND_ANSWERS \
    "uissiiltxxx"                   \
    "ubbsbt"

/* What an append sets of a game, from `c`. */
#define DB_SQL_SET_STATE                                                                   \
    " version = c.version, ply = c.ply, line = c.line, lines = c.lines, tip = c.tip,"      \
    " status = c.status, to_move = c.to_move, winner = c.winner, last_seat = c.last_seat," \
    " last_at = c.last_at, updated_at = c.updated_at, reason = c.reason,"                  \
    " position = c.position, last_move = c.last_move"
#define DB_SQL_STATE_ARRAYS                                                                        \
    "$18::uuid[], $19::int4[], $20::int4[], $21::int4[], $22::int4[], $23::int4[], $24::int4[],"   \
    " $25::int2[], $26::int2[], $27::int2[], $28::int2[], $29::timestamptz[], $30::timestamptz[]," \
    " $31::text[], $32::text[], $33::text[]"
#define DB_SQL_STATE_NAMES                                                                       \
    "id, expected, version, ply, line, lines, tip, status, to_move, winner, last_seat, last_at," \
    " updated_at, reason, position, last_move"
#define DB_TYPES_STATE "uiiiiiissssttxxx"

#define DB_SQL_SEAT_ARRAYS                                              \
    "$34::int2[], $35::text[], $36::text[], $37::bytea[], $38::uuid[]," \
    " $39::int2[], $40::text[], $41::text[], $42::bytea[], $43::uuid[]"
#define DB_SQL_SEAT_NAMES                                               \
    "seat1_state, seat1_name, seat1_engine, seat1_token, seat1_player," \
    " seat2_state, seat2_name, seat2_engine, seat2_token, seat2_player"
#define DB_TYPES_SEATS \
    "sxxbu"            \
    "sxxbu"

/* What is set once, when the game is made. */
#define DB_SQL_FIXED_ARRAYS                                                                      \
    "$44::text[], $45::int4[], $46::text[], $47::text[], $48::int2[], $49::int2[], $50::int8[]," \
    " $51::timestamptz[]"
#define DB_SQL_FIXED_NAMES \
    "variant, rules_version, options, start, undo, visibility, seed, created_at"
#define DB_TYPES_FIXED "xixxsslt"

/* The guard is the lock: a game is written only if it is at the version that was expected. */
#define DB_SQL_GUARDED_UPDATE(set, arrays, names)                        \
    "with written as ("                                                  \
    " update games g set" set " from unnest(" arrays ") as c(" names ")" \
    " where g.id = c.id and g.id = any($18) and g.version = c.expected"  \
    " returning g.id"                                                    \
    "), " DB_SQL_EVENTS_AND_ANSWERS " select c.id, w.id is not null"     \
    " from unnest($18) as c(id) left join written w on w.id = c.id"      \
    " where w.id is not null"                                            \
    " or (select true from games g where g.id = c.id and g.id = any($18))"

#define DB_SQL_GAME_COLUMNS                                                                        \
    "id, version, ply, line, lines, tip, status, to_move, winner, last_seat, last_at, updated_at," \
    " reason, position, last_move, " DB_SQL_SEAT_NAMES ","                                         \
    " " DB_SQL_FIXED_NAMES
#define DB_SQL_EVENT_COLUMNS \
    "e.version, e.kind, e.seat, e.line, e.ply, e.key, e.at, e.move, e.position, e.data"

/* The moves of a line between two plies. No index leads to a ply, and none is needed: the move of
 * ply p is one of the events after version p, since p moves and the first event come before; and of
 * a line that is still open, up to the tip, each of the tip - p plies above it was moved after it.
 * In a game of moves alone these bounds enclose exactly the moves that are asked for; each other
 * event and each undone move widens them by one row of the primary key, whatever the ply. */
#define DB_SQL_MOVES(columns, kinds)                                                            \
    "select r.n::int4, " columns " from unnest($1::uuid[], $2::int4[], $3::int4[], $4::int4[])" \
    " with ordinality as r(id, line, first, last, n)"                                           \
    " join games g on g.id = r.id and g.id = any($1)"                                           \
    " left join lateral ("                                                                      \
    " select distinct on (e.ply) e.*"                                                           \
    " from events e"                                                                            \
    " where e.game_id = g.id and e.version > r.first"                                           \
    " and e.version <= case when r.line >= g.line"                                              \
    " then g.version - greatest(g.tip - r.last, 0) else g.version end"                          \
    " and e.line <= r.line and e.ply between r.first and r.last and " kinds                     \
    " order by e.ply, e.line desc"                                                              \
    ") e on true"                                                                               \
    " order by r.n, e.ply"

/* Sets the games that are at their expected version, with their events and answers, all or nothing
 * for each; answers every game that exists with whether it was set. */
DB_SQL(append, DB_SQL_GUARDED_UPDATE(DB_SQL_SET_STATE, DB_SQL_STATE_ARRAYS, DB_SQL_STATE_NAMES))

/* The same, and the seats. */
DB_SQL(join, DB_SQL_GUARDED_UPDATE(DB_SQL_SET_STATE
                                   ", seat1_state = c.seat1_state, seat1_name = c.seat1_name,"
                                   " seat1_engine = c.seat1_engine, seat1_token = c.seat1_token,"
                                   " seat1_player = c.seat1_player, seat2_state = c.seat2_state,"
                                   " seat2_name = c.seat2_name, seat2_engine = c.seat2_engine,"
                                   " seat2_token = c.seat2_token, seat2_player = c.seat2_player",
                                   DB_SQL_STATE_ARRAYS ", " DB_SQL_SEAT_ARRAYS,
                                   DB_SQL_STATE_NAMES ", " DB_SQL_SEAT_NAMES))

/* Makes the games whose id is free, with their events and answers; answers the ids of those. */
DB_SQL(create, "with written as ("
               " insert into games (" DB_SQL_GAME_COLUMNS ")"
               " select c.id, c.version, c.ply, c.line, c.lines, c.tip, c.status, c.to_move,"
               " c.winner, c.last_seat, c.last_at, c.updated_at, c.reason, c.position,"
               " c.last_move, c.seat1_state, c.seat1_name, c.seat1_engine, c.seat1_token,"
               " c.seat1_player, c.seat2_state, c.seat2_name, c.seat2_engine, c.seat2_token,"
               " c.seat2_player, c.variant, c.rules_version, c.options, c.start, c.undo,"
               " c.visibility, c.seed, c.created_at"
               " from unnest(" DB_SQL_STATE_ARRAYS ", " DB_SQL_SEAT_ARRAYS ", " DB_SQL_FIXED_ARRAYS
               ") as c(" DB_SQL_STATE_NAMES ", " DB_SQL_SEAT_NAMES ", " DB_SQL_FIXED_NAMES ")"
               " on conflict (id) do nothing"
               " returning id"
               "), " DB_SQL_EVENTS_AND_ANSWERS " select id from written")

/* The games of these ids, each once. */
DB_SQL(game, "select " DB_SQL_GAME_COLUMNS " from games where id = any($1::uuid[])")

/* Their versions, each once. */
DB_SQL(version, "select id, version from games where id = any($1::uuid[])")

/* Events after a version and up to another, in order, for each request that names a game that
 * exists; one row of nulls where it has none there. $2 is unused: ranges of all kinds look alike.
 */
DB_SQL(events, "select r.n::int4, " DB_SQL_EVENT_COLUMNS
               " from unnest($1::uuid[], $2::int4[], $3::int4[], $4::int4[])"
               " with ordinality as r(id, line, first, last, n)"
               " join games g on g.id = r.id and g.id = any($1)"
               " left join lateral ("
               " select e.* from events e"
               " where e.game_id = g.id and e.version between r.first and r.last"
               " order by e.version"
               ") e on true"
               " order by r.n, e.version")

DB_SQL(moves, DB_SQL_MOVES(DB_SQL_EVENT_COLUMNS, "e.kind = 1"))

/* The keys of those moves' positions. The first event stands for ply 0. */
DB_SQL(keys, DB_SQL_MOVES("e.key", "(e.kind = 1 or e.version = 1)"))

/* The stored answers to these keys. The limit has each looked up by itself: a join could choose to
 * read all answers of its game. */
DB_SQL(answer, "select r.n::int4, a.fingerprint, a.status, a.sealed, a.at"
               " from unnest($1::uuid[], $2::bytea[]) with ordinality as r(id, key, n)"
               " cross join lateral ("
               " select a.* from answers a"
               " where a.game_id = r.id and a.key = r.key and a.game_id = any($1)"
               " limit 1"
               ") a")
