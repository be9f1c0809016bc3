#include "api/terminal/remote.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/terminal/fetch.h"
#include "api/text/chars.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"

enum { WAIT_S = 25, WORD_MAX = 256, SENTENCE_MAX = 4096, OFFERS_MAX = 64 };

void remote_open(struct remote *away, const char *base, const atomic_bool *stop,
                 const struct show_style *style)
{
    size_t len = strlen(base);

    while (len > 0 && base[len - 1] == '/')
        len--;
    *away = (struct remote){.fetch = fetch_open(stop), .style = style};
    snprintf(away->base, sizeof(away->base), "%.*s", (int)len, base);
}

void remote_close(struct remote *away)
{
    fetch_close(away->fetch);
    away->fetch = NULL;
}

static const char *game_url(struct arena *arena, const struct remote *away, const char *path)
{
    return arena_format(arena, "%s/v1/games/%s%s", away->base, away->id, path);
}

/* A text of the daemon without control characters that a terminal would obey. */
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
static void say_problem(const struct remote *away, const struct fetch_answer *answer,
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
        show_say(said, away->style, word_for(code), NULL);
    else if (title == NULL)
        show_say(said, away->style, "play-status", "status",
                 show_number(said->arena, (size_t)answer->status), NULL);
    else
        out_format(said, "%s\n%s%s", tame(said->arena, title),
                   detail == NULL ? "" : tame(said->arena, detail), detail == NULL ? "" : "\n");
    json_free(object);
}

static void say_unreachable(const struct remote *away, const char *why, struct out *said)
{
    out_format(said, "%s: %s\n", away->base, why);
}

/* Sends a request, and appends what went wrong. */
static bool ask(struct remote *away, struct fetch_request request, struct fetch_answer *answer,
                struct out *said)
{
    request.token = away->token[0] == '\0' ? NULL : away->token;
    request.accept = request.accept == NULL ? "application/json" : request.accept;
    fetch_ask(away->fetch, said->arena, &request, answer);
    if (answer->status == 0)
        say_unreachable(away, answer->body, said);
    else if (answer->status >= 400)
        say_problem(away, answer, said);
    return answer->status >= 200 && answer->status < 400;
}

/* ---- what the daemon answers ---- */

/* Copies a text that came, as far as there is room. NULL leaves the copy as it is. */
static void copy_word(char *copy, size_t size, const char *text)
{
    if (text != NULL)
        snprintf(copy, size, "%s", text);
}

static void take_offer(struct remote *away, struct json_fields *game)
{
    const struct json_value *offers;
    struct json_fields offer;
    size_t n = 0;

    away->offer = (struct remote_offer){.id = 0};
    away->asks = false;
    if (!json_take_array(game, "offers", OFFERS_MAX, &offers, &n))
        return;
    for (size_t i = 0; i < n; i++) {
        int64_t id = 0, seat = 0;
        const char *kind = NULL;

        if (!json_element_object(game, offers, "offers", i, &offer) ||
            !json_take_int(&offer, "id", 1, INT64_MAX, &id) ||
            !json_take_int(&offer, "seat", 1, RULES_SEATS, &seat) ||
            !json_take_string(&offer, "kind", WORD_MAX, &kind))
            continue;
        if (away->mine[seat - 1] && !away->mine[rules_other((unsigned)seat) - 1]) {
            away->asks = true;
            continue;
        }
        away->offer = (struct remote_offer){.id = id, .seat = (unsigned)seat};
        copy_word(away->offer.kind, sizeof(away->offer.kind), tame(game->arena, kind));
    }
}

static void take_seats(struct remote *away, struct json_fields *game)
{
    struct json_fields you;
    const char *seats = NULL;

    if (json_take_object(game, "you", &you))
        seats = json_take_json(&you, "seats");
    for (unsigned i = 0; i < RULES_SEATS; i++)
        away->mine[i] = seats != NULL && strchr(seats, (char)('1' + i)) != NULL;
}

/* Whether a text has only the characters of ids and tokens. They become file names and parts of
 * requests, so the daemon is not trusted with others. */
