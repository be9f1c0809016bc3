#include "api/hooks/notice.h"

#include <string.h>

#include "api/game/ids.h"
#include "api/game/log_ends.h"
#include "api/game/messages.h"
#include "api/game/offers.h"
#include "api/game/rights.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/hooks/webhook_message.h"
#include "api/text/chars.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/lang.h"
#include "api/text/out.h"
#include "api/view/board.h"
#include "api/view/view.h"

enum { MESSAGE_SHOWN = 160, MESSAGE_MAX = 16 << 10 }; /* characters, bytes */

#define MINUTE_US   (INT64_C(60) * 1000 * 1000)
#define DAY_MINUTES (INT64_C(24) * 60)

/* ---- rows ---- */

static const char *kept_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}

struct notice_game *notice_game(struct arena *arena, const struct db_game *row)
{
    struct notice_game *game = arena_alloc(arena, sizeof(*game));

    *game = (struct notice_game){*row, log_ending_of(row), false};
    game->row.variant = kept_text(arena, row->variant);
    game->row.reason = kept_text(arena, row->reason);
    game->row.offers = kept_text(arena, row->offers);
    for (int i = 0; i < DB_SEATS; i++) {
        game->row.seat[i].name = kept_text(arena, row->seat[i].name);
        game->row.seat[i].engine = kept_text(arena, row->seat[i].engine);
    }
    return game;
}

/* ---- what there is to tell ---- */

enum {
    TELLS_END = 1,
    TELLS_JOINED = 2,
    TELLS_REMATCH = 4,
    TELLS_OFFER = 8,
    TELLS_LOW_TIME = 16,
    TELLS_TURN = 32,
    TELLS_MESSAGE = 64,
    TELLS_CHALLENGE = 128
};

struct telling {
    struct arena *arena;
    struct game_view view; /* of the row, for the player */
    const struct db_hook *receiver;
    struct ending ending;
    struct offers offers; /* those that are open */
    unsigned tells;
    const struct db_event *message, *end; /* the last ones */
};

static bool is_wanted(const struct telling *telling, int kind)
{
    return webhook_message_is_wanted(telling->receiver->events, kind);
}

static bool has_seat(const struct telling *telling, int seat)
{
    return (telling->view.seats & seat_bit(seat)) != 0;
}

static bool has_turn_now(const struct telling *telling)
{
    return may_not_move(telling->view.row, telling->view.seats) == PROBLEM_NONE;
}

/* Whether an event may have made it somebody's turn. */
static bool gives_turn(int kind)
{
    return kind == EVENT_MOVE || kind == EVENT_JOINED || kind == EVENT_UNDO || kind == EVENT_REDO ||
           kind == EVENT_RESUMED;
}

/* The event of a clock names whose time it is, and not who did something. */
static bool is_their_deed(const struct telling *telling, const struct db_event *event)
{
    return event->seat != 0 && has_seat(telling, event->seat) && event->kind != EVENT_DEADLINE &&
           event->kind != EVENT_TIMEOUT;
}

/* Of two players one was challenged to the next game, and is told of that; the event says that they
 * have accepted. */
static bool begins_another(const struct db_game *row)
{
    return row->has_next && !row_has_two_players(row);
}

/* What an event alone gives to tell, if that is still so. */
static unsigned tells_by_kind(const struct telling *telling, const struct db_event *event)
{
    switch (event->kind) {
    case EVENT_MESSAGE:
        return messages_are_unheard_by(telling->arena, event, NULL) ? 0 : TELLS_MESSAGE;
    case EVENT_JOINED:
        return TELLS_JOINED;
    case EVENT_CHALLENGED:
        return telling->view.row->status == STATUS_OPEN ? TELLS_CHALLENGE : 0;
    case EVENT_REMATCH:
        return begins_another(telling->view.row) ? TELLS_REMATCH : 0;
    case EVENT_DEADLINE:
        return has_turn_now(telling) && has_seat(telling, event->seat) ? TELLS_LOW_TIME : 0;
    default:
        return 0;
    }
}

static unsigned tells_of(struct telling *telling, const struct db_event *event)
{
    unsigned tells = 0;

    if (is_their_deed(telling, event))
        return 0;
    if (is_wanted(telling, event->kind))
        tells |= tells_by_kind(telling, event);
    if ((is_wanted(telling, event->kind) || is_wanted(telling, HOOK_WANTS_ENDS)) &&
        !status_goes_on(telling->view.row->status) &&
        log_ending_is(telling->arena, &telling->ending, event))
        tells |= TELLS_END;
    if (is_wanted(telling, EVENT_OFFERED) && offers_find(&telling->offers, event->version) != NULL)
        tells |= TELLS_OFFER;
    if (is_wanted(telling, EVENT_MOVE) && gives_turn(event->kind) && has_turn_now(telling))
        tells |= TELLS_TURN;
    return tells;
}

