#include "shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_words[] = {"open", "active", "finished", "aborted"};
static const char *const sitter_words[] = {"", "open", "taken", "engine"};

/* ---- members ---- */

void shown_int(cJSON *object, const char *name, int value)
{
    cJSON_AddItemToObject(object, name, cJSON_CreateNumber(value));
}

void shown_text(cJSON *object, const char *name, const char *text)
{
    cJSON_AddItemToObject(object, name, cJSON_CreateString(text));
}

void shown_any(cJSON *object, const char *name)
{
    cJSON_AddItemToObject(object, name, cJSON_CreateRaw("*"));
}

static void show_time(cJSON *object, const char *name, const struct story_event *event)
{
    if (event->at[0] == '\0')
        shown_any(object, name);
    else
        shown_text(object, name, event->at);
}

static void show_position(cJSON *object, const struct story *story, const struct story_point *point)
{
    char text[RULES_POSITION_TEXT];

    story->rules->position_text(&point->state, text);
    shown_text(object, "position", text);
}

static void show_check(cJSON *object, const struct story *story, const struct story_point *point)
{
    struct rules_refusal why;

    cJSON_AddBoolToObject(object, "check",
                          story->rules->check != NULL && story->rules->check(&point->state, &why));
}

static void show_to_move(cJSON *object, const struct story_now *now)
{
    if (story_goes_on(now))
        shown_int(object, "to_move", now->to_move);
    else
        cJSON_AddNullToObject(object, "to_move");
}

static void show_outcome(cJSON *object, const struct story_now *now)
{
    cJSON *outcome;

    if (now->status != STORY_FINISHED)
        return;
    outcome = cJSON_AddObjectToObject(object, "outcome");
    if (now->winner != 0)
        shown_int(outcome, "winner", now->winner);
    shown_text(outcome, "reason", now->reason);
}

/* ---- moves ---- */

static void move_texts(const struct story *story, const struct story_point *point, char *text,
                       char *pretty)
{
    story->rules->move_text(&point->before, point->move, text);
    strcpy(pretty, text);
    if (story->rules->pretty != NULL)
        story->rules->pretty(&point->before, point->last, point->move, pretty);
}

/* The move that led to a point. */
static cJSON *move_at(const struct story *story, const struct story_point *point,
                      const struct story_event *event, bool bare)
{
    char text[RULES_MOVE_TEXT], pretty[RULES_PRETTY_TEXT];
    cJSON *object = cJSON_CreateObject();

    move_texts(story, point, text, pretty);
    shown_int(object, "ply", event->ply);
    shown_int(object, "line", event->line);
    shown_int(object, "seat", event->seat);
    shown_text(object, "move", text);
    shown_text(object, "text", pretty);
    if (!bare)
        shown_any(object, "effects");
    if (!bare && cJSON_HasObjectItem(event->data, "spent_s")) {
        shown_any(object, "spent_s");
        shown_any(object, "left_s");
    }
    show_time(object, "at", event);
    return object;
}

cJSON *shown_moves(const struct story *story, int line, int from, int to, bool bare)
{
    const struct story_event *moves[STORY_EVENTS_MAX];
    cJSON *list = cJSON_CreateArray();
    struct rules_refusal why;
    struct story_point point;

    story_line(story, line, moves);
    story_begin(story, &point);
    for (int ply = 1; ply <= to; ply++) {
        story_step(story, &point, moves[ply]->move, &why);
        if (ply >= from)
            cJSON_AddItemToArray(list, move_at(story, &point, moves[ply], bare));
    }
    return list;
}

/* ---- the game ---- */

static void show_options(cJSON *object, const struct story *story)
{
    cJSON *list = cJSON_AddObjectToObject(object, "options");
    struct rules_options options = story->options;
    char text[RULES_POSITION_TEXT];

    options.position = story->start;
    for (size_t i = 0; i < story->rules->noptions; i++) {
        const struct rules_option *option = &story->rules->options[i];

        rules_option_text(story->rules, &options, i, text);
        if (option->kind == RULES_OPTION_INT)
            shown_int(list, option->name, atoi(text));
        else if (option->kind == RULES_OPTION_BOOL)
            cJSON_AddBoolToObject(list, option->name, strcmp(text, "true") == 0);
        else
            shown_text(list, option->name, text);
    }
}

