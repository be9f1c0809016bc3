/*
 * worst.c - the worst request of every route: how long it keeps a loop from everybody else, and how
 * the moves of a quiet player fare beside clients that send nothing but such requests.
 *
 *     bench-worst [--quick] [--all] [ROUTE|beside]
 *
 * --all prints every request that is tried. ROUTE is a part of the text of routes: only those are
 * searched; "beside" is part of none, so that what is measured beside others comes at once.
 *
 * The requests of a route are made from its lines in the table below: each $word is replaced by one
 * of its values, chosen at random from a fixed seed. The daemon is alone with each request, so all
 * that its loop's thread does meanwhile is done for it: what HTTP and the database cost is in the
 * figure, which is the thread's processor time. Of a loop that is held in several goes it is the
 * sum. The worst request of a route is repeated, and of these times the least counts, because other
 * programs make a time longer and never shorter.
 *
 * Attackers, too, are four that make and withdraw offers, and four games against level 8: of the
 * quiet player's own address, and of others. Further ones stop in the middle of a body of 1 MiB,
 * and hold all connections with one byte each. Beside them computer opponents of level 1 answer,
 * for which the goal is a second.
 *
 * The attackers of the last part have the lowest priority there is: in life they have machines of
 * their own, and here they share the processors with the daemon. What they get out of it is
 * printed. Local clients are not counted by the quotas, so the first lines show what the daemon
 * does against attackers whom nothing limits. In the last lines each attacker comes from an address
 * of its own, has used up what the quotas of the daemon's settings allow, and goes on regardless.
 */
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/text/arena.h"
#include "rules/rules.h"
#include "tests/bench/worst_imports.h"
#include "tests/bench/worst_offers.h"
#include "tests/bench/worst_stalls.h"
#include "tests/support/die.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/opponent_game.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"

enum {
    WORDS_MAX = 64,
    VALUES_MAX = 32,
    MIB = 1 << 20,
    TEXT_MAX = MIB + 4096,
    THREADS_MAX = 16,
    STALL_SAMPLES = 10,
    REPEATED = 5,
    GAMES = 220, /* that lists have: more than a page */
    LONG = 12000,
    LINES = 40,
    MOVES_MOST = 510, /* in one request */
    ATTACKERS = 4,
    ROUNDS_MAX = 9,
    PACE_US = 20000,
    SAMPLES_MAX = 20000,
    USE_UP_S = 60
};

/* Positions with hundreds of thousands of captures, and with 593 moves. */
#define CAPTURES      "W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1"
#define MORE_CAPTURES "W:WKa5,h6:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1"
#define DROPS         "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"

static const double LOOP_MS = 5;

static const char here[] = "203.0.113.1"; /* where the quiet player's computer opponent plays */

/* ---- requests ---- */

/* What is tried of a route. `before` is sent first and not measured: a request of three words, or
 * "cold" to have the game pushed out of memory. */
