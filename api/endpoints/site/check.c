/*
 * check.c - positions that belong to no game: what the rules say of them, and how they look.
 *
 * Such a position is set up exactly as a new game is (creation.h), so what is valid here can be
 * played there. Nothing is stored, the database is not asked, and no token is needed. A start that
 * is over already is a mistake in a new game; here it is a position like any other. A position that
 * the rules call impossible is shown, and nothing more: `playable` is false, and it has no moves.
 */
#include <string.h>

#include "api/endpoints/board_query.h"
#include "api/endpoints/games/create_body.h"
#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/library/positions.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/net/offload.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/lang.h"
#include "api/text/legal_moves.h"
#include "api/text/problem.h"
#include "api/view/board.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "rules/draw/picture.h"
#include "rules/draw/textboard.h"
#include "rules/rules.h"

/* ---- from a query ---- */

/* Reads ?moves=, which commas part. A "+" in a query is decoded as a blank, so a blank at the end
 * of a move was shogi's promotion, typed without its escape. */
static bool query_moves(struct creation *creation)
{
    struct request *request = creation->request;
    const char *list = query_text(request, "moves");
    char *copy, *save = NULL;

    if (list == NULL)
        return true;
    copy = arena_copy(&request->arena, list, strlen(list));
    creation->moves = arena_alloc(&request->arena, DRAFT_MOVES_MAX * sizeof(*creation->moves));
    for (char *move = strtok_r(copy, ",", &save); move != NULL; move = strtok_r(NULL, ",", &save)) {
        size_t len = strlen(move);

        if (creation->nmoves == DRAFT_MOVES_MAX) {
            reply_problem_at(
                request, PROBLEM_BAD_PARAMETER, "?moves",
                arena_format(&request->arena, "At most %d moves are accepted.", DRAFT_MOVES_MAX));
            return false;
        }
        if (move[len - 1] == ' ')
            move[len - 1] = '+';
        creation->moves[creation->nmoves++] = move;
    }
    return true;
}

/* Reads ?position=, ?moves= and the options of a query that may have all of `names`. Blanks of a
 * position may be written as "_", which needs no escape. A value that an option does not take is
 * told in *fault. NULL: it was answered. */
static struct creation *query_read(struct request *request, const struct rules_game *game,
                                   const char *const *names, struct json_error *fault)
{
    struct creation *creation = setup_imagine(request, game);
    const char *position;
    char *blank;

    if (!query_ok(request, input_option_names(&request->arena, game, names)))
        return NULL;
    input_options_read(request, creation->game, &creation->options, fault);
    if (!query_moves(creation))
        return NULL;
    position = query_text(request, "position");
    if (position == NULL)
        return creation;
    if (strlen(position) >= RULES_POSITION_TEXT) {
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?position", "The position is too long.");
        return NULL;
    }
    creation->position = blank = arena_copy(&request->arena, position, strlen(position));
    while ((blank = strchr(blank, '_')) != NULL)
        *blank = ' ';
    return creation;
}

/* The same where such a value is refused. */
static struct creation *query_creation(struct request *request, const struct rules_game *game,
                                       const char *const *names)
{
    struct json_error fault = {PROBLEM_NONE, NULL, NULL};
    struct creation *creation = query_read(request, game, names, &fault);

    if (creation == NULL || fault.code == PROBLEM_NONE)
        return creation;
    reply_problem_at(request, fault.code, fault.pointer, fault.detail);
    return NULL;
}

/* ---- what the rules say ---- */

/* Writes the legal moves, which stand in every answer. */
static void write_legal_moves(struct json *json, const struct game_view *view)
{
    const char **texts;
    size_t n = 0;

    if (view->row->status == STATUS_ACTIVE)
        n = legal_moves_texts(json->out.arena, view->game, view->state, &texts);
    json_key(json, "legal_moves");
    json_open(json, '[');
    for (size_t i = 0; i < n; i++)
        json_string(json, texts[i]);
    json_close(json, ']');
}

/* Writes what is told of any position: what stands there. */
static void write_standing(struct json *json, const struct game_view *view)
{
    json_member_bool(json, "playable", view->unplayable == NULL);
    json_key(json, "options");
    json_raw(json, view->row->options);
    json_member_int(json, "ply", view->row->ply);
    json_member(json, "position", view->row->position);
    json_key(json, "to_move");
    if (view->unplayable != NULL)
        json_int(json, view->row->to_move);
    else
        view_to_move(json, view->row);
}

/* Writes what a game would show of this position, as members. Where the legal moves are not listed,
 * view_extras() says so. */
