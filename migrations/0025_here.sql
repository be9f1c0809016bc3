-- plyd: oldest 10
-- 0025: who has a game before them.

-- When the player of a seat has said last that they have the game before them. Null: they have not, or have gone. It counts for a
-- minute, so nobody has to clear it.
set lock_timeout = '500ms';
alter table games add column if not exists seat1_here timestamptz,
    add column if not exists seat2_here timestamptz;
reset lock_timeout;
