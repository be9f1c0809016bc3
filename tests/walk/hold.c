#include "hold.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "letter.h"
#include "same.h"

/* ---- what came how often ---- */

enum { KINDS_MAX = 400 };

static struct {
    char kind[64];
    long times;
} counts[KINDS_MAX];

void hold_count(const char *kind)
{
    size_t i = 0;

    while (i < KINDS_MAX - 1 && counts[i].times > 0 && strcmp(counts[i].kind, kind) != 0)
        i++;
    snprintf(counts[i].kind, sizeof(counts[i].kind), "%s", kind);
    counts[i].times++;
}

static int compare_counts(const void *a, const void *b)
{
    return strcmp(a, b);
}

void hold_print_counts(FILE *file)
{
    size_t n = 0;

    while (n < KINDS_MAX && counts[n].times > 0)
        n++;
    qsort(counts, n, sizeof(counts[0]), compare_counts);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%10ld  %s\n", counts[i].times, counts[i].kind);
}

static void count_answer(const struct model_request *request, const struct model_answer *answer)
{
    static const char *const verbs[] = {
        "create",    "fork",    "join",   "post",    "put",      "undo",     "redo",    "resign",
        "abort",     "offer",   "accept", "decline", "withdraw", "claim",    "message", "invite",
        "disinvite", "rematch", "game",   "events",  "history",  "position", "legal"};
    char kind[64];

    snprintf(kind, sizeof(kind), "%s %d%s%s%s", verbs[request->verb], answer->status,
             answer->replayed                            ? " again"
             : request->dry_run && answer->status == 200 ? " dry"
                                                         : "",
             answer->code == NULL ? "" : " ", answer->code == NULL ? "" : answer->code);
    hold_count(kind);
}

/* ---- failing ---- */

static void fail(const struct walk *walk, const struct letter *letter, int port, const char *got,
                 const char *format, ...) __attribute__((format(printf, 5, 6), noreturn));

static void fail(const struct walk *walk, const struct letter *letter, int port, const char *got,
                 const char *format, ...)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    va_list args;

    fprintf(file, "seed %llu, step %ld:\n", (unsigned long long)walk->first_seed, walk->step);
    letter_print(file, letter, port);
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    fprintf(file, "\nwhat came: %s\nthe walk so far: %s\n", got, walk->log_name);
    fclose(file);
    fprintf(walk->log, "%s", text);
    cr_assert(false, "%s", text);
    abort(); /* not reached */
}

/* ---- an answer ---- */

/* What a problem says in words, and what it proves, is not the model's affair. */
static void strip_problem(cJSON *problem)
{
    static const char *const free[] = {"type", "title", "detail", "pointer", "rule", "request_id"};

    for (size_t i = 0; i < sizeof(free) / sizeof(free[0]); i++)
        cJSON_DeleteItemFromObject(problem, free[i]);
}

struct held {
    struct walk *walk;
    const struct walk_step *step;
    bool only_looks;
    struct letter letter;
    struct model_answer expected;
    struct answer got;
    int port;
};

static void fail_held(const struct held *held, const char *what)
{
    char *expected = held->expected.body == NULL ? NULL : cJSON_Print(held->expected.body);

    fail(held->walk, &held->letter, held->port, held->got.reply.body, "%s\nexpected: %d %s %s",
         what, held->expected.status, held->expected.code == NULL ? "" : held->expected.code,
         expected != NULL               ? expected
         : held->expected.again != NULL ? held->expected.again->body
         : held->expected.text != NULL  ? held->expected.text
                                        : "");
}

/* What GET shows has the version, and behind it the form. */
static void check_etag(const struct held *held)
{
    char wanted[32], value[256];

    if (held->expected.version == 0)
        return;
    snprintf(wanted, sizeof(wanted), "\"%d%c", held->expected.version,
             held->got.status < 400 && held->step->request.verb >= MODEL_GAME ? '-' : '"');
    if (http_header(&held->got.reply, "ETag", value) == NULL ||
        strncmp(value, wanted, strlen(wanted)) != 0)
        fail_held(held, "the ETag is another");
}

