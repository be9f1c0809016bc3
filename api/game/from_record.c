#include "api/game/from_record.h"

#include "api/game/event_data.h"
#include "api/game/log_ends.h"
#include "api/game/offer_replay.h"
#include "api/game/opponent.h"
#include "api/game/record_extras.h"
#include "api/game/row.h"
#include "api/game/to_record.h"
#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/record/record.h"
#include "api/text/options.h"

struct building {
    const struct record *record;
    struct draft *draft;
    struct kept kept;
    size_t *moves; /* of the present line: their numbers among the draft's events, by ply - 1 */
    const struct record_point **points; /* of the present line, by ply */
    struct record_tree tree;
    size_t *open;                    /* variations that are still to be played, the next one last */
    const struct record_line **ends; /* room for those that end at one place */
    struct retell offers;
};

/* ---- what happened ---- */

/* A move that was played when the record was read; `point` is where it led. */
static void add_move(struct building *building, const char *text, const char *data,
                     const struct record_point *point)
{
    struct draft *draft = building->draft;
    struct draft_step step = {.text = text,
                              .position = point->position,
                              .key = point->key,
                              .outcome = point->outcome,
                              .seat = draft->row.to_move,
                              .to_move = (int)point->to_move};

    draft_add(draft, &step)->data = data;
    draft->last = point->move;
    building->moves[draft->row.ply - 1] = draft->nevents - 1;
}

static void finish_built_game(struct draft *draft, int status, unsigned winner, const char *reason)
{
    draft->row.status = (int16_t)status;
    draft->row.winner = (int16_t)winner;
    draft->row.reason = reason;
}

/* Whether the game can go from here to a ply: back, on to moves that were undone, or back from an
 * end that somebody declared. */
static bool leads_to(const struct draft *draft, int kind, int32_t ply)
{
    const struct db_game *row = &draft->row;

    if (row->status == STATUS_ABORTED || ply < 0 || ply > row->tip)
        return false;
    if (kind == EVENT_REDO)
        return ply > row->ply;
    return ply < row->ply || (ply == row->ply && row->status == STATUS_FINISHED);
}

/* To a ply of the line, where nothing but the rules can have ended the game. The keys of the line
 * stay where they are until other moves are played over them. */
static bool jump_built(struct building *building, int kind, int32_t ply,
                       const struct record_point *point)
{
    struct draft *draft = building->draft;

    if (!leads_to(draft, kind, ply))
        return false;
    row_set_move(&draft->row, ply, ply == 0 ? NULL : &draft->events[building->moves[ply - 1]]);
    draft->row.to_move = (int16_t)point->to_move;
    finish_built_game(draft, STATUS_ACTIVE, 0, NULL);
    draft_end(draft, &point->outcome);
    draft->last = (rules_move){{0, 0}};
    draft->nkeys = (size_t)ply + 1;
    return true;
}

static bool declare_built_win(struct building *building)
{
    struct draft *draft = building->draft;
    struct rules_state state;
    struct rules_outcome outcome;
    struct rules_refusal why;

    if (draft->game->declare == NULL ||
        !rules_load(draft->game, &building->record->options, draft->row.position, &state, &why) ||
        !draft->game->declare(&state, &outcome, &why))
        return false;
    finish_built_game(draft, STATUS_FINISHED, outcome.winner, rules_reason_text(outcome.reason));
    return true;
}

/* An end that only the record tells; the data says which. */
static bool take_recorded(struct building *building, const char *data)
{
    const char *reason;
    unsigned winner;

    if (!to_record_end(building->draft->arena, data, &reason, &winner))
        return false;
    finish_built_game(building->draft, STATUS_FINISHED, winner, reason);
    return true;
}

/* What both sides have agreed on ends the game, if it was a draw or to call it off. */
static void accept_built_offer(struct draft *draft, int offer_kind)
{
    if (offer_kind == OFFER_DRAW)
        finish_built_game(draft, STATUS_FINISHED, 0, "agreement");
    else if (offer_kind == OFFER_ABORT)
        finish_built_game(draft, STATUS_ABORTED, 0, NULL);
}

static void time_out(struct draft *draft, bool no_start, int seat)
{
    if (no_start)
        finish_built_game(draft, STATUS_ABORTED, 0, "no_start");
    else
        finish_built_game(draft, STATUS_FINISHED, rules_other((unsigned)seat), "timeout");
}

