/* games.c - games from shared objects (games.h). */
#include "api/tool/games.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/loop/log.h"
#include "api/loop/spare_stack.h"
#include "api/tool/crashes.h"
#include "rules/module.h"

enum { PATH_TEXT = 4096 };

static bool is_shared_object(const char *path)
{
    size_t len = strlen(path);

    return len > 3 && strcmp(path + len - 3, ".so") == 0;
}

/* ---- what crashes while it is loaded ---- */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

enum { CRASHES = sizeof(crashes) / sizeof(crashes[0]) };

static const char *loading;

static void last_words(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

/* The process ends as it would have, but its last words name the file. */
static void tell_crash(int number)
{
    last_words("plyd: ");
    last_words(loading);
    last_words(" crashes while it is loaded; a file that was copied only in part does, too\n");
    signal(number, SIG_DFL);
    raise(number);
}

static void watch(const char *path, struct sigaction before[CRASHES])
{
    struct sigaction tell = {.sa_handler = tell_crash, .sa_flags = SA_NODEFER | SA_ONSTACK};

    spare_stack_take();
    loading = path;
    for (size_t i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &tell, &before[i]);
}

static void watch_no_more(const struct sigaction before[CRASHES])
{
    for (size_t i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &before[i], NULL);
}

/* ---- one game ---- */

/* A name without a slash would be looked for among the libraries of the system. */
static void *open_object(const char *path)
{
    char here[PATH_TEXT];

    snprintf(here, sizeof(here), "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    return dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

/* Whether there is a file that does not begin as a shared object does. */
static bool is_other_file(const char *path)
{
    char head[4] = "";
    FILE *file = fopen(path, "r");
    size_t n;

    if (file == NULL)
        return false;
    n = fread(head, 1, sizeof(head), file);
    fclose(file);
    return n < sizeof(head) || memcmp(head, "\177ELF", sizeof(head)) != 0;
}

/* Says where a game that is there comes from, for whoever loads it again. */
static void tell_origin(const struct rules_module *module)
{
    const struct rules_game *game =
        module->game == NULL || module->game->name == NULL ? NULL : rules_find(module->game->name);
    Dl_info from;

    if (game != NULL && dladdr(rules_module_of(game), &from) != 0)
        fprintf(stderr, "plyd: the game %s that is there comes from %s\n", game->name,
                from.dli_fname);
}

/* The module of a file, once it is among the games. NULL: it was told why not. */
static const struct rules_module *take_object(const char *path)
{
    char fault[RULES_FAULT_TEXT] = "exports no plyd_game, so it is no game";
    void *object = open_object(path);
    const struct rules_module *module;

    if (object == NULL && is_other_file(path)) {
        fprintf(stderr, "plyd: %s is no shared object\n", path);
        return NULL;
    }
    if (object == NULL) {
        fprintf(stderr, "plyd: a game cannot be loaded: %s\n", dlerror());
        return NULL;
    }
    module = dlsym(object, "plyd_game");
    if (module != NULL && rules_add(module, fault))
        return module;
    fprintf(stderr, "plyd: %s %s\n", path, fault);
    if (module != NULL)
        tell_origin(module);
    return NULL;
}

bool games_load(const char *path)
{
    struct sigaction before[CRASHES];
    const struct rules_module *module;

    watch(path, before);
    module = take_object(path);
    watch_no_more(before);
    if (module != NULL)
        crashes_tell_of(module);
    return module != NULL;
}

/* ---- a folder ---- */

static int is_game_file(const struct dirent *entry)
{
    return is_shared_object(entry->d_name);
}

static bool load_folder(const char *folder)
{
    struct dirent **files;
    int n = scandir(folder, &files, is_game_file, alphasort);
    bool ok = n >= 0;

    if (n < 0)
        fprintf(stderr, "plyd: --games: %s: %s\n", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char path[PATH_TEXT];

        snprintf(path, sizeof(path), "%s/%s", folder, files[i]->d_name);
        ok = ok && games_load(path);
        free(files[i]);
    }
    if (n >= 0)
        free(files);
    return ok;
}

/* ---- the command line ---- */

/* The value of `flag` if it stands at argv[i], as the next argument or behind a '='; *len becomes
 * the number of arguments that it takes. NULL: it is not there, or has no value. */
static const char *value_of_flag(int argc, char **argv, int i, const char *flag, int *len)
{
    size_t name = strlen(flag);

    *len = 1;
    if (strncmp(argv[i], flag, name) != 0)
        return NULL;
    if (argv[i][name] == '=')
        return argv[i] + name + 1;
    *len = 2;
    return argv[i][name] == '\0' && i + 1 < argc ? argv[i + 1] : NULL;
}

static void cut_arguments(int *argc, char **argv, int i, int len)
{
    memmove(&argv[i], &argv[i + len], (size_t)(*argc - i - len + 1) * sizeof(argv[0]));
    *argc -= len;
}

static bool take_file(const char *path)
{
    if (is_shared_object(path))
        return games_load(path);
    fprintf(stderr, "plyd: --game: '%s' is not the path of a shared object, NAME.so\n", path);
    return false;
}

/* Whether a flag stands at the end, without the value that belongs there. */
static bool lacks_value(int argc, char **argv)
{
    const char *last = argv[argc - 1];

    if (strcmp(last, "--game") != 0 && strcmp(last, "--games") != 0)
        return false;
    fprintf(stderr, "plyd: %s has no value\n", last);
    return true;
}

bool games_take(int *argc, char **argv)
{
    bool plays = *argc > 1 && strcmp(argv[1], "play") == 0;
    const char *folder = getenv("PLYD_GAMES");

    if (!plays && lacks_value(*argc, argv))
        return false;
    for (int i = 1, len; i < *argc && argv[i] != NULL;) {
        const char *file = value_of_flag(*argc, argv, i, "--game", &len);
        const char *other = file == NULL ? value_of_flag(*argc, argv, i, "--games", &len) : NULL;

        if (other != NULL)
            folder = other;
        if ((file == NULL && other == NULL) || (file != NULL && plays && !is_shared_object(file))) {
            i++;
            continue;
        }
        if (file != NULL && !take_file(file))
            return false;
        cut_arguments(argc, argv, i, len);
    }
    return folder == NULL || *folder == '\0' || load_folder(folder);
}

/* The games that are part of plyd come from the same file as this function. */
void games_log(void)
{
    Dl_info own, from;

    if (dladdr(&crashes, &own) == 0)
        return;
    for (size_t i = 0; rules_module(i) != NULL; i++)
        if (dladdr(rules_module(i), &from) != 0 && from.dli_fbase != own.dli_fbase)
            log_event(LOG_INFO, "game-loaded", "game", rules_game(i)->name, "file", from.dli_fname,
                      NULL);
}
