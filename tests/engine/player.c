/* player.c - an engine at a position, for tests. */
#include "player.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 4 << 20, OPTIONS_TEXT = 128 };

struct engine *player_engine(size_t table_bytes)
{
    size_t bytes = (engine_bytes(table_bytes) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    void *memory = aligned_alloc(ENGINE_ALIGN, bytes);

    cr_assert_not_null(memory);
    return engine_open(memory, bytes);
}

/* Gives the options of a text "NAME=VALUE NAME=VALUE". `text` must outlive their use. */
static void give_options(const struct rules_game *game, struct rules_options *options, char *text)
{
    struct rules_refusal why;
    char *word;

    rules_options_init(options);
    while ((word = strsep(&text, " ")) != NULL && *word != '\0') {
        char *value = word, *name = strsep(&value, "=");

        cr_assert(rules_option_set(game, options, name, value, &why), "%s is refused", name);
    }
}

struct player *player_at(const char *game, const char *options, const char *position)
{
    static struct player player;
    struct rules_options given;
    struct rules_refusal why;
    char text[OPTIONS_TEXT];

    if (player.engine == NULL)
        player.engine = player_engine(TABLE_BYTES);
    player.game = rules_find(game);
    player.ply = 0;
    cr_assert_not_null(player.game, "no game %s", game);
    cr_assert_lt(strlen(options), sizeof(text));
    strcpy(text, options);
    give_options(player.game, &given, text);
    cr_assert(rules_start(player.game, &given, position, &player.state, &why), "%s refuses %s",
              game, position);
    return &player;
}

struct player *stranger_at(const char *name, const char *options, const char *position)
{
    static struct rules_game game;
    struct player *player = player_at(name, options, position);

    game = *player->game;
    game.name = "stranger";
    player->game = &game;
    return player;
}

static struct rules_history past(const struct player *player)
{
    return (struct rules_history){player->keys, player->ply};
}

struct engine_task player_task(const struct player *player)
{
    return (struct engine_task){player->game, &player->state, past(player), NULL,
                                (uint32_t)player->ply};
}

struct engine_choice player_think(struct player *player, uint64_t nodes)
{
    struct engine_level level = engine_level(player->game, ENGINE_LEVELS);
    struct engine_task task = player_task(player);
    struct engine_choice choice;

    level.nodes = nodes;
    level.variety = 0;
    cr_assert_eq(engine_choose_as(player->engine, &task, &level, 0, &choice), ENGINE_MOVES);
    return choice;
}

void player_play(struct player *player, rules_move move)
{
    struct rules_state next;

    cr_assert(player_may(player, move));
    cr_assert_lt(player->ply, PLAYER_PLIES_MAX);
    player->keys[player->ply++] = player->game->key(&player->state);
    player->game->play(&player->state, move, &next);
    rules_copy(&next, &player->state);
}

void player_play_text(struct player *player, const char *text)
{
    rules_move move;
    struct rules_refusal why;

    cr_assert(player->game->read_move(&player->state, text, &move, &why), "%s is refused", text);
    player_play(player, move);
}

struct rules_outcome player_outcome(const struct player *player)
{
    struct rules_history history = past(player);

    return player->game->outcome(&player->state, &history);
}

const char *player_text(const struct player *player, rules_move move)
{
    static char text[RULES_MOVE_TEXT];

    player->game->move_text(&player->state, move, text);
    return text;
}

bool player_may(const struct player *player, rules_move move)
{
    static rules_move scratch[1 << 16];

    return rules_is_legal(player->game, &player->state, move, scratch, 1 << 16);
}

rules_move player_random(const struct player *player, uint64_t *seed)
{
    static rules_move moves[1 << 16];
    size_t n = player->game->legal(&player->state, moves, 1 << 16);

    return moves[rules_choose(seed, n)];
}
