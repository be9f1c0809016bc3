-- plyd: oldest 10
-- 0022: how far players have read their games, and when games have ended.

-- Up to which version the player of a seat has read the game, on whichever device. It only grows. Null: they have said nothing of it.
-- ended_at is the server's time at which the end was written, which may be later than the end (a timeout). Null in games that
-- go on, and in those that an older program has ended: these count by their last activity.
set lock_timeout = '500ms';
alter table games add column if not exists seat1_read integer,
    add column if not exists seat2_read integer,
    add column if not exists ended_at timestamptz;
reset lock_timeout;
