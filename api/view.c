#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "auth.h"
#include "reply.h"
#include "tables.h"

const char *etag_text(struct arena *arena, int32_t version)
{
    return arena_format(arena, "\"%d\"", version);
}

/* ---- moves ---- */

const char *move_text(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move move)
{
    char *text = arena_alloc(arena, RULES_MOVE_TEXT);

    game->move_text(state, move, text);
    return text;
}

const char *pretty_text(struct arena *arena, const struct rules_game *game,
                        const struct rules_state *state, rules_move last, rules_move move)
{
    char *text;

    if (game->pretty == NULL)
        return move_text(arena, game, state, move);
    text = arena_alloc(arena, RULES_PRETTY_TEXT);
    game->pretty(state, last, move, text);
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;

    return strcmp(*left, *right);
}

/* All legal moves; a game that is over has none, though pieces might still move. */
static size_t legal_moves(struct arena *arena, const struct rules_game *game,
                          const struct rules_state *state, rules_move **moves)
{
    size_t n = game->count(state);

    *moves = arena_alloc(arena, (n + 1) * sizeof(**moves));
    return game->legal(state, *moves, n);
}

size_t legal_texts(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, const char ***texts)
{
    rules_move *moves;
    size_t n = legal_moves(arena, game, state, &moves);

    *texts = arena_alloc(arena, (n + 1) * sizeof(**texts));
    for (size_t i = 0; i < n; i++)
        (*texts)[i] = move_text(arena, game, state, moves[i]);
    qsort(*texts, n, sizeof(**texts), compare_texts);
    return n;
}

static const char *effect_name(enum rules_effect_type type)
{
    static const char *const names[] = {"move", "capture", "drop", "promote", "place", "stack"};

    return names[type];
}

static void view_man(struct json *json, const struct rules_game *game, struct rules_man man)
{
    json_member(json, "piece", game->pieces[man.kind].letter[man.seat - 1]);
    json_member_int(json, "seat", man.seat);
}

static void view_effect(struct json *json, const struct rules_game *game,
                        const struct rules_state *state, const struct rules_effect *effect)
{
    char square[RULES_SQUARE_TEXT];

    json_open(json, '{');
    json_member(json, "type", effect_name(effect->type));
    rules_square_text(game->board(state), effect->to, square);
    if (effect->type == RULES_EFFECT_MOVE) {
        char from[RULES_SQUARE_TEXT];

        rules_square_text(game->board(state), effect->from, from);
        json_member(json, "from", from);
        json_member(json, "to", square);
    } else {
        json_member(json, "square", square);
    }
    if (effect->man.seat != 0)
        view_man(json, game, effect->man);
    if (effect->count > 1 || effect->type == RULES_EFFECT_STACK)
        json_member_int(json, "count", effect->count);
    json_close(json, '}');
}

void view_move(struct json *json, const struct move_view *view)
{
    struct rules_effect *effects = arena_alloc(json->arena, RULES_EFFECTS_MAX * sizeof(*effects));
    size_t n = view->game->effects(view->before, view->move, effects);

    json_member_int(json, "ply", view->ply);
    json_member_int(json, "line", view->line);
    json_member_int(json, "seat", view->seat);
    json_member(json, "move", move_text(json->arena, view->game, view->before, view->move));
    json_member(json, "text",
                pretty_text(json->arena, view->game, view->before, view->last, view->move));
    json_key(json, "effects");
    json_open(json, '[');
    for (size_t i = 0; i < n; i++)
        view_effect(json, view->game, view->before, &effects[i]);
    json_close(json, ']');
    json_member_time(json, "at", view->at);
}

/* ---- games ---- */

