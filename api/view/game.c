#include "api/view/game.h"

#include <string.h>

#include "api/game/ids.h"
#include "api/game/offers.h"
#include "api/game/opponent.h"
#include "api/game/rights.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/text/problem.h"
#include "api/view/board.h"
#include "api/view/view.h"

/* ---- what is shown ---- */

/* Each member: its number, its name, and what writes its value. */
#define MEMBERS(MEMBER)                                                                    \
    MEMBER(ID, "id", json_string(json, id))                                                \
    MEMBER(VARIANT, "variant", json_string(json, row->variant))                            \
    MEMBER(OPTIONS, "options", json_raw(json, row->options))                               \
    MEMBER(RULES_VERSION, "rules_version", json_int(json, row->rules_version))             \
    MEMBER(STATUS, "status", json_string(json, words_status(row->status)))                 \
    MEMBER(VERSION, "version", json_int(json, row->version))                               \
    MEMBER(PLY, "ply", json_int(json, row->ply))                                           \
    MEMBER(LINE, "line", json_int(json, row->line))                                        \
    MEMBER(TIP, "tip", json_int(json, row->tip))                                           \
    MEMBER(TO_MOVE, "to_move", view_to_move(json, row))                                    \
    MEMBER(POSITION, "position", json_string(json, row->position))                         \
    MEMBER(LAST_MOVE, "last_move", view_last_move(json, view))                             \
    MEMBER(CHECK, "check", json_bool(json, view_check(view->game, view->state)))           \
    MEMBER(OUTCOME, "outcome", view_outcome(json, row))                                    \
    MEMBER(SEATS, "seats", view_seats(json, view))                                         \
    MEMBER(CLOCK, "clock", write_clock(json, view))                                        \
    MEMBER(OFFERS, "offers", write_offers(json, view))                                     \
    MEMBER(UNDO, "undo", json_string(json, words_undo(row->undo)))                         \
    MEMBER(VISIBILITY, "visibility", json_string(json, words_visibility(row->visibility))) \
    MEMBER(METADATA, "metadata", json_raw(json, row->metadata))                            \
    MEMBER(CREATED_AT, "created_at", json_time(json, row->created_at))                     \
    MEMBER(UPDATED_AT, "updated_at", json_time(json, row->updated_at))                     \
    MEMBER(NEXT, "next", write_next(json, row))                                            \
    MEMBER(ENDED_AT, "ended_at", json_time(json, row->ended_at))                           \
    MEMBER(READ, "read", json_int(json, view->news->read))                                 \
    MEMBER(UNREAD, "unread", json_int(json, view->news->unread))                           \
    MEMBER(LINKS, "links", view_game_links(json, id))

#define MEMBER(number, name, write) MEMBER_##number,
enum member { MEMBERS(MEMBER) };
#undef MEMBER

#define MEMBER(number, name, write) name,
const char *const view_members[] = {MEMBERS(MEMBER) NULL};
#undef MEMBER

const char *const view_extra_members[] = {"legal_moves", "legal_tree", "board", NULL};

/* ---- a game ---- */

