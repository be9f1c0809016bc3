/* board.js - <plyd-board>, a board for any page. */
