/*
 * game_files.h - saves matches to files and loads them. The extension of a file's name decides the
 * format in which it is written; a game that goes on in the file that it was read from stays in the
 * format and the charset that this has. A file is read in any format, whatever its name.
 */
#ifndef PLYD_API_TERMINAL_GAME_FILES_H
#define PLYD_API_TERMINAL_GAME_FILES_H

#include "api/terminal/autosave.h"
#include "api/terminal/show.h"
#include "api/text/out.h"

/* Appends the formats of a game, with their file extensions. */
void game_files_list(const struct rules_game *game, const struct show_style *style,
                     struct out *said);

/* Whether a file can be read, or is not there and its folder is. False: *said has why not. */
bool game_files_usable(const char *path, const struct show_style *style, struct out *said);

/* Where a match is written. */
struct game_file {
    const char *path;
    bool goes_on; /* it was read from there */
};

/* Whether the format of a file loses nothing of a match, so that the match can be resumed from it.
 * The file is not touched. False: *said has why not. */
bool game_files_fits(const struct match *match, struct game_file file,
                     const struct show_style *style, struct out *said);

/* Whether the format of a file has a place for what is taken back, which becomes a variation. */
bool game_files_branches(const struct match *match, struct game_file file);

/* Says what of a match has no place in a file of this name. Nothing is said if all has. */
void game_files_say_left_out(const struct match *match, struct game_file file,
                             const struct show_style *style, struct out *said);

/* Writes a match to a file, with the moves that were taken back. What another program or an earlier
 * session has left there is kept first; *before is its name then, or NULL (autosave_replace()).
 * False: *said has why not. */
bool game_files_write(const struct match *match, struct game_file file, struct autosave *autosave,
                      const char **before, const struct show_style *style, struct out *said);

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
