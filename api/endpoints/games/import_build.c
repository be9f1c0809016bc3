/* import_build.c - building the game that a record tells. */
#include "api/endpoints/games/import_build.h"

#include <string.h>

#include "api/endpoints/games/create.h"
#include "api/game/draft.h"
#include "api/game/from_record.h"
#include "api/game/name.h"
#include "api/game/opponent.h"
#include "api/game/record_extras.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/view.h"
#include "db/db.h"

/* ---- what is wrong with a record ---- */

/* "game-over" is a conflict with the state of a game, 409. There is no game yet: here it means that
 * the record has moves after the end. */
enum problem import_problem(const struct record_error *error)
{
    return error->code == PROBLEM_RULE_GAME_OVER ? PROBLEM_BAD_RECORD : error->code;
}

void import_problem_members(struct json *json, const struct record_error *error,
                            const struct lang *lang)
{
    if (error->line > 0)
        json_member_int(json, "record_line", (int64_t)error->line);
    if (error->column > 0)
        json_member_int(json, "record_column", (int64_t)error->column);
    if (error->ply > 0)
        json_member_int(json, "at", error->ply - 1);
    if (error->move != NULL)
        json_member(json, "move", error->move);
    if (error->game != NULL)
        view_refusal(json, error->game, error->state, &error->refusal, lang);
}

void import_refuse(struct request *request, const struct record_error *error)
{
    enum problem problem = import_problem(error);
    struct json json;

    reply_problem_open(request, &json, problem, error->detail);
    import_problem_members(&json, error, request->lang);
    reply_problem_send(request, &json, problem);
}

/* ---- the draft ---- */

/* Whether the record's seats are such as POST /v1/games could have made. Only names may be longer
 * here: those of a record are kept whole. */
static bool check_seats(const struct import_build *build, struct record_error *error)
{
    struct arena *arena = build->creation->draft.arena;

    for (int i = 0; i < DB_SEATS; i++) {
        const char *name = build->record.name[i];
        uint32_t unfit = name == NULL ? 0 : name_unfit(name);

        if (unfit == 0)
            continue;
        *error = (struct record_error){
            .code = PROBLEM_BAD_RECORD,
            .detail = arena_format(arena,
                                   "A player's name has the character U+%04X, which may not stand "
                                   "there: it cannot be seen, or it disturbs the text around it.",
                                   unfit)};
        return false;
    }
    return true;
}

/* Whether the computer keeps a seat of the record. Where nobody plays on, it would play
 * against nobody. */
static bool engine_stays(const struct import_build *build, const struct db_seat *seat)
{
    const struct creation *creation = build->creation;

    return seat->state == SEAT_ENGINE && !creation->seats_given &&
           !(build->unattended && draft_goes_on(&creation->draft));
}

/* Fills a seat in which from_record() put what the record says. What the request says counts more;
 * where it says nothing, the computer keeps its seats, and the importer gets the others. */
static void fill_seat(const struct import_build *build, const struct db_seat *terms, int i)
{
    struct creation *creation = build->creation;
    struct db_seat *seat = &creation->draft.row.seat[i];
    bool as_told = seat->name == NULL || (creation->seats_given && terms->name != NULL);
    const char *name = as_told ? terms->name : seat->name;

    if (engine_stays(build, seat))
        creation->mine &= ~seat_bit(i + 1);
    else
        *seat = *terms;
    seat->name = name;
}

/* The clock begins now, whenever the moves of the record were played, and an event says so. */
static void begin_clock(struct draft *draft, int64_t now)
{
    record_extras_forget_clock(draft);
    draft->now = now;
    draft_data(draft, draft_event(draft, EVENT_RESUMED, 0), "\"begins\":true");
}

/* Two engines would play with nobody there. */
static bool is_played_by_somebody(const struct draft *draft, struct record_error *error)
{
    const struct db_seat *seat = draft->row.seat;

    if (seat[0].state != SEAT_ENGINE || seat[1].state != SEAT_ENGINE ||
        !(opponent_thinks(&seat[0]) || opponent_thinks(&seat[1])))
        return true;
    *error = (struct record_error){
        .code = PROBLEM_BAD_RECORD,
        .detail = "Both seats have engines. Say beside the record who plays: \"seats\"."};
    return false;
}

/* Makes the record's game under the terms of the request, which are in the draft's row until
 * from_record() begins the draft anew. The id follows from the key and stays. */
static bool make_draft(struct import_build *build, struct record_error *error)
{
    struct creation *creation = build->creation;
    struct draft *draft = &creation->draft;
    struct db_game terms = draft->row;
    int64_t now = draft->now;
    int32_t from;

    creation->game = build->record.game;
    if (!from_record(draft->arena, &build->record, draft->now, draft, error))
        return false;
    draft->row.id = terms.id;
    draft->row.undo = terms.undo;
    draft->row.visibility = terms.visibility;
    if (!creation->visibility_given && build->record.visibility != NULL &&
        strcmp(build->record.visibility, words_visibility(VISIBILITY_PRIVATE)) == 0)
        draft->row.visibility = VISIBILITY_PRIVATE;
    if (build->record.nevents == 0)
        draft->row.seed = terms.seed;
    for (int i = 0; i < DB_SEATS; i++)
        fill_seat(build, &terms.seat[i], i);
    if (!is_played_by_somebody(draft, error))
        return false;
    if (row_has_open_seat(&draft->row) && draft_goes_on(draft))
        draft->row.status = STATUS_OPEN;
    draft_answer(draft, &from); /* the whole past is here: no keys are missing */
    if (creation->clock != NULL)
        begin_clock(draft, now);
    return true;
}

/* ---- all of it ---- */

/* Those of the query count more than those of a body. */
static const struct rules_options *merge_options(struct import_build *build)
{
    const struct rules_options *asked = &build->terms.options;
    struct rules_options *options = &build->creation->options;

    for (size_t i = 0; i < RULES_OPTIONS_MAX; i++)
        if (asked->given & 1U << i) {
            options->value[i] = asked->value[i];
            options->given |= 1U << i;
        }
    if (asked->position != NULL)
        options->position = asked->position;
    return options;
}

/* Each event of a log is stored as one, whether or not it is a move. So is the beginning of a
 * clock.
 */
static size_t plies_of(const struct import_build *build)
{
    const struct record *record = &build->record;

    size_t n = record->nevents > 0 ? record->nevents - 1 : record->nmoves;

    for (size_t i = 0; i < record->nlines; i++)
        n += record->lines[i].nmoves + 2; /* with an undo to its beginning, and one back */
    return n + (build->creation->clock != NULL);
}

static bool is_short_enough(const struct import_build *build, struct record_error *error)
{
    const char *detail;

    if (!create_is_too_long(build->creation, plies_of(build), &detail))
        return true;
    *error = (struct record_error){.code = PROBLEM_GAME_TOO_LONG, .detail = detail};
    return false;
}

bool import_build(struct import_build *build, struct record_error *error)
{
    struct record_hint hint = {.game = build->terms.game,
                               .options = merge_options(build),
                               .lang = build->creation->request->lang};

    if (record_read(build->creation->draft.arena, build->text, build->len, build->terms.format,
                    &hint, &build->record, error)) {
        if (!check_seats(build, error) || !is_short_enough(build, error))
            return false;
        if (make_draft(build, error))
            return true;
    }
    error->line += error->line > 0 ? build->line : 0;
    return false;
}
