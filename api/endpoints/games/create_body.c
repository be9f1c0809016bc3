#include "api/endpoints/games/create_body.h"

#include <string.h>

#include "api/endpoints/games/challenge.h"
#include "api/endpoints/input.h"
#include "api/game/ids.h"
#include "api/game/metadata.h"
#include "api/game/opponent.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/body.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/loop/thinkers.h"
#include "api/text/options.h"

enum { POSITION_MAX_BYTES = RULES_POSITION_TEXT - 1 };

static void take_variant(struct json_fields *fields, struct creation *creation)
{
    const char *name = NULL;

    if (!json_take_string(fields, "variant", 32, &name)) {
        json_missing(fields, "variant", input_variants(fields->arena, NULL));
        return;
    }
    creation->game = rules_find(name);
    if (creation->game == NULL)
        json_refuse(fields, PROBLEM_NO_SUCH_VARIANT, "variant",
                    input_variants(fields->arena, name));
}

void create_body_take_options(struct creation *creation, struct json_fields *fields)
{
    struct json_fields inner;

    rules_options_init(&creation->options);
    if (!json_take_object(fields, "options", &inner))
        return;
    if (creation->game == NULL)
        options_wish(&inner, creation->wish, &creation->wishes);
    else if (options_from_fields(creation->game, &inner, &creation->options))
        creation->options.position = body_keep(fields, creation->options.position);
}

/* An option that stands beside the variant and not in `options`. */
static void refuse_misplaced(struct json_fields *fields, const struct rules_game *game)
{
    for (size_t i = 0; i < game->noptions; i++) {
        const char *name = game->options[i].name;

        if (json_has(fields, name))
            json_refuse(fields, PROBLEM_UNKNOWN_FIELD, name,
                        arena_format(fields->arena,
                                     "This is an option: {\"options\": {\"%s\": ...}}, or "
                                     "options.%s in a form. %s",
                                     name, name,
                                     options_expectation(fields->arena, &game->options[i])));
    }
}

/* Takes one of three words, as its number from 1 on: the numbers of words.h follow this order. */
static int16_t take_word(struct json_fields *fields, const char *key, const char *const *words,
                         int16_t fallback)
{
    const char *word;

    if (!json_take_scalar(fields, key, &word))
        return fallback;
    for (int16_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return (int16_t)(i + 1);
    json_refuse(
        fields, PROBLEM_BAD_PARAMETER, key,
        arena_format(fields->arena, "%s, %s or %s is expected.", words[0], words[1], words[2]));
    return fallback;
}

static const char one_seat[] =
    "A seat is one of {\"me\":true}, {\"open\":true}, {\"player\":\"...\"}, "
    "{\"engine\":\"plyd\",\"level\":3}.";

/* Takes the members of a seat that make it the computer's. */
static void take_engine(struct json_fields *fields, const struct loop *loop, struct db_seat *seat,
                        int64_t *seed)
{
    const char *name = NULL;
    int64_t level = 0;

    if (json_take_scalar(fields, "engine", &name) && opponent_stored(name, 0) == NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "engine",
                    "The engines are \"plyd\", with a level from 1 to 8, and \"random\".");
    json_take_int(fields, "level", 1, OPPONENT_LEVELS, &level);
    if (name != NULL) {
        seat->state = SEAT_ENGINE;
        seat->engine = opponent_stored(name, (unsigned)level);
    }
    if (opponent_thinks(seat) && !thinkers_any(thinkers_of(loop)))
        json_refuse(
            fields, PROBLEM_BAD_PARAMETER, "engine",
            "This daemon has no threads for an engine that thinks: it plays \"random\" alone.");
    if (level != 0 && seat->engine == NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "level",
                    "Only the engine \"plyd\" has levels: {\"engine\":\"plyd\",\"level\":3}.");
    /* Numbers in JSON are exact up to 2^53 only. */
    if (json_take_int(fields, "seed", 0, INT64_C(9007199254740991), seed) &&
        seat->state != SEAT_ENGINE)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "seed", "Only an engine takes a seed.");
}

/* Gives the seat to the creator: to their token, and to the player, if one asks. */
static void take_own_seat(struct creation *creation, unsigned i)
{
    const struct player *player = creation->request->player;
    struct db_seat *seat = &creation->draft.row.seat[i];

    creation->mine |= seat_bit((int)i + 1);
    seat->state = SEAT_TAKEN;
    if (player == NULL)
        return;
    seat->has_player = true;
    seat->player = player->id;
    if (seat->name == NULL)
        seat->name = player->name;
}

/* Takes the members of a seat that keep it for a player: whether it is kept. What they are called
 * they say themselves, when they take it. */
static bool take_challenged(struct json_fields *fields, struct creation *creation, unsigned i)
{
    const char *player;
    int64_t span = CHALLENGE_US;

    if (!json_take_string(fields, "player", IDS_TEXT, &player))
        return false;
    if (!creation->may_challenge)
        json_refuse(fields, PROBLEM_UNKNOWN_FIELD, "player",
                    "A player is challenged by POST /v1/games, which takes moves, too.");
    if (!ids_read(player, &creation->challenged))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "player", "A player's id is expected.");
    if (json_has(fields, "name"))
        json_refuse(fields, PROBLEM_UNKNOWN_FIELD, "name", "A player has a name of their own.");
    clock_take_span(fields, "expires", 60 * CLOCK_SECOND, 30 * CLOCK_DAY, &span);
    creation->challenged_seat = (int)i + 1;
    creation->challenge_us = span;
    return true;
}

