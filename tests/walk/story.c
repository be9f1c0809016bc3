#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/record/move_notation.h"

/* ---- the log ---- */

struct story_event *story_tell(struct story *story, const char *type, int seat, int line, int ply)
{
    struct story_event *event = &story->event[story->version++];

    if (story->version == STORY_EVENTS_MAX)
        abort();
    *event = (struct story_event){.type = type, .seat = seat, .line = line, .ply = ply};
    return event;
}

void story_drop(struct story *story, int version)
{
    while (story->version > version) {
        struct story_event *event = &story->event[--story->version];

        free(event->position);
        cJSON_Delete(event->data);
    }
}

const struct story_event *story_last(const struct story *story)
{
    return &story->event[story->version - 1];
}

static bool is_agreed_end(const struct story_event *event)
{
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(event->data, "kind"));

    return strcmp(event->type, "accepted") == 0 && strcmp(kind, "undo") != 0;
}

/* Whether an event is only said about the game, which stays as it is. */
static bool is_talk(const struct story_event *event)
{
    static const char *const types[] = {"offered", "accepted", "declined", "withdrawn",
                                        "message", "invited",  "rematch"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(event->type, types[i]) == 0)
            return !is_agreed_end(event);
    return false;
}

const struct story_event *story_last_deed(const struct story *story)
{
    int version = story->version;

    while (is_talk(&story->event[version - 1]))
        version--;
    return &story->event[version - 1];
}

static bool last_is(const struct story *story, const char *type)
{
    return strcmp(story_last_deed(story)->type, type) == 0;
}

void story_learn_time(struct story *story, const char *at)
{
    for (int i = 0; i < story->version; i++)
        if (story->event[i].at[0] == '\0')
            snprintf(story->event[i].at, sizeof(story->event[i].at), "%s", at);
}

void story_free(struct story *story)
{
    story_drop(story, 0);
    free(story);
}

/* ---- lines and their points ---- */

/* A line opens where moves were undone. It has the plies before that, and what is played from then
 * on: so its move at a ply is the last one that was told there, of all lines up to it. */
int story_line(const struct story *story, int line, const struct story_event **moves)
{
    int end = 0;

    for (int i = 0; i < story->version; i++) {
        const struct story_event *event = &story->event[i];

        if (strcmp(event->type, "move") == 0 && event->line <= line) {
            moves[event->ply] = event;
            end = event->ply;
        }
    }
    return end;
}

void story_begin(const struct story *story, struct story_point *point)
{
    struct rules_refusal why;

    memset(point, 0, sizeof(*point));
    if (!rules_load(story->rules, &story->options, story->start, &point->state, &why))
        abort();
}

bool story_read(const struct story *story, const struct rules_state *state, rules_move last,
                const char *text, rules_move *move, struct rules_refusal *why)
{
    struct arena arena = {0};
    bool read = record_read_move(&arena, story->rules, state, last, text, move, why);

    arena_free(&arena);
    return read;
}

bool story_step(const struct story *story, struct story_point *point, const char *text,
                struct rules_refusal *why)
{
    rules_move move;

    if (!story_read(story, &point->state, point->move, text, &move, why))
        return false;
    point->keys[point->nkeys++] = story->rules->key(&point->state);
    point->last = point->move;
    point->move = move;
    rules_copy(&point->state, &point->before);
    story->rules->play(&point->before, move, &point->state);
    return true;
}

void story_point_at(const struct story *story, int line, int ply, struct story_point *point)
{
    const struct story_event *moves[STORY_EVENTS_MAX];
    struct rules_refusal why;

    if (story_line(story, line, moves) < ply)
        abort();
    story_begin(story, point);
    for (int i = 1; i <= ply; i++)
        if (!story_step(story, point, moves[i]->move, &why))
            abort();
}

/* ---- the game as it is now ---- */

