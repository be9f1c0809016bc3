/*
 * fit.c - fits the weights of a game's judgement (engine/tally.h) to games that the engine plays
 * against itself, and prints them as the file engine/GAME_weights.def.
 *
 *     bench-fit --game NAME --only play [--nodes N] [--seconds N] [--seed N] FILE
 *     bench-fit --game NAME --only fit [--search SHARE] [--rounds N] FILE...
 *
 * `play` adds positions to a file: quiet ones, each with what a search said of it and how its game
 * ended. `fit` reads such files. A position's worth should foretell both: the search, which sees a
 * few moves farther, and the end, which knows what no search saw. So the weights follow the
 * gradient of the error (Adam), and every round pulls each a little to where it stands in the
 * present file, so that what is hardly ever seen stays as it is. --search says how much the search
 * counts, of 1: much where the ends are mostly chance, little where the search is blind to them.
 *
 * The last part of the positions, which are those of other games, is not learnt from. The error
 * there, on standard error, tells whether the weights got better: it is that of the present weights
 * first, then that of each round.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"
#include "engine/games.h"
#include "tests/support/die.h"

enum {
    TABLE_BYTES = 16 << 20,
    PLIES_MAX = 320,
    MOVES_MAX = RULES_MOVES_ORDINARY,
    PER_LINE = 16, /* weights of a line of the file */
    BATCH = 512,   /* positions to a step */
    SCALES = 70,   /* that find_scale() tries: 100 to 2,900 */
    KEPT_BACK = 12 /* one position of so many is not learnt from */
};

static const struct engine_game *const known[] = {&engine_shogi, &engine_stackchess};

static struct {
    const struct rules_game *game;
    const struct engine_game *knows;
    const char *only;
    uint64_t nodes, seed;
    double seconds;
    double search; /* how much of a target is the search's word; the rest is the end of the game */
    unsigned rounds;
} wanted = {.nodes = 1000, .seed = 1, .seconds = 60, .search = 0.8, .rounds = 16};

static void *more(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);

    if (memory == NULL)
        die("no memory: positions");
    return memory;
}

/* A position with what is known of it, all from the view of the first seat. The words of its state
 * follow it in the file. */
struct sample {
    int16_t score;  /* of the search */
    int16_t result; /* 1, 0 or -1 */
    uint32_t bytes; /* of the state */
};

/* ---- playing ---- */

struct match {
    struct rules_state state;
    uint64_t keys[PLIES_MAX];
    size_t ply;
};

static struct rules_history past_of(const struct match *match)
{
    return (struct rules_history){match->keys, match->ply};
}

static void play_move(struct match *match, rules_move move)
{
    struct rules_state next;

    match->keys[match->ply++] = wanted.game->key(&match->state);
    wanted.game->play(&match->state, move, &next);
    rules_copy(&next, &match->state);
}

static bool is_over(const struct match *match, struct rules_outcome *outcome)
{
    struct rules_history past = past_of(match);

    *outcome = wanted.game->outcome(&match->state, &past);
    return outcome->status != RULES_ONGOING;
}

/* Begins a game with 4 to 15 random moves, so that few games are alike. */
static void start_match(struct match *match, uint64_t *seed)
{
    static rules_move moves[MOVES_MAX];
    struct rules_options options;
    struct rules_refusal why;
    struct rules_outcome outcome;
    size_t plies;

    rules_options_init(&options);
    do {
        plies = 4 + rules_choose(seed, 12);
        match->ply = 0;
        if (!rules_start(wanted.game, &options, NULL, &match->state, &why))
            die("refused: %s", wanted.game->name);
        while (match->ply < plies && !is_over(match, &outcome)) {
            size_t n = wanted.game->legal(&match->state, moves, MOVES_MAX);

            play_move(match, moves[rules_choose(seed, n < MOVES_MAX ? n : MOVES_MAX)]);
        }
    } while (is_over(match, &outcome));
}

static bool is_quiet(const struct rules_state *state, rules_move move)
{
    const struct engine_game *knows = wanted.knows;
    struct engine_rate rate;
    bool urgent = knows->urgent != NULL ? knows->urgent(state) : wanted.game->key(state) & 1;

    knows->rate(state, &move, 1, &rate);
    return !urgent && !(rate.is & ENGINE_NOISY);
}

