/*
 * crashes.c - which game has crashed the program (crashes.h).
 *
 * The stack tells: of the frames between the place of the crash and plyd, the last one that lies in
 * a module is the function that was called. Everything that is needed is found out beforehand, as
 * far as it can be: in a handler nothing may be allocated or locked.
 */
#include "api/tool/crashes.h"

#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "engine/engine.h"

enum {
    FRAMES_MAX = 1 << 20,
    OWN_FRAMES = 2,    /* of the handler, and of what calls it */
    BEYOND = 64 << 10, /* how far from its top a stack that is full is written to */
    PROGRAM = RULES_GAMES_MAX
};

/* The addresses of a file in memory. */
struct range {
    uintptr_t from, to;
};

static struct {
    const struct rules_module *module[RULES_GAMES_MAX];
    struct range range[RULES_GAMES_MAX + 1]; /* the last is the program's */
    size_t n;
} watched;

/* ---- where what lies ---- */

struct seek {
    uintptr_t address;
    struct range *found;
};

static int look_at_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct seek *seek = context;
    struct range range = {UINTPTR_MAX, 0};

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        range.from = from < range.from ? from : range.from;
        range.to = from + info->dlpi_phdr[i].p_memsz > range.to ? from + info->dlpi_phdr[i].p_memsz
                                                                : range.to;
    }
    if (seek->address < range.from || seek->address >= range.to)
        return 0;
    *seek->found = range;
    return 1;
}

static void find_range(const void *address, struct range *range)
{
    struct seek seek = {(uintptr_t)address, range};

    dl_iterate_phdr(look_at_object, &seek);
}

/* The number of the module that an address lies in; PROGRAM; or -1: it is in some library. */
static int owner_of(const void *address)
{
    for (size_t i = 0; i < watched.n; i++)
        if ((uintptr_t)address >= watched.range[i].from && (uintptr_t)address < watched.range[i].to)
            return (int)i;
    return (uintptr_t)address >= watched.range[PROGRAM].from &&
                   (uintptr_t)address < watched.range[PROGRAM].to
               ? PROGRAM
               : -1;
}

/* ---- what was called ---- */

#define OF_GAME(name)                                 \
    {                                                 \
#name "()", offsetof(struct rules_game, name) \
    }

static const struct call {
    const char *name;
    size_t at;
} of_game[] = {OF_GAME(resolve),   OF_GAME(start),       OF_GAME(position_text), OF_GAME(to_move),
               OF_GAME(legal),     OF_GAME(count),       OF_GAME(is_heavy),      OF_GAME(play),
               OF_GAME(outcome),   OF_GAME(key),         OF_GAME(symmetries),    OF_GAME(turn),
               OF_GAME(span),      OF_GAME(check),       OF_GAME(declare),       OF_GAME(move_text),
               OF_GAME(read_move), OF_GAME(pretty),      OF_GAME(path),          OF_GAME(effects),
               OF_GAME(at_odds),   OF_GAME(clicks_text), OF_GAME(board),         OF_GAME(missing),
               OF_GAME(at),        OF_GAME(lines),       OF_GAME(hand)};

/* Whether the pointer that lies at a place of a table leads there. */
static bool leads_to(const void *table, size_t at, const void *begin)
{
    void *function;

    memcpy(&function, (const char *)table + at, sizeof(function));
    return function == begin;
}

/* The name of a function of the module by where it begins; NULL: it is none, or one that ended with
 * a jump into another. */
static const char *name_of(const struct rules_module *module, const void *begin)
{
    const struct rules_game *game = module->game;

    if (begin == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof(of_game) / sizeof(of_game[0]); i++)
        if (leads_to(game, of_game[i].at, begin))
            return of_game[i].name;
    for (size_t i = 0; i < game->nzones; i++)
        if (leads_to(&game->zones[i], offsetof(struct rules_zone, has), begin))
            return "has() of a zone";
    for (size_t i = 0; module->engine != NULL && engine_functions[i].name != NULL; i++)
        if (leads_to(module->engine, engine_functions[i].at, begin))
            return engine_functions[i].name;
    return NULL;
}