/* The squares that a move's text names, in its order. */
static void show_squares(cJSON *object, const struct story *story, const struct story_point *point,
                         const char *text)
{
    cJSON *list = cJSON_AddArrayToObject(object, "squares");
    struct rules_board board = story->rules->board(&point->state);

    while (*text != '\0') {
        char name[RULES_SQUARE_TEXT];
        unsigned square;
        size_t len = rules_square_read(board, text, &square);

        if (len > 0) {
            rules_square_text(board, square, name);
            cJSON_AddItemToArray(list, cJSON_CreateString(name));
        }
        text += len > 0 ? len : 1;
    }
}

static void show_last_move(cJSON *object, const struct story *story, const struct story_now *now)
{
    const struct story_event *moves[STORY_EVENTS_MAX];
    cJSON *last;

    if (now->ply == 0) {
        cJSON_AddNullToObject(object, "last_move");
        return;
    }
    story_line(story, now->line, moves);
    last = cJSON_AddObjectToObject(object, "last_move");
    shown_int(last, "ply", now->ply);
    shown_int(last, "seat", moves[now->ply]->seat);
    shown_text(last, "move", moves[now->ply]->move);
    show_squares(last, story, &now->point, moves[now->ply]->move);
    show_time(last, "at", moves[now->ply]);
}

static void show_seats(cJSON *object, const struct story *story)
{
    cJSON *list = cJSON_AddArrayToObject(object, "seats");

    for (int i = 0; i < STORY_SEATS; i++) {
        const struct story_seat *seat = &story->seat[i];
        cJSON *item = cJSON_CreateObject();

        shown_int(item, "seat", i + 1);
        shown_text(item, "side", story->rules->seat[i].name);
        shown_text(item, "state", sitter_words[seat->sitter]);
        if (seat->name[0] != '\0')
            shown_text(item, "name", seat->name);
        if (seat->sitter == STORY_COMPUTER)
            shown_text(item, "engine", "random");
        if (seat->player[0] != '\0')
            shown_text(item, "player", seat->player);
        if (seat->invited)
            shown_any(item, "invitation_expires_at");
        cJSON_AddItemToArray(list, item);
    }
}

void shown_may_answer(cJSON *object, const struct story *story, int id, unsigned seats)
{
    struct story_offer offer;
    cJSON *list;

    if (seats == 0 || story_offer_end(story, id) != NULL || !story_offer_of(story, id, &offer))
        return;
    list = cJSON_AddArrayToObject(object, "may");
    if (story_plays(seats, 3 - offer.seat)) {
        cJSON_AddItemToArray(list, cJSON_CreateString("accept"));
        cJSON_AddItemToArray(list, cJSON_CreateString("decline"));
    }
    if (story_plays(seats, offer.seat))
        cJSON_AddItemToArray(list, cJSON_CreateString("withdraw"));
}

cJSON *shown_offer(const struct story *story, int id, unsigned seats)
{
    cJSON *object = cJSON_CreateObject();
    struct story_offer offer;

    if (!story_offer_of(story, id, &offer))
        abort();
    shown_int(object, "id", id);
    shown_text(object, "kind", offer.kind);
    shown_int(object, "seat", offer.seat);
    if (offer.to_ply != STORY_NONE)
        shown_int(object, "to_ply", offer.to_ply);
    show_time(object, "at", &story->event[id - 1]);
    shown_may_answer(object, story, id, seats);
    return object;
}

static void show_offers(cJSON *object, const struct story *story, unsigned seats)
{
    cJSON *list = cJSON_AddArrayToObject(object, "offers");
    struct story_offer offers[STORY_OFFERS_MAX];
    int n = story_offers(story, offers);

    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(list, shown_offer(story, offers[i].id, seats));
}

static void show_deed(cJSON *list, const char *deed, const char *why_not)
{
    if (why_not == NULL)
        cJSON_AddItemToArray(list, cJSON_CreateString(deed));
}

