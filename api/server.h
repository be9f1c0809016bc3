/*
 * server.h - the event loop.
 *
 * A daemon runs one or more loops, each a thread with its own listening socket, HTTP connections,
 * connections to PostgreSQL and games in memory; loops share nothing. In a loop, libmicrohttpd and
 * db are run side by side and nothing ever blocks: a request that has to wait is suspended and
 * holds no thread.
 */
#ifndef PLYD_API_SERVER_H
#define PLYD_API_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/metrics.h"

struct db;
struct http;
struct players;
struct tables;
struct waits;
struct server;

/* Serves until SIGTERM or SIGINT, then drains. Returns the exit code. */
int server_main(const struct config *config);

/* What handlers need of their loop. */
struct db *server_db(const struct server *server);
struct http *server_http(const struct server *server);
struct tables *server_tables(const struct server *server);
struct players *server_players(const struct server *server);
struct waits *server_waits(const struct server *server);
struct metrics *server_metrics(struct server *server);
struct quota *server_quota(const struct server *server);
const struct config *server_config(const struct server *server);
bool server_draining(const struct server *server);

/* All loops of the process. */
size_t server_all(struct server *const **servers);

/* Lets other loops see this loop's numbers as they are now. A loop does so itself when it comes to
 * rest, and now and then. */
void server_publish(struct server *server);

/* Seconds since the daemon began. */
uint64_t server_uptime_s(void);

/* Monotonic microseconds: the time of the loop's present turn. */
int64_t server_now(const struct server *server);

/* The same clock right now. */
int64_t server_clock_us(void);

#endif
