-- plyd: oldest 10
-- 0019: a digest once a day in place of notices.

-- At which minute of a day that begins `digest_offset` minutes before that of UTC a receiver is told how many games wait for its player, and
-- when that is next. Null: it is told of each game. For programs from before this file it is.
set lock_timeout = '500ms';
alter table webhooks add column if not exists digest_minute smallint,
    add column if not exists digest_offset smallint,
    add column if not exists digest_at timestamptz;
reset lock_timeout;
