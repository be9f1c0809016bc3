/*
 * search_payer.h - who pays for the searches of computer opponents.
 *
 * Their moves are due work, which no client has sent. So the request whose write makes it an
 * opponent's turn pays for the search in advance (request->caused_us), by the nodes of the
 * opponent's level. And the searches are shared out between the clients of these requests: a client
 * with a hundred games waits behind their own.
 *
 * Who caused what is only remembered, in a table of fixed size for the whole process. Where it is
 * not known, as after a restart or at another daemon, the searches count as those of the person
 * against whom the opponent plays.
 */
#ifndef PLYD_API_ENDPOINTS_ENGINE_SEARCH_PAYER_H
#define PLYD_API_ENDPOINTS_ENGINE_SEARCH_PAYER_H

#include <stdint.h>

#include "api/http/request.h"
#include "db/db.h"

struct draft;

/* A request is about to write what draft_store() has stored; `before` is the row until then, or
 * NULL. It may be called again for the same request. */
void search_payer_note(struct request *request, const struct db_game *before,
                       const struct draft *draft);

/* A request is about to have so many nodes searched later, and pays for them. */
void search_payer_nodes(struct request *request, uint64_t nodes);

/* For whom a search in this game is done, as work.client. Any thread may ask. */
uint64_t search_payer_client(const struct db_game *row);

#endif
