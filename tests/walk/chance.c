#include "chance.h"

#include <stdlib.h>
#include <string.h>

#include "hold.h"

size_t chance_of(struct walk *walk, size_t n)
{
    return rules_choose(&walk->seed, n);
}

bool chance_percent(struct walk *walk, size_t percent)
{
    return chance_of(walk, 100) < percent;
}

int chance_between(struct walk *walk, int least, int most)
{
    size_t span = (size_t)(most - least) + 1;

    return least + (int)chance_of(walk, span);
}

/* ---- clients ---- */

static const struct story_client nobody;
static const struct story_client wrong_seat = {.token =
                                                   "plyd_seat_00000000000000000000000000000000"};
static const struct story_client wrong_player = {
    .token = "plyd_player_0000000000000000000000000000000000000000000000000000000000"};

static const struct story_client *outsider(struct walk *walk)
{
    const struct walk_game *other = &walk->game[chance_of(walk, WALK_GAMES)];

    switch (chance_of(walk, 6)) {
    case 0:
        return &nobody;
    case 1:
        return &wrong_seat;
    case 2:
        return &wrong_player;
    case 3:
        if (other->story != NULL && other->story->seat[0].sitter == STORY_PERSON)
            return &other->sitter[0];
        return &nobody;
    default:
        return &walk->player[chance_of(walk, WALK_PLAYERS)];
    }
}

/* Whoever plays a seat, by its token or by their own. */
static const struct story_client *sitter(struct walk *walk, const struct walk_game *game, int seat)
{
    const struct story_seat *its = &game->story->seat[seat - 1];

    if (its->sitter != STORY_PERSON)
        return outsider(walk);
    for (size_t i = 0; i < WALK_PLAYERS; i++)
        if (strcmp(walk->player[i].player, its->player) == 0 && chance_percent(walk, 50))
            return &walk->player[i];
    return &game->sitter[seat - 1];
}

static const struct story_client *somebody(struct walk *walk, const struct walk_game *game,
                                           int to_move)
{
    size_t chance = chance_of(walk, 100);
    bool alone = game->story->seat[2 - to_move].sitter != STORY_PERSON;

    if (chance < 80 || (chance < 94 && alone))
        return sitter(walk, game, to_move);
    return chance < 94 ? sitter(walk, game, 3 - to_move) : outsider(walk);
}

/* ---- moves ---- */

static const struct walk_game *game_of(const struct walk *walk, const struct story *story)
{
    for (size_t i = 0; i < WALK_GAMES; i++)
        if (walk->game[i].story == story)
            return &walk->game[i];
    return NULL;
}

/* In a third of the games most moves lead back to an earlier position, if they can. */
static bool leads_back(struct walk *walk, const struct story *story)
{
    const struct walk_game *game = game_of(walk, story);

    return game != NULL && chance_percent(walk, (game - walk->game) % 3 == 0 ? 90 : 20);
}

bool chance_legal_move(struct walk *walk, const struct story *story,
                       const struct story_point *point, char *text)
{
    struct rules_history past = {point->keys, point->nkeys};
    bool homing = leads_back(walk, story);
    struct rules_state next;
    struct rules_refusal why;
    rules_move move;
    size_t n, first;
    story_text *texts = story_legal_moves(story, &point->state, &n);

    if (n == 0) {
        free(texts);
        return false;
    }
    first = chance_of(walk, n);
    strcpy(text, texts[first]);
    for (size_t i = 0; homing && i < n && i < 80; i++) {
        const char *other = texts[(first + i) % n];

        if (!story->rules->read_move(&point->state, other, &move, &why))
            abort();
        story->rules->play(&point->state, move, &next);
        if (rules_occurrences(&past, story->rules->key(&next)) > 0) {
            strcpy(text, other);
            break;
        }
    }
    free(texts);
    return true;
}