static void view_seats(struct json *json, const struct game_view *view)
{
    json_open(json, '[');
    for (int i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &view->row->seat[i];

        json_open(json, '{');
        json_member_int(json, "seat", i + 1);
        json_member(json, "side", view->game->seat[i].name);
        json_member(json, "state", words_seat(seat->state));
        if (seat->name != NULL)
            json_member(json, "name", seat->name);
        if (seat->state == SEAT_ENGINE)
            opponent_view(json, seat->engine);
        if (seat->has_player || seat->state == SEAT_CHALLENGED) {
            char player[IDS_TEXT];

            ids_text(seat->state == SEAT_CHALLENGED ? row_challenged(seat) : seat->player, player);
            json_member(json, "player", player);
        }
        if (seat->has_invitation)
            json_member_time(json, "invitation_expires_at", seat->invited_until);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* The squares are those that boards mark: a client can draw the last move without knowing how the
 * game writes moves. */
static void view_last_move(struct json *json, const struct game_view *view)
{
    const struct db_game *row = view->row;

    if (row->last_move == NULL) {
        json_null(json);
        return;
    }
    json_open(json, '{');
    json_member_int(json, "ply", row->ply);
    json_member_int(json, "seat", row->last_seat);
    json_member(json, "move", row->last_move);
    json_key(json, "squares");
    json_open(json, '[');
    view_last_squares(json, view);
    json_close(json, ']');
    json_member_time(json, "at", row->last_at);
    json_close(json, '}');
}

void view_outcome(struct json *json, const struct db_game *row)
{
    json_open(json, '{');
    if (row->winner != 0)
        json_member_int(json, "winner", row->winner);
    json_member(json, "reason", row->reason);
    json_close(json, '}');
}

bool view_check(const struct rules_game *game, const struct rules_state *state)
{
    struct rules_refusal why;

    return game->check != NULL && game->check(state, &why);
}

void view_to_move(struct json *json, const struct db_game *row)
{
    if (status_goes_on(row->status))
        json_int(json, row->to_move);
    else
        json_null(json);
}

static void view_game_links(struct json *json, const char *id)
{
    static const char *const links[][2] = {
        {"self", ""},          {"moves", "/moves"},     {"legal_moves", "/legal-moves"},
        {"events", "/events"}, {"board", "/board.txt"}, {"picture", "/board.svg"},
        {"replay", "/replay"}, {"export", "/export"}};

    json_open(json, '{');
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        char url[64] = "/v1/games/";

        strcat(url, id);
        strcat(url, links[i][1]);
        json_member(json, links[i][0], url);
    }
    json_close(json, '}');
}

const struct clock *view_clock(struct arena *arena, const struct game_view *view)
{
    struct clock *clock;

    if (view->clock != NULL || view->row->clock == NULL)
        return view->clock;
    clock = arena_alloc(arena, sizeof(*clock));
    return clock_load(arena, view->row, clock) ? clock : NULL;
}

const struct offers *view_offers(struct arena *arena, const struct game_view *view)
{
    struct offers *offers;

    if (view->offers != NULL)
        return view->offers;
    if (view->row->offers == NULL)
        return &offers_none;
    offers = arena_alloc(arena, sizeof(*offers));
    return offers_load(arena, view->row, offers) ? offers : &offers_none;
}

static void write_clock(struct json *json, const struct game_view *view)
{
    const struct clock *clock = view_clock(json->out.arena, view);

    if (clock != NULL)
        clock_view(json, clock, view->row, &view->gaps, view->now);
    else
        json_null(json);
}

static void write_offers(struct json *json, const struct game_view *view)
{
    offers_view(json, view_offers(json->out.arena, view), view->seats);
}

static void write_next(struct json *json, const struct db_game *row)
{
    char id[IDS_TEXT];

    ids_text(row->next, id);
    json_string(json, id);
}

/* Writes the value of one member. */
static void view_member(struct json *json, const struct game_view *view, enum member member,
                        const char *id)
{
    const struct db_game *row = view->row;

#define MEMBER(number, name, write) \
    case MEMBER_##number:           \
        write;                      \
        return;
    switch (member) {
        MEMBERS(MEMBER)
    }
#undef MEMBER
}

/* What a game does not have. */
static bool lacks(const struct game_view *view, enum member member)
{
    const struct db_game *row = view->row;

    switch (member) {
    case MEMBER_OUTCOME:
        return status_goes_on(row->status) || row->reason == NULL;
    case MEMBER_CLOCK:
        return row->clock == NULL;
    case MEMBER_METADATA:
        return row->metadata == NULL;
    case MEMBER_NEXT:
        return !row->has_next;
    case MEMBER_ENDED_AT:
        return view->news == NULL || row->ended_at == DB_NEVER;
    case MEMBER_READ:
        return view->news == NULL;
    case MEMBER_UNREAD:
        return view->news == NULL || view->news->unread < 0;
    default:
        return false;
    }
}

/* A client that asks for some members is always told which game they are of. */
static void write_members(struct json *json, const struct game_view *view, uint32_t fields)
{
    char id[IDS_TEXT];

    ids_text(view->row->id, id);
    for (int i = 0; view_members[i] != NULL; i++) {
        if ((fields != 0 && (fields & 1U << i) == 0 && i != MEMBER_ID) ||
            lacks(view, (enum member)i))
            continue;
        json_key(json, view_members[i]);
        view_member(json, view, (enum member)i, id);
    }
}

static bool wants_moves(const struct view_choice *choice)
{
    return (choice->include & (VIEW_LEGAL_MOVES | VIEW_LEGAL_TREE)) != 0;
}

static void write_legal_moves(struct json *json, const struct game_view *view,
                              const struct view_choice *choice)
{
    if (!view_can_list(json->out.arena, view)) {
        json_member_bool(json, "legal_omitted", true);
        return;
    }
    if ((choice->include & VIEW_LEGAL_MOVES) != 0) {
        json_key(json, "legal_moves");
        json_open(json, '{');
        view_legal_moves(json, view, NULL);
        json_close(json, '}');
    }
    if ((choice->include & VIEW_LEGAL_TREE) != 0) {
        json_key(json, "legal_tree");
        json_open(json, '{');
        view_legal_tree(json, view);
        json_close(json, '}');
    }
}

void view_extras(struct json *json, const struct game_view *view, const struct view_choice *choice)
{
    if (choice == NULL)
        return;
    if (wants_moves(choice))
        write_legal_moves(json, view, choice);
    if ((choice->include & VIEW_BOARD) != 0) {
        json_key(json, "board");
        view_board(json, view);
    }
}

static void write_may_offer(struct json *json, const struct game_view *view)
{
    for (int kind = 1; kind <= OFFER_KINDS; kind++) {
        char name[32] = "offer:";

        strcat(name, offers_word((enum offer_kind)kind));
        if (may_not_offer(view->row, view->seats, (enum offer_kind)kind) == PROBLEM_NONE)
            json_string(json, name);
    }
}

static bool may_resume(struct arena *arena, const struct game_view *view)
{
    const struct clock *clock = view_clock(arena, view);

    return clock != NULL && may_not_resume(view->row, clock, view->now) == PROBLEM_NONE;
}

void view_you(struct json *json, const struct game_view *view)
{
    /* By the functions that the use cases refuse by. Joining needs no seat, so it is not foretold.
     */
    static const struct {
        const char *name;
        enum problem (*not )(const struct db_game *row, unsigned seats);
    } deeds[] = {{"move", may_not_move},
                 {"undo", may_not_undo},
                 {"redo", may_not_redo},
                 {"resign", may_not_resign},
                 {"abort", may_not_abort},
                 {"invite", may_not_invite},
                 {"rematch", may_not_rematch},
                 {"claim:timeout", may_not_claim_timeout},
                 {"claim:impasse", may_not_claim_impasse},
                 {"plan", may_not_plan}};

    if (view->seats == 0)
        return;
    json_key(json, "you");
    json_open(json, '{');
    json_key(json, "seats");
    json_open(json, '[');
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if ((view->seats & seat_bit(seat)) != 0)
            json_int(json, seat);
    json_close(json, ']');
    json_key(json, "may");
    json_open(json, '[');
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
        if (deeds[i].not(view->row, view->seats) == PROBLEM_NONE)
            json_string(json, deeds[i].name);
    if (view->hints && may_not_hint(view->row, view->seats) == PROBLEM_NONE)
        json_string(json, "hint");
    write_may_offer(json, view);
    if (may_resume(json->out.arena, view))
        json_string(json, "resume");
    if (may_not_write(view->row, view->seats) == PROBLEM_NONE)
        json_string(json, "message");
    json_close(json, ']');
    json_close(json, '}');
}

bool view_wants_unread(const struct view_choice *choice)
{
    return choice->fields == 0 || (choice->fields & 1U << MEMBER_UNREAD) != 0;
}

void view_game(struct json *json, const struct game_view *view, const struct view_choice *choice)
{
    write_members(json, view, choice == NULL ? 0 : choice->fields);
    if (choice == NULL || choice->fields == 0)
        view_you(json, view);
    view_extras(json, view, choice);
}

void view_game_member(struct json *json, const struct game_view *view,
                      const struct view_choice *choice)
{
    json_key(json, "game");
    json_open(json, '{');
    view_game(json, view, choice);
    json_close(json, '}');
}

void view_kept_game(struct json *json, const struct game_view *view,
                    const struct view_choice *choice)
{
    view_game(json, view, choice);
    out_bytes(&json->out, "\n", 1);
}

const char *view_with_game(struct arena *arena, const char *answer)
{
    const char *beside = strchr(answer, '\n'), *end = strrchr(answer, '}');

    if (*answer != '{' || beside == NULL || end < beside)
        return answer;
    return arena_format(arena, "%.*s%.*s,\"game\":%.*s}}\n", (int)(beside - answer), answer,
                        (int)(end - beside - 1), beside + 1, (int)(beside - answer), answer);
}
