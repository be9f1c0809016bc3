/*
 * game_files.h - saves matches to files and loads them. The extension of a file's name decides the
 * format in which it is written; only JSON loses nothing. A file is read in any format, whatever
 * its name.
 */
#ifndef PLYD_API_TERMINAL_GAME_FILES_H
#define PLYD_API_TERMINAL_GAME_FILES_H

#include "api/terminal/show.h"
#include "api/text/out.h"

/* Appends the formats of a game, with their file extensions. */
void game_files_list(const struct rules_game *game, const struct show_style *style,
                     struct out *said);

/* Whether the format of a file loses nothing of a match, so that the match can be resumed from it.
 * The file is not touched. False: *said has why not. */
bool game_files_fits(const struct match *match, const char *path, const struct show_style *style,
                     struct out *said);

/* Writes a match to a file; as JSON also the moves that were taken back. False: *said has why not.
 */
bool game_files_write(const struct match *match, const char *path, const struct show_style *style,
                      struct out *said);

/* Loads a match from a file. False: *said has why not, and there is nothing to close. */
bool game_files_read(struct match *match, const char *path, const struct show_style *style,
                     struct out *said);

/* What would be lost if a file were overwritten, in ascending order. */
enum game_files_worth {
    WORTH_NOTHING,  /* there is no such file */
    WORTH_UNPLAYED, /* a game without moves */
    WORTH_OVER,
    WORTH_GOES_ON /* not over; or not a record, so its worth is unknown */
};
enum game_files_worth game_files_worth(const char *path);

#endif