static const struct attempt {
    const char *route, *method, *path, *body, *before;
} attempts[] = {
    {"GET /", "GET", "/", NULL, NULL},
    {"GET /docs", "GET", "/docs", NULL, NULL},
    {"GET /docs/frontends", "GET", "/docs/frontends", NULL, NULL},
    {"GET /docs/module", "GET", "/docs/module", NULL, NULL},
    {"GET /docs/board", "GET", "/docs/board", NULL, NULL},
    {"GET /docs/people", "GET", "/docs/people", NULL, NULL},
    {"GET /plyd.js", "GET", "/plyd.js", NULL, NULL},
    {"GET /plyd.d.ts", "GET", "/plyd.d.ts", NULL, NULL},
    {"GET /board.js", "GET", "/board.js", NULL, NULL},
    {"GET /play/{id}", "GET", "/play/$game", NULL, NULL},
    {"GET /embed/{id}", "GET", "/embed/$game", NULL, NULL},
    {"GET /manifest.webmanifest", "GET", "/manifest.webmanifest", NULL, NULL},
    {"GET /sw.js", "GET", "/sw.js", NULL, NULL},
    {"GET /favicon.ico", "GET", "/favicon.ico", NULL, NULL},
    {"GET /assets/{build}/{file}", "GET", "/assets/latest/play.js", NULL, NULL},
    {"GET /healthz", "GET", "/healthz", NULL, NULL},
    {"GET /readyz", "GET", "/readyz", NULL, NULL},
    {"GET /metrics", "GET", "/metrics", NULL, NULL},
    {"GET /openapi.yaml", "GET", "/openapi.yaml", NULL, NULL},
    {"GET /openapi.json", "GET", "/openapi.json", NULL, NULL},
    {"GET /problems", "GET", "/problems", NULL, NULL},
    {"GET /problems/{code}", "GET", "/problems/nifu", NULL, NULL},
    {"GET /v1/variants", "GET", "/v1/variants", NULL, NULL},
    {"GET /v1/variants/{variant}", "GET", "/v1/variants/$variant", NULL, NULL},
    {"GET .../rules", "GET", "/v1/variants/$variant/rules", NULL, NULL},
    {"GET .../check", "GET", "/v1/variants/$at_position&include=$include", NULL, NULL},
    {"GET .../check", "GET", "/v1/variants/shogi/check?$junk", NULL, NULL},
    {"POST .../check", "POST", "/v1/variants/$variant/check?include=$include", "$whatif", NULL},
    {"POST .../analyse", "POST", "/v1/variants/$variant/analyse", "$whatif", NULL},
    {"GET .../board.txt", "GET", "/v1/variants/$at_board_txt&$marks", NULL, NULL},
    {"GET .../board.svg", "GET", "/v1/variants/$at_board_svg&$marks&$look", NULL, NULL},
    {"GET .../board.png", "GET", "/v1/variants/$at_board_png&$marks&size=1200", NULL, NULL},
    {"POST /v1/games", "POST", "/v1/games?include=$include", "$new", NULL},
    {"POST /v1/games", "POST", "/v1/games", "$junk_body", NULL},
    {"GET /v1/games", "GET", "/v1/games?limit=200&$filter", NULL, NULL},
    {"GET /v1/games", "GET", "/v1/games?$junk", NULL, NULL},
    {"POST /v1/games/import", "POST", "/v1/games/import?dry_run=$truth&variant=$variant", "$record",
     NULL},
    {"GET /v1/games/{id}.{ext}", "GET", "/v1/games/$game.$extension", NULL, NULL},
    {"GET /v1/games/{id}", "GET", "/v1/games/$game?include=$include", NULL, "$heat"},
    {"GET .../export", "GET", "/v1/games/$game/export?format=$extension&line=$line", NULL, NULL},
    {"GET .../hint", "GET", "/v1/games/$game/hint?level=1&line=$line&ply=$ply", NULL, NULL},
    {"POST .../analyse", "POST", "/v1/games/$game/analyse", "{\"nodes\":1000,\"limit\":1}", NULL},
    {"GET .../replay", "GET", "/v1/games/$game/replay?after=$ply&line=$line", NULL, NULL},
    {"POST .../join", "POST", "/v1/games/$game/join?include=$include", "{\"name\":\"x\"}", "$heat"},
    {"GET .../legal-moves", "GET", "/v1/games/$game/legal-moves?format=$form&line=$line&ply=$ply",
     NULL, "$heat"},
    {"GET .../legal-moves", "GET", "/v1/games/$game/legal-moves?format=$form", NULL, NULL},
    {"GET .../moves", "GET", "/v1/games/$game/moves?limit=200&after=$ply&line=$line", NULL,
     "$heat"},
    {"GET .../moves", "GET", "/v1/games/$game/moves?limit=200&after=$ply", NULL, NULL},
    {"POST .../moves", "POST", "/v1/games/$game/moves?dry_run=true&include=$include",
     "{\"moves\":$moves}", "$heat"},
    {"POST .../moves", "POST", "/v1/games/$shuffle/moves?include=$include",
     "{\"moves\":$moves_shogi}", "POST /v1/games/$shuffle/undo {\"to_ply\":0}"},
    {"POST .../moves", "POST", "/v1/games/$ttt/moves", "{\"moves\":$moves_ttt}",
     "POST /v1/games/$ttt/undo {\"to_ply\":0}"},
    {"POST .../moves", "POST", "/v1/games/$long/moves", "{\"move\":\"2h3h\",\"line\":1}", "cold"},
    {"POST .../moves", "POST", "/v1/games/$game/moves", "$junk_body", NULL},
    {"PUT .../moves/{ply}", "PUT", "/v1/games/$game/moves/$some?include=$include",
     "{\"move\":\"$move\"}", "$heat"},
    {"PUT .../moves/{ply}", "PUT", "/v1/games/$caps/moves/1?dry_run=true",
     "{\"move\":\"a5xa1xd1xd3xd8xa8xa1xh1xh4xc4xc6xg6xg3xb3xb8xh8xh1\"}", "$heat"},
    {"GET .../positions/{ply}", "GET", "/v1/games/$game/positions/$ply?include=$include&line=$line",
     NULL, "$heat"},
    {"GET .../positions/{ply}", "GET", "/v1/games/$game/positions/-1?include=$include", NULL, NULL},
    {"GET .../board.txt", "GET", "/v1/games/$game/board.txt?$marks", NULL, "$heat"},
    {"GET .../board.txt", "GET", "/v1/games/$game/board.txt?ply=$ply&line=$line&$marks", NULL,
     NULL},
    {"GET .../board.svg", "GET", "/v1/games/$game/board.svg?$marks&$look", NULL, "$heat"},
    {"GET .../board.svg", "GET", "/v1/games/$game/board.svg?ply=$ply&line=$line&$marks", NULL,
     NULL},
    {"GET .../board.png", "GET", "/v1/games/$game/board.png?ply=$ply&line=$line&size=1200", NULL,
     NULL},
    {"GET .../replay.svg", "GET", "/v1/games/$game/replay.svg?after=$ply&line=$line", NULL, NULL},
    {"GET .../events", "GET", "/v1/games/$game/events?limit=200&after=$ply", NULL, "$heat"},
    {"POST .../undo", "POST", "/v1/games/$long/undo?include=$include", "{\"to_ply\":$ply}",
     "POST /v1/games/$long/redo {\"to_ply\":12000}"},
    {"POST .../undo", "POST", "/v1/games/$long/undo", "{\"to_ply\":0}",
     "POST /v1/games/$long/redo {\"to_ply\":12000}"},
    {"POST .../redo", "POST", "/v1/games/$long/redo?include=$include", "{\"to_ply\":12000}",
     "POST /v1/games/$long/undo {\"to_ply\":0}"},
    {"POST .../redo", "POST", "/v1/games/$long/redo", "{\"to_ply\":5000}",
     "POST /v1/games/$long/undo {\"to_ply\":0}"},
    {"PUT .../plan", "PUT", "/v1/games/$pair/plan", "{\"after_ply\":0,\"tree\":$tree}", NULL},
    {"PUT .../plan", "PUT", "/v1/games/$pair/plan", "$junk_body", NULL},
    {"GET .../plan", "GET", "/v1/games/$pair/plan", NULL,
     "PUT /v1/games/$pair/plan {\"after_ply\":0,\"tree\":$tree}"},
    {"DELETE .../plan", "DELETE", "/v1/games/$pair/plan", NULL,
     "PUT /v1/games/$pair/plan {\"after_ply\":0,\"tree\":$tree}"},
    {"POST .../fork", "POST", "/v1/games/$game/fork?include=$include",
     "{\"ply\":$some,\"line\":$line}", "$heat"},
    {"POST .../fork", "POST", "/v1/games/$long/fork", "{\"ply\":4000}", NULL},
    {"POST .../resign", "POST", "/v1/games/$game/resign?include=$include", "{\"seat\":3}", "$heat"},
    {"POST .../abort", "POST", "/v1/games/$long/abort?include=$include", "{\"seat\":3}", "$heat"},
    {"POST /v1/players", "POST", "/v1/players", "{\"name\":\"$name\"}", NULL},
    {"GET /v1/players/{player}", "GET", "/v1/players/$player", NULL, NULL},
    {"GET /v1/me", "GET", "/v1/me", NULL, NULL},
    {"GET /v1/me/games", "GET", "/v1/me/games?limit=200&$filter", NULL, NULL},
    {"an address that is not there", "GET", "/$junk", NULL, NULL},
};

enum { ATTEMPTS = sizeof(attempts) / sizeof(attempts[0]) };