/* ---- in words ---- */

static const char *name_at(const struct telling *telling, int seat)
{
    const struct db_seat *held = &telling->view.row->seat[seat - 1];

    if (held->state == SEAT_ENGINE)
        return lang_word(telling->view.lang, "the-computer");
    return held->name != NULL ? held->name : lang_word(telling->view.lang, "somebody");
}

static int other_seat(const struct telling *telling)
{
    return has_seat(telling, 1) ? 2 : 1;
}

static const char *by_name(const struct telling *telling, const char *key)
{
    return lang_fill(telling->arena, telling->view.lang, key, "name",
                     name_at(telling, other_seat(telling)), NULL);
}

static const char *cut(struct arena *arena, const char *text)
{
    const char *at = text;

    for (int i = 0; i < MESSAGE_SHOWN; i++)
        if (chars_next(&at) == 0)
            return text;
    return *at == '\0' ? text : arena_format(arena, "%.*s…", (int)(at - text), text);
}

/* A text of several lines could look like the end of what plyd says. */
static const char *in_one_line(struct arena *arena, const char *text)
{
    char *line = arena_copy(arena, text, strlen(text));

    for (char *at = line; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    return line;
}

/* What a player has said, in one line. Empty if they have said nothing, or it cannot be read. */
static const char *said(struct arena *arena, const struct db_event *event)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const char *data = event->data == NULL ? "{}" : event->data, *text = "";
    struct json_value *object = json_read(arena, data, strlen(data), &error);
    struct json_fields fields;

    if (object == NULL)
        return "";
    json_fields(&fields, arena, object, &error);
    json_take_string(&fields, "text", MESSAGE_MAX, &text);
    text = in_one_line(arena, cut(arena, text));
    json_free(object);
    return text;
}

static const char *message_words(const struct telling *telling)
{
    const struct db_event *event = telling->message;

    return arena_format(telling->arena, "%s: %s", name_at(telling, event->seat),
                        said(telling->arena, event));
}

/* How a challenge has come to nothing. */
static const char *challenge_words(const struct telling *telling)
{
    const char *reason = telling->view.row->reason;
    const struct lang *lang = telling->view.lang;
    const char *text;

    if (reason == NULL)
        return lang_word(lang, "challenge-withdrawn");
    if (strcmp(reason, "declined") != 0)
        return lang_word(lang, "challenge-expired");
    text = messages_are_unheard_by(telling->arena, telling->end, NULL)
               ? ""
               : said(telling->arena, telling->end);
    return *text == '\0'
               ? lang_word(lang, "challenge-declined")
               : arena_format(telling->arena, "%s %s", lang_word(lang, "challenge-declined"), text);
}

static const char *end_words(const struct telling *telling)
{
    const struct db_game *row = telling->view.row;
    const struct lang *lang = telling->view.lang;

    if (row_challenge_seat(row) != 0)
        return challenge_words(telling);
    if (row->status != STATUS_FINISHED || row->winner == 0 || row->reason == NULL)
        return view_ending(telling->arena, &telling->view);
    return lang_fill(telling->arena, lang, has_seat(telling, row->winner) ? "you-win" : "you-lose",
                     "reason", lang_say(lang, LANG_REASON, row->reason, row->reason), NULL);
}

static void add_line(struct out *out, const char *line)
{
    out_format(out, "%s%s", out->len > 0 ? "\n" : "", line);
}

static void add_offers(struct out *out, const struct telling *telling)
{
    for (size_t i = 0; i < telling->offers.count; i++) {
        const struct offer *offer = &telling->offers.offer[i];

        if (!has_seat(telling, offer->seat))
            add_line(out, arena_format(telling->arena, "%s: %s", name_at(telling, offer->seat),
                                       view_offer_text(telling->arena, telling->view.lang, offer)));
    }
}

static const char *words_of(const struct telling *telling)
{
    unsigned tells = telling->tells;
    struct out out;

    out_init_short(&out, telling->arena);
    if ((tells & TELLS_END) != 0)
        add_line(&out, end_words(telling));
    if ((tells & TELLS_CHALLENGE) != 0)
        add_line(&out, by_name(telling, "has-challenged"));
    if ((tells & TELLS_JOINED) != 0)
        add_line(&out, by_name(telling, "has-joined"));
    if ((tells & TELLS_REMATCH) != 0)
        add_line(&out, by_name(telling, "wants-rematch"));
    if ((tells & TELLS_OFFER) != 0)
        add_offers(&out, telling);
    if ((tells & TELLS_LOW_TIME) != 0)
        add_line(&out, lang_word(telling->view.lang, "time-runs-low"));
    else if ((tells & TELLS_TURN) != 0)
        add_line(&out, lang_word(telling->view.lang, "it-is-your-move"));
    if ((tells & TELLS_MESSAGE) != 0)
        add_line(&out, message_words(telling));
    return out.text;
}

