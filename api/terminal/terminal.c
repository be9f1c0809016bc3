#include "api/terminal/terminal.h"

#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "api/terminal/filing.h"
#include "api/terminal/keep.h"
#include "api/terminal/lines.h"
#include "api/terminal/menu.h"
#include "api/terminal/obey.h"
#include "api/terminal/screen.h"
#include "api/terminal/tty.h"
#include "api/terminal/visit.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, SEED_NONE = -1 };

struct play {
    struct arena arena;
    struct sitting sitting;
    struct typing typing;
    struct menu_choice choice; /* of the flags */
    struct visit visit;
    unsigned level;
    int64_t seed;
    bool resume, full_screen;
};

static const char usage[] =
    "usage: plyd play [GAME] [FLAGS]\n"
    "Plays a game in this terminal. Without a game, a menu asks which. Needs no daemon.\n"
    "  --level N            the engine's level, 1 to 8 (3)\n"
    "  --seat SEAT          your seat: 1, 2, both (two people) or none (the engine alone) (1)\n"
    "  --option NAME=VALUE  an option of the game, such as size=8; may be repeated\n"
    "  --position P         from this position instead of the start\n"
    "  --seed N             a number that decides how weak levels err; the same game again\n"
    "  --file FILE          go on with the game in this file, and keep it there\n"
    "  --resume             go on with the game that was kept last\n"
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

static void print_usage(FILE *out)
{
    fputs(usage, out);
    for (size_t i = 0; i < rules_games(); i++)
        fprintf(out, " %s", rules_game(i)->name);
    fputc('\n', out);
}

static int bad_usage(const char *what, const char *value)
{
    fprintf(stderr, "plyd play: %s: %s\n", what, value);
    fputs("plyd play --help shows how it is used\n", stderr);
    return EXIT_USAGE;
}

/* ---- signals ---- */

static atomic_bool stop;

/* Ctrl-C ends what takes long. At a prompt it ends the input. */
static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&stop, true);
}

/* ---- the command line ---- */

static const char *const seats[] = {"1", "2", "both", "none"};
static const char *const styles[] = {[RULES_STYLE_UNICODE] = "unicode",
                                     [RULES_STYLE_ASCII] = "ascii",
                                     [RULES_STYLE_ANSI] = "color",
                                     [RULES_STYLE_FIGURES] = "figures"};

/* The place of a word in a list of four; 4: it is not there. */
static unsigned place_of(const char *word, const char *const list[4])
{
    unsigned i = 0;

    while (i < 4 && strcmp(word, list[i]) != 0)
        i++;
    return i;
}

/* A whole number from `min` to `max`. */
static bool read_number(const char *text, long long min, long long max, long long *number)
{
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *number >= min && *number <= max;
}

/* The flags as they were given; options are read when the game is known. */
struct flags {
    unsigned seat, style;
    const struct lang *lang; /* NULL: that of the locale */
    long long level, seed;
    const char *option[RULES_OPTIONS_MAX];
    size_t noptions;
    const char *position, *file;
    struct visit visit;
    bool resume, help, lines;
};