static struct word {
    const char *name;
    char *value[VALUES_MAX];
    size_t values;
} words[WORDS_MAX];

struct concrete {
    const struct attempt *attempt;
    const char *path, *body, *before;
};

struct cost {
    double loop_ms, worker_ms;
    size_t bytes;
    int status;
};

static struct bench {
    struct plyd plyd;
    char *database;
    char headers[256], id[32]; /* of the player whose all games are */
    int fd;
    uint64_t seed;
    pid_t thread[THREADS_MAX];
    size_t threads, loop; /* thread[loop] is the loop's */
    char filler[GAMES][32];
    int fillers, tries, rounds;
    double seconds;
    const char *only;    /* routes whose text has this */
    bool all;            /* print every request that is tried */
    struct arena memory; /* of the requests that were made */
    struct answers {
        atomic_int done, refused;
    } * answers; /* to each attacker; shared with their processes */
} bench = {.seed = 20, .tries = 60, .rounds = 7, .seconds = 3};

/* ---- words ---- */

static struct word *word_of(const char *name, size_t len)
{
    for (size_t i = 0; i < WORDS_MAX; i++)
        if (words[i].name != NULL && strlen(words[i].name) == len &&
            strncmp(words[i].name, name, len) == 0)
            return &words[i];
    return NULL;
}

static void add_value(const char *name, const char *value)
{
    struct word *word = word_of(name, strlen(name));

    for (size_t i = 0; word == NULL; i++)
        if (words[i].name == NULL)
            word = &words[i];
    word->name = name;
    if (word->values == VALUES_MAX)
        die("too many values: %s", name);
    word->value[word->values++] = strdup(value);
}

/* Values with '|' between them. */
static void add_values(const char *name, const char *list)
{
    char *copy = strdup(list), *rest = copy, *value;

    while ((value = strsep(&rest, "|")) != NULL)
        add_value(name, value);
    free(copy);
}

/* Appends a text in which every word is replaced. Values may have words, too. */
static void expand(char *out, const char *text)
{
    char *end = out + strlen(out);

    while (*text != '\0') {
        size_t len = *text == '$' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
        const struct word *word = len == 0 ? NULL : word_of(text + 1, len);

        if (word == NULL) {
            *end++ = *text++;
            *end = '\0';
            continue;
        }
        expand(end, word->value[rules_choose(&bench.seed, word->values)]);
        end += strlen(end);
        text += 1 + len;
    }
}

static const char *expanded(const char *text)
{
    static char out[TEXT_MAX];

    if (text == NULL)
        return NULL;
    out[0] = '\0';
    expand(out, text);
    return arena_copy(&bench.memory, out, strlen(out));
}

/* ---- the daemon's threads ---- */

/* Nanoseconds of processor time of each thread. */
static void read_threads(uint64_t *used)
{
    for (size_t i = 0; i < bench.threads; i++) {
        char path[64];
        unsigned long long ns = 0;
        FILE *file;

        snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)bench.plyd.pid,
                 (int)bench.thread[i]);
        file = fopen(path, "r");
        if (file == NULL || fscanf(file, "%llu", &ns) != 1)
            die("no processor time: %s", path);
        fclose(file);
        used[i] = ns;
    }
}

/* The kernel counts the time of a thread when it goes to sleep. */
static void read_at_rest(uint64_t *used)
{
    uint64_t before[THREADS_MAX];

    read_threads(used);
    do {
        memcpy(before, used, sizeof(before));
        usleep(300);
        read_threads(used);
    } while (memcmp(before, used, bench.threads * sizeof(*used)) != 0);
}

/* ---- sending ---- */

static int connect_quick(void)
{
    int fd = http_connect(bench.plyd.port);

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return fd;
}

static void send_on(int *fd, const char *method, const char *path, const char *body,
                    struct http_reply *reply)
{
    http_send(*fd, method, path, bench.headers, body, body == NULL ? 0 : strlen(body));
    http_receive(*fd, method, reply);
    if (reply->status == 0) { /* a refusal may close the connection */
        close(*fd);
        *fd = connect_quick();
    }
}

static void ask(const char *method, const char *path, const char *body, struct http_reply *reply)
{
    send_on(&bench.fd, method, path, body, reply);
}

static void ask_for(const char *method, const char *path, const char *body, const char *member,
                    char *value, size_t size)
{
    struct http_reply reply;
    const char *at;

    ask(method, path, body, &reply);
    at = reply.status / 100 != 2 || reply.body == NULL ? NULL : strstr(reply.body, member);
    if (at == NULL)
        die("%s: %s", path, reply.body == NULL ? "no answer" : reply.body);
    snprintf(value, size, "%.*s", (int)strcspn(at + strlen(member), "\""), at + strlen(member));
    http_free(&reply);
}

/* A request of three words: its method, its path and its body. */
static void send_words(int *fd, const char *text)
{
    char *copy = strdup(text), *rest = copy;
    const char *method = strsep(&rest, " "), *path = strsep(&rest, " ");
    struct http_reply reply;

    send_on(fd, method, path, rest, &reply);
    http_free(&reply);
    free(copy);
}

static void push_out(void)
{
    for (int i = 0; i < 20; i++) {
        char path[64];
        struct http_reply reply;

        snprintf(path, sizeof(path), "/v1/games/%s", bench.filler[i]);
        ask("GET", path, NULL, &reply);
        http_free(&reply);
    }
}

/* ---- games ---- */

/* Moves of a random game, as JSON. */
static char *random_moves(const char *variant, const char *position, const char *options,
                          size_t most)
{
    static char text[TEXT_MAX];
    static rules_move moves[4096];
    const struct rules_game *game = rules_find(variant);
    struct rules_options given;
    struct rules_refusal why;
    struct rules_state state, next;
    char name[16], value[16], *end = text + sprintf(text, "[");

    rules_options_init(&given);
    for (int len; sscanf(options, "%15[a-z]=%15[0-9]%n", name, value, &len) == 2;
         options += len + (options[len] == ' '))
        rules_option_set(game, &given, name, value, &why);
    if (!rules_start(game, &given, position, &state, &why))
        die("the start is refused: %s", position == NULL ? variant : position);
    for (size_t i = 0; i < most && rules_outcome_now(game, &state).status == RULES_ONGOING; i++) {
        size_t n = game->legal(&state, moves, 4096);
        rules_move move = moves[rules_choose(&bench.seed, n)];

        end += sprintf(end, "%s\"", i == 0 ? "" : ",");
        game->move_text(&state, move, end);
        end += strlen(end);
        *end++ = '"';
        game->play(&state, move, &next);
        rules_copy(&next, &state);
    }
    strcpy(end, "]");
    return text;
}

