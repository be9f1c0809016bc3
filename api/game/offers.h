/*
 * offers.h - open offers: a draw, an undo, more time, a pause.
 *
 * An offer is an event, and its id is that event's version. It ends by an answer (accepted,
 * declined, withdrawn) or by what makes it pointless; then the event that does so names it
 * ("voids"). So the log tells of each offer how it began and how it ended, and the row has those
 * that are open.
 *
 *     kind    asks for                            is void once
 *     draw    a draw by agreement                 the other side moves
 *     undo    going back to a ply                 anything is played, undone or redone
 *     abort   calling the game off                the other side moves
 *     time    more time for both sides            the game is over
 *     pause   a clock that stands still           the game is over
 *
 * The end of the game ends all of them. A side has at most one open offer of each kind. If both
 * offer a draw, or to call the game off, they have agreed.
 *
 * Pure.
 */
#ifndef PLYD_API_GAME_OFFERS_H
#define PLYD_API_GAME_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/json.h"
#include "db/db.h"

enum offer_kind { OFFER_DRAW = 1, OFFER_UNDO, OFFER_ABORT, OFFER_TIME, OFFER_PAUSE };
enum { OFFER_KINDS = OFFER_PAUSE, OFFERS_MAX = OFFER_KINDS * DB_SEATS };

struct offer {
    int32_t id; /* the version of its event */
    enum offer_kind kind;
    int seat; /* who made it */
    int64_t at;
    int32_t to_ply;  /* of OFFER_UNDO */
    int64_t span_us; /* of OFFER_TIME and OFFER_PAUSE */
};

/* In the order in which they were made. */
struct offers {
    struct offer offer[OFFERS_MAX];
    size_t count;
};

extern const struct offers offers_none;

/* ---- as texts ---- */

const char *offers_word(enum offer_kind kind);
int offers_kind(const char *word); /* 0: no kind has that word */

/* Reads those of a row. False: they cannot be read. */
bool offers_load(struct arena *arena, const struct db_game *row, struct offers *offers);

/* What is stored of them; NULL: there are none. */
const char *offers_text(struct arena *arena, const struct offers *offers);

/* The members of the data of an event that makes an offer. */
const char *offers_data(struct arena *arena, const struct offer *offer);

/* ---- their lives ---- */

/* The offer of a kind and seat, or of an id. NULL: there is none. */
const struct offer *offers_of(const struct offers *offers, enum offer_kind kind, int seat);
const struct offer *offers_find(const struct offers *offers, int32_t id);

/* There is room: one of a kind and seat. */
void offers_add(struct offers *offers, const struct offer *offer);
void offers_remove(struct offers *offers, int32_t id);

/* Each removes what is void: after a move of a seat; after an undo or redo; after the end of the
 * game. Writes the member "voids", a list of their ids, unless it would be empty. */
void offers_end_by_move(struct offers *offers, int seat, struct json *json);
void offers_end_by_jump(struct offers *offers, struct json *json);
void offers_end_all(struct offers *offers, struct json *json);

/* ---- what is shown ---- */

/* Writes one as an object. A reader who plays these seats sees what they may do with it ("accept",
 * "decline", "withdraw"). 0: they play none. */
void offers_view_one(struct json *json, const struct offer *offer, unsigned seats);

/* Writes all of them as a list: the member "offers" of a game. */
void offers_view(struct json *json, const struct offers *offers, unsigned seats);

#endif