static void show_you(cJSON *object, const struct story *story, const struct story_now *now,
                     unsigned seats)
{
    static const char *const offers[] = {"draw", "undo", "abort", "time", "pause"};
    int undo_to = STORY_NONE, redo_to = STORY_NONE;
    cJSON *you, *list;

    if (seats == 0)
        return;
    you = cJSON_AddObjectToObject(object, "you");
    list = cJSON_AddArrayToObject(you, "seats");
    for (int seat = 1; seat <= STORY_SEATS; seat++)
        if (story_plays(seats, seat))
            cJSON_AddItemToArray(list, cJSON_CreateNumber(seat));
    list = cJSON_AddArrayToObject(you, "may");
    show_deed(list, "move", story_may_not_move(now, seats));
    show_deed(list, "undo", story_may_not_undo(story, now, seats, &undo_to));
    show_deed(list, "redo", story_may_not_redo(story, now, seats, &redo_to));
    show_deed(list, "resign", story_may_not_resign(now));
    show_deed(list, "abort", story_may_not_abort(now));
    show_deed(list, "invite", story_may_not_invite(now));
    show_deed(list, "rematch", story_may_not_rematch(now));
    show_deed(list, "claim:timeout", story_may_not_claim_timeout(story, now, seats));
    if (story->rules->declare != NULL)
        show_deed(list, "claim:impasse", story_may_not_move(now, seats));
    show_deed(list, "plan", story_may_not_plan(now, seats));
    show_deed(list, "hint", story_may_not_hint(story, now, seats));
    for (size_t i = 0; i < sizeof(offers) / sizeof(offers[0]); i++) {
        int to = STORY_NONE;
        char deed[32];

        snprintf(deed, sizeof(deed), "offer:%s", offers[i]);
        show_deed(list, deed, story_may_not_offer(story, now, seats, offers[i], &to));
    }
    show_deed(list, "message", NULL);
}

static void show_list(cJSON *object, const char *name, const struct story *story,
                      const struct rules_state *state, bool any)
{
    cJSON *list = cJSON_CreateArray();
    size_t n;
    story_text *texts = story_legal_moves(story, state, &n);

    for (size_t i = 0; any && i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(texts[i]));
    shown_int(object, "count", any ? (int)n : 0);
    cJSON_AddItemToObject(object, name, list);
    free(texts);
}

void shown_game(cJSON *object, const struct story *story, unsigned seats, bool with_moves)
{
    struct story_now now;

    story_look(story, &now);
    if (story->id[0] == '\0')
        shown_any(object, "id");
    else
        shown_text(object, "id", story->id);
    shown_text(object, "variant", story->rules->name);
    show_options(object, story);
    shown_int(object, "rules_version", story->rules->version);
    shown_text(object, "status", status_words[now.status]);
    shown_int(object, "version", story->version);
    shown_int(object, "ply", now.ply);
    shown_int(object, "line", now.line);
    shown_int(object, "tip", now.tip);
    show_to_move(object, &now);
    show_position(object, story, &now.point);
    show_last_move(object, story, &now);
    show_check(object, story, &now.point);
    show_outcome(object, &now);
    show_seats(object, story);
    if (story->clock)
        shown_any(object, "clock");
    show_offers(object, story, seats);
    shown_text(object, "undo", story->undo);
    shown_text(object, "visibility", story->visibility);
    show_time(object, "created_at", &story->event[0]);
    show_time(object, "updated_at", story_last(story));
    if (story->has_next)
        shown_text(object, "next", story->next);
    shown_any(object, "links");
    show_you(object, story, &now, seats);
    if (with_moves)
        show_list(cJSON_AddObjectToObject(object, "legal_moves"), "moves", story, &now.point.state,
                  story_goes_on(&now));
}

void shown_state(cJSON *object, const struct story *story, unsigned seats)
{
    struct story_now now;

    story_look(story, &now);
    shown_int(object, "version", story->version);
    shown_int(object, "ply", now.ply);
    shown_int(object, "line", now.line);
    show_to_move(object, &now);
    shown_text(object, "status", status_words[now.status]);
    show_position(object, story, &now.point);
    show_outcome(object, &now);
    show_you(object, story, &now, seats);
}

/* ---- looking back ---- */

cJSON *shown_events(const struct story *story, int after, int limit, bool heard)
{
    cJSON *list = cJSON_CreateArray();

    for (int i = after; i < story->version && i < after + limit; i++) {
        const struct story_event *event = &story->event[i];
        cJSON *item = cJSON_CreateObject();

        shown_int(item, "version", i + 1);
        shown_text(item, "type", event->type);
        if (event->seat != 0)
            shown_int(item, "seat", event->seat);
        shown_int(item, "line", event->line);
        shown_int(item, "ply", event->ply);
        if (event->move[0] != '\0')
            shown_text(item, "move", event->move);
        if (event->position != NULL)
            shown_text(item, "position", event->position);
        if (event->data != NULL)
            cJSON_AddItemToObject(item, "data", cJSON_Duplicate(event->data, true));
        if (strcmp(event->type, "message") == 0 && !heard)
            cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(item, "data"),
                                                    "text");
        show_time(item, "at", event);
        cJSON_AddItemToArray(list, item);
    }
    return list;
}