/* The positions of one game, kept until its end is known. */
static struct {
    struct sample sample[PLIES_MAX];
    struct rules_state state[PLIES_MAX];
    size_t n;
} kept;

static void keep(const struct match *match, int32_t score)
{
    unsigned mover = wanted.game->to_move(&match->state);

    kept.sample[kept.n] = (struct sample){.score = (int16_t)(mover == 1 ? score : -score),
                                          .bytes = match->state.bytes};
    rules_copy(&match->state, &kept.state[kept.n++]);
}

/* Plays a game to its end, or until a side sees it. Returns 1, 0 or -1 for the first seat;
 * 2: the start was not worth a game. */
static int16_t play_game(struct engine *engine, const struct engine_level *level,
                         struct match *match, uint64_t seed)
{
    enum { START = 700, ENOUGH = 6000 };
    struct rules_outcome outcome = {0};
    size_t first = match->ply;

    for (kept.n = 0; match->ply < PLIES_MAX && !is_over(match, &outcome);) {
        struct engine_task task = {wanted.game, &match->state, past_of(match), NULL, 0};
        unsigned mover = wanted.game->to_move(&match->state);
        struct engine_choice choice;
        enum engine_answer answer = engine_choose_as(engine, &task, level, seed, &choice);
        int32_t score = choice.line.score;

        if (answer == ENGINE_DECLARES)
            return mover == 1 ? 1 : -1;
        if (match->ply == first && abs(score) > START)
            return 2;
        if (choice.line.mate != 0)
            return (score > 0) == (mover == 1) ? 1 : -1;
        if (abs(score) < ENOUGH && is_quiet(&match->state, choice.move))
            keep(match, score);
        play_move(match, choice.move);
    }
    if (match->ply == PLIES_MAX || outcome.status == RULES_DRAWN)
        return 0;
    return outcome.winner == 1 ? 1 : -1;
}

static void write_kept(FILE *file, int16_t result)
{
    for (size_t i = 0; i < kept.n; i++) {
        kept.sample[i].result = result;
        fwrite(&kept.sample[i], sizeof(kept.sample[i]), 1, file);
        fwrite(kept.state[i].w, 1, kept.sample[i].bytes, file);
    }
    if (fflush(file) != 0)
        die("cannot write: positions");
}