bool story_has_open_seat(const struct story *story)
{
    return story->seat[0].sitter == STORY_OPEN_SEAT || story->seat[1].sitter == STORY_OPEN_SEAT;
}

static void finish(struct story_now *now, int winner, const char *reason)
{
    now->status = STORY_FINISHED;
    now->winner = winner;
    now->reason = reason;
}

static bool agreed_on(const struct story *story, const char *kind)
{
    const cJSON *data = story_last_deed(story)->data;

    return strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(data, "kind")), kind) == 0;
}

/* The rules end a game, and so does somebody's word, as long as nothing comes after it. */
static void judge(const struct story *story, struct story_now *now)
{
    struct rules_history past = {now->point.keys, now->point.nkeys};
    struct rules_outcome outcome = story->rules->outcome(&now->point.state, &past);
    struct rules_refusal why;

    now->status = story_has_open_seat(story) ? STORY_OPEN : STORY_ACTIVE;
    if (outcome.status != RULES_ONGOING)
        finish(now, outcome.status == RULES_WON ? outcome.winner : 0,
               rules_reason_text(outcome.reason));
    if (last_is(story, "declared")) {
        story->rules->declare(&now->point.state, &outcome, &why);
        finish(now, outcome.winner, rules_reason_text(outcome.reason));
    }
    if (last_is(story, "resigned"))
        finish(now, 3 - story_last_deed(story)->seat, "resign");
    if (last_is(story, "accepted") && agreed_on(story, "draw"))
        finish(now, 0, "agreement");
    if (last_is(story, "aborted") || (last_is(story, "accepted") && agreed_on(story, "abort")))
        now->status = STORY_ABORTED;
}

void story_look(const struct story *story, struct story_now *now)
{
    const struct story_event *moves[STORY_EVENTS_MAX];

    memset(now, 0, sizeof(*now));
    now->line = story_last(story)->line;
    now->ply = story_last(story)->ply;
    now->tip = story_line(story, now->line, moves);
    story_point_at(story, now->line, now->ply, &now->point);
    now->to_move = (int)story->rules->to_move(&now->point.state);
    judge(story, now);
}

bool story_goes_on(const struct story_now *now)
{
    return now->status == STORY_OPEN || now->status == STORY_ACTIVE;
}

/* ---- what happens ---- */

/* It is the next ply of the present line; or, where moves were undone, the first one of a new line.
 */
bool story_play(struct story *story, const char *wanted, struct rules_refusal *why)
{
    char position[RULES_POSITION_TEXT];
    struct story_event *event;
    struct story_now now;

    story_look(story, &now);
    if (!story_step(story, &now.point, wanted, why))
        return false;
    event = story_tell(story, "move", now.to_move, now.line + (now.ply < now.tip), now.ply + 1);
    story->rules->move_text(&now.point.before, now.point.move, event->move);
    story->rules->position_text(&now.point.state, position);
    event->position = strdup(position);
    if (story->clock) {
        event->data = cJSON_CreateObject();
        cJSON_AddRawToObject(event->data, "spent_s", "*");
        cJSON_AddRawToObject(event->data, "clock", "*");
    }
    story_void_offers(story);
    return true;
}