/* Whether somebody's deed can end the game here, and does so. */
static bool end_by_deed(struct building *building, const struct record_event *event, int kind,
                        const struct event_data_write *data)
{
    struct draft *draft = building->draft;

    switch (kind) {
    case EVENT_RESIGNED:
        if (event->seat == 0)
            return false;
        finish_built_game(draft, STATUS_FINISHED, rules_other(event->seat), "resign");
        return true;
    case EVENT_ABORTED:
        finish_built_game(draft, STATUS_ABORTED, 0, data->reason);
        return true;
    case EVENT_TIMEOUT:
        time_out(draft, data->no_start, (int)event->seat);
        return true;
    case EVENT_DECLARED:
        return declare_built_win(building);
    default: /* EVENT_RECORDED */
        return take_recorded(building, event->data);
    }
}

/* A copy has no rematch: the next game of the one that it was copied from is not its own. */
static const char *data_of(const struct record_event *event, int kind)
{
    return kind == EVENT_REMATCH ? NULL : event->data;
}

static bool happen(struct building *building, const struct record_event *event, int kind,
                   const struct event_data_write *data)
{
    struct draft *draft = building->draft;

    if (kind == EVENT_MOVE) {
        add_move(building, event->move, event->data, event->point);
        return true;
    }
    if (log_ends_kind(kind) && !end_by_deed(building, event, kind, data))
        return false;
    if ((kind == EVENT_UNDO || kind == EVENT_REDO) &&
        !jump_built(building, kind, event->ply, event->point))
        return false;
    if (kind == EVENT_ACCEPTED)
        accept_built_offer(draft, data->offer_kind);
    draft_event(draft, kind, (int)event->seat)->data = data_of(event, kind);
    return true;
}

static bool repeat(struct building *building, const struct record_event *event)
{
    struct draft *draft = building->draft;
    struct offers before = draft->offers;
    int kind = words_event_kind(event->kind);
    struct db_event form = {
        .kind = (int16_t)kind, .seat = (int16_t)event->seat, .data = event->data};
    bool went_on = draft_goes_on(draft);
    struct event_data_write data;

    if (kind == 0 || kind == EVENT_CREATED || !event_data_read(draft->arena, &form, &data) ||
        ((kind == EVENT_MOVE || log_ends_kind(kind)) && !went_on))
        return false;
    draft->now = event->at;
    return happen(building, event, kind, &data) &&
           offer_replay_event(&building->offers, draft, &before, &draft->events[draft->nevents - 1],
                              &data, went_on);
}

/* ---- a log of our own ---- */

static bool stops_at(const struct building *building, size_t i, struct record_error *error)
{
    *error = (struct record_error){
        .code = PROBLEM_BAD_RECORD,
        .detail = arena_format(building->draft->arena,
                               "Event %zu of the log does not follow from those before it.", i)};
    return false;
}

/* Event by event: each must be possible after those before it, and lead where the log says. */
static bool repeat_log(struct building *building, struct record_error *error)
{
    const struct record *record = building->record;
    const struct db_game *row = &building->draft->row;

    for (size_t i = 1; i < record->nevents; i++) {
        const struct record_event *event = &record->events[i];

        if (!repeat(building, event) || event->ply != row->ply || event->line != row->line)
            return stops_at(building, i + 1, error);
    }
    return building->offers.due_kind == 0 || stops_at(building, record->nevents, error);
}

/* ---- moves and an end ---- */

/* The end that the record tells, unless the moves have ended the game already. */
static void end_building(struct building *building)
{
    struct draft *draft = building->draft;
    const struct record *record = building->record;
    const struct record_outcome *outcome = &record->ending.outcome;
    int kind = EVENT_RECORDED, seat = 0;

    if (outcome->end == RECORD_OPEN || !draft_goes_on(draft))
        return;
    if (outcome->end == RECORD_RESIGNED && outcome->winner != 0) {
        kind = EVENT_RESIGNED;
        seat = RULES_SEATS + 1 - (int)outcome->winner;
    } else if (outcome->end == RECORD_BY_RULES && outcome->confirmed &&
               declare_built_win(building)) {
        kind = EVENT_DECLARED;
        seat = draft->row.to_move;
    } else if (outcome->end == RECORD_ABORTED) {
        kind = EVENT_ABORTED;
    }
    finish_built_game(draft, kind == EVENT_ABORTED ? STATUS_ABORTED : STATUS_FINISHED,
                      outcome->winner, kind == EVENT_ABORTED ? NULL : record_end_text(outcome));
    draft->now += record->ending.spent_us > 0 ? record->ending.spent_us : 0;
    draft_event(draft, kind, seat)->data = record_extras_end(&building->kept, building->record);
}