static void play_all(const char *path)
{
    static struct match match;
    size_t bytes = (engine_bytes(TABLE_BYTES) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    struct engine *engine = engine_open(aligned_alloc(ENGINE_ALIGN, bytes), bytes);
    struct engine_level level = engine_level(wanted.game, ENGINE_LEVELS);
    time_t end = time(NULL) + (time_t)wanted.seconds;
    unsigned long games = 0, positions = 0;
    FILE *file = fopen(path, "ab");

    if (file == NULL)
        die("cannot write: %s", path);
    level.nodes = wanted.nodes;
    level.variety = 0;
    while (time(NULL) < end) {
        int16_t result;

        start_match(&match, &wanted.seed);
        result = play_game(engine, &level, &match, wanted.seed);
        if (result == 2)
            continue;
        write_kept(file, result);
        games++;
        positions += kept.n;
    }
    fprintf(stderr, "%s: %lu games, %lu positions\n", path, games, positions);
    fclose(file);
}

/* ---- positions as they are learnt from ---- */

/* One weight of a position. */
struct part {
    uint16_t which;
    int16_t times;
};

static struct {
    size_t n, nparts, cap, parts_cap;
    struct sample *sample;
    float *rest;   /* of the judgement, beside the weights */
    size_t *first; /* by position, its first part; one more than there are positions */
    struct part *part;
} all;

/* Adds a position as the parts of its worth. */
static void add_position(const struct rules_state *state, struct sample sample)
{
    static int16_t counts[UINT16_MAX];
    size_t weights = wanted.knows->weights->n;

    if (all.n + 2 > all.cap) {
        all.cap = 2 * all.n + 4096;
        all.sample = more(all.sample, all.cap * sizeof(all.sample[0]));
        all.rest = more(all.rest, all.cap * sizeof(all.rest[0]));
        all.first = more(all.first, all.cap * sizeof(all.first[0]));
    }
    if (all.nparts + weights > all.parts_cap) {
        all.parts_cap = 2 * all.nparts + weights;
        all.part = more(all.part, all.parts_cap * sizeof(all.part[0]));
    }
    memset(counts, 0, weights * sizeof(counts[0]));
    all.rest[all.n] = (float)wanted.knows->weights->count(state, counts);
    all.first[all.n] = all.nparts;
    for (size_t i = 0; i < weights; i++)
        if (counts[i] != 0)
            all.part[all.nparts++] = (struct part){(uint16_t)i, counts[i]};
    all.sample[all.n++] = sample;
    all.first[all.n] = all.nparts;
}

static void read_positions(const char *path)
{
    static struct rules_state state;
    FILE *file = fopen(path, "rb");
    struct sample sample;

    if (file == NULL)
        die("cannot read: %s", path);
    while (fread(&sample, sizeof(sample), 1, file) == 1) {
        state.bytes = sample.bytes;
        if (sample.bytes > sizeof(state.w) || fread(state.w, 1, sample.bytes, file) != sample.bytes)
            die("cut off: %s", path);
        add_position(&state, sample);
    }
    fclose(file);
}

/* ---- fitting ---- */

static double chance(double worth, double scale)
{
    return 1 / (1 + exp(-worth / scale));
}

static double chance_of_result(const struct sample *sample)
{
    return (sample->result + 1) / 2.0;
}

/* How much a score has to be for a side to win e times as often as it loses: what foretells the
 * ends of the games best by the scores of the search. */
static double find_scale(void)
{
    double best = 0, least = INFINITY;

    for (int tried = 0; tried < SCALES; tried++) {
        double scale = 100 * pow(1.05, tried), sum = 0;

        for (size_t i = 0; i < all.n; i++) {
            double error = chance(all.sample[i].score, scale) - chance_of_result(&all.sample[i]);

            sum += error * error;
        }
        if (sum < least) {
            least = sum;
            best = scale;
        }
    }
    return best;
}

struct fit {
    size_t n;
    double scale;
    float *weight, *start, *slope, *first, *second; /* Adam's moments of the slope */
    unsigned long steps;
};

static double worth_of(const struct fit *fit, size_t position)
{
    float sum = all.rest[position];

    for (size_t i = all.first[position]; i < all.first[position + 1]; i++)
        sum += fit->weight[all.part[i].which] * (float)all.part[i].times;
    return sum;
}

/* By how much the chance that a position's worth stands for is wrong. */
static double error_of(const struct fit *fit, size_t position, double *chance_now)
{
    const struct sample *sample = &all.sample[position];

    *chance_now = chance(worth_of(fit, position), fit->scale);
    return *chance_now - wanted.search * chance(sample->score, fit->scale) -
           (1 - wanted.search) * chance_of_result(sample);
}

static double mean_error(const struct fit *fit, size_t from, size_t to)
{
    double sum = 0, chance_now;

    for (size_t i = from; i < to; i++) {
        double error = error_of(fit, i, &chance_now);

        sum += error * error;
    }
    return sum / (double)(to - from);
}

/* Moves the weights by the slope of some positions' error. */
static void step(struct fit *fit, const size_t *positions, float rate)
{
    static const float FIRST = 0.9F, SECOND = 0.999F, PULL = 0.001F;
    float first_share, second_share;

    memset(fit->slope, 0, fit->n * sizeof(fit->slope[0]));
    for (size_t i = 0; i < BATCH; i++) {
        double now, error = error_of(fit, positions[i], &now);
        float slope = (float)(4 * error * now * (1 - now) / BATCH);

        for (size_t j = all.first[positions[i]]; j < all.first[positions[i] + 1]; j++)
            fit->slope[all.part[j].which] += slope * (float)all.part[j].times;
    }
    fit->steps++;
    first_share = 1 - powf(FIRST, (float)fit->steps);
    second_share = 1 - powf(SECOND, (float)fit->steps);
    for (size_t i = 0; i < fit->n; i++) {
        float slope = fit->slope[i];

        fit->first[i] = FIRST * fit->first[i] + (1 - FIRST) * slope;
        fit->second[i] = SECOND * fit->second[i] + (1 - SECOND) * slope * slope;
        fit->weight[i] -=
            rate * (fit->first[i] / first_share / (sqrtf(fit->second[i] / second_share) + 1e-6F) +
                    PULL * (fit->weight[i] - fit->start[i]));
    }
}

static void shuffle(size_t *order, size_t n, uint64_t *seed)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = rules_choose(seed, i + 1), other = order[i];

        order[i] = order[j];
        order[j] = other;
    }
}

