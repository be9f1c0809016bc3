#include "api/terminal/flags.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: plyd play [GAME] [FLAGS]\n"
    "Plays a game in this terminal. Without a game, a menu asks which. Needs no daemon.\n"
    "  --level N            the engine's level, 1 to 8 (3), or random: any legal move\n"
    "  --seat SEAT          your seat: 1, 2, both (two people) or none (the engine alone) (1)\n"
    "  --option NAME=VALUE  an option of the game, such as size=8; may be repeated\n"
    "  --position P         from this position instead of the start\n"
    "  --seed N             a number that decides how weak levels err; the same game again\n"
    "  --file FILE          go on with the game in this file, and keep it there; or a new one, if\n"
    "                       there is none, or it is over and GAME says what to play\n"
    "  --resume             go on with the game that was kept last; --level and --seat change who\n"
    "                       plays, here and with --file\n"
    "  --style STYLE        unicode, ascii, figures or color\n"
    "  --lang LANG          en, ja or tr: the language in which all is said (default: of LANG)\n"
    "  --lines              line by line, even in a terminal that has cursor keys\n"
    "\n"
    "  --daemon URL         play on a daemon, which keeps the game\n"
    "  --game ID            go on with this game there, take its open seat, or watch it\n"
    "  --open               leave the other seat of a new game open for somebody\n"
    "  --token FILE         where the token is, or will be; else in a file of plyd's own\n"
    "\n"
    "games:";

void flags_help(void)
{
    fputs(usage, stdout);
    for (size_t i = 0; i < rules_games(); i++)
        printf(" %s", rules_game(i)->name);
    putchar('\n');
}

static int bad_flags(const char *why)
{
    fprintf(stderr, "plyd play: %s\n", why);
    fputs("plyd play --help shows how it is used\n", stderr);
    return EXIT_USAGE;
}

int flags_refuse(const char *what, const char *value)
{
    struct arena arena = {NULL, NULL, NULL};
    int code = bad_flags(arena_format(&arena, "%s: %s", what, value));

    arena_free(&arena);
    return code;
}

/* ---- one by one ---- */

static const char *const seats[] = {"1", "2", "both", "none"};
static const char *const styles[] = {[RULES_STYLE_UNICODE] = "unicode",
                                     [RULES_STYLE_ASCII] = "ascii",
                                     [RULES_STYLE_ANSI] = "color",
                                     [RULES_STYLE_FIGURES] = "figures"};

/* The index of a word in a list of four; 4: it is not in the list. */
static unsigned place_of_flag_word(const char *word, const char *const list[4])
{
    unsigned i = 0;

    while (i < 4 && strcmp(word, list[i]) != 0)
        i++;
    return i;
}

/* A whole number from `min` to `max`. */
static bool read_flag_number(const char *text, long long min, long long max, long long *number)
{
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *number >= min && *number <= max;
}

static int read_flag(struct flags *flags, int flag)
{
    switch (flag) {
    case 'l':
        if (strcmp(optarg, "random") == 0)
            flags->level = PLAYER_RANDOM;
        else if (!read_flag_number(optarg, 1, ENGINE_LEVELS, &flags->level))
            return flags_refuse("levels are 1 to 8 and random", optarg);
        return EXIT_OK;
    case 's':
        flags->seat = place_of_flag_word(optarg, seats);
        return flags->seat < 4 ? EXIT_OK : flags_refuse("seats are 1, 2, both and none", optarg);
    case 'o':
        if (flags->noptions == RULES_OPTIONS_MAX)
            return flags_refuse("too many options", optarg);
        flags->option[flags->noptions++] = optarg;
        return EXIT_OK;
    case 'p':
        flags->position = optarg;
        return EXIT_OK;
    case 'd':
        return read_flag_number(optarg, 0, INT64_MAX, &flags->seed)
                   ? EXIT_OK
                   : flags_refuse("a seed is a whole number", optarg);
    case 'f':
        flags->file = optarg;
        return EXIT_OK;
    case 'r':
        flags->resume = true;
        return EXIT_OK;
    case 'y':
        flags->style = place_of_flag_word(optarg, styles);
        return flags->style < 4 ? EXIT_OK : flags_refuse("no such style", optarg);
    case 'a':
        flags->lang = lang_find(optarg);
        return flags->lang != NULL ? EXIT_OK : flags_refuse("languages are en, ja and tr", optarg);
    case 'D':
        flags->visit.base = optarg;
        return EXIT_OK;
    case 'g':
        flags->visit.game = optarg;
        return EXIT_OK;
    case 't':
        flags->visit.token_file = optarg;
        return EXIT_OK;
    case 'O':
        flags->visit.open = true;
        return EXIT_OK;
    case 'L':
        flags->lines = true;
        return EXIT_OK;
    case 'h':
        flags->help = true;
        return EXIT_OK;
    default:
        return EXIT_USAGE;
    }
}

