#include "api/terminal/remote.h"

#include <stdio.h>
#include <string.h>

#include "api/terminal/fetch.h"
#include "api/text/chars.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"

enum { WAIT_S = 25, WORD_MAX = 256, SENTENCE_MAX = 4096, OFFERS_TOLD_MAX = 64 };

void remote_open(struct remote *remote, const char *base, const atomic_bool *stop,
                 const struct show_style *style)
{
    size_t len = strlen(base);

    while (len > 0 && base[len - 1] == '/')
        len--;
    *remote = (struct remote){.fetch = fetch_open(stop), .style = style};
    snprintf(remote->base, sizeof(remote->base), "%.*s", (int)len, base);
}

void remote_close(struct remote *remote)
{
    fetch_close(remote->fetch);
    remote->fetch = NULL;
}

static const char *game_url(struct arena *arena, const struct remote *remote, const char *path)
{
    return arena_format(arena, "%s/v1/games/%s%s", remote->base, remote->id, path);
}

/* A text of the daemon without control characters that a terminal would run_line. */
static const char *tame(struct arena *arena, const char *text)
{
    char *copy = arena_copy(arena, text, strlen(text));

    chars_tame(copy);
    return copy;
}

/* A sentence about a problem for people who know nothing of requests; NULL: use the daemon's text.
 */
static const char *word_for(const char *code)
{
    static const struct {
        const char *code, *word;
    } words[] = {
        {"token-missing", "play-watches"},
        {"not-your-seat", "play-watches"},
        {"token-unknown", "play-unknown-token"},
        {"not-your-turn", "play-not-yours"},
        {"undo-never", "play-no-undo"},
        {"undo-needs-consent", "play-ask-first"},
        {"nobody-to-ask", "play-nobody-to-ask"},
        {"nothing-to-undo", "play-nothing-to-undo"},
        {"nothing-to-redo", "play-nothing-to-redo"},
        {"stale-ply", "play-gone-on"},
        {"ply-taken", "play-gone-on"},
        {"no-such-offer", "play-no-offer"},
        {"offer-void", "play-no-offer"},
    };

    for (size_t i = 0; code != NULL && i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i].code, code) == 0)
            return words[i].word;
    return NULL;
}

/* Appends a problem document as sentences for people. */
static void say_problem(const struct remote *remote, const struct fetch_answer *answer,
                        struct out *said)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object = json_read(said->arena, answer->body, answer->len, &error);
    struct json_fields problem;
    const char *code = NULL, *title = NULL, *detail = NULL;

    if (object != NULL) {
        json_fields(&problem, said->arena, object, &error);
        json_take_string(&problem, "code", WORD_MAX, &code);
        json_take_string(&problem, "title", SENTENCE_MAX, &title);
        json_take_string(&problem, "detail", SENTENCE_MAX, &detail);
    }
    if (word_for(code) != NULL)
        show_say(said, remote->style, word_for(code), NULL);
    else if (title == NULL)
        show_say(said, remote->style, "play-status", "status",
                 show_number(said->arena, (size_t)answer->status), NULL);
    else
        out_format(said, "%s\n%s%s", tame(said->arena, title),
                   detail == NULL ? "" : tame(said->arena, detail), detail == NULL ? "" : "\n");
    json_free(object);
}

static void say_unreachable(const struct remote *remote, const char *why, struct out *said)
{
    out_format(said, "%s: %s\n", remote->base, why);
}

/* Whether an answer is a good one; if not, appends what went wrong. */
static bool is_good(const struct remote *remote, const struct fetch_answer *answer,
                    struct out *said)
{
    if (answer->status == 0 && answer->len == 0)
        show_say(said, remote->style, "play-request-stopped", NULL);
    else if (answer->status == 0)
        say_unreachable(remote, answer->body, said);
    else if (answer->status >= 400)
        say_problem(remote, answer, said);
    return answer->status >= 200 && answer->status < 400;
}

static void complete_remote(const struct remote *remote, struct fetch_request *request)
{
    request->token = remote->token[0] == '\0' ? NULL : remote->token;
    request->accept = request->accept == NULL ? "application/json" : request->accept;
}

/* Sends a request, and appends what went wrong. */
static bool ask_remote(struct remote *remote, struct fetch_request request,
                       struct fetch_answer *answer, struct out *said)
{
    complete_remote(remote, &request);
    fetch_ask(remote->fetch, said->arena, &request, answer);
    return is_good(remote, answer, said);
}

/* ---- what the daemon answers ---- */

/* Copies a text that came, as far as there is room. NULL leaves the copy as it is. */
static void copy_word(char *copy, size_t size, const char *text)
{
    if (text != NULL)
        snprintf(copy, size, "%s", text);
}