/* Rooks go to and fro: a game of any length. */
static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};

static char *shuffled_moves(int from, int to)
{
    static char text[TEXT_MAX];
    char *end = text + sprintf(text, "[");

    for (int i = from; i < to; i++)
        end += sprintf(end, "%s\"%s\"", i == from ? "" : ",", shuffle[i % 4]);
    strcpy(end, "]");
    return text;
}

/* Makes a game and adds its id to a word and to $game. */
static void make_game(const char *word, const char *terms)
{
    char id[32], body[8192];

    snprintf(body, sizeof(body), "{%s,\"visibility\":\"public\"}", terms);
    ask_for("POST", "/v1/games", body, "\"id\":\"", id, sizeof(id));
    if (word == NULL) {
        snprintf(bench.filler[bench.fillers++], sizeof(id), "%s", id);
        return;
    }
    add_value(word, id);
    add_value("game", id);
}

static void play_on(const char *id, const char *moves)
{
    char path[64], version[32], *body;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", id);
    if (asprintf(&body, "{\"moves\":%s}", moves) < 0)
        abort();
    ask_for("POST", path, body, "\"version\":", version, sizeof(version));
    free(body);
}

static const char *only_value(const char *name)
{
    return word_of(name, strlen(name))->value[0];
}

static void make_long_game(const char *word)
{
    make_game(word, "\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}");
    for (int from = 0; from < LONG; from += 500)
        play_on(only_value(word), shuffled_moves(from, from + 500));
}

/* A long first line, and many short ones. */
static void make_lines(void)
{
    static const char *const moves[] = {"[\"3c3d\"]", "[\"8c8d\"]"};
    const char *id;
    char undo[96];

    make_long_game("lines");
    id = only_value("lines");
    for (int i = 0; i < LINES; i++) {
        snprintf(undo, sizeof(undo), "POST /v1/games/%s/undo {\"to_ply\":%d}", id, i > 0);
        send_words(&bench.fd, undo);
        play_on(id, i == 0 ? "[\"7g7f\",\"3c3d\"]" : moves[i % 2]);
    }
}

/* A tree with a branch for each of the first legal moves. */
static char *wide_tree(const char *variant, const char *position, size_t most)
{
    static char text[TEXT_MAX];
    static rules_move moves[4096];
    const struct rules_game *game = rules_find(variant);
    struct rules_options given;
    struct rules_refusal why;
    struct rules_state state;
    char *end = text;

    rules_options_init(&given);
    if (!rules_start(game, &given, position, &state, &why))
        die("the start is refused: %s", position);
    if (game->legal(&state, moves, 4096) < most)
        die("there are fewer moves: %s", position);
    for (size_t i = 0; i < most; i++) {
        end += sprintf(end, "%s{\"if\":\"", i == 0 ? "[" : ",");
        game->move_text(&state, moves[i], end);
        end += strlen(end);
        end += sprintf(end, "\",\"then\":\"resign\"}");
    }
    strcpy(end, "]");
    return text;
}

/* The bench's player has seat 2, so that they may set a plan; somebody else has seat 1. */
static void make_pair(void)
{
    enum { BRANCHES = 512 };
    char path[96];
    struct http_reply reply;

    make_game("pair", "\"variant\":\"turkish-draughts\",\"position\":\"" MORE_CAPTURES
                      "\",\"seats\":[{\"open\":true},{\"me\":true}]");
    snprintf(path, sizeof(path), "/v1/games/%s/join", only_value("pair"));
    http_request(bench.plyd.port, &reply, "POST", path, "Content-Type: application/json\r\n", "{}");
    if (reply.status != 200)
        die("nobody joins: %s", reply.body);
    http_free(&reply);
    add_value("tree", wide_tree("turkish-draughts", MORE_CAPTURES, BRANCHES));
}

static void make_games(void)
{
    static const char *const wide =
        "\"variant\":\"tictactoe\",\"options\":{\"rows\":26,\"cols\":26,\"k\":26}";
    const char *const listed[] = {wide, "\"variant\":\"shogi\",\"position\":\"" DROPS "\"",
                                  "\"variant\":\"stackchess\""};

    make_long_game("long");
    make_lines();
    make_game("shuffle", "\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}");
    add_value("moves_shogi", shuffled_moves(0, MOVES_MOST));
    make_game("ttt", wide);
    add_value("moves_ttt", random_moves("tictactoe", NULL, "rows=26 cols=26 k=26", MOVES_MOST));
    play_on(only_value("ttt"), only_value("moves_ttt"));
    make_game("caps", "\"variant\":\"turkish-draughts\",\"position\":\"" CAPTURES "\"");
    make_game("drops", listed[1]);
    add_value("moves_drops", random_moves("shogi", DROPS, "", 200));
    play_on(only_value("drops"), only_value("moves_drops"));
    make_game("chess", "\"variant\":\"stackchess\",\"options\":{\"size\":8}");
    make_game("dama", "\"variant\":\"turkish-draughts\"");
    make_game("engine", "\"variant\":\"shogi\",\"seats\":[{\"me\":true},{\"engine\":\"random\"}]");
    add_value("moves", random_moves("stackchess", NULL, "", MOVES_MOST));
    add_value("moves", random_moves("turkish-draughts", NULL, "", MOVES_MOST));
    add_values("moves", "$moves_shogi|$moves_drops|$moves_ttt");
    make_pair();
    for (int i = 0; i < GAMES; i++)
        make_game(NULL, listed[i % 3]);
}

/* ---- bodies ---- */

static void repeat(char *out, const char *what, size_t bytes, const char *end)
{
    size_t len = strlen(what);

    for (; strlen(end) + len < bytes; bytes -= len)
        out = stpcpy(out, what);
    strcpy(out, end);
}

