-- plyd: no transaction
-- 0009: which daemon holds the lease of a promise.

-- The daemon that leased it last (`daemons`). It means something only while the promise is leased.
set lock_timeout = '500ms';
alter table due add column if not exists holder uuid;
reset lock_timeout;

-- What a daemon holds, so that others find it when that daemon is gone. Few promises are leased at a time.
drop index concurrently if exists due_by_holder;
create index concurrently due_by_holder on due (holder) where leased_until > at;