/* ---- the last words ---- */

/* What is known of the stack, frame by frame from the crash. */
struct trail {
    unsigned frames;
    uintptr_t top, bottom; /* of the stack where it crashed, as far as it is known */
    int module;            /* the last one before plyd that a frame lies in; -1: none does */
    void *place;           /* in the function of that frame */
    bool in_plyd;
};

static _Unwind_Reason_Code follow(struct _Unwind_Context *context, void *cls)
{
    struct trail *trail = cls;
    int is_exact = 0, owner;
    uintptr_t place = _Unwind_GetIPInfo(context, &is_exact);

    place += is_exact != 0; /* a call has come back behind itself; a crash has not */
    if (trail->frames++ < OWN_FRAMES)
        return _URC_NO_REASON;
    trail->bottom = _Unwind_GetCFA(context);
    if (trail->frames == OWN_FRAMES + 1)
        trail->top = trail->bottom;
    owner = owner_of((void *)place);
    trail->in_plyd = trail->in_plyd || owner == PROGRAM;
    if (owner >= 0 && !trail->in_plyd) {
        trail->module = owner;
        trail->place = (void *)place;
    }
    if (trail->frames == FRAMES_MAX)
        return _URC_END_OF_STACK;
    return _URC_NO_REASON;
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static void tell(const struct trail *trail, bool is_full)
{
    const struct rules_module *module = watched.module[trail->module];
    const char *name = name_of(module, _Unwind_FindEnclosingFunction(trail->place));

    say("plyd: the game ");
    say(module->game->name);
    say(" crashes");
    if (name != NULL) {
        say(" in ");
        say(name);
    }
    say(is_full ? ": its stack is full\n" : "\n");
}

/* The game with which plyd was dealing where it crashed itself, as what a module says of a position
 * may lead it astray: the one whose table the stack has an address of, nearest to the crash; -1:
 * none. It is read word by word, whatever lies there. */
__attribute__((no_sanitize_address)) static int suspect(const struct trail *trail)
{
    for (uintptr_t at = trail->top; at + sizeof(at) <= trail->bottom; at += sizeof(at))
        for (size_t i = 0; i < watched.n; i++)
            if (*(const volatile uintptr_t *)at == (uintptr_t)watched.module[i]->game)
                return (int)i;
    return -1;
}

static void tell_suspect(int module)
{
    say("plyd: it crashes while it deals with the game ");
    say(watched.module[module]->game->name);
    say(", which plyd check-game tries\n");
}

/* Whether this is the address of a crash near the top of a stack: beyond it there is no memory. */
static bool is_near(const struct trail *trail, const void *address)
{
    uintptr_t at = (uintptr_t)address;

    return (at > trail->top ? at - trail->top : trail->top - at) < BEYOND;
}

/* A crash that the processor has found comes again once the handler returns, with the place in its
 * core. Any other signal is sent again. */
static void on_crash(int number, siginfo_t *info, void *context)
{
    struct trail trail = {.module = -1};

    (void)context;
    signal(number, SIG_DFL); /* of what this handler does wrong, too */
    _Unwind_Backtrace(follow, &trail);
    if (trail.module >= 0)
        tell(&trail, number == SIGSEGV && info->si_code > 0 && is_near(&trail, info->si_addr));
    else if (suspect(&trail) >= 0)
        tell_suspect(suspect(&trail));
    if (info->si_code <= 0)
        raise(number);
}

static void watch_for(int number)
{
    struct sigaction before,
        now = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};

    if (sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
        before.sa_handler == SIG_DFL)
        sigaction(number, &now, NULL);
}

void crashes_tell_of(const struct rules_module *module)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct trail trail = {.frames = 0};

    if (watched.n == RULES_GAMES_MAX)
        return;
    find_range(module, &watched.range[watched.n]);
    watched.module[watched.n++] = module;
    if (watched.n > 1)
        return;
    find_range(&watched, &watched.range[PROGRAM]);
    _Unwind_Backtrace(follow, &trail); /* loads what it needs: not in a handler */
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        watch_for(numbers[i]);
}