/* Bodies of the largest size that say nothing: JSON for all routes, and for imports. */
static void make_junk(void)
{
    static const char *const bits[] = {"[", "0,", "{\"a\":", "\"\\u3042\",", "1e9,"};
    static char text[TEXT_MAX];

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        strcpy(text, "{\"moves\":[");
        repeat(text + strlen(text), bits[i], 65500 - strlen(text), "0]}");
        add_value("junk_body", text);
        strcpy(text, "{\"format\":\"plyd-record\",\"moves\":[");
        repeat(text + strlen(text), bits[i], MIB - strlen(text), "0]}");
        add_value("record", text);
    }
    strcpy(text, "{");
    repeat(text + 1, "\"move\":1,", 65500, "\"x\":1}");
    add_value("junk_body", text);
}

/* 1 MiB, or as many moves as a game may begin with, of each format. */
static void make_records(void)
{
    static const char *const lines[] = {
        "V2.2\nN+x\nPI\n+\n+2838HI\n'comment\n-8272HI\n+3828HI\n-7282HI\n",
        "1 \xef\xbc\x97\xe5\x85\xad\xe6\xad\xa9(77)\n*comment\n", "\n", "[Event \"x\"]\n",
        "1. a3-a4 {x} (1. b3-b4) a6-a5 "};
    static char text[TEXT_MAX];
    char *end = text + sprintf(text, "{\"format\":\"plyd-record\",\"format_version\":1,"
                                     "\"variant\":\"shogi\",\"options\":{\"repetition\":1000000},"
                                     "\"moves\":[");

    for (int i = 0; i < 4000; i++)
        end += sprintf(end, "%s{\"move\":\"%s\",\"comment\":\"%0200d\"}", i == 0 ? "" : ",",
                       shuffle[i % 4], 0);
    strcpy(end, "]}");
    add_value("record", text);
    end = text + sprintf(text, "position startpos moves");
    for (int i = 0; i < 4000; i++)
        end += sprintf(end, " %s", shuffle[i % 4]);
    add_value("record", text);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        repeat(text, lines[i], MIB, "");
        add_value("record", text);
    }
}

static void make_bodies(void)
{
    make_junk();
    make_records();
    add_values("whatif", "{\"options\":{\"repetition\":1000000},\"moves\":$moves_shogi}|"
                         "{\"position\":\"$captures\"}|{\"position\":\"$drops_at\"}|$junk_body");
    add_values("new", "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000},"
                      "\"moves\":$moves_shogi}|"
                      "{\"variant\":\"tictactoe\",\"options\":{\"rows\":26,\"cols\":26,\"k\":26}}|"
                      "{\"variant\":\"turkish-draughts\",\"position\":\"$captures\"}|"
                      "{\"variant\":\"stackchess\"}|"
                      "{\"variant\":\"shogi\",\"position\":\"$drops_at\"}|"
                      "{\"variant\":\"shogi\",\"seats\":[{\"engine\":\"random\"},{\"me\":true}]}");
}

static void make_words(void)
{
    static char text[8192];

    add_values("captures", CAPTURES);
    add_values("drops_at", DROPS);
    add_values("variant", "shogi|tictactoe|stackchess|jungle|turkish-draughts");
    add_values("include", "legal_moves,legal_tree,board|legal_tree|board|legal_moves|");
    add_values("at_position", "turkish-draughts/check?position=$captures|"
                              "tictactoe/check?options.rows=26&options.cols=26&options.k=26|"
                              "stackchess/check?options.size=8");
    add_values("at_board_txt", "turkish-draughts/board.txt?position=$captures|"
                               "tictactoe/board.txt?options.rows=26&options.cols=26&options.k=26");
    add_values("at_board_png", "turkish-draughts/board.png?position=$captures|"
                               "tictactoe/board.png?options.rows=26&options.cols=26&options.k=26");
    add_values("at_board_svg", "turkish-draughts/board.svg?position=$captures|"
                               "tictactoe/board.svg?options.rows=26&options.cols=26&options.k=26");
    add_values("marks", "marks=legal|marks=last,check,legal|marks=legal:a5|marks=");
    add_values("look", "size=4096&theme=dark|stacks=all|coords=false|view=2");
    add_values("filter", "|status=active|variant=tictactoe|variant=turkish-draughts|"
                         "variant=stackchess|fields=position,check,last_move");
    add_values("extension", "json|text|kif|ki2|csa|usi|jkf|pdn|txt");
    add_values("truth", "true|false");
    add_values("form", "list|tree");
    add_values("heat", "GET /healthz|cold");
    add_values("line", "1|1|2|30");
    add_values("ply", "0|1|100|198|300|2000|6000|11000|11800|11999");
    add_values("some", "0|1|100|511|1000|4000|4093");
    add_values("move", "2h3h|a5xa1|zz|7g7f");
    repeat(text, "%41%f0%9f%92%a9", 7000, "");
    add_value("junk", text);
    repeat(text, "a=1&", 900, "b");
    add_value("junk", text);
    strcpy(text, "variant=");
    repeat(text + 8, "shogi,", 7000, "x");
    add_value("junk", text);
    repeat(text, "\xe9\xa7\x92", 200, "");
    add_value("name", text);
    add_value("player", bench.id);
}

/* ---- the search ---- */

static struct cost measure(const struct concrete *concrete)
{
    uint64_t before[THREADS_MAX], after[THREADS_MAX];
    struct http_reply reply;
    struct cost cost = {0};

    if (concrete->before != NULL && strcmp(concrete->before, "cold") == 0)
        push_out();
    else if (concrete->before != NULL)
        send_words(&bench.fd, concrete->before);
    read_at_rest(before);
    ask(concrete->attempt->method, concrete->path, concrete->body, &reply);
    read_at_rest(after);
    for (size_t i = 0; i < bench.threads; i++)
        *(i == bench.loop ? &cost.loop_ms : &cost.worker_ms) +=
            (double)(after[i] - before[i]) / 1e6;
    cost.bytes = reply.len;
    cost.status = reply.status;
    http_free(&reply);
    return cost;
}

static struct cost measure_again(const struct concrete *concrete, struct cost cost, int times)
{
    for (int i = 0; i < times; i++) {
        struct cost again = measure(concrete);

        if (again.status != cost.status)
            continue; /* it was refused this time */
        if (again.loop_ms < cost.loop_ms)
            cost.loop_ms = again.loop_ms;
        if (again.worker_ms < cost.worker_ms)
            cost.worker_ms = again.worker_ms;
    }
    return cost;
}

