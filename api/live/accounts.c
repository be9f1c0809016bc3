#include "api/live/accounts.h"

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
#include "api/text/lang.h"
#include "api/text/must.h"

enum { SLOTS = 4096 /* a power of two */, HASH_BYTES = 32 };

#define SECOND INT64_C(1000000)

/* A token that was found good. As with players.c, whoever comes later takes a slot over. */
struct slot {
    uint8_t token[HASH_BYTES];
    uint64_t keys; /* the version of the keys by which it was judged; 0: the slot is free */
    db_id account, player;
    int64_t until;
    const struct lang *lang;
};

/* A request whose account is being found out, in its arena. */
struct question {
    struct request *request;
    const char *token;
    void (*then)(struct request *request, void *args);
    void *args;
    bool has_waited;
    STAILQ_ENTRY(question) behind;
};

struct accounts {
    int fd; /* eventfd: the keys were read */
    size_t waiting;
    STAILQ_HEAD(, question) line;
    struct slot slot[SLOTS];
};

/* ---- tokens that are known ---- */

static void hash_token(const char *token, uint8_t hash[HASH_BYTES])
{
    crypto_generichash(hash, HASH_BYTES, (const unsigned char *)token, strlen(token), NULL, 0);
}

static struct slot *slot_of(struct loop *loop, const uint8_t hash[HASH_BYTES])
{
    uint32_t bits;

    memcpy(&bits, hash, sizeof(bits));
    return &accounts_of(loop)->slot[bits % SLOTS];
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
    slot = slot_of(request->loop, hash);
    if (slot->keys == 0 || slot->keys != keys_version() ||
        memcmp(slot->token, hash, sizeof(hash)) != 0 || slot->until <= db_now(db_of(request)))
        return false;
    set_account(request, (struct account){.id = slot->account,
                                          .player = slot->player,
                                          .until = slot->until,
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
    slot = slot_of(request->loop, hash);
    *slot = (struct slot){.keys = account->keys,
                          .account = account->id,
                          .player = account->player,
                          .until = account->until,
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
static void make(struct question *question)
{
    struct request *request = question->request;
    struct db *db = db_of(request);
    struct db_account *fresh = arena_alloc(&request->arena, sizeof(*fresh));

    *fresh = (struct db_account){request->account->id, ids_new(db_now(db))};
    db_create_account(db, fresh, db_now(db),
                      ASK_ALSO(done, request, ASK_CONFLICT, on_made, question));
}

static void know_player(void *context, const struct db_reply *reply,
                        const struct db_account *account)
{
    struct question *question = context;
    struct request *request = question->request;
    struct account found = *request->account;

    if (reply->outcome == DB_NOT_FOUND) {
        make(question);
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
                   ASK_ALSO(account, request, ASK_MISSING, know_player, question));
}

/* ---- a token that is not known ---- */

static void accept(struct question *question, const struct jwt *jwt, uint64_t keys)
{
    struct request *request = question->request;

    metrics_add(&request->loop->metrics.jwt_good, 1);
    set_account(request,
                (struct account){.id = id_of(request->loop->config->jwt_issuer, jwt->subject),
                                 .until = jwt->until_s * SECOND,
                                 .keys = keys,
                                 .name = jwt->name,
                                 .lang = lang_find(jwt->locale)});
    find_player(question);
}

static void refuse(struct question *question, enum problem problem, const char *detail)
{
    struct request *request = question->request;

    metrics_add(&request->loop->metrics.jwt_refused, 1);
    if (problem == PROBLEM_KEYS_UNAVAILABLE)
        reply_header(request, "Retry-After", arena_format(&request->arena, "%u", keys_next_s()));
    reply_problem(request, problem, detail);
}

/* The keys are being read: the request goes on when that is over. False: it must not wait. */
static bool wait_for_keys(struct question *question, const struct keys_held *held)
{
    struct accounts *accounts = accounts_of(question->request->loop);

    if (question->has_waited || accounts->waiting >= ACCOUNTS_WAITING_MAX || !keys_miss(held))
        return false;
    question->has_waited = true;
    STAILQ_INSERT_TAIL(&accounts->line, question, behind);
    accounts->waiting++;
    return true;
}

static enum problem judge(struct question *question, const struct key_set *set, struct jwt *jwt,
                          const char **detail)
{
    struct request *request = question->request;
    const struct config *config = request->loop->config;
    const struct jwt_demand demand = {config->jwt_issuer, config->jwt_audience,
                                      db_now(db_of(request)) / SECOND};

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
    problem = judge(question, held.set, &jwt, &detail);
    if (problem == PROBLEM_NONE)
        accept(question, &jwt, held.version);
    else if ((problem != PROBLEM_KEYS_UNAVAILABLE && problem != PROBLEM_JWT_KEY_UNKNOWN) ||
             !wait_for_keys(question, &held))
        refuse(question, problem, detail);
    keys_let_go(&held);
}

/* ---- requests ---- */

bool accounts_take(const struct request *request, const char *token)
{
    return accounts_of(request->loop) != NULL && jwt_is_one(token);
}

static struct question *new_question(struct request *request, const char *token,
                                     void (*then)(struct request *request, void *args), void *args)
{
    struct question *question = arena_zero(&request->arena, sizeof(*question));

    question->request = request;
    question->token = token;
    question->then = then;
    question->args = args;
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

bool accounts_open(struct loop *loop)
{
    struct accounts *accounts;

    if (loop->config->jwks == NULL)
        return true;
    accounts = must_zero(sizeof(*accounts));
    STAILQ_INIT(&accounts->line);
    accounts->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    loop->own[PART_accounts] = accounts;
    if (accounts->fd >= 0)
        keys_listen(accounts->fd);
    return accounts->fd >= 0;
}

int accounts_fd(const struct loop *loop)
{
    return accounts_of(loop) == NULL ? -1 : accounts_of(loop)->fd;
}

/* Takes those who wait out of the line before any goes on, since one may come to wait. */
static void end_waits(struct loop *loop, void (*go_on)(struct question *question))
{
    struct accounts *accounts = accounts_of(loop);
    size_t count = accounts->waiting;

    for (; count > 0; count--) {
        struct question *question = STAILQ_FIRST(&accounts->line);

        STAILQ_REMOVE_HEAD(&accounts->line, behind);
        accounts->waiting--;
        metering_begin(loop);
        go_on(question);
        metering_end(loop, question->request);
    }
}

void accounts_told(struct loop *loop)
{
    uint64_t count;

    if (read(accounts_of(loop)->fd, &count, sizeof(count)) > 0)
        end_waits(loop, examine);
}

static void refuse_wait(struct question *question)
{
    refuse(question, PROBLEM_KEYS_UNAVAILABLE, "The daemon is stopping.");
}

void accounts_stop(struct loop *loop)
{
    if (accounts_of(loop) == NULL)
        return;
    keys_listen_no_more(accounts_of(loop)->fd);
    end_waits(loop, refuse_wait);
}

void accounts_close(struct loop *loop)
{
    struct accounts *accounts = accounts_of(loop);

    if (accounts == NULL)
        return;
    close(accounts->fd);
    free(accounts);
}