static int read_flag(struct flags *flags, int flag)
{
    switch (flag) {
    case 'l':
        return read_number(optarg, 1, ENGINE_LEVELS, &flags->level)
                   ? EXIT_OK
                   : bad_usage("levels are 1 to 8", optarg);
    case 's':
        flags->seat = place_of(optarg, seats);
        return flags->seat < 4 ? EXIT_OK : bad_usage("seats are 1, 2, both and none", optarg);
    case 'o':
        if (flags->noptions == RULES_OPTIONS_MAX)
            return bad_usage("too many options", optarg);
        flags->option[flags->noptions++] = optarg;
        return EXIT_OK;
    case 'p':
        flags->position = optarg;
        return EXIT_OK;
    case 'd':
        return read_number(optarg, 0, INT64_MAX, &flags->seed)
                   ? EXIT_OK
                   : bad_usage("a seed is a whole number", optarg);
    case 'f':
        flags->file = optarg;
        return EXIT_OK;
    case 'r':
        flags->resume = true;
        return EXIT_OK;
    case 'y':
        flags->style = place_of(optarg, styles);
        return flags->style < 4 ? EXIT_OK : bad_usage("no such style", optarg);
    case 'a':
        flags->lang = lang_find(optarg);
        return flags->lang != NULL ? EXIT_OK : bad_usage("languages are en, ja and tr", optarg);
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

/* ---- what is played first ---- */

static bool grant(struct play *play, const char *text)
{
    const char *equals = strchr(text, '='), *detail;
    size_t len = equals == NULL ? strlen(text) : (size_t)(equals - text);
    struct options_wish wish = {arena_copy(&play->arena, text, len),
                                equals == NULL ? "" : equals + 1};
    enum problem problem;

    if (options_grant(&play->arena, play->choice.game, &wish, &play->choice.options, &problem,
                      &detail))
        return true;
    fprintf(stderr, "plyd play: %s\n", detail);
    return false;
}

/* Reads the game's name and what belongs to it. */
static int read_game(struct play *play, const struct flags *flags, const char *name)
{
    play->choice.game = rules_find(name);
    if (play->choice.game == NULL)
        return bad_usage("no such game", name);
    rules_options_init(&play->choice.options);
    for (size_t i = 0; i < flags->noptions; i++)
        if (!grant(play, flags->option[i]))
            return EXIT_FAILED;
    play->choice.level[0] = flags->seat == 0 || flags->seat == 2 ? SITTING_PERSON : play->level;
    play->choice.level[1] = flags->seat == 1 || flags->seat == 2 ? SITTING_PERSON : play->level;
    play->choice.position = flags->position;
    return EXIT_OK;
}

/* What the environment says of a category of the locale; "" if nothing. */
static const char *locale_of(const char *category)
{
    const char *const names[] = {"LC_ALL", category, "LANG"};

    for (int i = 0; i < 3; i++) {
        const char *locale = getenv(names[i]);

        if (locale != NULL && *locale != '\0')
            return locale;
    }
    return "";
}

/* A locale that is not installed is judged by its name: "tr_TR.UTF-8". */
static bool has_unicode(void)
{
    const char *known = setlocale(LC_CTYPE, "");
    const char *charset = known == NULL ? locale_of("LC_CTYPE") : nl_langinfo(CODESET);

    return strcasestr(charset, "UTF-8") != NULL || strcasestr(charset, "utf8") != NULL;
}

/* Unicode where the locale has it, colours on a terminal that has them. */
static enum rules_style usual_style(void)
{
    const char *term = getenv("TERM");

    if (!has_unicode())
        return RULES_STYLE_ASCII;
    if (!isatty(STDOUT_FILENO) || getenv("NO_COLOR") != NULL || term == NULL ||
        strcmp(term, "dumb") == 0)
        return RULES_STYLE_UNICODE;
    return RULES_STYLE_ANSI;
}

/* That of the locale, but for English: there boards look as their game has them. */
static const struct lang *usual_lang(void)
{
    const char *locale = locale_of("LC_MESSAGES");
    char code[3] = "";

    memcpy(code, locale, strnlen(locale, 2));
    return strcmp(code, "en") == 0 ? NULL : lang_find(code);
}

/* ---- games one after the other ---- */

static int64_t now_us(void)
{
    return (int64_t)time(NULL) * 1000000;
}

static int64_t seed_of(const struct play *play)
{
    uint32_t random = 0;

    if (play->seed != SEED_NONE)
        return play->seed;
    if (getrandom(&random, sizeof(random), 0) < 0)
        random = (uint32_t)time(NULL);
    return random;
}

/* Sits down to the game in a file. What is wrong is told on `errors`. */
static bool load(struct play *play, const char *file, FILE *errors)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    bool loaded;

    out_init(&said, &arena);
    loaded = sitting_load(&play->sitting, file, &said);
    fputs(said.text, loaded ? stdout : errors);
    arena_free(&arena);
    return loaded;
}

/* Sits down to a game on the daemon: one that was chosen, or the one that was named (NULL). */
static bool go_to_daemon(struct play *play, const struct menu_choice *choice, FILE *errors)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    bool arrived;

    out_init(&said, &arena);
    arrived = choice == NULL ? visit_named(&play->visit, &play->sitting, &said)
                             : visit_new(&play->visit, &play->sitting, choice, &said);
    fputs(said.text, arrived ? stdout : errors);
    arena_free(&arena);
    return arrived;
}

static void tell_refusal(struct play *play, const struct menu_choice *choice,
                         const struct rules_refusal *why, FILE *errors)
{
    const struct lang *lang = show_lang(&play->sitting.style);
    const char *starts =
        options_no_such_start(&play->arena, choice->game, &choice->options, choice->position);

    if (starts != NULL) {
        fprintf(errors, "plyd play: %s\n", starts);
        return;
    }
    fprintf(errors, "%s%s%s\n",
            lang_say(lang, LANG_TITLE, rules_code_text(why->code), rules_code_title(why->code)),
            why->law == NULL ? "" : ": ", why->law == NULL ? "" : refusal_law_text(why->law, lang));
}

/* Sits down to a new game. What is wrong is told on `errors`. */
static bool start(struct play *play, const struct menu_choice *choice, FILE *errors)
{
    struct match match;
    struct rules_refusal why;

    if (play->visit.base != NULL)
        return go_to_daemon(play, choice, errors);
    if (!match_start(&match, choice->game, &choice->options, choice->position, now_us(), &why)) {
        tell_refusal(play, choice, &why, errors);
        return false;
    }
    match.seed = seed_of(play);
    if (play->sitting.file != NULL)
        keep_aside(play->sitting.file);
    sitting_begin(&play->sitting, &match, choice->level);
    return true;
}