/* Something that is hardly a legal move. */
static void other_move(struct walk *walk, const struct story *story, const struct story_now *now,
                       char *text)
{
    static const char *const texts[] = {"x", "zz99", "0000", "a1", "a1a2", "7g7f", "resign", "win"};
    struct story_point point;

    switch (chance_of(walk, 4)) {
    case 0: /* of another time */
        story_point_at(story, now->line, chance_between(walk, 0, now->ply), &point);
        if (chance_legal_move(walk, story, &point, text))
            return;
        break;
    case 1: /* a slip of the finger */
        if (!chance_legal_move(walk, story, &now->point, text))
            break;
        text[chance_of(walk, strlen(text))] = (char)chance_between(walk, '1', 'i');
        if (text[0] == '[') /* which begins JSON, whatever the type says */
            text[0] = ']';
        return;
    default:
        break;
    }
    strcpy(text, texts[chance_of(walk, sizeof(texts) / sizeof(texts[0]))]);
}

/* A mover's own last move the other way round, if it can be played: after two of those the position
 * recurs. */
static bool move_back(const struct story *story, const struct story_now *now, char *text)
{
    static const char *const joints[] = {"", "-"};
    struct rules_board board = story->rules->board(&now->point.state);
    const struct story_event *moves[STORY_EVENTS_MAX];
    char name[2][RULES_SQUARE_TEXT];
    struct rules_refusal why;
    rules_move move;
    int squares = 0;

    if (now->ply < 2)
        return false;
    story_line(story, now->line, moves);
    for (const char *at = moves[now->ply - 1]->move; *at != '\0' && squares < 2;) {
        unsigned square;
        size_t len = rules_square_read(board, at, &square);

        if (len > 0)
            rules_square_text(board, square, name[squares++]);
        at += len > 0 ? len : 1;
    }
    for (size_t i = 0; squares == 2 && i < 2; i++) {
        snprintf(text, RULES_MOVE_TEXT, "%s%s%s", name[1], joints[i], name[0]);
        if (story->rules->read_move(&now->point.state, text, &move, &why))
            return true;
    }
    return false;
}

/* The move that was taken back here, if there is one. */
static bool move_again(const struct story *story, const struct story_now *now, char *text)
{
    const struct story_event *moves[STORY_EVENTS_MAX];

    if (now->ply == now->tip)
        return false;
    story_line(story, now->line, moves);
    strcpy(text, moves[now->ply + 1]->move);
    return true;
}

static void some_move(struct walk *walk, const struct story *story, const struct story_now *now,
                      char *text)
{
    if (chance_percent(walk, 30) && move_again(story, now, text))
        return;
    if (leads_back(walk, story) && chance_percent(walk, 75) && move_back(story, now, text))
        return;
    if (chance_percent(walk, 9) || !chance_legal_move(walk, story, &now->point, text))
        other_move(walk, story, now, text);
    if (story->rules->declare != NULL && chance_percent(walk, 6))
        strcpy(text, chance_percent(walk, 70) ? "win" : "resign");
}

/* What is clicked to play the move; now and then one click is missing, or another, but not both: of
 * a single square plyd says why nothing moves from there. */
static void click_it(struct walk *walk, const struct story *story, const struct story_now *now,
                     struct model_request *request)
{
    struct rules_refusal why;
    rules_move move;

    if (!story->rules->read_move(&now->point.state, request->move[0], &move, &why))
        return;
    request->nclicks = story->rules->path(&now->point.state, move, request->click);
    if (request->nclicks > 1 && chance_percent(walk, 10))
        request->nclicks--;
    else if (chance_percent(walk, 10))
        strcpy(request->click[chance_of(walk, request->nclicks)], "b2");
}

/* Several moves, of which each may be anything. */
static void list_moves(struct walk *walk, const struct story *story, const struct story_now *now,
                       struct model_request *request)
{
    size_t n = 1 + chance_of(walk, 4);
    struct story_now *then = malloc(sizeof(*then));
    struct rules_refusal why;

    if (then == NULL)
        abort();
    *then = *now;
    request->list = true;
    for (request->nmoves = 0; request->nmoves < n;) {
        char *text = request->move[request->nmoves++];

        some_move(walk, story, then, text);
        if (!story_step(story, &then->point, text, &why))
            break;
    }
    free(then);
}

/* Words that stand in place of a move. */
static bool is_word(const char *move)
{
    return strcmp(move, "resign") == 0 || strcmp(move, "win") == 0;
}