static void view_seats(struct json *json, const struct game_view *view)
{
    static const char *const states[] = {"", "open", "taken", "engine"};

    json_key(json, "seats");
    json_open(json, '[');
    for (int i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &view->row->seat[i];

        json_open(json, '{');
        json_member_int(json, "seat", i + 1);
        json_member(json, "side", view->game->seat[i].name);
        json_member(json, "state", states[seat->state]);
        if (seat->name != NULL)
            json_member(json, "name", seat->name);
        if (seat->engine != NULL)
            json_member(json, "engine", seat->engine);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void view_last_move(struct json *json, const struct db_game *row)
{
    json_key(json, "last_move");
    if (row->last_move == NULL) {
        json_null(json);
        return;
    }
    json_open(json, '{');
    json_member_int(json, "ply", row->ply);
    json_member_int(json, "seat", row->last_seat);
    json_member(json, "move", row->last_move);
    json_member_time(json, "at", row->last_at);
    json_close(json, '}');
}

static void view_outcome(struct json *json, const struct db_game *row)
{
    if (row->status != STATUS_FINISHED)
        return;
    json_key(json, "outcome");
    json_open(json, '{');
    if (row->winner != 0)
        json_member_int(json, "winner", row->winner);
    json_member(json, "reason", row->reason);
    json_close(json, '}');
}

static void view_to_move(struct json *json, const struct db_game *row)
{
    json_key(json, "to_move");
    if (row->status == STATUS_OPEN || row->status == STATUS_ACTIVE)
        json_int(json, row->to_move);
    else
        json_null(json);
}

static void view_links(struct json *json, const char *id)
{
    static const char *const links[][2] = {{"self", ""},
                                           {"moves", "/moves"},
                                           {"legal_moves", "/legal-moves"},
                                           {"events", "/events"},
                                           {"board", "/board.txt"}};

    json_key(json, "links");
    json_open(json, '{');
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        char url[64] = "/v1/games/";

        strcat(url, id);
        strcat(url, links[i][1]);
        json_member(json, links[i][0], url);
    }
    json_close(json, '}');
}

void view_game(struct json *json, const struct game_view *view)
{
    const struct db_game *row = view->row;
    struct rules_refusal why;
    char id[AUTH_ID_TEXT];

    auth_id_text(row->id, id);
    json_member(json, "id", id);
    json_member(json, "variant", row->variant);
    json_key(json, "options");
    json_raw(json, row->options);
    json_member_int(json, "rules_version", row->rules_version);
    json_member(json, "status", status_name(row->status));
    json_member_int(json, "version", row->version);
    json_member_int(json, "ply", row->ply);
    json_member_int(json, "line", row->line);
    json_member_int(json, "tip", row->tip);
    view_to_move(json, row);
    json_member(json, "position", row->position);
    view_last_move(json, row);
    json_member_bool(json, "check",
                     view->game->check != NULL && view->game->check(view->state, &why));
    view_outcome(json, row);
    view_seats(json, view);
    json_key(json, "offers");
    json_raw(json, "[]");
    json_member(json, "undo", undo_name(row->undo));
    json_member(json, "visibility", visibility_name(row->visibility));
    json_member_time(json, "created_at", row->created_at);
    json_member_time(json, "updated_at", row->updated_at);
    view_links(json, id);
}

static bool begins_with(const char *text, const char *from)
{
    return from == NULL || strncmp(text, from, strlen(from)) == 0;
}

void view_legal_moves(struct json *json, const struct game_view *view, const char *from)
{
    const char **texts;
    size_t n = 0, kept = 0;

    if (view->row->status == STATUS_OPEN || view->row->status == STATUS_ACTIVE)
        n = legal_texts(json->arena, view->game, view->state, &texts);
    for (size_t i = 0; i < n; i++)
        if (begins_with(texts[i], from))
            texts[kept++] = texts[i];
    json_member_int(json, "count", (int64_t)kept);
    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < kept; i++)
        json_string(json, texts[i]);
    json_close(json, ']');
}

/* ---- the tree of clicks ---- */

static void tree_enter(void *context, const char *click)
{
    json_key(context, click);
    json_open(context, '{');
}

