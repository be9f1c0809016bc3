/*
 * listing.h - a list of games that is asked for: what of it is wanted, and a page of it.
 *
 * Other answers of several games show each as a list does.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_LISTING_H
#define PLYD_API_ENDPOINTS_PEOPLE_LISTING_H

#include <stdbool.h>

#include "api/game/words.h"
#include "api/http/request.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

enum { STATUSES = STATUS_ABORTED };

/* A list that is asked for. */
struct listing {
    struct request *request;
    const char *const *known; /* the parameters that its query may have */
    struct db_player_list wanted;
    bool all_variants; /* none are named */
    struct db_cursor after;
    int16_t statuses[STATUSES];
    const char *etag; /* of the answer, or NULL */

    /* Of one's own games. */
    struct db_games page;
    struct db_cursor next;
    size_t waiting;
    const struct game_news *news; /* of each game of the page; NULL: it is another list */
};

/* Reads what all lists have in common: variants, statuses, the page, what is shown. NULL: the
 * request was answered. */
struct listing *listing_read(struct request *request, const char *const *known, bool by_turn);

/* Has the games of a player, or of a collection, come with those whose rules are not loaded here,
 * unless it was asked for others. */
void listing_also_not_loaded(struct listing *listing);

/* Makes *view a game of the list. False: this program cannot read it, since a newer one wrote it;
 * it is left out, and must not hide the others. What asks for the game itself logs that. */
bool listing_item(struct request *request, const struct db_game *row, struct rules_state *state,
                  struct game_view *view);

/* The headers of an answer that shows games of the list. */
void listing_label(const struct listing *listing);

/* Answers with a page. `next` is the address of the next one; NULL: there is none. */
void listing_answer(const struct listing *listing, const struct db_games *page, const char *next);

/* The same with the address that the page's cursor makes. The context is the listing. */
void listing_show(void *context, const struct db_games *page);

/* A cursor as clients see it. */
const char *listing_cursor_text(struct arena *arena, const struct db_cursor *cursor);

#endif