static const struct record_line *line_at(const struct building *building, size_t place)
{
    return &building->record->lines[building->tree.line[place] - 1];
}

/* The lines whose ends are told of a ply of a line: the line itself, if it is a variation and ends
 * there, and variations without moves. *next is the first variation that leaves the line
 * at this ply or later. */
static struct told_ends ends_at(struct building *building, size_t line, size_t ply, size_t *next)
{
    const struct record_line *own = line == 0 ? NULL : &building->record->lines[line - 1];
    size_t end = building->tree.first[line + 1];
    struct told_ends ends = {building->ends, 0, false};
    bool own_end = own != NULL && ply == own->ply + own->nmoves && record_is_said(&own->ending);

    if (own_end)
        ends.list[ends.n++] = own;
    while (*next < end && line_at(building, *next)->ply < ply)
        (*next)++;
    for (size_t at = *next; at < end && line_at(building, at)->ply == ply; at++)
        if (line_at(building, at)->nmoves == 0)
            ends.list[ends.n++] = line_at(building, at);
        else
            ends.stops |= own_end;
    return ends;
}

static void repeat_move(struct building *building, const struct record_move *move,
                        const struct record_point *point, const struct told_ends *ends)
{
    add_move(building, move->text, record_extras_move(&building->kept, move, ends), point);
    building->points[building->draft->row.ply] = point;
}

static void take_back_to(struct building *building, int32_t ply)
{
    struct draft *draft = building->draft;
    int32_t from = draft->row.ply;

    if (!jump_built(building, EVENT_UNDO, ply, building->points[ply]))
        return;
    draft_event(draft, EVENT_UNDO, 0)->data =
        arena_format(draft->arena, "{\"from_ply\":%d,\"to_ply\":%d}", from, ply);
}

/* Plays a variation from the ply at which it begins. It takes no time of the game's. */
static void repeat_line(struct building *building, size_t number)
{
    const struct record_line *line = &building->record->lines[number - 1];
    size_t next = building->tree.first[number];

    take_back_to(building, (int32_t)line->ply);
    for (size_t i = 0; i < line->nmoves; i++) {
        struct told_ends ends = ends_at(building, number, line->ply + i + 1, &next);

        repeat_move(building, &line->moves[i], line->points[i], &ends);
    }
}

/* Puts the variations of a line on the list of those to be played: the later one begins the sooner
 * it comes, and of those that begin at one ply the first one. */
static size_t open_variations(struct building *building, size_t line, size_t n)
{
    const struct record_tree *tree = &building->tree;
    size_t last = tree->first[line + 1], after;

    for (size_t at = tree->first[line]; at < last; at = after) {
        for (after = at + 1;
             after < last && line_at(building, after)->ply == line_at(building, at)->ply;)
            after++;
        for (size_t i = after; i > at; i--)
            if (line_at(building, i - 1)->nmoves > 0)
                building->open[n++] = tree->line[i - 1];
    }
    return n;
}

/* Plays a variation and those that begin in it. Each shares all plies up to where it begins with
 * the one before it, as lines after an undo do. */
static void repeat_variation(struct building *building, size_t line)
{
    size_t n = 0;

    for (building->open[n++] = line; n > 0;) {
        size_t next = building->open[--n];

        repeat_line(building, next);
        n = open_variations(building, next, n);
    }
}

/* Plays the variations that leave the main line at the present ply. They come before its next move,
 * so that the main line is the last one, which the game is on. */
static void repeat_variations(struct building *building, size_t ply, size_t *next)
{
    const struct record_tree *tree = &building->tree;
    for (; *next < tree->first[1] && line_at(building, *next)->ply == ply; (*next)++)
        if (line_at(building, *next)->nmoves > 0)
            repeat_variation(building, tree->line[*next]);
    if (building->draft->row.ply != (int32_t)ply)
        take_back_to(building, (int32_t)ply);
}

static void repeat_moves(struct building *building)
{
    const struct record *record = building->record;
    struct draft *draft = building->draft;
    size_t next = 0, told = 0;

    building->points[0] = record->points[0];
    for (size_t i = 0; i < record->nmoves; i++) {
        const struct record_move *move = &record->moves[i];
        struct told_ends ends;

        repeat_variations(building, i, &next);
        ends = ends_at(building, 0, i + 1, &told);
        draft->now += move->spent_us > 0 ? move->spent_us : 0;
        repeat_move(building, move, record->points[i + 1], &ends);
    }
    repeat_variations(building, record->nmoves, &next);
    end_building(building);
}

