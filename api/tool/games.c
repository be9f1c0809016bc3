/* games.c - games from shared objects (games.h). */
#include "api/tool/games.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/module.h"

enum { PATH_TEXT = 4096 };

static bool is_shared_object(const char *path)
{
    size_t len = strlen(path);

    return len > 3 && strcmp(path + len - 3, ".so") == 0;
}

/* ---- one game ---- */

/* A name without a slash would be looked for among the libraries of the system. */
static void *open_object(const char *path)
{
    char here[PATH_TEXT];

    snprintf(here, sizeof(here), "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    return dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

bool games_load(const char *path)
{
    char fault[RULES_FAULT_TEXT] = "exports no plyd_game, so it is no game";
    void *object = open_object(path);
    const struct rules_module *module;

    if (object == NULL) {
        fprintf(stderr, "plyd: a game cannot be loaded: %s\n", dlerror());
        return false;
    }
    module = dlsym(object, "plyd_game");
    if (module == NULL || !rules_add(module, fault)) {
        fprintf(stderr, "plyd: %s %s\n", path, fault);
        return false;
    }
    return true;
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

bool games_take(int *argc, char **argv)
{
    bool plays = *argc > 1 && strcmp(argv[1], "play") == 0;
    const char *folder = getenv("PLYD_GAMES");

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
