/*
 * server.h - the daemon: its loops, from the first to the last request.
 */
#ifndef PLYD_API_SERVER_H
#define PLYD_API_SERVER_H

struct config;
struct db_time;

/* Serves until SIGTERM or SIGINT, then answers what is under way and ends. Call it once, from the
 * main thread, while there is no other one. The database has told its time: requests may come
 * before a loop has a connection. Returns the exit code: 0, or 1 if it could not start, which is
 * logged. */
int server_main(const struct config *config, const struct db_time *told);

#endif