static struct fit start_fit(const struct engine_weights *weights)
{
    struct fit fit = {.n = weights->n, .scale = find_scale()};
    float **const parts[] = {&fit.weight, &fit.start, &fit.slope, &fit.first, &fit.second};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        *parts[i] = more(NULL, fit.n * sizeof(float));
        memset(*parts[i], 0, fit.n * sizeof(float));
    }
    for (size_t i = 0; i < fit.n; i++)
        fit.weight[i] = fit.start[i] = weights->weight[i];
    return fit;
}

/* The first half of the rounds takes large steps, the others ever smaller ones. */
static float rate_of(unsigned round)
{
    unsigned done = 8 * round / wanted.rounds;

    return done < 4 ? 0.7F : done < 6 ? 0.2F : done < 7 ? 0.07F : 0.02F;
}

static struct fit fit_all(void)
{
    struct fit fit = start_fit(wanted.knows->weights);
    size_t learnt = all.n - all.n / KEPT_BACK, *order = more(NULL, learnt * sizeof(order[0]));

    for (size_t i = 0; i < learnt; i++)
        order[i] = i;
    fprintf(stderr, "%zu positions, %zu weights, scale %.0f; error of others %.6f\n", all.n, fit.n,
            fit.scale, mean_error(&fit, learnt, all.n));
    for (unsigned round = 0; round < wanted.rounds; round++) {
        shuffle(order, learnt, &wanted.seed);
        for (size_t i = 0; i + BATCH <= learnt; i += BATCH)
            step(&fit, order + i, rate_of(round));
        fprintf(stderr, "round %2u: error %.6f, of others %.6f\n", round + 1,
                mean_error(&fit, 0, learnt), mean_error(&fit, learnt, all.n));
    }
    free(order);
    return fit;
}

static void print_weights(const struct fit *fit)
{
    const struct engine_weights *weights = wanted.knows->weights;

    printf("/* Made by `make fit GAME=%s`: see tests/bench/fit.c, ", wanted.game->name);
    printf("and what they are in engine/%s_worth.h. */\n", wanted.game->name);
    for (size_t group = 0, i = 0; i < fit->n; group++) {
        size_t end = group + 1 < sizeof(weights->groups) / sizeof(weights->groups[0]) &&
                             weights->groups[group + 1].what != NULL
                         ? weights->groups[group + 1].begin
                         : fit->n;

        printf("/* %s */\n", weights->groups[group].what);
        for (size_t first = i; i < end; i++) {
            bool begins = (i - first) % PER_LINE == 0,
                 ends = (i - first) % PER_LINE == PER_LINE - 1;

            printf("%s%ld,%s", begins ? "" : " ", lrintf(fit->weight[i]),
                   ends || i + 1 == end ? "\n" : "");
        }
    }
}

/* ---- the command line ---- */

static void choose_game(const char *name)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i]->name, name) == 0)
            wanted.knows = known[i];
    if (wanted.knows == NULL)
        die("no weights: %s", name);
    wanted.game = rules_find(name);
    if (wanted.game == NULL)
        die("no rules: %s", name);
}

static void read_option(const char *name, const char *value)
{
    if (strcmp(name, "--game") == 0)
        choose_game(value);
    else if (strcmp(name, "--only") == 0)
        wanted.only = value;
    else if (strcmp(name, "--nodes") == 0)
        wanted.nodes = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seed") == 0)
        wanted.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        wanted.seconds = strtod(value, NULL);
    else if (strcmp(name, "--rounds") == 0)
        wanted.rounds = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(name, "--search") == 0)
        wanted.search = strtod(value, NULL);
    else
        die("unknown: %s", name);
}

int main(int argc, char **argv)
{
    int i = 1;

    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        read_option(argv[i], argv[i + 1]);
    if (wanted.knows == NULL || wanted.only == NULL || i >= argc || wanted.rounds == 0)
        die("usage: --game NAME --only play|fit [--nodes N] [--seconds N] [--seed N] FILE...");
    if (strcmp(wanted.only, "play") == 0) {
        play_all(argv[i]);
        return 0;
    }
    for (; i < argc; i++)
        read_positions(argv[i]);
    if (all.n < KEPT_BACK * BATCH)
        die("too few positions: %s", argv[argc - 1]);
    {
        struct fit fit = fit_all();

        print_weights(&fit);
    }
    return 0;
}
