#include "api/endpoints/people/atom.h"

#include "api/game/clock.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/page.h"
#include "api/text/json.h"
#include "api/text/lang.h"
#include "api/view/board.h"

static void put_element(struct out *out, const char *name, const char *text)
{
    out_format(out, "<%s>", name);
    page_text(out, text);
    out_format(out, "</%s>\n", name);
}

static void link_to(struct out *out, const char *rel, const char *url)
{
    out_format(out, "<link rel=\"%s\" href=\"", rel);
    page_text(out, url);
    out_add(out, "\"/>\n");
}

void atom_open(struct out *out, const struct lang *lang, db_id player, int64_t updated_at,
               const char *self)
{
    char id[IDS_TEXT];

    ids_text(player, id);
    out_add(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                 "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    put_element(out, "id", arena_format(out->arena, "tag:plyd,2026:player/%s", id));
    put_element(out, "title", lang_word(lang, "your-games"));
    put_element(out, "updated", json_time_text(out->arena, updated_at));
    link_to(out, "self", self);
    out_add(out, "<author><name>plyd</name></author>\n");
}

static bool is_over(const struct game_view *view)
{
    return !status_goes_on(view->row->status);
}

static bool is_theirs(const struct game_view *view)
{
    return view->row->status == STATUS_ACTIVE && (view->seats & seat_bit(view->row->to_move)) != 0;
}

static const char *title(struct arena *arena, const struct game_view *view)
{
    const char *game = view_against(arena, view);

    if (is_over(view))
        return arena_format(arena, "%s: %s", game, view_ending(arena, view));
    return lang_fill(arena, view->lang, "your-move", "game", game, NULL);
}

/* The last move, and until when they have time. */
static const char *summary(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;
    int64_t deadline =
        view->clock == NULL ? DB_NEVER : clock_deadline(view->clock, row, &view->gaps);
    const char *text =
        row->last_move == NULL ? "" : arena_format(arena, "%d. %s", row->ply, row->last_move);

    if (deadline == DB_NEVER)
        return text;
    return arena_format(arena, "%s%s%s", text, *text == '\0' ? "" : "\n",
                        lang_fill(arena, view->lang, "you-have-until", "time",
                                  json_time_text(arena, deadline), NULL));
}

void atom_add(struct out *out, const struct game_view *view, const char *url)
{
    struct arena *arena = out->arena;
    char id[IDS_TEXT];

    if (!is_over(view) && !is_theirs(view))
        return;
    ids_text(view->row->id, id);
    out_add(out, "<entry>\n");
    put_element(out, "id",
                arena_format(arena, "tag:plyd,2026:game/%s/%d/%d%s", id, view->row->line,
                             view->row->ply, is_over(view) ? "/end" : ""));
    put_element(out, "title", title(arena, view));
    put_element(out, "updated", json_time_text(arena, view->row->updated_at));
    link_to(out, "alternate", url);
    put_element(out, "summary", summary(arena, view));
    out_add(out, "</entry>\n");
}

void atom_close(struct out *out)
{
    out_add(out, "</feed>\n");
}
