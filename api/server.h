/*
 * server.h - the daemon: its loops, from the first to the last request.
 */
#ifndef PLYD_API_SERVER_H
#define PLYD_API_SERVER_H

struct config;

/* Serves until SIGTERM or SIGINT, then drains. Returns the exit code. */
int server_main(const struct config *config);

#endif
