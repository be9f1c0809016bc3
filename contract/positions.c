/* positions.c - what every game promises in rules.h of its positions: texts, turned boards, keys
 * and ends. */
#include "contract/promise.h"

#include <stdlib.h>
#include <string.h>

enum {
    MANY = 40, /* moves of a position that are looked at one by one */
    FEW = 8
};

/* ---- texts of positions ---- */

static char some_texts[WALK_MOVES_MAX][RULES_MOVE_TEXT],
    other_texts[WALK_MOVES_MAX][RULES_MOVE_TEXT];

static bool has_check(const struct walk *walk, const struct rules_state *state)
{
    struct rules_refusal why;

    return walk->game->check != NULL && walk->game->check(state, &why);
}

static void compare_positions(const struct walk *walk, const struct rules_state *read)
{
    struct rules_outcome here = rules_outcome_now(walk->game, &walk->state);
    struct rules_outcome there = rules_outcome_now(walk->game, read);
    char text[RULES_POSITION_TEXT], read_text[RULES_POSITION_TEXT];

    contract_position_text(walk, &walk->state, text);
    contract_position_text(walk, read, read_text);
    PROMISE(strcmp(text, read_text) == 0, "%s: written again as %s", walk_where(walk), read_text);
    PROMISE(walk->game->key(&walk->state) == walk->game->key(read), "%s", walk_where(walk));
    PROMISE(walk->game->to_move(&walk->state) == walk->game->to_move(read), "%s", walk_where(walk));
    PROMISE(has_check(walk, &walk->state) == has_check(walk, read), "%s", walk_where(walk));
    PROMISE(here.status == there.status, "%s", walk_where(walk));
    PROMISE(here.winner == there.winner, "%s", walk_where(walk));
    PROMISE(here.reason == there.reason, "%s", walk_where(walk));
}

static void compare_moves(const struct walk *walk, const struct rules_state *read)
{
    PROMISE(walk->game->count(read) == walk->nmoves, "%s", walk_where(walk));
    contract_sorted_texts(walk, &walk->state, some_texts);
    contract_sorted_texts(walk, read, other_texts);
    for (size_t i = 0; i < walk->nmoves; i++)
        PROMISE(strcmp(some_texts[i], other_texts[i]) == 0, "%s", walk_where(walk));
}

static void look_at_loaded_positions(struct walk *walk)
{
    char text[RULES_POSITION_TEXT];
    struct rules_state read;
    struct rules_refusal why;

    contract_position_text(walk, &walk->state, text);
    memset(&read, 0x55, sizeof(read));
    PROMISE(rules_load(walk->game, &walk->options, text, &read, &why), "%s: refused as %s (%s)",
            walk_where(walk), rules_code_text(why.code), why.law != NULL ? why.law->id : "");
    compare_positions(walk, &read);
    compare_moves(walk, &read);
}

static void a_position_is_the_same_when_it_is_read_back(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_loaded_positions);
}

/* Gives all options of the walk as a client would, but for the start. */
static void give_all_options(const struct walk *walk, struct rules_options *options,
                             char texts[RULES_OPTIONS_MAX][RULES_POSITION_TEXT])
{
    struct rules_refusal why;

    rules_options_init(options);
    for (size_t i = 0; i < walk->game->noptions; i++) {
        if (walk->game->options[i].kind == RULES_OPTION_START)
            continue;
        rules_option_text(walk->game, &walk->options, i, texts[i]);
        PROMISE(rules_option_set(walk->game, options, walk->game->options[i].name, texts[i], &why),
                "%s: %s=%s", walk_where(walk), walk->game->options[i].name, texts[i]);
        PROMISE(options->value[i] == walk->options.value[i], "%s: %s=%s", walk_where(walk),
                walk->game->options[i].name, texts[i]);
    }
}

static void look_at_started_positions(struct walk *walk)
{
    static char texts[RULES_OPTIONS_MAX][RULES_POSITION_TEXT];
    char text[RULES_POSITION_TEXT];
    struct rules_options options;
    struct rules_state read;
    struct rules_refusal why;

    give_all_options(walk, &options, texts);
    contract_position_text(walk, &walk->state, text);
    PROMISE(rules_start(walk->game, &options, text, &read, &why), "%s: refused as %s (%s)",
            walk_where(walk), rules_code_text(why.code), why.law != NULL ? why.law->id : "");
    compare_positions(walk, &read);
}

