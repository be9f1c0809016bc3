/*
 * lists.h - lists of games: the public ones, those of a player, one's own.
 *
 * Other answers of several games show each as a list does.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_LISTS_H
#define PLYD_API_ENDPOINTS_PEOPLE_LISTS_H

#include <stdbool.h>

#include "api/http/request.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

/* Makes *view a game of the list. False: this program cannot read it, since a newer one wrote it;
 * it is left out, and must not hide the others. What asks for the game itself logs that. */
bool lists_item(struct request *request, const struct db_game *row, struct rules_state *state,
                struct game_view *view);

#endif