/* The worst requests of a route: for the loop, and for the workers. */
struct worst {
    struct concrete on_loop, on_worker;
    struct cost loop, worker;
};

static void try_one(const struct attempt *attempt, struct worst *worst)
{
    struct concrete made = {attempt, expanded(attempt->path), expanded(attempt->body),
                            expanded(attempt->before)};
    struct cost cost = measure(&made);

    if (bench.all)
        printf("%7.2f %7.2f %d %s %.100s %.40s\n", cost.loop_ms, cost.worker_ms, cost.status,
               attempt->route, made.path, made.body == NULL ? "" : made.body);
    if (cost.loop_ms > worst->loop.loop_ms)
        cost = measure_again(&made, cost, 2);
    if (worst->on_loop.path == NULL || cost.loop_ms > worst->loop.loop_ms) {
        worst->on_loop = made;
        worst->loop = cost;
    }
    if (worst->on_worker.path == NULL || cost.worker_ms > worst->worker.worker_ms) {
        worst->on_worker = made;
        worst->worker = cost;
    }
}

static void print_worst(struct worst *worst)
{
    const struct concrete *at = &worst->on_loop;
    char plyd[64], beside[64];

    worst->loop = measure_again(at, worst->loop, REPEATED);
    snprintf(plyd, sizeof(plyd), "%.2f ms on the loop", worst->loop.loop_ms);
    snprintf(beside, sizeof(beside), "%.1f ms on workers, %.0f KB", worst->worker.worker_ms,
             (double)worst->loop.bytes / 1e3);
    ratios_at_most(at->attempt->route, plyd, beside, worst->loop.loop_ms, LOOP_MS);
    printf("    %d %.110s %.50s%s\n", worst->loop.status, at->path,
           at->body == NULL ? "" : at->body,
           at->before != NULL && strcmp(at->before, "cold") == 0 ? " (cold)" : "");
}

/* The lines of a route stand together. */
static void search(struct worst *loop, struct worst *worker)
{
    for (size_t i = 0; i < ATTEMPTS;) {
        struct worst worst = {.on_loop = {.path = NULL}};
        const char *route = attempts[i].route;

        if (bench.only != NULL && strstr(route, bench.only) == NULL) {
            i++;
            continue;
        }
        for (; i < ATTEMPTS && strcmp(attempts[i].route, route) == 0; i++) {
            bool varies = strchr(attempts[i].path, '$') != NULL ||
                          (attempts[i].body != NULL && strchr(attempts[i].body, '$') != NULL);

            for (int n = 0; n < (varies ? bench.tries : 1); n++)
                try_one(&attempts[i], &worst);
        }
        print_worst(&worst);
        if (worst.loop.loop_ms > loop->loop.loop_ms)
            *loop = worst;
        if (worst.worker.worker_ms > worker->worker.worker_ms)
            *worker = worst;
    }
}

/* ---- beside a quiet player ---- */

/* Four clients and what each of them sends, again and again; or each plays against level 8, or
 * makes and withdraws offers. */
struct attack {
    const char *name;
    const struct concrete *by[ATTACKERS];
    bool counted;                 /* by the quotas */
    const char *rival[ATTACKERS]; /* the address from which each game comes */
    bool offers;
};

static void send_again_and_again(const struct concrete *concrete, struct answers *answers)
{
    int fd = connect_quick();

    for (;;) {
        struct http_reply reply;

        if (concrete->before != NULL && strcmp(concrete->before, "cold") != 0)
            send_words(&fd, concrete->before);
        send_on(&fd, concrete->attempt->method, concrete->path, concrete->body, &reply);
        atomic_fetch_add(reply.status == 429 ? &answers->refused : &answers->done, 1);
        http_free(&reply);
    }
}

/* The daemon believes the bench what address it forwards. Reading takes no token, whose quota is
 * the smaller one. */
static void come_from_afar(int i, const char *method)
{
    size_t len = strcmp(method, "GET") == 0 ? 0 : strlen(bench.headers);

    snprintf(bench.headers + len, sizeof(bench.headers) - len, "X-Forwarded-For: 203.0.113.%d\r\n",
             i + 1);
}

static pid_t start_attacker(const struct attack *attack, int i)
{
    const struct concrete *concrete = attack->by[i];
    pid_t pid;

    if (attack->rival[i] != NULL)
        return opponent_game_start(bench.plyd.port, "shogi", 8, attack->rival[i]);
    pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    if (attack->offers)
        worst_offers_storm(bench.plyd.port, &bench.answers[i].done, &bench.answers[i].refused);
    if (attack->counted)
        come_from_afar(i, concrete->attempt->method);
    send_again_and_again(concrete, &bench.answers[i]);
    exit(0);
}

static void start_all(const struct attack *attack, pid_t pid[ATTACKERS])
{
    for (int i = 0; i < ATTACKERS; i++)
        pid[i] = start_attacker(attack, i);
}

static void end_all(const pid_t pid[ATTACKERS])
{
    for (int i = 0; i < ATTACKERS; i++) {
        kill(pid[i], SIGKILL);
        waitpid(pid[i], NULL, 0);
    }
    usleep(200000);
}

struct samples {
    double ms[SAMPLES_MAX];
    size_t count;
    double waited_ms; /* how long the loop's thread waited for a processor meanwhile */
};

/* Milliseconds that the loop's thread has waited for a processor so far. */
static double loop_waited(void)
{
    char path[64];
    unsigned long long used, waited = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)bench.plyd.pid,
             (int)bench.thread[bench.loop]);
    file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%llu %llu", &used, &waited) != 2)
        die("no waiting time: %s", path);
    fclose(file);
    return (double)waited / 1e6;
}

static double quantile(struct samples *samples, size_t percent)
{
    numbers_sort(samples->ms, samples->count);
    return samples->ms[samples->count * percent / 100];
}