static void a_game_may_be_started_from_every_position_that_arises(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_started_positions);
}

static void look_at_misspelt_positions(struct walk *walk)
{
    char text[RULES_POSITION_TEXT], misspelt[RULES_POSITION_TEXT];
    char first[RULES_POSITION_TEXT], second[RULES_POSITION_TEXT];
    struct rules_state read, again;
    struct rules_refusal why;

    contract_position_text(walk, &walk->state, text);
    for (int i = 0; i < FEW; i++) {
        contract_misspell(&walk->seed, text, misspelt, sizeof(misspelt));
        if (!rules_load(walk->game, &walk->options, misspelt, &read, &why)) {
            contract_check_refusal(walk, NULL, &why, misspelt);
            continue;
        }
        contract_position_text(walk, &read, first);
        PROMISE(rules_load(walk->game, &walk->options, first, &again, &why), "%s, from %s", first,
                misspelt);
        contract_position_text(walk, &again, second);
        PROMISE(strcmp(first, second) == 0, "from %s", misspelt);
    }
}

static void a_misspelt_position_is_refused_or_written_canonically(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_misspelt_positions);
}

/* ---- turned boards ---- */

static bool is_man(const struct walk *walk, const struct rules_state *state, unsigned square,
                   struct rules_man wanted)
{
    struct rules_man man = {0, 0};

    walk->game->at(state, square, &man, 1);
    return man.seat == wanted.seat && man.kind == wanted.kind;
}

static void compare_turned(const struct walk *walk, unsigned symmetry,
                           const struct rules_state *state, const struct rules_state *image)
{
    struct rules_outcome here = rules_outcome_now(walk->game, state);
    struct rules_outcome there = rules_outcome_now(walk->game, image);

    PROMISE(walk->game->count(image) == walk->game->count(state), "%s: turned by %u",
            walk_where(walk), symmetry);
    PROMISE(here.status == there.status && here.winner == there.winner &&
                here.reason == there.reason,
            "%s: turned by %u", walk_where(walk), symmetry);
}

/* Plays moves and their images, and compares what becomes of them. */
static void look_at_turned_moves(const struct walk *walk, unsigned symmetry,
                                 const struct rules_state *image)
{
    const struct rules_game *game = walk->game;
    const struct rules_orbit turn = {.turns = 1U << symmetry};
    char text[RULES_MOVE_TEXT], turned[RULES_MOVE_TEXT];
    struct rules_state here, there, expected;
    struct rules_refusal why;
    rules_move move, read;

    for (size_t i = 0; walk_pick(walk, MANY, i, &move); i++) {
        contract_move_text(walk, &walk->state, move, text);
        rules_orbit_move(game, &walk->state, &turn, text, turned);
        PROMISE(game->read_move(image, turned, &read, &why), "%s: turned by %u: %s is refused",
                walk_where(walk), symmetry, turned);
        game->play(&walk->state, move, &here);
        game->turn(&here, symmetry, &expected);
        game->play(image, read, &there);
        PROMISE(game->key(&expected) == game->key(&there), "%s: turned by %u: %s is no turn of %s",
                walk_where(walk), symmetry, turned, text);
        compare_turned(walk, symmetry, &here, &there);
    }
}

static void look_at_turned(const struct walk *walk, unsigned symmetry)
{
    struct rules_board board = walk->game->board(&walk->state);
    struct rules_orbit orbit, turned;
    struct rules_state image;

    memset(&image, 0x55, sizeof(image));
    walk->game->turn(&walk->state, symmetry, &image);
    compare_turned(walk, symmetry, &walk->state, &image);
    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        struct rules_man man = {0, 0};
        unsigned turned_square = rules_turned(board, symmetry, square);

        walk->game->at(&walk->state, square, &man, 1);
        PROMISE(is_man(walk, &image, turned_square, man) &&
                    rules_is_missing(walk->game, &image, turned_square) ==
                        rules_is_missing(walk->game, &walk->state, square),
                "%s: turned by %u: square %u", walk_where(walk), symmetry, square);
    }
    rules_orbit(walk->game, &walk->options, &walk->state, &orbit);
    rules_orbit(walk->game, &walk->options, &image, &turned);
    PROMISE(orbit.key == turned.key, "%s: turned by %u", walk_where(walk), symmetry);
    look_at_turned_moves(walk, symmetry, &image);
}

