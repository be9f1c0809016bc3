/*
 * perft.h - the subcommand `plyd perft`, which counts the sequences of legal moves of a given
 * length.
 *
 * Two programs that agree on these numbers very likely agree on the rules. It uses no database.
 */
#ifndef PLYD_API_TOOL_PERFT_H
#define PLYD_API_TOOL_PERFT_H

/* Runs `perft VARIANT DEPTH [--position P] [--options JSON] [--divide]`; argv[0] is "perft". The
 * count goes to standard output, everything else to standard error. Returns the exit code: 0; 1, if
 * the rules refuse the options or the position, or memory is out; 2, if the command line is wrong.
 */
int perft_main(int argc, char **argv);

#endif