static void write_position(struct json *json, const struct game_view *view,
                           const struct view_choice *choice)
{
    bool lists = view_can_list(json->out.arena, view);
    struct view_choice beside = {.include = choice->include & ~(unsigned)VIEW_LEGAL_MOVES};

    write_standing(json, view);
    json_member_bool(json, "check", view_check(view->game, view->state));
    if (lists)
        write_legal_moves(json, view);
    else
        beside.include |= VIEW_LEGAL_MOVES;
    json_key(json, "outcome");
    if (view->row->status == STATUS_FINISHED)
        view_outcome(json, view->row);
    else
        json_null(json);
    view_extras(json, view, &beside);
}

/* Writes a position that may only be looked at: it has no moves, and the rules judge nothing else
 * of it. */
static void write_seen(struct json *json, const struct game_view *view,
                       const struct view_choice *choice)
{
    struct view_choice beside = {.include = choice->include & VIEW_BOARD};

    write_standing(json, view);
    view_extras(json, view, &beside);
}

/* What is wrong (`fault`, or NULL), and the board as it is after the moves or before the first one
 * that is refused. `view` NULL: the start is refused, and there is no board. */
static const char *judgement_text(const struct creation *creation, const struct game_view *view,
                                  const struct setup_fault *fault)
{
    struct arena *arena = &creation->request->arena;
    const char *wrong = "", *board = "";

    if (fault != NULL)
        wrong = arena_format(arena, "%s\n%s\n",
                             lang_say(creation->request->lang, LANG_TITLE,
                                      rules_code_text(fault->why.code),
                                      rules_code_title(fault->why.code)),
                             setup_fault_text(creation, fault));
    if (view != NULL)
        board = view_position_text(arena, view);
    return arena_format(arena, "%s%s%s", wrong, *wrong != '\0' && *board != '\0' ? "\n" : "",
                        board);
}

/* Answers what the rules say. That something is refused is a good answer here, with 200: it is what
 * was asked. */
