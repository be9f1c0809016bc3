#include "api/terminal/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "api/terminal/autosave.h"
#include "api/terminal/flags.h"
#include "api/terminal/game_files.h"
#include "api/terminal/game_session.h"
#include "api/terminal/menu.h"
#include "api/terminal/tty.h"
#include "api/terminal/visit.h"
#include "api/text/options.h"
#include "api/text/problem.h"

struct play {
    struct arena arena;
    struct game_session session;
    struct terminal_input input;
    struct menu_choice choice; /* of the flags */
    struct visit visit;
    unsigned seat, level; /* as the flags have them: SEAT_*; 0: no level was given */
    bool otherwise;       /* options or a position were given */
    int64_t seed;
    bool goes_on; /* with the game in the file */
    bool full_screen;
};

/* ---- signals ---- */

static atomic_bool stop;

/* Ctrl-C ends a search or a request. At a prompt it ends the input. */
static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&stop, true);
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

static unsigned usual_level(const struct play *play)
{
    return play->level != 0 ? play->level : ADVISOR_USUAL_LEVEL;
}

/* Sets who plays if the person has that seat. */
static void seat_players(unsigned seat, unsigned level, unsigned levels[RULES_SEATS])
{
    levels[0] = seat == SEAT_2 || seat == SEAT_NONE ? level : PLAYER_HERE;
    levels[1] = seat == SEAT_2 || seat == SEAT_BOTH ? PLAYER_HERE : level;
}

/* Reads the game's name and what belongs to it. */
static int read_game_to_play(struct play *play, const struct flags *flags)
{
    play->choice.game = rules_find(flags->name);
    if (play->choice.game == NULL)
        return flags_refuse("no such game", flags->name);
    rules_options_init(&play->choice.options);
    for (size_t i = 0; i < flags->noptions; i++)
        if (!grant(play, flags->option[i]))
            return EXIT_FAILED;
    seat_players(flags->seat, usual_level(play), play->choice.level);
    play->choice.position = flags->position;
    play->otherwise = flags->noptions > 0 || flags->position != NULL;
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

/* The language of the locale. NULL for English: then each board looks as its game has it. */
static const struct lang *usual_lang(void)
{
    const char *locale = locale_of("LC_MESSAGES");
    char code[3] = "";

    memcpy(code, locale, strnlen(locale, 2));
    return strcmp(code, "en") == 0 ? NULL : lang_find(code);
}

/* ---- games one after the other ---- */

static int64_t seed_of(const struct play *play)
{
    uint32_t random = 0;

    if (play->seed != SEED_NONE)
        return play->seed;
    if (getrandom(&random, sizeof(random), 0) < 0)
        random = (uint32_t)time(NULL);
    return random;
}

/* Begins to play the game in a file that was chosen in the menu. */
static bool load(struct play *play, const char *file)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    bool loaded;

    out_init(&said, &arena);
    loaded = game_session_load(&play->session, file, &said);
    if (loaded)
        game_session_note(&play->session, &said);
    else
        fputs(said.text, stdout);
    arena_free(&arena);
    return loaded;
}

/* Begins to play a game on the daemon: a new one as chosen, or the one that --game names (`choice`
 * is NULL). */
static bool go_to_daemon(struct play *play, const struct menu_choice *choice, FILE *errors)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    bool arrived;

    out_init(&said, &arena);
    arrived = choice == NULL ? visit_named(&play->visit, &play->session, &said)
                             : visit_new(&play->visit, &play->session, choice, &said);
    if (arrived)
        game_session_note(&play->session, &said);
    else
        fputs(said.text, errors);
    arena_free(&arena);
    return arrived;
}

static void tell_refusal(const struct play *play, const struct menu_choice *choice,
                         const struct rules_refusal *why, FILE *errors)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    out_init(&said, &arena);
    show_bad_start(&said, choice->game, &choice->options, choice->position, why,
                   &play->session.style);
    fputs(said.text, errors);
    arena_free(&arena);
}

/* Begins to play a match in place of the saved one. Prints mistakes to `errors`. */
static bool replace_match(struct play *play, struct match *match, const unsigned level[RULES_SEATS],
                          FILE *errors)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    bool replaced;

    out_init(&said, &arena);
    replaced = game_session_replace(&play->session, match, level, &said);
    fputs(said.text, errors);
    arena_free(&arena);
    return replaced;
}