static void tree_leaf(void *context, const char *click, const char *move)
{
    json_member(context, click, move);
}

static void tree_leave(void *context)
{
    json_close(context, '}');
}

void view_legal_tree(struct json *json, const struct game_view *view)
{
    struct rules_tree_visitor visitor = {json, tree_enter, tree_leaf, tree_leave};
    size_t n = 0;
    rules_move *scratch;

    if (view->row->status == STATUS_OPEN || view->row->status == STATUS_ACTIVE)
        n = view->game->count(view->state);
    json_member_int(json, "count", (int64_t)n);
    json_key(json, "tree");
    json_open(json, '{');
    scratch = arena_alloc(json->arena, (n + 1) * sizeof(*scratch));
    if (n > 0)
        rules_tree(view->game, view->state, scratch, n, &visitor);
    json_close(json, '}');
}

/* ---- problems ---- */

void problem_game_open(struct request *request, struct json *json, const struct game_view *view,
                       const char *code, const char *detail)
{
    const struct db_game *row = view->row;

    problem_open(request, json, code, detail);
    json_key(json, "game");
    json_open(json, '{');
    json_member_int(json, "version", row->version);
    json_member_int(json, "ply", row->ply);
    json_member_int(json, "line", row->line);
    view_to_move(json, row);
    json_member(json, "status", status_name(row->status));
    json_member(json, "position", row->position);
    view_outcome(json, row);
    json_close(json, '}');
    reply_header(request, "ETag", etag_text(&request->arena, row->version));
}

void reply_game_problem(struct request *request, const struct game_view *view, const char *code,
                        const char *detail)
{
    struct json json;

    problem_game_open(request, &json, view, code, detail);
    problem_send(request, &json, code);
}

