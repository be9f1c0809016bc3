// The daemons of a file that imports this first have the games of examples/, of which no page knows.
process.env.PLYD_GAMES = process.env.PLYD_TEST_GAMES;