/* A request that was sent twice, since the daemon died over it, may have been done the first time.
 */
static void check_replayed(const struct held *held)
{
    char value[256];
    bool told = http_header(&held->got.reply, "Idempotent-Replayed", value) != NULL;

    if (told != held->expected.replayed && held->step->kill != WALK_KILLED_MEANWHILE)
        fail_held(held, "Idempotent-Replayed is wrong");
}

static void check_text(const struct held *held)
{
    const struct model_answer *expected = &held->expected;
    const char *got = held->got.reply.body;
    char code[96];

    snprintf(code, sizeof(code), "(%d %s", expected->status,
             expected->code == NULL ? "" : expected->code);
    if (held->got.json != NULL)
        fail_held(held, "a text is wanted");
    if (expected->code != NULL && strstr(got, code) == NULL)
        fail_held(held, "it is another problem");
    if (expected->text == NULL)
        return;
    if (expected->whole ? strcmp(got, expected->text) != 0
                        : strncmp(got, expected->text, strlen(expected->text)) != 0)
        fail_held(held, "the text is another");
}

static void check_body(const struct held *held)
{
    const struct model_answer *expected = &held->expected;
    char where[SAME_WHERE] = "", what[SAME_WHERE + 32];

    if (expected->again != NULL) {
        if (strcmp(expected->again->body, held->got.reply.body) != 0)
            fail_held(held, "it is not the first answer again");
    } else if (expected->body == NULL) {
        check_text(held);
    } else {
        if (expected->code != NULL)
            strip_problem(held->got.json);
        if (same_json(expected->body, held->got.json, where))
            return;
        snprintf(what, sizeof(what), "another %s", where);
        fail_held(held, what);
    }
}

/* A move that was sent twice, since the daemon died over it, may be there from the first time. */
static bool is_there_already(const struct held *held)
{
    return held->step->kill == WALK_KILLED_MEANWHILE && held->step->request.verb == MODEL_PUT &&
           held->expected.status == 201 && held->got.status == 200;
}

static void check(const struct held *held)
{
    if (held->got.status != held->expected.status && !is_there_already(held))
        fail_held(held, "the status is another");
    check_etag(held);
    check_replayed(held);
    check_body(held);
}

/* ---- sending ---- */

/* One connection for all requests. Head and body are sent apart, so the body must not wait until
 * the head has been acknowledged. */
void hold_connect(struct walk *walk, int daemon)
{
    int fd = http_connect(daemon == 0 ? walk->house.plyd.port : walk->house.second.port), on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    walk->fd[daemon] = fd;
}

static void start_anew(struct walk *walk, int daemon)
{
    struct plyd *plyd = daemon == 0 ? &walk->house.plyd : &walk->house.second;

    plyd_kill9(plyd);
    plyd_start(plyd, walk->house.database, daemon == 0 ? NULL : "--cached-games", "16", NULL);
    close(walk->fd[daemon]);
    hold_connect(walk, daemon);
}

/* So that the daemon has some time to go on with what was sent before, or has none. */
static void pause_for(struct walk *walk, int daemon, int requests)
{
    int port = daemon == 0 ? walk->house.plyd.port : walk->house.second.port;

    while (requests-- > 0) {
        struct http_reply reply;

        http_request(port, &reply, "GET", "/healthz", NULL, NULL);
        http_free(&reply);
    }
}

static void send_letter(struct walk *walk, int daemon, const struct letter *letter)
{
    http_send(walk->fd[daemon], letter->method, letter->path, letter->headers, letter->body,
              letter->body == NULL ? 0 : strlen(letter->body));
}

static struct answer exchange(struct held *held)
{
    struct walk *walk = held->walk;
    int daemon = held->step->daemon;
    struct http_reply reply;