/* Begins a new game. Prints mistakes to `errors`. */
static bool start_play(struct play *play, const struct menu_choice *choice, FILE *errors)
{
    struct match match;
    struct rules_refusal why;

    if (play->visit.base != NULL)
        return go_to_daemon(play, choice, errors);
    if (!match_start(&match, choice->game, &choice->options, choice->position, &why)) {
        tell_refusal(play, choice, &why, errors);
        return false;
    }
    match.seed = seed_of(play);
    return replace_match(play, &match, choice->level, errors);
}

/* Whether the game in the file is the one that the command line names, if it names one. If not,
 * says so. */
static bool is_named(const struct play *play, const struct match *kept)
{
    const struct menu_choice *choice = &play->choice;
    struct rules_refusal why;
    struct match named;
    bool same;

    if (choice->game == NULL)
        return true;
    if (choice->game != kept->game) {
        fprintf(stderr,
                "plyd play: the game in %s is %s: leave %s out to go on with it, or name another "
                "file\n",
                play->session.file, kept->game->name, choice->game->name);
        return false;
    }
    if (!play->otherwise)
        return true;
    if (!match_start(&named, choice->game, &choice->options, choice->position, &why)) {
        tell_refusal(play, choice, &why, stderr);
        return false;
    }
    same = match_begins_like(&named, kept);
    if (!same)
        fprintf(stderr,
                "plyd play: the game in %s began otherwise: leave --option and --position out to "
                "go on with it, or name another file\n",
                play->session.file);
    match_close(&named);
    return same;
}

/* Changes the players as the flags say. False: a level was given, but no engine plays. */
static bool change_players(const struct play *play, unsigned level[RULES_SEATS])
{
    unsigned engine = level[0] != PLAYER_HERE ? level[0] : level[1];

    if (play->level != 0)
        engine = play->level;
    if (play->seat != SEAT_OPEN) {
        seat_players(play->seat, engine != PLAYER_HERE ? engine : ADVISOR_USUAL_LEVEL, level);
        return true;
    }
    if (play->level == 0)
        return true;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        level[i] = level[i] != PLAYER_HERE ? engine : PLAYER_HERE;
    if (level[0] != PLAYER_HERE || level[1] != PLAYER_HERE)
        return true;
    fputs("plyd play: --level is the engine's, and none plays in this game: --seat 1 or 2 gives it "
          "the other seat\n",
          stderr);
    return false;
}

/* Resumes the game in the file with the changes that the flags ask for. */
static bool go_on_playing(struct play *play)
{
    struct arena arena = {NULL, NULL, NULL};
    unsigned level[RULES_SEATS];
    struct match match;
    struct out said;
    bool fits, read;

    out_init(&said, &arena);
    read = game_files_read(&match, play->session.file, &play->session.style, &said);
    fits = read && game_session_can_keep(&play->session, &match, true, &said);
    fputs(said.text, stderr);
    arena_free(&arena);
    if (!read)
        return false;
    game_session_levels(&match, level);
    if (!fits || !is_named(play, &match) || !change_players(play, level)) {
        match_close(&match);
        return false;
    }
    if (play->seed != SEED_NONE)
        match.seed = play->seed;
    game_session_begin(&play->session, &match, level);
    return true;
}

/* The line of the menu for a saved game that is not over. NULL: there is none. */
static const char *kept_text(struct play *play)
{
    const struct show_style *style = &play->session.style;
    struct match match;
    struct out said;
    const char *text = NULL;

    out_init(&said, &play->arena);
    if (play->session.file == NULL || access(play->session.file, R_OK) != 0 ||
        !game_files_read(&match, play->session.file, style, &said))
        return NULL;
    if (match_goes_on(&match))
        text = lang_fill(&play->arena, show_lang(style), "play-kept", "title",
                         show_title(match.game, style), "ply", show_number(&play->arena, match.len),
                         NULL);
    match_close(&match);
    return text;
}

/* Asks what to play, and begins it. False: the person leaves. */
static bool choose_offered_game(struct play *play)
{
    struct menu menu = {.arena = &play->arena,
                        .input = &play->input,
                        .style = &play->session.style,
                        .level = usual_level(play)};
    struct menu_choice choice;

    do {
        menu.kept = play->session.file;
        menu.kept_text = kept_text(play);
        if (!menu_ask(&menu, &choice))
            return false;
    } while (choice.file != NULL ? !load(play, choice.file) : !start_play(play, &choice, stdout));
    return true;
}

