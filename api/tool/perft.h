/*
 * perft.h - the subcommand `plyd perft`: how many sequences of legal moves there are.
 */
#ifndef PLYD_API_TOOL_PERFT_H
#define PLYD_API_TOOL_PERFT_H

/* Runs `perft VARIANT DEPTH [--position P] [--options JSON] [--divide]`, argv[0] being "perft".
 * The count goes to standard output, everything else to standard error. Returns the exit code: 0,
 * 1 if the rules refuse the options or the position, 2 if the command line is wrong. */
int perft_main(int argc, char **argv);

#endif