static void look_at_turns(struct walk *walk)
{
    unsigned all = walk->game->symmetries != NULL ? walk->game->symmetries(&walk->state) : 0;

    for (unsigned symmetry = 1; symmetry <= all; symmetry++)
        if ((symmetry & ~all) == 0)
            look_at_turned(walk, symmetry);
}

static void a_turned_board_is_played_in_the_same_way(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES / 4, false, look_at_turns);
}

/* ---- keys, outcomes and the past ---- */

static void look_at_bit_0(struct walk *walk)
{
    PROMISE((walk->game->key(&walk->state) & 1) == has_check(walk, &walk->state), "%s",
            walk_where(walk));
}

static void bit_0_of_the_key_tells_of_check(const struct rules_game *game)
{
    walk_all(game, 600, false, look_at_bit_0);
}

static void look_at_other_keys(struct walk *walk)
{
    struct rules_state next;
    rules_move move;

    for (size_t i = 0; walk_pick(walk, MANY, i, &move); i++) {
        walk->game->play(&walk->state, move, &next);
        PROMISE(walk->game->key(&next) != walk->game->key(&walk->state), "%s", walk_where(walk));
    }
}

static void a_move_changes_the_key(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_other_keys);
}

/* Makes the other side the one to move in a position text: the side field is the first word that is
 * a mark. */
static bool swap_sides(const struct walk *walk, char text[RULES_POSITION_TEXT])
{
    const struct rules_seat *seat = walk->game->seat;
    unsigned mover = walk->game->to_move(&walk->state);
    const char *mark = seat[mover - 1].mark, *other = seat[2 - mover].mark;
    size_t len = strlen(mark);

    contract_position_text(walk, &walk->state, text);
    PROMISE(len == strlen(other), "%s", walk_where(walk));
    for (char *at = text; *at != '\0'; at += strcspn(at, " :"), at += strspn(at, " :"))
        if (strncmp(at, mark, len) == 0 && strchr(" :", at[len]) != NULL) {
            memcpy(at, other, len);
            return true;
        }
    return false;
}

static void look_at_the_other_side(struct walk *walk)
{
    char text[RULES_POSITION_TEXT];
    struct rules_state other;
    struct rules_refusal why;

    PROMISE(swap_sides(walk, text), "%s: no field for the side to move", walk_where(walk));
    if (!rules_load(walk->game, &walk->options, text, &other, &why))
        return;
    PROMISE(walk->game->to_move(&other) != walk->game->to_move(&walk->state), "%s", text);
    PROMISE(walk->game->key(&other) != walk->game->key(&walk->state), "%s", text);
}

static void the_side_to_move_is_part_of_the_key(const struct rules_game *game)
{
    walk_all(game, CONTRACT_PLIES, false, look_at_the_other_side);
}

static void look_at_the_span(struct walk *walk)
{
    struct rules_history all = walk_history(walk), recent = all;
    size_t span = walk->game->span(&walk->state);
    struct rules_outcome outcome;

    if (span < all.len) {
        recent.keys += all.len - span;
        recent.len = span;
    }
    outcome = walk->game->outcome(&walk->state, &recent);
    PROMISE(outcome.status == walk->outcome.status, "%s: span %zu", walk_where(walk), span);
    PROMISE(outcome.winner == walk->outcome.winner, "%s: span %zu", walk_where(walk), span);
    PROMISE(outcome.reason == walk->outcome.reason, "%s: span %zu", walk_where(walk), span);
}

static void the_span_reaches_back_to_all_that_can_recur(const struct rules_game *game)
{
    walk_all(game, 300, true, look_at_the_span);
}