void shown_position(cJSON *object, const struct story *story, int line, int ply)
{
    const struct story_event *moves[STORY_EVENTS_MAX];
    struct story_point point;

    story_line(story, line, moves);
    story_point_at(story, line, ply, &point);
    shown_int(object, "ply", ply);
    shown_int(object, "line", line);
    show_position(object, story, &point);
    shown_int(object, "to_move", (int)story->rules->to_move(&point.state));
    show_check(object, story, &point);
    if (ply > 0) {
        char text[RULES_MOVE_TEXT], pretty[RULES_PRETTY_TEXT];

        move_texts(story, &point, text, pretty);
        shown_text(object, "move", text);
        shown_text(object, "text", pretty);
    } else {
        cJSON_AddNullToObject(object, "move");
        cJSON_AddNullToObject(object, "text");
    }
    shown_any(object, "effects");
    show_time(object, "at", ply > 0 ? moves[ply] : &story->event[0]);
}

/* Whether moves may be played from a point: the present one may be over by what people did. An
 * earlier one is only what it is by itself. */
static bool may_go_on(const struct story *story, int line, int ply, const struct story_point *point)
{
    struct story_now now;

    story_look(story, &now);
    if (line == now.line && ply == now.ply)
        return story_goes_on(&now);
    return rules_outcome_now(story->rules, &point->state).status == RULES_ONGOING;
}

void shown_legal_moves(cJSON *object, const struct story *story, int line, int ply, bool tree)
{
    struct story_point point;
    bool any;

    story_point_at(story, line, ply, &point);
    any = may_go_on(story, line, ply, &point);
    shown_int(object, "ply", ply);
    if (any)
        shown_int(object, "to_move", (int)story->rules->to_move(&point.state));
    else
        cJSON_AddNullToObject(object, "to_move");
    show_list(object, tree ? "tree" : "moves", story, &point.state, any);
}

/* ---- texts ---- */

static FILE *open_text(char **text, size_t *size)
{
    FILE *file = open_memstream(text, size);

    if (file == NULL)
        abort();
    return file;
}

char *shown_game_text(const struct story *story)
{
    struct story_now now;
    char *text;
    size_t size;
    FILE *file = open_text(&text, &size);

    story_look(story, &now);
    fprintf(file, "%s, game %s, %s, ply %d\n", story->rules->title, story->id,
            status_words[now.status], now.ply);
    fclose(file);
    return text;
}

char *shown_moves_text(const struct story *story, int line, int from, int to)
{
    const struct story_event *moves[STORY_EVENTS_MAX];
    struct rules_refusal why;
    struct story_point point;
    char *all;
    size_t size;
    FILE *file = open_text(&all, &size);

    story_line(story, line, moves);
    story_begin(story, &point);
    for (int ply = 1; ply <= to; ply++) {
        char text[RULES_MOVE_TEXT], pretty[RULES_PRETTY_TEXT];
        bool same;

        story_step(story, &point, moves[ply]->move, &why);
        move_texts(story, &point, text, pretty);
        same = strcmp(text, pretty) == 0;
        if (ply >= from)
            fprintf(file, "%4d  %s  %s%s%s\n", ply, moves[ply]->at, text, same ? "" : "  ",
                    same ? "" : pretty);
    }
    fclose(file);
    return all;
}

/* On one line. */
static void print_message(FILE *file, const struct story_event *event)
{
    const char *text = cJSON_GetObjectItemCaseSensitive(event->data, "text")->valuestring;

    fprintf(file, ": ");
    for (; *text != '\0'; text++)
        fputc(*text == '\n' ? ' ' : *text, file);
}

char *shown_events_text(const struct story *story, int after, int limit, bool heard)
{
    char *all;
    size_t size;
    FILE *file = open_text(&all, &size);

    for (int i = after; i < story->version && i < after + limit; i++) {
        const struct story_event *event = &story->event[i];

        fprintf(file, "%5d  %s  %-8s  line %d, ply %d", i + 1, event->at, event->type, event->line,
                event->ply);
        if (event->seat != 0)
            fprintf(file, ", seat %d", event->seat);
        if (event->move[0] != '\0')
            fprintf(file, ", %s", event->move);
        if (strcmp(event->type, "message") == 0 && heard)
            print_message(file, event);
        fprintf(file, "\n");
    }
    fclose(file);
    return all;
}

char *shown_legal_moves_text(const struct story *story, int line, int ply)
{
    struct story_point point;
    story_text *texts;
    char *all;
    size_t size, n;
    FILE *file = open_text(&all, &size);

    story_point_at(story, line, ply, &point);
    texts = story_legal_moves(story, &point.state, &n);
    for (size_t i = 0; i < n && may_go_on(story, line, ply, &point); i++)
        fprintf(file, "%s\n", texts[i]);
    free(texts);
    fclose(file);
    return all;
}