    if (held->step->kill == WALK_KILLED_BEFORE)
        start_anew(walk, daemon);
    if (held->step->kill == WALK_KILLED_MEANWHILE) {
        send_letter(walk, daemon, &held->letter);
        pause_for(walk, daemon, held->step->pauses);
        start_anew(walk, daemon);
    }
    held->port = daemon == 0 ? walk->house.plyd.port : walk->house.second.port;
    send_letter(walk, daemon, &held->letter);
    http_receive(walk->fd[daemon], held->letter.method, &reply);
    walk->requests++;
    if (reply.status == 0)
        fail(walk, &held->letter, held->port, "nothing", "no answer");
    if (held->only_looks) /* the contract holds for these as it does for steps: that costs more */
        return (struct answer){reply.status, reply, cJSON_Parse(reply.body)};
    return answer_of(&walk->house, held->letter.method, held->letter.path, reply);
}

/* ---- what only the daemon can say ---- */

/* A member of the answer, or what its text has behind that word. */
static void take(const struct held *held, const char *name, char *value, size_t size)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(held->got.json, name);
    const char *at = strstr(held->got.reply.body, name);

    if (cJSON_IsString(member)) {
        snprintf(value, size, "%s", member->valuestring);
    } else if (at != NULL) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
        snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
}

static void learn_tokens(const struct held *held, struct walk_game *game)
{
    struct story *story = game->story;

    for (int i = 0; i < STORY_SEATS; i++) {
        struct story_client *sitter = &game->sitter[i];

        if (story->seat[i].sitter != STORY_PERSON ||
            (held->expected.joined != 0 && held->expected.joined != i + 1))
            continue;
        memset(sitter, 0, sizeof(*sitter));
        take(held, "token", sitter->token, sizeof(sitter->token));
        strcpy(story->seat[i].token, sitter->token);
    }
}

static void learn_code(const struct held *held, struct story *story)
{
    struct story_seat *seat = &story->seat[held->expected.invited - 1];

    take(held, "code", seat->code, sizeof(seat->code));
}

static void learn_time(const struct held *held, struct story *story)
{
    const cJSON *game = cJSON_GetObjectItemCaseSensitive(held->got.json, "game"), *at;

    at = cJSON_GetObjectItemCaseSensitive(game != NULL ? game : held->got.json, "updated_at");
    if (cJSON_IsString(at) && !held->step->request.dry_run)
        story_learn_time(story, at->valuestring);
}

/* Answers to requests with keys are kept, where something was done. */
static void keep(const struct held *held, const struct story *story)
{
    const struct model_request *request = &held->step->request;
    struct model_kept *kept = calloc(1, sizeof(*kept));

    if (kept == NULL)
        abort();
    snprintf(kept->game, sizeof(kept->game), "%s", story->id);
    snprintf(kept->key, sizeof(kept->key), "%s", request->key);
    snprintf(kept->caller, sizeof(kept->caller), "%s", story_caller(request->who));
    kept->made = held->expected.made != NULL;
    kept->whole = kept->made || held->expected.joined != 0 || held->expected.invited != 0;
    kept->sent = strdup(request->sent);
    kept->body = strdup(held->got.reply.body);
    kept->status = held->got.status;
    kept->version = held->expected.version;
    kept->next = held->walk->kept;
    held->walk->kept = kept;
}

/* The rematch takes a place of its own; the same people play it with the same tokens. */
static void learn_next(const struct held *held, const struct walk_game *old, struct walk_game *next)
{
    struct story *story = old->story;

    next->story = held->expected.next;
    take(held, "id", next->story->id, sizeof(next->story->id));
    strcpy(story->next, next->story->id);
    cJSON_ReplaceItemInObject(story->event[story->version - 1].data, "game",
                              cJSON_CreateString(story->next));
    for (int i = 0; i < STORY_SEATS; i++)
        next->sitter[i] = old->sitter[STORY_SEATS - 1 - i];
    learn_time(held, next->story);
}

