/*
 * player_games.h - brings a change of a player into their games, as due work.
 *
 * A player's change is stored with a promise (due.h), and this keeps it. It goes through the games
 * of the player, a page at a time, compares each with the player and writes what differs, as
 * events:
 *   - another name: where the game goes on. A game that is over keeps the name that it was played
 *     under;
 *   - they have left: a game that goes on is resigned, or called off if a side has not moved yet.
 *     Then name, player and token are taken off the seat, in all games;
 *   - the tokens of their seats end: in all games that were made before that was asked for. The
 *     player's own token plays them;
 *   - a vacation, or its end: where the game's clock heeds vacations.
 * What is done already is not done again. So a pass that was cut short, or that two daemons make at
 * once, does no harm.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_PLAYER_GAMES_H
#define PLYD_API_ENDPOINTS_PEOPLE_PLAYER_GAMES_H

#include "api/http/request.h"
#include "db/db.h"

/* Keeps a promise of DUE_PLAYER, DUE_VACATION or DUE_SEATS: given to due_open(). */
void player_games_keep(struct request *request, const struct db_due *due);

#endif