/* Whether something was chosen on the command line: then the first game needs no menu. */
static bool first_game(struct play *play, bool *chosen)
{
    *chosen = true;
    if (play->visit.game != NULL)
        return go_to_daemon(play, NULL, stderr);
    if (play->goes_on)
        return go_on_playing(play);
    if (play->choice.game != NULL)
        return start_play(play, &play->choice, stderr);
    *chosen = choose_offered_game(play);
    return true;
}

static enum run_command_next sit(struct play *play)
{
    return play->full_screen ? screen_run(&play->session) : lines_run(&play->session, &play->input);
}

static int run_play(struct play *play)
{
    bool plays;

    if (!first_game(play, &plays))
        return EXIT_FAILED;
    while (plays && sit(play) == NEXT_MENU)
        plays = choose_offered_game(play);
    return EXIT_OK;
}

static void note_not_kept(struct play *play)
{
    const struct show_style *style = &play->session.style;
    bool another_plays = errno == EWOULDBLOCK;
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    out_init(&said, &arena);
    if (another_plays)
        show_say(&said, style, "play-another-plays", NULL);
    show_say(&said, style, "play-not-kept", NULL);
    game_session_note(&play->session, &said);
    arena_free(&arena);
}

/* Whether a file can be played in. If not, says why. */
static bool can_take(struct play *play, const char *path)
{
    const struct show_style *style = &play->session.style;
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    bool usable, free_now;

    out_init(&said, &arena);
    usable = game_files_usable(path, style, &said);
    free_now = usable && autosave_claim(&play->session.autosave, path);
    if (usable && !free_now)
        show_say(&said, style, "play-in-use", "file", path, NULL);
    fputs(said.text, stderr);
    arena_free(&arena);
    return free_now;
}

/* Takes the file that the command line names. */
static int take_file(struct play *play, const char *path)
{
    enum game_files_worth worth;

    if (!can_take(play, path))
        return EXIT_FAILED;
    worth = game_files_worth(path);
    play->session.file = path;
    play->session.again = arena_format(&play->arena, "--file %s", show_quoted(&play->arena, path));
    play->goes_on = worth != WORTH_NOTHING && (play->choice.game == NULL || worth != WORTH_OVER);
    return EXIT_OK;
}

/* Chooses the file in which games are saved, and decides whether the game in it is resumed. A game
 * that is over is replaced if the command line names a new one. */
static int find_file(struct play *play, const struct flags *flags)
{
    if (flags->file != NULL)
        return take_file(play, flags->file);
    play->session.file = autosave_usual(&play->session.autosave);
    play->session.usual = true;
    play->session.again = "--resume";
    play->goes_on = flags->resume;
    if (play->goes_on && play->session.file == NULL)
        return flags_refuse("the kept game cannot be had", strerror(errno));
    if (play->session.file == NULL)
        note_not_kept(play);
    return EXIT_OK;
}

static int prepare_play(struct play *play, const struct flags *flags)
{
    int code = EXIT_OK;

    play->visit = flags->visit;
    play->visit.seed = flags->seed;
    play->session.stop = &stop;
    play->seat = flags->seat;
    play->level = (unsigned)flags->level;
    play->seed = flags->seed;
    play->full_screen = !flags->lines && tty_is_able();
    play->input.echo = !isatty(STDIN_FILENO);
    play->input.stop = &stop;
    play->session.confirms = !play->input.echo;
    play->session.style.style =
        flags->style != STYLE_OPEN ? (enum rules_style)flags->style : usual_style();
    play->session.style.lang = flags->lang != NULL ? flags->lang : usual_lang();
    if (flags->name != NULL)
        code = read_game_to_play(play, flags);
    return code == EXIT_OK ? find_file(play, flags) : code;
}

int terminal_main(int argc, char **argv)
{
    struct play *play = calloc(1, sizeof(*play));
    struct flags flags;
    int code = flags_read(&flags, argc, argv);

    if (play == NULL)
        return EXIT_FAILED;
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
    if (flags.help)
        flags_help();
    else if (code == EXIT_OK)
        code = prepare_play(play, &flags);
    if (code == EXIT_OK && !flags.help)
        code = run_play(play);
    visit_close(&play->visit);
    game_session_close(&play->session);
    terminal_input_close(&play->input);
    arena_free(&play->arena);
    free(play);
    return code;
}
