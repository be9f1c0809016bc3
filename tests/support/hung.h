/*
 * hung.h - what is told of a test that takes too long.
 *
 * When the time of a test is over, its process is ended by SIGPROF. Before the process obeys,
 * the log gets where the test stands, what the sessions of its database do, what work is due there
 * and what its daemons count (hung.sh), each line behind the test's name.
 */
#ifndef PLYD_TESTS_SUPPORT_HUNG_H
#define PLYD_TESTS_SUPPORT_HUNG_H

/* A daemon of the test that runs: of the last few that it names, all are asked. */
void hung_watch(const char *database, int port);

#endif