static void choose_moves(struct walk *walk, const struct story *story, const struct story_now *now,
                         struct model_request *request)
{
    request->verb = chance_percent(walk, 50) ? MODEL_POST : MODEL_PUT;
    request->nmoves = 1;
    request->dry_run = chance_percent(walk, 6);
    request->offers_draw = chance_percent(walk, 6);
    if (request->verb == MODEL_PUT || chance_percent(walk, 25))
        request->ply = now->ply + 1;
    some_move(walk, story, now, request->move[0]);
    if (is_word(request->move[0]))
        request->dry_run = chance_percent(walk, 40);
    if (now->ply > 0 && chance_percent(walk, 12)) {
        const struct story_event *moves[STORY_EVENTS_MAX];

        story_line(story, now->line, moves);
        request->ply = chance_between(walk, 1, now->ply);
        if (chance_percent(walk, 75))
            strcpy(request->move[0], moves[request->ply]->move);
    } else if (request->verb == MODEL_PUT && chance_percent(walk, 4)) {
        request->ply = now->ply + chance_between(walk, 2, 5);
    } else if (request->verb == MODEL_POST && chance_percent(walk, 20)) {
        list_moves(walk, story, now, request);
    }
    if (request->ply == now->ply + 1 && !request->list && chance_percent(walk, 20))
        click_it(walk, story, now, request);
    if (chance_percent(walk, 12))
        request->line = chance_between(walk, now->line > 1 ? now->line - 1 : 1, now->line);
}

/* ---- what else is done ---- */

static void choose_guard(struct walk *walk, const struct story *story,
                         struct model_request *request)
{
    request->guarded = chance_percent(walk, 8);
    if (!request->guarded)
        return;
    request->nversions = 1 + chance_of(walk, MODEL_VERSIONS_MAX);
    for (size_t i = 0; i < request->nversions; i++)
        request->version[i] = chance_between(walk, story->version, story->version + 3) - 2;
    if (chance_percent(walk, 60))
        request->version[0] = story->version;
    if (chance_percent(walk, 10)) /* a weak one, which is the same as none */
        request->version[0] = -story->version;
    if (chance_percent(walk, 10)) /* one that is the right one in 32 bits */
        request->version[0] = story->version + (1LL << 32);
    if (chance_percent(walk, 10)) /* any */
        request->nversions = 0;
}

static void choose_turn(struct walk *walk, const struct story_now *now,
                        struct model_request *request)
{
    bool undo = chance_percent(walk, now->tip == now->ply ? 90 : 35);

    request->verb = undo ? MODEL_UNDO : MODEL_REDO;
    if (chance_percent(walk, 50))
        return;
    request->to_ply =
        undo ? chance_between(walk, 0, now->ply) : chance_between(walk, now->ply, now->tip);
    if (chance_percent(walk, 8))
        request->to_ply = chance_between(walk, now->ply, now->tip + 2);
}

/* ---- offers ---- */

/* Whoever plays the other seat, most often. */
static const struct story_client *other_side(struct walk *walk, const struct walk_game *game,
                                             int seat)
{
    return sitter(walk, game, chance_percent(walk, 85) ? 3 - seat : seat);
}

static void choose_offer(struct walk *walk, const struct walk_game *game,
                         const struct story_now *now, struct model_request *request)
{
    static const char *const kinds[] = {"draw", "draw", "undo", "undo", "undo", "abort"};

    request->verb = MODEL_OFFER;
    request->kind = kinds[chance_of(walk, sizeof(kinds) / sizeof(kinds[0]))];
    if (chance_percent(walk, 30))
        request->who = sitter(walk, game, chance_between(walk, 1, 2));
    if (strcmp(request->kind, "undo") == 0 && chance_percent(walk, 60))
        request->to_ply = chance_between(walk, 0, now->ply + chance_percent(walk, 10));
}

