/** worker.d.ts - what the daemon writes before sw.js. */
declare const BUILD: string;
