/* plyd.d.ts - the types of plyd.js. */