/* An offer that is open, or some other one, or no offer at all. */
static int some_offer(struct walk *walk, const struct story *story)
{
    struct story_offer offers[STORY_OFFERS_MAX], offer;
    int n = story_offers(story, offers), version = chance_between(walk, 1, story->version);

    if (n > 0 && chance_percent(walk, 85))
        return offers[chance_of(walk, (size_t)n)].id;
    while (version > 1 && chance_percent(walk, 98) && !story_offer_of(story, version, &offer))
        version--;
    return chance_percent(walk, 95) ? version : story->version + (int)chance_of(walk, 3);
}

static void choose_answer(struct walk *walk, const struct walk_game *game,
                          struct model_request *request)
{
    struct story_offer offer;

    request->offer = some_offer(walk, game->story);
    request->verb = (enum model_verb)chance_between(walk, MODEL_ACCEPT, MODEL_WITHDRAW);
    if (!story_offer_of(game->story, request->offer, &offer))
        return;
    request->who =
        other_side(walk, game, request->verb == MODEL_WITHDRAW ? 3 - offer.seat : offer.seat);
}

/* Open offers are answered now and then, and void ones are asked about. */
static bool is_for_offers(struct walk *walk, const struct story *story)
{
    struct story_offer offers[STORY_OFFERS_MAX];

    return chance_percent(walk, story_offers(story, offers) > 0 ? 45 : 5);
}

static void choose_seat(struct walk *walk, struct model_request *request)
{
    if (chance_percent(walk, 30))
        request->seat = chance_percent(walk, 8) ? 0 : chance_between(walk, 1, 2);
}

/* The code of an invitation to the game, be it void, or one that nobody has been given. */
static const char *some_code(struct walk *walk, const struct story *story)
{
    const struct story_seat *seat = &story->seat[chance_of(walk, STORY_SEATS)];

    if (seat->code[0] == '\0' || chance_percent(walk, 10))
        return "plyd_invitation_00000000000000000000000000000000";
    return seat->code;
}

/* Joining with a code is what is done where somebody was invited. */
static size_t code_percent(const struct story *story)
{
    return story->seat[0].invited || story->seat[1].invited ? 60 : 3;
}

static void choose_join(struct walk *walk, const struct story *story, struct model_request *request)
{
    request->verb = MODEL_JOIN;
    strcpy(request->name, chance_name(walk));
    choose_seat(walk, request);
    if (chance_percent(walk, 70))
        request->who = outsider(walk);
    if (chance_percent(walk, code_percent(story)))
        request->invitation = some_code(walk, story);
}

static void choose_invitation(struct walk *walk, const struct walk_game *game,
                              struct model_request *request)
{
    request->verb = chance_percent(walk, 75) ? MODEL_INVITE : MODEL_DISINVITE;
    if (chance_percent(walk, 75))
        request->who = game->story->seat[0].sitter == STORY_PERSON ? sitter(walk, game, 1)
                                                                   : sitter(walk, game, 2);
    choose_seat(walk, request);
    if (request->verb == MODEL_DISINVITE && request->seat == MODEL_NONE)
        request->seat = game->story->seat[0].sitter == STORY_OPEN_SEAT ? 1 : 2;
}

/* ---- words ---- */

static void choose_claim(struct walk *walk, struct model_request *request)
{
    static const char *const kinds[] = {"timeout", "impasse", "impasse", "repetition"};

    request->verb = MODEL_CLAIM;
    request->kind = kinds[chance_of(walk, sizeof(kinds) / sizeof(kinds[0]))];
}

static void choose_message(struct walk *walk, const struct story_now *now,
                           struct model_request *request)
{
    static const char *const texts[] = {"Hello!", "A \"fine\" move\nor two", "Édouard: 1 % & more",
                                        "{\"until_us\":5}"};

    request->verb = MODEL_MESSAGE;
    request->message = texts[chance_of(walk, sizeof(texts) / sizeof(texts[0]))];
    if (chance_percent(walk, 40))
        request->ply = chance_between(walk, 0, now->tip + chance_percent(walk, 10));
}

static bool has_two_players(const struct story *story)
{
    const char *one = story->seat[0].player, *other = story->seat[1].player;

    return one[0] != '\0' && other[0] != '\0' && strcmp(one, other) != 0;
}

