-- plyd: oldest 10
-- 0012: what an application keeps with a game.

-- JSON: an object of texts, set when the game is made. Null: it has none, as all games of older programs.
set lock_timeout = '500ms';
alter table games add column if not exists metadata text;
reset lock_timeout;