/* A move, a pause, the next move. */
static void play_quietly(struct samples *samples)
{
    int fd = connect_quick(), ply = 0;
    double end, waited = loop_waited();
    char id[32], path[96], body[32];

    ask_for("POST", "/v1/games", "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}",
            "\"id\":\"", id, sizeof(id));
    for (end = seconds_now() + bench.seconds; seconds_now() < end; ply++) {
        double begun = seconds_now();
        struct http_reply reply;

        snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id, ply + 1);
        snprintf(body, sizeof(body), "{\"move\":\"%s\"}", shuffle[ply % 4]);
        send_on(&fd, "PUT", path, body, &reply);
        if (reply.status != 201)
            die("a quiet move was not played: %s", reply.body == NULL ? "closed" : reply.body);
        http_free(&reply);
        samples->ms[samples->count++] = (seconds_now() - begun) * 1e3;
        usleep(PACE_US);
    }
    samples->waited_ms += loop_waited() - waited;
    close(fd);
}

/* What attackers got out of the daemon, a second. */
struct strength {
    double done, refused, loop_ms, worker_ms;
};

static struct strength strength_now(void)
{
    struct strength now = {0};
    uint64_t used[THREADS_MAX];

    for (int i = 0; i < ATTACKERS; i++) {
        now.done += atomic_load(&bench.answers[i].done);
        now.refused += atomic_load(&bench.answers[i].refused);
    }
    read_threads(used);
    for (size_t i = 0; i < bench.threads; i++)
        *(i == bench.loop ? &now.loop_ms : &now.worker_ms) += (double)used[i] / 1e6;
    return now;
}

static void play_beside(const struct attack *attack, struct samples *samples,
                        struct strength *strength)
{
    pid_t pid[ATTACKERS];
    struct strength before, after;
    double begun, parts;

    start_all(attack, pid);
    usleep(200000);
    before = strength_now();
    begun = seconds_now();
    play_quietly(samples);
    parts = (seconds_now() - begun) * bench.rounds;
    after = strength_now();
    end_all(pid);
    strength->done += (after.done - before.done) / parts;
    strength->refused += (after.refused - before.refused) / parts;
    strength->loop_ms += (after.loop_ms - before.loop_ms) / parts;
    strength->worker_ms += (after.worker_ms - before.worker_ms) / parts;
}

/* Until each attacker was refused. Much for little work is what uses a quota up soonest. */
static void use_up(void)
{
    static const struct attempt cheap = {.method = "GET"};
    static const struct concrete document = {.attempt = &cheap, .path = "/openapi.yaml"};
    const struct attack attack = {.by = {&document, &document, &document, &document},
                                  .counted = true};
    pid_t pid[ATTACKERS];
    double begun = seconds_now();

    start_all(&attack, pid);
    for (int i = 0; i < ATTACKERS; i++)
        while (atomic_load(&bench.answers[i].refused) == 0) {
            if (seconds_now() - begun > USE_UP_S)
                die("the quotas are not used up: %s", document.path);
            usleep(10000);
        }
    end_all(pid);
    printf("    the quotas were used up in %.1f s\n", seconds_now() - begun);
    close(bench.fd); /* it has been idle */
    bench.fd = connect_quick();
}

/* `percent` of the samples are what is compared. */
static void print_beside(const char *what, struct samples *alone, struct samples *beside,
                         size_t percent, double goal)
{
    double ratio = quantile(beside, percent) / quantile(alone, percent);
    char with[64], without[64];

    snprintf(with, sizeof(with), "p50 %.2f p99 %.2f ms", quantile(beside, 50),
             quantile(beside, 99));
    snprintf(without, sizeof(without), "p50 %.2f p99 %.2f ms alone", quantile(alone, 50),
             quantile(alone, 99));
    ratios_at_most(what, with, without, ratio, goal);
}

static void compare(const struct attack *attack)
{
    static struct samples alone, beside;
    struct strength strength = {0};
    char what[64], with[64], without[64];

    alone.count = beside.count = 0;
    alone.waited_ms = beside.waited_ms = 0;
    if (attack->counted)
        use_up();
    for (int i = 0; i < bench.rounds; i++) {
        play_quietly(&alone);
        play_beside(attack, &beside, &strength);
    }
    snprintf(what, sizeof(what), "a quiet player's moves, %s", attack->name);
    print_beside(what, &alone, &beside, 99, 3);
    snprintf(with, sizeof(with), "%.2f ms a move", beside.waited_ms / (double)beside.count);
    snprintf(without, sizeof(without), "%.2f ms a move alone",
             alone.waited_ms / (double)alone.count);
    ratios_row("  the loop waits for a processor", with, without, 0);
    snprintf(with, sizeof(with), "%.0f/s, %.0f/s refused", strength.done, strength.refused);
    snprintf(without, sizeof(without), "loop %.0f, workers %.0f ms/s", strength.loop_ms,
             strength.worker_ms);
    ratios_row("  what the attackers get", with, without, 0);
}

/* Searches of a few seconds, so that the thinkers are never idle. */
static void compare_searches(void)
{
    static const struct attempt post = {.method = "POST"};
    static const struct concrete search = {
        .attempt = &post, .path = "/v1/variants/shogi/analyse", .body = "{\"nodes\":1000000}"};

    compare(&(struct attack){.name = "4 that search", .by = {&search, &search, &search, &search}});
}

/* Games against level 1, of which one is begun after the other. The time counts from when a game is
 * there: whoever makes many waits for their quota. */
static void play_level_1(struct samples *samples)
{
    enum { PATIENCE_S = 300 };
    double end = seconds_now() + bench.seconds;

    while (samples->count == 0 || seconds_now() < end) {
        struct opponent_game rival;
        double begun;

        opponent_game_begin(&rival, bench.plyd.port, "jungle", 1, here);
        begun = seconds_now();
        if (!opponent_game_await(&rival, PATIENCE_S))
            die("level 1 does not answer: %s", rival.id);
        samples->ms[samples->count++] = (seconds_now() - begun) * 1e3;
        opponent_game_end(&rival);
    }
}

static void compare_level_1(const struct attack *attack)
{
    static struct samples alone, beside;
    char what[64], with[64], without[64];
    pid_t pid[ATTACKERS];

    alone.count = beside.count = 0;
    play_level_1(&alone);
    start_all(attack, pid);
    sleep(1); /* until they think */
    play_level_1(&beside);
    end_all(pid);
    snprintf(what, sizeof(what), "level 1 answers, %s", attack->name);
    snprintf(with, sizeof(with), "p50 %.2f p99 %.2f ms", quantile(&beside, 50),
             quantile(&beside, 99));
    snprintf(without, sizeof(without), "p50 %.2f p99 %.2f ms alone", quantile(&alone, 50),
             quantile(&alone, 99));
    ratios_at_most(what, with, without, quantile(&beside, 99) / 1e3, 1);
}

