#include "api/live/accounts.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "api/game/ids.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/identity/jwt.h"
#include "api/identity/keys.h"
#include "api/live/ask.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/part.h"
#include "api/text/lang.h"
#include "api/text/must.h"

enum {
    SLOTS = 4096,  /* a power of two, */
    STRAYS = 1024, /* and so is this */
    HASH_BYTES = 32,
    AT_ONCE = 16 /* that go on in one pass: each may take a signature to judge */
};

#define SECOND INT64_C(1000000)

/* A token that was found good. As with players.c, whoever comes later takes a slot over. */
struct slot {
    uint8_t token[HASH_BYTES];
    uint64_t keys; /* the version of the keys by which it was judged; 0: the slot is free */
    db_id account, player;
    int64_t until;
    uint64_t key;
    const struct lang *lang;
};

/* When a token came first that names no key that was known then. */
struct stray {
    uint8_t token[HASH_BYTES];
    int64_t came_at; /* on loop_clock_us() */
};

/* A request whose account is being found out, in its arena. */
struct question {
    struct request *request;
    const char *token;
    void (*then)(struct request *request, void *args);
    void *args;
    int64_t came_at; /* on loop_clock_us() */
    STAILQ_ENTRY(question) behind;
};

struct accounts {
    int fd;                /* eventfd: the keys were read */
    size_t waiting, ready; /* of those who wait, the first ones are to go on */
    STAILQ_HEAD(, question) line;
    struct slot slot[SLOTS];
    struct stray stray[STRAYS];
};

/* ---- tokens that are known ---- */

static void hash_token(const char *token, uint8_t hash[HASH_BYTES])
{
    crypto_generichash(hash, HASH_BYTES, (const unsigned char *)token, strlen(token), NULL, 0);
}

static uint32_t bits_of(const uint8_t hash[HASH_BYTES])
{
    uint32_t bits;

    memcpy(&bits, hash, sizeof(bits));
    return bits;
}

static struct slot *slot_of_account(struct loop *loop, const uint8_t hash[HASH_BYTES])
{
    return &accounts_of(loop)->slot[bits_of(hash) % SLOTS];
}

static void set_account(struct request *request, struct account account)
{
    struct account *copy = arena_alloc(&request->arena, sizeof(*copy));

    *copy = account;
    request->account = copy;
    request->lang = account.lang;
}

/* A hash that somebody aimed at a slot would have to be one of a good token. */
static bool recall(struct request *request, const char *token)
{
    uint8_t hash[HASH_BYTES];
    const struct slot *slot;

    hash_token(token, hash);
    slot = slot_of_account(request->loop, hash);
    if (slot->keys == 0 || slot->keys != keys_version() ||
        memcmp(slot->token, hash, sizeof(hash)) != 0 || slot->until <= db_now(db_of(request)))
        return false;
    set_account(request, (struct account){.id = slot->account,
                                          .player = slot->player,
                                          .until = slot->until,
                                          .key = slot->key,
                                          .is_known = true,
                                          .lang = slot->lang});
    return true;
}

void accounts_remember(struct request *request, const char *token)
{
    const struct account *account = request->account;
    uint8_t hash[HASH_BYTES];
    struct slot *slot;

    if (account->is_known)
        return;
    hash_token(token, hash);
    slot = slot_of_account(request->loop, hash);
    *slot = (struct slot){.keys = account->keys,
                          .account = account->id,
                          .player = account->player,
                          .until = account->until,
                          .key = account->key,
                          .lang = account->lang};
    memcpy(slot->token, hash, sizeof(hash));
}

/* ---- which player an account is ---- */

static db_id id_of(const char *issuer, const char *subject)
{
    static const unsigned char label[] = "plyd account";
    crypto_generichash_state state;
    db_id id;

    /* The NUL behind the issuer parts the two. */
    crypto_generichash_init(&state, label, sizeof(label) - 1, sizeof(id.byte));
    crypto_generichash_update(&state, (const unsigned char *)issuer, strlen(issuer) + 1);
    crypto_generichash_update(&state, (const unsigned char *)subject, strlen(subject));
    crypto_generichash_final(&state, id.byte, sizeof(id.byte));
    return id;
}

static void find_player(struct question *question);

/* Made, or somebody else was faster. */
static void on_made(void *context, const struct db_reply *reply)
{
    (void)reply;
    find_player(context);
}

/* The account is made before its player. Whoever finds no player of that id makes it (players.c),
 * so nothing is lost in between. */