/* Whether the model can say what a rematch is: the computer's seed is new, and so are its moves;
 * that of two players is a challenge, which it does not know; and a rematch that there is must not
 * have been left. */
static bool knows_rematch(const struct walk *walk, const struct story *story)
{
    bool here = !story->has_next;

    for (size_t i = 0; i < WALK_GAMES; i++)
        here |= walk->game[i].story != NULL && strcmp(walk->game[i].story->id, story->next) == 0;
    return here && !has_two_players(story) && story->seat[0].sitter != STORY_COMPUTER &&
           story->seat[1].sitter != STORY_COMPUTER;
}

static bool is_for_rematch(struct walk *walk, const struct story *story,
                           const struct story_now *now)
{
    return knows_rematch(walk, story) &&
           chance_percent(walk, now->status == STORY_FINISHED || story->has_next ? 12 : 1);
}

static void choose_fork(struct walk *walk, const struct story *story, const struct story_now *now,
                        struct model_request *request)
{
    const struct story_event *moves[STORY_EVENTS_MAX];

    request->verb = MODEL_FORK;
    if (chance_percent(walk, 50))
        request->line = chance_between(walk, 1, now->line + chance_percent(walk, 5));
    if (chance_percent(walk, 60))
        request->ply = chance_between(
            walk, 0,
            story_line(story, request->line == MODEL_NONE ? now->line : request->line, moves) +
                chance_percent(walk, 5));
    if (chance_percent(walk, 70))
        chance_terms(walk, &request->terms);
}

static void choose_page(struct walk *walk, int most, struct model_request *request)
{
    if (chance_percent(walk, 60))
        request->after = chance_between(walk, 0, most + 2);
    if (chance_percent(walk, 60))
        request->limit =
            chance_percent(walk, 90) ? chance_between(walk, 1, 12) : chance_between(walk, 190, 300);
}

static void choose_look(struct walk *walk, const struct story *story, const struct story_now *now,
                        struct model_request *request)
{
    const struct story_event *moves[STORY_EVENTS_MAX];
    int line = now->line;

    request->verb = (enum model_verb)chance_between(walk, MODEL_GAME, MODEL_LEGAL);
    if (request->verb >= MODEL_HISTORY && chance_percent(walk, 60))
        request->line = line = chance_between(walk, 1, now->line + chance_percent(walk, 5));
    if (request->verb >= MODEL_POSITION)
        request->ply =
            chance_between(walk, -1, story_line(story, line, moves) + chance_percent(walk, 10));
    if (request->verb == MODEL_EVENTS || request->verb == MODEL_HISTORY)
        choose_page(walk, story->version, request);
    request->tree = request->verb == MODEL_LEGAL && chance_percent(walk, 30);
    request->with_moves = request->verb == MODEL_GAME && chance_percent(walk, 20);
    if (request->verb != MODEL_POSITION && request->verb != MODEL_EVENTS &&
        chance_percent(walk, 15))
        request->has = chance_between(walk, story->version - 1, story->version);
}

static void choose_end(struct walk *walk, const struct story_now *now,
                       struct model_request *request)
{
    request->verb =
        chance_percent(walk, now->ply < STORY_SEATS ? 35 : 85) ? MODEL_RESIGN : MODEL_ABORT;
    choose_seat(walk, request);
}

static void choose_deed(struct walk *walk, const struct walk_game *game,
                        struct model_request *request)
{
    const struct story *story = game->story;
    size_t chance = chance_of(walk, 100);
    bool waits, again, says, answers, goes_back;
    struct story_now now;

