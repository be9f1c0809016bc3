/* view_board.c - games and boards as texts for people (view.h). */
#include <string.h>

#include "auth.h"
#include "rules/draw/picture.h"
#include "tables.h"
#include "view.h"

enum { PICTURE_USUAL = 32 << 10 }; /* bytes that are enough for most: larger ones are drawn twice */

const char *view_board_text(struct arena *arena, const struct game_view *view,
                            const struct rules_look *look)
{
    size_t len = rules_board_text(view->game, view->state, look, NULL, 0);
    char *text = arena_alloc(arena, len + 1);

    rules_board_text(view->game, view->state, look, text, len + 1);
    return text;
}

const char *view_board_picture(struct arena *arena, const struct game_view *view,
                               const struct rules_look *look, const struct rules_frame *frame)
{
    size_t cap = PICTURE_USUAL, len;
    char *text = arena_alloc(arena, cap);

    len = rules_board_picture(view->game, view->state, look, frame, text, cap);
    if (len < cap)
        return text;
    text = arena_alloc(arena, len + 1);
    rules_board_picture(view->game, view->state, look, frame, text, len + 1);
    return text;
}

bool next_square(struct rules_board board, const char **at, unsigned *square)
{
    for (; **at != '\0'; ++*at) {
        size_t len = rules_square_read(board, *at, square);

        if (len > 0) {
            *at += len;
            return true;
        }
    }
    return false;
}

static void mark_last(struct rules_look *look, const struct game_view *view)
{
    struct rules_board board = view->game->board(view->state);
    const char *at = view->row->last_move;
    unsigned square;

    while (at != NULL && next_square(board, &at, &square))
        look->mark[square] |= RULES_MARK_LAST;
}

static void mark_check(struct rules_look *look, const struct game_view *view)
{
    struct rules_refusal why;

    if (view->game->check == NULL || !view->game->check(view->state, &why))
        return;
    for (uint32_t i = 0; i < why.witnesses; i++)
        if (why.witness[i].role == RULES_ROLE_KING)
            look->mark[why.witness[i].square] |= RULES_MARK_CHECK;
}

/* The last square of each legal move that begins on square `from` (NULL: on any). */
static void mark_legal(struct arena *arena, struct rules_look *look, const struct game_view *view,
                       const char *from)
{
    struct rules_board board = view->game->board(view->state);
    size_t n = view->game->count(view->state);
    rules_move *moves = arena_alloc(arena, (n + 1) * sizeof(*moves));
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];

    n = view->game->legal(view->state, moves, n);
    for (size_t i = 0; i < n; i++) {
        size_t clicks = view->game->path(view->state, moves[i], click);
        unsigned square;

        if (from != NULL && strcmp(click[0], from) != 0)
            continue;
        while (clicks-- > 0)
            if (rules_square_read(board, click[clicks], &square) == strlen(click[clicks])) {
                look->mark[square] |= RULES_MARK_LEGAL;
                break;
            }
    }
}

bool mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                  const char *marks)
{
    char *list = arena_copy(arena, marks, strlen(marks)), *save = NULL;

    for (char *mark = strtok_r(list, ",", &save); mark != NULL; mark = strtok_r(NULL, ",", &save))
        if (strcmp(mark, "last") == 0)
            mark_last(look, view);
        else if (strcmp(mark, "check") == 0)
            mark_check(look, view);
        else if (strcmp(mark, "legal") == 0)
            mark_legal(arena, look, view, NULL);
        else if (strncmp(mark, "legal:", 6) == 0)
            mark_legal(arena, look, view, mark + 6);
        else
            return false;
    return true;
}

const char *view_ending(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;

    if (row->status == STATUS_ABORTED)
        return "aborted";
    if (row->status != STATUS_FINISHED)
        return NULL;
    if (row->winner == 0)
        return arena_format(arena, "draw (%s)", row->reason);
    return arena_format(arena, "%s wins (%s)", view->game->seat[row->winner - 1].name, row->reason);
}

const char *view_position_text(struct arena *arena, const struct game_view *view)
{
    struct rules_look *look = arena_alloc(arena, sizeof(*look));

    rules_look_init(look);
    mark_last(look, view);
    mark_check(look, view);
    look->ending = view_ending(arena, view);
    return view_board_text(arena, view, look);
}

/* Who sits where, if there is anything to say of it: "sente: Ada, gote: the computer". */
static const char *sitters_text(struct arena *arena, const struct game_view *view)
{
    const char *text = "";
    bool any = false;

    for (int i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &view->row->seat[i];
        const char *who = seat->name != NULL           ? seat->name
                          : seat->state == SEAT_ENGINE ? "the computer"
                          : seat->state == SEAT_OPEN   ? "an open seat"
                                                       : "somebody";

        any |= seat->name != NULL || seat->state != SEAT_TAKEN;
        text = arena_format(arena, "%s%s%s: %s", text, i == 0 ? "" : ", ", view->game->seat[i].name,
                            who);
    }
    return any ? arena_format(arena, "%s\n", text) : "";
}

const char *view_game_text(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;
    char id[AUTH_ID_TEXT];

    auth_id_text(row->id, id);
    return arena_format(arena, "%s, game %s, %s, ply %d\n%s\n%s", view->game->title, id,
                        status_name(row->status), row->ply, sitters_text(arena, view),
                        view_position_text(arena, view));
}

const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token)
{
    char id[AUTH_ID_TEXT];

    auth_id_text(view->row->id, id);
    return arena_format(arena, "id     %s\ntoken  %s\n\n%s", id, token,
                        view_game_text(arena, view));
}

/* ---- a line of a list ---- */

enum { LINE_NAME = 12 }; /* characters */

/* A time that has passed, in the largest unit that it fills. */
static const char *age_text(struct arena *arena, int64_t us)
{
    int64_t minutes = us / 60000000;

    if (minutes < 1)
        return "now";
    if (minutes < 60)
        return arena_format(arena, "%dm ago", (int)minutes);
    if (minutes < 48 * 60)
        return arena_format(arena, "%dh ago", (int)(minutes / 60));
    return arena_format(arena, "%dd ago", (int)(minutes / (24 * 60)));
}

/* The first characters of a name. */
static const char *short_name(struct arena *arena, const char *name)
{
    size_t at = 0;
    int characters = 0;

    while (name[at] != '\0' && (characters < LINE_NAME || (name[at] & 0xc0) == 0x80)) {
        at++;
        characters += (name[at] & 0xc0) != 0x80;
    }
    return name[at] == '\0' ? name : arena_format(arena, "%.*s\xe2\x80\xa6", (int)at, name);
}

static const char *seat_text(struct arena *arena, const struct db_seat *seat)
{
    if (seat->state == SEAT_OPEN)
        return "(open)";
    if (seat->name != NULL)
        return short_name(arena, seat->name);
    return seat->engine != NULL ? seat->engine : "?";
}

/* The names stand last, since only a terminal knows how wide they are. */
const char *view_game_line(struct arena *arena, const struct game_view *view, int64_t now)
{
    const struct db_game *row = view->row;
    const char *turn = row->status <= STATUS_ACTIVE ? view->game->seat[row->to_move - 1].name : "-";
    char id[AUTH_ID_TEXT];

    auth_id_text(row->id, id);
    return arena_format(arena, "%s %-16s %-8s %4d %-5s %8s  %s - %s\n", id, row->variant,
                        status_name(row->status), row->ply, turn,
                        age_text(arena, now - row->updated_at), seat_text(arena, &row->seat[0]),
                        seat_text(arena, &row->seat[1]));
}