static void make_account(struct question *question)
{
    struct request *request = question->request;
    struct db *db = db_of(request);
    struct db_account *fresh = arena_alloc(&request->arena, sizeof(*fresh));

    *fresh = (struct db_account){request->account->id, ids_new(db_now(db))};
    db_create_account(db, fresh, db_now(db),
                      ASK_ALSO(done, request, ASK_CONFLICT, on_made, question));
}

static void know_account_player(void *context, const struct db_reply *reply,
                                const struct db_account *account)
{
    struct question *question = context;
    struct request *request = question->request;
    struct account found = *request->account;

    if (reply->outcome == DB_NOT_FOUND) {
        make_account(question);
        return;
    }
    found.player = account->player;
    set_account(request, found);
    question->then(request, question->args);
}

static void find_player(struct question *question)
{
    struct request *request = question->request;

    db_get_account(db_of(request), request->account->id,
                   ASK_ALSO(account, request, ASK_MISSING, know_account_player, question));
}

/* ---- a token that is not known ---- */

static void accept_account(struct question *question, const struct jwt *jwt, uint64_t keys)
{
    struct request *request = question->request;

    metrics_add(&request->loop->metrics.jwt_good, 1);
    set_account(request,
                (struct account){.id = id_of(request->loop->config->jwt_issuer, jwt->subject),
                                 .until = jwt->until_s * SECOND,
                                 .keys = keys,
                                 .key = jwt->key,
                                 .name = jwt->name,
                                 .lang = lang_find(jwt->locale)});
    find_player(question);
}

static void refuse_account(struct question *question, enum problem problem, const char *detail)
{
    struct request *request = question->request;

    metrics_add(&request->loop->metrics.jwt_refused, 1);
    if (problem == PROBLEM_KEYS_UNAVAILABLE)
        reply_header(request, "Retry-After", arena_format(&request->arena, "%u", keys_next_s()));
    reply_problem(request, problem, detail);
}

/* Whether somebody's request may wait. A stranger who has many is to leave room for others. */
static bool has_account_room(const struct accounts *accounts, const struct request *request)
{
    const struct question *other;
    size_t own = 0;

    STAILQ_FOREACH(other, &accounts->line, behind)
    own += request->client != 0 && other->request->client == request->client;
    return accounts->waiting < ACCOUNTS_WAITING_MAX && own < ACCOUNTS_WAITING_EACH;
}

/* The request goes on when the keys were read. False: there is no room. */
static bool wait_for_keys(struct question *question)
{
    struct accounts *accounts = accounts_of(question->request->loop);

    if (!has_account_room(accounts, question->request))
        return false;
    STAILQ_INSERT_TAIL(&accounts->line, question, behind);
    accounts->waiting++;
    return true;
}

/* When the token of a question came for the first time, as far as that is remembered. So whoever
 * comes again, having been told to, need not wait again. A stranger can neither send another's
 * token nor have anything happen by taking over its place but one more wait. */
static int64_t first_came_at(const struct question *question)
{
    uint8_t hash[HASH_BYTES];
    struct stray *stray;

    hash_token(question->token, hash);
    stray = &accounts_of(question->request->loop)->stray[bits_of(hash) % STRAYS];
    if (memcmp(stray->token, hash, sizeof(hash)) != 0) {
        memcpy(stray->token, hash, sizeof(hash));
        stray->came_at = question->came_at;
    }
    return stray->came_at;
}

/* The token names a key that the held keys have not. That there is none such is said only if the
 * provider was asked since the token came: whoever is told so signs the person out. */
static void look_for_key(struct question *question, const struct keys_held *held,
                         enum problem problem, const char *detail)
{
    enum keys_miss miss = keys_miss(held, first_came_at(question));

    if (miss == KEYS_LATEST)
        refuse_account(question, problem, detail);
    else if (miss == KEYS_AWAY || !wait_for_keys(question))
        refuse_account(question, PROBLEM_KEYS_UNAVAILABLE, NULL);
}

static enum problem judge_account(struct question *question, const struct key_set *set,
                                  struct jwt *jwt, const char **detail)
{
    struct request *request = question->request;
    const struct config *config = request->loop->config;
    const struct jwt_demand demand = {.issuer = config->jwt_issuer,
                                      .audience = config->jwt_audience,
                                      .age_s = config->jwt_age_s,
                                      .now_s = db_now(db_of(request)) / SECOND};