    story_look(story, &now);
    request->who = somebody(walk, game, now.to_move);
    again = is_for_rematch(walk, story, &now);
    says = chance_percent(walk, 5);
    answers = is_for_offers(walk, story);
    waits = chance_percent(walk, now.status == STORY_OPEN ? 25 : 2);
    goes_back = chance_percent(walk, now.tip > now.ply ? 45 : 22);
    if (waits && chance_percent(walk, 25))
        choose_invitation(walk, game, request);
    else if (waits)
        choose_join(walk, story, request);
    else if (again)
        request->verb = MODEL_REMATCH;
    else if (says && chance_percent(walk, 50))
        choose_claim(walk, request);
    else if (says)
        choose_message(walk, &now, request);
    else if (chance < 2)
        choose_fork(walk, story, &now, request);
    else if (chance < 4)
        choose_end(walk, &now, request);
    else if (chance < 20)
        choose_look(walk, story, &now, request);
    else if (answers)
        choose_answer(walk, game, request);
    else if (chance < 32)
        choose_offer(walk, game, &now, request);
    else if (goes_back)
        choose_turn(walk, &now, request);
    else
        choose_moves(walk, story, &now, request);
    if (request->verb < MODEL_GAME && request->verb != MODEL_FORK)
        choose_guard(walk, story, request);
}

/* ---- how it is sent ---- */

/* A body that has only numbers and texts may be a form; one that has only its first member, bare.
 */
static void choose_form(struct walk *walk, struct walk_step *step)
{
    const struct model_request *request = &step->request;
    bool flat = request->nclicks == 0 && !request->list && !request->terms.seats_given;
    bool move = request->verb == MODEL_POST || request->verb == MODEL_PUT;
    bool fork = request->verb == MODEL_FORK;
    bool ply = request->ply != MODEL_NONE, line = request->line != MODEL_NONE;
    bool to_ply = request->to_ply != MODEL_NONE;
    bool offer = request->verb == MODEL_OFFER || request->verb == MODEL_CLAIM;
    bool message = request->verb == MODEL_MESSAGE;
    bool bare =
        move      ? !line && (request->verb == MODEL_PUT || !ply)
        : fork    ? ply && !line && request->terms.undo == NULL && request->terms.visibility == NULL
        : offer   ? !to_ply
        : message ? !ply
                  : to_ply;

    if (flat && bare && chance_percent(walk, 20))
        step->form = WALK_BARE;
    else if (flat && (move || fork || to_ply || offer || message || request->verb == MODEL_JOIN) &&
             chance_percent(walk, 20))
        step->form = WALK_FORM;
}

static void new_key(struct walk *walk, struct walk_step *step)
{
    snprintf(step->key, sizeof(step->key), "a key of the walk: %d", walk->keys++);
}

/* Some requests may be sent again if no answer came: they have a key, or are a move with a ply. */
static bool may_be_sent_again(const struct walk_step *step)
{
    return step->key[0] != '\0' ||
           (step->request.verb == MODEL_PUT && !is_word(step->request.move[0]));
}

/* Most of what happens in a game goes by the same daemon, so that what it has in memory counts. */
static int usual_daemon(struct walk *walk, const struct story *story)
{
    size_t usual = story == NULL ? 0 : (size_t)(game_of(walk, story) - walk->game);

    return (int)((usual + chance_percent(walk, 12)) % WALK_DAEMONS);
}

static void choose_way(struct walk *walk, struct walk_step *step)
{
    step->daemon = usual_daemon(walk, step->request.story);
    /* A text does not always begin with the id of a rematch, which has to be learnt. */
    step->request.text = chance_percent(walk, 12) && step->request.verb != MODEL_REMATCH;
    if (step->request.verb < MODEL_GAME) {
        step->request.with_moves = chance_percent(walk, 8);
        choose_form(walk, step);
        if (step->request.story != NULL && chance_percent(walk, 15))
            new_key(walk, step);
    }
    if (chance_of(walk, 300) == 0)
        step->kill = WALK_KILLED_BEFORE;
    if (may_be_sent_again(step) && chance_of(walk, 100) == 0) {
        step->kill = WALK_KILLED_MEANWHILE;
        step->pauses = chance_between(walk, 0, 3);
    }
}

/* ---- steps ---- */

static void choose_nonsense(struct walk *walk, const struct walk_game *game, struct walk_step *step)
{
    struct model_request *request = &step->request;
    const struct walk_nonsense *nonsense = chance_nonsense(walk);

    *step = hold_look(nonsense->verb, &nobody, game->story);
    step->nonsense = nonsense;
    request->who = chance_percent(walk, 50) ? sitter(walk, game, 1) : outsider(walk);
    request->text = chance_percent(walk, 12);
    request->wrong = nonsense->status;
    request->wrong_code = nonsense->code;
    request->wrong_query = nonsense->query != NULL;
}

