-- plyd: no transaction
-- plyd: oldest 10
-- 0020: players are found by the beginning of their name.

-- A player who does not want to be found is `unfound`. For programs from before this file nobody is found by a name.
set lock_timeout = '500ms';
alter table players add column if not exists unfound boolean not null default false;
reset lock_timeout;

-- In the order of their bytes, so that names with the same beginning lie together whatever the language of the database is.
drop index concurrently if exists players_by_name;
create index concurrently players_by_name on players ((lower(name) collate "C"), id)
    where left_at is null and not unfound;
