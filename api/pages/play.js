// play
