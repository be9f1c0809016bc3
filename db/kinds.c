/* kinds.c - the table of the kinds of requests. */
#include "kinds.h"

#include "operations.h"

#define DB_SQL(name, text)            static const char sql_##name[] = text;
#define DB_SQL_EITHER(plain, sharded) plain
#define DB_SQL_HERE(column, ids)      ""
#include "sql.def"
#undef DB_SQL
#undef DB_SQL_EITHER
#undef DB_SQL_HERE

#define DB_SQL(name, text)            static const char sharded_##name[] = text;
#define DB_SQL_EITHER(plain, sharded) sharded
#define DB_SQL_HERE(column, ids)      " and " column " = any(" ids ")"
#include "sql.def"
#undef DB_SQL

#define SQL(name) sql_##name, sharded_##name

const struct kind_info kinds_table[DB_KINDS] = {
    [KIND_MOVE] = {"move", SQL(move), DB_TYPES_MOVE, true, DB_CONFLICT, writes_bind_move,
                   writes_decode_moves, NULL},
    [KIND_MOVE_ALONE] = {"move_alone", SQL(move_alone), "=" DB_TYPES_MOVE, true, DB_CONFLICT,
                         writes_bind_move, writes_decode_moves, NULL},
    [KIND_SHOWN_MOVE] = {"shown_move", SQL(shown_move), DB_TYPES_MOVE, true, DB_CONFLICT,
                         writes_bind_move, writes_decode_moves, NULL},
    [KIND_SHOWN_MOVE_ALONE] = {"shown_move_alone", SQL(shown_move_alone), "=" DB_TYPES_MOVE, true,
                               DB_CONFLICT, writes_bind_move, writes_decode_moves, NULL},
    [KIND_APPEND] = {"append", SQL(append), DB_TYPES_TOLD DB_TYPES_STATE, true, DB_NOT_FOUND,
                     writes_bind_append, writes_decode, writes_piece},
    [KIND_TELL] = {"tell", SQL(tell), DB_TYPES_EVENTS, true, DB_OK, writes_bind_piece, NULL, NULL},
    [KIND_JOIN] = {"join", SQL(join), DB_TYPES_TOLD DB_TYPES_STATE DB_TYPES_SEATS, true,
                   DB_NOT_FOUND, writes_bind_join, writes_decode, writes_piece},
    [KIND_CREATE] = {"create", SQL(create),
                     DB_TYPES_TOLD DB_TYPES_STATE DB_TYPES_SEATS DB_TYPES_FIXED, true, DB_CONFLICT,
                     writes_bind_create, batch_decode_ids, writes_piece},
    [KIND_GAME] = {"game", SQL(game), "u", false, DB_NOT_FOUND, batch_bind_ids, games_decode, NULL},
    [KIND_VERSION] = {"version", SQL(version), "u", false, DB_NOT_FOUND, batch_bind_ids,
                      games_decode_versions, NULL},
    [KIND_EVENTS] = {"events", SQL(events), "uiii", false, DB_NOT_FOUND, events_bind, events_decode,
                     NULL},
    [KIND_LOG] = {"log", SQL(log), "uiii", false, DB_NOT_FOUND, events_bind, events_decode, NULL},
    [KIND_MOVES] = {"moves", SQL(moves), "uiii", false, DB_NOT_FOUND, events_bind, events_decode,
                    NULL},
    [KIND_PLAYED] = {"played", SQL(played), "uiii", false, DB_NOT_FOUND, events_bind, events_decode,
                     NULL},
    [KIND_MOVES_DURABLE] = {"moves_durable", SQL(moves_durable), "uiii", true, DB_NOT_FOUND,
                            events_bind, events_decode, NULL},
    [KIND_KEYS] = {"keys", SQL(keys), "uiii", false, DB_NOT_FOUND, events_bind, events_decode_keys,
                   NULL},
    [KIND_LINE_END] = {"line_end", SQL(line_end), "ui", false, DB_NOT_FOUND, events_bind_lines,
                       events_decode_line_ends, NULL},
    [KIND_ANSWER] = {"answer", SQL(answer), "ubl", false, DB_NOT_FOUND, answers_bind,
                     answers_decode, NULL},
    [KIND_ANSWER_DURABLE] = {"answer_durable", SQL(answer_durable), "ubl", true, DB_NOT_FOUND,
                             answers_bind, answers_decode_durable, NULL},
    [KIND_CREATE_PLAYER] = {"create_player", SQL(create_player), DB_TYPES_PLAYER, true, DB_CONFLICT,
                            players_bind, batch_decode_ids, NULL},
    [KIND_PLAYER] = {"player", SQL(player), "u", false, DB_NOT_FOUND, batch_bind_ids,
                     players_decode, NULL},
    [KIND_PUBLIC_GAMES] = {"public_games", SQL(public_games), "iituxs", false, DB_OK,
                           lists_bind_public, lists_decode, NULL},
    [KIND_PLAYER_GAMES] = {"player_games", SQL(player_games), "usssituixs", false, DB_OK,
                           lists_bind_player, lists_decode, NULL},
    [KIND_FORGET] = {"forget", SQL(forget), "t", true, DB_OK, answers_bind_forget,
                     answers_decode_forget, NULL},
    [KIND_CLAIM_DUE] = {"claim_due", SQL(claim_due), "tttus", true, DB_OK, due_bind_claim,
                        due_decode_claim, NULL},
    [KIND_SETTLE_DUE] = {"settle_due", SQL(settle_due), "ustt", true, DB_OK, due_bind_settle,
                         batch_decode_ids, NULL},
    [KIND_PROMISE] = {"promise", SQL(promise), "ust", true, DB_CONFLICT, due_bind, batch_decode_ids,
                      NULL},
    [KIND_TAKE_DUE] = {"take_due", SQL(take_due), "ust", true, DB_NOT_FOUND, due_bind,
                       batch_decode_ids, NULL},
    [KIND_PULSE] = {"pulse", SQL(pulse), "ttu", true, DB_OK, pulse_bind, pulse_decode, NULL},
    [KIND_OUTAGES] = {"outages", SQL(outages), "i", false, DB_OK, spans_bind_outages, spans_decode,
                      NULL},
    [KIND_SET_PLAYER] = {"set_player", SQL(set_player), "ustuxbtb", true, DB_NOT_FOUND,
                         players_bind_change, writes_decode, NULL},
    [KIND_SET_VACATION] = {"set_vacation", SQL(set_vacation), "ustutt", true, DB_NOT_FOUND,
                           players_bind_vacation, batch_decode_ids, NULL},
    [KIND_VACATIONS] = {"vacations", SQL(vacations), "ut", false, DB_OK, spans_bind_vacations,
                        spans_decode, NULL},
    [KIND_SET_PLAN] = {"set_plan", SQL(set_plan), "uiiisiix", true, DB_NOT_FOUND, plans_bind_set,
                       writes_decode, NULL},
    [KIND_PLAN] = {"plan", SQL(plan), "us", false, DB_NOT_FOUND, plans_bind, plans_decode, NULL},
    [KIND_SET_NOTE] = {"set_note", SQL(set_note), "usixt", true, DB_CONFLICT, notes_bind_set,
                       batch_decode_ids, NULL},
    [KIND_NOTES] = {"notes", SQL(notes), "usii", false, DB_OK, notes_bind, notes_decode, NULL},
    [KIND_PLAYER_EVENTS] = {"player_events", SQL(player_events), "utuii", false, DB_OK, feeds_bind,
                            feeds_decode, NULL},
    [KIND_PLAYER_STATE] = {"player_state", SQL(player_state), "u", false, DB_OK, batch_bind_ids,
                           feeds_decode_states, NULL},
    [KIND_HORIZON] = {"horizon", SQL(horizon), "i", false, DB_UNAVAILABLE, feeds_bind_horizon,
                      feeds_decode_horizon, NULL},
    [KIND_MARK_GAME] = {"mark_game", SQL(mark_game), "ustuss", true, DB_NOT_FOUND, hooks_bind_mark,
                        batch_decode_ids, NULL},
    [KIND_VERSION_BEFORE] = {"version_before", SQL(version_before), "ut", false, DB_NOT_FOUND,
                             hooks_bind_before, hooks_decode_before, NULL},
    [KIND_CREATE_HOOK] = {"create_hook", SQL(create_hook), DB_TYPES_HOOK "txlb", true, DB_CONFLICT,
                          hooks_bind_create, batch_decode_ids, NULL},
    [KIND_SET_HOOK] = {"set_hook", SQL(set_hook), DB_TYPES_HOOK "bxlbbtsts", true, DB_NOT_FOUND,
                       hooks_bind_set, writes_decode, NULL},
    [KIND_DELETE_HOOK] = {"delete_hook", SQL(delete_hook), "ustuu", true, DB_NOT_FOUND,
                          hooks_bind_delete, batch_decode_ids, NULL},
    [KIND_HOOKS] = {"hooks", SQL(hooks), "u", false, DB_OK, hooks_bind, hooks_decode, NULL},
    [KIND_ANNOUNCE] = {"announce", SQL(announce), "uuit", true, DB_NOT_FOUND, hooks_bind_announce,
                       batch_decode_ids, NULL},
    [KIND_HOOK_NEWS] = {"hook_news", SQL(hook_news), "u", false, DB_OK, hooks_bind,
                        hooks_decode_news, NULL},
    [KIND_DELIVERED] = {"delivered", SQL(delivered), "uusuiistissits", true, DB_NOT_FOUND,
                        hooks_bind_delivered, batch_decode_ids, NULL},
    [KIND_DELIVERIES] = {"deliveries", SQL(deliveries), "uu", false, DB_OK, hooks_bind_one,
                         hooks_decode_deliveries, NULL},
    [KIND_DAEMONS] = {"daemons", SQL(daemons), "ut", false, DB_UNAVAILABLE, pulse_bind_daemons,
                      pulse_decode_daemons, NULL},
    [KIND_CREATE_TASK] = {"create_task", SQL(create_task), "ustuusstllx", true, DB_CONFLICT,
                          tasks_bind_create, batch_decode_ids, NULL},
    [KIND_PUT_TASK_PART] = {"put_task_part", SQL(put_task_part), "uuib", true, DB_NOT_FOUND,
                            tasks_bind_part, batch_decode_ids, NULL},
    [KIND_SET_TASK] = {"set_task", SQL(set_task), "ustuuistlliixxuuisx", true, DB_NOT_FOUND,
                       tasks_bind_set, writes_decode, NULL},
    [KIND_DELETE_TASK] = {"delete_task", SQL(delete_task), "uu", true, DB_NOT_FOUND,
                          tasks_bind_delete, batch_decode_ids, NULL},
    [KIND_TASKS] = {"tasks", SQL(tasks), "uus", false, DB_OK, tasks_bind, tasks_decode, NULL},
    [KIND_TASK_ITEMS] = {"task_items", SQL(task_items), "uusii", false, DB_OK, tasks_bind_items,
                         tasks_decode_items, NULL},
    [KIND_TASK_PARTS] = {"task_parts", SQL(task_parts), "uui", false, DB_OK, tasks_bind_parts,
                         tasks_decode_parts, NULL},
    [KIND_SET_COLLECTION] = {"set_collection", SQL(set_collection), "uuxt", true, DB_CONFLICT,
                             library_bind_set, batch_decode_ids, NULL},
    [KIND_DELETE_COLLECTION] = {"delete_collection", SQL(delete_collection), "uu", true,
                                DB_NOT_FOUND, library_bind_delete, batch_decode_ids, NULL},
    [KIND_COLLECTIONS] = {"collections", SQL(collections), "u", false, DB_OK, hooks_bind,
                          library_decode, NULL},
    [KIND_COLLECT] = {"collect", SQL(collect), "uutuuu", true, DB_NOT_FOUND, library_bind_collect,
                      writes_decode, NULL},
    [KIND_UNCOLLECT] = {"uncollect", SQL(uncollect), "uuu", true, DB_NOT_FOUND,
                        library_bind_uncollect, batch_decode_ids, NULL},
    [KIND_SEARCH] = {"search", SQL(search), "uuxxsttltuis", false, DB_NOT_FOUND,
                     library_bind_search, library_decode_search, NULL},
    [KIND_COLLECTORS] = {"collectors", SQL(collectors), "u", false, DB_OK, hooks_bind,
                         library_decode_collectors, NULL},
    [KIND_NOTE_REACHED] = {"note_reached", SQL(note_reached), "uuluixst", true, DB_UNAVAILABLE,
                           library_bind_note, batch_decode_ids, NULL},
    [KIND_COUNT_REACHED] = {"count_reached", SQL(count_reached), "uls", false, DB_OK,
                            library_bind_position, library_decode_counts, NULL},
    [KIND_REACHED] = {"reached", SQL(reached), "ulsi", false, DB_OK, library_bind_reached,
                      library_decode_reached, NULL},
};

const enum db_kind kinds_alone[DB_KINDS] = {
    [KIND_MOVE] = KIND_MOVE_ALONE, [KIND_SHOWN_MOVE] = KIND_SHOWN_MOVE_ALONE};

const bool kinds_single[DB_KINDS] = {[KIND_PUBLIC_GAMES] = true, [KIND_PLAYER_EVENTS] = true};

const char *db_stat_name(size_t i)
{
    return i < DB_KINDS ? kinds_table[i].name : NULL;
}
