-- plyd: no transaction
-- 0003: the answers of moves are no longer stored, and the others expire.

-- What is needed to answer a request again that wrote to a game: the hash of its Idempotency-Key and
-- that of the request, eight bytes of each, with the last event that it wrote. All else that the
-- answer tells is in the log. Events without a key have nulls here, which take no room. The change
-- itself takes a moment but needs the table for itself: rather than let everybody wait behind a
-- long query, it gives up, and `plyd migrate` is run again.
set lock_timeout = '3s';
alter table events add column if not exists mark bigint, add column if not exists request bigint;
reset lock_timeout;

-- Events without a key are not in it and cost nothing.
drop index concurrently if exists events_by_mark;
create index concurrently events_by_mark on events (game_id, mark) where mark is not null;

-- By this one the oldest answers are found and deleted.
drop index concurrently if exists answers_by_age;
create index concurrently answers_by_age on answers (at);