void chance_game(struct walk *walk, struct walk_step *step)
{
    struct model_request *request = &step->request;

    *step = hold_look(MODEL_CREATE, &nobody, NULL);
    request->who =
        chance_percent(walk, 60) ? &walk->player[chance_of(walk, WALK_PLAYERS)] : outsider(walk);
    chance_new_game(walk, request);
    choose_way(walk, step);
    step->form = WALK_JSON;
    if (chance_percent(walk, 30))
        new_key(walk, step);
}

static const struct walk_game *some_game(struct walk *walk)
{
    size_t i;

    do
        i = chance_of(walk, WALK_GAMES);
    while (walk->game[i].story == NULL);
    return &walk->game[i];
}

/* Another request under the same key. */
static void alter(struct model_request *request)
{
    if (request->nmoves > 0)
        strcpy(request->move[0], "b2");
    else if (request->verb >= MODEL_ACCEPT && request->verb <= MODEL_WITHDRAW)
        request->offer++;
    else if (request->verb == MODEL_OFFER && request->to_ply != MODEL_NONE)
        request->to_ply++;
    else if (request->verb == MODEL_OFFER)
        request->kind = strcmp(request->kind, "abort") == 0 ? "draw" : "abort";
    else if (request->verb == MODEL_REMATCH)
        request->with_moves = !request->with_moves;
    else if (request->verb == MODEL_CLAIM)
        request->kind = strcmp(request->kind, "impasse") == 0 ? "timeout" : "impasse";
    else if (request->verb == MODEL_MESSAGE)
        request->message = strcmp(request->message, "Hello!") == 0 ? "Hi!" : "Hello!";
    else if (request->verb == MODEL_UNDO || request->verb == MODEL_REDO)
        request->to_ply = request->to_ply == 0 ? 1 : 0;
    else if (request->verb == MODEL_FORK)
        request->terms.undo = request->terms.undo == NULL ? "free" : NULL;
    else
        request->seat = request->seat == 1 ? 2 : 1;
}

/* Something that was sent a while ago, with a key rather than without one. */
static const struct walk_step *past_step(struct walk *walk)
{
    const struct walk_step *step = &walk->past[0];

    for (int i = 0; i < 4 && (i == 0 || step->key[0] == '\0'); i++)
        step = &walk->past[chance_of(walk, WALK_STEPS_KEPT)];
    return step;
}

/* The same again, most often; or by somebody else; or something else with the same key. */
static bool choose_repetition(struct walk *walk, struct walk_step *step)
{
    const struct walk_game *game;

    *step = *past_step(walk);
    step->kill = WALK_LIVES;
    step->daemon = (step->daemon + chance_percent(walk, 25)) % WALK_DAEMONS;
    if (step->request.who == NULL)
        return false;
    if (step->request.story == NULL)
        return true;
    game = game_of(walk, step->request.story);
    if (game == NULL || (step->request.verb == MODEL_REMATCH && !knows_rematch(walk, game->story)))
        return false;
    if (chance_percent(walk, 20))
        step->request.who = somebody(walk, game, chance_between(walk, 1, 2));
    if (step->key[0] != '\0' && step->form == WALK_JSON && step->nonsense == NULL &&
        chance_percent(walk, 20))
        alter(&step->request);
    return true;
}

void chance_step(struct walk *walk, struct walk_step *step)
{
    const struct walk_game *game;

    if (chance_percent(walk, 10) && choose_repetition(walk, step))
        return;
    game = some_game(walk);
    if (chance_percent(walk, 3)) {
        choose_nonsense(walk, game, step);
        return;
    }
    *step = hold_look(MODEL_GAME, &nobody, game->story);
    choose_deed(walk, game, &step->request);
    choose_way(walk, step);
    if (chance_of(walk, 200) == 0 && step->kill == WALK_LIVES) { /* a game that does not exist */
        step->request.story = NULL;
        step->key[0] = '\0';
    }
}
