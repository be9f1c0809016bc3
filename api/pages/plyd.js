/* plyd.js - a client for games on plyd. */