/* ---- the beginning ---- */

static int64_t thought(const struct record *record)
{
    int64_t sum = record->ending.spent_us > 0 ? record->ending.spent_us : 0;

    for (size_t i = 0; i < record->nmoves; i++)
        sum += record->moves[i].spent_us > 0 ? record->moves[i].spent_us : 0;
    return sum;
}

static int64_t beginning_of_built(const struct record *record, int64_t now)
{
    if (record->nevents > 0)
        return record->events[0].at;
    return record->started_at != RECORD_NO_TIME ? record->started_at : now - thought(record);
}

static bool opponents_exist(const struct record *record, struct record_error *error)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (record->engine[i] != NULL &&
            opponent_stored(record->engine[i], (unsigned)record->level[i]) == NULL) {
            *error = (struct record_error){
                .code = PROBLEM_BAD_RECORD,
                .detail = "A seat has an engine, or a level, that this daemon does not know."};
            return false;
        }
    return true;
}

static void begin_row(struct building *building)
{
    const struct record *record = building->record;
    struct draft *draft = building->draft;
    struct db_game *row = &draft->row;

    row->variant = record->game->name;
    row->rules_version = record->game->version;
    row->start = row->position = record->start;
    row->options = options_to_json(record->game, draft->arena, &record->options, record->start);
    row->line = row->lines = 1;
    row->to_move = (int16_t)record->points[0]->to_move;
    row->created_at = row->updated_at = row->last_at = draft->now;
    row->deadline_at = DB_NEVER;
    row->seed = record->seed;
    row->status = STATUS_ACTIVE;
    for (int i = 0; i < DB_SEATS; i++) {
        row->seat[i].name = record->name[i];
        row->seat[i].state = SEAT_TAKEN;
        if (record->engine[i] != NULL) {
            row->seat[i].state = SEAT_ENGINE;
            row->seat[i].engine = opponent_stored(record->engine[i], (unsigned)record->level[i]);
        }
    }
}

/* What the record says of the game as a whole, once its moves were played. */
static const char *head(struct building *building)
{
    const struct record *record = building->record;
    size_t next = 0, last = record->nmoves == 0 ? 0 : building->moves[record->nmoves - 1];
    struct told_ends ends = ends_at(building, 0, 0, &next);

    return record_extras_head(&building->kept, record, last + 1, &ends);
}

static void begin_building(struct building *building)
{
    const struct record *record = building->record;
    struct draft *draft = building->draft;
    struct db_event *event;

    begin_row(building);
    draft_push_key(draft, record->points[0]->key);
    event = draft_event(draft, EVENT_CREATED, 0);
    event->position = record->start;
    event->key = (int64_t)record->points[0]->key;
    event->data = record->nevents > 0 ? record->events[0].data : NULL;
    draft_end(draft, &record->points[0]->outcome);
}

/* The plies of the longest line. */
static size_t longest(const struct record *record)
{
    size_t most = record->nmoves;

    for (size_t i = 0; i < record->nlines; i++)
        if (record->lines[i].ply + record->lines[i].nmoves > most)
            most = record->lines[i].ply + record->lines[i].nmoves;
    return most;
}

bool from_record(struct arena *arena, const struct record *record, int64_t now, struct draft *draft,
                 struct record_error *error)
{
    struct building building = {.record = record, .draft = draft};
    size_t most = record->nevents > 0 ? record->nevents : longest(record) + 1;

    if (!record_is_plausible(record, error) || !opponents_exist(record, error))
        return false;
    draft_new(draft, arena, record->game, beginning_of_built(record, now));
    record_extras_init(&building.kept, arena);
    building.moves = arena_alloc(arena, most * sizeof(*building.moves));
    building.points = arena_alloc(arena, most * sizeof(*building.points));
    building.tree = record_tree(arena, record);
    building.open = arena_alloc(arena, (record->nlines + 1) * sizeof(*building.open));
    building.ends = arena_alloc(arena, (record->nlines + 1) * sizeof(const struct record_line *));
    begin_building(&building);
    rules_copy(record->state, &draft->state);
    if (record->nevents > 0)
        return repeat_log(&building, error);
    repeat_moves(&building);
    draft->events[0].data = head(&building);
    return true;
}