    *detail = NULL;
    return set == NULL ? PROBLEM_KEYS_UNAVAILABLE
                       : jwt_judge(&request->arena, set, &demand, question->token, jwt, detail);
}

static void examine(struct question *question)
{
    struct keys_held held;
    enum problem problem;
    const char *detail;
    struct jwt jwt;

    keys_hold(&held);
    problem = judge_account(question, held.set, &jwt, &detail);
    if (problem == PROBLEM_NONE)
        accept_account(question, &jwt, held.version);
    else if (problem == PROBLEM_KEYS_UNAVAILABLE || problem == PROBLEM_JWT_KEY_UNKNOWN)
        look_for_key(question, &held, problem, detail);
    else
        refuse_account(question, problem, detail);
    keys_let_go(&held);
}

/* ---- requests ---- */

bool accounts_take(const struct request *request, const char *token)
{
    return request->loop->config->jwks != NULL && jwt_is_one(token);
}

static struct question *new_question(struct request *request, const char *token,
                                     void (*then)(struct request *request, void *args), void *args)
{
    struct question *question = arena_zero(&request->arena, sizeof(*question));

    question->request = request;
    question->token = token;
    question->then = then;
    question->args = args;
    question->came_at = loop_clock_us();
    return question;
}

void accounts_identify(struct request *request, const char *token,
                       void (*then)(struct request *request, void *args), void *args)
{
    request->account = NULL;
    if (recall(request, token))
        then(request, args);
    else
        examine(new_question(request, token, then, args));
}

void accounts_renew(struct request *request, const char *token,
                    void (*then)(struct request *request, void *args), void *args)
{
    struct account account = *request->account;

    account.is_known = false;
    set_account(request, account);
    find_player(new_question(request, token, then, args));
}

/* ---- a part of a loop ---- */

static void accounts_open(struct loop *loop)
{
    bool is_wanted = loop->config->jwks != NULL;
    int fd = is_wanted ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
    struct accounts *accounts;

    if (is_wanted && fd < 0)
        return;
    accounts = must_zero(sizeof(*accounts));
    STAILQ_INIT(&accounts->line);
    accounts->fd = fd;
    if (is_wanted)
        keys_listen(fd);
    loop->own[PART_accounts] = accounts;
}

static int accounts_fd(const struct loop *loop)
{
    return accounts_of(loop)->fd;
}

/* The first ones of the line leave it before they go on, since they may come to wait again. */
static void end_waits(struct loop *loop, size_t count, void (*go_on)(struct question *question))
{
    struct accounts *accounts = accounts_of(loop);

    for (; count > 0; count--) {
        struct question *question = STAILQ_FIRST(&accounts->line);

        STAILQ_REMOVE_HEAD(&accounts->line, behind);
        assert(accounts->waiting > 0);
        accounts->waiting--;
        metering_begin(loop);
        go_on(question);
        metering_end(loop, question->request);
    }
}

/* A few in each pass. What is left for the next one counts as one at the descriptor; more than that
 * means that the keys were read meanwhile, and all go on. */
static void accounts_told(struct loop *loop)
{
    struct accounts *accounts = accounts_of(loop);
    uint64_t count, one = 1;
    size_t some;

    if (read(accounts->fd, &count, sizeof(count)) < 0)
        return;
    if (accounts->ready == 0 || count > 1)
        accounts->ready = accounts->waiting;
    some = accounts->ready < AT_ONCE ? accounts->ready : AT_ONCE;
    accounts->ready -= some;
    end_waits(loop, some, examine);
    if (accounts->ready > 0 && write(accounts->fd, &one, sizeof(one)) < 0)
        abort(); /* a counter of 64 bits is not full */
}

static void refuse_wait(struct question *question)
{
    refuse_account(question, PROBLEM_KEYS_UNAVAILABLE, "The daemon is stopping.");
}

static void accounts_stop(struct loop *loop)
{
    keys_listen_no_more(accounts_of(loop)->fd);
    end_waits(loop, accounts_of(loop)->waiting, refuse_wait);
}

static void accounts_close(struct loop *loop)
{
    struct accounts *accounts = accounts_of(loop);

    if (accounts->fd >= 0)
        close(accounts->fd);
    free(accounts);
}

const struct part accounts_part = {.open = accounts_open,
                                   .fd = accounts_fd,
                                   .wake = accounts_told,
                                   .stop = accounts_stop,
                                   .close = accounts_close};