static void view_witnesses(struct json *json, const struct rules_game *game,
                           const struct rules_state *state, const struct rules_refusal *why)
{
    json_key(json, "squares");
    json_open(json, '[');
    for (uint32_t i = 0; i < why->witnesses; i++) {
        char square[RULES_SQUARE_TEXT];

        rules_square_text(game->board(state), why->witness[i].square, square);
        json_open(json, '{');
        json_member(json, "role", rules_role_text(why->witness[i].role));
        json_member(json, "square", square);
        if (why->witness[i].man.seat != 0)
            view_man(json, game, why->witness[i].man);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void view_refusal(struct json *json, const struct rules_game *game, const struct rules_state *state,
                  const struct rules_refusal *why)
{
    json_key(json, "rule");
    json_open(json, '{');
    if (why->law != NULL) {
        json_member(json, "id", why->law->id);
        json_member(json, "number", why->law->number);
        json_member(json, "text", why->law->text);
    }
    if (why->yours != RULES_NOT_GIVEN)
        json_member_int(json, "yours", why->yours);
    if (why->required != RULES_NOT_GIVEN)
        json_member_int(json, "required", why->required);
    if (why->at != RULES_NOT_GIVEN)
        json_member_int(json, "at_byte", why->at);
    if (why->option != NULL)
        json_member(json, "option", why->option);
    if (why->witnesses > 0 && state != NULL)
        view_witnesses(json, game, state, why);
    if (why->examples > 0 && state != NULL) {
        json_key(json, "examples");
        json_open(json, '[');
        for (uint32_t i = 0; i < why->examples; i++)
            json_string(json, move_text(json->arena, game, state, why->example[i]));
        json_close(json, ']');
    }
    json_close(json, '}');
}

/* What stands for a place such as "yours" in a detail; NULL if there is nothing. */
static const char *place_text(struct arena *arena, const struct rules_game *game,
                              const struct rules_state *state, const char *move,
                              const struct rules_refusal *why, const char *place, size_t len)
{
    const char *text = "";

    if (strncmp(place, "move", len) == 0)
        return move;
    if (strncmp(place, "option", len) == 0)
        return why->option;
    if (strncmp(place, "rule", len) == 0)
        return why->law == NULL ? NULL : why->law->text;
    if (strncmp(place, "yours", len) == 0)
        return why->yours == RULES_NOT_GIVEN ? NULL : arena_format(arena, "%d", why->yours);
    if (strncmp(place, "required", len) == 0)
        return why->required == RULES_NOT_GIVEN ? NULL : arena_format(arena, "%d", why->required);
    if (state == NULL)
        return NULL;
    if (strncmp(place, "examples", len) == 0) {
        for (uint32_t i = 0; i < why->examples; i++)
            text = arena_format(arena, "%s%s%s", text, i == 0 ? "" : ", ",
                                move_text(arena, game, state, why->example[i]));
    } else {
        for (uint32_t i = 0; i < why->witnesses; i++) {
            char square[RULES_SQUARE_TEXT];

            rules_square_text(game->board(state), why->witness[i].square, square);
            text = arena_format(arena, "%s%s%s", text, i == 0 ? "" : ", ", square);
        }
    }
    return *text == '\0' ? NULL : text;
}

const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why)
{
    const char *at = rules_code_detail(why->code);
    struct json out;
    size_t sentence = 0; /* where the sentence being written began */
    bool complete = true;

    json_init(&out, arena);
    while (*at != '\0') {
        char c[2] = {*at, '\0'};

        if (*at == '{') {
            size_t len = strcspn(at + 1, "}");
            const char *text = place_text(arena, game, state, move, why, at + 1, len);

            complete &= text != NULL;
            json_plain(&out, text == NULL ? "" : text);
            at += len + 2;
        } else {
            json_plain(&out, c);
            at++;
        }
        if (*at == '\0' || strncmp(at, " {rule}", 7) == 0) {
            if (!complete) {
                out.len = sentence;
                out.text[sentence] = '\0';
            }
            sentence = out.len;
            complete = true;
        }
    }
    return out.len > 0 ? out.text : rules_code_title(why->code);
}

/* ---- options ---- */

bool options_from_fields(const struct rules_game *game, struct json_fields *fields,
                         struct rules_options *options)
{
    const char *key, *value;
    struct rules_refusal why;

    for (size_t i = 0; json_each_scalar(fields, i, &key, &value); i++)
        if (!rules_option_set(game, options, key, value, &why)) {
            json_refuse(fields, rules_code_text(why.code), key,
                        refusal_text(fields->arena, game, NULL, NULL, &why));
            return false;
        }
    return fields->error->code == NULL;
}

bool options_from_json(const struct rules_game *game, struct arena *arena, const char *text,
                       struct rules_options *options, struct json_error *error)
{
    struct cJSON *object = json_read(arena, text, strlen(text), error);
    struct json_fields fields;
    bool ok;

    rules_options_init(options);
    if (object == NULL)
        return false;
    json_fields(&fields, arena, object, error);
    ok = options_from_fields(game, &fields, options);
    if (ok && options->position != NULL) /* it lies in the object */
        options->position = arena_copy(arena, options->position, strlen(options->position));
    json_free(object);
    return ok;
}

const char *options_to_json(const struct rules_game *game, struct arena *arena,
                            const struct rules_options *options, const char *start)
{
    struct rules_options shown = *options;
    char *text = arena_alloc(arena, RULES_POSITION_TEXT);
    struct json json;

    shown.position = start;
    json_init(&json, arena);
    json_open(&json, '{');
    for (size_t i = 0; i < game->noptions; i++) {
        bool is_text = game->options[i].kind == RULES_OPTION_CHOICE ||
                       game->options[i].kind == RULES_OPTION_START;

        rules_option_text(game, &shown, i, text);
        json_key(&json, game->options[i].name);
        if (is_text)
            json_string(&json, text);
        else
            json_raw(&json, text);
    }
    json_close(&json, '}');
    return json.text;
}