/* The line of the menu for a game that was kept and is not over. NULL: there is none. */
static const char *kept_text(struct play *play)
{
    const struct show_style *style = &play->sitting.style;
    struct match match;
    struct out said;
    const char *text = NULL;

    out_init(&said, &play->arena);
    if (play->sitting.file == NULL || access(play->sitting.file, R_OK) != 0 ||
        !filing_read(&match, play->sitting.file, style, &said))
        return NULL;
    if (match_goes_on(&match))
        text = lang_fill(&play->arena, show_lang(style), "play-kept", "title",
                         show_title(match.game, style), "ply", show_number(&play->arena, match.len),
                         NULL);
    match_close(&match);
    return text;
}

/* Asks what to play, and sits down to it. False: the person leaves. */
static bool choose(struct play *play)
{
    struct menu menu = {.arena = &play->arena,
                        .typing = &play->typing,
                        .style = &play->sitting.style,
                        .kept = play->sitting.file};
    struct menu_choice choice;

    do {
        menu.kept_text = kept_text(play);
        if (!menu_ask(&menu, &choice))
            return false;
    } while (choice.file != NULL ? !load(play, choice.file, stdout)
                                 : !start(play, &choice, stdout));
    return true;
}

/* Whether something was chosen on the command line: then the first game needs no menu. */
static bool first_game(struct play *play, bool *chosen)
{
    *chosen = true;
    if (play->visit.game != NULL)
        return go_to_daemon(play, NULL, stderr);
    if (play->resume)
        return load(play, play->sitting.file, stderr);
    if (play->choice.game != NULL)
        return start(play, &play->choice, stderr);
    *chosen = choose(play);
    return true;
}

static enum obey_next sit(struct play *play)
{
    return play->full_screen ? screen_run(&play->sitting)
                             : lines_run(&play->sitting, &play->typing);
}

static int run(struct play *play)
{
    bool plays;

    if (!first_game(play, &plays))
        return EXIT_FAILED;
    while (plays && sit(play) == OBEY_MENU)
        plays = choose(play);
    return EXIT_OK;
}

static void say_not_kept(const struct play *play)
{
    const struct lang *lang = show_lang(&play->sitting.style);

    if (errno == EWOULDBLOCK)
        puts(lang_word(lang, "play-another-plays"));
    puts(lang_word(lang, "play-not-kept"));
}

/* Where games are kept, and whether one there is gone on with. */
static int find_file(struct play *play, const struct flags *flags)
{
    if (flags->file != NULL) {
        play->sitting.file = flags->file;
        play->sitting.again = arena_format(&play->arena, "--file %s", flags->file);
        play->resume = play->choice.game == NULL && access(flags->file, F_OK) == 0;
        return EXIT_OK;
    }
    play->sitting.file = keep_usual(&play->arena);
    play->sitting.again = "--resume";
    play->resume = flags->resume;
    if (play->resume && play->sitting.file == NULL)
        return bad_usage("the kept game cannot be had", strerror(errno));
    if (play->sitting.file == NULL)
        say_not_kept(play);
    return EXIT_OK;
}

static int prepare(struct play *play, const struct flags *flags, int argc, char **argv)
{
    int code = EXIT_OK;

    if (argc - optind > 1)
        return bad_usage("one game at a time", argv[optind + 1]);
    if (flags->visit.base == NULL &&
        (flags->visit.game != NULL || flags->visit.token_file != NULL || flags->visit.open))
        return bad_usage("--game, --token and --open need --daemon", "no daemon");
    if (flags->visit.game != NULL && strchr(flags->visit.game, '/') != NULL)
        return bad_usage("that is no id of a game", flags->visit.game);
    play->visit = flags->visit;
    play->sitting.stop = &stop;
    play->level = (unsigned)flags->level;
    play->seed = flags->seed;
    play->full_screen = !flags->lines && tty_is_able();
    play->typing.echo = !isatty(STDIN_FILENO);
    play->sitting.style.style = flags->style < 4 ? (enum rules_style)flags->style : usual_style();
    play->sitting.style.lang = flags->lang != NULL ? flags->lang : usual_lang();
    if (optind < argc)
        code = read_game(play, flags, argv[optind]);
    return code == EXIT_OK ? find_file(play, flags) : code;
}

int terminal_main(int argc, char **argv)
{
    struct flags flags = {.level = ADVISER_USUAL_LEVEL, .seed = SEED_NONE, .style = 4};
    struct play *play = calloc(1, sizeof(*play));
    int code = read_flags(&flags, argc, argv);

    if (play == NULL)
        return EXIT_FAILED;
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
    if (flags.help)
        print_usage(stdout);
    else if (code == EXIT_OK)
        code = prepare(play, &flags, argc, argv);
    if (code == EXIT_OK && !flags.help)
        code = run(play);
    visit_close(&play->visit);
    sitting_close(&play->sitting);
    typing_close(&play->typing);
    arena_free(&play->arena);
    free(play);
    return code;
}
