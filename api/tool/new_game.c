/* new_game.c - `plyd new-game`: a folder with a game that works, to be made another (commands.h).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "api/tool/commands.h"
#include "rules/rules.h"

enum { MADE = 0, NOT_MADE = 1, ASKED_WRONGLY = 2, FILE_PATH = 128 };

/* The files of examples/hex/. */
static const struct {
    const char *name, *text;
} files[] = {
#define NEW_GAME_FILE(name, text) {name, text},
#include "embed/new_game.def"
#undef NEW_GAME_FILE
};

static const char usage[] =
    "usage: plyd new-game NAME\n"
    "Makes the folder NAME with a small game that works: its rules, pictures, rulebook, words and\n"
    "Makefile. NAME is a word of up to 24 small letters and digits.\n";

/* A word of C, and a name in addresses. */
static bool is_word(const char *name)
{
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");

    return name[len] == '\0' && len > 0 && len <= 24 && name[0] >= 'a';
}

/* Writes a text with the name of the game in the place of "hex", small, large or with a capital;
 * "hexagons" are left, of any size. */
static void write_named(FILE *out, const char *text, const char *name)
{
    static const char old[] = "hex";
    const size_t len = sizeof(old) - 1;

    for (bool inside = false; *text != '\0';) {
        if (inside || strncasecmp(text, old, len) != 0 || isalpha((unsigned char)text[len])) {
            inside = isalpha((unsigned char)*text);
            fputc(*text++, out);
            continue;
        }
        for (size_t i = 0; name[i] != '\0'; i++)
            fputc(isupper((unsigned char)text[i == 0 ? 0 : 1]) ? toupper(name[i]) : name[i], out);
        text += len;
    }
}

static bool write_game_file(const char *name, size_t i)
{
    char path[FILE_PATH];
    FILE *out;

    strcat(strcpy(path, name), "/");
    if (strncmp(files[i].name, "hex.", 4) == 0)
        strcat(strcat(path, name), files[i].name + 3);
    else
        strcat(path, files[i].name);
    out = fopen(path, "w");
    if (out == NULL) {
        fprintf(stderr, "plyd: %s: %s\n", path, strerror(errno));
        return false;
    }
    write_named(out, files[i].text, name);
    if (fclose(out) == 0)
        return true;
    fprintf(stderr, "plyd: %s: %s\n", path, strerror(errno));
    return false;
}

int new_game_main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";

    if (strcmp(name, "--help") == 0) {
        fputs(usage, stdout);
        return MADE;
    }
    if (!is_word(name)) {
        fputs(usage, stderr);
        return ASKED_WRONGLY;
    }
    if (rules_find(name) != NULL) {
        fprintf(stderr, "plyd: there is a game by the name %s\n", name);
        return NOT_MADE;
    }
    if (mkdir(name, 0777) != 0) {
        fprintf(stderr, "plyd: %s: %s\n", name, strerror(errno));
        return NOT_MADE;
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (!write_game_file(name, i))
            return NOT_MADE;
    printf("%s/ has a game that works. Go on so:\n"
           "    cd %s && make check && plyd play %s --game ./%s.so\n",
           name, name, name, name);
    return MADE;
}
