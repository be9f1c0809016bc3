/*
 * computer_moves.h - moves of computer opponents, as due work (game/opponent.h).
 *
 * Whoever writes a game in which such an opponent is then to move makes its move due in the same
 * commit (DUE_OPPONENT). A daemon that does this work has a thinker search, and plays what was
 * found as any player does: guarded by the version, charged to the clock. If the game has come to
 * another position meanwhile, the search was in vain. The move follows from the position, its past,
 * the level, the game's seed and the ply alone, so it does not matter who searches, or how often.
 *
 * An offer of a draw is answered in the same way. The opponent accepts if it believes that it
 * stands worse.
 */
#ifndef PLYD_API_ENDPOINTS_ENGINE_COMPUTER_MOVES_H
#define PLYD_API_ENDPOINTS_ENGINE_COMPUTER_MOVES_H

#include <stdbool.h>

#include "api/http/request.h"
#include "db/db.h"

struct loop;
struct live_game;

/* A game has changed: a search for it ends early unless its position is still the same. `written`:
 * the live game has the game as it is now. */
void computer_moves_heard(struct loop *loop, const struct live_game *live, bool written);

#endif
