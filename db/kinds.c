/* kinds.c - the table of the kinds of requests. */
#include "kinds.h"

#include "operations.h"

#define DB_SQL(name, text) static const char sql_##name[] = text;
#include "sql.def"
#undef DB_SQL

const struct kind_info kinds_table[DB_KINDS] = {
    [KIND_APPEND] = {"append", sql_append, DB_TYPES_TOLD DB_TYPES_STATE, true, DB_NOT_FOUND,
                     writes_bind_append, writes_decode},
    [KIND_APPEND_MORE] = {"append_more", sql_append_more,
                          DB_TYPES_TOLD DB_TYPES_STATE DB_TYPES_MORE, true, DB_NOT_FOUND,
                          writes_bind_append_more, writes_decode},
    [KIND_JOIN] = {"join", sql_join, DB_TYPES_TOLD DB_TYPES_STATE DB_TYPES_MORE DB_TYPES_SEATS,
                   true, DB_NOT_FOUND, writes_bind_join, writes_decode},
    [KIND_CREATE] = {"create", sql_create,
                     DB_TYPES_TOLD DB_TYPES_STATE DB_TYPES_MORE DB_TYPES_SEATS DB_TYPES_FIXED, true,
                     DB_CONFLICT, writes_bind_create, batch_decode_ids},
    [KIND_GAME] = {"game", sql_game, "u", false, DB_NOT_FOUND, batch_bind_ids, games_decode},
    [KIND_VERSION] = {"version", sql_version, "u", false, DB_NOT_FOUND, batch_bind_ids,
                      games_decode_versions},
    [KIND_EVENTS] = {"events", sql_events, "uiii", false, DB_NOT_FOUND, events_bind, events_decode},
    [KIND_MOVES] = {"moves", sql_moves, "uiii", false, DB_NOT_FOUND, events_bind, events_decode},
    [KIND_KEYS] = {"keys", sql_keys, "uiii", false, DB_NOT_FOUND, events_bind, events_decode_keys},
    [KIND_LINE_END] = {"line_end", sql_line_end, "ui", false, DB_NOT_FOUND, events_bind_lines,
                       events_decode_line_ends},
    [KIND_ANSWER] = {"answer", sql_answer, "ubl", false, DB_NOT_FOUND, answers_bind,
                     answers_decode},
    [KIND_CREATE_PLAYER] = {"create_player", sql_create_player, DB_TYPES_PLAYER, true, DB_CONFLICT,
                            players_bind, batch_decode_ids},
    [KIND_PLAYER] = {"player", sql_player, "u", false, DB_NOT_FOUND, batch_bind_ids,
                     players_decode},
    [KIND_PUBLIC_GAMES] = {"public_games", sql_public_games, "iituxs", false, DB_OK,
                           lists_bind_public, lists_decode},
    [KIND_PLAYER_GAMES] = {"player_games", sql_player_games, "usssituixs", false, DB_OK,
                           lists_bind_player, lists_decode},
    [KIND_FORGET] = {"forget", sql_forget, "t", true, DB_OK, answers_bind_forget,
                     answers_decode_forget},
    [KIND_CLAIM_DUE] = {"claim_due", sql_claim_due, "tt", true, DB_OK, due_bind_claim,
                        due_decode_claim},
    [KIND_SETTLE_DUE] = {"settle_due", sql_settle_due, "ustt", true, DB_OK, due_bind_settle,
                         batch_decode_ids},
    [KIND_PROMISE] = {"promise", sql_promise, "ust", true, DB_CONFLICT, due_bind, batch_decode_ids},
    [KIND_TAKE_DUE] = {"take_due", sql_take_due, "ust", true, DB_NOT_FOUND, due_bind,
                       batch_decode_ids},
    [KIND_PULSE] = {"pulse", sql_pulse, "tt", true, DB_OK, pulse_bind, pulse_decode},
    [KIND_OUTAGES] = {"outages", sql_outages, "i", false, DB_OK, spans_bind_outages, spans_decode},
    [KIND_SET_PLAYER] = {"set_player", sql_set_player, "ustuxbtb", true, DB_NOT_FOUND,
                         players_bind_change, writes_decode},
    [KIND_SET_VACATION] = {"set_vacation", sql_set_vacation, "ustutt", true, DB_NOT_FOUND,
                           players_bind_vacation, batch_decode_ids},
    [KIND_VACATIONS] = {"vacations", sql_vacations, "ut", false, DB_OK, spans_bind_vacations,
                        spans_decode},
    [KIND_SET_PLAN] = {"set_plan", sql_set_plan, "uiiisiix", true, DB_NOT_FOUND, plans_bind_set,
                       writes_decode},
    [KIND_PLAN] = {"plan", sql_plan, "us", false, DB_NOT_FOUND, plans_bind, plans_decode},
    [KIND_SET_NOTE] = {"set_note", sql_set_note, "usixt", true, DB_CONFLICT, notes_bind_set,
                       batch_decode_ids},
    [KIND_NOTES] = {"notes", sql_notes, "usii", false, DB_OK, notes_bind, notes_decode},
    [KIND_PLAYER_EVENTS] = {"player_events", sql_player_events, "utuii", false, DB_OK, feeds_bind,
                            feeds_decode},
    [KIND_PLAYER_STATE] = {"player_state", sql_player_state, "u", false, DB_OK, batch_bind_ids,
                           feeds_decode_states},
    [KIND_HORIZON] = {"horizon", sql_horizon, "i", false, DB_UNAVAILABLE, feeds_bind_horizon,
                      feeds_decode_horizon},
};

const char *db_stat_name(size_t i)
{
    return i < DB_KINDS ? kinds_table[i].name : NULL;
}
