/*
 * refusal.h - what the rules refuse, as a sentence for people.
 *
 * The rules say why a move is refused as data (struct rules_refusal). The sentences that go with a
 * code stand in rules/codes.def, with places such as {squares} to fill in. Pure; any thread may
 * call this.
 */
#ifndef PLYD_API_TEXT_REFUSAL_H
#define PLYD_API_TEXT_REFUSAL_H

#include "api/text/arena.h"
#include "rules/rules.h"

struct lang;

/* The text of a refusal, from the arena or static. `state` is the position that was judged, or NULL
 * if there was none; where it may be looked at, the text says how. `move` is what was sent, or
 * NULL. A sentence with a place that cannot be filled is left out. `lang` NULL: English. */
const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why, const struct lang *lang);

/* The same with squares and moves as people write them in this game. NULL: as they are typed. */
const char *refusal_written(struct arena *arena, const struct rules_game *game,
                            const struct rules_state *state, const char *move,
                            const struct rules_refusal *why, const struct lang *lang);

/* The address of the picture of a position that may be looked at, though not played
 * (rules_refusal.visible); NULL for any other refusal, or if the address would be too long. */
const char *refusal_look_at(struct arena *arena, const struct rules_game *game,
                            const struct rules_state *state, const struct rules_refusal *why);

/* The sentence of a law. */
const char *refusal_law_text(const struct rules_law *law, const struct lang *lang);

#endif
