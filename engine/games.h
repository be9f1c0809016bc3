/* games.h - what the engine knows of each game that is part of plyd, in engine/FOLDER.c. */
#ifndef PLYD_ENGINE_GAMES_H
#define PLYD_ENGINE_GAMES_H

#include "engine/game.h"

#define RULES_GAME(name, folder) extern const struct engine_game engine_##folder;
#include "rules/games.def"
#undef RULES_GAME

#endif