static void learn(const struct held *held, struct walk_game *game, size_t slot, bool changed)
{
    if (held->expected.made != NULL) {
        game->story = held->expected.made;
        take(held, "id", game->story->id, sizeof(game->story->id));
    }
    if (held->expected.made != NULL || held->expected.joined != 0)
        learn_tokens(held, game);
    if (held->expected.invited != 0)
        learn_code(held, game->story);
    if (held->expected.next != NULL)
        learn_next(held, game, &held->walk->game[slot]);
    else if (game != NULL && game->story != NULL && held->step->request.verb != MODEL_REMATCH)
        learn_time(held, game->story);
    if (held->step->request.key != NULL && changed)
        keep(held, game->story);
}

/* ---- steps ---- */

static struct walk_game *game_of(struct walk *walk, const struct story *story)
{
    for (size_t i = 0; story != NULL && i < WALK_GAMES; i++)
        if (walk->game[i].story == story)
            return &walk->game[i];
    return NULL;
}

static struct story *next_of(struct walk *walk, const struct story *story)
{
    for (size_t i = 0; i < WALK_GAMES; i++)
        if (walk->game[i].story != NULL && strcmp(walk->game[i].story->id, story->next) == 0)
            return walk->game[i].story;
    return NULL;
}

static void hold(struct walk *walk, struct walk_step *step, size_t slot, bool only_looks)
{
    struct model_request *request = &step->request;
    int before = request->story == NULL ? 0 : request->story->version;
    struct held held = {.walk = walk, .step = step, .only_looks = only_looks};
    bool changed;

    letter_write(step, &held.letter);
    request->sent = held.letter.sent;
    request->key = step->key[0] == '\0' ? NULL : step->key;
    fprintf(walk->log, "%ld %s", walk->step,
            step->kill == WALK_LIVES           ? ""
            : step->kill == WALK_KILLED_BEFORE ? "(killed before) "
                                               : "(killed meanwhile) ");
    letter_print(walk->log, &held.letter,
                 step->daemon == 0 ? walk->house.plyd.port : walk->house.second.port);
    request->next = request->story == NULL ? NULL : next_of(walk, request->story);
    model_answer(walk->kept, request, &held.expected);
    if (!only_looks)
        count_answer(request, &held.expected);
    held.got = exchange(&held);
    check(&held);
    changed =
        held.expected.made != NULL || (request->story != NULL && request->story->version > before);
    learn(&held, held.expected.made != NULL ? &walk->game[slot] : game_of(walk, request->story),
          slot, changed);
    model_answer_free(&held.expected);
    letter_free(&held.letter);
    request->sent = request->key = NULL;
}

void hold_step(struct walk *walk, struct walk_step *step, size_t slot)
{
    hold(walk, step, slot, false);
}

/* ---- the whole game ---- */

struct walk_step hold_look(enum model_verb verb, const struct story_client *who,
                           struct story *story)
{
    struct walk_step step;

    memset(&step, 0, sizeof(step));
    step.request.verb = verb;
    step.request.who = who;
    step.request.story = story;
    step.request.has = step.request.ply = step.request.line = step.request.to_ply = MODEL_NONE;
    step.request.after = step.request.limit = step.request.seat = MODEL_NONE;
    return step;
}

static void look_at(struct walk *walk, struct walk_step *step)
{
    long before = ftell(walk->log);

    step->daemon = (int)(walk->requests % WALK_DAEMONS);
    hold(walk, step, 0, true);
    if (fseek(walk->log, before, SEEK_SET) != 0)
        abort();
}

void hold_game(struct walk *walk, const struct walk_game *game, const struct story_client *who,
               bool all)
{
    struct story *story = game->story;
    struct walk_step step = hold_look(MODEL_GAME, who, story);
    int lines = story_last(story)->line;

    look_at(walk, &step);
    for (int after = 0; after < story->version; after += 200) {
        step = hold_look(MODEL_EVENTS, who, story);
        step.request.after = after;
        step.request.limit = 200;
        look_at(walk, &step);
    }
    for (int line = 1; line <= lines; line++) {
        if (!all && line != lines && line != walk->step % lines)
            continue;
        step = hold_look(MODEL_HISTORY, who, story);
        step.request.line = line;
        step.request.limit = 200;
        look_at(walk, &step);
    }
}