static void look_at_the_outcome(struct walk *walk)
{
    const struct rules_outcome *outcome = &walk->outcome;
    bool listed = false;

    for (size_t i = 0; i < walk->game->nreasons; i++)
        listed = listed || walk->game->reasons[i] == outcome->reason;
    if (outcome->status == RULES_ONGOING)
        PROMISE(outcome->reason == RULES_REASON_NONE, "%s", walk_where(walk));
    else
        PROMISE(listed, "%s: %s is no end of this game", walk_where(walk),
                rules_reason_text(outcome->reason));
    if (outcome->status == RULES_WON)
        PROMISE(outcome->winner == 1 || outcome->winner == 2, "%s", walk_where(walk));
    else
        PROMISE(outcome->winner == 0, "%s", walk_where(walk));
}

static void
an_outcome_is_one_of_the_catalogue_and_has_a_winner_if_won(const struct rules_game *game)
{
    walk_all(game, 400, true, look_at_the_outcome);
}

static void look_at_a_replay(struct walk *walk)
{
    static struct rules_state replayed;
    static char text[RULES_MOVE_TEXT];
    struct rules_refusal why;

    if (walk->ply == 0)
        replayed = walk->state;
    else
        PROMISE(rules_play(walk->game, &replayed, text, NULL, &why), "%s: %s", walk_where(walk),
                text);
    PROMISE(contract_same_state(&replayed, &walk->state), "%s", walk_where(walk));
    PROMISE(walk->game->key(&replayed) == walk->game->key(&walk->state), "%s", walk_where(walk));
    if (walk->next.w[0] != 0 || walk->next.w[1] != 0)
        contract_move_text(walk, &walk->state, walk->next, text);
}

static void a_game_replays_from_its_texts(const struct rules_game *game)
{
    walk_all(game, 600, true, look_at_a_replay);
}

static void look_at_declaring(struct walk *walk)
{
    struct rules_outcome outcome = {0};
    struct rules_refusal why;

    if (walk->game->declare == NULL)
        return;
    if (walk->game->declare(&walk->state, &outcome, &why)) {
        PROMISE(outcome.status == RULES_WON, "%s", walk_where(walk));
        PROMISE(outcome.winner == walk->game->to_move(&walk->state), "%s", walk_where(walk));
    } else {
        contract_check_refusal(walk, &walk->state, &why, "a declaration");
    }
}

static void a_declaration_wins_or_is_refused_with_a_reason(const struct rules_game *game)
{
    walk_all(game, 300, false, look_at_declaring);
}

static void look_at_checkers(struct walk *walk)
{
    struct rules_refusal why;
    unsigned kings = 0, checkers = 0;

    if (walk->game->check == NULL || !walk->game->check(&walk->state, &why))
        return;
    for (unsigned i = 0; i < why.witnesses; i++) {
        kings += why.witness[i].role == RULES_ROLE_KING;
        checkers += why.witness[i].role == RULES_ROLE_CHECKER;
    }
    PROMISE(kings >= 1, "%s", walk_where(walk));
    PROMISE(checkers >= 1, "%s", walk_where(walk));
}

static void a_check_shows_the_king_and_who_attacks_it(const struct rules_game *game)
{
    walk_all(game, 600, false, look_at_checkers);
}

const struct contract_promise contract_positions[] = {
    {"a position is the same when it is read back", a_position_is_the_same_when_it_is_read_back},
    {"a game may be started from every position that arises",
     a_game_may_be_started_from_every_position_that_arises},
    {"a misspelt position is refused or written canonically",
     a_misspelt_position_is_refused_or_written_canonically},
    {"a turned board is played in the same way", a_turned_board_is_played_in_the_same_way},
    {"bit 0 of the key tells of check", bit_0_of_the_key_tells_of_check},
    {"a move changes the key", a_move_changes_the_key},
    {"the side to move is part of the key", the_side_to_move_is_part_of_the_key},
    {"the span reaches back to all that can recur", the_span_reaches_back_to_all_that_can_recur},
    {"an outcome is one of the catalogue and has a winner if won",
     an_outcome_is_one_of_the_catalogue_and_has_a_winner_if_won},
    {"a game replays from its texts", a_game_replays_from_its_texts},
    {"a declaration wins or is refused with a reason",
     a_declaration_wins_or_is_refused_with_a_reason},
    {"a check shows the king and who attacks it", a_check_shows_the_king_and_who_attacks_it},
    {NULL, NULL},
};