static void take_remote_offer(struct remote *remote, struct json_fields *game)
{
    const struct json_value *offers;
    struct json_fields offer;
    size_t n = 0;

    remote->offer = (struct remote_offer){.id = 0};
    remote->asks = false;
    if (!json_take_array(game, "offers", OFFERS_TOLD_MAX, &offers, &n))
        return;
    for (size_t i = 0; i < n; i++) {
        int64_t id = 0, seat = 0;
        const char *kind = NULL;

        if (!json_element_object(game, offers, "offers", i, &offer) ||
            !json_take_int(&offer, "id", 1, INT64_MAX, &id) ||
            !json_take_int(&offer, "seat", 1, RULES_SEATS, &seat) ||
            !json_take_string(&offer, "kind", WORD_MAX, &kind))
            continue;
        if (remote->mine[seat - 1] && !remote->mine[rules_other((unsigned)seat) - 1]) {
            remote->asks = true;
            continue;
        }
        remote->offer = (struct remote_offer){.id = id, .seat = (unsigned)seat};
        copy_word(remote->offer.kind, sizeof(remote->offer.kind), tame(game->arena, kind));
    }
}

static void take_remote_seats(struct remote *remote, struct json_fields *game)
{
    struct json_fields you;
    const char *seats = NULL;

    if (json_take_object(game, "you", &you))
        seats = json_take_json(&you, "seats");
    for (unsigned i = 0; i < RULES_SEATS; i++)
        remote->mine[i] = seats != NULL && strchr(seats, (char)('1' + i)) != NULL;
}

/* Whether a text has only the characters of ids and tokens. They become file names and parts of
 * requests, so the daemon is not trusted with others. */
static bool is_remote_plain(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* Takes the members that `plyd play` needs from a game's JSON. */
static bool take_game(struct remote *remote, const struct fetch_answer *answer, struct out *said)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object = json_read(said->arena, answer->body, answer->len, &error);
    struct json_fields game;
    const char *id = NULL, *token = NULL, *version = NULL;

    if (object == NULL) {
        say_unreachable(remote, lang_word(show_lang(remote->style), "play-no-daemon"), said);
        return false;
    }
    json_fields(&game, said->arena, object, &error);
    json_take_string(&game, "id", WORD_MAX, &id);
    json_take_string(&game, "token", WORD_MAX, &token);
    json_take_scalar(&game, "version", &version);
    if (id == NULL || !is_remote_plain(id) || (token != NULL && !is_remote_plain(token))) {
        say_unreachable(remote, lang_word(show_lang(remote->style), "play-no-daemon"), said);
        json_free(object);
        return false;
    }
    copy_word(remote->id, sizeof(remote->id), id);
    copy_word(remote->token, sizeof(remote->token), token);
    copy_word(remote->version, sizeof(remote->version), version);
    take_remote_seats(remote, &game);
    take_remote_offer(remote, &game);
    json_free(object);
    return true;
}

/* ---- requests ---- */

/* The body of a new game. Options are sent as strings, which the daemon accepts for options of
 * every kind. */
static const char *new_game(struct arena *arena, const struct rules_game *game,
                            const struct rules_options *options, const char *position,
                            const char *const seats[RULES_SEATS])
{
    char text[RULES_POSITION_TEXT];
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "variant", game->name);
    json_key(&json, "options");
    json_open(&json, '{');
    for (size_t i = 0; i < game->noptions; i++)
        if ((options->given >> i & 1) != 0) {
            rules_option_text(game, options, i, text);
            json_member(&json, game->options[i].name, text);
        }
    json_close(&json, '}');
    if (position != NULL)
        json_member(&json, "position", position);
    json_key(&json, "seats");
    json_raw(&json, arena_format(arena, "[%s,%s]", seats[0], seats[1]));
    json_finish(&json);
    return json.out.text;
}

bool remote_create(struct remote *remote, const struct rules_game *game,
                   const struct rules_options *options, const char *position,
                   const char *const seats[RULES_SEATS], struct out *said)
{
    struct fetch_answer answer;
    struct fetch_request request = {.method = "POST",
                                    .url = arena_format(said->arena, "%s/v1/games", remote->base),
                                    .body = new_game(said->arena, game, options, position, seats)};

    return ask_remote(remote, request, &answer, said) && take_game(remote, &answer, said);
}

bool remote_join(struct remote *remote, struct out *said)
{
    struct fetch_answer answer;
    struct fetch_request request = {
        .method = "POST", .url = game_url(said->arena, remote, "/join"), .body = "{}"};

    return ask_remote(remote, request, &answer, said) && take_game(remote, &answer, said);
}