/* Takes a seat: {"me":true,"name":...}, {"open":true}, {"player":...,"expires":...} or
 * {"engine":"plyd","level":3,"seed":...}. */
static void take_new_game_seat(struct json_fields *fields, struct creation *creation, unsigned i)
{
    struct db_seat *seat = &creation->draft.row.seat[i];
    bool me = false, open = false, player;

    json_take_bool(fields, "me", &me);
    json_take_bool(fields, "open", &open);
    player = take_challenged(fields, creation, i);
    take_engine(fields, creation->request->loop, seat, &creation->draft.row.seed);
    input_name(fields, false, &seat->name);
    if (!json_ok(fields))
        return;
    if (me + open + player + (seat->state == SEAT_ENGINE) != 1)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, NULL, one_seat);
    if (me)
        take_own_seat(creation, i);
    else if (open)
        seat->state = SEAT_OPEN;
    else if (player)
        seat->state = SEAT_CHALLENGED;
}

static void take_new_game_seats(struct json_fields *fields, struct creation *creation)
{
    const struct json_value *array;
    size_t count;

    if (!json_take_array(fields, "seats", DB_SEATS, &array, &count)) {
        for (unsigned i = 0; i < DB_SEATS; i++)
            take_own_seat(creation, i);
        return;
    }
    creation->seats_given = true;
    if (count != DB_SEATS)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "seats",
                    "Two seats are expected: [{\"me\":true},{\"open\":true}].");
    for (unsigned i = 0; i < count; i++) {
        struct json_fields seat;

        if (!json_element_is_object(fields, array, i))
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "seats", one_seat);
        else if (json_element_object(fields, array, "seats", i, &seat))
            take_new_game_seat(&seat, creation, i);
    }
    if (creation->mine == 0)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "seats",
                    "At least one seat must be yours: {\"me\":true}.");
}

static void take_new_game_moves(struct json_fields *fields, struct creation *creation)
{
    const struct json_value *array;

    if (!json_take_array(fields, "moves", DRAFT_MOVES_MAX, &array, &creation->nmoves))
        return;
    creation->moves = arena_alloc(fields->arena, (creation->nmoves + 1) * sizeof(*creation->moves));
    for (size_t i = 0; i < creation->nmoves; i++)
        if (json_element_string(fields, array, "moves", i, 128, &creation->moves[i]))
            creation->moves[i] = body_keep(fields, creation->moves[i]);
}

void create_body_take_game(struct creation *creation, struct json_fields *fields)
{
    const char *position;

    create_body_take_options(creation, fields);
    if (creation->game != NULL)
        refuse_misplaced(fields, creation->game);
    if (json_take_string(fields, "position", POSITION_MAX_BYTES, &position))
        creation->position = body_keep(fields, position);
    take_new_game_moves(fields, creation);
}

/* Undo is free where there is nobody else to ask: at one screen, and against the computer. */
static int16_t usual_undo(const struct db_game *row)
{
    return row_has_open_seat(row) ? UNDO_CONSENT : UNDO_FREE;
}

static void take_clock(struct json_fields *fields, struct creation *creation)
{
    struct clock_terms *terms = arena_zero(fields->arena, sizeof(*terms));

    if (clock_take(fields, terms))
        creation->clock = terms;
}

void create_body_take(struct creation *creation, struct json_fields *fields)
{
    static const char *const undos[] = {"free", "consent", "never", NULL};
    static const char *const visibilities[] = {"public", "unlisted", "private", NULL};
    struct db_game *row = &creation->draft.row;

    take_new_game_seats(fields, creation);
    take_clock(fields, creation);
    row->metadata = metadata_take(fields);
    row->undo = take_word(fields, "undo", undos, usual_undo(row));
    row->visibility = take_word(fields, "visibility", visibilities, 0);
    creation->visibility_given = row->visibility != 0;
    if (!creation->visibility_given)
        row->visibility = VISIBILITY_UNLISTED;
}

/* What stands beside the variant and belongs to the computer's seat. */
static void refuse_seatless(struct json_fields *fields)
{
    static const char *const members[] = {"engine", "level", "seed"};

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (json_has(fields, members[i]))
            json_refuse(fields, PROBLEM_UNKNOWN_FIELD, members[i],
                        "This belongs to a seat: {\"seats\":[{\"me\":true},"
                        "{\"engine\":\"plyd\",\"level\":3,\"seed\":7}]}.");
}

bool create_body_read(struct creation *creation)
{
    struct request *request = creation->request;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body = body_read(request, NULL);

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    creation->may_challenge = true;
    take_variant(&fields, creation);
    refuse_seatless(&fields);
    create_body_take_game(creation, &fields);
    create_body_take(creation, &fields);
    return body_done(request, body, &fields);
}