static void judge_checked_position(struct creation *creation)
{
    struct request *request = creation->request;
    struct setup_fault fault;
    bool valid = setup_play_out(creation, &fault), plays = valid || fault.in_moves;
    bool stands = plays || fault.why.visible;
    struct game_view view;
    struct json json;

    if (plays)
        view = use_case_draft_view(request, &creation->draft, 0);
    else if (stands)
        view = setup_look(request, &fault);
    if (request->form == FORM_TEXT) {
        reply_text(request, 200,
                   judgement_text(creation, stands ? &view : NULL, valid ? NULL : &fault));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member_bool(&json, "valid", valid);
    if (plays)
        write_position(&json, &view, request->choice);
    else if (stands)
        write_seen(&json, &view, request->choice);
    if (!valid) {
        json_key(&json, "problem");
        json_open(&json, '{');
        reply_problem_members(&json, problem_of(fault.why.code), setup_fault_text(creation, &fault),
                              request->lang);
        setup_fault_view(&json, creation, &fault);
        json_close(&json, '}');
    }
    json_finish(&json);
    reply_json(request, 200, &json);
}

/* Answers that an option does not take its value. The other faults of options come from the rules
 * (judge_checked_position()): all of them are judged alike. */
static void judge_option(struct request *request, const struct json_error *fault)
{
    const struct problem_kind *kind = problem_kind(fault->code);
    struct json json;

    if (request->form == FORM_TEXT) {
        reply_text(request, 200,
                   arena_format(&request->arena, "%s\n%s\n",
                                lang_say(request->lang, LANG_TITLE, kind->code, kind->title),
                                fault->detail));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member_bool(&json, "valid", false);
    json_key(&json, "problem");
    json_open(&json, '{');
    reply_problem_members(&json, fault->code, fault->detail, request->lang);
    json_member(&json, "pointer", fault->pointer);
    json_close(&json, '}');
    json_finish(&json);
    reply_json(request, 200, &json);
}

void handle_check(struct request *request)
{
    const struct rules_game *game = input_variant(request);
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct creation *creation;
    struct json_value *body;

    if (game == NULL || !input_only_choice(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    creation = setup_imagine(request, game);
    json_fields(&fields, &request->arena, body, &error);
    create_body_take_game(creation, &fields);
    if (error.code == PROBLEM_RULE_BAD_OPTION) {
        judge_option(request, &error);
        json_free(body);
    } else if (body_done(request, body, &fields)) {
        judge_checked_position(creation);
    }
}

void handle_check_query(struct request *request)
{
    static const char *const names[] = {"position", "moves", "include", "lang", NULL};
    const struct rules_game *game = input_variant(request);
    struct json_error fault = {PROBLEM_NONE, NULL, NULL};
    struct creation *creation = game == NULL ? NULL : query_read(request, game, names, &fault);

    if (creation == NULL || !input_choice(request))
        return;
    if (fault.code == PROBLEM_NONE)
        judge_checked_position(creation);
    else
        judge_option(request, &fault);
}

/* ---- how they look ---- */

/* The board follows from the address alone, so it changes only with the program. */
static const char for_a_day[] = "public, max-age=86400, immutable";

/* The last of the moves, and the position before it. */
struct trail {
    struct rules_state before;
    rules_move move, earlier;
    bool known;
};

static void keep_trail(void *context, const struct draft_move *move)
{
    struct trail *trail = context;

    rules_copy(move->before, &trail->before);
    trail->move = move->move;
    trail->earlier = move->last;
    trail->known = true;
}

/* Sets the position up, if only to be looked at, and completes its look. False: something was
 * wrong, and was answered. */
static bool look_at(struct creation *creation, struct rules_look *look, struct game_view *view)
{
    struct trail *trail = arena_zero(&creation->request->arena, sizeof(*trail));
    struct setup_fault *fault = arena_zero(&creation->request->arena, sizeof(*fault));
    bool plays;

    creation->draft.played = keep_trail;
    creation->draft.context = trail;
    plays = setup_play_out(creation, fault);
    if (!plays && !setup_may_look(creation, fault)) {
        setup_refuse(creation, fault);
        return false;
    }
    *view = plays ? use_case_draft_view(creation->request, &creation->draft, 0)
                  : setup_look(creation->request, fault);
    view->before = trail->known ? &trail->before : NULL;
    view->last = trail->move;
    view->earlier = trail->earlier;
    look->ending = view_ending(&creation->request->arena, view);
    return board_query_mark(creation->request, look, view) &&
           board_query_stacks(creation->request, look, view);
}

void handle_variant_board_text(struct request *request)
{
    static const char *const names[] = {"position", "moves",  "view", "style",
                                        "marks",    "stacks", "lang", NULL};
    const struct rules_game *game = input_variant(request);
    struct creation *creation = game == NULL ? NULL : query_creation(request, game, names);
    struct rules_look *look = creation == NULL ? NULL : board_query_look(request);
    struct game_view view;
    const char *text;

    if (look == NULL || !look_at(creation, look, &view))
        return;
    text = view_board_text(&request->arena, &view, look);
    reply_document(request, for_a_day, "text/plain; charset=utf-8", text, strlen(text));
}

void handle_variant_board_picture(struct request *request)
{
    static const char *const names[] = {"position", "moves",  "view", "marks", "size", "theme",
                                        "coords",   "stacks", "ids",  "names", "lang", NULL};
    const struct rules_game *game = input_variant(request);
    struct creation *creation = game == NULL ? NULL : query_creation(request, game, names);
    struct rules_look *look = creation == NULL ? NULL : board_query_look(request);
    struct rules_picture_options *frame =
        look == NULL ? NULL : board_query_frame(request, BOARD_SVG_WIDEST);
    struct game_view view;
    bool named;

    if (frame == NULL || !query_bool(request, "names", &named) || !look_at(creation, look, &view))
        return;
    if (named)
        view_name_players(&request->arena, &view, frame);
    board_query_reply(request, for_a_day, view_board_picture(&request->arena, &view, look, frame));
}

void handle_variant_board_pixels(struct request *request)
{
    static const char *const names[] = {"position", "moves",  "view",   "marks", "size",
                                        "theme",    "coords", "stacks", NULL};
    const struct rules_game *game = input_variant(request);
    struct creation *creation = game == NULL ? NULL : query_creation(request, game, names);
    struct rules_look *look = creation == NULL ? NULL : board_query_look(request);
    struct rules_picture_options *frame =
        look == NULL ? NULL : board_query_frame(request, BOARD_PNG_WIDEST);
    struct game_view view;

    if (frame != NULL && look_at(creation, look, &view))
        board_query_reply_png(request, for_a_day,
                              view_board_picture(&request->arena, &view, look, frame));
}

/* ---- which games reached it ---- */

/* One move after the other may take long. */
static void set_up_position(struct request *request, void *args)
{
    struct creation *creation = args;
    struct setup_fault fault;

    (void)request;
    if (!setup_play_out(creation, &fault))
        setup_refuse(creation, &fault);
}

static void explore(struct request *request, void *args)
{
    const struct creation *creation = args;
    struct positions_wish *wish = arena_zero(&request->arena, sizeof(*wish));
    const char *of = query_text(request, "of");

    if (request->reply.status != 0)
        return;
    wish->game = creation->game;
    wish->options = &creation->options;
    wish->state = &creation->draft.state;
    wish->mine = of != NULL && strcmp(of, "mine") == 0;
    positions_explore(request, wish);
}

void handle_positions(struct request *request)
{
    static const char *const known[] = {"position", "moves", "of", NULL};
    static const char *const whose[] = {"public", "mine", NULL};
    const struct rules_game *game = input_variant(request);
    struct creation *creation = game == NULL ? NULL : query_creation(request, game, known);
    uint32_t of;

    if (creation != NULL && !auth_nobody_or_player(request))
        return;
    if (creation != NULL && query_words(request, "of", whose, &of))
        offload(request, set_up_position, explore, creation);
}
