-- plyd: oldest 10
-- 0023: what a player shows of themself beside their name.

-- A line about themself, and the address of a picture, which clients load and plyd does not. Null: none.
set lock_timeout = '500ms';
alter table players add column if not exists about text,
    add column if not exists picture text;
reset lock_timeout;
