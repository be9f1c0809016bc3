/* played.c - games for tests (played.h). */
#include "played.h"
#include "api/text/legal_moves.h"

#include <criterion/criterion.h>
#include <string.h>

#include "api/game/words.h"
#include "api/text/options.h"

struct arena played_arena;

void played_free(void)
{
    arena_free(&played_arena);
}

static const char *copy(const char *text)
{
    return arena_copy(&played_arena, text, strlen(text));
}

static void set_options(struct played *played, const char *options)
{
    char *list = arena_copy(&played_arena, options, strlen(options)), *save = NULL;
    struct rules_refusal why;

    rules_options_init(&played->options);
    for (char *option = strtok_r(list, " ", &save); option != NULL;
         option = strtok_r(NULL, " ", &save)) {
        char *value = strchr(option, '=');

        *value++ = '\0';
        cr_assert(rules_option_set(played->game, &played->options, option, value, &why), "%s",
                  option);
    }
}

/* How the present position ends the game, by every rule. */
static void judge(struct played *played)
{
    struct rules_history history = {played->keys, (size_t)played->row.ply};
    struct rules_outcome outcome = played->game->outcome(&played->state, &history);
    bool over = outcome.status != RULES_ONGOING;

    played->row.status = over ? STATUS_FINISHED : STATUS_ACTIVE;
    played->row.winner = outcome.status == RULES_WON ? outcome.winner : 0;
    played->row.reason = over ? rules_reason_text(outcome.reason) : NULL;
}

/* What a position says of the row. */
static void stand(struct played *played)
{
    char text[RULES_POSITION_TEXT];

    played->game->position_text(&played->state, text);
    played->row.position = copy(text);
    played->row.to_move = (int16_t)played->game->to_move(&played->state);
    played->keys[played->row.ply] = played->game->key(&played->state);
    rules_copy(&played->state, &played->recent[played->row.ply % 4]);
    judge(played);
}

void played_from(struct played *played, const char *variant, const char *options,
                 const char *position)
{
    struct db_game *row = &played->row;
    struct rules_refusal why;

    *row = (struct db_game){
        .version = 1, .line = 1, .lines = 1, .undo = UNDO_FREE, .deadline_at = DB_NEVER};
    played->game = rules_find(variant);
    cr_assert_not_null(played->game, "%s", variant);
    set_options(played, options);
    cr_assert(rules_start(played->game, &played->options, position, &played->state, &why), "%s %s",
              variant, options);
    stand(played);
    memset(row->id.byte, 0x2a, sizeof(row->id.byte));
    row->variant = played->game->name;
    row->rules_version = played->game->version;
    row->start = row->position;
    row->options = options_to_json(played->game, &played_arena, &played->options, row->start);
    row->visibility = VISIBILITY_PUBLIC;
    row->seat[0].state = row->seat[1].state = SEAT_TAKEN;
    row->seat[0].has_token = row->seat[1].has_token = true;
    row->seed = 99;
    row->created_at = row->last_at = row->updated_at = INT64_C(1750000000000000);
    played->options.position = NULL;
}

void played_start(struct played *played, const char *variant, const char *options)
{
    played_from(played, variant, options, NULL);
}

static void play(struct played *played, const char *text)
{
    struct db_game *row = &played->row;
    struct rules_refusal why;
    int16_t seat = row->to_move;
    rules_move move;

    cr_assert_lt(row->ply, (int32_t)PLAYED_PLIES_MAX);
    cr_assert(rules_play(played->game, &played->state, text, &move, &why), "%s in %s", text,
              row->position);
    played->moves[row->ply++] = row->last_move = copy(text);
    row->tip = row->ply;
    row->version++;
    row->last_seat = seat;
    row->last_at = row->updated_at += 1000000;
    stand(played);
}

void played_moves(struct played *played, const char *moves)
{
    char *list = arena_copy(&played_arena, moves, strlen(moves)), *save = NULL;

    for (char *text = strtok_r(list, " ", &save); text != NULL; text = strtok_r(NULL, " ", &save))
        play(played, text);
}

/* On how many squares two positions differ. */
static unsigned distance(const struct rules_game *game, const struct rules_state *a,
                         const struct rules_state *b)
{
    struct rules_board board = game->board(a);
    unsigned n = 0;

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        struct rules_man one = {0, 0}, two = {0, 0};

        n += game->at(a, square, &one, 1) != game->at(b, square, &two, 1) || one.seat != two.seat ||
             one.kind != two.kind;
    }
    return n;
}

/* The first of the moves, from `first` on in a circle, that leads closest to the position of four
 * plies before. */
static size_t closest(const struct played *played, const char *const *texts, size_t n, size_t first)
{
    const struct rules_state *wanted = &played->recent[(played->row.ply + 1) % 4];
    size_t best = first;
    unsigned least = UINT32_MAX;

    for (size_t i = first; i < first + n; i++) {
        struct rules_state next;
        struct rules_refusal why;

        rules_copy(&played->state, &next);
        cr_assert(rules_play(played->game, &next, texts[i % n], NULL, &why));
        if (distance(played->game, &next, wanted) < least) {
            best = i % n;
            least = distance(played->game, &next, wanted);
        }
    }
    return best;
}

const char *played_choose(const struct played *played, uint64_t *seed)
{
    const char **texts;
    size_t n, chosen;

    if (played->row.status != STATUS_ACTIVE)
        return NULL;
    n = legal_moves_texts(&played_arena, played->game, &played->state, &texts);
    chosen = rules_choose(seed, n);
    if (played->row.ply >= 3 && rules_choose(seed, 4) > 0)
        chosen = closest(played, texts, n, chosen);
    return texts[chosen];
}

void played_random(struct played *played, uint64_t seed, int plies)
{
    const char *text;

    while (plies-- > 0 && (text = played_choose(played, &seed)) != NULL)
        play(played, text);
}

const char *played_position(const char *variant, const char *options)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));

    played_start(game, variant, options);
    played_random(game, 17, 9);
    return game->row.status == STATUS_ACTIVE ? game->row.position : NULL;
}

void played_each(void (*look)(const char *variant, const char *options))
{
    static const char *const short_ones[][2] = {{"shogi", "repetition=2"},
                                                {"shogi", "repetition=3 rules=casual"},
                                                {"stackchess", "repetition=2 size=5"},
                                                {"jungle", "repetition=3 draw_rounds=20"},
                                                {"tictactoe", "rows=4 cols=5 k=4"}};

    for (size_t i = 0; i < rules_games(); i++)
        look(rules_game(i)->name, "");
    for (size_t i = 0; i < sizeof(short_ones) / sizeof(short_ones[0]); i++)
        look(short_ones[i][0], short_ones[i][1]);
}
