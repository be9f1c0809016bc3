/*
 * game_files.h - matches in files. The ending of a file's name says in which format it is written,
 * and JSON takes everything; any format is read.
 */
#ifndef PLYD_API_TERMINAL_GAME_FILES_H
#define PLYD_API_TERMINAL_GAME_FILES_H

#include "api/terminal/show.h"
#include "api/text/out.h"

/* Appends the formats of a game, with their endings. */
void game_files_list(const struct rules_game *game, const struct show_style *style,
                     struct out *said);

/* Whether a match can be played on from the format of a file, which is not touched: nothing of it
 * gets lost there. False: *said has why not. */
bool game_files_fits(const struct match *match, const char *path, const struct show_style *style,
                     struct out *said);

/* Writes a match to a file; as JSON also the moves that were taken back. False: *said has why not.
 */
bool game_files_write(const struct match *match, const char *path, const struct show_style *style,
                      struct out *said);

/* Makes a match of a file. False: *said has why not, and there is nothing to close. */
bool game_files_read(struct match *match, const char *path, const struct show_style *style,
                     struct out *said);

/* What would be lost with a file, from nothing upwards. */
enum game_files_worth {
    FILING_NOTHING,  /* there is no such file */
    FILING_UNPLAYED, /* a game without moves */
    FILING_OVER,
    FILING_GOES_ON /* also whatever is no record: nobody knows what it is worth */
};
enum game_files_worth game_files_worth(const char *path);

#endif