/* The goal for level 1 is a second. */
static void compare_opponents(void)
{
    static const struct attack attacks[] = {
        {.name = "4 games of level 8", .rival = {here, here, here, here}},
        {.name = "4 of others",
         .rival = {"203.0.113.2", "203.0.113.3", "203.0.113.4", "203.0.113.5"}}};

    for (size_t i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
        compare(&attacks[i]);
        compare_level_1(&attacks[i]);
    }
}

/* Beside a client that imports one file after the other: the moves of a quiet player, and what
 * another player imports. */
static void compare_imports(const char *name, enum worst_file file)
{
    static struct samples alone, beside, import_alone, import_beside;
    const int port = bench.plyd.port;
    char what[64];

    alone.count = beside.count = import_alone.count = import_beside.count = 0;
    for (int i = 0; i < bench.rounds; i++) {
        play_quietly(&alone);
        import_alone.ms[import_alone.count++] = worst_imports_other(port) * 1e3;
        worst_imports_begin(port, file);
        play_quietly(&beside);
        import_beside.ms[import_beside.count++] = worst_imports_other(port) * 1e3;
        worst_imports_end();
    }
    snprintf(what, sizeof(what), "a quiet player's moves, %s", name);
    print_beside(what, &alone, &beside, 99, 3);
    snprintf(what, sizeof(what), "another's 80 imports, %s", name);
    print_beside(what, &import_alone, &import_beside, 50, 3);
}

/* Beside clients that begin to send and stop: what another does, in milliseconds. */
static void compare_stalls(const char *name, int (*stall)(int port, int count), int count,
                           double (*other)(int port))
{
    static struct samples alone, beside;
    char what[64];

    alone.count = beside.count = 0;
    for (int i = 0; i < bench.rounds; i++) {
        int stalled;

        for (int k = 0; k < STALL_SAMPLES; k++)
            alone.ms[alone.count++] = other(bench.plyd.port) * 1e3;
        stalled = stall(bench.plyd.port, count);
        for (int k = 0; k < STALL_SAMPLES; k++)
            beside.ms[beside.count++] = other(bench.plyd.port) * 1e3;
        worst_stalls_end();
        snprintf(what, sizeof(what), "%s beside %d", name, stalled);
    }
    print_beside(what, &alone, &beside, 50, 3);
}

static void compare_all_stalls(void)
{
    static const int bodies[] = {1, 2, 8, 40};

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
        compare_stalls("an import, stalled bodies:", worst_stalls_bodies, bodies[i],
                       worst_stalls_import);
    compare_stalls("a visit, idle connections:", worst_stalls_connections, WORST_STALLS_MAX,
                   worst_stalls_visit);
    /* Where the system allows fewer, ours was idle for longest and gave way. */
    close(bench.fd);
    bench.fd = connect_quick();
}

static void compare_all(const struct worst *loop, const struct worst *worker)
{
    const struct concrete *a = &loop->on_loop, *b = &worker->on_worker;

    compare_searches();
    compare_opponents();
    compare(&(struct attack){.name = "4 that make offers", .offers = true});
    compare_all_stalls();
    compare_imports("1 long import", WORST_FILE_LONG);
    compare_imports("1 vain import", WORST_FILE_VAIN);
    if (a->attempt == NULL || b->attempt == NULL)
        return;
    printf("    attackers: %s %.80s; %s %.80s\n", a->attempt->method, a->path, b->attempt->method,
           b->path);
    compare(&(struct attack){.name = "4 on the loop", .by = {a, a, a, a}});
    compare(&(struct attack){.name = "4 on workers", .by = {b, b, b, b}});
    compare(&(struct attack){.name = "2 and 2", .by = {a, a, b, b}});
    compare(&(struct attack){.name = "4, quotas", .by = {a, a, a, a}, .counted = true});
}

/* ---- all of it ---- */

static void find_threads(void)
{
    uint64_t before[THREADS_MAX], after[THREADS_MAX];
    char path[64];
    struct dirent *entry;
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)bench.plyd.pid);
    tasks = opendir(path);
    while ((entry = readdir(tasks)) != NULL && bench.threads < THREADS_MAX)
        if (entry->d_name[0] != '.')
            bench.thread[bench.threads++] = (pid_t)atoi(entry->d_name);
    closedir(tasks);
    read_at_rest(before);
    for (int i = 0; i < 100; i++)
        send_words(&bench.fd, "GET /healthz");
    read_at_rest(after);
    for (size_t i = 0; i < bench.threads; i++)
        if (after[i] - before[i] > after[bench.loop] - before[bench.loop])
            bench.loop = i;
}

static void take_argument(const char *argument)
{
    if (strcmp(argument, "--quick") == 0) {
        bench.tries = 12;
        bench.rounds = 3;
        bench.seconds = 2;
    } else if (strcmp(argument, "--all") == 0) {
        bench.all = true;
    } else {
        bench.only = argument;
    }
}

int main(int argc, char **argv)
{
    struct worst loop = {.on_loop = {.path = NULL}}, worker = {.on_loop = {.path = NULL}};
    char token[96];

    for (int i = 1; i < argc; i++)
        take_argument(argv[i]);
    bench.answers = mmap(NULL, ATTACKERS * sizeof(*bench.answers), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench.database = pg_test_database();
    plyd_migrate(bench.database);
    plyd_start(&bench.plyd, bench.database, "--loops", "1", "--cached-games", "16",
               "--trusted-proxies", "1", NULL);
    bench.fd = connect_quick();
    strcpy(bench.headers, "Content-Type: application/json\r\n");
    ask_for("POST", "/v1/players", "{\"name\":\"worst\"}", "\"token\":\"", token, sizeof(token));
    snprintf(bench.headers, sizeof(bench.headers),
             "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
    ask_for("GET", "/v1/me", NULL, "\"id\":\"", bench.id, sizeof(bench.id));
    make_games();
    make_words();
    make_bodies();
    find_threads();
    ratios_head();
    search(&loop, &worker);
    compare_all(&loop, &worker);
    plyd_stop(&bench.plyd);
    pg_test_drop(bench.database);
    arena_free(&bench.memory);
    return 0;
}