/* A newer daemon's log may have events that are not known here. */
static bool read_remote_record(struct match *match, const struct fetch_answer *answer,
                               struct record_error *error)
{
    if (match_read(match, answer->body, answer->len, error))
        return true;
    match_close(match);
    return match_read_course(match, answer->body, answer->len, error);
}

bool remote_read(struct remote *remote, struct match *match, struct out *said)
{
    struct fetch_request request = {.method = "GET", .url = game_url(said->arena, remote, "")};
    struct fetch_answer answer;
    struct record_error error;
    struct match fresh;

    if (!ask_remote(remote, request, &answer, said) || !take_game(remote, &answer, said))
        return false;
    request.url = game_url(said->arena, remote, "/export?format=json");
    request.accept = "*/*";
    if (!ask_remote(remote, request, &answer, said))
        return false;
    if (!read_remote_record(&fresh, &answer, &error)) {
        say_unreachable(remote, error.detail, said);
        match_close(&fresh);
        return false;
    }
    if (match->game != NULL)
        match_close(match);
    *match = fresh;
    return true;
}

/* Whether an answer to the long poll tells of another version than the one that was read: what was
 * done here since it began is no news. */
static enum remote_news judge_news(struct remote *remote, const struct fetch_answer *answer,
                                   struct out *said)
{
    char known[sizeof(remote->version)];

    if (!is_good(remote, answer, said))
        return REMOTE_UNREACHABLE;
    if (answer->status == 304)
        return REMOTE_NOTHING_YET;
    memcpy(known, remote->version, sizeof(known));
    if (!take_game(remote, answer, said))
        return REMOTE_UNREACHABLE;
    if (strcmp(known, remote->version) == 0)
        return REMOTE_NOTHING_YET;
    memcpy(remote->version, known, sizeof(known)); /* the moves are not read yet */
    return REMOTE_NEWS;
}

enum remote_news remote_wait(struct remote *remote, int input, struct out *said)
{
    struct fetch_request request = {.method = "GET",
                                    .url = game_url(said->arena, remote, ""),
                                    .known = remote->version,
                                    .wait_s = WAIT_S};
    struct fetch_answer answer;

    complete_remote(remote, &request);
    switch (fetch_listen(remote->fetch, said->arena, &request, input, &answer)) {
    case FETCH_ANSWERED:
        return judge_news(remote, &answer, said);
    case FETCH_INPUT:
        return REMOTE_INPUT;
    case FETCH_NOTHING:
        return REMOTE_NOTHING_YET;
    case FETCH_STOPPED:
        break;
    }
    return REMOTE_STOPPED;
}

/* ---- actions ---- */

static const struct action {
    enum command_kind kind;
    const char *path, *body;
} actions[] = {
    {COMMAND_UNDO, "/undo", "{}"},
    {COMMAND_REDO, "/redo", "{}"},
    {COMMAND_RESIGN, "/resign", "{}"},
    {COMMAND_DECLARE, "/claims", "{\"kind\":\"impasse\"}"},
    {COMMAND_DRAW, "/offers", "{\"kind\":\"draw\"}"},
    {COMMAND_ASK_UNDO, "/offers", "{\"kind\":\"undo\"}"},
};

bool remote_can_do(enum command_kind kind)
{
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
        if (actions[i].kind == kind)
            return true;
    return kind == COMMAND_MOVE || kind == COMMAND_ACCEPT || kind == COMMAND_DECLINE;
}

static bool send_remote(struct remote *remote, const char *method, const char *path,
                        const char *body, struct out *said)
{
    struct fetch_request request = {
        .method = method, .url = game_url(said->arena, remote, path), .body = body};
    struct fetch_answer answer;

    return ask_remote(remote, request, &answer, said);
}

/* Answers the other side's offer. */
static bool answer_offer(struct remote *remote, const char *how, struct out *said)
{
    if (remote->offer.id == 0) {
        show_say(said, remote->style, "play-no-offer", NULL);
        return false;
    }
    return send_remote(
        remote, "POST",
        arena_format(said->arena, "/offers/%lld/%s", (long long)remote->offer.id, how), "{}", said);
}

bool remote_do(struct remote *remote, const struct match *match, const struct command *command,
               struct out *said)
{
    if (command->kind == COMMAND_MOVE)
        return send_remote(remote, "PUT", arena_format(said->arena, "/moves/%zu", match->len + 1),
                           command->rest, said);
    if (command->kind == COMMAND_ACCEPT ||
        (command->kind == COMMAND_DRAW && strcmp(remote->offer.kind, "draw") == 0 &&
         remote->offer.id != 0))
        return answer_offer(remote, "accept", said);
    if (command->kind == COMMAND_DECLINE)
        return answer_offer(remote, "decline", said);
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
        if (actions[i].kind == command->kind)
            return send_remote(remote, "POST", actions[i].path, actions[i].body, said);
    return false;
}