void story_turn(struct story *story, const char *type, int to)
{
    int line = story_last(story)->line, from = story_last(story)->ply;
    struct story_event *event = story_tell(story, type, 0, line, to);

    event->data = cJSON_CreateObject();
    cJSON_AddNumberToObject(event->data, "from_ply", from);
    cJSON_AddNumberToObject(event->data, "to_ply", to);
    story_void_offers(story);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

story_text *story_legal_moves(const struct story *story, const struct rules_state *state, size_t *n)
{
    size_t count = story->rules->count(state);
    rules_move *moves = calloc(count + 1, sizeof(*moves));
    story_text *texts = calloc(count + 1, sizeof(*texts));

    if (moves == NULL || texts == NULL)
        abort();
    *n = story->rules->legal(state, moves, count);
    for (size_t i = 0; i < *n; i++)
        story->rules->move_text(state, moves[i], texts[i]);
    qsort(texts, *n, sizeof(*texts), compare_texts);
    free(moves);
    return texts;
}

/* One of the legal moves in their order, chosen by seed and ply alone: the same game is answered in
 * the same way for ever. */
static void play_for_computer(struct story *story, const struct story_now *now)
{
    uint64_t seed = story->seed + 0x632be59bd9b4e019U * (uint64_t)now->ply;
    struct rules_refusal why;
    size_t n;
    story_text *texts = story_legal_moves(story, &now->point.state, &n);

    story_play(story, texts[rules_choose(&seed, n)], &why);
    free(texts);
}

void story_let_computer_play(struct story *story)
{
    struct story_now now;

    story_look(story, &now);
    while (now.status == STORY_ACTIVE && story->seat[now.to_move - 1].sitter == STORY_COMPUTER) {
        play_for_computer(story, &now);
        story_look(story, &now);
    }
}

/* ---- who may do what ---- */

const char *story_caller(const struct story_client *who)
{
    if (who->player[0] != '\0')
        return who->player;
    return strncmp(who->token, "plyd_seat_", 10) == 0 ? who->token : "";
}

unsigned story_seats_of(const struct story *story, const struct story_client *who)
{
    unsigned seats = 0;

    for (int i = 0; i < STORY_SEATS; i++) {
        const struct story_seat *seat = &story->seat[i];

        if ((who->token[0] != '\0' && strcmp(who->token, seat->token) == 0) ||
            (who->player[0] != '\0' && strcmp(who->player, seat->player) == 0))
            seats |= 2U << i;
    }
    return seats;
}

bool story_plays(unsigned seats, int seat)
{
    return (seats & 1U << seat) != 0;
}

bool story_is_hidden(const struct story *story, unsigned seats)
{
    return seats == 0 && strcmp(story->visibility, "private") == 0;
}

const char *story_may_not_move(const struct story_now *now, unsigned seats)
{
    if (now->status == STORY_OPEN)
        return "game-not-started";
    if (now->status != STORY_ACTIVE)
        return "game-over";
    return story_plays(seats, now->to_move) ? NULL : "not-your-turn";
}

/* Whether moves may be taken back, or played again, at all. */
static const char *may_not_turn(const struct story *story, unsigned seats)
{
    bool alone = true;

    for (int i = 0; i < STORY_SEATS; i++)
        alone &= story->seat[i].sitter == STORY_COMPUTER || story_plays(seats, i + 1);
    if (strcmp(story->undo, "never") == 0)
        return "undo-never";
    return strcmp(story->undo, "consent") == 0 && !alone ? "undo-needs-consent" : NULL;
}

static bool is_turn_of(const struct story *story, unsigned seats, int line, int ply)
{
    struct story_point point;

    story_point_at(story, line, ply, &point);
    return story_plays(seats, (int)story->rules->to_move(&point.state));
}

/* To before the asker's last move. */
static int usual_undo(const struct story *story, const struct story_now *now, unsigned seats)
{
    int to = now->ply - 1;

    while (to >= 0 && !is_turn_of(story, seats, now->line, to))
        to--;
    return to;
}

/* To the asker's next turn, or to the end of the line. */
static int usual_redo(const struct story *story, const struct story_now *now, unsigned seats)
{
    int to = now->ply + 1;

    while (to < now->tip && !is_turn_of(story, seats, now->line, to))
        to++;
    return to;
}

/* A resignation, or a draw that was agreed on, is taken back by itself or together with moves. */
static const char *cannot_go_back(const struct story *story, const struct story_now *now,
                                  unsigned seats, int *to)
{
    bool said = last_is(story, "resigned") || last_is(story, "accepted");

    if (*to == STORY_NONE)
        *to = said ? now->ply : usual_undo(story, now, seats);
    if (now->status == STORY_ABORTED || *to < 0)
        return "nothing-to-undo";
    if (!said && (now->ply == 0 || *to == now->ply))
        return "nothing-to-undo";
    return *to > now->ply ? "cannot-undo-that-far" : NULL;
}

const char *story_may_not_undo(const struct story *story, const struct story_now *now,
                               unsigned seats, int *to)
{
    const char *why = may_not_turn(story, seats);

    return why != NULL ? why : cannot_go_back(story, now, seats, to);
}

const char *story_may_not_redo(const struct story *story, const struct story_now *now,
                               unsigned seats, int *to)
{
    const char *why = may_not_turn(story, seats);

    if (why != NULL)
        return why;
    if (*to == STORY_NONE)
        *to = usual_redo(story, now, seats);
    if (now->status == STORY_ABORTED || *to <= now->ply || *to > now->tip)
        return "nothing-to-redo";
    return NULL;
}

const char *story_may_not_resign(const struct story_now *now)
{
    if (now->status == STORY_OPEN)
        return "game-not-started";
    return now->status == STORY_ACTIVE ? NULL : "game-over";
}

const char *story_may_not_abort(const struct story_now *now)
{
    if (!story_goes_on(now))
        return "game-over";
    return now->ply >= STORY_SEATS ? "already-moved" : NULL;
}

/* A computer is never asked, nor an empty seat, which a game may have that was over from the
 * beginning. */
const char *story_may_not_offer(const struct story *story, const struct story_now *now,
                                unsigned seats, const char *kind, int *to)
{
    bool undo = strcmp(kind, "undo") == 0;

    if (now->status == STORY_OPEN)
        return "game-not-started";
    if (undo && strcmp(story->undo, "never") == 0)
        return "undo-never";
    if (!undo && now->status != STORY_ACTIVE)
        return "game-over";
    for (int i = 0; i < STORY_SEATS; i++)
        if (story->seat[i].sitter != STORY_PERSON)
            return "nobody-to-ask";
    if (!story->clock && (strcmp(kind, "time") == 0 || strcmp(kind, "pause") == 0))
        return "no-clock";
    return undo ? cannot_go_back(story, now, seats, to) : NULL;
}

/* Whoever plays both seats has nobody to answer. */
const char *story_may_not_plan(const struct story_now *now, unsigned seats)
{
    if (now->status == STORY_OPEN)
        return "game-not-started";
    if (now->status != STORY_ACTIVE)
        return "game-over";
    if (story_plays(seats, 1) && story_plays(seats, 2))
        return "no-opponent";
    return story_plays(seats, now->to_move) ? "your-turn" : NULL;
}

const char *story_may_not_invite(const struct story_now *now)
{
    if (now->status == STORY_OPEN)
        return NULL;
    return now->status == STORY_ACTIVE ? "seat-taken" : "game-over";
}

const char *story_may_not_rematch(const struct story_now *now)
{
    return now->status == STORY_FINISHED ? NULL : "game-not-over";
}

/* Two people who still play each other get none. */
const char *story_may_not_hint(const struct story *story, const struct story_now *now,
                               unsigned seats)
{
    for (int i = 0; i < STORY_SEATS; i++)
        if (story->seat[i].sitter == STORY_COMPUTER)
            return NULL;
    return story_goes_on(now) && !(story_plays(seats, 1) && story_plays(seats, 2)) ? "no-hints"
                                                                                   : NULL;
}

/* It is the time of the other side that runs. */
const char *story_may_not_claim_timeout(const struct story *story, const struct story_now *now,
                                        unsigned seats)
{
    if (!story->clock)
        return "no-clock";
    if (now->status == STORY_OPEN)
        return "game-not-started";
    if (now->status != STORY_ACTIVE)
        return "game-over";
    return story_plays(seats, now->to_move) ? "claim-refused" : NULL;
}