/* The game, or the next one. */
static const db_id *game_of_page(const struct telling *telling)
{
    const struct db_game *row = telling->view.row;

    return (telling->tells & TELLS_REMATCH) != 0 ? &row->next : &row->id;
}

static const char *path_of_page(struct arena *arena, db_id game)
{
    char id[IDS_TEXT];

    ids_text(game, id);
    return arena_format(arena, "/play/%s", id);
}

/* ---- notices ---- */

static bool begin_telling(struct telling *telling, struct arena *arena,
                          const struct notice_game *game, unsigned seats,
                          const struct db_hook *receiver)
{
    const struct rules_game *rules = rules_find(game->row.variant);

    *telling = (struct telling){.arena = arena,
                                .view = {.row = &game->row,
                                         .game = rules,
                                         .seats = seats,
                                         .lang = lang_find(receiver->lang)},
                                .receiver = receiver,
                                .ending = game->ending};
    return rules != NULL && offers_load(arena, &game->row, &telling->offers);
}

bool notice_waits(const struct db_game *row, unsigned seats)
{
    return seats != SEATS_BOTH && may_not_move(row, seats) == PROBLEM_NONE;
}

bool notice_of(struct arena *arena, const struct notice_game *game, unsigned seats,
               const struct db_hook *receiver, const struct db_event *events, size_t count,
               struct notice *notice)
{
    const struct db_game *row = &game->row;
    struct telling telling;

    *notice = (struct notice){.until = DB_NEVER};
    if (!begin_telling(&telling, arena, game, seats, receiver))
        return false;
    if (game->skips && notice_waits(row, seats) && is_wanted(&telling, EVENT_MOVE)) {
        telling.tells = TELLS_TURN; /* whatever an opponent has said since they moved */
        notice->at = row->updated_at;
        notice->kind = EVENT_MOVE;
    }
    for (size_t i = 0; i < count && events[i].version <= row->version; i++) {
        unsigned tells = tells_of(&telling, &events[i]);

        if (is_their_deed(&telling, &events[i]))
            telling.tells &= ~(unsigned)TELLS_JOINED; /* who acts has seen who is there */
        if (tells == 0)
            continue;
        telling.tells |= tells;
        if ((tells & TELLS_MESSAGE) != 0)
            telling.message = &events[i];
        if ((tells & TELLS_END) != 0)
            telling.end = &events[i];
        notice->at = events[i].at;
        notice->kind = events[i].kind;
    }
    if (telling.tells == 0)
        return false;
    notice->title = view_against(arena, &telling.view);
    notice->words = words_of(&telling);
    notice->game = game_of_page(&telling);
    notice->path = path_of_page(arena, *notice->game);
    notice->urgent = (telling.tells & TELLS_LOW_TIME) != 0;
    notice->is_talk = telling.tells == TELLS_MESSAGE;
    if (has_turn_now(&telling))
        notice->until = row->deadline_at;
    return true;
}

/* ---- the digest of a day ---- */

void notice_digest(struct arena *arena, const struct db_hook *receiver, struct notice *notice)
{
    const struct lang *lang = lang_find(receiver->lang);
    const char *count = arena_format(arena, "%d", receiver->waiting);

    *notice = (struct notice){
        .title = lang_word(lang, "your-games"),
        .words = lang_fill(arena, lang, receiver->waiting == 1 ? "game-waits" : "games-wait",
                           "count", count, NULL),
        .path = "/",
        .at = receiver->digest_at,
        .until = DB_NEVER};
}

int64_t notice_digest_after(const struct db_hook *receiver, int64_t now)
{
    int64_t minute = now / MINUTE_US, of_day;

    of_day = (minute + receiver->digest_offset) % DAY_MINUTES;
    return (minute + 1 + (receiver->digest_minute - of_day - 1 + 2 * DAY_MINUTES) % DAY_MINUTES) *
           MINUTE_US;
}

/* ---- quiet hours ---- */

int64_t notice_quiet_until(const struct db_hook *receiver, int64_t now)
{
    int64_t minute = now / MINUTE_US, of_day, lasts, since;

    if (receiver->quiet_from < 0)
        return DB_NEVER;
    of_day = (minute + receiver->quiet_offset) % DAY_MINUTES;
    lasts = (receiver->quiet_to - receiver->quiet_from + DAY_MINUTES) % DAY_MINUTES;
    since = (of_day - receiver->quiet_from + DAY_MINUTES) % DAY_MINUTES;
    return since < lasts ? (minute + lasts - since) * MINUTE_US : DB_NEVER;
}