static bool is_plain(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* Takes the members that `plyd play` needs from a game's JSON. */
static bool take_game(struct remote *away, const struct fetch_answer *answer, struct out *said)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object = json_read(said->arena, answer->body, answer->len, &error);
    struct json_fields game;
    const char *id = NULL, *token = NULL, *version = NULL;

    if (object == NULL) {
        say_unreachable(away, lang_word(show_lang(away->style), "play-no-daemon"), said);
        return false;
    }
    json_fields(&game, said->arena, object, &error);
    json_take_string(&game, "id", WORD_MAX, &id);
    json_take_string(&game, "token", WORD_MAX, &token);
    json_take_scalar(&game, "version", &version);
    if (id == NULL || !is_plain(id) || (token != NULL && !is_plain(token))) {
        say_unreachable(away, lang_word(show_lang(away->style), "play-no-daemon"), said);
        json_free(object);
        return false;
    }
    copy_word(away->id, sizeof(away->id), id);
    copy_word(away->token, sizeof(away->token), token);
    copy_word(away->version, sizeof(away->version), version);
    take_seats(away, &game);
    take_offer(away, &game);
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

bool remote_create(struct remote *away, const struct rules_game *game,
                   const struct rules_options *options, const char *position,
                   const char *const seats[RULES_SEATS], struct out *said)
{
    struct fetch_answer answer;
    struct fetch_request request = {.method = "POST",
                                    .url = arena_format(said->arena, "%s/v1/games", away->base),
                                    .body = new_game(said->arena, game, options, position, seats)};

    return ask(away, request, &answer, said) && take_game(away, &answer, said);
}

bool remote_join(struct remote *away, struct out *said)
{
    struct fetch_answer answer;
    struct fetch_request request = {
        .method = "POST", .url = game_url(said->arena, away, "/join"), .body = "{}"};

    return ask(away, request, &answer, said) && take_game(away, &answer, said);
}

bool remote_read(struct remote *away, struct match *match, struct out *said)
{
    struct fetch_request request = {.method = "GET", .url = game_url(said->arena, away, "")};
    struct fetch_answer answer;
    struct record_error error;
    struct match fresh;

    if (!ask(away, request, &answer, said) || !take_game(away, &answer, said))
        return false;
    request.url = game_url(said->arena, away, "/export?format=json");
    request.accept = "*/*";
    if (!ask(away, request, &answer, said))
        return false;
    if (!match_read(&fresh, answer.body, answer.len, (int64_t)time(NULL) * 1000000, &error)) {
        say_unreachable(away, error.detail, said);
        match_close(&fresh);
        return false;
    }
    if (match->game != NULL)
        match_close(match);
    *match = fresh;
    return true;
}

enum remote_news remote_wait(struct remote *away, struct out *said)
{
    struct fetch_request request = {.method = "GET",
                                    .url = game_url(said->arena, away, ""),
                                    .known = away->version,
                                    .wait_s = WAIT_S};
    struct fetch_answer answer;

    if (!ask(away, request, &answer, said))
        return AWAY_UNREACHABLE;
    return answer.status == 304 ? AWAY_NOTHING_NEW : AWAY_NEWS;
}

/* ---- deeds ---- */

static const struct deed {
    enum order_kind kind;
    const char *path, *body;
} deeds[] = {
    {ORDER_UNDO, "/undo", "{}"},
    {ORDER_REDO, "/redo", "{}"},
    {ORDER_RESIGN, "/resign", "{}"},
    {ORDER_DECLARE, "/claims", "{\"kind\":\"impasse\"}"},
    {ORDER_DRAW, "/offers", "{\"kind\":\"draw\"}"},
    {ORDER_ASK_UNDO, "/offers", "{\"kind\":\"undo\"}"},
};

bool remote_serves(enum order_kind kind)
{
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
        if (deeds[i].kind == kind)
            return true;
    return kind == ORDER_MOVE || kind == ORDER_ACCEPT || kind == ORDER_DECLINE;
}

static bool send(struct remote *away, const char *method, const char *path, const char *body,
                 struct out *said)
{
    struct fetch_request request = {
        .method = method, .url = game_url(said->arena, away, path), .body = body};
    struct fetch_answer answer;

    return ask(away, request, &answer, said);
}

/* Answers the other side's offer. */
static bool answer_offer(struct remote *away, const char *how, struct out *said)
{
    if (away->offer.id == 0) {
        show_say(said, away->style, "play-no-offer", NULL);
        return false;
    }
    return send(away, "POST",
                arena_format(said->arena, "/offers/%lld/%s", (long long)away->offer.id, how), "{}",
                said);
}

bool remote_do(struct remote *away, const struct match *match, const struct order *order,
               struct out *said)
{
    if (order->kind == ORDER_MOVE)
        return send(away, "PUT", arena_format(said->arena, "/moves/%zu", match->len + 1),
                    order->rest, said);
    if (order->kind == ORDER_ACCEPT ||
        (order->kind == ORDER_DRAW && strcmp(away->offer.kind, "draw") == 0 && away->offer.id != 0))
        return answer_offer(away, "accept", said);
    if (order->kind == ORDER_DECLINE)
        return answer_offer(away, "decline", said);
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
        if (deeds[i].kind == order->kind)
            return send(away, "POST", deeds[i].path, deeds[i].body, said);
    return false;
}
