/* kinds.c - the table of the kinds of requests. */
#include "internal.h"

#define DB_SQL(name, text) static const char sql_##name[] = text;
#include "sql.def"
#undef DB_SQL

const struct kind_info kinds[DB_KINDS] = {
    [KIND_APPEND] = {"append", sql_append, DB_TYPES_EVENTS_AND_ANSWERS DB_TYPES_STATE, true,
                     DB_NOT_FOUND, bind_append, decode_append},
    [KIND_JOIN] = {"join", sql_join, DB_TYPES_EVENTS_AND_ANSWERS DB_TYPES_STATE DB_TYPES_SEATS,
                   true, DB_NOT_FOUND, bind_join, decode_append},
    [KIND_CREATE] = {"create", sql_create,
                     DB_TYPES_EVENTS_AND_ANSWERS DB_TYPES_STATE DB_TYPES_SEATS DB_TYPES_FIXED, true,
                     DB_CONFLICT, bind_create, decode_create},
    [KIND_GAME] = {"game", sql_game, "u", false, DB_NOT_FOUND, bind_ids, decode_game},
    [KIND_VERSION] = {"version", sql_version, "u", false, DB_NOT_FOUND, bind_ids, decode_version},
    [KIND_EVENTS] = {"events", sql_events, "uiii", false, DB_NOT_FOUND, bind_range, decode_events},
    [KIND_MOVES] = {"moves", sql_moves, "uiii", false, DB_NOT_FOUND, bind_range, decode_events},
    [KIND_KEYS] = {"keys", sql_keys, "uiii", false, DB_NOT_FOUND, bind_range, decode_keys},
    [KIND_CREATE_PLAYER] = {"create_player", sql_create_player, DB_TYPES_PLAYER, true, DB_CONFLICT,
                            bind_create_player, decode_create},
    [KIND_PLAYER] = {"player", sql_player, "u", false, DB_NOT_FOUND, bind_ids, decode_player},
    [KIND_PUBLIC_GAMES] = {"public_games", sql_public_games, "iituxs", false, DB_OK,
                           bind_public_games, decode_list},
    [KIND_PLAYER_GAMES] = {"player_games", sql_player_games, "usssituixs", false, DB_OK,
                           bind_player_games, decode_list},
    [KIND_ANSWER] = {"answer", sql_answer, "ub", false, DB_NOT_FOUND, bind_answer, decode_answer},
};

const char *db_stat_name(size_t i)
{
    return i < DB_KINDS ? kinds[i].name : NULL;
}