static int read_flags(struct flags *flags, int argc, char **argv)
{
    static const struct option known[] = {
        {"level", required_argument, NULL, 'l'},  {"seat", required_argument, NULL, 's'},
        {"option", required_argument, NULL, 'o'}, {"position", required_argument, NULL, 'p'},
        {"seed", required_argument, NULL, 'd'},   {"file", required_argument, NULL, 'f'},
        {"resume", no_argument, NULL, 'r'},       {"style", required_argument, NULL, 'y'},
        {"lang", required_argument, NULL, 'a'},   {"daemon", required_argument, NULL, 'D'},
        {"game", required_argument, NULL, 'g'},   {"token", required_argument, NULL, 't'},
        {"open", no_argument, NULL, 'O'},         {"lines", no_argument, NULL, 'L'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    int code = EXIT_OK, flag;

    optind = 0; /* the program may have read flags of its own before */
    while (code == EXIT_OK && (flag = getopt_long(argc, argv, "", known, NULL)) != -1)
        code = read_flag(flags, flag);
    return code;
}

/* ---- flags that do not go together ---- */

/* What was given, as bits. */
enum {
    GAVE_GAME = 1,
    GAVE_LEVEL = 2,
    GAVE_SEAT = 4,
    GAVE_BOTH = 8,   /* --seat both */
    GAVE_NONE = 16,  /* --seat none */
    GAVE_START = 32, /* --option or --position */
    GAVE_SEED = 64,
    GAVE_FILE = 128,
    GAVE_RESUME = 256,
    GAVE_KEPT = 512, /* --resume, or --file with a file that exists */
    GAVE_DAEMON = 1024,
    GAVE_ID = 2048, /* --game */
    GAVE_OPEN = 4096,
    GAVE_TOKEN = 8192
};

/* A command line is refused if it has all flags of `all`, at least one of `any` (0: no matter
 * which), and none of `none`. */
static const struct clash {
    unsigned all, any, none;
    const char *text;
} clashes[] = {
    {0, GAVE_ID | GAVE_TOKEN | GAVE_OPEN, GAVE_DAEMON,
     "--game, --token and --open need --daemon URL"},
    {GAVE_DAEMON | GAVE_RESUME, 0, 0,
     "--resume goes on with a game in a file: without --daemon, or with --game ID for one there"},
    {GAVE_DAEMON | GAVE_FILE, 0, 0,
     "a daemon keeps its games itself: leave --file out, and `save FILE` writes the game to a "
     "file"},
    {GAVE_RESUME | GAVE_FILE, 0, 0,
     "--resume is the game that was kept last, --file the one in a file: leave one of them out"},
    {GAVE_ID, GAVE_GAME | GAVE_LEVEL | GAVE_SEAT | GAVE_START | GAVE_SEED | GAVE_OPEN, 0,
     "--game ID goes on with a game as it is: leave out GAME, --level, --seat, --option, "
     "--position, --seed and --open"},
    {GAVE_START, 0, GAVE_GAME, "--option and --position need a GAME: name it"},
    {GAVE_SEAT, 0, GAVE_GAME | GAVE_KEPT, "--seat needs a GAME: name it, or let the menu ask"},
    {GAVE_OPEN, GAVE_LEVEL | GAVE_SEED | GAVE_BOTH | GAVE_NONE, 0,
     "--open leaves the other seat to somebody: no engine plays, and your --seat is 1 or 2"},
    {GAVE_DAEMON | GAVE_NONE, 0, 0, "on a daemon a seat must be yours: --seat 1, 2 or both"},
    {GAVE_LEVEL | GAVE_BOTH, 0, 0,
     "--level is the engine's, and with --seat both no engine plays: leave one of them out"},
    {GAVE_DAEMON | GAVE_SEED | GAVE_BOTH, 0, 0,
     "--seed is the engine's, and with --seat both no engine plays: leave one of them out"},
};

static unsigned gave(const struct flags *flags)
{
    bool kept = flags->resume || (flags->file != NULL && access(flags->file, F_OK) == 0);

    return (flags->name != NULL ? GAVE_GAME : 0) | (flags->level != 0 ? GAVE_LEVEL : 0) |
           (flags->seat != SEAT_OPEN ? GAVE_SEAT : 0) | (flags->seat == SEAT_BOTH ? GAVE_BOTH : 0) |
           (flags->seat == SEAT_NONE ? GAVE_NONE : 0) |
           (flags->noptions > 0 || flags->position != NULL ? GAVE_START : 0) |
           (flags->seed != SEED_NONE ? GAVE_SEED : 0) | (flags->file != NULL ? GAVE_FILE : 0) |
           (flags->resume ? GAVE_RESUME : 0) | (kept ? GAVE_KEPT : 0) |
           (flags->visit.base != NULL ? GAVE_DAEMON : 0) |
           (flags->visit.game != NULL ? GAVE_ID : 0) | (flags->visit.open ? GAVE_OPEN : 0) |
           (flags->visit.token_file != NULL ? GAVE_TOKEN : 0);
}

/* What is wrong with the given combination of flags; NULL: nothing. */
static const char *what_clashes(unsigned given)
{
    for (size_t i = 0; i < sizeof(clashes) / sizeof(clashes[0]); i++) {
        const struct clash *clash = &clashes[i];

        if ((given & clash->all) == clash->all && (clash->any == 0 || (given & clash->any) != 0) &&
            (given & clash->none) == 0)
            return clash->text;
    }
    return NULL;
}

static int read_words(struct flags *flags, int argc, char **argv)
{
    const char *clash;

    if (argc - optind > 1)
        return flags_refuse("one game at a time", argv[optind + 1]);
    if (flags->visit.game != NULL && strchr(flags->visit.game, '/') != NULL)
        return flags_refuse("that is no id of a game", flags->visit.game);
    flags->name = optind < argc ? argv[optind] : NULL;
    clash = what_clashes(gave(flags));
    return clash == NULL ? EXIT_OK : bad_flags(clash);
}

int flags_read(struct flags *flags, int argc, char **argv)
{
    int code;

    *flags = (struct flags){.seat = SEAT_OPEN, .seed = SEED_NONE, .style = STYLE_OPEN};
    code = read_flags(flags, argc, argv);
    return code == EXIT_OK && !flags->help ? read_words(flags, argc, argv) : code;
}
