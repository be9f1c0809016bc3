/*
 * picture_symbols.c - the men and the grounds of a game as symbols (picture.h), also shown side by
 * side: a row for the men of each seat, and one for what lies below them.
 *
 * A symbol may be used anywhere, where nothing is inherited from this picture, so each has all
 * attributes that it needs.
 */
#include <string.h>

#include "rules/draw/sheet.h"

struct tray {
    struct sheet sheet;
    int column, row;
};

/* Begins a symbol's name, or the same name in a reference. */
static void put_name(struct tray *tray, const char *kind, unsigned seat, const char *name)
{
    page_put(&tray->sheet.page, kind);
    if (seat != 0)
        SHEET_PUT(&tray->sheet, "-%", (int)seat);
    if (name != NULL) {
        page_put(&tray->sheet.page, "-");
        page_put(&tray->sheet.page, name);
    }
}

static void open_symbol(struct tray *tray, const char *kind, unsigned seat, const char *name)
{
    struct sheet *sheet = &tray->sheet;
    int x = tray->column++ * SHEET_SQUARE, y = tray->row * SHEET_SQUARE;

    SHEET_PUT(sheet, "<view id='@view-");
    put_name(tray, kind, seat, name);
    SHEET_PUT(sheet, "' viewBox='% % 100 100'/><use href='#@", x, y);
    put_name(tray, kind, seat, name);
    SHEET_PUT(sheet, "' x='%' y='%' width='100' height='100'/>\n<symbol id='@", x, y);
    put_name(tray, kind, seat, name);
    SHEET_PUT(sheet, "' viewBox='-50 -50 100 100' fill='none' stroke-linecap='round' "
                     "stroke-linejoin='round'>");
}

static void close_symbol(struct tray *tray)
{
    SHEET_PUT(&tray->sheet, "</symbol>\n");
}

static void end_row(struct tray *tray)
{
    tray->column = 0;
    tray->row++;
}

static void put_men(struct tray *tray, unsigned seat)
{
    const struct rules_game *game = tray->sheet.game;

    for (size_t kind = 0; kind < game->npieces; kind++) {
        open_symbol(tray, "man", seat, game->pieces[kind].name);
        sheet_man(&tray->sheet, (struct rules_man){(uint8_t)seat, (uint8_t)kind});
        close_symbol(tray);
    }
    if (tray->sheet.art->layer != NULL) {
        open_symbol(tray, "layer", seat, NULL);
        sheet_shapes(&tray->sheet, tray->sheet.art->layer, seat);
        close_symbol(tray);
    }
    end_row(tray);
}

static void put_ground(struct tray *tray, enum rules_paint paint)
{
    SHEET_PUT(&tray->sheet, "<path d='");
    page_put(&tray->sheet.page, sheet_ground_path(tray->sheet.game));
    SHEET_PUT(&tray->sheet, "' fill='$'", (int)paint);
    if (tray->sheet.game->tiling == RULES_HEXAGONS)
        SHEET_PUT(&tray->sheet, " transform='scale(.86)'");
    if (tray->sheet.art->tiled)
        SHEET_PUT(&tray->sheet, " stroke='$' stroke-width='2'", RULES_PAINT_LINE);
    SHEET_PUT(&tray->sheet, "/>");
}

static void put_square(struct tray *tray, const char *name, enum rules_paint paint)
{
    open_symbol(tray, name, 0, NULL);
    put_ground(tray, paint);
    close_symbol(tray);
}

/* Zones of one name look the same, whosever they are. */
static bool is_first_of_its_name(const struct rules_game *game, size_t zone)
{
    for (size_t i = 0; i < zone; i++)
        if (strcmp(game->zones[i].name, game->zones[zone].name) == 0)
            return false;
    return true;
}

static void put_zone(struct tray *tray, size_t zone)
{
    const struct rules_ground *ground = &tray->sheet.art->ground[zone];
    const struct rules_game *game = tray->sheet.game;

    if ((ground->paint == RULES_PAINT_NONE && ground->shapes == NULL) ||
        !is_first_of_its_name(game, zone))
        return;
    open_symbol(tray, "zone", 0, game->zones[zone].name);
    put_ground(tray, ground->paint != RULES_PAINT_NONE ? ground->paint : RULES_PAINT_BOARD);
    sheet_shapes(&tray->sheet, ground->shapes, game->zones[zone].seat);
    close_symbol(tray);
}

static void put_grounds(struct tray *tray)
{
    const struct rules_art *art = tray->sheet.art;

    put_square(tray, "square", RULES_PAINT_BOARD);
    if (art->chequered)
        put_square(tray, "square-other", RULES_PAINT_OTHER);
    for (size_t zone = 0; art->ground != NULL && zone < tray->sheet.game->nzones; zone++)
        put_zone(tray, zone);
}

size_t rules_men_picture(const struct rules_game *game, const struct rules_picture_options *frame,
                         char *out, size_t cap)
{
    struct tray tray = {
        .sheet = {
            .page = {.out = out, .cap = cap}, .game = game, .frame = frame, .art = game->art}};
    int columns = (int)game->npieces + (game->art->layer != NULL);
    int zones = (int)game->nzones + 2;

    SHEET_PUT(&tray.sheet, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 % 300'>\n<title>",
              (columns > zones ? columns : zones) * SHEET_SQUARE);
    page_put(&tray.sheet.page, game->title);
    SHEET_PUT(&tray.sheet, ": men and squares</title>\n");
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
        put_men(&tray, seat);
    put_grounds(&tray);
    SHEET_PUT(&tray.sheet, "</svg>\n");
    return page_close(&tray.sheet.page);
}
